//! One output stream of one command: appended to by whoever reads the pipe, read by anybody, at any
//! time, by offset.

use std::fmt;
use std::io;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::capacity::Capacity;
use super::chunk::{ByteOffset, Chunk, Preview};
use super::extents::{EXTENT_BYTES, SpillSpace};
use super::ring::Ring;
use super::spill::{Located, Spill, SpillState};
use super::text;

/// Exact byte counts of a stream at one moment. `produced` is always `kept` plus `dropped`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Bytes that were written.
    pub produced: u64,
    /// Bytes of them that can be read.
    pub kept: u64,
    /// Bytes of them that are gone.
    pub dropped: u64,
    /// Whether the stream has ended.
    pub ended: bool,
    /// Whether older bytes go to disk.
    pub spill: SpillState,
}

/// Why a read failed. The bytes that are asked for are kept, so it may be asked for again.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The spill file could not be read.
    #[error("spilled output from offset {offset} on cannot be read back: {source}")]
    Spill {
        /// The first byte that is on disk.
        offset: ByteOffset,
        /// The system's answer.
        source: io::Error,
    },
}

/// One output stream of one command.
///
/// Appending never waits for a reader. It takes one lock a call, and writes to the page cache when
/// something leaves the ring: a disk that cannot follow slows the command down and is not bought
/// off with lost bytes.
pub struct Stream {
    state: Mutex<State>,
    changed: Notify,
}

struct State {
    head_capacity: usize,
    head: Vec<u8>,
    ring: Ring,
    spill: Spill,
    produced: u64,
    ended: bool,
}

impl Stream {
    /// An empty stream. Without a space to spill to, what leaves the ring is dropped.
    pub fn new(capacity: Capacity, space: Option<Arc<SpillSpace>>) -> Self {
        Self {
            state: Mutex::new(State {
                head_capacity: capacity.head_bytes,
                head: Vec::new(),
                ring: Ring::new(capacity.ring_bytes),
                spill: Spill::new(space, capacity.spill_bytes),
                produced: 0,
                ended: false,
            }),
            changed: Notify::new(),
        }
    }

    /// Adds what was read. Says whether it was taken: after the end nothing is, because readers
    /// have been told `eof`.
    pub fn append(&self, bytes: &[u8]) -> bool {
        let mut state = self.lock();
        if state.ended {
            return false;
        }
        state.append(bytes);
        drop(state);
        self.changed.notify_waiters();
        true
    }

    /// Ends the stream. Once more does nothing.
    pub fn close(&self) {
        self.lock().ended = true;
        self.changed.notify_waiters();
    }

    /// The counts at this moment.
    pub fn totals(&self) -> Totals {
        let state = self.lock();
        let gap = state.gap();
        let dropped = gap.end - gap.start;
        Totals {
            produced: state.produced,
            kept: state.produced - dropped,
            dropped,
            ended: state.ended,
            spill: state.spill.state(),
        }
    }

    /// Memory taken, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let state = self.lock();
        state.head.capacity() + state.ring.memory_bytes()
    }

    /// Disk space taken, in bytes, in whole extents.
    pub fn disk_bytes(&self) -> u64 {
        self.lock().spill.disk_bytes()
    }

    /// Reads up to `max_bytes` from an offset on, as far as they follow each other without a gap.
    /// An offset whose bytes are gone leads to the next one that is kept, an offset beyond the end
    /// to the end. The caller bounds `max_bytes`; more than is kept is never allocated.
    pub fn read(&self, from: ByteOffset, max_bytes: usize) -> Result<Chunk, ReadError> {
        self.lock().plan_read(from.0, max_bytes).finish()
    }

    /// The first `max_bytes`, cut on a character boundary where the stream goes on.
    pub fn head(&self, max_bytes: usize) -> Result<Chunk, ReadError> {
        Ok(self
            .read(ByteOffset::START, max_bytes)?
            .without_incomplete_character())
    }

    /// The last `max_bytes`, beginning on a character boundary. Fewer where not so many follow each
    /// other without a gap.
    pub fn tail(&self, max_bytes: usize) -> Result<Chunk, ReadError> {
        self.tail_from(ByteOffset::START, max_bytes)
    }

    /// Beginning and end in one, without overlap: at most `head_bytes` and `tail_bytes` of them.
    pub fn preview(&self, head_bytes: usize, tail_bytes: usize) -> Result<Preview, ReadError> {
        let head = self.head(head_bytes)?;
        let tail = self.tail_from(head.next_offset, tail_bytes)?;
        let omitted = tail.offset.0 - head.next_offset.0;
        Ok(Preview {
            head,
            omitted,
            tail,
        })
    }

    /// Reads like [`Self::read`] and decodes. At least 4 bytes are read, so that no character is
    /// too long.
    pub fn read_text(&self, from: ByteOffset, max_bytes: usize) -> Result<text::Text, ReadError> {
        Ok(self
            .read(from, max_bytes.max(text::MAX_CHARACTER_BYTES))?
            .into_text())
    }

    /// Waits until there are bytes at this offset, or later ones, or the stream has ended. An
    /// offset beyond the end waits for the next byte. May be dropped at any time.
    pub async fn readable(&self, from: ByteOffset) {
        let from = from.0.min(self.lock().produced);
        self.until(|state| state.ended || state.produced > from)
            .await;
    }

    /// Waits until the stream has ended. May be dropped at any time.
    pub async fn closed(&self) {
        self.until(|state| state.ended).await;
    }

    async fn until(&self, condition: impl Fn(&State) -> bool) {
        loop {
            let changed = self.changed.notified();
            if condition(&self.lock()) {
                return;
            }
            changed.await;
        }
    }

    /// Moves what is in memory of an ended stream to disk, where that works and is worth an extent.
    /// Nothing is lost if not.
    pub(super) fn move_to_disk(&self) {
        let mut state = self.lock();
        let gap = state.gap();
        let State {
            head,
            ring,
            spill,
            produced,
            ended,
            ..
        } = &mut *state;
        let in_memory = head.len() as u64 + (ring.range().end - ring.range().start);
        if !*ended || in_memory < EXTENT_BYTES / 2 {
            return;
        }
        let pieces = iter::once((0, head.as_slice())).chain(ring.blocks());
        if spill.complete(gap, *produced, pieces) {
            *head = Vec::new();
            ring.restart_at(*produced);
        }
    }

    fn tail_from(&self, floor: ByteOffset, max_bytes: usize) -> Result<Chunk, ReadError> {
        let state = self.lock();
        let gap = state.gap();
        let asked = state.produced.saturating_sub(max_bytes as u64).max(floor.0);
        let start = if asked < gap.end && !gap.is_empty() {
            gap.end
        } else {
            asked
        };
        // The bytes before it tell whether it is in the middle of a character.
        let context = (text::MAX_CHARACTER_BYTES as u64 - 1).min(start - floor.0);
        let begin = start - context;
        let begin = if begin < gap.end && !gap.is_empty() {
            start
        } else {
            begin
        };
        let plan = state.plan_range(begin, state.produced);
        drop(state);
        let mut chunk = plan.finish()?;
        let cut = text::next_boundary(&chunk.bytes, (start - begin) as usize);
        chunk.bytes.drain(..cut);
        chunk.offset = ByteOffset(begin + cut as u64);
        chunk.skipped = start - asked.max(gap.start).min(start);
        Ok(chunk)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.totals().fmt(f)
    }
}

