//! Searches text in files, and files by name, with the engine of ripgrep, in this process.
//!
//! Results come in one order, whatever the machine does. Nothing is left out in silence: [`Tally`] counts what was not
//! looked at and why, and [`Ended`] says which limit ended a search. Only regular files are ever opened.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod collect;
mod error;
mod files;
mod filter;
mod limits;
mod line;
mod listing;
mod mounts;
mod query;
mod reader;
mod rules;
mod scope;
mod tally;
mod text;
mod walk;

pub use error::SearchError;
pub use files::{FileQuery, FileReport, Wanted, expand_pattern, find_files};
pub use limits::{Ended, Limits, Stop};
pub use line::{FileLines, Line};
pub use query::{Binary, Case, Mode, Query};
pub use scope::{IgnoreFiles, Scope, file_types};
pub use tally::{Skipped, Tally};
pub use text::{TextReport, find_text};
