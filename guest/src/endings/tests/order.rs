//! What outranks what: the deadline, signals, codes that mean the same for all.

use super::{each, ending, expect, told, told_in};
use crate::endings::classify;
use crate::model::{Dialect, Ending, Status};

#[test]
fn a_deadline_outranks_everything() {
    let timed_out = Ending {
        timed_out: true,
        signal: Some(15),
        ..ending(1)
    };
    expect(
        &classify("grep x f", &timed_out),
        Status::Error,
        "timed out",
    );
}

#[test]
fn a_signal_is_named() {
    let killed = Ending {
        exit_code: None,
        signal: Some(9),
        ..ending(0)
    };
    expect(
        &classify("grep x f", &killed),
        Status::Signal,
        "killed by signal 9 (SIGKILL)",
    );
    assert_eq!(classify("grep x f", &killed).rule, "signal");
    expect(&told("./a.out", -11), Status::Signal, "(SIGSEGV)");
}

#[test]
fn neither_code_nor_signal_means_that_it_still_runs() {
    let running = Ending {
        exit_code: None,
        ..ending(0)
    };
    expect(
        &classify("sleep 100", &running),
        Status::Ok,
        "still running",
    );
}

#[test]
fn success_needs_no_words() {
    let told = told("cargo build", 0);
    assert_eq!((told.status, told.message), (Status::Ok, None));
}

#[test]
fn the_words_of_the_first_four_tools_stay() {
    expect(&told("grep x f", 1), Status::Ok, "No matches found");
    expect(&told("rg x", 1), Status::Ok, "No matches found");
    expect(&told("diff a b", 1), Status::Ok, "Files differ");
    expect(&told("test -f x", 1), Status::Ok, "Condition is false");
    expect(&told("[ -f x ]", 1), Status::Ok, "Condition is false");
    expect(
        &told("find /root", 1),
        Status::Ok,
        "Some directories were inaccessible",
    );
    expect(
        &told("grep x f", 2),
        Status::Error,
        "failed with exit code 2",
    );
    expect(
        &told("./a.out", 3),
        Status::Error,
        "a.out failed with exit code 3",
    );
}

#[test]
fn a_shell_reports_signals_as_codes_above_128() {
    each(
        Status::Signal,
        "killed by signal",
        &[("make; exit $?", 139), ("./a.out", 134)],
    );
    each(
        Status::Error,
        "failed with exit code",
        &[
            ("./a.out", 255),
            ("git status --bad", 129),
            ("git log nosuch", 128),
            ("./a.out", 160),
        ],
    );
    let told = told_in(Dialect::Cmd, "app", 139);
    assert_eq!(told.status, Status::Error);
}

#[test]
fn not_found_and_not_executable_outrank_a_tools_table() {
    expect(&told("grep x f", 127), Status::Error, "command not found");
    expect(
        &told("/etc/passwd", 126),
        Status::Error,
        "/etc/passwd failed with exit code 126: found, but it cannot be executed",
    );
    expect(
        &told("timeout 5 nosuch", 127),
        Status::Error,
        "nosuch failed with exit code 127",
    );
}

#[test]
fn no_text_makes_it_panic() {
    for command in [
        "",
        " ",
        "#",
        "(",
        "if",
        "'",
        "a |",
        "exit",
        "exit $?",
        "return",
        "!",
        "! !",
        "f() { f; }; f",
        "$x",
        "\"\" a",
        "sudo",
        "bash -c",
        "xargs",
        "bash -c \"bash -c 'exit $?'\"",
        "exit 99999999999",
        "a=$(b=$(c=$(d)))",
        "eval eval eval",
        "\u{fffd}/é.exe",
        "ssh",
        "env -S",
        "wait $!",
        "for ((;;)); do exit; done",
        "coproc x",
        "a && b || c && d || e",
        "set -o",
        "python -m",
    ] {
        for code in [
            i32::MIN,
            -200,
            -1,
            0,
            1,
            2,
            126,
            127,
            128,
            137,
            255,
            256,
            i32::MAX,
        ] {
            for dialect in [
                Dialect::Direct,
                Dialect::Bash,
                Dialect::Powershell,
                Dialect::Cmd,
            ] {
                let _ = told_in(dialect, command, code);
            }
        }
    }
}

#[test]
fn functions_that_call_each_other_over_and_over_end_soon() {
    let mut text = String::from("f0() { grep x f; }; ");
    for level in 1..12 {
        let calls = vec![format!("f{}", level - 1); 12].join(" && ");
        text.push_str(&format!("f{level}() {{ {calls}; }}; "));
    }
    text.push_str("set -e; f11");
    expect(&told(&text, 1), Status::Error, "the command failed");
}

#[test]
fn random_text_neither_panics_nor_hangs() {
    const PIECES: &[&str] = &[
        "grep", "exit", "$?", "if", "then", "fi", "f() {", "}", "(", ")", "|", "||", "&&", ";",
        "&", "!", "'", "\"", "\\", "`", "$(", "${", "<<", "<", ">", "{", "[[", "]]", "((", "))",
        "case", "in", "esac", "do", "done", "while", "for", "xargs", "sudo", "bash -c", "ssh h",
        "\n", "é", "-", "--", "=", "x=", "set -e", "wait", "eval", "\u{0}", "^", "%", "@",
        "cmd /c",
    ];
    let mut state = 1_u32;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % bound
    };
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..next(14) {
            text.push_str(PIECES[next(PIECES.len())]);
            if next(4) > 0 {
                text.push(' ');
            }
        }
        let code = [0, 1, 2, 127, 137][next(5)];
        for dialect in [Dialect::Bash, Dialect::Powershell, Dialect::Cmd] {
            let _ = told_in(dialect, &text, code);
        }
    }
}
