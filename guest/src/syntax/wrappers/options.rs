//! Options in front of what a wrapper runs.

use super::super::word::{Piece, Word};

/// Whether a name is among those of a row, which blanks separate.
pub(super) fn is_among(names: &str, name: &str) -> bool {
    // Most rows are out by a byte: no name of theirs ends or begins like this one.
    let (Some(&first), Some(&last)) = (name.as_bytes().first(), name.as_bytes().last()) else {
        return false;
    };
    let bytes = names.as_bytes();
    let mut at = 0;
    while let Some(end) = bytes.get(at + name.len() - 1) {
        let starts = at == 0 || bytes.get(at - 1) == Some(&b' ');
        let ends = matches!(bytes.get(at + name.len()), None | Some(b' '));
        if starts
            && ends
            && *end == last
            && bytes.get(at) == Some(&first)
            && names.get(at..at + name.len()) == Some(name)
        {
            return true;
        }
        match bytes
            .get(at..)
            .and_then(|rest| rest.iter().position(|byte| *byte == b' '))
        {
            Some(blank) => at += blank + 1,
            None => return false,
        }
    }
    false
}

/// How one wrapper writes its options.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grammar {
    /// Short options that take a value, attached or as the next word.
    pub values: &'static str,
    /// Short options whose value can only be attached.
    pub attached: &'static str,
    /// Short options that take digits, attached; other letters may follow them.
    pub digits: &'static str,
    /// Long options (space separated, without dashes) that take the next word where no `=` is
    /// attached.
    pub long_values: &'static str,
    /// Options as written (space separated) with which nothing is run.
    pub inert: &'static str,
    /// Whether the beginning of a long option's name stands for it.
    pub abbreviates: bool,
    /// Long options (space separated, without dashes) that take the next two words.
    pub pairs: &'static str,
}

impl Grammar {
    /// No option takes a value.
    pub(super) const PLAIN: Self = Self {
        values: "",
        attached: "",
        digits: "",
        long_values: "",
        inert: "",
        abbreviates: false,
        pairs: "",
    };

    /// Short and long options that take values.
    pub(super) const fn new(values: &'static str, long_values: &'static str) -> Self {
        Self {
            values,
            attached: "",
            digits: "",
            long_values,
            inert: "",
            abbreviates: false,
            pairs: "",
        }
    }

    /// Options with which nothing is run.
    pub(super) const fn inert(mut self, inert: &'static str) -> Self {
        self.inert = inert;
        self
    }

    /// Short options whose value can only be attached.
    pub(super) const fn attached(mut self, attached: &'static str) -> Self {
        self.attached = attached;
        self
    }

    /// Short options that take digits.
    pub(super) const fn digits(mut self, digits: &'static str) -> Self {
        self.digits = digits;
        self
    }

    /// Long options that take two words.
    pub(super) const fn pairs(mut self, pairs: &'static str) -> Self {
        self.pairs = pairs;
        self
    }

    /// The beginning of a long option's name stands for it.
    pub(super) const fn abbreviates(mut self) -> Self {
        self.abbreviates = true;
        self
    }

    /// The full name of a long option that takes a value, if this is one.
    fn long_value(&self, name: &str) -> Option<&'static str> {
        let known = || self.long_values.split_ascii_whitespace();
        let abbreviated = || known().find(|known| self.abbreviates && known.starts_with(name));
        known()
            .find(|known| *known == name)
            .or_else(abbreviated)
            .filter(|_| name.len() > 1)
    }

    fn is_inert(&self, name: &str) -> bool {
        matches!(name, "--help" | "--version") || self.inert.split(' ').any(|known| known == name)
    }
}

/// One option of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// As written, with its dashes and without its value: `-c`, `--command`.
    pub name: String,
    /// Its value.
    pub value: Option<Word>,
}

/// The options of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Scanned {
    /// The options in order.
    pub seen: Vec<Seen>,
    /// Index of the first word behind them.
    pub next: usize,
    /// Whether one of them means that nothing is run.
    pub inert: bool,
}

