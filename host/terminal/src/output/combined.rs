//! Both streams of a command as one text with a heading for each, addressed by its own offsets and
//! never put together.

use super::chunk::{ByteOffset, Chunk};
use super::stream::{ReadError, Stream};
use super::text::{MAX_CHARACTER_BYTES, Text};

/// What comes before the standard output.
pub const STDOUT_MARKER: &str = "----- stdout -----\n";
/// What comes between the standard output and the standard error.
pub const STDERR_MARKER: &str = "\n----- stderr -----\n";

/// Marker, standard output, marker, standard error: of streams that have ended, so that offsets
/// stay what they are. Bytes that are gone keep their place.
#[derive(Debug, Clone, Copy)]
pub struct Combined<'a> {
    parts: [Part<'a>; 4],
}

#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    Marker(&'static str),
    Stream(&'a Stream, u64),
}

impl<'a> Combined<'a> {
    /// The view of two streams, up to what they have produced by now.
    pub(super) fn new(stdout: &'a Stream, stderr: &'a Stream) -> Self {
        let stream = |stream: &'a Stream| Part::Stream(stream, stream.totals().produced);
        let parts = [
            Part::Marker(STDOUT_MARKER),
            stream(stdout),
            Part::Marker(STDERR_MARKER),
            stream(stderr),
        ];
        Self { parts }
    }

    /// Length of the whole, in bytes, with those that are gone.
    pub fn total_bytes(&self) -> u64 {
        self.parts.iter().map(Part::bytes).sum()
    }

    /// Reads like [`Stream::read`].
    pub fn read(&self, from: ByteOffset, max_bytes: usize) -> Result<Chunk, ReadError> {
        let total = self.total_bytes();
        let offset = ByteOffset(from.0.min(total));
        let mut chunk = Chunk {
            offset,
            bytes: Vec::new(),
            skipped: 0,
            next_offset: offset,
            gap_follows: false,
            eof: false,
        };
        let mut part_start = 0;
        for part in &self.parts {
            let part_end = part_start + part.bytes();
            let left = max_bytes - chunk.bytes.len();
            if chunk.next_offset.0 < part_end && left > 0 {
                let piece = part.read(chunk.next_offset.0 - part_start, left)?;
                if piece.skipped > 0 && !chunk.bytes.is_empty() {
                    chunk.gap_follows = true;
                    break;
                }
                chunk.gap_follows = piece.gap_follows;
                chunk.skipped += piece.skipped;
                chunk.next_offset.0 = part_start + piece.next_offset.0;
                chunk.bytes.extend_from_slice(&piece.bytes);
            }
            if chunk.next_offset.0 < part_end {
                break;
            }
            part_start = part_end;
        }
        chunk.offset.0 = chunk.next_offset.0 - chunk.bytes.len() as u64;
        chunk.eof = chunk.next_offset.0 == total;
        Ok(chunk)
    }

    /// Reads like [`Self::read`] and decodes. At least 4 bytes are read, so that no character is
    /// too long.
    pub fn read_text(&self, from: ByteOffset, max_bytes: usize) -> Result<Text, ReadError> {
        Ok(self
            .read(from, max_bytes.max(MAX_CHARACTER_BYTES))?
            .into_text())
    }
}

impl Part<'_> {
    fn bytes(&self) -> u64 {
        match self {
            Self::Marker(marker) => marker.len() as u64,
            Self::Stream(_, bytes) => *bytes,
        }
    }

    fn read(&self, from: u64, max_bytes: usize) -> Result<Chunk, ReadError> {
        match self {
            Self::Stream(stream, _) => stream.read(ByteOffset(from), max_bytes),
            Self::Marker(marker) => {
                let rest = &marker.as_bytes()[from as usize..];
                let bytes = rest[..rest.len().min(max_bytes)].to_vec();
                Ok(Chunk {
                    offset: ByteOffset(from),
                    next_offset: ByteOffset(from + bytes.len() as u64),
                    bytes,
                    skipped: 0,
                    gap_follows: false,
                    eof: false,
                })
            }
        }
    }
}
