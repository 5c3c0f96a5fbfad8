//! Words and values of PowerShell: strings, variables, sub-expressions.

use super::super::fields::{Fields, Quoting};
use super::super::invocation::Via;
use super::super::walk::Place;
use super::super::word::{Guard, Piece, Word};
use super::powershell::{Reader, Value};
use super::powershell_words::{is_double_quote, is_single_quote, region_end, variable_end};

impl Reader<'_, '_, '_> {
    /// One word; an empty one where none begins.
    pub(super) fn token(&mut self, place: &Place) -> Token {
        let start = self.at;
        let mut fields = Fields::new(self.span, None);
        let mut block = None;
        while let Some(next) = self.peek() {
            match next {
                _ if next.is_whitespace() => break,
                ';' | '|' | ')' | '}' | ',' => break,
                '&' => break,
                '`' => {
                    self.at += 1;
                    let escaped = self.peek();
                    self.at += escaped.map_or(0, char::len_utf8);
                    match escaped {
                        Some('\n' | '\r') | None => break,
                        Some(escaped) => {
                            fields.literal(escaped.encode_utf8(&mut [0; 4]), Quoting::Quoted)
                        }
                    }
                }
                '$' => self.dollar(place, false, &mut fields),
                '(' | '{' | '[' => {
                    let end = region_end(self.text, self.at, 0);
                    let inner = self.at + 1..end.saturating_sub(1);
                    match next {
                        '(' if self.value_in(inner.clone()).is_some() => {
                            let text = self.value_in(inner).unwrap_or_default();
                            fields.literal(&text, Quoting::Quoted);
                        }
                        '(' => {
                            self.nested(
                                inner.start,
                                inner.end,
                                &place.by(Via::CommandSubstitution),
                            );
                            fields.piece(Piece::Substitution);
                        }
                        '{' => {
                            block = self.text.get(inner).map(str::to_owned);
                            fields.literal(
                                self.text.get(self.at..end).unwrap_or_default(),
                                Quoting::Quoted,
                            );
                        }
                        _ => fields.literal(
                            self.text.get(self.at..end).unwrap_or_default(),
                            Quoting::Unquoted,
                        ),
                    }
                    self.at = end;
                }
                '@' if self.rest().starts_with("@'") || self.rest().starts_with("@\"") => {
                    let end = region_end(self.text, self.at, 0);
                    let text = self
                        .text
                        .get(self.at + 2..end.saturating_sub(2))
                        .unwrap_or_default();
                    fields.literal(text.trim_matches(['\r', '\n']), Quoting::Quoted);
                    self.at = end;
                }
                _ if is_single_quote(next) => {
                    let end = region_end(self.text, self.at, 0);
                    let inner = self.at + next.len_utf8()..before_quote(self.text, end);
                    let text = self.text.get(inner).unwrap_or_default().replace("''", "'");
                    fields.literal(&text, Quoting::Quoted);
                    self.at = end;
                }
                _ if is_double_quote(next) => {
                    let end = region_end(self.text, self.at, 0);
                    self.string(
                        self.at + next.len_utf8(),
                        before_quote(self.text, end),
                        place,
                        &mut fields,
                    );
                    self.at = end;
                }
                '*' | '?' => {
                    fields.source(next.encode_utf8(&mut [0; 4]), Quoting::Unquoted);
                    self.at += 1;
                }
                other => {
                    fields.literal(other.encode_utf8(&mut [0; 4]), Quoting::Unquoted);
                    self.at += other.len_utf8();
                }
            }
        }
        let mut word = fields.finish_as_one();
        word.span = self.span_from(place, start);
        Token { word, block }
    }

    /// The text in parentheses, where it is plain strings added up or the name of a command that is
    /// looked up.
    fn value_in(&self, inside: std::ops::Range<usize>) -> Option<String> {
        let text = self.text.get(inside)?.trim();
        let lower = text.to_ascii_lowercase();
        for lookup in ["get-command ", "gcm "] {
            if lower.starts_with(lookup) {
                let name = text.get(lookup.len()..)?.trim();
                return (!name.contains([' ', '$', '*'])).then(|| name.to_owned());
            }
        }
        added_up(text)
    }

    /// The inside of a string with variables.
    fn string(&mut self, start: usize, end: usize, place: &Place, fields: &mut Fields) {
        fields.literal("", Quoting::Quoted);
        self.at = start;
        while self.at < end {
            let Some(next) = self.peek() else { break };
            match next {
                '`' => {
                    self.at += 1;
                    let escaped = self.peek().unwrap_or('`');
                    self.at += escaped.len_utf8();
                    let character = match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        other => other,
                    };
                    fields.literal(character.encode_utf8(&mut [0; 4]), Quoting::Quoted);
                }
                '$' => self.dollar(place, true, fields),
                quote if is_double_quote(quote) => {
                    fields.literal("\"", Quoting::Quoted);
                    self.at += quote.len_utf8();
                    self.at += self
                        .peek()
                        .filter(|next| is_double_quote(*next))
                        .map_or(0, char::len_utf8);
                }
                other => {
                    fields.literal(other.encode_utf8(&mut [0; 4]), Quoting::Quoted);
                    self.at += other.len_utf8();
                }
            }
        }
    }

    /// A variable or `$(…)`.
    fn dollar(&mut self, place: &Place, quoted: bool, fields: &mut Fields) {
        let quoting = if quoted {
            Quoting::Quoted
        } else {
            Quoting::Unquoted
        };
        if self.rest().starts_with("$(") {
            let end = region_end(self.text, self.at + 1, 0);
            self.nested(
                self.at + 2,
                end.saturating_sub(1),
                &place.by(Via::CommandSubstitution),
            );
            self.at = end;
            fields.piece(Piece::Substitution);
            return;
        }
        let end = variable_end(self.text, self.at + 1);
        let name = self
            .text
            .get(self.at + 1..end)
            .unwrap_or_default()
            .trim_matches(['{', '}']);
        if name.is_empty() {
            fields.literal("$", quoting);
            self.at += 1;
            return;
        }
        match self.state.variable(name) {
            Some(Value::Text(text)) => fields.literal(text, quoting),
            Some(Value::Block(_) | Value::Table(_)) => fields.piece(Piece::Unknown),
            None => {
                fields.piece(Piece::Variable {
                    name: name.to_owned(),
                    guard: Guard::None,
                    quoted,
                });
            }
        }
        self.at = end;
    }
}

/// `'a' + "b"`: plain strings added up; at least two.
pub(super) fn added_up(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut count = 0;
    loop {
        let quote = rest
            .chars()
            .next()
            .filter(|quote| matches!(quote, '\'' | '"'))?;
        let behind = rest.get(1..)?;
        let end = behind.find(quote)?;
        let value = behind.get(..end)?;
        if value.contains(['$', '`']) {
            return None;
        }
        out.push_str(value);
        count += 1;
        rest = behind.get(end + 1..)?.trim_start();
        match rest.strip_prefix('+') {
            Some(next) => rest = next.trim_start(),
            None => return (rest.is_empty() && count > 1).then_some(out),
        }
    }
}

/// One word and the script blocks in it.
#[derive(Default)]
pub(super) struct Token {
    pub word: Word,
    pub block: Option<String>,
}

/// The index of the closing quote that ends a region.
fn before_quote(text: &str, end: usize) -> usize {
    let quote = text.get(..end).and_then(|text| text.chars().next_back());
    end - quote
        .filter(|quote| is_single_quote(*quote) || is_double_quote(*quote))
        .map_or(0, char::len_utf8)
}
