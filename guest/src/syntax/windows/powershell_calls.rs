//! Commands of PowerShell: their words, and what the built-in ones run.

use super::super::invocation::{Redirect, RedirectKind, Via};
use super::super::walk::{Output, Place};
use super::super::word::{Piece, Word};
use super::powershell::{Reader, Value};
use super::powershell_values::Token;
use super::{Call, Shell, inside, redirect};
use crate::model::Span;

impl Reader<'_, '_, '_> {
    pub(super) fn command(
        &mut self,
        place: &Place,
        start: usize,
        mut tokens: Vec<Token>,
    ) -> Output {
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
            if let Some(splat) = self.splat() {
                tokens.extend(splat);
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

    /// `@name`, where the name holds a table: its parameters.
    fn splat(&mut self) -> Option<Vec<Token>> {
        let behind = self.rest().strip_prefix('@')?;
        let length = behind
            .find(|next: char| !(next.is_alphanumeric() || next == '_'))
            .unwrap_or(behind.len());
        let name = behind.get(..length).filter(|name| !name.is_empty())?;
        let Value::Table(table) = self.state.variable(name)? else {
            return None;
        };
        let mut tokens = Vec::new();
        let mut push = |text: &str| {
            tokens.push(Token {
                word: Word::text(text, self.span),
                block: None,
            });
        };
        for (key, value) in table
            .split([';', '\n'])
            .filter_map(|pair| pair.split_once('='))
        {
            let (key, value) = (key.trim().trim_matches(['"', '\'']), value.trim());
            if value.eq_ignore_ascii_case("$false") {
                continue;
            }
            push(&format!("-{key}"));
            if !value.eq_ignore_ascii_case("$true") {
                push(value.trim_matches(['"', '\'']));
            }
        }
        self.at += 1 + length;
        Some(tokens)
    }

    /// Remembers a script that is written to a file.
    pub(super) fn written(&mut self, file: &Word, text: Output) {
        if let Some(path) = file.literal() {
            self.walker
                .files
                .write(&path.replace('\\', "/"), text, false);
        }
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
        let targets = call.redirects.clone();
        let written = call.words.first().and_then(Word::literal);
        self.walker
            .windows_call(Shell::Powershell, call, place, span);
        // A script that the same text has written.
        let script = written
            .filter(|path| path.contains(['/', '\\']))
            .and_then(|path| self.walker.files.get(&path.replace('\\', "/")).cloned());
        if let Some(text) = script.as_ref().and_then(Word::literal) {
            self.elsewhere(&text, &place.by(Via::ShellScript), span);
        }
        let plain = name.rsplit('\\').next().unwrap_or(&name);
        let text = place.input.clone();
        match plain {
            "out-file" | "set-content" | "tee-object" => {
                let mut values = values(&args);
                if let Some(path) = values.next() {
                    self.written(path, values.next().cloned().or(text));
                }
            }
            "write-output" | "echo" | "write" => {
                let text = values(&args).map(Word::literal).collect::<Option<Vec<_>>>();
                let text = text.map(|texts| Word::text(&texts.join("\n"), span));
                for redirect in &targets {
                    self.written(&redirect.target, text.clone());
                }
            }
            _ => {}
        }
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

    pub(super) fn redirection(&mut self, place: &Place, call: &mut Call) -> bool {
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
            let stream = self.rest().chars().nth(1).map_or(0, char::len_utf8);
            let end = self.at + 1 + stream;
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
}

/// The words that are no parameter names.
fn values(args: &[Word]) -> impl Iterator<Item = &Word> {
    let is_parameter = |word: &Word| {
        let first = word.pieces.first();
        matches!(first, Some(Piece::Text { value, quoted: false }) if value.starts_with(['-', '–', '—']))
    };
    args.iter().filter(move |word| !is_parameter(word))
}
