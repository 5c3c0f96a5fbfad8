//! PowerShell texts: statements, pipelines, script blocks, the call operator, strings that are run.

use super::super::fields::{Fields, Quoting};
use super::super::invocation::{Redirect, RedirectKind, Via};
use super::super::walk::{Output, Place, Walker};
use super::super::word::{Guard, Piece, Word};
use super::powershell_words::{
    is_double_quote, is_single_quote, region_end, starts_word, variable_end,
};
use super::{Call, Shell, connect, inside, offset, piped, redirect};
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
struct State {
    variables: Vec<(String, Value)>,
    functions: Vec<(String, String)>,
    aliases: Vec<(String, String)>,
    /// Names of functions that are being walked.
    running: Vec<String>,
}

#[derive(Clone)]
enum Value {
    Text(String),
    Block(String),
}

impl State {
    fn variable(&self, name: &str) -> Option<&Value> {
        let name = name.to_lowercase();
        self.variables
            .iter()
            .rev()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    fn assign(&mut self, name: &str, value: Option<Value>) {
        let name = name.to_lowercase();
        self.variables.retain(|(known, _)| *known != name);
        if let Some(value) = value.filter(|_| self.variables.len() < 64) {
            self.variables.push((name, value));
        }
    }
}

/// Reads one text; nested texts get readers of their own.
struct Reader<'w, 's, 't> {
    walker: &'w mut Walker,
    state: &'s mut State,
    text: &'t str,
    /// Where the text begins in the whole command.
    base: usize,
    at: usize,
    span: Span,
}

/// One word and the script blocks in it.
#[derive(Default)]
struct Token {
    word: Word,
    block: Option<String>,
}

