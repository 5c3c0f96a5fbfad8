//! PowerShell texts: statements, pipelines, script blocks, the call operator, strings that are run.

use super::super::walk::{Output, Place, Walker};
use super::powershell_values::Token;
use super::powershell_words::{
    is_double_quote, is_single_quote, region_end, starts_word, variable_end,
};
use super::{connect, inside, offset, piped};
use crate::model::Span;

/// Words that begin a statement and are followed by parentheses and blocks.
const KEYWORDS: [&str; 19] = [
    "begin",
    "catch",
    "clean",
    "do",
    "dynamicparam",
    "else",
    "elseif",
    "end",
    "finally",
    "for",
    "foreach",
    "if",
    "parallel",
    "process",
    "switch",
    "trap",
    "try",
    "until",
    "while",
];

/// Walks a text.
pub(super) fn walk(walker: &mut Walker, text: &str, place: &Place, span: Span) {
    let mut state = State::default();
    Reader {
        walker,
        state: &mut state,
        text,
        base: 0,
        at: 0,
        span,
    }
    .statements(place);
}

/// What earlier statements have defined; names in lower case.
#[derive(Default)]
pub(super) struct State {
    pub variables: Vec<(String, Value)>,
    pub functions: Vec<(String, String)>,
    pub aliases: Vec<(String, String)>,
    /// Names of functions that are being walked.
    pub running: Vec<String>,
}

#[derive(Clone)]
pub(super) enum Value {
    Text(String),
    Block(String),
    /// The inside of `@{…}`.
    Table(String),
}

impl State {
    pub(super) fn variable(&self, name: &str) -> Option<&Value> {
        let name = name.to_lowercase();
        self.variables
            .iter()
            .rev()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    pub(super) fn assign(&mut self, name: &str, value: Option<Value>) {
        let name = name.to_lowercase();
        self.variables.retain(|(known, _)| *known != name);
        if let Some(value) = value.filter(|_| self.variables.len() < 64) {
            self.variables.push((name, value));
        }
    }
}

/// Reads one text; nested texts get readers of their own.
pub(super) struct Reader<'w, 's, 't> {
    pub walker: &'w mut Walker,
    pub state: &'s mut State,
    pub text: &'t str,
    /// Where the text begins in the whole command.
    pub base: usize,
    pub at: usize,
    pub span: Span,
}

