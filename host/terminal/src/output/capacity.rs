//! How much of a stream is kept, and where.

/// How much of one stream is kept. Memory is taken as output comes: a command that prints three
/// bytes costs three.
///
/// A stream that fits into the three together can be read from its first to its last byte. Of a
/// longer one the head, the bytes that were spilled and the newest ones stay; what falls between is
/// counted as dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// First bytes, kept in memory as long as the stream lives. Beginnings carry the banner, the
    /// first error and the header of a table: what is shown first must be the true beginning,
    /// whatever came after. 256 KiB by default.
    pub head_bytes: usize,
    /// Newest bytes in memory, beyond the head; at least 1. The default of 4 MiB lets a reader that
    /// comes by every second follow a command that prints 4 MB/s without touching the disk, and
    /// bounds what 64 running commands cost.
    pub ring_bytes: usize,
    /// Bytes on disk, of what left the ring; 0 = none. The default of 64 MiB holds nearly every
    /// build log, and keeps one endless printer from using up what all commands share.
    pub spill_bytes: u64,
}

impl Default for Capacity {
    fn default() -> Self {
        Self {
            head_bytes: 256 << 10,
            ring_bytes: 4 << 20,
            spill_bytes: 64 << 20,
        }
    }
}
