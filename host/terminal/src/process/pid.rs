//! The number of a process.

use std::fmt;

/// A process id. Numbers are reused by the kernel, so this is for people and logs, never for
/// signalling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pid(i32);

impl Pid {
    pub(super) fn new(number: i32) -> Self {
        Self(number)
    }

    /// The number as the kernel counts it.
    pub fn get(self) -> i32 {
        self.0
    }
}

impl fmt::Display for Pid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
