//! Finding the program and the working directory, so that what fails can be explained.

use std::ffi::{CString, OsStr};
use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::errno::Errno;

use super::{SpawnError, Step};

/// Where programs are looked for when the command's environment has no `PATH`, as the C library
/// does.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Finds the program that a command means.
///
/// A name with a slash is taken relative to `cwd`; any other is searched for in `child_path`, the
/// `PATH` that the command itself will see. Directories that are relative, unreadable or missing
/// are skipped: a program must not be found in whatever directory a command happens to run in.
///
/// # Errors
///
/// [`SpawnError::NotFound`], [`SpawnError::NotExecutable`] when only files without the permission
/// were found, [`SpawnError::IsDirectory`], [`SpawnError::Nul`].
pub fn resolve(
    program: &OsStr,
    child_path: Option<&OsStr>,
    cwd: &Path,
) -> Result<PathBuf, SpawnError> {
    let missing = |searched: Option<&OsStr>| SpawnError::NotFound {
        program: program.to_owned(),
        searched: searched.map(OsStr::to_owned),
    };
    if program.as_bytes().contains(&0) {
        return Err(SpawnError::Nul { field: "program" });
    }
    if program.is_empty() {
        return Err(missing(None));
    }
    if program.as_bytes().contains(&b'/') {
        let path = cwd.join(program);
        return match examine(&path) {
            Candidate::Runs => Ok(path),
            Candidate::Directory => Err(SpawnError::IsDirectory { path }),
            Candidate::Denied => Err(SpawnError::NotExecutable { path }),
            Candidate::Absent => Err(missing(None)),
        };
    }
    let search = child_path.unwrap_or(OsStr::new(DEFAULT_PATH));
    let mut denied = None;
    for directory in std::env::split_paths(search).filter(|directory| directory.is_absolute()) {
        let path = directory.join(program);
        match examine(&path) {
            Candidate::Runs => return Ok(path),
            Candidate::Denied => denied = denied.or(Some(path)),
            Candidate::Directory | Candidate::Absent => {}
        }
    }
    Err(denied.map_or_else(
        || missing(Some(search)),
        |path| SpawnError::NotExecutable { path },
    ))
}

enum Candidate {
    Runs,
    Directory,
    Denied,
    Absent,
}

fn examine(path: &Path) -> Candidate {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Candidate::Directory,
        Ok(metadata) if metadata.is_file() && may_execute(path) => Candidate::Runs,
        Ok(_) => Candidate::Denied,
        Err(_) => Candidate::Absent,
    }
}

fn may_execute(path: &Path) -> bool {
    let Ok(path) = CString::new(path.as_os_str().as_bytes()) else {
        return false;
    };
    // SAFETY: the path is a NUL-terminated string that lives through the call.
    unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::X_OK, libc::AT_EACCESS) == 0 }
}

/// Opens a directory for [`super::Spawn::cwd`]. The descriptor stays with the directory when that
/// is renamed.
///
/// # Errors
///
/// [`SpawnError::CwdMissing`], [`SpawnError::CwdNotDirectory`], [`SpawnError::CwdDenied`], and the
/// general ones.
pub fn open_cwd(path: &Path) -> Result<OwnedFd, SpawnError> {
    let cwd = || path.to_owned();
    let denied = || SpawnError::CwdDenied { cwd: cwd() };
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_PATH | libc::O_DIRECTORY)
        .open(path)
        .map_err(|error| match errno(&error) {
            Errno::ENOENT => SpawnError::CwdMissing { cwd: cwd() },
            Errno::ENOTDIR => SpawnError::CwdNotDirectory { cwd: cwd() },
            Errno::EACCES => denied(),
            Errno::UnknownErrno => SpawnError::Nul {
                field: "working directory",
            },
            other => SpawnError::at(Step::Cwd, other),
        })?;
    // Opening a path asks for no permission on the directory itself; entering it will.
    if may_execute(path) {
        Ok(opened.into())
    } else {
        Err(denied())
    }
}

fn errno(error: &io::Error) -> Errno {
    error
        .raw_os_error()
        .map_or(Errno::UnknownErrno, Errno::from_raw)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn place(directory: &Path, name: &str, mode: u32) -> PathBuf {
        let path = directory.join(name);
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn a_bare_name_is_searched_in_the_path_of_the_command() {
        let first = tempfile::tempdir().unwrap();
        let second = tempfile::tempdir().unwrap();
        let path = place(second.path(), "tool", 0o755);
        let search = std::env::join_paths([first.path(), second.path()]).unwrap();
        let found = resolve(OsStr::new("tool"), Some(&search), Path::new("/")).unwrap();
        assert_eq!(found, path);
    }

    #[test]
    fn a_file_without_permission_is_remembered_and_the_search_goes_on() {
        let first = tempfile::tempdir().unwrap();
        let second = tempfile::tempdir().unwrap();
        let denied = place(first.path(), "tool", 0o644);
        let search = std::env::join_paths([first.path(), second.path()]).unwrap();
        let error = resolve(OsStr::new("tool"), Some(&search), Path::new("/")).unwrap_err();
        assert_eq!(error, SpawnError::NotExecutable { path: denied });
        let path = place(second.path(), "tool", 0o755);
        assert_eq!(
            resolve(OsStr::new("tool"), Some(&search), Path::new("/")).unwrap(),
            path
        );
    }

    #[test]
    fn relative_and_empty_entries_of_the_path_are_skipped() {
        let directory = tempfile::tempdir().unwrap();
        place(directory.path(), "tool", 0o755);
        let search = OsStr::new(":.:bin");
        let error = resolve(OsStr::new("tool"), Some(search), directory.path()).unwrap_err();
        assert!(matches!(error, SpawnError::NotFound { .. }), "{error}");
    }

    #[test]
    fn without_a_path_the_system_directories_are_searched() {
        assert!(
            resolve(OsStr::new("sh"), None, Path::new("/"))
                .unwrap()
                .ends_with("bin/sh")
        );
    }

    #[test]
    fn a_name_with_a_slash_is_taken_from_the_working_directory() {
        let directory = tempfile::tempdir().unwrap();
        let path = place(directory.path(), "tool", 0o755);
        let found = resolve(OsStr::new("./tool"), None, directory.path()).unwrap();
        assert_eq!(found.canonicalize().unwrap(), path.canonicalize().unwrap());
    }

    #[test]
    fn missing_directory_and_denied_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let denied = place(directory.path(), "plain", 0o644);
        let resolve = |name: &str| resolve(OsStr::new(name), None, directory.path()).unwrap_err();
        assert!(matches!(
            resolve("./absent"),
            SpawnError::NotFound { searched: None, .. }
        ));
        assert!(matches!(resolve("/"), SpawnError::IsDirectory { .. }));
        assert_eq!(
            resolve(denied.to_str().unwrap()),
            SpawnError::NotExecutable {
                path: denied.clone()
            }
        );
        assert!(matches!(
            resolve("a\0b"),
            SpawnError::Nul { field: "program" }
        ));
        assert!(matches!(resolve(""), SpawnError::NotFound { .. }));
    }

    #[test]
    fn a_working_directory_that_cannot_be_one_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let absent = directory.path().join("absent");
        let error = open_cwd(&absent).unwrap_err();
        assert_eq!(error, SpawnError::CwdMissing { cwd: absent });
        let file = place(directory.path(), "file", 0o644);
        assert_eq!(
            open_cwd(&file).unwrap_err(),
            SpawnError::CwdNotDirectory { cwd: file }
        );
        assert!(open_cwd(directory.path()).is_ok());
    }
}
