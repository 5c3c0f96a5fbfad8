//! Texts for `cmd.exe`: its operators, carets, quotes, percent signs and blocks.

use super::super::fields::{Fields, Quoting};
use super::super::invocation::{Redirect, RedirectKind, Via};
use super::super::walk::{Output, Place, Walker};
use super::super::word::{Guard, Piece, Word};
use super::{Call, Shell, connect, inside, offset, piped, redirect};
use crate::model::Span;

/// How deep blocks, conditions and loops may nest.
const MAX_DEPTH: u32 = 16;

/// Builtins that take a switch without a blank in front of it (`rd/s/q`).
const BUILTINS: [&str; 24] = [
    "assoc", "call", "cd", "chdir", "color", "copy", "date", "del", "dir", "echo", "erase", "for",
    "ftype", "goto", "if", "md", "mkdir", "mklink", "move", "rd", "ren", "rmdir", "set", "type",
];

/// Walks a text.
pub(super) fn walk(walker: &mut Walker, text: &str, place: &Place, span: Span) {
    let mut reader = Reader {
        walker,
        text,
        at: 0,
        span,
        depth: 0,
        blocks: 0,
        variables: Vec::new(),
    };
    while reader.at < text.len() {
        reader.list(place);
        // A closing parenthesis that nothing opened.
        reader.at += reader.peek().map_or(1, char::len_utf8);
    }
}

struct Reader<'w, 't> {
    walker: &'w mut Walker,
    text: &'t str,
    at: usize,
    span: Span,
    /// How deep commands nest in each other, and how many of them are blocks.
    depth: u32,
    blocks: u32,
    variables: Vec<(String, String)>,
}

