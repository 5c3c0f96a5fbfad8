//! PowerShell and the Windows command processor: texts → the invocations that they reach.

mod cmd;
mod cmd_control;
mod cmd_words;
mod powershell;
mod powershell_calls;
mod powershell_control;
mod powershell_values;
mod powershell_words;
#[cfg(test)]
mod tests;

use super::command::Argv;
use super::invocation::{Invocation, PipedText, Redirect, RedirectKind, Stdin, Unfolded, Via};
use super::long;
use super::parse::MAX_BYTES;
use super::scope::Scope;
use super::walk::{Output, Place, Walker};
use super::word::{Piece, Word};
use super::wrappers;
use crate::model::{Dialect, Span};

/// Which of the two shells reads a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shell {
    /// Windows PowerShell and PowerShell 7.
    Powershell,
    /// `cmd.exe`.
    Cmd,
}

impl Shell {
    fn dialect(self) -> Dialect {
        match self {
            Self::Powershell => Dialect::Powershell,
            Self::Cmd => Dialect::Cmd,
        }
    }
}

/// Everything that a PowerShell text reaches.
pub fn unfold_powershell(text: &str) -> Unfolded {
    unfold(Shell::Powershell, text)
}

/// Everything that a text for `cmd.exe` reaches.
pub fn unfold_cmd(text: &str) -> Unfolded {
    unfold(Shell::Cmd, text)
}

fn unfold(shell: Shell, text: &str) -> Unfolded {
    let mut walker = Walker::default();
    let span = Span {
        start: 0,
        end: offset(text.len()),
    };
    walker.windows(shell, text, &Place::default(), span);
    walker.out
}

fn offset(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// One command, its words known.
#[derive(Debug, Clone, Default)]
struct Call {
    words: Vec<Word>,
    redirects: Vec<Redirect>,
    /// Where standard input comes from, if a redirection says so.
    input: Option<Word>,
}

impl Walker {
    /// Walks a text of one of the two shells.
    pub(super) fn windows(
        &mut self,
        shell: Shell,
        text: &str,
        place: &Place,
        span: Span,
    ) -> Output {
        if text.len() > MAX_BYTES || !self.room_for_tokens(long::separators(text)) {
            self.opaque(&long::reason(), span);
            return None;
        }
        if !self.enter_script(span) {
            return None;
        }
        match shell {
            Shell::Powershell => powershell::walk(self, text, place, span),
            Shell::Cmd => cmd::walk(self, text, place, span),
        }
        self.leave_script();
        None
    }

    /// Notes a command of one of the two shells and follows what it carries by the common table of
    /// wrappers.
    fn windows_call(
        &mut self,
        shell: Shell,
        call: Call,
        place: &Place,
        span: Span,
    ) -> Option<usize> {
        let (program_word, args) = call.words.split_first()?;
        if !self.step(span) || !self.room_for(&call.words, span) {
            return None;
        }
        let program = name(program_word);
        let mut stdin = place.stdin.clone();
        let mut input = place.input.clone();
        if let Some(file) = call.input {
            (stdin, input) = (Stdin::File(file), None);
        }
        let slot = self.reserve();
        if let (Stdin::Pipe(_), Some(text)) = (&stdin, &input) {
            self.out.piped_texts.push(PipedText {
                invocation: slot,
                text: text.clone(),
            });
        }
        let redirects = call
            .redirects
            .iter()
            .chain(&place.redirects)
            .cloned()
            .collect();
        if let Some(invocation) = self.out.invocations.get_mut(slot) {
            *invocation = Invocation {
                program: program.clone(),
                program_word: program_word.clone(),
                args: args.to_vec(),
                assignments: Vec::new(),
                redirects,
                stdin: stdin.clone(),
                pipes_into: None,
                via: place.via.clone(),
                dialect: shell.dialect(),
                cwd: None,
                span,
            };
        }
        let Some(program) = program else {
            self.opaque("only running the command tells which program this is", span);
            return Some(slot);
        };
        let lower = program.to_ascii_lowercase();
        if let Some(peeled) = wrappers::peel(&lower, args).filter(|_| is_program(&lower)) {
            let inner = Place {
                stdin,
                input,
                redirects: Vec::new(),
                ..place.clone()
            };
            let argv = Argv {
                words: call.words.clone(),
                ..Argv::default()
            };
            for carried in peeled.carried {
                let mut scope = Scope::default();
                self.carry(
                    &lower, carried, peeled.via, slot, &argv, &mut scope, &inner, span,
                );
            }
        }
        Some(slot)
    }
}

/// Whether a name means the same program here as it does in bash. The others are words of these
/// shells themselves.
fn is_program(lower: &str) -> bool {
    !matches!(
        lower,
        "." | "at"
            | "batch"
            | "command"
            | "exec"
            | "find"
            | "sc"
            | "screen"
            | "script"
            | "set"
            | "sg"
            | "source"
            | "time"
            | "timeout"
            | "trap"
            | "type"
            | "watch"
    )
}

/// The last part of a program's path, without its extension.
fn name(word: &Word) -> Option<String> {
    let mut text = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text { value, .. } | Piece::Glob(value) => text.push_str(value),
            Piece::Tilde(_) => text.push('~'),
            Piece::Variable { .. } | Piece::Substitution | Piece::Unknown => text.push('\u{fffd}'),
        }
    }
    let last = text.rsplit(['\\', '/']).next().unwrap_or(&text);
    if last.contains('\u{fffd}') || last.is_empty() {
        return None;
    }
    let stem = last.rsplit_once('.').filter(|(stem, extension)| {
        !stem.is_empty()
            && ["exe", "com"]
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known))
    });
    Some(stem.map_or(last, |(stem, _)| stem).to_owned())
}

/// A redirection whose operator was just read.
fn redirect(fd: Option<i32>, append: bool, target: Word) -> Redirect {
    let kind = if append {
        RedirectKind::Append
    } else {
        RedirectKind::Write
    };
    let span = target.span;
    Redirect {
        kind,
        fd,
        target,
        span,
    }
}

/// Connects the invocations of a stage to those of the stage before it.
fn connect(walker: &mut Walker, before: &[usize], stage: &[usize]) {
    for &index in before {
        if let Some(invocation) = walker.out.invocations.get_mut(index) {
            invocation.pipes_into = invocation.pipes_into.or(stage.first().copied());
        }
    }
}

/// The place of a stage behind a pipe.
fn piped(place: &Place, before: &[usize], text: Output) -> Place {
    Place {
        stdin: Stdin::Pipe(before.to_vec()),
        input: text,
        ..place.clone()
    }
}

/// The place of a body or group.
fn inside(place: &Place) -> Place {
    place.by(Via::Compound)
}
