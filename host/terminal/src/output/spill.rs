//! What one stream has on disk.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use nix::errno::Errno;

use super::chunk::ByteOffset;
use super::extents::{EXTENT_BYTES, Extent, Refusal, SpillSpace};

/// Whether bytes that leave the ring of a stream go to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpillState {
    /// Nothing had to.
    Unused,
    /// They do.
    Active {
        /// Bytes on disk.
        bytes: u64,
    },
    /// Not any more: the quota of the stream, or the one that all streams share, is used up.
    /// Earlier ones stay readable.
    Full {
        /// The first byte that was not written.
        at: ByteOffset,
    },
    /// Not any more: the disk failed. Earlier bytes stay readable.
    Failed {
        /// The system's answer: ENOSPC, EDQUOT, EFBIG, EIO, ENOENT …
        error: Errno,
        /// The first byte that was not written.
        at: ByteOffset,
    },
}

/// A stream's share of the spill space: one contiguous range of the stream, and once it has ended perhaps a second one with its
/// last bytes.
#[derive(Debug)]
pub(super) struct Spill {
    space: Option<Arc<SpillSpace>>,
    quota_bytes: u64,
    file: Option<Arc<File>>,
    /// Where each [`EXTENT_BYTES`] of the stream lie, by offset.
    extents: BTreeMap<u64, Extent>,
    range: Range<u64>,
    tail: Range<u64>,
    refusal: Option<Refusal>,
}

impl Spill {
    /// A share without anything in it. Without a space, or with a quota of 0, nothing is ever
    /// taken.
    pub(super) fn new(space: Option<Arc<SpillSpace>>, quota_bytes: u64) -> Self {
        let quota_bytes = if space.is_some() { quota_bytes } else { 0 };
        Self {
            space,
            quota_bytes,
            file: None,
            extents: BTreeMap::new(),
            range: 0..0,
            tail: 0..0,
            refusal: None,
        }
    }

    /// Offsets of the bytes on disk that follow the head.
    pub(super) fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Offsets of the last bytes, on disk beyond a gap; empty where there is no gap.
    pub(super) fn tail(&self) -> Range<u64> {
        self.tail.clone()
    }

    /// Disk space taken, in whole extents.
    pub(super) fn disk_bytes(&self) -> u64 {
        self.extents.len() as u64 * EXTENT_BYTES
    }

    /// Where it stands.
    pub(super) fn state(&self) -> SpillState {
        let at = ByteOffset(self.range.end);
        match self.refusal {
            Some(Refusal::Quota) => SpillState::Full { at },
            Some(Refusal::System(error)) => SpillState::Failed { error, at },
            None if self.range.is_empty() => SpillState::Unused,
            None => SpillState::Active {
                bytes: self.range.end - self.range.start,
            },
        }
    }

