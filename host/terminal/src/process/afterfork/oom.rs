//! Who is to go first when memory runs out.

use super::system::Fd;

/// How ready the kernel shall be to end a process when memory runs out (`oom_score_adj`), as text
/// padded with spaces, which the kernel trims. A command goes before the server and its keepers do.
#[derive(Clone, Copy)]
pub(in super::super) struct OomScores {
    /// The server's own.
    pub server: [u8; 5],
    /// That of commands and of free keepers.
    pub command: [u8; 5],
}

/// The score of this process, open for writing. Without `/proc` there is nothing to set.
#[derive(Clone, Copy)]
pub(super) struct OomScore(Fd);

impl OomScore {
    pub fn open() -> Self {
        let flags = libc::O_WRONLY | libc::O_CLOEXEC;
        // SAFETY: the path is a NUL-terminated literal.
        Self(unsafe { libc::open(c"/proc/self/oom_score_adj".as_ptr(), flags) })
    }

    /// Best effort: raising is always allowed, and so is going back to what was.
    pub fn set(self, score: &[u8; 5]) {
        // SAFETY: the array is valid for its length.
        unsafe { libc::pwrite(self.0, score.as_ptr().cast(), score.len(), 0) };
    }
}
