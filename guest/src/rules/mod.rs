//! What is destructive: rules for each family of programs, on parsed options, never on substrings.

mod catalogue;
mod cloud;
mod containers;
mod database;
mod deeds;
mod disk;
mod dispatch;
mod filesystem;
mod git;
mod infrastructure;
mod interpreters;
mod judge;
mod kubernetes;
mod options;
mod packages;
mod place;
mod remote;
mod report;
mod runners;
mod stdin;
mod system;
mod windows;

pub use catalogue::{Rule, catalogue};
pub use judge::{Inspection, inspect, judge};
pub use report::{Owner, Seen};

#[cfg(test)]
mod cases;
#[cfg(test)]
mod corpus;
