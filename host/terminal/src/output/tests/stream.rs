//! Tests of one stream against a plain vector.

use std::future::{self, Future};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread;

use super::fixture::{Dice, capacity, pages, printed, space};
use crate::output::{ByteOffset, Capacity, SpillState, Stream, Totals};

/// Compares everything that a stream says with what was written to it.
fn compare(stream: &Stream, written: &[u8], dice: &mut Dice) {
    let totals = stream.totals();
    let produced = written.len() as u64;
    assert_eq!(totals.produced, produced);
    assert_eq!(totals.kept + totals.dropped, produced);

    for _ in 0..8 {
        let from = dice.below(written.len() + 20) as u64;
        let max_bytes = dice.below(100);
        let chunk = stream.read(ByteOffset(from), max_bytes).unwrap();
        assert_eq!(chunk.offset.0, from.min(produced) + chunk.skipped);
        assert_eq!(
            chunk.next_offset.0,
            chunk.offset.0 + chunk.bytes.len() as u64
        );
        assert!(chunk.bytes.len() <= max_bytes && chunk.next_offset.0 <= produced);
        assert_eq!(
            chunk.bytes,
            written[chunk.offset.0 as usize..chunk.next_offset.0 as usize]
        );
        assert_eq!(chunk.eof, totals.ended && chunk.next_offset.0 == produced);
        assert_eq!(chunk, stream.read(ByteOffset(from), max_bytes).unwrap());
        let again = stream.read(chunk.next_offset, 1).unwrap();
        assert_eq!(again.skipped > 0, chunk.gap_follows);

        let tail = stream.tail(max_bytes).unwrap();
        assert_eq!(tail.next_offset.0, produced);
        assert_eq!(tail.bytes, written[tail.offset.0 as usize..]);
        assert!(tail.bytes.len() <= max_bytes);

        let preview = stream.preview(max_bytes, 10).unwrap();
        assert!(written.starts_with(&preview.head.bytes) || preview.head.skipped > 0);
        assert_eq!(
            preview.tail.offset.0 - preview.head.next_offset.0,
            preview.omitted
        );
        assert_eq!(preview.tail.next_offset.0, produced);
    }

    let (mut kept, mut skipped, mut from) = (0, 0, ByteOffset::START);
    while from.0 < produced {
        let chunk = stream.read(from, 1 + dice.below(80)).unwrap();
        kept += chunk.bytes.len() as u64;
        skipped += chunk.skipped;
        assert!(chunk.next_offset > from);
        from = chunk.next_offset;
    }
    assert_eq!((kept, skipped), (totals.kept, totals.dropped));
}

#[test]
fn any_sequence_of_appends_and_reads_agrees_with_a_plain_vector() {
    let (_directory, space) = space(1 << 30);
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let size = capacity(dice.below(40), 1 + dice.below(64), dice.below(200) as u64);
        let with_space = (seed % 3 != 0).then(|| Arc::clone(&space));
        let stream = Stream::new(size, with_space);
        let mut written = Vec::new();
        for _ in 0..20 {
            let count = dice.below(60);
            let bytes = dice.bytes(count);
            assert!(stream.append(&bytes));
            written.extend_from_slice(&bytes);
            compare(&stream, &written, &mut dice);
        }
        stream.close();
        compare(&stream, &written, &mut dice);
    }
    assert_eq!(space.in_use_bytes(), 0);
}

#[test]
fn blocks_and_extents_that_do_not_line_up_agree_with_a_plain_vector() {
    let (_directory, space) = space(1 << 30);
    for seed in 0..6 {
        let mut dice = Dice::new(seed);
        let size = capacity(dice.below(100_000), 1 + dice.below(300_000), 700_000);
        let stream = Stream::new(size, Some(Arc::clone(&space)));
        let mut written = Vec::new();
        while written.len() < 1_500_000 {
            let count = 1 + dice.below(100_000);
            let bytes = dice.bytes(count);
            assert!(stream.append(&bytes));
            written.extend_from_slice(&bytes);
        }
        stream.close();
        for chunk in pages(|from| stream.read(from, 65_537).unwrap()) {
            assert_eq!(
                chunk.bytes,
                written[chunk.offset.0 as usize..chunk.next_offset.0 as usize]
            );
        }
        let Totals {
            produced,
            kept,
            dropped,
            ..
        } = stream.totals();
        assert_eq!(
            (produced, kept + dropped),
            (written.len() as u64, written.len() as u64)
        );
    }
}

