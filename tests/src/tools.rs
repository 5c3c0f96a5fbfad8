//! Programs that a test needs beside the project's own.

use std::process::{Command, Stdio};

/// Tells that something is missing: the test passes without it, unless `OSTLER_REQUIRE_TOOLS` says that it must be there.
///
/// # Panics
/// Where it must be there.
pub fn missing(what: &str) {
    assert!(
        std::env::var_os("OSTLER_REQUIRE_TOOLS").is_none(),
        "missing: {what}"
    );
    println!("skipped: {what} is missing");
}

/// Whether a program is there; says so where it is not.
///
/// # Panics
/// As [`missing`].
pub fn is_there(program: &str) -> bool {
    let version = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if version.is_err() {
        missing(program);
    }
    version.is_ok()
}
