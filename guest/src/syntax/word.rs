//! A shell word after quote removal, with what is known and what is not kept apart.

use crate::model::Span;

/// One word of a command as the shell would see it after quote removal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// Its parts, in order; adjacent text of the same kind is merged. Empty for `''`.
    pub pieces: Vec<Piece>,
    /// Where it stands in the text of the whole command. For words of an inner script, the word
    /// that carries the script.
    pub span: Span,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Characters that stand for themselves.
    Text {
        /// The characters.
        value: String,
        /// Whether they were quoted or escaped, so that no expansion applies.
        quoted: bool,
    },
    /// An unquoted pattern: `*`, `?`, `[...]`.
    Glob(String),
    /// `~` or `~user`.
    Tilde(String),
    /// `$NAME` or `${NAME...}` whose value is not known from the text.
    Variable {
        /// The parameter's name.
        name: String,
        /// What makes it fail instead of expanding to nothing (`${X:?}`) or gives a literal default
        /// (`${X:-/tmp}`).
        guard: Guard,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    /// Output of a command that is not known from the text; its script is unfolded apart.
    Substitution,
    /// Anything else that only running the command would tell (operands that `xargs` appends, `{}`
    /// of `find -exec`, arithmetic).
    Unknown,
}

/// How an expansion behaves where its variable is unset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// It becomes nothing.
    None,
    /// `${X:?}`: the shell stops.
    Required,
    /// `${X:-word}`: this text.
    Default(String),
}

impl Word {
    /// A word of literal text.
    pub fn text(value: &str, span: Span) -> Self {
        let pieces = if value.is_empty() {
            Vec::new()
        } else {
            vec![Piece::Text {
                value: value.to_owned(),
                quoted: false,
            }]
        };
        Self { pieces, span }
    }

    /// The exact text, if every part of it is known.
    pub fn literal(&self) -> Option<String> {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { value, .. } => out.push_str(value),
                _ => return None,
            }
        }
        Some(out)
    }

    /// The text as a reader would write it, unknown parts in their own spelling (`*`, `~`, `$NAME`,
    /// `$(…)`).
    pub fn shown(&self) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { value, .. } => out.push_str(value),
                Piece::Glob(pattern) => out.push_str(pattern),
                Piece::Tilde(user) => {
                    out.push('~');
                    out.push_str(user);
                }
                Piece::Variable { name, .. } => {
                    out.push('$');
                    out.push_str(name);
                }
                Piece::Substitution | Piece::Unknown => out.push_str("$(…)"),
            }
        }
        out
    }

    /// Whether the word is this text, known for sure.
    pub fn is(&self, text: &str) -> bool {
        let mut rest = text;
        let is_prefix = self.pieces.iter().all(|piece| match piece {
            Piece::Text { value, .. } => rest.strip_prefix(value.as_str()).is_some_and(|left| {
                rest = left;
                true
            }),
            _ => false,
        });
        is_prefix && rest.is_empty()
    }

    /// Whether the word begins with this text, known for sure.
    pub fn starts_with(&self, prefix: &str) -> bool {
        let mut rest = prefix;
        for piece in &self.pieces {
            let Piece::Text { value, .. } = piece else {
                return rest.is_empty();
            };
            if value.len() >= rest.len() {
                return value.starts_with(rest);
            }
            match rest.strip_prefix(value.as_str()) {
                Some(left) => rest = left,
                None => return false,
            }
        }
        rest.is_empty()
    }

    /// Adds literal text at the end.
    pub fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text {
                value,
                quoted: false,
            }) => value.push_str(text),
            _ if text.is_empty() => {}
            _ => self.pieces.push(Piece::Text {
                value: text.to_owned(),
                quoted: false,
            }),
        }
    }

    /// The word without its first bytes of text.
    pub fn without(&self, bytes: usize) -> Self {
        let mut word = self.clone();
        let mut left = bytes;
        while let (1.., Some(Piece::Text { value, .. })) = (left, word.pieces.first_mut()) {
            if value.len() > left {
                *value = value.get(left..).unwrap_or_default().to_owned();
                break;
            }
            left -= value.len();
            word.pieces.remove(0);
        }
        word
    }

    /// What stands behind the first such character, where that lies in the word's first piece.
    pub fn behind(&self, mark: char) -> Option<Self> {
        let Some(Piece::Text { value, .. }) = self.pieces.first() else {
            return None;
        };
        let at = value.find(mark)?;
        Some(self.without(at + mark.len_utf8()))
    }

    /// Whether an unquoted pattern stands in it.
    pub fn has_glob(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Glob(_)))
    }

    /// Whether some part is known only when the command runs.
    pub fn is_dynamic(&self) -> bool {
        self.pieces.iter().any(|piece| {
            matches!(
                piece,
                Piece::Variable { .. } | Piece::Substitution | Piece::Unknown
            )
        })
    }
}