#[test]
fn a_gap_in_the_middle_is_counted_exactly_and_stops_the_read_before_it() {
    let stream = printed(capacity(4, 8, 0), b"headxxxxxxtailtail");
    let head = stream.read(ByteOffset::START, 100).unwrap();
    assert_eq!(
        (head.bytes.as_slice(), head.gap_follows),
        (b"head".as_slice(), true)
    );
    let rest = stream.read(head.next_offset, 100).unwrap();
    assert_eq!(
        (rest.bytes.as_slice(), rest.skipped),
        (b"tailtail".as_slice(), 6)
    );
    let within = stream.read(ByteOffset(7), 100).unwrap();
    assert_eq!((within.offset, within.skipped), (ByteOffset(10), 3));
    assert_eq!(stream.totals().dropped, 6);
}

#[test]
fn the_head_is_the_true_head_whatever_was_printed_later() {
    let (_directory, space) = space(1 << 20);
    let stream = Stream::new(
        Capacity {
            spill_bytes: 1 << 20,
            ..Capacity::default()
        },
        Some(space),
    );
    assert!(stream.append(b"first line\n"));
    for _ in 0..1000 {
        assert!(stream.append(&[b'x'; 64 << 10]));
    }
    assert!(stream.append(b"last line\n"));
    stream.close();
    assert!(
        stream
            .head(100)
            .unwrap()
            .bytes
            .starts_with(b"first line\nxxx")
    );
    assert!(stream.tail(100).unwrap().bytes.ends_with(b"xxxlast line\n"));
    let preview = stream.preview(11, 10).unwrap();
    assert_eq!(preview.head.bytes, b"first line\n");
    assert_eq!(preview.tail.bytes, b"last line\n");
    assert_eq!(preview.omitted, 1000 * (64 << 10));
}

#[test]
fn an_offset_beyond_the_end_leads_to_the_end() {
    let stream = printed(Capacity::default(), b"abc");
    let chunk = stream.read(ByteOffset(u64::MAX), 10).unwrap();
    assert_eq!(
        (chunk.offset, chunk.next_offset),
        (ByteOffset(3), ByteOffset(3))
    );
    assert_eq!((chunk.bytes.len(), chunk.skipped, chunk.eof), (0, 0, false));
    stream.close();
    assert!(stream.read(ByteOffset(99), 10).unwrap().eof);
}

#[test]
fn a_read_of_more_than_there_is_gives_what_there_is() {
    let stream = printed(Capacity::default(), b"abc");
    assert_eq!(
        stream.read(ByteOffset::START, usize::MAX).unwrap().bytes,
        b"abc"
    );
    assert_eq!(stream.head(usize::MAX).unwrap().bytes, b"abc");
    assert_eq!(stream.tail(usize::MAX).unwrap().bytes, b"abc");
}

#[test]
fn all_byte_values_come_back_as_they_were() {
    let all: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let stream = printed(Capacity::default(), &all);
    assert_eq!(
        stream.read(ByteOffset::START, usize::MAX).unwrap().bytes,
        all
    );
}

#[test]
fn after_the_end_nothing_is_taken() {
    let stream = printed(Capacity::default(), b"abc");
    stream.close();
    stream.close();
    assert!(!stream.append(b"def"));
    let totals = stream.totals();
    assert_eq!((totals.produced, totals.kept, totals.ended), (3, 3, true));
}

