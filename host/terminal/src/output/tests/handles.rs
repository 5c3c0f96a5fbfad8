//! Tests of retained output.

use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::fixture::{printed, space};
use crate::output::handles::Shelf;
use crate::output::{
    ByteOffset, Capacity, Handle, HandleLimits, Handles, LookupError, RetainError, Retained, Stream,
};

const SECOND: Duration = Duration::from_secs(1);

/// An ended command that printed so many bytes, in memory.
fn output(bytes: usize) -> Retained {
    let stdout = Arc::new(printed(Capacity::default(), &vec![b'x'; bytes]));
    let stderr = Arc::new(printed(Capacity::default(), b""));
    stdout.close();
    stderr.close();
    Retained { stdout, stderr }
}

fn new_handle() -> Handle {
    Handle::draw(&File::open("/dev/urandom").unwrap()).unwrap()
}

/// A shelf for three outputs of 10,000 bytes.
fn small_shelf() -> Shelf {
    Shelf::new(HandleLimits {
        memory_bytes: 34_000,
        ..HandleLimits::default()
    })
}

fn put(shelf: &mut Shelf, bytes: usize, now: Instant) -> Handle {
    let handle = new_handle();
    shelf.put(handle, output(bytes), now).unwrap();
    handle
}

fn reason(shelf: &mut Shelf, handle: Handle, now: Instant) -> Option<LookupError> {
    shelf.get(handle, now).1.err()
}

#[test]
fn a_handle_is_out_and_sixteen_hexadecimal_digits_and_no_two_are_alike() {
    let handles: std::collections::HashSet<Handle> = (0..100).map(|_| new_handle()).collect();
    assert_eq!(handles.len(), 100);
    for handle in handles {
        let text = handle.to_string();
        assert!(text.len() == 20 && text.starts_with("out_"), "{text}");
        assert_eq!(text.parse(), Ok(handle));
    }
}

#[test]
fn what_is_no_handle_is_told_apart_from_an_unknown_one() {
    for text in [
        "",
        "out_",
        "out_123",
        "OUT_0123456789abcdef",
        "out_0123456789ABCDEF",
        "out_+123456789abcdef",
        "out_0123456789abcdef0",
        " out_0123456789abcdef",
        "out_012345678é abcde",
    ] {
        assert!(text.parse::<Handle>().is_err(), "{text:?}");
    }
    let store = Handles::new(HandleLimits::default()).unwrap();
    let never = "out_0123456789abcdef".parse().unwrap();
    assert_eq!(store.get(never).unwrap_err(), LookupError::Unknown);
}

#[test]
fn retained_output_reads_by_stream_and_combined() {
    let (_directory, space) = space(1 << 20);
    let stream = || Arc::new(Stream::new(Capacity::default(), Some(Arc::clone(&space))));
    let (stdout, stderr) = (stream(), stream());
    assert!(stdout.append(&vec![b'o'; 100_000]) && stderr.append(b"oops"));
    let store = Handles::new(HandleLimits::default()).unwrap();
    let handle = store.retain(Retained { stdout, stderr }).unwrap();
    let found = store.get(handle).unwrap();
    assert_eq!(found.stdout.memory_bytes(), 0, "moved to disk");
    let chunk = found.stdout.read(ByteOffset(99_990), 100).unwrap();
    assert_eq!((chunk.bytes.len(), chunk.eof), (10, true));
    assert_eq!(
        found.stderr.read(ByteOffset::START, 100).unwrap().bytes,
        b"oops"
    );
    assert_eq!(found.combined().total_bytes(), 100_000 + 4 + 19 + 20);
}

#[test]
fn the_time_to_live_counts_from_the_last_read() {
    let (mut shelf, start) = (small_shelf(), Instant::now());
    let (read, unread) = (put(&mut shelf, 10, start), put(&mut shelf, 10, start));
    assert_eq!(reason(&mut shelf, read, start + 200 * SECOND), None);
    assert_eq!(reason(&mut shelf, read, start + 499 * SECOND), None);
    assert_eq!(
        reason(&mut shelf, unread, start + 499 * SECOND),
        Some(LookupError::Expired)
    );
    assert_eq!(
        reason(&mut shelf, read, start + 799 * SECOND),
        Some(LookupError::Expired)
    );
}

