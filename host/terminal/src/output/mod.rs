//! What commands print: kept as raw bytes, addressed by offset, counted exactly.
//!
//! A [`Stream`] holds one output stream: a pinned head, a ring with the newest bytes, and on disk
//! what left the ring (its share of a [`SpillSpace`]). Whatever can no longer be read is counted,
//! and a read says how much it had to skip. [`Handles`] keeps the streams of finished commands for
//! a while. [`text`] turns bytes into text at read time, [`plain()`] makes of it what a terminal would show.

mod capacity;
mod chunk;
mod combined;
mod extents;
mod handle;
mod handles;
mod plain;
mod ring;
mod spill;
mod stream;
pub mod text;

#[cfg(test)]
mod tests;

pub use capacity::Capacity;
pub use chunk::{ByteOffset, Chunk, Preview};
pub use combined::{Combined, STDERR_MARKER, STDOUT_MARKER};
pub use extents::{EXTENT_BYTES, SpillSpace};
pub use handle::{Handle, InvalidHandle};
pub use handles::{HandleLimits, Handles, LookupError, RetainError, Retained};
pub use plain::plain;
pub use spill::SpillState;
pub use stream::{ReadError, Stream, Totals};
pub use text::Text;
