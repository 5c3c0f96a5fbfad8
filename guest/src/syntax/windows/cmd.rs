//! Texts for `cmd.exe`: its operators, carets, quotes, percent signs and blocks.

use super::super::invocation::RedirectKind;
use super::super::invocation::Via;
use super::super::walk::{Output, Place, Walker, then};
use super::super::word::Word;
use super::cmd_words::split_switches;
use super::{Call, Shell, connect, inside, offset, piped};
use crate::model::Span;

/// How deep blocks, conditions and loops may nest.
const MAX_DEPTH: u32 = 16;

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

pub(super) struct Reader<'w, 't> {
    pub walker: &'w mut Walker,
    pub text: &'t str,
    pub at: usize,
    pub span: Span,
    /// How deep commands nest in each other, and how many of them are blocks.
    pub depth: u32,
    pub blocks: u32,
    pub variables: Vec<(String, String)>,
}

impl Reader<'_, '_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    pub(super) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn span_from(&self, place: &Place, start: usize) -> Span {
        place.carrier.unwrap_or(Span {
            start: offset(start),
            end: offset(self.at),
        })
    }

    pub(super) fn skip_blanks(&mut self) {
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
    fn list(&mut self, place: &Place) -> Output {
        let mut output = Some(Word::default());
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some(')') => return output,
                Some('&' | '\n' | '\r') => self.at += 1,
                Some('|') if self.rest().starts_with("||") => self.at += 2,
                Some('|') => self.at += 1,
                Some(other) => {
                    if !self.walker.step(self.span) {
                        self.at = self.text.len();
                        return None;
                    }
                    let before = self.at;
                    output = then(output, self.pipeline(place));
                    if self.at == before {
                        // Nothing here begins a command; never stand still.
                        self.at += other.len_utf8();
                    }
                }
            }
        }
    }

    pub(super) fn pipeline(&mut self, place: &Place) -> Output {
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
                return output;
            }
        }
    }

    pub(super) fn command(&mut self, place: &Place) -> Output {
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
        let start = self.at;
        if self.peek() == Some('(') {
            let output = self.block(place);
            self.redirects_behind_block(output.as_ref(), place, start);
            return output;
        }
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
        for redirect in &call.redirects {
            if let Some(path) = redirect.target.literal() {
                let append = redirect.kind == RedirectKind::Append;
                self.walker
                    .files
                    .write(&slashes(&path), output.clone(), append);
            }
        }
        let into_file = !call.redirects.is_empty();
        self.finish(&lower, call, place, span);
        output.filter(|_| !into_file)
    }

    pub(super) fn nested(&mut self, text: &str, place: &Place, span: Span) {
        let place = Place {
            carrier: Some(place.carrier.unwrap_or(span)),
            ..place.clone()
        };
        self.walker.windows(Shell::Cmd, text, &place, span);
    }

    fn block(&mut self, place: &Place) -> Output {
        self.at += 1;
        self.blocks += 1;
        let output = self.list(&inside(place));
        self.blocks -= 1;
        if self.peek() == Some(')') {
            self.at += 1;
        }
        output
    }

    fn redirects_behind_block(&mut self, output: Option<&Word>, place: &Place, start: usize) {
        let mut call = Call::default();
        self.skip_blanks();
        while self.redirection(&Place::default(), &mut call) {
            self.skip_blanks();
        }
        if output.is_some_and(|text| text.pieces.is_empty()) {
            self.walker.out.bare_redirects.extend(call.redirects);
        } else if !call.redirects.is_empty() {
            // What the block prints goes there.
            let span = self.span_from(place, start);
            call.words = ["echo", "output"]
                .map(|text| Word::text(text, span))
                .to_vec();
            self.walker.windows_call(Shell::Cmd, call, place, span);
        }
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Moves to the next operator that no quote or caret covers.
    pub(super) fn skip_to_operator(&mut self) {
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
}

/// A path with forward slashes, as files are remembered.
pub(super) fn slashes(path: &str) -> String {
    path.to_ascii_lowercase().replace('\\', "/")
}

/// What `echo` prints.
fn echoed(lower: &str, call: &Call) -> Output {
    if lower.trim_end_matches('.') != "echo" {
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
