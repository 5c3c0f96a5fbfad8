//! The `ostler` binary, built if need be.

use std::ffi::OsStr;
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
pub fn ostler<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(arguments: I) -> Command {
    let mut command = Command::new(path());
    command.args(arguments);
    equip(&mut command);
    command
}

/// A command that runs the binary by way of others, such as `strace -f` or `env --ignore-signal=HUP`.
pub fn under<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(
    wrapper: I,
    arguments: &[&str],
) -> Command {
    let mut words = wrapper.into_iter();
    let mut command = Command::new(words.next().unwrap());
    command.args(words).arg(path()).args(arguments);
    equip(&mut command);
    command
}

/// A command that runs the binary with the signals that end it in force. Those that are ignored on entry stay ignored, as
/// nohup wants it, and the tests themselves may have been started so.
pub fn endable(arguments: &[&str]) -> Command {
    under(["env", "--default-signal=HUP,INT,TERM"], arguments)
}

/// Gives a command the environment that the binary is tested in.
pub fn equip(command: &mut Command) {
    command
        .env_remove("OSTLER_POLICY")
        .env("OSTLER_CONFIG", "/dev/null")
        .env("XDG_CACHE_HOME", path().with_file_name("ostler-test-cache"))
        .stdin(Stdio::null());
}

/// A command for `ostler mcp` whose configuration is this text. The folder holds the file.
pub fn configured(folder: &Path, config: &str) -> Command {
    let file = folder.join("config.toml");
    std::fs::write(&file, config).unwrap();
    let mut command = ostler(["mcp"]);
    command.env("OSTLER_CONFIG", file);
    command
}

/// Runs the binary to its end.
pub fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(arguments: I) -> Output {
    ostler(arguments).output().unwrap()
}
