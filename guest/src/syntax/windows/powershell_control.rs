//! Statements of PowerShell that hold others: functions, conditions, loops, assignments,
//! expressions.

use super::super::invocation::Via;
use super::super::walk::{Output, Place};
use super::super::word::Word;
use super::powershell::{Reader, Value};
use super::powershell_values::added_up;
use super::powershell_words::{
    is_double_quote, is_single_quote, region_end, starts_word, variable_end,
};
use super::{Call, Shell, inside};
use crate::model::Span;

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
    pub(super) fn compound(&mut self, keyword: &str, place: &Place) {
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
                    if keyword == "switch" {
                        self.cases(self.at + 1, end.saturating_sub(1), &place);
                    } else {
                        self.nested(self.at + 1, end.saturating_sub(1), &place);
                    }
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

    /// The blocks of a `switch`, each behind its pattern.
    fn cases(&mut self, start: usize, end: usize, place: &Place) {
        let mut at = start;
        while let Some(open) = self
            .text
            .get(at..end)
            .and_then(|rest| rest.find('{'))
            .map(|index| at + index)
        {
            let close = region_end(self.text, open, 0).min(end);
            self.nested(open + 1, close.saturating_sub(1), place);
            at = close.max(open + 1);
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
        let mut redirects = Vec::new();
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
                    redirects.extend(call.redirects);
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
        let shown = shown.to_owned();
        let span = self.span_from(place, start);
        // A value that goes into a file is written there; nothing at all only empties it.
        let nothing = output.as_ref().is_some_and(|text| text.pieces.is_empty())
            || shown.to_ascii_lowercase().starts_with("$null");
        if nothing {
            self.walker.out.bare_redirects.append(&mut redirects);
        }
        for redirect in &redirects {
            self.written(&redirect.target, output.clone());
        }
        let mut words = Vec::new();
        if calls {
            words.push(Word::text(&shown, span));
        } else if !redirects.is_empty() {
            words.push(Word::text("Write-Output", span));
        }
        if !words.is_empty() {
            let call = Call {
                words,
                redirects,
                input: None,
            };
            self.walker
                .windows_call(Shell::Powershell, call, place, span);
        }
        if calls {
            self.carried(&shown, place, span);
        }
        output
    }

    /// Methods that run what their texts say: `[scriptblock]::Create('…')`,
    /// `[Diagnostics.Process]::Start('…', '…')`.
    fn carried(&mut self, shown: &str, place: &Place, span: Span) {
        let lower = shown.to_ascii_lowercase();
        let behind = |mark: &str| lower.find(mark).and_then(|at| shown.get(at + mark.len()..));
        if let Some(texts) = behind("[scriptblock]::create(").or(behind("invokescript(")) {
            if let Some(text) = quoted(texts).first() {
                self.elsewhere(text, &place.by(Via::Eval), span);
            }
        } else if let Some(texts) = behind("process]::start(") {
            let line = quoted(texts).join(" ");
            self.elsewhere(&line, &place.by(Via::Wrapper), span);
        }
    }

    fn assignment(&mut self, name: &str, replaces: bool, place: &Place) {
        let first = self.peek();
        let start = self.at;
        if self.rest().starts_with("@{") {
            let end = region_end(self.text, self.at + 1, 0);
            let body = self
                .text
                .get(self.at + 2..end.saturating_sub(1))
                .unwrap_or_default()
                .to_owned();
            self.at = end;
            self.state.assign(name, Some(Value::Table(body)));
            return;
        }
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
        let statement = self.rest();
        let length = statement
            .find([';', '\n', '|', '}'])
            .unwrap_or(statement.len());
        if let Some(text) = added_up(statement.get(..length).unwrap_or_default().trim_end()) {
            self.at += length;
            self.state
                .assign(name, Some(Value::Text(text)).filter(|_| replaces));
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

/// The plain strings of an argument list.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '"']) {
        let (quote, inside) = (&rest[at..=at], &rest[at + 1..]);
        let Some(end) = inside.find(quote) else { break };
        found.push(inside[..end].to_owned());
        rest = &inside[end + 1..];
    }
    found
}
