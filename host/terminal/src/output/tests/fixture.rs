//! What the tests are made of: chance that repeats itself, streams, spill spaces, paging.

use std::sync::Arc;

use crate::output::{ByteOffset, Capacity, Chunk, SpillSpace, Stream};

/// A small generator (xorshift64): the same numbers in every run.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as usize) % bound
    }

    pub(super) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

/// A space in a directory of its own, which lives as long as the first value.
pub(super) fn space(quota_bytes: u64) -> (tempfile::TempDir, Arc<SpillSpace>) {
    let directory = tempfile::tempdir().unwrap();
    let space = Arc::new(SpillSpace::new(directory.path(), quota_bytes));
    (directory, space)
}

pub(super) fn capacity(head_bytes: usize, ring_bytes: usize, spill_bytes: u64) -> Capacity {
    Capacity {
        head_bytes,
        ring_bytes,
        spill_bytes,
    }
}

/// A stream of this size that printed this, and no spill space.
pub(super) fn printed(capacity: Capacity, bytes: &[u8]) -> Stream {
    let stream = Stream::new(capacity, None);
    assert!(stream.append(bytes));
    stream
}

/// Every chunk from the beginning to the end, `max_bytes` at a time.
pub(super) fn pages(mut read: impl FnMut(ByteOffset) -> Chunk) -> Vec<Chunk> {
    let mut pages = vec![read(ByteOffset::START)];
    while let Some(last) = pages.last()
        && !last.eof
    {
        let next = read(last.next_offset);
        assert!(
            next.next_offset > last.next_offset,
            "reading stands still at {next:?}"
        );
        pages.push(next);
    }
    pages
}
