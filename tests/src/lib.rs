//! What the end-to-end tests share: the real binary and ways to drive it, a sweep for processes that should be gone, the
//! sample tables, and the tie between the committed guest and its sources.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

pub mod binary;
pub mod component;
pub mod corpus;
pub mod server;
pub mod sources;
pub mod sweep;
