//! How fast a stream takes what a command prints: `cargo run --release -p ostler-terminal --example
//! append_rate`.

use std::sync::Arc;
use std::time::Instant;

use ostler_terminal::output::{Capacity, SpillSpace, Stream};

const GIB: usize = 1 << 30;

/// What is measured: a name, the size of an append, bytes in all, and the spill quota.
const RUNS: [(&str, usize, usize, u64); 6] = [
    ("64 KiB appends, no spill", 64 << 10, 4 * GIB, 0),
    (
        "64 KiB appends, spill of 64 MiB, then none",
        64 << 10,
        4 * GIB,
        64 << 20,
    ),
    ("64 KiB appends, all spilled", 64 << 10, GIB / 2, GIB as u64),
    ("4 KiB appends, no spill", 4 << 10, GIB, 0),
    ("80 B appends, no spill", 80, GIB, 0),
    ("1 B appends, no spill", 1, 50 << 20, 0),
];

fn main() {
    for (name, append_bytes, total_bytes, spill_bytes) in RUNS {
        let space = Arc::new(SpillSpace::new(std::env::temp_dir(), GIB as u64));
        let stream = Stream::new(
            Capacity {
                spill_bytes,
                ..Capacity::default()
            },
            Some(space),
        );
        let piece = vec![b'x'; append_bytes];
        let appends = total_bytes / append_bytes;
        let start = Instant::now();
        for _ in 0..appends {
            stream.append(&piece);
        }
        let seconds = start.elapsed().as_secs_f64();
        stream.close();
        let totals = stream.totals();
        assert_eq!(totals.produced, (appends * append_bytes) as u64);
        println!(
            "{name}: {:.2} GB/s, {:.0} ns an append, {} of {} bytes kept, {:?}",
            totals.produced as f64 / seconds / 1e9,
            seconds * 1e9 / appends as f64,
            totals.kept,
            totals.produced,
            totals.spill,
        );
    }
}
