//! Statements of PowerShell that hold others: functions, conditions, loops, assignments,
//! expressions.

use super::super::invocation::Via;
use super::super::walk::{Output, Place};
use super::super::word::Word;
use super::powershell::{Reader, Value};
use super::powershell_words::{
    is_double_quote, is_single_quote, region_end, starts_word, variable_end,
};
use super::{Call, Shell, inside};

impl Reader<'_, '_, '_> {
    /// `function name { … }` and `function name($a) { … }`: remembered until it is called.
    pub(super) fn function(&mut self) -> Output {
        let keyword = self.bare_word();
        self.at += keyword.len();
        self.skip(false);
        let rest = self.rest();
        let length = rest
            .find(|next: char| next.is_whitespace() || matches!(next, '(' | '{'))
            .unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default().to_lowercase();
        self.at += length;
        self.skip(true);
        if self.peek() == Some('(') {
            self.at = region_end(self.text, self.at, 0);
        }
        self.skip_to_block();
        let end = region_end(self.text, self.at, 0);
        let body = self
            .text
            .get(self.at + 1..end.saturating_sub(1))
            .unwrap_or_default();
        if self.state.functions.len() < 64 {
            self.state.functions.push((name, body.to_owned()));
        }
        self.at = end;
        None
    }

    /// What follows `if`, `foreach`, `try`: parentheses hold statements or conditions, blocks hold
    /// statements.
    pub(super) fn compound(&mut self, place: &Place) {
        let place = inside(place);
        loop {
            self.skip(true);
            match self.peek() {
                Some('(') => {
                    let end = region_end(self.text, self.at, 0);
                    let start = self.at + 1;
                    let inner = self
                        .text
                        .get(start..end.saturating_sub(1))
                        .unwrap_or_default();
                    // `foreach ($x in command)`
                    let skipped = inner
                        .to_ascii_lowercase()
                        .find(" in ")
                        .filter(|_| inner.trim_start().starts_with('$'));
                    let from = skipped.map_or(start, |index| start + index + 4);
                    self.nested(from, end.saturating_sub(1), &place);
                    self.at = end;
                }
                Some('{') => {
                    let end = region_end(self.text, self.at, 0);
                    self.nested(self.at + 1, end.saturating_sub(1), &place);
                    self.at = end;
                    return;
                }
                Some('[') => self.at = region_end(self.text, self.at, 0),
                Some('-') => {
                    self.at += 1 + self
                        .rest()
                        .get(1..)
                        .map_or(0, |rest| rest.find(' ').unwrap_or(rest.len()))
                }
                _ => return,
            }
        }
    }

    /// A statement that begins with a value: an assignment, a method call, a comparison.
    pub(super) fn expression(&mut self, place: &Place, start: usize) -> Output {
        if self.peek() == Some('$') {
            let end = variable_end(self.text, self.at + 1);
            let behind = self.text.get(end..).unwrap_or_default();
            let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
            let operator = behind.get(blanks..).unwrap_or_default();
            let assigns = operator.starts_with('=') && !operator.starts_with("==");
            let changes = ["+=", "-=", "*=", "/=", "??="]
                .iter()
                .find(|mark| operator.starts_with(**mark));
            if assigns || changes.is_some() {
                let name = self
                    .text
                    .get(self.at + 1..end)
                    .unwrap_or_default()
                    .to_owned();
                self.at = end + blanks + changes.map_or(1, |mark| mark.len());
                self.skip(true);
                self.assignment(&name, assigns, place);
                return None;
            }
        }
        let first = self.peek()?;
        let literal = is_single_quote(first)
            || is_double_quote(first)
            || self.rest().starts_with("@'")
            || self.rest().starts_with("@\"");
        let mut output = None;
        if literal {
            let token = self.token(place);
            output = token
                .word
                .literal()
                .map(|text| Word::text(&text, token.word.span));
        }
        // What stands in its parentheses runs.
        while !self.ends_statement() {
            match self.peek() {
                Some('(') => {
                    let end = region_end(self.text, self.at, 0);
                    self.nested(
                        self.at + 1,
                        end.saturating_sub(1),
                        &place.by(Via::CommandSubstitution),
                    );
                    self.at = end;
                }
                Some('{' | '[' | '<') => self.at = region_end(self.text, self.at, 0),
                Some('#') if starts_word(self.text, self.at) => break,
                Some('&') if self.rest().starts_with("&&") => break,
                Some('>') => {
                    let mut call = Call::default();
                    self.redirection(place, &mut call);
                    self.walker.out.bare_redirects.extend(call.redirects);
                }
                Some('`') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some(quote) if is_single_quote(quote) || is_double_quote(quote) => {
                    self.at = region_end(self.text, self.at, 0);
                }
                Some(other) => {
                    self.at += other.len_utf8();
                    output = output.filter(|_| other.is_whitespace());
                }
                None => break,
            }
        }
        let shown = self.text.get(start..self.at).unwrap_or_default().trim_end();
        let calls =
            !literal && shown.contains('(') && (shown.contains("::") || shown.contains('.'));
        if calls {
            let span = self.span_from(place, start);
            let words = vec![Word::text(shown, span)];
            self.walker.windows_call(
                Shell::Powershell,
                Call {
                    words,
                    ..Call::default()
                },
                place,
                span,
            );
        }
        output
    }

    fn assignment(&mut self, name: &str, replaces: bool, place: &Place) {
        let first = self.peek();
        let start = self.at;
        if first == Some('{') {
            let end = region_end(self.text, self.at, 0);
            let body = self
                .text
                .get(self.at + 1..end.saturating_sub(1))
                .unwrap_or_default()
                .to_owned();
            self.at = end;
            self.state.assign(name, Some(Value::Block(body)));
            return;
        }
        let text = first
            .filter(|first| is_single_quote(*first) || is_double_quote(*first))
            .map(|_| {
                let token = self.token(place);
                token.word.literal()
            });
        if let Some(text) = text {
            self.skip(false);
            if self.ends_statement() {
                self.state
                    .assign(name, text.filter(|_| replaces).map(Value::Text));
                return;
            }
            self.at = start;
        }
        self.state.assign(name, None);
        // `$a = $b = …` nests.
        if self.walker.enter() {
            self.pipeline(place);
            self.walker.leave();
        } else {
            self.walker
                .opaque("nested too deeply to be analysed", self.span);
            self.at = self.text.len();
        }
    }
}
