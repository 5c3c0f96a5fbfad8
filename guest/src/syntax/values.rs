//! What `$name` and `${…}` become: known values, changed values, or a piece that says what is not
//! known.

use super::expand::Site;
use super::expand::Tilde;
use super::fields::{Fields, Quoting};
use super::lex;
use super::parameter::{self, Anchor, Operation, Parameter};
use super::scope::{Scope, Value};
use super::walk::Walker;
use super::word::{Guard, Piece, Word};
use crate::model::Span;

impl Walker {
    pub(super) fn parameter(
        &mut self,
        body: &str,
        quoting: Quoting,
        site: Site<'_>,
        scope: &mut Scope,
        fields: &mut Fields,
    ) {
        let Some(mut parameter) = parameter::parse(body) else {
            self.commands_in(body, site, scope);
            fields.piece(Piece::Unknown);
            return;
        };
        if !matches!(
            parameter.operation,
            Operation::Default { .. } | Operation::Alternative { .. }
        ) {
            self.commands_in(body, site, scope);
        } else if let Some(index) = parameter.index {
            self.commands_in(index, site, scope);
        }
        let target;
        if parameter.indirect {
            match scope.literal(parameter.name) {
                Some(name) => {
                    target = name;
                    parameter.name = &target;
                }
                None => {
                    fields.piece(variable(parameter.name, Guard::None, quoting));
                    return;
                }
            }
        }
        if parameter.name == "_" && parameter.operation == Operation::None {
            fields.piece(Piece::Unknown);
            return;
        }
        match self.lookup(&parameter, scope) {
            Some(found) => self.known(found, &parameter, quoting, site, scope, fields),
            None => self.unknown(&parameter, quoting, site, scope, fields),
        }
    }

    fn lookup(&self, parameter: &Parameter<'_>, scope: &Scope) -> Option<Found> {
        let spread = |words: &[Word], index: &str| Found::Fields(words.to_vec(), index == "*");
        let one = |word: Option<&Word>| Found::One(word.cloned().unwrap_or_default());
        match parameter.name {
            name @ ("@" | "*") => Some(spread(scope.arguments.as_ref()?, name)),
            "#" => {
                let count = scope.arguments.as_ref()?.len();
                Some(Found::One(Word::text(&count.to_string(), Span::default())))
            }
            "0" => scope.name.clone().map(Found::One),
            name if name.starts_with(|first: char| first.is_ascii_digit()) => {
                let index = name.parse::<usize>().ok()?.checked_sub(1)?;
                Some(one(scope.arguments.as_ref()?.get(index)))
            }
            "IFS" if scope.get("IFS").is_none() => {
                Some(Found::One(Word::text(" \t\n", Span::default())))
            }
            "PWD" if scope.cwd.as_ref().is_some_and(|cwd| cwd.starts_with('/')) => Some(
                Found::One(Word::text(scope.cwd.as_deref()?, Span::default())),
            ),
            name => match (scope.get(name)?, parameter.index) {
                (Value::Array(words), Some(index @ ("@" | "*"))) => Some(spread(words, index)),
                (Value::Array(words), Some(index)) => {
                    let index = index.trim().parse::<i64>().ok()?;
                    let count = i64::try_from(words.len()).ok()?;
                    let index = if index < 0 {
                        index.checked_add(count)?
                    } else {
                        index
                    };
                    Some(one(words.get(usize::try_from(index).ok()?)))
                }
                (Value::Array(words), None) => Some(one(words.first())),
                (Value::Scalar(word), None | Some("@" | "*" | "0")) => {
                    Some(Found::One(word.clone()))
                }
                (Value::Scalar(_), Some(_)) => None,
            },
        }
    }

    fn known(
        &mut self,
        found: Found,
        parameter: &Parameter<'_>,
        quoting: Quoting,
        site: Site<'_>,
        scope: &mut Scope,
        fields: &mut Fields,
    ) {
        let word = match found {
            Found::Fields(words, joined) => {
                let plain = matches!(parameter.operation, Operation::None | Operation::Keep)
                    || !words.is_empty()
                        && matches!(parameter.operation, Operation::Default { .. });
                return match (plain, parameter.operation) {
                    (true, _) => fields.values(&words, joined, quoting),
                    (false, Operation::Substring { offset, length }) => {
                        match slice(&words, offset, length, parameter.index.is_none()) {
                            Some(words) => fields.values(&words, joined, quoting),
                            None => fields.piece(variable(parameter.name, Guard::None, quoting)),
                        }
                    }
                    (false, Operation::Length) => {
                        fields.literal(&words.len().to_string(), Quoting::Quoted);
                    }
                    _ => self.unknown(parameter, quoting, site, scope, fields),
                };
            }
            Found::One(word) => word,
        };
        let empty_word = word.pieces.is_empty();
        let value = match parameter.operation {
            Operation::None | Operation::Keep | Operation::Required => Some(word),
            Operation::Default {
                empty: true,
                word: other,
                assigns,
            } if empty_word => {
                let value = self.expand_value(other, site, scope);
                if assigns {
                    scope.set_word(parameter.name, value.clone());
                }
                Some(value)
            }
            Operation::Default { .. } => Some(word),
            Operation::Alternative { empty: true, .. } if empty_word => Some(word),
            Operation::Alternative { word: other, .. } => {
                Some(self.expand_value(other, site, scope))
            }
            operation => {
                let literal = word.literal();
                literal.and_then(|literal| self.changed(&literal, operation, site, scope))
            }
        };
        match value {
            Some(word) => fields.value(&word, quoting),
            None => fields.piece(variable(parameter.name, Guard::None, quoting)),
        }
    }

