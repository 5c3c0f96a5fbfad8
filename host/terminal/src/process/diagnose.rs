//! From a failed step and its error number to an error that a person can act on.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use nix::errno::Errno;

use super::{SpawnError, Step};

/// Bytes of a program that are read to see how it wants to be run. The kernel itself looks at 256.
const HEAD_BYTES: u64 = 4096;

/// Explains why the leader did not come to run `program` in `cwd`.
pub(super) fn diagnose(step: Step, errno: Errno, program: &Path, cwd: &OwnedFd) -> SpawnError {
    let path = || program.to_owned();
    match (step, errno) {
        (Step::Cwd, Errno::ENOENT) => SpawnError::CwdMissing { cwd: path_of(cwd) },
        (Step::Cwd, Errno::ENOTDIR) => SpawnError::CwdNotDirectory { cwd: path_of(cwd) },
        (Step::Cwd, Errno::EACCES) => SpawnError::CwdDenied { cwd: path_of(cwd) },
        (Step::Exec, Errno::ENOENT) => match missing_interpreter(program) {
            Some(interpreter) => SpawnError::InterpreterMissing {
                script: path(),
                interpreter,
            },
            None => SpawnError::NotFound {
                program: path().into(),
                searched: None,
            },
        },
        (Step::Exec, Errno::ENOTDIR) => SpawnError::NotFound {
            program: path().into(),
            searched: None,
        },
        (Step::Exec, Errno::EACCES) if program.is_dir() => SpawnError::IsDirectory { path: path() },
        (Step::Exec, Errno::EACCES) => SpawnError::NotExecutable { path: path() },
        (Step::Exec, Errno::ENOEXEC) => SpawnError::NotExecutableFormat { path: path() },
        (Step::Exec, Errno::ETXTBSY) => SpawnError::TextBusy { path: path() },
        (Step::Exec, Errno::E2BIG) => SpawnError::ArgumentListTooLong {
            what: "arguments and environment together",
            bytes: 0,
            max_bytes: 0,
        },
        _ => SpawnError::at(step, errno),
    }
}

/// Where an open directory is now; the kernel marks one that was deleted.
fn path_of(directory: &OwnedFd) -> PathBuf {
    std::fs::read_link(format!("/proc/self/fd/{}", directory.as_raw_fd())).unwrap_or_default()
}

/// What an existing program names as its interpreter.
fn missing_interpreter(program: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    File::open(program)
        .ok()?
        .take(HEAD_BYTES)
        .read_to_end(&mut head)
        .ok()?;
    let name = match head.strip_prefix(b"#!") {
        Some(line) => shebang_interpreter(line)?,
        None => elf_interpreter(&head)?,
    };
    Some(PathBuf::from(OsString::from_vec(name.to_vec())))
}

fn shebang_interpreter(line: &[u8]) -> Option<&[u8]> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let line = line.split(|byte| *byte == b'\n').next()?;
    line.split(blank).find(|word| !word.is_empty())
}

/// The dynamic loader named by a 64-bit ELF file of this machine's byte order.
fn elf_interpreter(head: &[u8]) -> Option<&[u8]> {
    const PROGRAM_INTERPRETER: u32 = 3;
    let half = |at: usize| Some(u16::from_ne_bytes(head.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_ne_bytes(head.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| {
        usize::try_from(u64::from_ne_bytes(
            head.get(at..at.checked_add(8)?)?.try_into().ok()?,
        ))
        .ok()
    };
    if !head.starts_with(b"\x7fELF\x02") {
        return None;
    }
    let (table, entry_bytes, entries) = (long(32)?, usize::from(half(54)?), half(56)?);
    let entry = (0..usize::from(entries))
        .filter_map(|index| table.checked_add(index * entry_bytes))
        .take_while(|at| at.saturating_add(56) <= head.len())
        .find(|at| word(*at) == Some(PROGRAM_INTERPRETER))?;
    let (offset, bytes) = (long(entry + 8)?, long(entry + 32)?);
    let name = head.get(offset..offset.checked_add(bytes)?)?;
    name.split(|byte| *byte == 0).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interpreter_of_a_script_is_its_first_word() {
        assert_eq!(
            shebang_interpreter(b" /usr/bin/env -S a\nx"),
            Some(&b"/usr/bin/env"[..])
        );
        assert_eq!(
            shebang_interpreter(b"/bin/sh\r\nx"),
            Some(&b"/bin/sh\r"[..])
        );
        assert_eq!(shebang_interpreter(b"  \nx"), None);
    }

    #[test]
    fn the_loader_of_a_binary_is_found() {
        let mut head = Vec::new();
        let program = std::env::current_exe().unwrap();
        File::open(program)
            .unwrap()
            .take(HEAD_BYTES)
            .read_to_end(&mut head)
            .unwrap();
        if let Some(loader) = elf_interpreter(&head) {
            assert!(Path::new(std::str::from_utf8(loader).unwrap()).exists());
        }
        for end in 0..head.len().min(600) {
            elf_interpreter(&head[..end]);
        }
    }
}
