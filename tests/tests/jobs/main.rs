//! Background jobs over MCP: how they start, what is read of them, what can be done to them, how long they are remembered.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod ending;
mod follow;
mod input;
mod logs;
mod manage;
mod promotion;
mod retention;
mod signals;
mod start;
