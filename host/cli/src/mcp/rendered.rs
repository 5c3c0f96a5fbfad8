//! A piece of a stream as an answer carries it: as text or exactly.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ostler_terminal::output::{Chunk, plain, text};

use super::values::Encoding;

/// A piece of a stream in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub data: String,
    /// Where it begins.
    pub offset: u64,
    /// Where to go on.
    pub next_offset: u64,
    /// Bytes that were asked for and are gone.
    pub skipped_bytes: u64,
    /// Nothing comes after it.
    pub eof: bool,
    /// Set where it is not the very text.
    pub encoding: Option<&'static str>,
}

impl Rendered {
    /// How many bytes have to be read at least, so that a reader always gets on.
    pub fn least_bytes(encoding: Encoding) -> usize {
        match encoding {
            Encoding::Utf8 => text::MAX_CHARACTER_BYTES,
            Encoding::Base64 => 1,
        }
    }

    /// Writes a piece in that encoding; `is_plain` leaves out escape sequences and what was overwritten.
    pub fn of(chunk: Chunk, encoding: Encoding, is_plain: bool) -> Self {
        match encoding {
            Encoding::Base64 => Self {
                data: STANDARD.encode(&chunk.bytes),
                offset: chunk.offset.0,
                next_offset: chunk.next_offset.0,
                skipped_bytes: chunk.skipped,
                eof: chunk.eof,
                encoding: Some("base64"),
            },
            Encoding::Utf8 => {
                let text = chunk.into_text();
                let data = if is_plain {
                    plain(&text.text).into_owned()
                } else {
                    text.text
                };
                Self {
                    data,
                    offset: text.offset.0,
                    next_offset: text.next_offset.0,
                    skipped_bytes: text.skipped,
                    eof: text.eof,
                    encoding: (!text.lossless).then_some("utf-8-lossy"),
                }
            }
        }
    }
}
