//! Commands of `cmd.exe` that hold other commands: `if`, `for`, `set`, `start` and their like.

use super::super::invocation::Via;
use super::super::walk::{Output, Place};
use super::super::word::{Piece, Word};
use super::cmd::{Reader, slashes};
use super::{Call, Shell, inside};
use crate::model::Span;

impl Reader<'_, '_> {
    /// `if [/i] [not] (exist x | defined x | errorlevel n | a==b) command [else command]`.
    pub(super) fn conditional(&mut self, place: &Place) -> Output {
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
    pub(super) fn for_loop(&mut self, place: &Place) -> Output {
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
    pub(super) fn set(&mut self, place: &Place, start: usize) -> Output {
        let line_start = self.at;
        self.skip_to_operator();
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

    /// The command that begins here with known variables put in, if it names any; the reader moves
    /// behind it.
    pub(super) fn expanded(&mut self) -> Option<String> {
        if self.variables.is_empty() {
            return None;
        }
        let start = self.at;
        self.skip_to_operator();
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

    pub(super) fn finish(&mut self, lower: &str, call: Call, place: &Place, span: Span) {
        let plain = lower.rsplit(['\\', '/']).next().unwrap_or(lower);
        let plain = plain.strip_suffix(".exe").unwrap_or(plain).to_owned();
        let args = call.words.get(1..).unwrap_or_default().to_vec();
        self.walker.windows_call(Shell::Cmd, call, place, span);
        // A batch file that the same text has written.
        let path = slashes(lower);
        let script = ["", ".bat", ".cmd"]
            .iter()
            .find_map(|extension| self.walker.files.get(&format!("{path}{extension}")));
        if let Some(text) = script.and_then(Word::literal)
            && self.walker.enter()
        {
            self.nested(&text, &place.by(Via::ShellScript), span);
            self.walker.leave();
        }
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
}

/// The first quoted word of `start` is a title.
fn is_title(word: &Word) -> bool {
    word.pieces.is_empty()
        || word
            .pieces
            .iter()
            .all(|piece| matches!(piece, Piece::Text { quoted: true, .. }))
}
