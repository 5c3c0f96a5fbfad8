//! From bytes to text, at read time: cut on character boundaries, with stand-ins for what is no
//! UTF-8 and for NUL, and told when there were some.

use std::str;

use super::chunk::{ByteOffset, Chunk};

/// Length of the longest character in UTF-8.
pub const MAX_CHARACTER_BYTES: usize = 4;
/// Stands for NUL (U+2400). JSON can hold NUL itself, but databases and readers written in C break
/// on it.
pub const NUL_SYMBOL: &str = "␀";

/// A decoded [`Chunk`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Where the text begins in the stream.
    pub offset: ByteOffset,
    /// The text, with U+FFFD for what is no UTF-8 and U+2400 for NUL.
    pub text: String,
    /// Whether encoding `text` gives back the very bytes. If not, only the bytes themselves are
    /// exact.
    pub lossless: bool,
    /// How many bytes between the offset that was asked for and `offset` are gone.
    pub skipped: u64,
    /// Where to go on. An incomplete character at the end is left for the next read.
    pub next_offset: ByteOffset,
    /// The end of the bytes that were seen: later than `next_offset` where a character is
    /// incomplete. Waiting for more text is waiting for a byte at this offset.
    pub awaits: ByteOffset,
    /// Whether the bytes that follow are gone.
    pub gap_follows: bool,
    /// Whether the stream has ended and this text reaches its end.
    pub eof: bool,
}

impl Chunk {
    /// Decodes. A character whose rest is still to come is left for the next read; one whose rest
    /// will never come, at the end of the stream or before a gap, is no character. A piece of fewer
    /// than [`MAX_CHARACTER_BYTES`] bytes may hold no whole one.
    pub fn into_text(self) -> Text {
        let awaits = self.next_offset;
        let Self {
            offset,
            bytes,
            skipped,
            next_offset,
            gap_follows,
            eof,
        } = self.without_incomplete_character();
        let (text, lossless) = decode(bytes);
        Text {
            offset,
            text,
            lossless,
            skipped,
            next_offset,
            awaits,
            gap_follows,
            eof,
        }
    }

    /// Without the beginning of a character whose rest is still to come; `next_offset` steps back
    /// to it.
    pub fn without_incomplete_character(mut self) -> Self {
        if !self.eof && !self.gap_follows {
            let kept = self.bytes.len() - incomplete_suffix(&self.bytes);
            self.bytes.truncate(kept);
            self.next_offset = ByteOffset(self.offset.0 + kept as u64);
        }
        self
    }
}

/// Decodes, with [`char::REPLACEMENT_CHARACTER`] for what is no UTF-8 and [`NUL_SYMBOL`] for NUL;
/// whether there was none of either.
pub fn decode(bytes: Vec<u8>) -> (String, bool) {
    let (text, is_utf8) = match String::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(error) => (
            String::from_utf8_lossy(error.as_bytes()).into_owned(),
            false,
        ),
    };
    if text.contains('\0') {
        (text.replace('\0', NUL_SYMBOL), false)
    } else {
        (text, is_utf8)
    }
}

/// The longest beginning of at most `max_bytes` that does not end within a character. What is no
/// UTF-8 is cut anywhere.
pub fn cut_head(bytes: &[u8], max_bytes: usize) -> &[u8] {
    if bytes.len() <= max_bytes {
        return bytes;
    }
    let head = &bytes[..max_bytes];
    &head[..max_bytes - incomplete_suffix(head)]
}

/// The longest end of at most `max_bytes` that does not begin within a character. What is no UTF-8
/// is cut anywhere.
pub fn cut_tail(bytes: &[u8], max_bytes: usize) -> &[u8] {
    &bytes[next_boundary(bytes, bytes.len().saturating_sub(max_bytes))..]
}

/// `at`, or the end of the character that it is in the middle of.
pub(super) fn next_boundary(bytes: &[u8], at: usize) -> usize {
    let longest = (MAX_CHARACTER_BYTES - 1).min(at);
    let Some(start) = (1..=longest)
        .map(|back| at - back)
        .find(|&i| !is_continuation(bytes[i]))
    else {
        return at;
    };
    let end = start + character_bytes(bytes[start]);
    match bytes.get(start..end) {
        Some(character) if end > at && str::from_utf8(character).is_ok() => end,
        _ => at,
    }
}

/// How many bytes at the end are the beginning of a character whose rest is missing: 0 to 3.
fn incomplete_suffix(bytes: &[u8]) -> usize {
    let longest = (MAX_CHARACTER_BYTES - 1).min(bytes.len());
    let start = (1..=longest).find(|back| !is_continuation(bytes[bytes.len() - back]));
    let is_beginning = |back: &usize| {
        let end = &bytes[bytes.len() - back..];
        str::from_utf8(end).is_err_and(|error| error.error_len().is_none())
    };
    start.filter(is_beginning).unwrap_or(0)
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// Length of the character that begins with this byte, as far as the byte tells.
fn character_bytes(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}