    /// Applies an operation to a known text.
    fn changed(
        &mut self,
        value: &str,
        operation: Operation<'_>,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Option<Word> {
        let text = match operation {
            Operation::Length => value.chars().count().to_string(),
            Operation::Substring { offset, length } => parameter::substring(value, offset, length)?,
            Operation::RemovePrefix { pattern, longest } => {
                parameter::remove(value, &self.pattern(pattern, site, scope)?, true, longest)?
            }
            Operation::RemoveSuffix { pattern, longest } => {
                parameter::remove(value, &self.pattern(pattern, site, scope)?, false, longest)?
            }
            Operation::Replace { pattern, text, at } => {
                let text = self.expand_value(text, site, scope).literal()?;
                self.replaced(value, pattern, &text, at, site, scope)?
            }
            Operation::Case { upper, all } => parameter::change_case(value, upper, all),
            _ => return None,
        };
        Some(Word::text(&text, site.span))
    }

    fn replaced(
        &mut self,
        value: &str,
        pattern: &str,
        text: &str,
        at: Anchor,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Option<String> {
        parameter::replace(value, &self.pattern(pattern, site, scope)?, text, at)
    }

    /// The text of a pattern, quoted characters escaped.
    fn pattern(&mut self, raw: &str, site: Site<'_>, scope: &mut Scope) -> Option<String> {
        let mut fields = Fields::new(site.span, None);
        let parts = lex::word(raw);
        self.parts(
            &parts,
            Tilde::Never,
            Quoting::OneWord,
            site,
            scope,
            &mut fields,
        );
        let mut out = String::new();
        for piece in fields.finish_as_one().pieces {
            match piece {
                Piece::Text { value, quoted } => {
                    for character in value.chars() {
                        if quoted && !character.is_alphanumeric() {
                            out.push('\\');
                        }
                        out.push(character);
                    }
                }
                Piece::Glob(pattern) => out.push_str(&pattern),
                _ => return None,
            }
        }
        Some(out)
    }

    fn unknown(
        &mut self,
        parameter: &Parameter<'_>,
        quoting: Quoting,
        site: Site<'_>,
        scope: &mut Scope,
        fields: &mut Fields,
    ) {
        let name = parameter.name;
        let guard = match parameter.operation {
            Operation::Required => Guard::Required,
            Operation::None if NEVER_EMPTY.contains(&name) => Guard::Required,
            Operation::Length => {
                fields.piece(Piece::Unknown);
                return;
            }
            Operation::Default { word, assigns, .. } => {
                let default = self.expand_value(word, site, scope);
                let guard = Guard::Default(default.literal().unwrap_or_else(|| default.shown()));
                if assigns {
                    let piece = variable(name, guard.clone(), Quoting::Quoted);
                    scope.set_word(
                        name,
                        Word {
                            pieces: vec![piece],
                            span: site.span,
                        },
                    );
                }
                guard
            }
            Operation::Alternative { word, .. } => {
                self.expand_value(word, site, scope);
                Guard::None
            }
            _ => Guard::None,
        };
        fields.piece(variable(name, guard, quoting));
    }
}

/// Parameters that always have a value in bash.
const NEVER_EMPTY: [&str; 13] = [
    "#",
    "$",
    "?",
    "0",
    "BASHPID",
    "BASH_VERSION",
    "EUID",
    "HOSTNAME",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "UID",
];

enum Found {
    One(Word),
    Fields(Vec<Word>, bool),
}

fn variable(name: &str, guard: Guard, quoting: Quoting) -> Piece {
    Piece::Variable {
        name: name.to_owned(),
        guard,
        quoted: quoting == Quoting::Quoted,
    }
}

/// `${@:2}`, `${a[@]:1:2}`; `$0` counts as the first of the arguments.
fn slice(words: &[Word], offset: &str, length: Option<&str>, arguments: bool) -> Option<Vec<Word>> {
    let offset = offset.trim().parse::<usize>().ok()?;
    let offset = if arguments {
        offset.checked_sub(1)?
    } else {
        offset
    };
    let length = match length {
        Some(length) => length.trim().parse::<usize>().ok()?,
        None => words.len(),
    };
    Some(words.iter().skip(offset).take(length).cloned().collect())
}
