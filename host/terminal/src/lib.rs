//! Runs commands as owned process trees and keeps their output: the terminal under every face of Ostler.
//!
//! [`Terminal::exec`] takes a [`Command`], has it judged by a [`policy::Policy`], spawns it, reads it, bounds it and says
//! what became of it. The rooms below know nothing of each other: [`process`] owns trees, [`output`] keeps bytes.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod command;
mod environment;
mod exec;
mod outcome;
pub mod output;
mod pace;
pub mod policy;
pub mod process;
mod pump;
mod shells;
mod supervise;

pub use command::{Command, MAX_COMMAND_BYTES, MAX_DEADLINE, MAX_GRACE, Piece, Stdin, StreamName};
pub use environment::Environment;
pub use exec::{Settings, Terminal};
pub use outcome::{EndedBy, ExecError, Exit, Outcome};
