//! A raw word → its parts: what is quoted, what expands, what runs.

use std::borrow::Cow;

use super::escapes::{Escapes, escapes};
use super::quoting;

/// One part of a raw word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// Characters, after quote removal.
    Text { value: Cow<'t, str>, quoted: bool },
    /// `$name`, or what stands in `${…}`.
    Parameter { body: &'t str, quoted: bool },
    /// The script of `$(…)` or of backquotes.
    Command { script: Cow<'t, str>, quoted: bool },
    /// The expression of `$((…))` or `$[…]`.
    Arithmetic { body: &'t str, quoted: bool },
}

/// Splits a word as it stands in a command.
pub(super) fn word(raw: &str) -> Vec<Part<'_>> {
    let mut lexer = Lexer {
        raw,
        bytes: raw.as_bytes(),
        parts: Vec::new(),
    };
    lexer.unquoted();
    lexer.parts
}

/// Splits the body of a here-document whose mark is not quoted: as in double quotes, where a quote
/// is ordinary.
pub(super) fn document(raw: &str) -> Vec<Part<'_>> {
    let mut lexer = Lexer {
        raw,
        bytes: raw.as_bytes(),
        parts: Vec::new(),
    };
    lexer.double_quoted(0, raw.len(), false);
    lexer.parts
}

/// Whether an unquoted `*`, `?` or closed bracket makes a pattern of the word. A slash ends an open
/// bracket.
pub(super) fn has_pattern(parts: &[Part<'_>]) -> bool {
    let mut open = false;
    for part in parts {
        let Part::Text {
            value,
            quoted: false,
        } = part
        else {
            continue;
        };
        for character in value.chars() {
            match character {
                '*' | '?' => return true,
                '[' => open = true,
                ']' if open => return true,
                '/' => open = false,
                _ => {}
            }
        }
    }
    false
}

struct Lexer<'t> {
    raw: &'t str,
    bytes: &'t [u8],
    parts: Vec<Part<'t>>,
}

impl<'t> Lexer<'t> {
    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.raw
            .get(start..end.min(self.raw.len()))
            .unwrap_or_default()
    }

    fn text(&mut self, value: impl Into<Cow<'t, str>>, quoted: bool) {
        let value = value.into();
        if quoted || !value.is_empty() {
            self.parts.push(Part::Text { value, quoted });
        }
    }

    fn unquoted(&mut self) {
        let mut at = 0;
        let mut plain = 0;
        while let Some(&byte) = self.bytes.get(at) {
            if !matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'$') {
                at += 1;
                continue;
            }
            self.text(self.slice(plain, at), false);
            at = self.special(at, byte);
            plain = at;
        }
        self.text(self.slice(plain, self.raw.len()), false);
    }

    /// Reads the quotation or expansion at this index; one past it.
    fn special(&mut self, at: usize, byte: u8) -> usize {
        let whole = self.raw.len();
        match byte {
            b'\\' => {
                let Some(next) = self.raw.get(at + 1..).and_then(|rest| rest.chars().next()) else {
                    self.text("\\", true);
                    return whole;
                };
                let end = at + 1 + next.len_utf8();
                if next != '\n' {
                    self.text(self.slice(at + 1, end), true);
                }
                end
            }
            b'\'' => {
                let end = quoting::single(self.bytes, at).unwrap_or(whole + 1);
                self.text(self.slice(at + 1, end - 1), true);
                end.min(whole)
            }
            b'"' => {
                let end = quoting::double(self.bytes, at, 0).unwrap_or(whole + 1);
                self.quotation(at + 1, end - 1);
                end.min(whole)
            }
            b'`' => self.backquotes(at, false),
            _ => match self.bytes.get(at + 1) {
                Some(b'\'') => {
                    let end = quoting::ansi_c(self.bytes, at + 1).unwrap_or(whole + 1);
                    self.text(ansi_c(self.slice(at + 2, end - 1)), true);
                    end.min(whole)
                }
                Some(b'"') => {
                    let end = quoting::double(self.bytes, at + 1, 0).unwrap_or(whole + 1);
                    self.quotation(at + 2, end - 1);
                    end.min(whole)
                }
                _ => self.dollar(at, false),
            },
        }
    }

    /// The inside of `"…"`; an empty one still makes a word.
    fn quotation(&mut self, start: usize, end: usize) {
        let before = self.parts.len();
        self.double_quoted(start, end.min(self.raw.len()), true);
        if self.parts.len() == before {
            self.text("", true);
        }
    }

    fn double_quoted(&mut self, start: usize, end: usize, quote_is_special: bool) {
        let mut at = start;
        let mut plain = start;
        while at < end {
            let Some(&byte) = self.bytes.get(at) else {
                break;
            };
            match byte {
                b'\\' => {
                    let next = self.bytes.get(at + 1).copied().filter(|_| at + 1 < end);
                    let escapes = match next {
                        Some(b'$' | b'`' | b'\\' | b'\n') => true,
                        Some(b'"') => quote_is_special,
                        _ => false,
                    };
                    if escapes {
                        self.flush(plain, at);
                        // The escaped character opens the next run, unless it continues the line.
                        plain = at + 1 + usize::from(next == Some(b'\n'));
                    }
                    at += if next.is_some_and(|next| next.is_ascii()) {
                        2
                    } else {
                        1
                    };
                }
                b'$' | b'`' => {
                    self.flush(plain, at);
                    at = if byte == b'$' {
                        self.dollar(at, true)
                    } else {
                        self.backquotes(at, true)
                    };
                    plain = at;
                }
                _ => at += 1,
            }
        }
        self.flush(plain, end);
    }

    fn flush(&mut self, start: usize, end: usize) {
        if start < end {
            self.text(self.slice(start, end), true);
        }
    }

    fn backquotes(&mut self, at: usize, quoted: bool) -> usize {
        let whole = self.raw.len();
        let end = quoting::backquoted(self.bytes, at).unwrap_or(whole + 1);
        let body = self.slice(at + 1, end - 1);
        let script = if body.contains('\\') {
            let mut script = String::with_capacity(body.len());
            let mut characters = body.chars().peekable();
            while let Some(character) = characters.next() {
                let unescapes = character == '\\'
                    && characters.peek().is_some_and(|next| {
                        matches!(next, '$' | '`' | '\\') || (quoted && *next == '"')
                    });
                match characters.next_if(|_| unescapes) {
                    Some(next) => script.push(next),
                    None => script.push(character),
                }
            }
            Cow::Owned(script)
        } else {
            Cow::Borrowed(body)
        };
        self.parts.push(Part::Command { script, quoted });
        end.min(whole)
    }

    fn dollar(&mut self, at: usize, quoted: bool) -> usize {
        let whole = self.raw.len();
        let end = quoting::dollar(self.bytes, at, quoted, 0).unwrap_or(whole + 1);
        match self.bytes.get(at + 1) {
            Some(b'{') => {
                self.parts.push(Part::Parameter {
                    body: self.slice(at + 2, end - 1),
                    quoted,
                });
            }
            Some(b'[') => {
                self.parts.push(Part::Arithmetic {
                    body: self.slice(at + 2, end - 1),
                    quoted,
                });
            }
            Some(b'(') => {
                let arithmetic =
                    quoting::command(self.bytes, at + 2, 0).is_ok_and(|found| found.arithmetic);
                self.parts.push(if arithmetic {
                    Part::Arithmetic {
                        body: self.slice(at + 3, end - 2),
                        quoted,
                    }
                } else {
                    let script = Cow::Borrowed(self.slice(at + 2, end - 1));
                    Part::Command { script, quoted }
                });
            }
            _ if end == at + 1 => self.text("$", true),
            _ => self.parts.push(Part::Parameter {
                body: self.slice(at + 1, end),
                quoted,
            }),
        }
        end.min(whole)
    }
}