    /// Takes what leaves the ring: the bytes at `offset`, which follow those of the last call.
    /// Takes as many as it can; after the first byte that it could not take it takes no more,
    /// because a second gap would help nobody.
    pub(super) fn store(&mut self, offset: u64, bytes: &[u8]) {
        if self.refusal.is_some() {
            return;
        }
        if self.range.is_empty() {
            self.range = offset..offset;
        }
        let left = self.quota_bytes - (self.range.end - self.range.start);
        let mut rest = &bytes[..bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        if rest.len() < bytes.len() {
            self.refusal = Some(Refusal::Quota);
        }
        while !rest.is_empty() {
            match self.write(self.range.end, rest) {
                Ok(count) => {
                    self.range.end += count as u64;
                    rest = &rest[count..];
                }
                Err(refusal) => {
                    self.refusal = Some(refusal);
                    return;
                }
            }
        }
    }

    /// Takes what is still in memory of a stream that has ended: head and ring, pieces with their
    /// offsets, which together with what is on disk are everything from 0 to `end` but the gap. All
    /// or nothing; says whether it did. The quota is not asked: memory is what this is to save.
    pub(super) fn complete<'a>(
        &mut self,
        gap: Range<u64>,
        end: u64,
        pieces: impl Iterator<Item = (u64, &'a [u8])>,
    ) -> bool {
        if self.quota_bytes == 0 || matches!(self.refusal, Some(Refusal::System(_))) {
            return false;
        }
        for (mut offset, mut rest) in pieces {
            while !rest.is_empty() {
                let Ok(count) = self.write(offset, rest) else {
                    self.release_unused();
                    return false;
                };
                offset += count as u64;
                rest = &rest[count..];
            }
        }
        (self.range, self.tail) = if gap.is_empty() {
            (0..end, 0..0)
        } else {
            (0..gap.start, gap.end..end)
        };
        true
    }

    /// Gives back the extents that hold nothing of [`Self::range`].
    fn release_unused(&mut self) {
        let covers = |part: &Range<u64>, index: u64| {
            let extent = index * EXTENT_BYTES..(index + 1) * EXTENT_BYTES;
            part.start < extent.end && extent.start < part.end
        };
        let (range, tail) = (self.range.clone(), self.tail.clone());
        let unused =
            |index: &u64, _: &mut Extent| !covers(&range, *index) && !covers(&tail, *index);
        let returned = self
            .extents
            .extract_if(.., unused)
            .map(|(_, extent)| extent)
            .collect();
        if self.range.is_empty() {
            self.file = None;
        }
        if let Some(space) = &self.space {
            space.release(returned);
        }
    }

    /// Writes at least one byte; at most to the end of the extent.
    fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, Refusal> {
        let (index, within) = (offset / EXTENT_BYTES, offset % EXTENT_BYTES);
        let space = self.space.as_ref().ok_or(Refusal::Quota)?;
        let extent = match self.extents.get(&index) {
            Some(extent) => *extent,
            None => {
                let (file, extent) = space.allocate()?;
                self.file = Some(file);
                *self.extents.entry(index).or_insert(extent)
            }
        };
        let file = self.file.as_ref().ok_or(Refusal::Quota)?;
        let bytes = &bytes[..bytes.len().min((EXTENT_BYTES - within) as usize)];
        loop {
            match file.write_at(bytes, u64::from(extent) * EXTENT_BYTES + within) {
                Ok(0) => return Err(Refusal::System(Errno::EIO)),
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Where a part of [`Self::range`] or of [`Self::tail`] lies, to be read without holding any lock: bytes on disk
    /// never move.
    pub(super) fn locate(&self, range: Range<u64>) -> Option<Located> {
        let file = Arc::clone(self.file.as_ref()?);
        let mut pieces: Vec<Range<u64>> = Vec::new();
        let mut offset = range.start;
        while offset < range.end {
            let (index, within) = (offset / EXTENT_BYTES, offset % EXTENT_BYTES);
            let position = u64::from(*self.extents.get(&index)?) * EXTENT_BYTES + within;
            let length = (EXTENT_BYTES - within).min(range.end - offset);
            match pieces.last_mut() {
                Some(last) if last.end == position => last.end += length,
                _ => pieces.push(position..position + length),
            }
            offset += length;
        }
        Some(Located { file, pieces })
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        (self.range, self.tail) = (0..0, 0..0);
        self.release_unused();
    }
}

/// Bytes on disk: positions in the spill file, in the order of the stream.
pub(super) struct Located {
    file: Arc<File>,
    pieces: Vec<Range<u64>>,
}

impl Located {
    /// Reads them all; `target` is exactly as long as they are.
    pub(super) fn read(&self, mut target: &mut [u8]) -> io::Result<()> {
        for piece in &self.pieces {
            let (now, later) = target.split_at_mut((piece.end - piece.start) as usize);
            self.file.read_exact_at(now, piece.start)?;
            target = later;
        }
        Ok(())
    }
}
