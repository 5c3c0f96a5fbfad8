//! What is needed to start a command.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use super::Limits;

/// A command to start. Nothing is added and nothing is inherited but what stands here and what the
/// warden froze (umask, resource limits, scheduling).
#[derive(Debug)]
pub struct Spawn {
    /// Absolute path of the program, from [`super::resolve`].
    pub program: PathBuf,
    /// Its arguments; the first is the name by which it is called.
    pub argv: Vec<OsString>,
    /// Its whole environment, in this order.
    pub env: Vec<(OsString, OsString)>,
    /// Its working directory, from [`super::open_cwd`].
    pub cwd: OwnedFd,
    /// Becomes descriptor 0.
    pub stdin: OwnedFd,
    /// Becomes descriptor 1.
    pub stdout: OwnedFd,
    /// Becomes descriptor 2.
    pub stderr: OwnedFd,
    /// Bounds for each of its processes.
    pub limits: Limits,
}