/// One word and what stands around it.
struct Token {
    word: Word,
    raw: String,
    quoted: bool,
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn span_from(&self, place: &Place, start: usize) -> Span {
        place.carrier.unwrap_or(Span {
            start: offset(start),
            end: offset(self.at),
        })
    }

    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.rest().len()
                - self
                    .rest()
                    .trim_start_matches([' ', '\t', ',', ';', '=', '@'])
                    .len();
            self.at += blanks;
            let rest = self.rest();
            if rest.starts_with("^\r\n") {
                self.at += 3;
            } else if rest.starts_with("^\n") {
                self.at += 2;
            } else if blanks == 0 {
                return;
            }
        }
    }

    /// Commands up to the end or to a closing parenthesis.
    fn list(&mut self, place: &Place) {
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(')') => return,
                Some('&' | '\n' | '\r') => self.at += 1,
                Some('|') if self.rest().starts_with("||") => self.at += 2,
                Some('|') => self.at += 1,
                Some(other) => {
                    if !self.walker.step(self.span) {
                        self.at = self.text.len();
                        return;
                    }
                    let before = self.at;
                    self.pipeline(place);
                    if self.at == before {
                        // Nothing here begins a command; never stand still.
                        self.at += other.len_utf8();
                    }
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
            output = self.command(&stage_place);
            let stage = self.walker.stage(start, place.via.len());
            connect(self.walker, before.as_deref().unwrap_or_default(), &stage);
            self.skip_blanks();
            if self.rest().starts_with('|') && !self.rest().starts_with("||") {
                self.at += 1;
                before = Some(stage);
                self.skip_blanks();
            } else {
                return;
            }
        }
    }

    fn command(&mut self, place: &Place) -> Output {
        if self.depth >= MAX_DEPTH {
            self.walker
                .opaque("nested too deeply to be analysed", self.span);
            self.at = self.text.len();
            return None;
        }
        self.depth += 1;
        let output = self.one_command(place);
        self.depth -= 1;
        output
    }

    fn one_command(&mut self, place: &Place) -> Output {
        self.skip_blanks();
        if self.peek() == Some('(') {
            self.block(place);
            self.redirects_behind_block();
            return None;
        }
        let start = self.at;
        if self.rest().starts_with("::") {
            self.skip_line();
            return None;
        }
        if let Some(text) = self.expanded() {
            let span = self.span_from(place, start);
            self.nested(&text, place, span);
            return None;
        }
        let mut call = Call::default();
        while self.redirection(place, &mut call) {
            self.skip_blanks();
        }
        let Some(first) = self.token(place) else {
            self.walker.out.bare_redirects.extend(call.redirects);
            return None;
        };
        let lower = first.raw.to_ascii_lowercase();
        if !first.quoted {
            match lower.as_str() {
                "rem" => {
                    self.skip_line();
                    return None;
                }
                "if" => return self.conditional(place),
                "for" => return self.for_loop(place),
                "else" | "do" => return self.command(place),
                "call" => return self.command(&place.by(Via::Wrapper)),
                "set" => return self.set(place, start),
                "echo" | "echo." | "title" | "prompt" => {}
                _ => {}
            }
        }
        call.words.extend(split_switches(&first, true));
        self.arguments(place, &mut call);
        let span = self.span_from(place, start);
        let output = echoed(&lower, &call);
        self.finish(&lower, call, place, span);
        output
    }

    /// The command that begins here with known variables put in, if it names any; the reader moves behind it.
    fn expanded(&mut self) -> Option<String> {
        if self.variables.is_empty() {
            return None;
        }
        let start = self.at;
        self.to_operator();
        let mut text = self.text.get(start..self.at)?.to_owned();
        let lower = text.to_ascii_lowercase();
        // `set` names variables itself, and a block is read piece by piece.
        let named =
            !lower.starts_with("set ") && !lower.starts_with("if ") && !lower.starts_with("for ");
        let before = text.clone();
        for (name, value) in self.variables.iter().filter(|_| named) {
            for mark in ['%', '!'] {
                let reference = format!("{mark}{name}{mark}");
                while let Some(index) = text.to_ascii_lowercase().find(&reference) {
                    if text.len() > 8192 || value.to_ascii_lowercase().contains(&reference) {
                        break;
                    }
                    text.replace_range(index..index + reference.len(), value);
                }
            }
        }
        if text == before {
            self.at = start;
            return None;
        }
        Some(text)
    }

    fn finish(&mut self, lower: &str, call: Call, place: &Place, span: Span) {
        let plain = lower.rsplit(['\\', '/']).next().unwrap_or(lower);
        let plain = plain.strip_suffix(".exe").unwrap_or(plain).to_owned();
        let args = call.words.get(1..).unwrap_or_default().to_vec();
        self.walker.windows_call(Shell::Cmd, call, place, span);
        match plain.as_str() {
            // `start "title" /wait program arguments`
            "start" => {
                let words = args.iter().enumerate().skip_while(|(index, word)| {
                    word.starts_with("/") || (*index == 0 && is_title(word))
                });
                let words = words.map(|(_, word)| word.clone()).collect::<Vec<_>>();
                self.inner(words, &place.by(Via::Wrapper), span);
            }
            "runas" | "psexec" => {
                let words = args.into_iter().skip_while(|word| {
                    word.starts_with("/") || word.starts_with("\\\\") || word.starts_with("-")
                });
                let words = words.collect::<Vec<_>>();
                let text = words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
                self.nested(&text, &place.by(Via::Privilege), span);
            }
            "forfiles" => {
                let command = args
                    .iter()
                    .position(|word| word.shown().eq_ignore_ascii_case("/c"));
                if let Some(text) = command.and_then(|index| args.get(index + 1)) {
                    let text = text
                        .shown()
                        .replace("@file", "\"%FILE%\"")
                        .replace("@path", "\"%FILE%\"");
                    self.nested(&text, &place.by(Via::FindExec), span);
                }
            }
            _ => {}
        }
    }

    fn inner(&mut self, words: Vec<Word>, place: &Place, span: Span) {
        if !words.is_empty() && self.walker.enter() {
            let call = Call {
                words,
                ..Call::default()
            };
            self.walker.windows_call(Shell::Cmd, call, place, span);
            self.walker.leave();
        }
    }

    fn nested(&mut self, text: &str, place: &Place, span: Span) {
        let place = Place {
            carrier: Some(place.carrier.unwrap_or(span)),
            ..place.clone()
        };
        self.walker.windows(Shell::Cmd, text, &place, span);
    }

    fn block(&mut self, place: &Place) {
        self.at += 1;
        self.blocks += 1;
        self.list(&inside(place));
        self.blocks -= 1;
        if self.peek() == Some(')') {
            self.at += 1;
        }
    }

    fn redirects_behind_block(&mut self) {
        let mut call = Call::default();
        self.skip_blanks();
        while self.redirection(&Place::default(), &mut call) {
            self.skip_blanks();
        }
        self.walker.out.bare_redirects.extend(call.redirects);
    }

    /// `if [/i] [not] (exist x | defined x | errorlevel n | a==b) command [else command]`.
    fn conditional(&mut self, place: &Place) -> Output {
        let mut operands = 0;
        while operands < 1 {
            self.skip_blanks();
            let token = self.token(place)?;
            match token.raw.to_ascii_lowercase().as_str() {
                "/i" | "not" => {}
                "exist" | "defined" | "errorlevel" | "cmdextversion" => {
                    self.skip_blanks();
                    self.token(place)?;
                    operands = 1;
                }
                raw => {
                    operands = 1;
                    // `a==b`, `a == b`, `a EQU b`
                    if !raw.contains("==") || raw.ends_with("==") {
                        self.skip_blanks();
                        let operator = self.token(place)?;
                        let compares = matches!(
                            operator.raw.to_ascii_lowercase().as_str(),
                            "==" | "equ" | "neq" | "lss" | "leq" | "gtr" | "geq"
                        );
                        if compares && !raw.ends_with("==") {
                            self.skip_blanks();
                            self.token(place)?;
                        }
                    }
                }
            }
        }
        self.branches(place);
        None
    }

    fn branches(&mut self, place: &Place) {
        let place = inside(place);
        self.pipeline(&place);
        self.skip_blanks();
        let rest = self.rest();
        if rest
            .get(..4)
            .is_some_and(|word| word.eq_ignore_ascii_case("else"))
        {
            self.at += 4;
            self.pipeline(&place);
        }
    }

    /// `for [/f "options"] %i in (set) do command`.
    fn for_loop(&mut self, place: &Place) -> Output {
        let lower = self.rest().to_ascii_lowercase();
        let set = lower
            .find('(')
            .filter(|index| lower.is_char_boundary(*index))?;
        let command = lower.find(") do ").or_else(|| lower.find(")do "))?;
        // `for /f %i in ('command') do …` runs that command.
        let inside_set = self
            .rest()
            .get(set + 1..command)
            .unwrap_or_default()
            .trim()
            .to_owned();
        if let Some(script) = inside_set
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''))
        {
            let span = self.span;
            self.nested(script, &place.by(Via::CommandSubstitution), span);
        }
        let behind = self.rest().get(command + 1..).unwrap_or_default();
        let skipped = behind.len() - behind.trim_start().len();
        self.at += command + 1 + skipped + 2;
        self.branches(place);
        None
    }

    /// `set name=value`: remembered, so that `%name%` is known.
    fn set(&mut self, place: &Place, start: usize) -> Output {
        let line_start = self.at;
        self.to_operator();
        let text = self
            .text
            .get(line_start..self.at)
            .unwrap_or_default()
            .trim();
        let text = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .unwrap_or(text);
        if let Some((name, value)) = text.split_once('=')
            && !name.starts_with('/')
        {
            let name = name.trim().to_ascii_lowercase();
            self.variables.retain(|(known, _)| *known != name);
            if self.variables.len() < 64 && value.len() < 4096 {
                self.variables.push((name, value.to_owned()));
            }
        }
        let span = self.span_from(place, start);
        let words = vec![Word::text("set", span), Word::text(text, span)];
        self.walker.windows_call(
            Shell::Cmd,
            Call {
                words,
                ..Call::default()
            },
            place,
            span,
        );
        None
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Moves to the next operator that no quote or caret covers.
    fn to_operator(&mut self) {
        let mut quoted = false;
        while let Some(character) = self.peek() {
            match character {
                '"' => quoted = !quoted,
                '^' if !quoted => self.at += 1,
                '&' | '|' | '\n' | ')' if !quoted => return,
                _ => {}
            }
            self.at = (self.at + self.peek().map_or(1, char::len_utf8)).min(self.text.len());
        }
    }

    fn arguments(&mut self, place: &Place, call: &mut Call) {
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

    fn redirection(&mut self, place: &Place, call: &mut Call) -> bool {
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
    fn token(&mut self, place: &Place) -> Option<Token> {
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

/// `rd/s/q` as `rd`, `/s`, `/q`; `/s/q` as two switches.
fn split_switches(token: &Token, first: bool) -> Vec<Word> {
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

/// The first quoted word of `start` is a title.
fn is_title(word: &Word) -> bool {
    word.pieces.is_empty()
        || word
            .pieces
            .iter()
            .all(|piece| matches!(piece, Piece::Text { quoted: true, .. }))
}

/// What `echo` prints.
fn echoed(lower: &str, call: &Call) -> Output {
    if lower != "echo" || !call.redirects.is_empty() {
        return None;
    }
    let args = call.words.get(1..).unwrap_or_default();
    let mut text = Word::default();
    for (index, word) in args.iter().enumerate() {
        if index > 0 {
            text.push_text(" ");
        }
        text.push_text(&word.literal()?);
    }
    text.push_text("\n");
    Some(text)
}
