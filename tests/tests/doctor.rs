//! `ostler doctor`.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::process::Output;
use std::time::Duration;

use ostler_tests::binary::{ostler, run, under};
use ostler_tests::procfs;
use ostler_tests::sweep::{eventually, is_alive, marker};
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

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|it| it["name"] == name).unwrap()
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
    fs::write(&config, "[output]\nspill_folder = '/nonexistent'\n").unwrap();
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
        line.contains("256 descriptors (256 for a command)"),
        "{text}"
    );
    assert!(
        text.contains("-> raise the hard limit") && !text.contains('\x1b'),
        "{text}"
    );
}

#[test]
fn a_limit_that_only_commands_have_is_told_and_fine() {
    let output = under(["prlimit", "--nofile=256:4096"], &["doctor", "--json"])
        .output()
        .unwrap();
    let report = report(&output);
    let seen = check(&report, "limits")["seen"].as_str().unwrap();
    assert!(
        seen.starts_with("4096 descriptors (256 for a command)"),
        "{report}"
    );
    assert!(states(&report).contains(&("limits", "ok")), "{report}");
}

#[test]
fn a_command_that_the_policy_refuses_is_not_tried_and_not_broken() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    let deny = "[policy.settings]\ndeny = [{ prefix = ['sleep'], reason = 'no waiting' }]\n";
    fs::write(&config, deny).unwrap();
    let output = ostler(["doctor", "--json"])
        .env("OSTLER_CONFIG", &config)
        .output()
        .unwrap();
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{report}");
    for name in ["deadline", "tree kill", "signals"] {
        let check = check(&report, name);
        assert_eq!(check["state"], "degraded", "{report}");
        let seen = check["seen"].as_str().unwrap();
        assert!(seen.starts_with("not tried: refused by policy"), "{report}");
        assert!(seen.contains("no waiting"), "{report}");
    }
    assert!(states(&report).contains(&("spawn", "ok")), "{report}");
}

#[test]
fn a_program_that_a_check_needs_is_named_where_it_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    for program in ["sh", "sleep"] {
        let target = format!("/bin/{program}");
        std::os::unix::fs::symlink(target, folder.path().join(program)).unwrap();
    }
    let output = ostler(["doctor", "--json"])
        .env("PATH", folder.path())
        .output()
        .unwrap();
    let report = report(&output);
    let check = check(&report, "tree kill");
    assert_eq!(check["state"], "degraded", "{report}");
    assert!(
        check["seen"].as_str().unwrap().contains("setsid"),
        "{report}"
    );
}

fn has_in_environment(pid: u32, variable: &str) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let mut variables = environment.split(|byte| *byte == 0);
    variables.any(|it| it == variable.as_bytes())
}

#[test]
fn no_process_and_no_file_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("DOCTOR_MARK={}", marker());
    let (name, value) = mark.split_once('=').unwrap();
    let output = ostler(["doctor", "--json"])
        .env("TMPDIR", folder.path())
        .env(name, value)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", report(&output));
    // The warden sees a moment later that its server is gone.
    eventually("nothing is left", Duration::from_secs(6), || {
        procfs::pids()
            .into_iter()
            .all(|pid| !has_in_environment(pid, &mark) || !is_alive(pid))
    });
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
