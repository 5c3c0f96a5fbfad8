//! The `ostler` binary, built if need be.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// Path of the binary, built in the profile of this test.
///
/// # Panics
/// Where it does not build.
pub fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let mut build = Command::new(env!("CARGO"));
        // The selection of `cargo test`, so that dependencies have the features that they were just built with.
        build.args([
            "build",
            "--quiet",
            "--locked",
            "--workspace",
            "--bins",
            "--tests",
        ]);
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        let status = build
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .unwrap();
        assert!(status.success(), "ostler does not build");
        // This test lies in TARGET/PROFILE/deps/.
        let test = std::env::current_exe().unwrap();
        test.parent().unwrap().with_file_name("ostler")
    })
}

/// A command that runs the binary with nothing of the caller's configuration, and a compile cache of the tests' own.
pub fn ostler<I: IntoIterator<Item = S>, S: AsRef<std::ffi::OsStr>>(arguments: I) -> Command {
    let mut command = Command::new(path());
    command
        .args(arguments)
        .env_remove("OSTLER_POLICY")
        .env("OSTLER_CONFIG", "/dev/null")
        .env("XDG_CACHE_HOME", path().with_file_name("ostler-test-cache"))
        .stdin(Stdio::null());
    command
}

/// Runs the binary to its end.
pub fn run<I: IntoIterator<Item = S>, S: AsRef<std::ffi::OsStr>>(arguments: I) -> Output {
    ostler(arguments).output().unwrap()
}
