//! What an ending means: a table of exit codes, and who on the command line the code belongs to.

mod blame;
mod classify;
mod exits;
mod hidden;
mod inner;
mod launchers;
mod memory;
mod options;
mod reading;
mod row;
mod signals;
mod suspect;
mod table;
mod windows;
mod words;

pub use classify::classify;

#[cfg(test)]
mod tests;
