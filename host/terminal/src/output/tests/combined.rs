//! Tests of the view of both streams as one text.

use super::fixture::{Dice, capacity, pages, printed};
use crate::output::combined::Combined;
use crate::output::{ByteOffset, Capacity, Stream};

fn ended(bytes: &[u8]) -> Stream {
    let stream = printed(Capacity::default(), bytes);
    stream.close();
    stream
}

#[test]
fn both_streams_stand_under_their_markers() {
    let (stdout, stderr) = (ended(b"hello\n"), ended(b"oops\n"));
    let chunk = Combined::new(&stdout, &stderr)
        .read(ByteOffset::START, 1000)
        .unwrap();
    let expected = "----- stdout -----\nhello\n\n----- stderr -----\noops\n";
    assert_eq!(
        (String::from_utf8(chunk.bytes).unwrap().as_str(), chunk.eof),
        (expected, true)
    );
}

#[test]
fn empty_streams_leave_the_markers() {
    let (stdout, stderr) = (ended(b""), ended(b""));
    let chunk = Combined::new(&stdout, &stderr)
        .read(ByteOffset::START, 1000)
        .unwrap();
    assert_eq!(chunk.bytes, b"----- stdout -----\n\n----- stderr -----\n");
    assert!(chunk.eof);
}

#[test]
fn any_offset_and_size_gives_that_part_of_the_whole() {
    let mut dice = Dice::new(11);
    for _ in 0..300 {
        let (out_bytes, err_bytes) = (dice.below(50), dice.below(50));
        let (out, err) = (dice.bytes(out_bytes), dice.bytes(err_bytes));
        let whole = [
            b"----- stdout -----\n",
            out.as_slice(),
            b"\n----- stderr -----\n",
            &err,
        ]
        .concat();
        let (stdout, stderr) = (ended(&out), ended(&err));
        let combined = Combined::new(&stdout, &stderr);
        assert_eq!(combined.total_bytes(), whole.len() as u64);
        let (from, max_bytes) = (dice.below(whole.len() + 10), dice.below(whole.len() + 10));
        let chunk = combined.read(ByteOffset(from as u64), max_bytes).unwrap();
        let start = from.min(whole.len());
        let end = (start + max_bytes).min(whole.len());
        assert_eq!(chunk.bytes, whole[start..end]);
        assert_eq!(
            (chunk.offset.0, chunk.next_offset.0),
            (start as u64, end as u64)
        );
        assert_eq!((chunk.eof, chunk.skipped), (end == whole.len(), 0));
        let page_bytes = 1 + dice.below(20);
        let paged = pages(|from| combined.read(from, page_bytes).unwrap());
        assert_eq!(
            paged
                .into_iter()
                .flat_map(|page| page.bytes)
                .collect::<Vec<_>>(),
            whole
        );
    }
}

#[test]
fn bytes_that_are_gone_keep_their_place_and_are_counted() {
    let stdout = printed(capacity(4, 8, 0), b"headxxxxxxtailtail");
    let stderr = printed(capacity(0, 4, 0), b"xxxxxxlast");
    stdout.close();
    stderr.close();
    let combined = Combined::new(&stdout, &stderr);
    let pages = pages(|from| combined.read(from, 1000).unwrap());
    let texts: Vec<_> = pages
        .iter()
        .map(|page| String::from_utf8_lossy(&page.bytes))
        .collect();
    assert_eq!(
        texts,
        [
            "----- stdout -----\nhead",
            "tailtail\n----- stderr -----\n",
            "last"
        ]
    );
    assert_eq!(
        pages.iter().map(|page| page.skipped).collect::<Vec<_>>(),
        [0, 6, 6]
    );
    assert_eq!(
        pages
            .iter()
            .map(|page| page.gap_follows)
            .collect::<Vec<_>>(),
        [true, true, false]
    );
    assert_eq!(pages[1].offset, ByteOffset(19 + 10));
    assert_eq!(pages[2].next_offset.0, combined.total_bytes());
}

#[test]
fn paged_text_is_the_text_of_the_whole() {
    let (out, err) = ("grün → 猫 🐎\n".repeat(20), "Fehler: ungültig\n".repeat(3));
    let (stdout, stderr) = (ended(out.as_bytes()), ended(err.as_bytes()));
    let combined = Combined::new(&stdout, &stderr);
    for max_bytes in 0..20 {
        let (mut text, mut from) = (String::new(), ByteOffset::START);
        loop {
            let page = combined.read_text(from, max_bytes).unwrap();
            assert!(page.lossless);
            text.push_str(&page.text);
            from = page.next_offset;
            if page.eof {
                break;
            }
        }
        assert_eq!(
            text,
            format!("----- stdout -----\n{out}\n----- stderr -----\n{err}")
        );
    }
}
