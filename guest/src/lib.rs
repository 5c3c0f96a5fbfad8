//! The default policy of Ostler: decides how a command is run, what is dangerous about it and what its exit means.
//!
//! Pure functions of their arguments, compiled twice: as a component for the host, and natively for the tests.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests fail by panicking"))]

#[cfg(target_family = "wasm")]
mod component;
pub mod endings;
pub mod model;
pub mod policy;
pub mod routing;
pub mod rules;
pub mod settings;
pub mod shells;
pub mod syntax;

#[cfg(test)]
mod stand_in;
