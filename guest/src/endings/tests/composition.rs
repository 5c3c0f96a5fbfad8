//! Lists, pipelines, negation: whose code it is.

use super::{each, ending, expect, told, told_with_stderr};
use crate::endings::classify;
use crate::model::{Ending, Status};

#[test]
fn the_last_command_decides() {
    each(
        Status::Ok,
        "No matches found",
        &[
            ("cd src; grep x f", 1),
            ("echo a\ngrep x f", 1),
            ("cat f | grep x", 1),
            ("grep -r x . ;", 1),
            ("grep -r x . # none", 1),
            ("(cd src && grep x f)", 1),
            ("{ grep x f; }", 1),
            ("if true; then grep x f; fi", 1),
            ("for f in a b; do grep x $f; done", 1),
            ("while read l; do grep x <<< \"$l\"; done < f", 1),
            ("case $a in b) grep x f;; esac", 1),
            ("f() { grep x f; }; f", 1),
            ("grep x f; exit $?", 1),
            ("grep x f; code=$?; echo $code; exit $code", 1),
            ("out=$(grep x f)", 1),
            ("make || grep x log", 1),
            ("grep x f | tee log; exit ${PIPESTATUS[0]}", 1),
        ],
    );
    each(
        Status::Error,
        "failed with exit code 1",
        &[("grep x f; echo y", 1), ("grep x f | cat", 1)],
    );
}

#[test]
fn a_chain_is_judged_by_what_can_have_stopped_it() {
    each(
        Status::Ok,
        "Condition is false",
        &[("test -f x && echo y", 1), ("[ -f x ] && cd y", 1)],
    );
    each(
        Status::Ok,
        "No matches found",
        &[("cd src && X=1 && grep x f", 1)],
    );
    each(Status::Ok, "ambiguous", &[("test -f x && grep y x", 1)]);
    each(
        Status::Error,
        "failed with exit code 1, but it is ambiguous: grep: No matches found; or rm failed: not",
        &[("grep x f && rm y", 1)],
    );
    each(
        Status::Ok,
        "not active",
        &[("grep x f && systemctl is-active y", 3)],
    );
    each(
        Status::Error,
        "chose the code itself",
        &[
            ("grep x f || exit 1", 1),
            ("cd x || { echo n; exit 1; }", 1),
        ],
    );
    each(
        Status::Ok,
        "No matches found",
        &[("make && grep x log", 1), (". ./env && grep x f", 1)],
    );
    each(
        Status::Error,
        "git commit failed: nothing was",
        &[("git add . && git commit -m x", 1)],
    );
    let told = told_with_stderr(
        "grep x f && rm y",
        1,
        "rm: cannot remove 'y': Permission denied\n",
    );
    expect(&told, Status::Error, "rm failed with exit code 1");
}

#[test]
fn negation_turns_an_answer_round() {
    each(Status::Ok, "a line matched", &[("! grep x f", 1)]);
    each(Status::Ok, "the condition is true", &[("! test -f x", 1)]);
    each(
        Status::Error,
        "make failed with exit code 1: it succeeded",
        &[("! make", 1)],
    );
}

#[test]
fn pipefail_makes_every_stage_a_suspect() {
    each(
        Status::Ok,
        "No matches found",
        &[("set -o pipefail; grep x f | wc -l", 1)],
    );
    each(
        Status::Error,
        "make failed with",
        &[("set -euo pipefail; make | tail", 2)],
    );
    each(
        Status::Error,
        "ambiguous",
        &[("set -o pipefail; npm test | grep x", 1)],
    );
    each(
        Status::Signal,
        "SIGPIPE",
        &[("set -o pipefail; yes | head -1", 141)],
    );
    let known = Ending {
        stage_statuses: Some(vec![1, 0]),
        ..ending(1)
    };
    let told = classify("set -o pipefail; npm test | grep x", &known);
    expect(&told, Status::Error, "npm test failed with exit code 1");
    let known = Ending {
        stage_statuses: Some(vec![0, 1]),
        ..ending(1)
    };
    let told = classify("set -o pipefail; npm test | grep x", &known);
    expect(&told, Status::Ok, "No matches found");
}

#[test]
fn an_earlier_command_is_a_suspect_where_the_script_stops_at_failures() {
    each(
        Status::Error,
        "ambiguous",
        &[("set -e; ./build; grep x f", 1)],
    );
    each(
        Status::Error,
        "chose the code itself",
        &[("exit 3; grep x f", 3)],
    );
    each(
        Status::Error,
        "ambiguous",
        &[("[ -f x ] || exit 1; grep x f", 1)],
    );
}

#[test]
fn success_that_may_hide_a_failure_is_noted() {
    for command in [
        "make 2>&1 | tail -5",
        "cargo test | grep FAILED",
        "./build.sh | tee log",
        "npm install; npm test",
        "make || true",
        "false | cat",
        "python3 x.py | head",
        "(exit 7); echo done",
        "bash -c 'make | tail'",
    ] {
        let told = told(command, 0);
        assert_eq!(told.status, Status::Ok, "{command}");
        assert_eq!(told.rule, "hidden.failure", "{command}");
    }
    for command in [
        "diff a b | wc -l",
        "grep x f; echo done",
        "diff a b || true",
        "set -o pipefail; make | tail",
        "set -e; make; ls",
        "cd src && make",
        "bash -o pipefail -c 'make | tail'",
        "(exit 0); echo done",
        "git status | head",
        "find . | xargs ls",
    ] {
        assert_eq!(told(command, 0).message, None, "{command}");
    }
    let known = Ending {
        stage_statuses: Some(vec![2, 0]),
        ..ending(0)
    };
    expect(
        &classify("make | tail", &known),
        Status::Ok,
        "make failed with exit code 2",
    );
    let known = Ending {
        stage_statuses: Some(vec![1, 1]),
        ..ending(1)
    };
    let told = classify("cat x | grep y", &known);
    expect(
        &told,
        Status::Ok,
        "No matches found; an earlier stage of the pipeline failed: cat",
    );
    let known = Ending {
        stage_statuses: Some(vec![0, 0]),
        ..ending(0)
    };
    assert_eq!(classify("make | tail", &known).message, None);
}
