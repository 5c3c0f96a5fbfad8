//! Waiting for a pattern in the output of a job, wherever the reads happen to cut it.

use ostler_terminal::jobs::Job;
use ostler_terminal::output::{ByteOffset, Stream};
use regex::bytes::{Regex, RegexBuilder};

/// Memory that a compiled pattern may take.
const MAX_PATTERN_BYTES: usize = 1 << 20;
/// Bytes searched at a time.
const READ_BYTES: usize = 256 << 10;
/// Bytes that are searched again together with what follows: a match of this length is found across two reads.
const OVERLAP_BYTES: usize = 16 << 10;

/// A pattern whose `^` and `$` are those of lines.
pub fn compile(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text)
        .multi_line(true)
        .size_limit(MAX_PATTERN_BYTES)
        .build()
        .map_err(|error| error.to_string())
}

/// Where the first match from an offset on begins. Waits for it until the command has exited; none then.
pub async fn first_match(
    job: &Job,
    stream: &Stream,
    from: ByteOffset,
    pattern: &Regex,
) -> Option<ByteOffset> {
    let mut from = from;
    // A byte in front of what is searched tells whether it begins a line.
    let mut context_bytes = 0;
    loop {
        // In this order: what is written before the exit is there when the exit is known.
        let has_exited = job.standing().has_exited();
        let chunk = stream.read(from, READ_BYTES + OVERLAP_BYTES).ok()?;
        let begin = context_bytes.min(chunk.bytes.len());
        if let Some(found) = pattern.find_at(&chunk.bytes, begin) {
            return Some(ByteOffset(chunk.offset.0 + found.start() as u64));
        }
        let is_full = chunk.bytes.len() > READ_BYTES;
        let overlap = chunk.bytes.len().min(OVERLAP_BYTES);
        from = ByteOffset(chunk.next_offset.0 - overlap as u64);
        if overlap < chunk.bytes.len() {
            context_bytes = 1;
        }
        if is_full {
            // Nobody waits for a long search but its caller.
            tokio::task::yield_now().await;
        } else if has_exited || chunk.eof {
            return None;
        } else {
            tokio::select! {
                () = stream.readable(chunk.next_offset) => {}
                _ = job.exited() => {}
            }
        }
    }
}
