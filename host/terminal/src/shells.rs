//! Which interpreters this machine has.

use std::path::Path;
use std::sync::Arc;

use crate::policy::{Dialect, Shell};

/// Where a bash is looked for before `PATH`: it must not depend on what somebody put in front of it there.
const BASH_PLACES: &[&str] = &["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];

/// Finds the shells that a policy may choose from, best first.
pub fn discover() -> Arc<[Shell]> {
    let on_path = std::env::var_os("PATH").into_iter().flat_map(|path| {
        std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join("bash"))
            .collect::<Vec<_>>()
    });
    let bash = BASH_PLACES
        .iter()
        .map(Into::into)
        .chain(on_path)
        .find(|place| is_program(place));
    bash.and_then(|place| place.into_os_string().into_string().ok())
        .map(|program| Shell {
            dialect: Dialect::Bash,
            program,
        })
        .into_iter()
        .collect()
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
