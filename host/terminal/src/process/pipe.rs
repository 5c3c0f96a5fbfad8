//! Pipes between the server and a command, and the empty file.
//!
//! The server's end never blocks, the command's end does: blocking is a property of each end, and
//! programs expect it.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// A pipe that a command writes into: the server's reading end (non-blocking) and the command's
/// writing end.
///
/// Both are close-on-exec; the command gets a copy.
///
/// # Errors
///
/// When descriptors or memory for pipes ran out.
pub fn from_child() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe()?;
    set_nonblocking(&read)?;
    Ok((read, write))
}

/// A pipe that a command reads from: the server's writing end (non-blocking) and the command's
/// reading end.
///
/// # Errors
///
/// As [`from_child`].
pub fn to_child() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe()?;
    set_nonblocking(&write)?;
    Ok((write, read))
}

/// `/dev/null`, open for reading and writing.
///
/// # Errors
///
/// When it cannot be opened, for lack of descriptors for example.
pub fn null() -> io::Result<OwnedFd> {
    Ok(OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?
        .into())
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [-1; 2];
    // SAFETY: the array has room for the two descriptors.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just opened both; nobody else knows them.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

fn set_nonblocking(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: changes a flag of a descriptor that we own. A new pipe end has no other status flag
    // to keep.
    match unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
