//! Words of `cmd.exe`: quotes, carets, percent signs, switches.

use super::super::fields::{Fields, Quoting};
use super::super::invocation::{Redirect, RedirectKind};
use super::super::walk::Place;
use super::super::word::{Guard, Piece, Word};
use super::cmd::Reader;
use super::{Call, redirect};

impl Reader<'_, '_> {
    pub(super) fn arguments(&mut self, place: &Place, call: &mut Call) {
        loop {
            self.skip_blanks();
            if self.redirection(place, call) {
                continue;
            }
            match self.peek() {
                None | Some('&' | '|' | '\n' | '\r') => return,
                Some(')') if self.blocks > 0 => return,
                Some(')' | '(') => self.at += 1,
                Some(_) => match self.token(place) {
                    Some(token) => call.words.extend(split_switches(&token, false)),
                    None => return,
                },
            }
        }
    }

    pub(super) fn redirection(&mut self, place: &Place, call: &mut Call) -> bool {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(operator) = rest
            .get(digits..)
            .filter(|text| text.starts_with(['<', '>']))
        else {
            return false;
        };
        if digits > 1 {
            return false;
        }
        let fd = rest
            .get(..digits)
            .and_then(|digit| digit.parse::<i32>().ok());
        let append = operator.starts_with(">>");
        let reads = operator.starts_with('<');
        self.at += digits + if append { 2 } else { 1 };
        if self.rest().starts_with('&') {
            self.at += 1;
            if let Some(target) = self.token(place) {
                let span = target.word.span;
                let kind = RedirectKind::Duplicate;
                call.redirects.push(Redirect {
                    kind,
                    fd,
                    target: target.word,
                    span,
                });
            }
            return true;
        }
        self.skip_blanks();
        if let Some(target) = self.token(place) {
            if reads {
                call.input = Some(target.word.clone());
                let span = target.word.span;
                call.redirects.push(Redirect {
                    kind: RedirectKind::Read,
                    fd,
                    target: target.word,
                    span,
                });
            } else {
                call.redirects.push(redirect(fd, append, target.word));
            }
        }
        true
    }

    /// One word; `None` where none begins.
    pub(super) fn token(&mut self, place: &Place) -> Option<Token> {
        let start = self.at;
        let mut raw = String::new();
        let mut fields = Fields::new(self.span, None);
        let (mut quoted, mut any_quote) = (false, false);
        while let Some(character) = self.peek() {
            match character {
                '"' => {
                    (quoted, any_quote) = (!quoted, true);
                    fields.literal("", Quoting::Quoted);
                    self.at += 1;
                }
                '%' | '!' if self.variable(character, quoted, &mut raw, &mut fields) => {}
                '^' if !quoted => {
                    self.at += 1;
                    if let Some(escaped) = self.peek() {
                        self.at += escaped.len_utf8();
                        raw.push(escaped);
                        fields.literal(escaped.encode_utf8(&mut [0; 4]), Quoting::Quoted);
                    }
                }
                ' ' | '\t' | '\n' | '\r' | '&' | '|' | '<' | '>' | '(' | ')' | ',' | ';'
                    if !quoted =>
                {
                    break;
                }
                other => {
                    self.at += other.len_utf8();
                    raw.push(other);
                    let quoting = if quoted {
                        Quoting::Quoted
                    } else {
                        Quoting::Unquoted
                    };
                    let mut buffer = [0; 4];
                    let text = other.encode_utf8(&mut buffer);
                    match quoting {
                        Quoting::Quoted => fields.literal(text, quoting),
                        _ if matches!(other, '*' | '?') => fields.source(text, quoting),
                        _ => fields.literal(text, quoting),
                    }
                }
            }
        }
        if self.at == start {
            return None;
        }
        let mut word = fields.finish_as_one();
        word.span = self.span_from(place, start);
        Some(Token {
            word,
            raw,
            quoted: any_quote,
        })
    }

    /// `%name%`, `!name!` or `%i`.
    fn variable(
        &mut self,
        mark: char,
        quoted: bool,
        raw: &mut String,
        fields: &mut Fields,
    ) -> bool {
        let behind = self.text.get(self.at + 1..).unwrap_or_default();
        let end = behind.find(mark).filter(|end| {
            *end > 0
                && *end < 64
                && !behind
                    .get(..*end)
                    .unwrap_or_default()
                    .contains([' ', '&', '|', '"', '\n'])
        });
        let Some(end) = end else {
            if mark == '!' {
                return false;
            }
            // `%i` and `%~fi` of a loop, `%1` of a script.
            let name = behind
                .trim_start_matches('%')
                .chars()
                .take(1)
                .collect::<String>();
            if !name.starts_with(|first: char| {
                first.is_ascii_alphanumeric() || first == '~' || first == '*'
            }) {
                return false;
            }
            let length = behind.len() - behind.trim_start_matches('%').len() + name.len();
            self.at += 1 + length;
            fields.piece(Piece::Unknown);
            return true;
        };
        let name = behind.get(..end).unwrap_or_default();
        let plain = name.split(':').next().unwrap_or(name).to_ascii_lowercase();
        let known = self
            .variables
            .iter()
            .find(|(known, _)| *known == plain && !name.contains(':'));
        match known {
            Some((_, value)) => {
                raw.push_str(value);
                fields.literal(
                    value,
                    if quoted {
                        Quoting::Quoted
                    } else {
                        Quoting::Unquoted
                    },
                );
            }
            None => fields.piece(Piece::Variable {
                name: name.to_owned(),
                guard: Guard::None,
                quoted,
            }),
        }
        self.at += end + 2;
        true
    }
}

/// Builtins that take a switch without a blank in front of it (`rd/s/q`).
const BUILTINS: [&str; 24] = [
    "assoc", "call", "cd", "chdir", "color", "copy", "date", "del", "dir", "echo", "erase", "for",
    "ftype", "goto", "if", "md", "mkdir", "mklink", "move", "rd", "ren", "rmdir", "set", "type",
];

/// One word and what stands around it.
pub(super) struct Token {
    pub word: Word,
    pub raw: String,
    pub quoted: bool,
}

/// `rd/s/q` as `rd`, `/s`, `/q`; `/s/q` as two switches.
pub(super) fn split_switches(token: &Token, first: bool) -> Vec<Word> {
    let plain = !token.quoted && token.word.literal().is_some();
    let slash = token.raw.find('/').filter(|_| plain);
    let separable = match slash {
        Some(0) => {
            !first
                && token
                    .raw
                    .bytes()
                    .skip(1)
                    .all(|byte| byte == b'/' || byte.is_ascii_alphanumeric())
        }
        Some(index) => {
            let name = token
                .raw
                .get(..index)
                .unwrap_or_default()
                .to_ascii_lowercase();
            first && BUILTINS.binary_search(&name.as_str()).is_ok()
        }
        None => false,
    };
    if !separable {
        return vec![token.word.clone()];
    }
    let mut parts = token.raw.split('/');
    let head = parts
        .next()
        .filter(|head| !head.is_empty())
        .map(str::to_owned);
    let switches = parts
        .filter(|part| !part.is_empty())
        .map(|part| format!("/{part}"));
    let texts = head.into_iter().chain(switches);
    texts
        .map(|text| Word::text(&text, token.word.span))
        .collect()
}
