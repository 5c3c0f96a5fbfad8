//! What authors of policies and of other hosts build, with the tools that they use: the same questions have the same answers in every
//! language and in every host.
//!
//! Tools come from the registries of their languages into `target/tmp`. Where one is missing its test says so and passes, unless
//! `OSTLER_REQUIRE_TOOLS` is set.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod cases;
mod filter;
mod hosts;
mod languages;
mod native;
mod toolbox;
