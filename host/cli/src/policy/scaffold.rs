//! `ostler policy new`: a project that builds.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context as _, bail};

use super::args::{Language, New};
use super::{DONE, print};

/// A file of a project: its path, its text, and whether it is a program.
type Template = (&'static str, &'static str, bool);

macro_rules! example {
    ($language:literal, $path:literal) => {
        (
            $path,
            include_str!(concat!(
                "../../../../guest/examples/",
                $language,
                "/",
                $path
            )),
            false,
        )
    };
}

macro_rules! contract {
    ($name:literal) => {
        (
            concat!("wit/", $name),
            include_str!(concat!("../../../../wit/", $name)),
            false,
        )
    };
}

const RUST: &[Template] = &[
    example!("rust", "Cargo.toml"),
    example!("rust", "README.md"),
    example!("rust", "src/lib.rs"),
];

const JS: &[Template] = &[
    example!("js", "README.md"),
    example!("js", "package.json"),
    example!("js", "policy.js"),
];

const PYTHON: &[Template] = &[
    example!("python", "README.md"),
    (
        "build",
        include_str!("../../../../guest/examples/python/build"),
        true,
    ),
    example!("python", "policy.py"),
    example!("python", "requirements.txt"),
];

/// The contract, which every language gets.
const CONTRACT: &[Template] = &[
    contract!("exec.wit"),
    contract!("jobs.wit"),
    contract!("outputs.wit"),
    contract!("policy.wit"),
    contract!("pty.wit"),
    contract!("search.wit"),
    contract!("types.wit"),
    contract!("world.wit"),
];

/// Makes a project. Returns the exit status.
///
/// # Errors
/// Where the folder holds something already, or cannot be written.
pub fn run(new: &New) -> anyhow::Result<i32> {
    let folder = &new.folder;
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                bail!(
                    "{}: holds something already; name a folder that is new or empty",
                    folder.display()
                );
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).context(folder.display().to_string()),
    }
    let files = match new.lang {
        Language::Rust => RUST,
        Language::Js => JS,
        Language::Python => PYTHON,
    };
    for (path, text, is_program) in files.iter().chain(CONTRACT) {
        let file = folder.join(path);
        write(&file, text, *is_program).with_context(|| file.display().to_string())?;
    }
    print::text(&format!(
        "{0}: a policy that builds; {0}/README.md tells how\n",
        folder.display()
    ))?;
    Ok(DONE)
}

fn write(file: &Path, text: &str, is_program: bool) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)?;
    if is_program {
        fs::set_permissions(file, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