impl Reader<'_, '_, '_> {
    pub(super) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn span_from(&self, place: &Place, start: usize) -> Span {
        place.carrier.unwrap_or(Span {
            start: offset(self.base + start),
            end: offset(self.base + self.at),
        })
    }

    /// Walks a part of this text as statements.
    pub(super) fn nested(&mut self, start: usize, end: usize, place: &Place) {
        if !self.walker.enter() {
            self.walker
                .opaque("nested too deeply to be analysed", self.span);
            return;
        }
        let text = self.text.get(start..end).unwrap_or_default();
        Reader {
            walker: self.walker,
            state: self.state,
            text,
            base: self.base + start,
            at: 0,
            span: self.span,
        }
        .statements(place);
        self.walker.leave();
    }

    /// Walks a text that does not stand in this one.
    pub(super) fn elsewhere(&mut self, text: &str, place: &Place, span: Span) {
        if !self.walker.enter() {
            self.walker.opaque("nested too deeply to be analysed", span);
            return;
        }
        let place = Place {
            carrier: Some(place.carrier.unwrap_or(span)),
            ..place.clone()
        };
        Reader {
            walker: self.walker,
            state: self.state,
            text,
            base: 0,
            at: 0,
            span,
        }
        .statements(&place);
        self.walker.leave();
    }

    /// Skips blanks, comments and continued lines; with `lines` also line ends and separators.
    pub(super) fn skip(&mut self, lines: bool) {
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else {
                return;
            };
            match first {
                '\n' | '\r' | ';' if lines => self.at += 1,
                '\n' | '\r' => return,
                '`' if rest.starts_with("`\n") => self.at += 2,
                '`' if rest.starts_with("`\r\n") => self.at += 3,
                '<' if rest.starts_with("<#") => self.at = region_end(self.text, self.at, 0),
                '#' if starts_word(self.text, self.at) => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                blank if blank.is_whitespace() => self.at += blank.len_utf8(),
                _ => return,
            }
        }
    }

    fn statements(&mut self, place: &Place) {
        loop {
            self.skip(true);
            let rest = self.rest();
            if rest.is_empty() {
                return;
            }
            if rest.starts_with("&&") || rest.starts_with("||") {
                self.at += 2;
            } else if rest.starts_with(['|', ')', '}', ']', ',']) {
                self.at += 1;
            } else {
                if !self.walker.step(self.span) {
                    return;
                }
                let before = self.at;
                self.pipeline(place);
                if self.at == before {
                    // Nothing here begins a statement; never stand still.
                    self.at += self.peek().map_or(1, char::len_utf8);
                }
            }
        }
    }

    pub(super) fn pipeline(&mut self, place: &Place) {
        let mut before: Option<Vec<usize>> = None;
        let mut output: Output = None;
        loop {
            let stage_place = match &before {
                Some(before) => piped(place, before, output.take()),
                None => place.clone(),
            };
            let start = self.walker.out.invocations.len();
            output = self.stage(&stage_place);
            let stage = self.walker.stage(start, place.via.len());
            connect(self.walker, before.as_deref().unwrap_or_default(), &stage);
            self.skip(false);
            let rest = self.rest();
            if !rest.starts_with('|') || rest.starts_with("||") {
                return;
            }
            self.at += 1;
            self.skip(true);
            before = Some(stage);
        }
    }

    /// One stage of a pipeline; what it is known to put out.
    pub(super) fn stage(&mut self, place: &Place) -> Output {
        self.skip(false);
        let mut keyword = self.bare_word();
        while matches!(
            keyword.to_ascii_lowercase().as_str(),
            "return" | "throw" | "exit" | "break" | "continue"
        ) {
            self.at += keyword.len();
            self.skip(false);
            if self.ends_statement() {
                return None;
            }
            keyword = self.bare_word();
        }
        let start = self.at;
        let first = self.peek()?;
        match first {
            '&' | '.'
                if self.rest().get(1..).is_some_and(|rest| {
                    rest.starts_with([' ', '\t', '"', '\'', '$', '(', '{'])
                }) =>
            {
                self.at += 1;
                self.skip(false);
                return self.called(place, start);
            }
            '&' => {
                self.at += 1;
                return None;
            }
            '$' | '[' | '(' | '@' | '!' | '0'..='9' => return self.expression(place, start),
            '{' => {
                // A block alone is a value; it does not run.
                self.at = region_end(self.text, self.at, 0);
                return None;
            }
            _ if is_single_quote(first) || is_double_quote(first) => {
                return self.expression(place, start);
            }
            _ => {}
        }
        let lower = keyword.to_ascii_lowercase();
        match lower.as_str() {
            "function" | "filter" | "workflow" | "configuration" => return self.function(),
            "class" | "enum" => {
                self.skip_to_block();
                self.at = region_end(self.text, self.at, 0);
                return None;
            }
            "param" => {
                self.at += keyword.len();
                self.skip(true);
                self.at = region_end(self.text, self.at, 0);
                return None;
            }
            word if KEYWORDS.binary_search(&word).is_ok()
                && self.keyword_follows(keyword.len()) =>
            {
                self.at += keyword.len();
                let word = word.to_owned();
                self.compound(&word, place);
                return None;
            }
            _ => {}
        }
        self.command(place, start, Vec::new())
    }

    /// The letters that a statement begins with.
    pub(super) fn bare_word(&self) -> String {
        self.rest()
            .chars()
            .take_while(|character| character.is_alphabetic())
            .collect()
    }

    /// Whether a keyword stands there and not a command such as `for-each`.
    fn keyword_follows(&self, length: usize) -> bool {
        let behind = self.rest().get(length..).unwrap_or_default();
        behind.is_empty()
            || behind.starts_with(|next: char| next.is_whitespace() || matches!(next, '(' | '{'))
    }

    pub(super) fn ends_statement(&self) -> bool {
        self.peek()
            .is_none_or(|next| matches!(next, '\n' | '\r' | ';' | '}' | ')' | '|'))
    }

    pub(super) fn skip_to_block(&mut self) {
        self.at += self.rest().find('{').unwrap_or(self.rest().len());
    }

    /// `& name`, `& { … }`, `& $variable`.
    fn called(&mut self, place: &Place, start: usize) -> Output {
        if self.peek() == Some('{') {
            let end = region_end(self.text, self.at, 0);
            self.nested(self.at + 1, end.saturating_sub(1), &inside(place));
            self.at = end;
        } else if let Some(body) = self.held_block() {
            let span = self.span_from(place, start);
            self.elsewhere(&body, &inside(place), span);
        } else {
            let first = self.token(place);
            return self.command(place, start, vec![first]);
        }
        // The block's arguments.
        self.command(place, start, vec![Token::default()]);
        None
    }

    /// The block in a variable that stands here.
    fn held_block(&mut self) -> Option<String> {
        self.rest().strip_prefix('$')?;
        let end = variable_end(self.text, self.at + 1);
        let name = self.text.get(self.at + 1..end)?;
        match self.state.variable(name)?.clone() {
            Value::Block(body) => {
                self.at = end;
                Some(body)
            }
            Value::Text(_) | Value::Table(_) => None,
        }
    }
}
