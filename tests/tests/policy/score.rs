//! `ostler policy test`.

use std::path::{Path, PathBuf};

use ostler_tests::binary::run;
use serde_json::Value;

use super::{stderr, stdout};

const GUEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../guest/policy.wasm");

fn corpus(folder: &Path, rows: &str) -> PathBuf {
    let path = folder.join("rows.jsonl");
    std::fs::write(&path, rows).unwrap();
    path
}

#[test]
fn each_kind_of_label_is_scored_and_what_is_wrong_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let rows = corpus(
        folder.path(),
        r#"{"id": "hit", "command": "rm -rf ~", "destructive": true, "categories": ["fs.delete"]}
{"id": "missed", "command": "ls", "destructive": true, "categories": ["safe.read", "like.fs.list"]}
{"id": "false", "command": "git clean -fdx", "destructive": false, "categories": ["git.clean"]}
{"id": "silent", "command": "git status", "destructive": false, "categories": ["git.read"]}
{"id": "ending", "command": "grep x f", "exit_code": 1, "status": "ok"}
{"id": "route", "command": "ls -l", "route": "direct", "argv": ["ls", "-l"]}
{"id": "wrong-route", "command": "ls | wc", "route": "direct", "argv": ["ls"]}
"#,
    );
    let output = run([
        "policy",
        "test",
        "default",
        "--json",
        "--corpus",
        rows.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let score: Value = serde_json::from_slice(&output.stdout).unwrap();
    let destructive = &score["destructive"];
    assert_eq!(
        (&destructive["recall"], &destructive["precision"]),
        (&0.5.into(), &0.5.into())
    );
    assert_eq!(destructive["families"]["fs"]["missed"], 1);
    assert_eq!(destructive["families"]["git"]["false_alarms"], 1);
    assert_eq!(
        (&score["endings"]["right"], &score["routing"]["right"]),
        (&1.into(), &1.into())
    );
    let wrong: Vec<_> = score["wrong"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["id"])
        .collect();
    assert_eq!(wrong, ["missed", "false", "wrong-route"]);
}

#[test]
fn two_policies_are_compared_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let rows = corpus(
        folder.path(),
        "{\"command\": \"rm -rf ~\", \"destructive\": true}\n",
    );
    let output = run([
        "policy",
        "test",
        GUEST,
        "--against",
        "default",
        "--corpus",
        rows.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("0 rows better, 0 worse"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_row_without_a_label_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let rows = corpus(
        folder.path(),
        "{\"command\": \"ls\", \"destructive\": false}\n{\"command\": \"ls\"}\n",
    );
    let output = run([
        "policy",
        "test",
        "default",
        "--corpus",
        rows.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("line 2: has no label"),
        "{}",
        stderr(&output)
    );
}
