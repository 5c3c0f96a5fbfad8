//! The audit: one line of JSON for each command, for people who want to know later what was asked, judged and done.

mod entry;
mod file;
mod writer;

pub use entry::{EndingView, Entry};
pub use writer::Writer;
