//! Tools of other languages, installed once into a folder of the build.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ostler_tests::tools::missing;

/// Versions are exact: a test that passed passes again.
const PYTHON_PACKAGES: &[&str] = &["componentize-py==0.25.1", "wasmtime==48.0.0"];
const NODE_PACKAGES: &[&str] = &["@bytecodealliance/jco@1.35.0"];

/// The root of this repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// Runs a program to its end. None where it is not there or fails, with what it said.
pub fn done(command: &mut Command) -> Option<()> {
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Some(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            println!(
                "{command:?}: {}{said}",
                String::from_utf8_lossy(&output.stdout)
            );
            None
        }
        Err(error) => {
            println!("{command:?}: {error}");
            None
        }
    }
}

/// The folder of a virtual environment with what tests need in Python.
pub fn python() -> Option<PathBuf> {
    let folder = folder("python");
    let _lock = lock(&folder);
    let marker = folder.join("installed");
    if std::fs::read_to_string(&marker).ok()? != PYTHON_PACKAGES.join(" ") {
        let made = done(Command::new("python3").args(["-m", "venv"]).arg(&folder)).and_then(|()| {
            done(
                Command::new(folder.join("bin/pip"))
                    .args(["install", "--quiet"])
                    .args(PYTHON_PACKAGES),
            )
        });
        if made.is_none() {
            missing("python3 with venv, or its packages");
            return None;
        }
        std::fs::write(marker, PYTHON_PACKAGES.join(" ")).unwrap();
    }
    Some(folder)
}

/// A folder with what tests need in JavaScript in its `node_modules`.
pub fn node() -> Option<PathBuf> {
    let folder = folder("node");
    let _lock = lock(&folder);
    let marker = folder.join("installed");
    if std::fs::read_to_string(&marker).ok()? != NODE_PACKAGES.join(" ") {
        std::fs::write(folder.join("package.json"), "{\"private\": true}").unwrap();
        let mut install = Command::new("npm");
        install
            .args(["install", "--no-audit", "--no-fund", "--silent"])
            .args(NODE_PACKAGES);
        if done(install.current_dir(&folder)).is_none() {
            missing("node, npm or their packages");
            return None;
        }
        std::fs::write(marker, NODE_PACKAGES.join(" ")).unwrap();
    }
    Some(folder)
}

/// Builds a Rust project for wasm32-wasip2. None where this machine cannot.
pub fn rust(project: &Path, artifact: &str) -> Option<PathBuf> {
    let target = folder("rust");
    let _lock = lock(&target);
    let mut build = Command::new(root().join("guest/cargo"));
    build
        .args(["build", "--release"])
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(project);
    for name in ["RUSTFLAGS", "RUSTC", "CARGO_ENCODED_RUSTFLAGS"] {
        build.env_remove(name);
    }
    if done(&mut build).is_none() {
        missing("a toolchain for wasm32-wasip2 (see guest/cargo)");
        return None;
    }
    let built = target.join("wasm32-wasip2/release").join(artifact);
    let copy = project.join(artifact);
    std::fs::copy(built, &copy).unwrap();
    Some(copy)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("authors")
        .join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let marker = folder.join("installed");
    if !marker.exists() {
        std::fs::write(marker, "").unwrap();
    }
    folder
}

/// One test at a time installs.
fn lock(folder: &Path) -> File {
    let file = File::create(folder.with_extension("lock")).unwrap();
    file.lock().unwrap();
    file
}
