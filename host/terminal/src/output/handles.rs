//! Output of finished commands, kept for a while under an unguessable name.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::combined::Combined;
use super::handle::Handle;
use super::stream::Stream;

/// How many gone handles are remembered, so that a late reader is told what happened.
const TOMBSTONES: usize = 1024;
/// What an entry costs besides its bytes: bookkeeping, two locks, two wakers. Bounds how many small
/// ones there are.
const ENTRY_BYTES: usize = 1 << 10;

/// How much is kept, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandleLimits {
    /// Time from the last look-up after which an entry is forgotten. Counts from the last and not
    /// from the first, so that reading page by page cannot lose the book half-way.
    pub ttl: Duration,
    /// Memory of all entries together, in bytes.
    pub memory_bytes: usize,
    /// Disk space of all entries together, in bytes. Less than the spill space has, so that
    /// finished commands leave room for running ones.
    pub disk_bytes: u64,
}

impl Default for HandleLimits {
    fn default() -> Self {
        Self {
            ttl: Duration::from_secs(300),
            memory_bytes: 64 << 20,
            disk_bytes: 512 << 20,
        }
    }
}

/// The output of a finished command.
#[derive(Debug, Clone)]
pub struct Retained {
    /// File descriptor 1.
    pub stdout: Arc<Stream>,
    /// File descriptor 2.
    pub stderr: Arc<Stream>,
}

impl Retained {
    /// Moves ended streams from memory to disk, where that works and is worth it. Nothing is lost if not.
    pub fn move_to_disk(&self) {
        self.stdout.move_to_disk();
        self.stderr.move_to_disk();
    }

    /// Memory that both streams take, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.stdout.memory_bytes() + self.stderr.memory_bytes()
    }

    /// Disk space that both streams take, in bytes.
    pub fn disk_bytes(&self) -> u64 {
        self.stdout.disk_bytes() + self.stderr.disk_bytes()
    }

    /// Both streams as one text.
    pub fn combined(&self) -> Combined<'_> {
        Combined::new(&self.stdout, &self.stderr)
    }
}

/// Why a handle gives nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// There was never such a handle, or so long ago that nobody remembers.
    #[error("there is no output with this handle")]
    Unknown,
    /// It was not read for too long.
    #[error("the output with this handle was not read for too long and has been forgotten")]
    Expired,
    /// Newer output needed its place.
    #[error("the output with this handle had to make room for newer output")]
    Evicted,
}

/// Why output was not retained.
#[derive(Debug, thiserror::Error)]
pub enum RetainError {
    /// It alone is more than may be kept; nothing else was evicted for it.
    #[error("output of {bytes} bytes is more than the {limit} bytes that may be retained")]
    TooLarge {
        /// What it takes.
        bytes: u64,
        /// What there is for all.
        limit: u64,
    },
    /// No random bytes for the handle.
    #[error("no random bytes for a handle: {0}")]
    Random(#[from] io::Error),
}

/// Retained output, under a budget: the least recently read goes first.
#[derive(Debug)]
pub struct Handles {
    random: File,
    shelf: Mutex<Shelf>,
}

impl Handles {
    /// An empty store. Fails where `/dev/urandom` cannot be opened.
    pub fn new(limits: HandleLimits) -> io::Result<Self> {
        Ok(Self {
            random: File::open("/dev/urandom")?,
            shelf: Mutex::new(Shelf::new(limits)),
        })
    }

    /// Ends both streams, moves them to disk where that works, and keeps them under a new handle.
    pub fn retain(&self, output: Retained) -> Result<Handle, RetainError> {
        output.stdout.close();
        output.stderr.close();
        output.move_to_disk();
        let handle = Handle::draw(&self.random)?;
        let gone = self.lock().put(handle, output, Instant::now())?;
        // Only here, without the lock: dropping a stream gives its disk space back.
        drop(gone);
        Ok(handle)
    }

    /// The output with this handle. Counts as reading it.
    pub fn get(&self, handle: Handle) -> Result<Retained, LookupError> {
        let (gone, found) = self.lock().get(handle, Instant::now());
        drop(gone);
        found
    }

