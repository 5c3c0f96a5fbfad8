//! Policies as their authors and owners meet them: checked, scored, swapped, watched, written down and replayed.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod audit;
mod check;
mod score;
mod shadow;
mod swap;

use std::process::Output;

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}
