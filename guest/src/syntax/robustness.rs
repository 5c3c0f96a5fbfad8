//! No text makes the analysis panic, overflow its stack or take long.

use std::time::{Duration, Instant};

use super::{parse, unfold_as};
use crate::model::Dialect;
use crate::routing::route;
use crate::stand_in::Sequence;

/// Stack of a component is small; tests run without optimisation, which takes several times as
/// much.
const STACK_BYTES: usize = if cfg!(debug_assertions) {
    4 * 1024 * 1024
} else {
    512 * 1024
};

/// Far above what any text may take on a busy machine without optimisation.
const LONGEST: Duration = Duration::from_secs(10);

/// Analyses a text in every way there is.
fn analyse(text: &str) {
    let _ = parse(text);
    let _ = route(text);
    for dialect in [Dialect::Bash, Dialect::Powershell, Dialect::Cmd] {
        let unfolded = unfold_as(dialect, text);
        for invocation in &unfolded.invocations {
            assert!(invocation.span.start <= invocation.span.end, "{text:?}");
            assert!(invocation.span.end as usize <= text.len(), "{text:?}");
        }
        for opaque in &unfolded.opaque {
            let (start, end) = (opaque.span.start as usize, opaque.span.end as usize);
            let sound = start <= end && text.is_char_boundary(start) && text.is_char_boundary(end);
            assert!(sound, "{text:?}");
        }
    }
}

fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[rustfmt::skip]
const PARTS: [&str; 96] = [
    "a", "rm", "-rf", "x", "é", "\u{1f600}", "\u{a0}", " ", " ", " ", "\t", "\n", "\n", "\r", "'", "\"", "\\", "`", "$", "$(", "${", "$((",
    "$'", "$\"", "((", "))", "(", ")", "{", "}", "[", "]", "[[", "]]", "<", ">", "<<", "<<-", "<<<", "<(", ">(", ">&", "&>",
    "2>", "99999999999>", "|", "|&", "||", "&&", "&", ";", ";;", ";&", "!", "#", "~", "*", "?", "=", "+=", "a=", "a[", "a=(", ",", "..",
    "if ", "then ", "fi", "case ", " in ", "esac", "for ", "do ", "done", "while ", "function ", "f() ", "f", "select ", "time ", "coproc ",
    "bash -c ", "eval ", "sudo ", "xargs ", "ssh h ", "E\n", "%a%", "^", "@'", "\n'@", "<#", "#>", "& ", "iex ", "find . -exec ",
];

#[test]
fn positions_lie_between_characters() {
    for text in [
        "b?s??????\u{610}<p",
        "a?\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}>x",
        "$\u{1f600}\u{1f600}\u{1f600}>x",
    ] {
        analyse(text);
    }
}

#[test]
fn token_soup_is_survived() {
    on_a_small_stack(|| {
        let mut sequence = Sequence::new(1);
        for _ in 0..20_000 {
            analyse(&sequence.soup(&PARTS, 14));
        }
        for _ in 0..300 {
            analyse(&sequence.soup(&PARTS, 400));
        }
    });
}

#[test]
fn byte_soup_is_survived() {
    on_a_small_stack(|| {
        let mut sequence = Sequence::new(2);
        for _ in 0..5_000 {
            let bytes = (0..1 + sequence.below(40))
                .map(|_| sequence.below(256) as u8)
                .collect::<Vec<_>>();
            analyse(&String::from_utf8_lossy(&bytes));
        }
    });
}

#[test]
fn damaged_commands_are_survived() {
    #[derive(serde::Deserialize)]
    struct Row {
        command: String,
    }
    on_a_small_stack(|| {
        let mut sequence = Sequence::new(3);
        let table = include_str!("../../../tests/corpus/destructive.jsonl");
        for line in table.lines().filter(|line| !line.is_empty()) {
            let row: Row = serde_json::from_str(line).unwrap();
            analyse(&row.command);
            for _ in 0..4 {
                let mut characters = row.command.chars().collect::<Vec<_>>();
                let at = sequence.below(characters.len());
                match sequence.below(3) {
                    0 => characters.truncate(at),
                    1 => _ = characters.remove(at),
                    _ => characters
                        .splice(at..at, PARTS[sequence.below(PARTS.len())].chars())
                        .for_each(drop),
                }
                analyse(&characters.into_iter().collect::<String>());
            }
        }
    });
}

