//! How much the kernel takes for arguments and environment, checked before anything is forked.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use nix::sys::resource::{Resource, getrlimit};

use super::{Spawn, SpawnError};

/// Longest single string with its NUL, in bytes: 32 pages (`MAX_ARG_STRLEN` in the kernel's
/// `binfmts.h`).
const MAX_STRING_BYTES: usize = 131_072;
/// What the kernel always grants (`ARG_MAX`).
const MIN_TOTAL_BYTES: usize = 131_072;
/// What it never exceeds: three quarters of the default stack limit (`fs/exec.c`).
const MAX_TOTAL_BYTES: usize = 6 * 1024 * 1024;

/// Checks every string of a command, alone and together.
pub(super) fn check(spawn: &Spawn) -> Result<(), SpawnError> {
    if spawn.argv.is_empty() {
        return Err(SpawnError::EmptyArgv);
    }
    check_string("program", spawn.program.as_os_str(), 0)?;
    let mut total_bytes = spawn.program.as_os_str().len() + 1;
    let mut add = |bytes: usize| total_bytes += bytes + 1 + size_of::<usize>();
    for argument in &spawn.argv {
        check_string("an argument", argument, 0)?;
        add(argument.len());
    }
    for (name, value) in &spawn.env {
        if name.is_empty() || name.as_bytes().contains(&b'=') {
            return Err(SpawnError::BadEnvName { name: name.clone() });
        }
        check_string("an environment variable's name", name, 0)?;
        check_string("an environment variable", value, name.len() + 1)?;
        add(name.len() + 1 + value.len());
    }
    let max_bytes = max_total_bytes();
    if total_bytes > max_bytes {
        let what = "arguments and environment together";
        return Err(SpawnError::ArgumentListTooLong {
            what,
            bytes: total_bytes,
            max_bytes,
        });
    }
    Ok(())
}

fn check_string(
    field: &'static str,
    string: &OsStr,
    prefix_bytes: usize,
) -> Result<(), SpawnError> {
    if string.as_bytes().contains(&0) {
        return Err(SpawnError::Nul { field });
    }
    let bytes = prefix_bytes + string.len();
    let max_bytes = MAX_STRING_BYTES - 1;
    if bytes > max_bytes {
        return Err(SpawnError::ArgumentListTooLong {
            what: field,
            bytes,
            max_bytes,
        });
    }
    Ok(())
}

/// A quarter of the stack limit, within the kernel's bounds.
fn max_total_bytes() -> usize {
    let stack_bytes = getrlimit(Resource::RLIMIT_STACK).map_or(0, |(soft, _)| soft);
    usize::try_from(stack_bytes / 4)
        .unwrap_or(usize::MAX)
        .clamp(MIN_TOTAL_BYTES, MAX_TOTAL_BYTES)
}
