//! Tests of decoding and of cutting on character boundaries.

use super::fixture::{Dice, capacity, printed};
use crate::output::text::{cut_head, cut_tail, decode};
use crate::output::{ByteOffset, Capacity, Stream, Text};

const MIXED: &str = "aé→🐎z\u{1}\u{1b}\u{fffd}猫";

/// All the text of a stream, `max_bytes` at a time.
fn paged(stream: &Stream, max_bytes: usize) -> (String, bool) {
    let (mut text, mut lossless, mut from) = (String::new(), true, ByteOffset::START);
    loop {
        let page: Text = stream.read_text(from, max_bytes).unwrap();
        assert!(
            page.eof || page.next_offset > from,
            "reading stands still at {page:?}"
        );
        text.push_str(&page.text);
        lossless &= page.lossless;
        from = page.next_offset;
        if page.eof {
            return (text, lossless);
        }
    }
}

#[test]
fn a_cut_never_splits_a_character_and_loses_at_most_three_bytes() {
    let bytes = MIXED.as_bytes();
    for max_bytes in 0..bytes.len() + 3 {
        let (head, tail) = (cut_head(bytes, max_bytes), cut_tail(bytes, max_bytes));
        for part in [head, tail] {
            assert!(std::str::from_utf8(part).is_ok());
            assert!(part.len() <= max_bytes && part.len() + 3 >= max_bytes.min(bytes.len()));
        }
        assert!(bytes.starts_with(head) && bytes.ends_with(tail));
    }
}

#[test]
fn what_is_no_text_is_cut_at_the_very_byte() {
    let continuations = [0x80; 20];
    assert_eq!(cut_head(&continuations, 7).len(), 7);
    assert_eq!(cut_tail(&continuations, 7).len(), 7);
    let overlong = [
        0xC0, 0xAF, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0xF5, 0x80, 0x80, 0x80,
    ];
    for max_bytes in [2, 5, 6, 7, 8, 10, 11] {
        let head = cut_head(&overlong, max_bytes);
        // 0xED alone may still become a character; with 0xA0 it cannot.
        assert!(
            head.len() == max_bytes || max_bytes == 6,
            "{max_bytes}: {head:x?}"
        );
    }
    for max_bytes in 0..=overlong.len() {
        assert_eq!(cut_tail(&overlong, max_bytes).len(), max_bytes);
    }
}

#[test]
fn decoding_says_whether_it_was_exact() {
    assert_eq!(decode(MIXED.into()), (MIXED.into(), true));
    assert_eq!(decode(b"caf\xe9".to_vec()), ("caf\u{fffd}".into(), false));
    assert_eq!(
        decode("a real \u{fffd}".into()),
        ("a real \u{fffd}".into(), true)
    );
}

#[test]
fn a_nul_is_shown_as_a_symbol_and_offsets_go_on_counting_bytes() {
    assert_eq!(decode(b"a\0\0b".to_vec()), ("a␀␀b".into(), false));
    assert_eq!(decode(b"\0\xff".to_vec()), ("␀\u{fffd}".into(), false));
    assert_eq!(decode("a real ␀".into()), ("a real ␀".into(), true));
    let stream = printed(Capacity::default(), "é\0\0🐎\0".as_bytes());
    let text = stream.read_text(ByteOffset::START, 4).unwrap();
    assert_eq!(
        (text.text.as_str(), text.next_offset),
        ("é␀␀", ByteOffset(4))
    );
    let text = stream.read_text(text.next_offset, 4).unwrap();
    assert_eq!((text.text.as_str(), text.lossless), ("🐎", true));
    let text = stream.read_text(text.next_offset, 4).unwrap();
    assert_eq!((text.text.as_str(), text.next_offset), ("␀", ByteOffset(9)));
}

#[test]
fn an_incomplete_character_waits_for_its_rest() {
    let horse = "🐎".as_bytes();
    let stream = printed(Capacity::default(), &horse[..3]);
    let text = stream.read_text(ByteOffset::START, 100).unwrap();
    assert_eq!((text.text.as_str(), text.lossless), ("", true));
    assert_eq!(
        (text.next_offset, text.awaits),
        (ByteOffset(0), ByteOffset(3))
    );
    assert!(stream.append(&horse[3..]));
    let text = stream.read_text(text.next_offset, 100).unwrap();
    assert_eq!(
        (text.text.as_str(), text.next_offset),
        ("🐎", ByteOffset(4))
    );
}

#[test]
fn a_character_without_its_rest_is_replaced_at_the_end() {
    let stream = printed(Capacity::default(), b"a\xf0\x9f\x90");
    stream.close();
    let text = stream.read_text(ByteOffset::START, 100).unwrap();
    assert_eq!(
        (text.text.as_str(), text.lossless, text.eof),
        ("a\u{fffd}", false, true)
    );
}

#[test]
fn a_character_whose_rest_is_gone_is_replaced_and_reading_goes_on() {
    let stream = printed(capacity(3, 4, 0), "ab🐎cdefghij".as_bytes());
    stream.close();
    assert_eq!(paged(&stream, 100), ("ab\u{fffd}ghij".into(), false));
}

#[test]
fn pages_of_any_size_join_to_the_whole_text() {
    let text = MIXED.repeat(50);
    let stream = printed(Capacity::default(), text.as_bytes());
    stream.close();
    for max_bytes in 0..40 {
        assert_eq!(paged(&stream, max_bytes), (text.clone(), true));
    }
}

#[test]
fn pages_of_arbitrary_bytes_join_to_what_decoding_the_whole_gives() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let pieces: [&[u8]; 7] = [
            b"a",
            "é".as_bytes(),
            "→".as_bytes(),
            "🐎".as_bytes(),
            b"\x80",
            b"\xf0\x9f",
            b"\xed\xa0",
        ];
        let bytes: Vec<u8> = (0..60)
            .flat_map(|_| pieces[dice.below(7)])
            .copied()
            .collect();
        let stream = printed(Capacity::default(), &bytes);
        stream.close();
        let (text, lossless) = paged(&stream, dice.below(12));
        assert_eq!(text, String::from_utf8_lossy(&bytes));
        assert!(!lossless || std::str::from_utf8(&bytes).is_ok());
    }
}

#[test]
fn head_and_tail_of_a_stream_keep_characters_whole() {
    let text = MIXED.repeat(3);
    let stream = printed(Capacity::default(), text.as_bytes());
    stream.close();
    for max_bytes in 0..text.len() {
        let head = stream.head(max_bytes).unwrap();
        assert_eq!(head.bytes, cut_head(text.as_bytes(), max_bytes));
        assert_eq!(head.next_offset.0, head.bytes.len() as u64);
        let tail = stream.tail(max_bytes).unwrap();
        assert_eq!(tail.bytes, cut_tail(text.as_bytes(), max_bytes));
        assert_eq!(tail.next_offset.0, text.len() as u64);
        let preview = stream.preview(max_bytes, 9).unwrap();
        let shown = (preview.head.bytes.len() + preview.tail.bytes.len()) as u64;
        assert_eq!(shown + preview.omitted, text.len() as u64);
        assert!(std::str::from_utf8(&preview.tail.bytes).is_ok());
    }
}