    /// Forgets what has expired. Every other call does so too; this one is for a quiet time.
    pub fn sweep(&self) {
        let gone = self.lock().sweep(Instant::now());
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The entries. Knows no clock: whoever calls says what time it is. Returns what it removed, to be
/// dropped elsewhere.
#[derive(Debug)]
pub(super) struct Shelf {
    limits: HandleLimits,
    entries: HashMap<Handle, Entry>,
    /// Newest last.
    tombstones: VecDeque<(Handle, LookupError)>,
    memory_bytes: usize,
    disk_bytes: u64,
    reads: u64,
}

#[derive(Debug)]
struct Entry {
    output: Retained,
    memory_bytes: usize,
    disk_bytes: u64,
    last_read: Instant,
    /// Orders reads within one tick of the clock.
    read_number: u64,
}

impl Shelf {
    pub(super) fn new(limits: HandleLimits) -> Self {
        Self {
            limits,
            entries: HashMap::new(),
            tombstones: VecDeque::new(),
            memory_bytes: 0,
            disk_bytes: 0,
            reads: 0,
        }
    }

    pub(super) fn put(
        &mut self,
        handle: Handle,
        output: Retained,
        now: Instant,
    ) -> Result<Vec<Retained>, RetainError> {
        let Retained { stdout, stderr } = &output;
        let memory_bytes = stdout.memory_bytes() + stderr.memory_bytes() + ENTRY_BYTES;
        let disk_bytes = stdout.disk_bytes() + stderr.disk_bytes();
        let HandleLimits {
            memory_bytes: max_memory,
            disk_bytes: max_disk,
            ..
        } = self.limits;
        if memory_bytes > max_memory {
            let (bytes, limit) = (memory_bytes as u64, max_memory as u64);
            return Err(RetainError::TooLarge { bytes, limit });
        }
        if disk_bytes > max_disk {
            return Err(RetainError::TooLarge {
                bytes: disk_bytes,
                limit: max_disk,
            });
        }
        let mut gone = self.sweep(now);
        while self.memory_bytes + memory_bytes > max_memory
            || self.disk_bytes + disk_bytes > max_disk
        {
            let Some(oldest) = self.least_recently_read() else {
                break;
            };
            gone.extend(self.remove(oldest, LookupError::Evicted));
        }
        self.memory_bytes += memory_bytes;
        self.disk_bytes += disk_bytes;
        self.reads += 1;
        let read_number = self.reads;
        let entry = Entry {
            output,
            memory_bytes,
            disk_bytes,
            last_read: now,
            read_number,
        };
        self.entries.insert(handle, entry);
        Ok(gone)
    }

    pub(super) fn get(
        &mut self,
        handle: Handle,
        now: Instant,
    ) -> (Vec<Retained>, Result<Retained, LookupError>) {
        let gone = self.sweep(now);
        if let Some(entry) = self.entries.get_mut(&handle) {
            self.reads += 1;
            (entry.last_read, entry.read_number) = (now, self.reads);
            return (gone, Ok(entry.output.clone()));
        }
        let buried = self
            .tombstones
            .iter()
            .rev()
            .find(|(buried, _)| *buried == handle);
        (
            gone,
            Err(buried.map_or(LookupError::Unknown, |(_, reason)| *reason)),
        )
    }

    pub(super) fn sweep(&mut self, now: Instant) -> Vec<Retained> {
        let ttl = self.limits.ttl;
        let expired = |entry: &Entry| now.saturating_duration_since(entry.last_read) >= ttl;
        let expired = self.entries.iter().filter(|(_, entry)| expired(entry));
        let expired: Vec<Handle> = expired.map(|(handle, _)| *handle).collect();
        expired
            .into_iter()
            .filter_map(|handle| self.remove(handle, LookupError::Expired))
            .collect()
    }

    fn least_recently_read(&self) -> Option<Handle> {
        let oldest = self
            .entries
            .iter()
            .min_by_key(|(_, entry)| entry.read_number);
        oldest.map(|(handle, _)| *handle)
    }

    fn remove(&mut self, handle: Handle, reason: LookupError) -> Option<Retained> {
        let entry = self.entries.remove(&handle)?;
        self.memory_bytes -= entry.memory_bytes;
        self.disk_bytes -= entry.disk_bytes;
        if self.tombstones.len() == TOMBSTONES {
            self.tombstones.pop_front();
        }
        self.tombstones.push_back((handle, reason));
        Some(entry.output)
    }
}
