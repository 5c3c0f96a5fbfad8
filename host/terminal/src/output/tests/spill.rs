//! Tests of what goes to disk, and of what happens when it cannot.

use std::fs::{self, File};
use std::sync::Arc;

use nix::errno::Errno;

use super::fixture::{capacity, pages, space};
use crate::output::{
    ByteOffset, Capacity, EXTENT_BYTES, ReadError, SpillSpace, SpillState, Stream,
};

/// Bytes that tell where they are.
fn pattern(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i % 251) as u8).collect()
}

fn spilling(size: Capacity, space: &Arc<SpillSpace>) -> Stream {
    Stream::new(size, Some(Arc::clone(space)))
}

#[test]
fn nothing_touches_the_disk_until_the_ring_overflows() {
    let (directory, space) = space(1 << 20);
    let stream = spilling(capacity(100, 1000, 1 << 20), &space);
    assert!(stream.append(&pattern(1100)));
    assert_eq!(stream.totals().spill, SpillState::Unused);
    assert_eq!(space.in_use_bytes(), 0);
    assert!(stream.append(b"x"));
    assert_eq!(stream.totals().spill, SpillState::Active { bytes: 250 });
    assert_eq!(
        fs::read_dir(directory.path()).unwrap().count(),
        0,
        "the file has no name"
    );
}

#[test]
fn a_stream_within_its_quota_can_be_read_from_its_first_byte() {
    let (_directory, space) = space(16 << 20);
    let stream = spilling(capacity(1000, 100_000, 8 << 20), &space);
    let written = pattern(5_000_000);
    for piece in written.chunks(65_536) {
        assert!(stream.append(piece));
    }
    stream.close();
    assert_eq!(stream.totals().dropped, 0);
    assert!(stream.read(ByteOffset::START, usize::MAX).unwrap().bytes == written);
    let paged: Vec<u8> = pages(|from| stream.read(from, 99_999).unwrap())
        .into_iter()
        .flat_map(|c| c.bytes)
        .collect();
    assert!(paged == written);
}

#[test]
fn a_used_up_quota_of_the_stream_drops_the_middle_and_counts_it() {
    let (_directory, space) = space(1 << 20);
    let stream = spilling(capacity(10, 100, 1000), &space);
    let written = pattern(5000);
    assert!(stream.append(&written));
    let totals = stream.totals();
    assert_eq!(
        totals.spill,
        SpillState::Full {
            at: ByteOffset(1010)
        }
    );
    assert_eq!((totals.kept, totals.dropped), (1110 - 10, 5000 - 1100));
    let before = stream.read(ByteOffset::START, 5000).unwrap();
    assert_eq!(
        (before.bytes.as_slice(), before.gap_follows),
        (&written[..1010], true)
    );
    let behind = stream.read(before.next_offset, 5000).unwrap();
    assert_eq!(
        (behind.skipped, behind.bytes.as_slice()),
        (totals.dropped, &written[4910..])
    );
}

#[test]
fn a_used_up_shared_quota_fills_the_next_stream_and_comes_back_on_drop() {
    let (_directory, space) = space(2 * EXTENT_BYTES + 5);
    let size = capacity(0, 4, 1 << 30);
    let first = spilling(size, &space);
    assert!(first.append(&pattern(3 * EXTENT_BYTES as usize)));
    assert_eq!(
        first.totals().spill,
        SpillState::Full {
            at: ByteOffset(2 * EXTENT_BYTES)
        }
    );
    let second = spilling(size, &space);
    assert!(second.append(b"abcdefghij"));
    assert_eq!(
        second.totals().spill,
        SpillState::Full { at: ByteOffset(0) }
    );
    drop(first);
    assert_eq!(space.in_use_bytes(), 0);
    let third = spilling(size, &space);
    assert!(third.append(b"abcdefghij"));
    assert_eq!(third.totals().spill, SpillState::Active { bytes: 6 });
    assert!(second.append(b"klm"));
    assert_eq!(
        second.totals().spill,
        SpillState::Full { at: ByteOffset(0) },
        "one gap, not two"
    );
}

#[test]
fn streams_that_share_the_space_keep_their_bytes_apart() {
    let (_directory, space) = space(64 << 20);
    let size = capacity(10, 1000, 1 << 30);
    let mut streams: Vec<_> = (0..8).map(|_| spilling(size, &space)).collect();
    for round in 0..40 {
        for (number, stream) in streams.iter().enumerate() {
            assert!(stream.append(&vec![number as u8; 10_000]));
        }
        if round == 20 {
            // Leaves holes that the others then use.
            streams[3] = spilling(size, &space);
        }
    }
    for (number, stream) in streams.iter().enumerate() {
        let chunk = stream.read(ByteOffset::START, usize::MAX).unwrap();
        assert_eq!(chunk.bytes.len() as u64, stream.totals().produced);
        assert!(chunk.bytes.iter().all(|&byte| byte == number as u8));
    }
    drop(streams);
    assert_eq!(space.in_use_bytes(), 0);
}

