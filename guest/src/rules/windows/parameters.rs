//! How PowerShell and the classic Windows tools write their parameters.

use crate::syntax::{Piece, Word};

/// Parameters and values of a cmdlet call.
#[derive(Default)]
pub(super) struct Parameters<'a> {
    /// Names in lower case without the dash, with the value that follows or is attached.
    named: Vec<(String, Option<&'a Word>, Option<String>)>,
    /// Words that follow no parameter; a value may be among them, for nobody knows which
    /// parameters are switches.
    pub operands: Vec<&'a Word>,
}

/// Switches: no value follows them.
#[rustfmt::skip]
const SWITCHES: &[&str] = &[
    "all", "allowclobber", "allowduplicate", "append", "asjob", "casesensitive", "confirm",
    "directory", "file", "force", "hidden", "noclobber", "nonewline", "passthru", "readonly",
    "recurse", "usebasicparsing", "verbose", "wait", "whatif", "removedata", "removeoem",
    "deletefromdisk", "erasedata", "full",
];

impl<'a> Parameters<'a> {
    /// Reads the words after the cmdlet. En and em dashes are dashes to PowerShell.
    pub fn parse(words: &'a [Word]) -> Self {
        let mut parsed = Self::default();
        let mut rest = words.iter().peekable();
        while let Some(word) = rest.next() {
            let Some(name) = dashed(word) else {
                parsed.operands.push(word);
                continue;
            };
            let (name, attached) = match name.split_once(':') {
                Some((name, value)) => (name.to_lowercase(), Some(value.to_owned())),
                None => (name.to_lowercase(), None),
            };
            let switch = SWITCHES
                .iter()
                .any(|switch| !name.is_empty() && switch.starts_with(&name));
            let value = if attached.is_none() && !switch {
                rest.next_if(|next| dashed(next).is_none())
            } else {
                None
            };
            parsed.named.push((name, value, attached));
        }
        parsed
    }

    /// Whether a parameter was given, by its name or a beginning of it at least this long, and
    /// not switched off.
    pub fn has(&self, name: &str, shortest: usize) -> bool {
        self.named.iter().any(|(given, _, attached)| {
            given.len() >= shortest
                && name.starts_with(given.as_str())
                && !attached
                    .as_deref()
                    .is_some_and(|value| value.eq_ignore_ascii_case("$false") || value == "0")
        })
    }

    /// The value of a parameter.
    pub fn value(&self, name: &str, shortest: usize) -> Option<&'a Word> {
        self.named
            .iter()
            .find(|(given, value, _)| {
                value.is_some() && given.len() >= shortest && name.starts_with(given.as_str())
            })
            .and_then(|(_, value, _)| *value)
    }

    /// The words that name what a cmdlet works on.
    pub fn targets(&self, names: &[&str]) -> Vec<&'a Word> {
        let named = names.iter().filter_map(|name| self.value(name, 2));
        named.chain(self.operands.iter().copied()).collect()
    }
}

/// The parameter's name, if the word begins with any dash and is not a number.
fn dashed(word: &Word) -> Option<String> {
    match word.pieces.first() {
        Some(Piece::Text {
            value,
            quoted: false,
        }) => {
            let name = value.strip_prefix(['-', '–', '—', '―'])?;
            let shown = word.shown();
            let rest = shown.strip_prefix(['-', '–', '—', '―'])?;
            name.chars()
                .next()?
                .is_alphabetic()
                .then(|| rest.to_owned())
        }
        _ => None,
    }
}

/// The switches of a classic tool (`/s`, `/q`, also `-s` and joined `/s/q`), in lower case, and
/// its other words.
pub(super) fn slashed(words: &[Word]) -> (Vec<String>, Vec<&Word>) {
    let mut switches = Vec::new();
    let mut operands = Vec::new();
    for word in words {
        let text = word.shown();
        match text.strip_prefix('/') {
            Some(rest) => switches.extend(rest.split('/').map(str::to_lowercase)),
            None => match text.strip_prefix('-') {
                Some(rest) if !rest.is_empty() => switches.push(rest.to_lowercase()),
                _ => operands.push(word),
            },
        }
    }
    (switches, operands)
}

/// Whether the tool only explains itself.
pub(super) fn explains(switches: &[String]) -> bool {
    switches
        .iter()
        .any(|switch| switch == "?" || switch == "help" || switch == "-help")
}
