//! Runs policy components: loads one, proves it before it is trusted, and asks it within limits.
//!
//! A policy is untrusted code. It gets WASI with nothing in it, bounded memory, stack, strings and time, and a fresh
//! store for every question. Whatever it does, the host gets an answer or a [`PolicyFailure`] that names the policy and the
//! reason; a command is never run unjudged.
//!
//! [`PolicyFailure`]: ostler_terminal::policy::PolicyFailure
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod ask;
mod bindings;
mod cache;
mod convert;
mod engine;
mod error;
mod imports;
mod inspect;
mod limits;
mod loaded;
mod prove;
mod sandbox;
mod ticker;

pub use engine::Engine;
pub use error::LoadError;
pub use inspect::{Answer, Import, Inspection};
pub use limits::Limits;
pub use loaded::{LoadedPolicy, RuleDescription, Source};