#[test]
fn a_directory_that_vanished_before_the_first_use_turns_spilling_off_and_the_ring_goes_on() {
    let (directory, space) = space(1 << 20);
    fs::remove_dir(directory.path()).unwrap();
    let stream = spilling(capacity(10, 100, 1 << 20), &space);
    let written = pattern(1000);
    assert!(stream.append(&written));
    let totals = stream.totals();
    assert_eq!(
        totals.spill,
        SpillState::Failed {
            error: Errno::ENOENT,
            at: ByteOffset(10)
        }
    );
    assert_eq!((totals.kept, totals.dropped), (110 - 10, 900));
    assert_eq!(stream.tail(90).unwrap().bytes, &written[910..]);
    fs::create_dir(directory.path()).unwrap();
    let next = spilling(capacity(10, 100, 1 << 20), &space);
    assert!(next.append(&written));
    assert_eq!(next.totals().dropped, 0, "the next stream tries again");
}

#[test]
fn a_directory_that_is_removed_in_use_does_no_harm() {
    let (directory, space) = space(1 << 20);
    let stream = spilling(capacity(10, 100, 1 << 20), &space);
    let written = pattern(1000);
    assert!(stream.append(&written[..500]));
    fs::remove_dir(directory.path()).unwrap();
    assert!(stream.append(&written[500..]));
    assert_eq!(stream.read(ByteOffset::START, 1000).unwrap().bytes, written);
}

#[test]
fn a_directory_where_nothing_can_be_created_turns_spilling_off() {
    let space = Arc::new(SpillSpace::new("/proc/self", 1 << 20));
    let stream = spilling(capacity(10, 100, 1 << 20), &space);
    assert!(stream.append(&pattern(1000)));
    let SpillState::Failed {
        at: ByteOffset(10), ..
    } = stream.totals().spill
    else {
        panic!("{:?}", stream.totals());
    };
    assert_eq!(stream.totals().produced, 1000);
    assert_eq!(space.in_use_bytes(), 0);
}

#[test]
fn a_full_disk_turns_spilling_off_and_says_where() {
    let full = File::options()
        .read(true)
        .write(true)
        .open("/dev/full")
        .unwrap();
    let space = Arc::new(SpillSpace::in_file(full));
    let stream = spilling(capacity(10, 100, 1 << 20), &space);
    assert!(stream.append(&pattern(1000)));
    let totals = stream.totals();
    assert_eq!(
        totals.spill,
        SpillState::Failed {
            error: Errno::ENOSPC,
            at: ByteOffset(10)
        }
    );
    assert_eq!((totals.kept, totals.dropped), (100, 900));
}

#[test]
fn bytes_that_cannot_be_read_back_are_an_error_and_not_lost_in_silence() {
    let directory = tempfile::tempdir().unwrap();
    let write_only = File::create(directory.path().join("spill")).unwrap();
    let stream = spilling(
        capacity(10, 100, 1 << 20),
        &Arc::new(SpillSpace::in_file(write_only)),
    );
    assert!(stream.append(&pattern(1000)));
    let ReadError::Spill { offset, source } = stream.read(ByteOffset::START, 500).unwrap_err();
    assert_eq!(
        (offset, source.raw_os_error()),
        (ByteOffset(10), Some(libc::EBADF))
    );
    let message = stream.read(ByteOffset(20), 5).unwrap_err().to_string();
    assert!(message.starts_with("spilled output from offset 20 on cannot be read back: "));
    assert_eq!(
        stream.head(10).unwrap().bytes,
        pattern(10),
        "what is in memory is not affected"
    );
    assert_eq!(stream.totals().dropped, 0);
}

#[test]
fn an_ended_stream_moves_to_disk_and_reads_the_same() {
    let (_directory, space) = space(16 << 20);
    for length in [40_000, 100_000, 1_000_000, 3_000_001] {
        let stream = spilling(capacity(30_000, 500_000, 8 << 20), &space);
        let written = pattern(length);
        assert!(stream.append(&written));
        stream.move_to_disk();
        assert!(stream.memory_bytes() > 0, "only once it has ended");
        stream.close();
        stream.move_to_disk();
        assert_eq!(stream.memory_bytes(), 0);
        let totals = stream.totals();
        assert_eq!((totals.kept, totals.dropped), (length as u64, 0));
        assert!(stream.read(ByteOffset::START, usize::MAX).unwrap().bytes == written);
        assert_eq!(stream.head(100).unwrap().bytes, written[..100]);
        assert_eq!(stream.tail(100).unwrap().bytes, written[length - 100..]);
        assert_eq!(
            stream.read(ByteOffset(39_990), 10).unwrap().bytes,
            written[39_990..40_000]
        );
    }
    assert_eq!(space.in_use_bytes(), 0);
}

#[test]
fn a_stream_that_cannot_move_to_disk_stays_as_it_is_and_takes_no_space() {
    let (_directory, space) = space(4 * EXTENT_BYTES);
    let stream = spilling(capacity(300_000, 100_000, 8 << 20), &space);
    let written = pattern(500_000);
    assert!(stream.append(&written));
    stream.close();
    let before = (stream.totals(), space.in_use_bytes());
    stream.move_to_disk();
    assert_eq!((stream.totals(), space.in_use_bytes()), before);
    assert!(stream.read(ByteOffset::START, usize::MAX).unwrap().bytes == written);
}

#[test]
fn a_small_stream_is_not_worth_an_extent() {
    let (_directory, space) = space(1 << 20);
    let stream = spilling(Capacity::default(), &space);
    assert!(stream.append(b"abc"));
    stream.close();
    stream.move_to_disk();
    assert_eq!((stream.disk_bytes(), space.in_use_bytes()), (0, 0));
}
