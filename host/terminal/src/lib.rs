//! Runs commands as owned process trees and keeps their output: the terminal under every face of Ostler.
//!
//! [`Terminal::exec`] takes a [`Command`], has it judged by a [`policy::Policy`], spawns it, reads it, bounds it and says
//! what became of it. The rooms below know nothing of each other: [`process`] owns trees, [`output`] keeps bytes.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests fail by panicking"))]

pub mod audit;
mod check;
mod command;
mod ending;
mod environment;
mod exec;
mod foreground;
pub mod jobs;
mod outcome;
pub mod output;
mod pace;
pub mod policy;
pub mod process;
mod pump;
mod script;
mod shells;
pub mod stdin;
mod supervise;

pub use command::{
    Command, MAX_COMMAND_BYTES, MAX_DEADLINE, MAX_GRACE, OnExit, Piece, Stdin, StreamName,
};
pub use environment::Environment;
pub use exec::{Patience, Reply, Settings, Terminal};
pub use foreground::Foreground;
pub use outcome::{EndCause, EndedBy, ExecError, Exit, Outcome, signal_name};
pub use shells::discover as discover_shells;
