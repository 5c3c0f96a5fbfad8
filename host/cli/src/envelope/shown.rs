//! The part of a stream that an answer shows.

use ostler_terminal::output::{ByteOffset, Chunk, ReadError, Stream, plain, text};

/// Most that one stream may take in an answer, whatever was asked for; the rest is behind the handle or the job.
pub const MAX_INLINE_BYTES: usize = 16 << 20;

/// How output is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Most bytes of each stream.
    pub max_bytes: usize,
    /// Whether escape sequences and what was overwritten are left out.
    pub plain: bool,
}

impl View {
    /// The same, with a lower cap.
    pub fn at_most(self, max_bytes: usize) -> Self {
        Self {
            max_bytes: self.max_bytes.min(max_bytes),
            ..self
        }
    }
}

/// A part of a stream as it is shown.
pub struct Shown {
    pub text: String,
    pub encoding: Option<&'static str>,
    /// Bytes of the stream so far.
    pub produced: u64,
    /// Bytes of it that are not shown.
    pub truncated: u64,
    /// Bytes of it that are gone.
    pub dropped: u64,
    /// Where the shown part begins.
    pub offset: u64,
    /// Where it ends.
    pub next_offset: u64,
}

impl Shown {
    /// The beginning of a stream; what is shown plain may stand for far more than the cap, as long as it fits into it itself.
    pub fn beginning(stream: &Stream, view: View) -> Self {
        if view.plain {
            let whole = View {
                max_bytes: MAX_INLINE_BYTES,
                ..view
            };
            let shown = Self::cut_at(stream, whole);
            if shown.text.len() <= view.max_bytes {
                return shown;
            }
        }
        Self::cut_at(stream, view)
    }

    fn cut_at(stream: &Stream, view: View) -> Self {
        // A stream whose beginning is gone shows nothing: what is shown is the true beginning.
        let chunk = stream.head(view.max_bytes.min(MAX_INLINE_BYTES));
        let chunk =
            chunk.map(|chunk| Some(chunk).filter(|chunk| chunk.offset == ByteOffset::START));
        Self::of(stream, chunk, view)
    }

    /// The end of a stream, without a character that is not complete yet.
    pub fn end(stream: &Stream, view: View) -> Self {
        let chunk = stream.tail(view.max_bytes.min(MAX_INLINE_BYTES));
        Self::of(
            stream,
            chunk.map(|chunk| Some(chunk.without_incomplete_character())),
            view,
        )
    }

    fn of(stream: &Stream, chunk: Result<Option<Chunk>, ReadError>, view: View) -> Self {
        let totals = stream.totals();
        let chunk = chunk.unwrap_or_else(|error| {
            tracing::warn!(%error, "output cannot be read back");
            None
        });
        let (offset, next_offset, bytes) = match chunk {
            Some(chunk) => (chunk.offset.0, chunk.next_offset.0, chunk.bytes),
            None => (0, 0, Vec::new()),
        };
        let (text, lossless) = text::decode(bytes);
        let text = if view.plain {
            plain(&text).into_owned()
        } else {
            text
        };
        Self {
            text,
            encoding: (!lossless).then_some("utf-8-lossy"),
            produced: totals.produced,
            truncated: totals.produced.saturating_sub(next_offset - offset),
            dropped: totals.dropped,
            offset,
            next_offset,
        }
    }

    /// The length of the stream, where not all of it is shown.
    pub fn total_if_cut(&self) -> Option<u64> {
        (self.truncated > 0).then_some(self.produced)
    }
}
