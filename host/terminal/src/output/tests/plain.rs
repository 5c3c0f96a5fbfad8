//! Tests of the view for people and models.

use std::borrow::Cow;

use super::fixture::Dice;
use crate::output::plain;

/// What a program prints and what is shown of it.
const SHOWN: &[(&str, &str, &str)] = &[
    (
        "colours",
        "\x1b[1;31merror\x1b[0m: \x1b[38:5:4mx\x1b[m",
        "error: x",
    ),
    (
        "colours of grep",
        "a\x1b[01;31m\x1b[Kb\x1b[m\x1b[K c  \n",
        "ab c  \n",
    ),
    (
        "a title",
        "\x1b]0;title; \u{2026}\x07a\x1b]2;b\x1b\\c",
        "ac",
    ),
    ("a link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"),
    (
        "a title without an end takes its line only",
        "a\x1b]0;title\nb\n",
        "a\nb\n",
    ),
    (
        "a string for a device",
        "\x1bP1$r0m\x1b\\a\x1b_b\x1b\\c\x1b^d\x1b\\e",
        "ace",
    ),
    ("a character set", "\x1b(Ba\x1b)0b\x1b7c\x1b8", "abc"),
    ("a sequence that is cut off", "a\x1b[3", "a"),
    (
        "the mouse and the other screen",
        "\x1b[?1049h\x1b[?1003hX",
        "X",
    ),
    ("a clear screen", "\x1b[H\x1b[2JX", "X"),
    ("CRLF", "a\r\nb\r\n\r\n", "a\nb\n\n"),
    ("CR CR LF", "a\r\r\nb", "a\nb"),
    ("a frame over a longer one", "12345\rab", "ab345"),
    (
        "a frame over a longer one on a line",
        "x\n12345\rab\ny",
        "x\nab345\ny",
    ),
    ("a frame before the line end", "a\rb\r\nc\r", "b\nc"),
    ("a frame that erases the rest", "12345\rab\x1b[K", "ab"),
    ("erase, then a frame", "12345\r\x1b[Kab", "ab"),
    ("a line erased as a whole", "12345\x1b[2K\rab", "ab"),
    ("a line erased below", "12345\r\x1b[0Jab", "ab"),
    ("a frame wiped with blanks", "12345\r     \rab", "ab"),
    ("a line wiped for good", "12345\r     \r\nx", "\nx"),
    ("blanks that nothing wiped", "ab  \x1b[m\n  ", "ab  \n  "),
    ("a column", "12345\x1b[1Gab\x1b[4Gd", "ab3d5"),
    ("steps", "12345\x1b[3Da\x1b[Cb", "12a4b"),
    ("a gap", "ab\x1b[60G[ OK ]", "ab [ OK ]"),
    ("a step to another line", "a\nb\x1b[1A\x1b[1Bc", "a\nbc"),
    ("backspaces", "abc\x08\x08X", "aXc"),
    ("more backspaces than characters", "a\x08\x08\x08b", "b"),
    (
        "bold and underlined by overstriking",
        "b\x08bo\x08o _\x08x",
        "bo x",
    ),
    ("a spinner", "|\x08/\x08-\x08\\\x08done", "done"),
    ("tabs", "a\tb\n", "a\tb\n"),
    ("a tab over a frame", "1234567890\ra\tb", "a2345678b0"),
    ("a tab after a colour", "\x1b[1ma\x1b[m\tb", "a\tb"),
    (
        "other control characters",
        "\x00a\x01\x07\x0b\x0cb\x0e\x0f\x7fc",
        "abc",
    ),
    (
        "control characters of eight bits",
        "a\u{9b}31mb\u{85}c",
        "a31mbc",
    ),
    (
        "other letters",
        "\x1b[1mäö你\u{1F980}\x1b[m\r\u{20ac}",
        "€ö你\u{1F980}",
    ),
    ("nothing", "", ""),
];

#[test]
fn what_a_terminal_would_show_of_each_line_is_shown() {
    for (what, printed, expected) in SHOWN {
        assert_eq!(plain(printed), *expected, "{what}: {printed:?}");
    }
}

#[test]
fn a_text_without_control_characters_is_not_copied() {
    assert!(matches!(plain("a\tb\nc  äö\n"), Cow::Borrowed(_)));
}

#[test]
fn a_log_of_frames_alone_ends_with_the_last_one() {
    let frames: String = (1..=40_000).map(|i| format!("step {i}\r")).collect();
    assert_eq!(plain(&frames), "step 40000");
}

#[test]
fn a_progress_bar_shows_its_final_state() {
    let frames: String = (1..=100).map(|i| format!("\rProgress {i}%")).collect();
    assert_eq!(plain(&(frames + "\n")), "Progress 100%\n");
}

#[test]
fn no_text_becomes_longer_or_keeps_a_control_character_or_loses_a_line() {
    let pieces = [
        "a",
        "é",
        "🐎",
        " ",
        "\t",
        "\n",
        "\r",
        "\x08",
        "\x1b",
        "\x1b[",
        "0",
        "9",
        ";",
        "K",
        "C",
        "G",
        "\x1b[2K",
        "\x1b[65535C",
        "\x1b]",
        "\x07",
        "\x1bP",
        "\x1b\\",
        "\u{9c}",
        "\x18",
        "\x7f",
    ];
    for seed in 0..2000 {
        let mut dice = Dice::new(seed);
        let text: String = (0..80).map(|_| pieces[dice.below(pieces.len())]).collect();
        let view = plain(&text);
        assert!(view.len() <= text.len(), "{text:?} became {view:?}");
        let is_clean = |c: char| !c.is_control() || c == '\n' || c == '\t';
        assert!(view.chars().all(is_clean), "{text:?} became {view:?}");
        let lines = |text: &str| text.matches('\n').count();
        assert_eq!(lines(&view), lines(&text), "{text:?} became {view:?}");
        assert_eq!(plain(&view), view, "a view of a view is the same");
    }
}

#[test]
fn a_long_line_of_anything_takes_linear_time() {
    for piece in [
        "\x1b[2Ka",
        "ab\r",
        "a\x1b[65535Cb",
        "a\x08",
        "\x1b]0;",
        "\x1b[1K",
        "a\x1b[K\r",
        "\r\t",
    ] {
        let text = format!("{}{}", "x".repeat(200_000), piece.repeat(200_000));
        assert!(plain(&text).len() <= text.len());
    }
}
