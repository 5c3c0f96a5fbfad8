//! `ostler rg` and `ostler glob`.

use std::process::Output;

use ostler_tests::binary::ostler;
use serde_json::Value;

use super::write;

fn run(folder: &std::path::Path, arguments: &[&str]) -> Output {
    ostler(arguments).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn results_in_a_pipe_are_those_of_ripgrep() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            ("a.txt", b"one\ntwo needle\nthree\n"),
            ("sub/b.txt", b"needle\n"),
        ],
    );
    let output = run(folder.path(), &["rg", "needle"]);
    assert_eq!(stdout(&output), "a.txt:2:two needle\nsub/b.txt:1:needle\n");
    assert_eq!(output.status.code(), Some(0));
    let output = run(folder.path(), &["rg", "-C1", "needle", "a.txt"]);
    assert_eq!(
        stdout(&output),
        "a.txt-1-one\na.txt:2:two needle\na.txt-3-three\n"
    );
    let output = run(folder.path(), &["rg", "-c", "needle"]);
    assert_eq!(stdout(&output), "a.txt:1\nsub/b.txt:1\n");
    let output = run(folder.path(), &["rg", "-l", "-e", "needle", "sub"]);
    assert_eq!(stdout(&output), "sub/b.txt\n");
}

#[test]
fn the_status_tells_whether_something_was_found() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("a", b"x")]);
    for (arguments, status, said) in [
        (vec!["rg", "x"], 0, ""),
        (vec!["rg", "y"], 1, ""),
        (vec!["rg", "("], 2, "unclosed group"),
        (vec!["rg", "x", "nosuch"], 2, "does not exist"),
        (vec!["rg", "--pre", "cat", "x"], 2, "--pre"),
        (vec!["glob", "a"], 0, ""),
        (vec!["glob", "b"], 1, ""),
        (vec!["glob", "[", "."], 2, "unclosed"),
    ] {
        let output = run(folder.path(), &arguments);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains(said),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn json_lines_end_with_an_account() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("a", b"x\n"), (".hidden", b"x\n")]);
    let output = run(folder.path(), &["rg", "--json", "x"]);
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["match"]["path"], "a");
    assert_eq!(
        (
            &lines[1]["end"]["total"],
            &lines[1]["end"]["skipped"]["hidden"]
        ),
        (&1.into(), &1.into())
    );
    let output = run(folder.path(), &["glob", "--json", "a"]);
    let answer: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(
        (&answer["paths"][0]["path"], &answer["expanded_pattern"]),
        (&"a".into(), &"**/*a*".into())
    );
}

#[test]
fn a_reader_that_goes_away_ends_the_search_in_peace() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("a", &b"needle\n".repeat(100_000))]);
    let output = ostler([
        "exec",
        &format!(
            "{} rg needle | head -1; echo ${{PIPESTATUS[0]}}",
            ostler_tests::binary::path().display()
        ),
    ])
    .current_dir(folder.path())
    .output()
    .unwrap();
    assert_eq!(stdout(&output), "a:1:needle\n0\n");
}