impl State {
    fn append(&mut self, bytes: &[u8]) {
        self.produced += bytes.len() as u64;
        let (first, later) = bytes.split_at(bytes.len().min(self.head_capacity - self.head.len()));
        if !first.is_empty() {
            self.extend_head(first);
            self.ring.restart_at(self.head.len() as u64);
        }
        self.ring
            .push(later, |offset, block| self.spill.store(offset, block));
    }

    /// Grows by doubling, like a vector, but never beyond the capacity.
    fn extend_head(&mut self, bytes: &[u8]) {
        let needed = self.head.len() + bytes.len();
        if needed > self.head.capacity() {
            let grown = (2 * self.head.capacity())
                .min(self.head_capacity)
                .max(needed);
            self.head.reserve_exact(grown - self.head.len());
        }
        self.head.extend_from_slice(bytes);
    }

    /// Offsets of the bytes that are gone: between what is pinned or spilled and the ring.
    fn gap(&self) -> Range<u64> {
        let spilled = self.spill.range();
        let kept = if spilled.is_empty() {
            self.head.len() as u64
        } else {
            spilled.end
        };
        let tail = self.spill.tail();
        let newest = if tail.is_empty() {
            self.ring.range().start
        } else {
            tail.start
        };
        kept..newest
    }

    fn plan_read(&self, from: u64, max_bytes: usize) -> Plan {
        let from = from.min(self.produced);
        let gap = self.gap();
        let start = if gap.contains(&from) { gap.end } else { from };
        let end = if start < gap.start && !gap.is_empty() {
            gap.start
        } else {
            self.produced
        };
        let mut plan = self.plan_range(start, end.min(start.saturating_add(max_bytes as u64)));
        plan.chunk.skipped = start - from;
        plan
    }

    /// Copies what is in memory of a range without a gap, and notes what is to be read from disk.
    fn plan_range(&self, start: u64, end: u64) -> Plan {
        let gap = self.gap();
        let mut bytes = vec![0; (end - start) as usize];
        let head = overlap(start..end, 0..self.head.len() as u64);
        if !head.is_empty() {
            let target = &mut bytes[within(&head, start)];
            target.copy_from_slice(&self.head[head.start as usize..head.end as usize]);
        }
        let ring = overlap(start..end, self.ring.range());
        if !ring.is_empty() {
            self.ring
                .copy_to(ring.start, &mut bytes[within(&ring, start)]);
        }
        let [older, newest] =
            [self.spill.range(), self.spill.tail()].map(|part| overlap(start..end, part));
        let disk = if older.is_empty() { newest } else { older };
        let on_disk = self.spill.locate(disk.clone());
        let chunk = Chunk {
            offset: ByteOffset(start),
            bytes,
            skipped: 0,
            next_offset: ByteOffset(end),
            gap_follows: !gap.is_empty() && end == gap.start,
            eof: self.ended && end == self.produced,
        };
        Plan {
            chunk,
            disk,
            on_disk,
        }
    }
}

/// A read that is finished without the lock: only the disk is missing, whose bytes never move.
struct Plan {
    chunk: Chunk,
    disk: Range<u64>,
    on_disk: Option<Located>,
}

impl Plan {
    fn finish(mut self) -> Result<Chunk, ReadError> {
        if !self.disk.is_empty() {
            let target = &mut self.chunk.bytes[within(&self.disk, self.chunk.offset.0)];
            let offset = ByteOffset(self.disk.start);
            let on_disk = self.on_disk.ok_or(io::ErrorKind::NotFound.into());
            on_disk
                .and_then(|on_disk| on_disk.read(target))
                .map_err(|source| ReadError::Spill { offset, source })?;
        }
        Ok(self.chunk)
    }
}

fn overlap(a: Range<u64>, b: Range<u64>) -> Range<u64> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// Where a range of the stream lies in a buffer that begins at `start`.
fn within(range: &Range<u64>, start: u64) -> Range<usize> {
    (range.start - start) as usize..(range.end - start) as usize
}
