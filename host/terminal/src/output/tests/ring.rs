//! Tests of the ring alone.

use super::fixture::Dice;
use crate::output::ring::Ring;

#[test]
fn what_leaves_and_what_stays_is_everything_in_order() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let capacity = 1 + dice.below(200);
        let mut ring = Ring::new(capacity);
        let (mut written, mut left) = (Vec::new(), Vec::new());
        for _ in 0..50 {
            let count = dice.below(2 * capacity);
            let bytes = dice.bytes(count);
            written.extend_from_slice(&bytes);
            ring.push(&bytes, |offset, block| {
                assert_eq!(offset, left.len() as u64);
                left.extend_from_slice(block);
            });
            let range = ring.range();
            assert_eq!(
                (range.start, range.end),
                (left.len() as u64, written.len() as u64)
            );
            assert!(range.end - range.start <= capacity as u64);
            let mut kept = vec![0; (range.end - range.start) as usize];
            ring.copy_to(range.start, &mut kept);
            assert_eq!([left.as_slice(), &kept].concat(), written);
            let from_blocks: Vec<u8> = ring
                .blocks()
                .flat_map(|(_, block)| block)
                .copied()
                .collect();
            assert_eq!(from_blocks, kept);
        }
    }
}

#[test]
fn a_full_ring_holds_at_least_three_quarters_of_its_capacity() {
    for capacity in [4, 5, 63, 1000, 300_000, 4 << 20] {
        let mut ring = Ring::new(capacity);
        ring.push(&vec![1; 2 * capacity + 1], |_, _| {});
        let range = ring.range();
        assert!(
            4 * (range.end - range.start) as usize >= 3 * (capacity - 3),
            "{capacity}: {range:?}"
        );
    }
}

#[test]
fn memory_is_taken_as_it_is_used_and_given_back() {
    let mut ring = Ring::new(4 << 20);
    assert_eq!(ring.memory_bytes(), 0);
    ring.push(b"abc", |_, _| {});
    assert_eq!(ring.memory_bytes(), 64 << 10);
    ring.push(&vec![0; 10 << 20], |_, _| {});
    assert_eq!(ring.memory_bytes(), 4 << 20);
    ring.restart_at(7);
    assert_eq!((ring.memory_bytes(), ring.range()), (0, 7..7));
}
