//! `ostler doctor`.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::Output;

use ostler_tests::binary::{ostler, run, under};
use serde_json::Value;

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn states(report: &Value) -> Vec<(&str, &str)> {
    let checks = report["checks"].as_array().unwrap().iter();
    checks
        .map(|it| (it["name"].as_str().unwrap(), it["state"].as_str().unwrap()))
        .collect()
}

#[test]
fn everything_is_tried_and_found_to_work() {
    let output = run(["doctor", "--json"]);
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{report}");
    let states = states(&report);
    for (name, state) in &states {
        // A machine may lack pseudo terminals and be low on disk or descriptors.
        let may_lack = ["terminal", "spilling", "limits"].contains(name);
        assert!(
            *state == "ok" || (may_lack && *state == "degraded"),
            "{name}: {report}"
        );
    }
    for name in [
        "kernel",
        "spawn",
        "capture",
        "stdin",
        "command text",
        "deadline",
        "tree kill",
        "signals",
        "policy",
    ] {
        assert!(states.contains(&(name, "ok")), "{name}: {report}");
    }
}

#[test]
fn what_is_broken_is_named_and_the_rest_is_tried_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    std::fs::write(&config, "[output]\nspill_folder = '/nonexistent'\n").unwrap();
    let output = ostler(["doctor", "--json", "--policy", "/etc/passwd"])
        .env("OSTLER_CONFIG", &config)
        .output()
        .unwrap();
    let report = report(&output);
    assert_eq!(output.status.code(), Some(1), "{report}");
    let broken: Vec<_> = states(&report)
        .into_iter()
        .filter_map(|(name, state)| (state == "broken").then_some(name))
        .collect();
    assert_eq!(broken, ["policy loads", "spilling"], "{report}");
    let advised = report["checks"].as_array().unwrap().iter();
    assert!(
        advised
            .filter(|it| it["state"] != "ok")
            .all(|it| it["advice"].is_string())
    );
}

#[test]
fn few_descriptors_are_told_with_what_to_do() {
    let output = under(["prlimit", "--nofile=256"], &["doctor"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let line = text.lines().find(|line| line.contains("limits")).unwrap();
    assert!(line.starts_with("degraded"), "{text}");
    assert!(
        text.contains("-> raise it") && !text.contains('\x1b'),
        "{text}"
    );
}