#[test]
fn deep_and_long_texts_end_soon() {
    on_a_small_stack(|| {
        let repeated = |part: &str, count: usize| part.repeat(count);
        let mut texts = Vec::new();
        for opener in [
            "(",
            "((",
            "{ ",
            "$(",
            "${a:-",
            "$((",
            "\"$(",
            "`",
            "<(",
            ">(",
            "[",
            "[[ ",
            "a[",
            "a=(",
            "if ",
            "while ",
            "for i in ",
            "case x in a) ",
            "case x in (a) ",
            "f() { ",
            "function f { ",
            "! ",
            "time ",
            "coproc ",
            "eval ",
            "sudo ",
            "bash -c ",
            "env -S ",
            "<<A ",
            "<<-A\n",
            "a|",
            "a&&",
            "a;",
            "a\n",
            "a&",
            "{a,",
            "{1..9}",
            "$a",
            "~",
            "'",
            "\"",
            "\\",
            "\\\n",
            "*",
            "?",
            "a=",
            "2>",
            ">a ",
            "#",
            "# \n",
            "$'\\x",
            "@(",
            "!(",
            "if (",
            "@'",
            "{ iex ",
            "& {",
            "^",
            "%a",
            "%a%",
            "if a==b ",
            "$x = ",
            "a[$((",
            "a[a[",
            "a[(",
            "a[\"",
            "[a",
            "]",
            "x=$x$x;",
            "x+=a;",
            "f() { f; f; }; f;",
            "cd a;",
            "echo a|",
        ] {
            for count in [20, 200, 20_000] {
                texts.push(repeated(opener, count));
                texts.push(format!("{}x", repeated(opener, count)));
            }
        }
        for (open, close) in [
            ("(", ")"),
            ("{ ", "; }"),
            ("$(", ")"),
            ("\"$(", ")\""),
            ("$((", "))"),
            ("${a:-", "}"),
            ("`", "`"),
            ("[[ ", " ]]"),
            ("if a; then ", "; fi"),
            ("while a; do ", "; done"),
            ("case x in a) ", ";; esac"),
            ("case x in a) ", " esac"),
            ("f() { ", "; }; f"),
            ("eval '", "'"),
            ("((", "))"),
            ("$(((", ") ))"),
            ("& { ", " }"),
            ("(dir & ", ")"),
        ] {
            for count in [10, 16, 40, 2_000] {
                texts.push(format!(
                    "{}x{}",
                    repeated(open, count),
                    repeated(close, count)
                ));
            }
        }
        let mut nested = "rm x".to_owned();
        for _ in 0..12 {
            nested = format!("bash -c '{}'", nested.replace('\'', "'\\''"));
        }
        texts.push(nested);
        let doubling = (0..30)
            .map(|level| format!("f{level}() {{ f{0}; f{0}; }}; ", level + 1))
            .collect::<String>();
        texts.push(format!("{doubling} f0"));
        texts.push("for a in 1 2 3 4 5 6 7 8; do ".repeat(8) + "x" + &"; done".repeat(8));
        texts.push("x=".to_owned() + &"y".repeat(15_000) + "; a" + &" $x".repeat(20_000));
        texts.push("a ".repeat(60_000));
        texts.push("a".repeat(120_000));
        texts.push("a\n".repeat(60_000) + "(");
        for text in texts {
            let start = Instant::now();
            analyse(&text);
            let took = start.elapsed();
            let shown = text.chars().take(60).collect::<String>();
            assert!(
                took < LONGEST,
                "{took:?} for {} bytes of {shown:?}",
                text.len()
            );
        }
    });
}