#[test]
fn a_small_output_costs_little_memory_and_a_large_one_is_bounded() {
    let stream = printed(Capacity::default(), b"abc");
    assert!(stream.memory_bytes() < 64);
    for _ in 0..200 {
        assert!(stream.append(&[0; 70_000]));
    }
    assert!(stream.memory_bytes() <= (4 << 20) + (256 << 10));
}

#[test]
fn no_capacity_at_all_still_counts_exactly() {
    let stream = printed(capacity(0, 0, 0), b"abcdef");
    let totals = stream.totals();
    assert_eq!((totals.produced, totals.kept, totals.dropped), (6, 1, 5));
    assert_eq!(totals.spill, SpillState::Full { at: ByteOffset(0) });
    assert_eq!(stream.tail(6).unwrap().bytes, b"f");
}

#[test]
fn a_tail_that_reaches_into_the_gap_begins_behind_it_and_says_so() {
    let stream = printed(capacity(4, 8, 0), b"headxxxxxxtailtail");
    let tail = stream.tail(11).unwrap();
    assert_eq!(
        (tail.bytes.as_slice(), tail.skipped),
        (b"tailtail".as_slice(), 3)
    );
    assert_eq!(stream.tail(18).unwrap().skipped, 6);
    assert_eq!(stream.tail(4).unwrap().skipped, 0);
}

/// Whether a future is still waiting when it is polled once.
async fn waits(future: impl Future<Output = ()>) -> bool {
    let mut future = pin!(future);
    future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context).is_pending())).await
}

#[tokio::test]
async fn waiting_ends_with_the_next_byte_or_the_end() {
    let stream = printed(Capacity::default(), b"abc");
    assert!(!waits(stream.readable(ByteOffset(2))).await);
    assert!(waits(stream.readable(ByteOffset(3))).await);
    assert!(waits(stream.readable(ByteOffset(1000))).await);
    assert!(waits(stream.closed()).await);

    let mut next = pin!(stream.readable(ByteOffset(1000)));
    assert!(waits(next.as_mut()).await);
    assert!(stream.append(b"d"));
    next.await;

    let mut end = pin!(stream.closed());
    assert!(waits(end.as_mut()).await);
    stream.close();
    end.await;
    assert!(!waits(stream.readable(ByteOffset(1000))).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_waits_sees_every_byte_of_a_concurrent_writer() {
    let (_directory, space) = space(64 << 20);
    let stream = Arc::new(Stream::new(capacity(1000, 4000, 64 << 20), Some(space)));
    let writer = thread::spawn({
        let stream = Arc::clone(&stream);
        move || {
            let (mut dice, mut written) = (Dice::new(5), Vec::new());
            for _ in 0..2000 {
                let count = dice.below(300);
                let bytes = dice.bytes(count);
                assert!(stream.append(&bytes));
                written.extend_from_slice(&bytes);
            }
            stream.close();
            written
        }
    });
    let (mut seen, mut from) = (Vec::new(), ByteOffset::START);
    loop {
        stream.readable(from).await;
        let chunk = stream.read(from, 777).unwrap();
        assert_eq!(chunk.skipped, 0);
        seen.extend_from_slice(&chunk.bytes);
        from = chunk.next_offset;
        if chunk.eof {
            break;
        }
    }
    assert!(seen == writer.join().unwrap());
}

#[test]
fn counts_add_up_at_every_moment_of_a_concurrent_writer() {
    let (_directory, space) = space(1 << 20);
    let stream = Stream::new(capacity(1000, 100_000, 300_000), Some(space));
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..500 {
                assert!(stream.append(&[7; 3001]));
            }
            stream.close();
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let mut ended = false;
                while !ended {
                    let totals = stream.totals();
                    assert_eq!(totals.kept + totals.dropped, totals.produced);
                    let tail = stream.tail(5000).unwrap();
                    assert!(tail.bytes.iter().all(|&byte| byte == 7));
                    ended = totals.ended;
                }
            });
        }
    });
    assert_eq!(stream.totals().produced, 500 * 3001);
}
