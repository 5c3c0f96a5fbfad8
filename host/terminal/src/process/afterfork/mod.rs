//! Everything that runs in the warden, the keepers and the leader before it executes its program.
//!
//! # The rule of this room
//!
//! These processes are forks of a server with any number of threads, and any of those may have held
//! any lock at that moment: the allocator's, standard output's, the dynamic linker's. The locks
//! were copied, their holders were not. So nothing here may touch the heap, the standard streams,
//! environment variables, thread locals other than `errno`, or anything else of the C or Rust
//! runtime that locks. That means:
//!
//! - only system calls, and C library functions that are nothing but a system call;
//! - memory is on the stack, or mapped by [`memory`];
//! - no formatting, no `Vec`, no `String`, no `Box`, no `std::fs`, no `std::io`, no logging;
//! - no panics: slices are asked with `get`, arithmetic wraps or saturates. Entry points are
//!   `extern "C"`, so that a panic would abort the process and never unwind into the server's
//!   frames.

mod board;
mod census;
mod keeper;
mod leader;
mod memory;
mod oom;
mod shed;
mod stop;
mod survivors;
mod system;
mod warden;

pub(super) use oom::OomScores;
pub(super) use system::fork;
pub(super) use warden::{Seed, run as run_warden};