/// Decodes the inside of `$'…'`. A NUL ends it, as in bash.
fn ansi_c(body: &str) -> Cow<'_, str> {
    if !body.contains('\\') {
        return Cow::Borrowed(body);
    }
    let decoded = escapes(body.as_bytes(), Escapes::AnsiC);
    Cow::Owned(String::from_utf8_lossy(&decoded.bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(raw: &str) -> String {
        word(raw)
            .iter()
            .map(|part| match part {
                Part::Text { value, .. } => value.to_string(),
                other => format!("<{other:?}>"),
            })
            .collect()
    }

    #[test]
    fn quotes_are_removed_as_bash_removes_them() {
        for (raw, expected) in [
            (r"r''m", "rm"),
            (r#"r""m"#, "rm"),
            (r"r\m", "rm"),
            (r#""a\nb\"c\\""#, r#"a\nb"c\"#),
            (r"$'\x72\155\t\u41\'x'", "rm\tA'x"),
            (r"$'a\0b'c", "ac"),
            ("\"a\\\nb\"", "ab"),
            ("'a\\\nb'", "a\\\nb"),
            ("$\"x\"", "x"),
            ("a$", "a$"),
            ("\"$ x\"", "$ x"),
            (r"\é", "é"),
            ("\"\\é\"", "\\é"),
        ] {
            assert_eq!(literal(raw), expected, "{raw}");
        }
    }

    #[test]
    fn expansions_are_kept_apart() {
        assert_eq!(
            word("a$b\"${c:-x}\"`d \\`e\\``$((1))"),
            [
                Part::Text {
                    value: "a".into(),
                    quoted: false
                },
                Part::Parameter {
                    body: "b",
                    quoted: false
                },
                Part::Parameter {
                    body: "c:-x",
                    quoted: true
                },
                Part::Command {
                    script: "d `e`".into(),
                    quoted: false
                },
                Part::Arithmetic {
                    body: "1",
                    quoted: false
                },
            ]
        );
        assert_eq!(
            word("''"),
            [Part::Text {
                value: "".into(),
                quoted: true
            }]
        );
    }
}
