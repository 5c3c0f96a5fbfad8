//! Pieces of a stream and the offsets that address them.

use std::fmt;

/// A position in a stream: how many bytes come before it. Counts every byte that was ever written,
/// so it stays valid whatever is dropped, and every value is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteOffset(pub u64);

impl ByteOffset {
    /// The first byte.
    pub const START: Self = Self(0);
}

impl fmt::Display for ByteOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A contiguous piece of a stream. Reading consumes nothing: the same question gives the same bytes
/// as long as they are kept, so a lost answer can be asked for again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Where `bytes` begins. Larger than the offset that was asked for where bytes are gone,
    /// smaller where that offset lay beyond the end.
    pub offset: ByteOffset,
    /// The bytes, exactly as they were written; empty where there are none yet.
    pub bytes: Vec<u8>,
    /// How many bytes between the offset that was asked for and `offset` are gone.
    pub skipped: u64,
    /// Where to go on: `offset` plus the length of `bytes`, never beyond the end of the stream.
    pub next_offset: ByteOffset,
    /// Whether the bytes that follow are gone. The next read skips them; nothing will ever continue
    /// the last character.
    pub gap_follows: bool,
    /// Whether the stream has ended and this piece reaches its end.
    pub eof: bool,
}

/// Beginning and end of a stream, for output that is too long to be shown whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The beginning.
    pub head: Chunk,
    /// Bytes between the two that are not shown, whether they are kept or gone.
    pub omitted: u64,
    /// The end; empty where the beginning is everything.
    pub tail: Chunk,
}
