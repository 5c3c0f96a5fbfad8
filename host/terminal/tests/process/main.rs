//! Owned process trees against the real system: what is promised about endings, stopping, failed
//! starts, what a command inherits, and what is left when somebody dies.
//!
//! Every case that leaves something running gives it a unique argument (`sleep 86400.<number>`) and
//! ends with a sweep that finds no living process with it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
#![allow(
    clippy::disallowed_methods,
    reason = "servers to be killed, and the standard library to compare with"
)]

mod endings;
mod failures;
mod hygiene;
mod marker;
mod run;
mod server_death;
mod stopping;
