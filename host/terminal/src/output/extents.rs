//! The disk space that all streams share: one unlinked file, handed out in extents.
//!
//! One file, and not one a stream, because descriptors are scarcer than disk: hundreds of retained
//! outputs would use up the usual limit of 1,024. It is never synced, and gone with the process,
//! however that ends.
//!
//! A process that writes here must ignore SIGXFSZ: under RLIMIT_FSIZE a write is then an error
//! (EFBIG) and not its death.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::errno::Errno;
use nix::fcntl::{FallocateFlags, fallocate};

/// Size of an extent, the unit in which the shared quota is counted: that of a block that leaves a
/// ring.
pub const EXTENT_BYTES: u64 = 64 << 10;

/// Number of an extent: it lies at this number times [`EXTENT_BYTES`] in the file.
pub(super) type Extent = u32;

/// Disk space for what leaves the rings of all streams, under one quota.
///
/// The file is created when it is first needed and closed when nobody uses it any more, so a
/// directory that was missing or full is tried again by the next stream that needs it, and one that
/// is removed meanwhile does no harm.
#[derive(Debug)]
pub struct SpillSpace {
    directory: PathBuf,
    max_extents: u32,
    extents: Mutex<Extents>,
}

#[derive(Debug, Default)]
struct Extents {
    file: Option<Arc<File>>,
    /// Given back, below `next`. The lowest is used first, which keeps the file short and runs
    /// long.
    free: BTreeSet<Extent>,
    next: Extent,
    in_use: u32,
}

/// Why no extent was to be had, or nothing could be written to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The quota is used up.
    Quota,
    /// The system's answer.
    System(Errno),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::System(Errno::try_from(error).unwrap_or(Errno::EIO))
    }
}

impl SpillSpace {
    /// What all streams together may use by default, in bytes.
    pub const DEFAULT_QUOTA_BYTES: u64 = 1 << 30;

    /// Space in a directory that exists and is writable when it is first needed. `quota_bytes` is
    /// rounded down to whole extents.
    pub fn new(directory: impl Into<PathBuf>, quota_bytes: u64) -> Self {
        let max_extents = u32::try_from(quota_bytes / EXTENT_BYTES).unwrap_or(u32::MAX);
        Self {
            directory: directory.into(),
            max_extents,
            extents: Mutex::default(),
        }
    }

    /// Space in a file that is open already, whatever it can do.
    #[cfg(test)]
    pub(super) fn in_file(file: File) -> Self {
        let extents = Extents {
            file: Some(Arc::new(file)),
            ..Extents::default()
        };
        Self {
            extents: Mutex::new(extents),
            ..Self::new("/nonexistent", 1 << 30)
        }
    }

    /// Bytes handed out, in whole extents.
    pub fn in_use_bytes(&self) -> u64 {
        u64::from(self.lock().in_use) * EXTENT_BYTES
    }

    /// Hands out an extent and the file that it lies in.
    pub(super) fn allocate(&self) -> Result<(Arc<File>, Extent), Refusal> {
        let mut extents = self.lock();
        if extents.in_use >= self.max_extents {
            return Err(Refusal::Quota);
        }
        let file = match &extents.file {
            Some(file) => Arc::clone(file),
            None => {
                let file = Arc::new(create_unlinked(&self.directory)?);
                extents.file = Some(Arc::clone(&file));
                file
            }
        };
        extents.in_use += 1;
        let extent = match extents.free.pop_first() {
            Some(extent) => extent,
            None => {
                extents.next += 1;
                extents.next - 1
            }
        };
        Ok((file, extent))
    }

    /// Takes extents back. Their disk space is returned at once where the file system can do so,
    /// else with the file.
    pub(super) fn release(&self, mut returned: Vec<Extent>) {
        let count = returned.len() as u32;
        if count == 0 {
            return;
        }
        let shared = Some(self.lock()).filter(|extents| extents.in_use > count);
        if let Some(file) = shared.and_then(|extents| extents.file.clone()) {
            returned.sort_unstable();
            for run in returned.chunk_by(|a, b| a + 1 == *b) {
                punch(&file, run);
            }
        }
        let mut extents = self.lock();
        extents.in_use -= count;
        if extents.in_use > 0 {
            extents.free.extend(returned);
            return;
        }
        let unused = std::mem::take(&mut *extents);
        drop(extents);
        // Without the lock: closing a large file takes milliseconds.
        drop(unused);
    }

    fn lock(&self) -> MutexGuard<'_, Extents> {
        self.extents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives the disk space of a run of extents back. Best effort: not every file system has holes.
fn punch(file: &File, run: &[Extent]) {
    let at = u64::from(run[0]) * EXTENT_BYTES;
    let length = run.len() as u64 * EXTENT_BYTES;
    let flags = FallocateFlags::FALLOC_FL_PUNCH_HOLE | FallocateFlags::FALLOC_FL_KEEP_SIZE;
    if let Err(error) = fallocate(file, flags, at as i64, length as i64) {
        tracing::trace!(%error, "spill file keeps freed space until it is closed");
    }
}

/// Opens a file without a name that only this user can read.
fn create_unlinked(directory: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    match options
        .clone()
        .custom_flags(libc::O_TMPFILE)
        .open(directory)
    {
        // The file system (EOPNOTSUPP) or the kernel (EISDIR) knows no such files: open(2).
        Err(error) if matches!(error.raw_os_error(), Some(libc::EOPNOTSUPP | libc::EISDIR)) => {}
        result => return result,
    }
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = directory.join(format!(".ostler-spill-{}-{number}", std::process::id()));
    let file = options.create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}
