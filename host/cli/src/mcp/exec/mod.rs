//! The tool `terminal_exec`.

mod parameters;
mod read;
mod run;

pub use parameters::{DESCRIPTION, NAME, Parameters};
pub use run::call;
