//! The bounds within which a policy is asked.

use std::time::Duration;

/// What one question to a policy may cost. Each bound exists because of an attack or an accident that it stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Instructions, in wasmtime's fuel units. Acts at the same point on every machine, so it is the limit that normally
    /// stops an endless loop: at some 10 units a nanosecond the default is reached in 30 ms.
    pub fuel: u64,
    /// Processor time: the backstop for what fuel does not count. A policy cannot wait, so that all its time is processor
    /// time; on the wall's clock a busy machine would have innocent commands refused.
    pub processor_time: Duration,
    /// All linear memories together, in bytes: stops growth to 4 GiB.
    pub memory_bytes: usize,
    /// Elements of each table.
    pub table_elements: usize,
    /// Bytes that may cross from the policy to the host in one question: stops an answer of 1 GiB before it is copied.
    pub answer_bytes: usize,
    /// Bytes of what it prints that are kept for messages.
    pub printed_bytes: usize,
    /// Size of the component itself.
    pub component_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: 300_000_000,
            processor_time: Duration::from_millis(50),
            memory_bytes: 64 << 20,
            table_elements: 100_000,
            answer_bytes: 4 << 20,
            printed_bytes: 1 << 10,
            component_bytes: 32 << 20,
        }
    }
}

/// WebAssembly stack of a question: stops endless recursion long before the host's own stack is touched.
pub(crate) const STACK_BYTES: usize = 512 << 10;
/// Questions answered at the same time; the address space for their memories is reserved once.
pub(crate) const MAX_CONCURRENT: u32 = 16;
/// Longest text in an answer (a message, a reason, an id).
pub(crate) const MAX_TEXT_BYTES: usize = 16 << 10;
/// Most findings, and most opaque parts, of one review.
pub(crate) const MAX_ITEMS: usize = 256;
/// Most rules of a description.
pub(crate) const MAX_RULES: usize = 4096;
/// Most arguments of an invocation. The kernel's own limit on their total size is checked at the spawn.
pub(crate) const MAX_ARGUMENTS: usize = 1 << 20;
