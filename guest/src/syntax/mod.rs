//! Command text → syntax tree → the simple invocations that it reaches.

#[cfg(all(test, unix))]
mod against_bash;
mod braces;
mod carry;
mod command;
mod compound;
mod continuation;
mod delimiter;
mod effects;
pub(crate) mod encoding;
mod escapes;
mod expand;
mod fields;
mod files;
mod filters;
mod invocation;
mod lex;
mod long;
mod names;
mod output;
mod parameter;
mod parse;
mod pattern;
mod quoting;
mod redirects;
#[cfg(test)]
mod robustness;
mod run;
mod scope;
mod selection;
#[cfg(test)]
mod tests;
mod tokens;
mod values;
mod walk;
mod windows;
mod word;
pub mod words;
pub mod wrappers;

pub(crate) use carry::script_text;
pub use invocation::{
    Assignment, InlineProgram, Invocation, PipedText, ProcessArgument, Redirect, RedirectKind,
    Stdin, Unfolded, Via,
};
pub use parse::{MAX_BYTES, Unparsable, parse};
pub use walk::unfold;
pub use windows::{unfold_cmd, unfold_powershell};
pub use word::{Guard, Piece, Word};

use crate::model::Dialect;

/// Everything that a text reaches, read in a dialect. A text that is started without a shell was
/// parsed as bash.
pub fn unfold_as(dialect: Dialect, text: &str) -> Unfolded {
    match dialect {
        Dialect::Direct | Dialect::Bash => unfold(text),
        Dialect::Powershell => unfold_powershell(text),
        Dialect::Cmd => unfold_cmd(text),
    }
}
