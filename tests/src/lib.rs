//! What the end-to-end tests share: the real binary and ways to drive it, facts about processes, a sweep for those that
//! should be gone, the sample tables, and the tie between the committed guest and its sources.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

pub mod binary;
pub mod component;
pub mod corpus;
pub mod jobs;
pub mod procfs;
pub mod server;
pub mod sources;
pub mod sweep;
pub mod tools;