#[test]
fn the_least_recently_read_makes_room() {
    let (mut shelf, now) = (small_shelf(), Instant::now());
    let [a, b, c] = [(); 3].map(|()| put(&mut shelf, 10_000, now));
    assert_eq!(reason(&mut shelf, a, now), None);
    let d = put(&mut shelf, 10_000, now);
    assert_eq!(reason(&mut shelf, b, now), Some(LookupError::Evicted));
    for kept in [a, c, d] {
        assert_eq!(reason(&mut shelf, kept, now), None);
    }
}

#[test]
fn an_output_larger_than_the_budget_is_refused_and_evicts_nobody() {
    let (mut shelf, now) = (small_shelf(), Instant::now());
    let small = put(&mut shelf, 10_000, now);
    let refused = shelf.put(new_handle(), output(100_000), now);
    let Err(RetainError::TooLarge { bytes, limit }) = refused else {
        panic!("{refused:?}")
    };
    assert!(bytes > 100_000 && limit == 34_000);
    assert_eq!(reason(&mut shelf, small, now), None);
}

#[test]
fn disk_space_has_a_budget_of_its_own() {
    let (_directory, space) = space(16 << 20);
    let store = Handles::new(HandleLimits {
        disk_bytes: 1 << 20,
        ..HandleLimits::default()
    })
    .unwrap();
    let retain = |bytes: usize| {
        let Retained { stderr, .. } = output(0);
        let stdout = Arc::new(Stream::new(Capacity::default(), Some(Arc::clone(&space))));
        assert!(stdout.append(&vec![b'x'; bytes]));
        store.retain(Retained { stdout, stderr })
    };
    let first = retain(600_000).unwrap();
    let second = retain(600_000).unwrap();
    assert_eq!(store.get(first).unwrap_err(), LookupError::Evicted);
    assert!(matches!(
        retain(3 << 20),
        Err(RetainError::TooLarge {
            limit: 0x10_0000,
            ..
        })
    ));
    assert!(store.get(second).is_ok());
    assert!(space.in_use_bytes() <= 1 << 20);
    drop(store);
    assert_eq!(space.in_use_bytes(), 0);
}

#[test]
fn many_retained_outputs_cost_next_to_no_memory() {
    let (_directory, space) = space(1 << 30);
    let store = Handles::new(HandleLimits::default()).unwrap();
    let handles: Vec<Handle> = (0..150)
        .map(|_| {
            let Retained { stderr, .. } = output(0);
            let stdout = Arc::new(Stream::new(Capacity::default(), Some(Arc::clone(&space))));
            assert!(stdout.append(&vec![b'x'; 1 << 20]));
            store.retain(Retained { stdout, stderr }).unwrap()
        })
        .collect();
    let found: Vec<Retained> = handles.into_iter().map(|h| store.get(h).unwrap()).collect();
    assert_eq!(
        found
            .iter()
            .map(|output| output.stdout.memory_bytes())
            .sum::<usize>(),
        0
    );
    assert!(
        found
            .iter()
            .all(|output| output.stdout.totals().kept == 1 << 20)
    );
}

#[test]
fn only_so_many_gone_handles_are_remembered() {
    let (mut shelf, start) = (small_shelf(), Instant::now());
    let old = put(&mut shelf, 0, start);
    shelf.sweep(start + 300 * SECOND);
    assert_eq!(reason(&mut shelf, old, start), Some(LookupError::Expired));
    for _ in 0..1024 {
        put(&mut shelf, 0, start);
        shelf.sweep(start + 300 * SECOND);
    }
    assert_eq!(reason(&mut shelf, old, start), Some(LookupError::Unknown));
}

#[test]
fn the_reasons_read_as_sentences() {
    let texts = [
        LookupError::Unknown,
        LookupError::Expired,
        LookupError::Evicted,
    ];
    assert_eq!(
        texts.map(|error| error.to_string()),
        [
            "there is no output with this handle",
            "the output with this handle was not read for too long and has been forgotten",
            "the output with this handle had to make room for newer output",
        ]
    );
    assert_eq!(
        RetainError::TooLarge { bytes: 9, limit: 5 }.to_string(),
        "output of 9 bytes is more than the 5 bytes that may be retained"
    );
}
