//! Memory straight from the kernel.

use std::ptr::null_mut;
use std::slice;

use super::system::{ErrorNumber, Fd, last_error};

/// A mapped block of zeroes, or of a file's bytes. Given back when dropped.
pub(super) struct Block {
    start: *mut u8,
    bytes: usize,
}

impl Block {
    /// Zeroes of this process alone. A fork gets a copy of its own.
    pub fn private(bytes: usize) -> Result<Self, ErrorNumber> {
        Self::map(bytes, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1)
    }

    /// Zeroes that this process will share with its forks.
    pub fn shared(bytes: usize) -> Result<Self, ErrorNumber> {
        Self::map(bytes, libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1)
    }

    /// A copy of a file's beginning.
    pub fn of_file(file: Fd, bytes: usize) -> Result<Self, ErrorNumber> {
        Self::map(bytes, libc::MAP_PRIVATE, file)
    }

    fn map(bytes: usize, flags: libc::c_int, file: Fd) -> Result<Self, ErrorNumber> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the kernel chooses a free place.
        let start = unsafe { libc::mmap(null_mut(), bytes, protection, flags, file, 0) };
        if start == libc::MAP_FAILED {
            return Err(last_error());
        }
        Ok(Self {
            start: start.cast(),
            bytes,
        })
    }

    /// Makes the first page a guard, so that a stack that grows down to it faults and damages
    /// nothing.
    pub fn guard_first_page(&self) {
        // SAFETY: the page is part of the mapping; nothing has been put there.
        unsafe { libc::mprotect(self.start.cast(), 4096, libc::PROT_NONE) };
    }

    pub fn start(&self) -> *mut u8 {
        self.start
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: the mapping is as long as that, initialised by the kernel, and borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.start, self.bytes) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: unmaps exactly what was mapped; no reference outlives the borrow of self.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}