impl Scanned {
    /// The last value of an option.
    pub(super) fn value(&self, name: &str) -> Option<&Word> {
        self.seen
            .iter()
            .rev()
            .find(|seen| seen.name == name)?
            .value
            .as_ref()
    }

    /// Whether an option is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.seen.iter().any(|seen| seen.name == name)
    }
}

/// Reads the options from an index on, up to the first word that is none.
pub(super) fn scan(args: &[Word], from: usize, grammar: &Grammar) -> Scanned {
    let mut scanned = Scanned {
        next: from,
        ..Scanned::default()
    };
    while let Some(word) = args.get(scanned.next) {
        let Some(written) = leading_text(word) else {
            break;
        };
        if written == "--" && word.pieces.len() == 1 {
            scanned.next += 1;
            break;
        }
        if !written.starts_with('-') || (written == "-" && word.pieces.len() == 1) {
            break;
        }
        scanned.next += 1;
        if let Some(long) = written.strip_prefix("--") {
            let (short_name, attached) = match long.split_once('=') {
                Some((name, _)) => (name, word.behind('=')),
                None => (long, None),
            };
            let full = grammar.long_value(short_name);
            let value = match attached {
                None if full.is_some() && !long.contains('=') => next_value(args, &mut scanned),
                attached => attached,
            };
            let name = format!("--{}", full.unwrap_or(short_name));
            scanned.inert |= grammar.is_inert(&name);
            if grammar.pairs.split(' ').any(|known| known == short_name) {
                scanned.next += 2;
            }
            scanned.seen.push(Seen { name, value });
        } else {
            cluster(word, written, args, grammar, &mut scanned);
        }
    }
    scanned
}

/// `-xvf value`: letters up to the first that takes a value.
fn cluster(word: &Word, written: &str, args: &[Word], grammar: &Grammar, scanned: &mut Scanned) {
    scanned.inert |= grammar.is_inert(written);
    let mut in_digits = false;
    for (index, letter) in written.char_indices().skip(1) {
        if in_digits && letter.is_ascii_digit() {
            continue;
        }
        in_digits = grammar.digits.contains(letter);
        let name = format!("-{letter}");
        scanned.inert |= grammar.is_inert(&name);
        let behind = index + letter.len_utf8();
        let rest = behind < written.len() || word.pieces.len() > 1;
        if grammar.values.contains(letter) {
            let value = if rest {
                Some(word.without(behind))
            } else {
                next_value(args, scanned)
            };
            scanned.seen.push(Seen { name, value });
            return;
        }
        if grammar.attached.contains(letter) {
            let value = rest.then(|| word.without(behind));
            scanned.seen.push(Seen { name, value });
            return;
        }
        scanned.seen.push(Seen { name, value: None });
    }
}

fn next_value(args: &[Word], scanned: &mut Scanned) -> Option<Word> {
    let value = args.get(scanned.next).cloned();
    scanned.next += usize::from(value.is_some());
    value
}

/// The text that a word begins with; empty for the empty word.
fn leading_text(word: &Word) -> Option<&str> {
    match word.pieces.first() {
        Some(Piece::Text { value, .. }) => Some(value),
        None => Some(""),
        Some(_) => None,
    }
}

/// Whether an unquoted expansion stands alone in the word, so that it may well vanish.
pub(in super::super) fn may_vanish(word: &Word) -> bool {
    !word.pieces.is_empty()
        && word
            .pieces
            .iter()
            .all(|piece| matches!(piece, Piece::Variable { quoted: false, .. }))
}

/// `NAME=value` as `env` and `sudo` take it.
pub(super) fn assignment(word: &Word) -> Option<super::super::Assignment> {
    let text = leading_text(word)?;
    let (name, _) = text.split_once('=')?;
    let named = !name.is_empty() && !name.contains(['/', '-', '.']);
    named.then(|| super::super::Assignment {
        name: name.to_owned(),
        value: word.behind('=').unwrap_or_default(),
    })
}
