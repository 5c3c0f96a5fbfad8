//! A simple invocation: one program with its words, and how the command line reaches it.

use super::word::Word;
use crate::model::{Dialect, Opaque, Span};

/// One program started (or one builtin run) by the command, wrappers taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The program's name: last path component, `.exe` removed, backslash and quotes gone. `None`
    /// where only running the command would tell.
    pub program: Option<String>,
    /// The program word as written.
    pub program_word: Word,
    /// Its arguments.
    pub args: Vec<Word>,
    /// Assignments in front of it.
    pub assignments: Vec<Assignment>,
    /// Its redirections, and those of the groups around it.
    pub redirects: Vec<Redirect>,
    /// Where its standard input comes from.
    pub stdin: Stdin,
    /// Where its output goes when it is piped on: index of the next stage's first invocation in
    /// `Unfolded::invocations`.
    pub pipes_into: Option<usize>,
    /// How the command line reaches it, outermost first; empty for a plain command.
    pub via: Vec<Via>,
    /// The language it was written in.
    pub dialect: Dialect,
    /// Directory that a `cd` earlier on the same line has set, if literal.
    pub cwd: Option<String>,
    /// The part of the whole command text that it comes from.
    pub span: Span,
}

/// `NAME=value` in front of a command, or alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// Its value.
    pub value: Word,
}

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// What it does.
    pub kind: RedirectKind,
    /// The file descriptor, where one was given.
    pub fd: Option<i32>,
    /// Its target file; for duplications the descriptor word.
    pub target: Word,
    /// Where it stands.
    pub span: Span,
}

/// What a redirection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>|`, `&>`
    Write,
    /// `>>`, `&>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `>&N`, `<&N`
    Duplicate,
}

/// Where standard input comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stdin {
    /// From the caller.
    #[default]
    Inherited,
    /// From the stages before it: indices into `Unfolded::invocations`.
    Pipe(Vec<usize>),
    /// A here-document or here-string whose text is known (unknown parts as `Word` pieces).
    Text(Word),
    /// A file.
    File(Word),
}

/// One step on the way from the command line to an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Via {
    /// `sudo`, `doas`, `su -c`, `pkexec`, `runuser`.
    Privilege,
    /// `env`, `nice`, `timeout`, `nohup`, `time`, `command`, `exec`, `stdbuf`, `flock`, `watch`,
    /// `strace` and their like.
    Wrapper,
    /// `bash -c` and its like.
    ShellScript,
    /// `eval`.
    Eval,
    /// A here-document or here-string fed to a shell.
    HereDocument,
    /// Literal text piped into a shell.
    PipeToShell,
    /// `$(…)` or backticks.
    CommandSubstitution,
    /// `<(…)` or `>(…)`.
    ProcessSubstitution,
    /// `xargs`, `parallel`.
    Xargs,
    /// `find -exec`, `fd -x`.
    FindExec,
    /// `ssh host '…'`.
    Ssh,
    /// `docker exec`, `kubectl exec`, `docker run`.
    Container,
    /// A program text given to `python -c`, `perl -e` and their like.
    Interpreter,
    /// A function that is called.
    Function,
    /// An alias that is expanded.
    Alias,
    /// `trap '…' EXIT`.
    Trap,
    /// The body of `if`, `for`, `while`, `case`, a group or a subshell.
    Compound,
}

/// Everything that a command line can reach, flat.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unfolded {
    /// All invocations in text order. A wrapper itself is an entry too (with its own words), before
    /// what it wraps.
    pub invocations: Vec<Invocation>,
    /// Redirections that belong to no program (`> file` alone).
    pub bare_redirects: Vec<Redirect>,
    /// Program texts of inline interpreters (`python -c`), with the interpreter's name.
    pub programs: Vec<InlineProgram>,
    /// What could not be understood.
    pub opaque: Vec<Opaque>,
    /// Functions that call themselves through a pipe into the background, the shape of a fork bomb.
    pub fork_bombs: Vec<Span>,
    /// Texts that are known to arrive by pipe or process substitution on an invocation's standard
    /// input.
    /// See [`Unfolded::input`], which also covers here-documents.
    pub piped_texts: Vec<PipedText>,
    /// Arguments that are `<(…)` or `>(…)`.
    pub processes: Vec<ProcessArgument>,
}

/// A text that arrives on standard input by pipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipedText {
    /// Index of the invocation that reads it.
    pub invocation: usize,
    /// The text; unknown parts as pieces.
    pub text: Word,
}

/// An argument that is `<(…)` or `>(…)`; the word itself is a [`super::Piece::Substitution`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessArgument {
    /// Index of the invocation that has it.
    pub invocation: usize,
    /// Index in its arguments.
    pub argument: usize,
    /// Indices of the invocations inside it.
    pub stages: Vec<usize>,
    /// What `<(…)` yields, if that is known.
    pub text: Option<Word>,
}

impl Unfolded {
    /// The text on an invocation's standard input, as far as the command line spells it out: a
    /// here-document, a here-string, or what a pipe of harmless commands (`echo … | base64 -d |`)
    /// is known to print.
    pub fn input(&self, invocation: usize) -> Option<&Word> {
        if let Stdin::Text(text) = &self.invocations.get(invocation)?.stdin {
            return Some(text);
        }
        self.piped_texts
            .iter()
            .find(|piped| piped.invocation == invocation)
            .map(|piped| &piped.text)
    }

    /// The process substitution in an invocation's argument.
    pub fn process(&self, invocation: usize, argument: usize) -> Option<&ProcessArgument> {
        self.processes
            .iter()
            .find(|process| (process.invocation, process.argument) == (invocation, argument))
    }
}

/// A program text that an interpreter is given on its command line or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineProgram {
    /// Name of the interpreter, version digits removed (`python3.12` is `python`).
    pub interpreter: String,
    /// The text.
    pub source: Word,
    /// Index of the interpreter's invocation.
    pub invocation: usize,
}
