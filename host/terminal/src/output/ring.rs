//! The newest bytes of a stream, in blocks that are allocated as they are needed and then used
//! again and again.

use std::collections::VecDeque;
use std::ops::Range;

/// Largest block: the size of a read from a pipe, and large enough that handing one over costs next
/// to nothing per byte.
const MAX_BLOCK_BYTES: usize = 64 << 10;
/// Blocks that a small ring is made of, so that handing one over loses little of it.
const MIN_BLOCKS: usize = 4;

/// A bounded queue of bytes with absolute offsets. Every block but the last is full.
#[derive(Debug)]
pub(super) struct Ring {
    blocks: VecDeque<Vec<u8>>,
    block_bytes: usize,
    max_blocks: usize,
    start: u64,
    end: u64,
}

impl Ring {
    /// An empty ring for at most `capacity_bytes` (at least 1).
    pub(super) fn new(capacity_bytes: usize) -> Self {
        let capacity_bytes = capacity_bytes.max(1);
        let wanted_blocks = capacity_bytes.div_ceil(MAX_BLOCK_BYTES).max(MIN_BLOCKS);
        let max_blocks = wanted_blocks.min(capacity_bytes);
        let block_bytes = capacity_bytes / max_blocks;
        Self {
            blocks: VecDeque::new(),
            block_bytes,
            max_blocks,
            start: 0,
            end: 0,
        }
    }

    /// Offsets of the bytes in it.
    pub(super) fn range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// Memory taken, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.blocks.len() * self.block_bytes
    }

    /// Forgets everything and gives the memory back; the next byte will be the one at `offset`.
    pub(super) fn restart_at(&mut self, offset: u64) {
        self.blocks = VecDeque::new();
        (self.start, self.end) = (offset, offset);
    }

    /// Adds bytes. Blocks that have to leave are shown to `leaving` first, oldest first, with their
    /// offset.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut leaving: impl FnMut(u64, &[u8])) {
        while !bytes.is_empty() {
            if self
                .blocks
                .back()
                .is_none_or(|last| last.len() == self.block_bytes)
            {
                let block = self.free_block(&mut leaving);
                self.blocks.push_back(block);
            }
            let Some(last) = self.blocks.back_mut() else {
                return;
            };
            let (now, later) = bytes.split_at(bytes.len().min(self.block_bytes - last.len()));
            last.extend_from_slice(now);
            self.end += now.len() as u64;
            bytes = later;
        }
    }

    fn free_block(&mut self, leaving: &mut impl FnMut(u64, &[u8])) -> Vec<u8> {
        if self.blocks.len() >= self.max_blocks
            && let Some(mut oldest) = self.blocks.pop_front()
        {
            leaving(self.start, &oldest);
            self.start += oldest.len() as u64;
            oldest.clear();
            return oldest;
        }
        Vec::with_capacity(self.block_bytes)
    }

    /// The blocks with their offsets, oldest first.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let starts = (self.start..).step_by(self.block_bytes);
        starts.zip(self.blocks.iter().map(Vec::as_slice))
    }

    /// Fills `target` with the bytes from `offset` on; both must lie within [`Self::range`].
    pub(super) fn copy_to(&self, offset: u64, mut target: &mut [u8]) {
        let distance = (offset - self.start) as usize;
        let mut within = distance % self.block_bytes;
        for block in self.blocks.range(distance / self.block_bytes..) {
            let count = target.len().min(block.len() - within);
            let (now, later) = target.split_at_mut(count);
            now.copy_from_slice(&block[within..within + count]);
            if later.is_empty() {
                return;
            }
            target = later;
            within = 0;
        }
    }
}
