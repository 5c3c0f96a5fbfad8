//! How fast a stream takes what a command prints and gives it back:
//! `cargo bench -p ostler-terminal --bench output`.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::fmt;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use ostler_terminal::output::{ByteOffset, Capacity, Chunk, SpillSpace, Stream, plain};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
/// Size of a piece that is read.
const PIECE_BYTES: usize = 64 * KIB;

fn main() {
    divan::main();
}

fn stream(spill_bytes: usize) -> Stream {
    let space = SpillSpace::new(std::env::temp_dir(), 1 << 30);
    let capacity = Capacity {
        spill_bytes: spill_bytes as u64,
        ..Capacity::default()
    };
    Stream::new(capacity, Some(Arc::new(space)))
}

/// A stream that is filled.
struct Appends {
    what: &'static str,
    piece_bytes: usize,
    total_bytes: usize,
    spill_bytes: usize,
}

const fn appends(
    what: &'static str,
    piece_bytes: usize,
    total_bytes: usize,
    spill_bytes: usize,
) -> Appends {
    Appends {
        what,
        piece_bytes,
        total_bytes,
        spill_bytes,
    }
}

const APPENDS: &[Appends] = &[
    appends("64 KiB, no spill", 64 * KIB, 32 * MIB, 0),
    appends("64 KiB, all spilled", 64 * KIB, 32 * MIB, 64 * MIB),
    appends("64 KiB, much spilled", 64 * KIB, 256 * MIB, 512 * MIB),
    appends("64 KiB, half spilled", 64 * KIB, 32 * MIB, 16 * MIB),
    appends("4 KiB, no spill", 4 * KIB, 32 * MIB, 0),
    appends("80 B, no spill", 80, 8 * MIB, 0),
    appends("80 B, all spilled", 80, 8 * MIB, 64 * MIB),
    appends("1 B, no spill", 1, MIB, 0),
];

impl fmt::Display for Appends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }
}

/// Bytes and appends a second, from the first byte on.
#[divan::bench(args = APPENDS, sample_count = 20, sample_size = 1)]
fn append(bencher: Bencher, run: &Appends) {
    let piece = vec![b'x'; run.piece_bytes];
    let pieces = run.total_bytes / run.piece_bytes;
    bencher
        .counter(BytesCount::new(pieces * run.piece_bytes))
        .counter(ItemsCount::new(pieces))
        .with_inputs(|| stream(run.spill_bytes))
        .bench_refs(|stream| {
            for _ in 0..pieces {
                assert!(stream.append(&piece));
            }
        });
}

/// Where a piece is read: everything between head and ring is on disk.
const PLACES: &[(&str, usize)] = &[("head", 0), ("spill", 8 * MIB), ("ring", 31 * MIB)];

fn printed() -> Stream {
    let stream = stream(64 * MIB);
    let piece = vec![b'x'; PIECE_BYTES];
    for _ in 0..32 * MIB / PIECE_BYTES {
        assert!(stream.append(&piece));
    }
    stream.close();
    stream
}

#[divan::bench(args = PLACES.iter().map(|(place, _)| place))]
fn read(bencher: Bencher, place: &str) {
    let (stream, from) = (printed(), PLACES.iter().find(|(name, _)| *name == place));
    let from = ByteOffset(from.unwrap().1 as u64);
    bencher
        .counter(BytesCount::new(PIECE_BYTES))
        .bench(|| stream.read(from, PIECE_BYTES).unwrap());
}

#[divan::bench]
fn tail(bencher: Bencher) {
    let stream = printed();
    bencher
        .counter(BytesCount::new(PIECE_BYTES))
        .bench(|| stream.tail(PIECE_BYTES).unwrap());
}

/// What is decoded and cleaned: a name and the text that is repeated.
const TEXTS: &[(&str, &[u8])] = &[
    ("letters", b"   Compiling ostler v0.1.0 (host/terminal)\n"),
    (
        "colours",
        b"\x1b[1m\x1b[32m   Compiling\x1b[0m ostler v0.1.0\r\n",
    ),
    ("frames", b"\rBuilding [=====>      ] 12/96: ostler\x1b[K"),
    ("umlauts", "Übersetze Prüfstände für Größen\n".as_bytes()),
    ("no text", b"\x7fELF\x02\x01\x01\0\0\xff\xfe\x80"),
];

fn text(name: &str) -> Vec<u8> {
    let (_, text) = TEXTS.iter().find(|(known, _)| *known == name).unwrap();
    text.repeat(PIECE_BYTES / text.len())
}

#[divan::bench(args = TEXTS.iter().map(|(name, _)| name))]
fn decode(bencher: Bencher, name: &str) {
    let bytes = text(name);
    let chunk = || Chunk {
        offset: ByteOffset::START,
        next_offset: ByteOffset(bytes.len() as u64),
        bytes: bytes.clone(),
        skipped: 0,
        gap_follows: false,
        eof: false,
    };
    bencher
        .counter(BytesCount::new(bytes.len()))
        .with_inputs(chunk)
        .bench_values(Chunk::into_text);
}

#[divan::bench(args = TEXTS.iter().map(|(name, _)| name))]
fn view(bencher: Bencher, name: &str) {
    let text = String::from_utf8_lossy(&text(name)).into_owned();
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| plain(&text).len());
}