impl Reader<'_, '_, '_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span_from(&self, place: &Place, start: usize) -> Span {
        place.carrier.unwrap_or(Span {
            start: offset(self.base + start),
            end: offset(self.base + self.at),
        })
    }

    /// Walks a part of this text as statements.
    fn nested(&mut self, start: usize, end: usize, place: &Place) {
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
    fn elsewhere(&mut self, text: &str, place: &Place, span: Span) {
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
    fn skip(&mut self, lines: bool) {
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

    fn pipeline(&mut self, place: &Place) {
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
    fn stage(&mut self, place: &Place) -> Output {
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
                self.to_block();
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
                self.compound(place);
                return None;
            }
            _ => {}
        }
        self.command(place, start, Vec::new())
    }

    /// The letters that a statement begins with.
    fn bare_word(&self) -> String {
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

    fn ends_statement(&self) -> bool {
        self.peek()
            .is_none_or(|next| matches!(next, '\n' | '\r' | ';' | '}' | ')' | '|'))
    }

    fn to_block(&mut self) {
        self.at += self.rest().find('{').unwrap_or(self.rest().len());
    }

    /// `function name { … }` and `function name($a) { … }`: remembered until it is called.
    fn function(&mut self) -> Output {
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
        self.to_block();
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

    /// What follows `if`, `foreach`, `try`: parentheses hold statements or conditions, blocks hold statements.
    fn compound(&mut self, place: &Place) {
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
            Value::Text(_) => None,
        }
    }

    /// A statement that begins with a value: an assignment, a method call, a comparison.
    fn expression(&mut self, place: &Place, start: usize) -> Output {
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

    fn command(&mut self, place: &Place, start: usize, mut tokens: Vec<Token>) -> Output {
        let mut call = Call::default();
        loop {
            self.skip(false);
            if self.ends_statement()
                || self.rest().starts_with("&&")
                || self.rest().starts_with("||")
            {
                break;
            }
            if self.rest().starts_with('&') {
                self.at += 1;
                break;
            }
            if self.rest().starts_with(',') {
                self.at += 1;
                continue;
            }
            if self.redirection(place, &mut call) {
                continue;
            }
            let before = self.at;
            let token = self.token(place);
            if self.at == before {
                break;
            }
            tokens.push(token);
        }
        let span = self.span_from(place, start);
        let blocks = tokens
            .iter_mut()
            .filter_map(|token| token.block.take())
            .collect::<Vec<_>>();
        call.words = tokens.into_iter().map(|token| token.word).collect();
        let known = call
            .words
            .first()
            .is_some_and(|word| !word.pieces.is_empty());
        let output = if known {
            self.invoke(call, place, span)
        } else {
            None
        };
        for block in blocks {
            self.elsewhere(&block, &inside(place), span);
        }
        output
    }

    fn invoke(&mut self, mut call: Call, place: &Place, span: Span) -> Output {
        let name = call
            .words
            .first()
            .and_then(Word::literal)
            .unwrap_or_default()
            .to_lowercase();
        if let Some((_, target)) = self
            .state
            .aliases
            .iter()
            .rev()
            .find(|(alias, _)| *alias == name)
            && let Some(first) = call.words.first_mut()
        {
            *first = Word::text(target, first.span);
        }
        let function = self
            .state
            .functions
            .iter()
            .rev()
            .find(|(known, _)| *known == name);
        if let Some((_, body)) = function.cloned()
            && !self.state.running.contains(&name)
        {
            self.state.running.push(name);
            self.elsewhere(&body, &place.by(Via::Function), span);
            self.state.running.pop();
            return None;
        }
        let args = call.words.get(1..).unwrap_or_default().to_vec();
        self.walker
            .windows_call(Shell::Powershell, call, place, span);
        let plain = name.rsplit('\\').next().unwrap_or(&name);
        match plain {
            "invoke-expression" | "iex" => {
                let text = values(&args)
                    .next()
                    .and_then(|word| word.literal())
                    .or_else(|| {
                        place
                            .input
                            .as_ref()
                            .filter(|_| args.is_empty())
                            .and_then(Word::literal)
                    });
                match text {
                    Some(text) => self.elsewhere(&text, &place.by(Via::Eval), span),
                    None => self
                        .walker
                        .opaque("the script is computed while the command runs", span),
                }
                None
            }
            "set-alias" | "sal" | "new-alias" | "nal" => {
                let mut texts = values(&args).filter_map(Word::literal);
                if let (Some(alias), Some(target)) = (texts.next(), texts.next()) {
                    self.state.aliases.push((alias.to_lowercase(), target));
                    self.state.aliases.truncate(64);
                }
                None
            }
            "start-process" | "saps" => {
                self.started(&args, place, span);
                None
            }
            "write-output" | "echo" | "write" => {
                let mut text = Word::default();
                for (index, word) in values(&args).enumerate() {
                    if index > 0 {
                        text.push_text("\n");
                    }
                    text.push_text(&word.literal()?);
                }
                Some(text)
            }
            _ => None,
        }
    }

    /// `Start-Process name -ArgumentList '…'`.
    fn started(&mut self, args: &[Word], place: &Place, span: Span) {
        let mut words = Vec::new();
        let mut privileged = false;
        for word in values(args) {
            let text = word.shown();
            if text.eq_ignore_ascii_case("runas") {
                privileged = true;
            } else if words.is_empty() {
                words.push(word.clone());
            } else {
                words.extend(
                    text.split_whitespace()
                        .map(|part| Word::text(part, word.span)),
                );
            }
        }
        if !words.is_empty() && self.walker.enter() {
            let via = if privileged {
                Via::Privilege
            } else {
                Via::Wrapper
            };
            let call = Call {
                words,
                ..Call::default()
            };
            self.walker
                .windows_call(Shell::Powershell, call, &place.by(via), span);
            self.walker.leave();
        }
    }

    fn redirection(&mut self, place: &Place, call: &mut Call) -> bool {
        let rest = self.rest();
        let stream =
            usize::from(rest.starts_with(|first: char| first.is_ascii_digit() || first == '*'));
        let Some(operator) = rest.get(stream..).filter(|text| text.starts_with('>')) else {
            return false;
        };
        let fd = rest
            .get(..stream)
            .and_then(|digit| digit.parse::<i32>().ok());
        let append = operator.starts_with(">>");
        self.at += stream + if append { 2 } else { 1 };
        if self.rest().starts_with('&') {
            let end = self.at + 2;
            let target = Word::text(
                self.text.get(self.at + 1..end).unwrap_or_default(),
                self.span,
            );
            self.at = end.min(self.text.len());
            call.redirects.push(Redirect {
                kind: RedirectKind::Duplicate,
                fd,
                span: target.span,
                target,
            });
            return true;
        }
        self.skip(false);
        let target = self.token(place).word;
        call.redirects.push(redirect(fd, append, target));
        true
    }

    /// One word; an empty one where none begins.
    fn token(&mut self, place: &Place) -> Token {
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
            Some(Value::Block(_)) => fields.piece(Piece::Unknown),
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

/// The index of the closing quote that ends a region.
fn before_quote(text: &str, end: usize) -> usize {
    let quote = text.get(..end).and_then(|text| text.chars().next_back());
    end - quote
        .filter(|quote| is_single_quote(*quote) || is_double_quote(*quote))
        .map_or(0, char::len_utf8)
}

/// The words that are no parameter names.
fn values(args: &[Word]) -> impl Iterator<Item = &Word> {
    let is_parameter = |word: &Word| {
        let first = word.pieces.first();
        matches!(first, Some(Piece::Text { value, quoted: false }) if value.starts_with(['-', '–', '—']))
    };
    args.iter().filter(move |word| !is_parameter(word))
}
