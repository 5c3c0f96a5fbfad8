//! Programs that run another program or a script: what they carry, by each tool's own option
//! grammar.

mod batch;
mod identity;
mod interpreters;
mod options;
mod remote;
mod shells;
mod table;
#[cfg(test)]
mod tests;
mod tools;
mod windows;

pub use shells::is_shell;

pub(super) use batch::replace;
pub(super) use interpreters::interpreter;
pub(super) use options::may_vanish;
pub(super) use shells::is_command_variable;

use super::invocation::{Assignment, Via};
use super::word::{Piece, Word};

/// What a wrapper was found to carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peeled {
    /// How the carried parts are reached.
    pub via: Via,
    /// The carried parts in text order; empty where this form of the wrapper runs nothing (`sudo
    /// -l`, `bash -n`).
    pub carried: Vec<Carried>,
    /// Whether the wrapper ends with the status of what it carries.
    pub passes_status: bool,
}

/// One thing that a wrapper runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// A program with its arguments.
    Command(CarriedCommand),
    /// The text of a script.
    Script(Script),
    /// A script that comes on standard input.
    InputScript(Script),
    /// A script file.
    ScriptFile {
        /// Index of the file's name in the wrapper's arguments.
        operand: usize,
        /// How it is run; its text is empty.
        script: Script,
    },
    /// A script file by its path, where the same text has written it.
    KnownFile {
        /// The path.
        path: String,
        /// How it is run; its text is empty.
        script: Script,
    },
    /// A program text in another language.
    Program {
        /// Name of the interpreter without version digits.
        interpreter: String,
        /// The text.
        source: Word,
    },
    /// A program file in another language.
    ProgramFile {
        /// Name of the interpreter without version digits.
        interpreter: String,
        /// The path.
        path: Word,
        /// Index of the path in the wrapper's arguments, where it is a word of its own.
        operand: Option<usize>,
    },
    /// A program text in another language on standard input.
    InputProgram {
        /// Name of the interpreter without version digits.
        interpreter: String,
    },
}

/// A carried program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CarriedCommand {
    /// The program's word and its arguments; never empty.
    pub words: Vec<Word>,
    /// Index of the first of these words in the wrapper's arguments, if they are its tail.
    pub tail: Option<usize>,
    /// Variables that the wrapper sets for it.
    pub environment: Vec<Assignment>,
    /// Directory that the wrapper changes to.
    pub directory: Option<Word>,
    /// Whether the wrapper gives it more operands.
    pub operands: Operands,
    /// Whether it runs in another file system (a container, another machine).
    pub elsewhere: bool,
}

/// Operands that a wrapper adds while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Operands {
    /// None.
    #[default]
    Complete,
    /// Words from standard input behind the last argument.
    Appended,
    /// Lines from standard input in place of this mark.
    Replaced(String),
}

/// The text of a shell script and how it is run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// The text; empty where it comes from elsewhere.
    pub text: Word,
    /// `$0`, where the call sets it.
    pub name: Option<Word>,
    /// `$1` and so on.
    pub arguments: Vec<Word>,
    /// Who reads it.
    pub reader: Reader,
    /// Whether the reader expands aliases.
    pub interactive: bool,
    /// Variables that the wrapper sets for it.
    pub environment: Vec<Assignment>,
}

/// Who reads a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reader {
    /// A new POSIX-like shell.
    #[default]
    Shell,
    /// The shell that is running already (`eval`, `source`, `trap`).
    SameShell,
    /// A shell on another machine or in a container.
    Elsewhere,
    /// PowerShell.
    Powershell,
    /// The Windows command processor.
    Cmd,
    /// `make` and `ed`: recipe lines (behind a tab) and lines behind `!` are shell scripts.
    Make,
}

/// The words of a wrapper's call, as its row sees them.
#[derive(Clone, Copy)]
struct Call<'a> {
    name: &'a str,
    args: &'a [Word],
}

impl<'a> Call<'a> {
    fn tail(&self, from: usize) -> &'a [Word] {
        self.args.get(from..).unwrap_or_default()
    }

    /// The arguments from an index on, as a command.
    fn command(&self, from: usize) -> Option<CarriedCommand> {
        let words = self.tail(from);
        (!words.is_empty()).then(|| CarriedCommand {
            words: words.to_vec(),
            tail: Some(from),
            ..CarriedCommand::default()
        })
    }
}

impl CarriedCommand {
    fn of(words: Vec<Word>) -> Option<Self> {
        (!words.is_empty()).then(|| Self {
            words,
            ..Self::default()
        })
    }
}

impl Script {
    fn of(text: Word) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    fn read_by(mut self, reader: Reader) -> Self {
        self.reader = reader;
        self
    }
}

/// What a call of this program runs, or `None` where it is no wrapper.
/// `program` is its plain name, as in [`super::Invocation::program`].
pub fn peel(program: &str, args: &[Word]) -> Option<Peeled> {
    let call = Call {
        name: program,
        args,
    };
    let mut peeled = shells::peel(call)
        .or_else(|| table::peel(call))
        .or_else(|| batch::peel(call))
        .or_else(|| remote::peel(call))
        .or_else(|| interpreters::peel(call));
    if let Some(extra) = tools::peel(call) {
        match &mut peeled {
            Some(peeled) => peeled.carried.extend(extra.carried),
            None => peeled = Some(extra),
        }
    }
    peeled
}

/// Words joined by blanks, as `eval` and `ssh` join their arguments.
fn joined(words: &[Word]) -> Word {
    let mut out = Word {
        span: words.first().map(|word| word.span).unwrap_or_default(),
        ..Word::default()
    };
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            out.push_text(" ");
        }
        for piece in &word.pieces {
            match piece {
                Piece::Text { value, .. } => out.push_text(value),
                other => out.pieces.push(other.clone()),
            }
        }
    }
    out
}
