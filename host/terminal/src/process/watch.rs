//! Noticing the end of a process that is not ours, such as the one that started the server.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Watches a process until it ends.
#[derive(Debug)]
pub struct ProcessExit(AsyncFd<OwnedFd>);

impl ProcessExit {
    /// Watches the parent of this process. None where it has ended already.
    ///
    /// # Errors
    /// Where the kernel cannot watch it, or there is no tokio runtime with I/O.
    pub fn of_parent() -> io::Result<Option<Self>> {
        let parent = std::os::unix::process::parent_id();
        let Some(watch) = Self::of(parent)? else {
            return Ok(None);
        };
        // Its number may have been given to another one before it was opened.
        Ok((std::os::unix::process::parent_id() == parent).then_some(watch))
    }

    /// Watches the process with this number. None where there is none.
    ///
    /// # Errors
    /// As [`ProcessExit::of_parent`].
    pub fn of(pid: u32) -> io::Result<Option<Self>> {
        // SAFETY: a plain system call (`pidfd_open(2)`, Linux 5.3).
        let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
        if fd < 0 {
            let error = io::Error::last_os_error();
            return match error.raw_os_error() {
                Some(libc::ESRCH) => Ok(None),
                _ => Err(error),
            };
        }
        // SAFETY: the kernel has just opened it, close-on-exec; nobody else knows it.
        let process = unsafe { OwnedFd::from_raw_fd(fd as i32) };
        // SAFETY: the descriptor is owned, and stays the same until the watch is dropped.
        let process = unsafe { AsyncFd::register_with_interest(process, Interest::READABLE) }?;
        Ok(Some(Self(process)))
    }

    /// Returns once it has ended.
    pub async fn wait(&self) {
        // A pidfd is readable from the end of its process on. An error would mean that the runtime ends.
        if self.0.readable().await.is_err() {
            std::future::pending().await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    #[expect(
        clippy::disallowed_methods,
        reason = "a child that nobody owns is the point"
    )]
    async fn the_end_of_a_process_is_noticed() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let watch = ProcessExit::of(child.id()).unwrap().unwrap();
        let early = tokio::time::timeout(std::time::Duration::from_millis(10), watch.wait()).await;
        assert!(early.is_err());
        drop(child.stdin.take());
        watch.wait().await;
        child.wait().unwrap();
        assert!(ProcessExit::of(child.id()).unwrap().is_none());
        assert!(ProcessExit::of_parent().unwrap().is_some());
    }
}
