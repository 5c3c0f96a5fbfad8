//! A file that is read for as long as the search goes on.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::limits::Watch;

/// Reads a file and looks between the pieces whether anybody still wants them.
pub(crate) struct WatchedFile<'a> {
    file: File,
    watch: &'a Watch,
    pub(crate) bytes: u64,
    pub(crate) was_stopped: bool,
}

impl<'a> WatchedFile<'a> {
    /// Opens a file. Should a FIFO have taken its place since it was listed, that is not waited for.
    pub(crate) fn open(path: &Path, watch: &'a Watch) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(path)?;
        Ok(Self {
            file,
            watch,
            bytes: 0,
            was_stopped: false,
        })
    }
}

impl Read for WatchedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.watch.goes_on() {
            self.was_stopped = true;
            return Ok(0);
        }
        let count = self.file.read(buffer)?;
        self.bytes += count as u64;
        Ok(count)
    }
}
