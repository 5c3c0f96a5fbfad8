//! One file an interface: conversions between the contract's words and the terminal's.

mod exec;
mod outputs;
mod types;

pub use outputs::OutputState;
