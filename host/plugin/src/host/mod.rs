//! One file an interface: conversions between the contract's words and the terminal's.

mod exec;
mod jobs;
mod outputs;
mod types;

pub use jobs::JobState;
pub use outputs::OutputState;
