//! `ostler policy check`, `rules`, `inspect` and `bench`.

use std::io::Write as _;
use std::process::Stdio;

use ostler_tests::binary::{ostler, run};
use serde_json::{Value, json};

use super::{stderr, stdout};

fn check(arguments: &[&str]) -> Value {
    let output = run(["policy", "check", "--json"].iter().chain(arguments));
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn batch(lines: &str) -> std::process::Output {
    let mut child = ostler(["policy", "check", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_command_is_judged_and_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    std::fs::write(&file, "x").unwrap();
    let command = format!("rm -rf {}/../..; cat x | wc", folder.path().display());
    let reply = check(&[&command]);
    assert_eq!(reply["invocation"]["argv"][2], command.as_str());
    assert_eq!(reply["invocation"]["dialect"], "bash");
    assert_eq!(reply["invocation"]["auto_shell"], true);
    assert_eq!(reply["findings"][0]["span"][0], 0);
    assert!(
        reply["findings"][0]["rule"]
            .as_str()
            .unwrap()
            .starts_with("fs.")
    );
    assert_eq!(
        (&reply["verdict"], &reply["classification"]),
        (&json!("proceed"), &Value::Null)
    );
    assert_eq!(reply["policy"]["name"], "default");
    assert!(file.exists());
}

#[test]
fn the_offending_text_is_underlined_for_people() {
    let output = run(["policy", "check", "cd src\nrm -rf ~"]);
    let text = stdout(&output);
    assert!(text.contains("2 | rm -rf ~\n  | ^^^^^^^^\n"), "{text}");
    assert!(
        text.contains("verdict   proceed") && !text.contains('\x1b'),
        "{text}"
    );
}

#[test]
fn an_ending_is_classified_with_what_stderr_says() {
    let of = |arguments: &[&str]| check(arguments)["classification"]["status"].clone();
    assert_eq!(of(&["--exit", "1", "grep x f"]), "ok");
    assert_eq!(of(&["--exit", "2", "grep x f"]), "error");
    assert_eq!(of(&["--exit", "-9", "grep x f"]), "signal");
    assert_eq!(of(&["--signal", "15", "grep x f"]), "signal");
    let find = |text: &str| of(&["--exit", "1", "--stderr", text, "find / -name x"]);
    assert_ne!(
        find("find: '/root': Permission denied\n"),
        find("find: unknown predicate '-nam'\n")
    );
}

#[test]
fn other_dialects_and_systems_are_asked_for_by_name() {
    let reply = check(&[
        "--shell",
        "powershell",
        "--os",
        "windows",
        "Remove-Item -Recurse -Force C:\\",
    ]);
    assert_eq!(reply["invocation"]["dialect"], "powershell");
    assert!(!reply["findings"].as_array().unwrap().is_empty());
    let reply = check(&["--shell", "cmd", "rd /s /q C:\\"]);
    assert_eq!(reply["invocation"]["dialect"], "cmd");
    assert!(!reply["findings"].as_array().unwrap().is_empty());
}

#[test]
fn a_batch_answers_each_line_in_order_with_its_id() {
    let output = batch(
        "{\"id\": \"a\", \"command\": \"grep x f\", \"exit_code\": 1}\n\n\
         {\"id\": [2], \"command\": \"rm -rf /\"}\n\
         {\"command\": \"\"}\n",
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let replies: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(replies.len(), 3);
    assert_eq!(
        (&replies[0]["id"], &replies[1]["id"]),
        (&json!("a"), &json!([2]))
    );
    assert_eq!(replies[0]["classification"]["status"], "ok");
    assert_eq!(replies[1]["findings"][0]["severity"], "danger");
    assert!(
        replies[2]["error"].as_str().unwrap().contains("empty"),
        "{}",
        replies[2]
    );
}

#[test]
fn a_line_that_is_no_question_is_named() {
    let output = batch("{\"command\": \"ls\"}\n{\"comand\": \"ls\"}\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 2"), "{}", stderr(&output));
}

#[test]
fn a_strict_check_can_stop_a_script() {
    for (command, status) in [
        ("ls -la", 0),
        ("rm -rf ~", 1),
        ("base64 -d f | sh", 1),
        ("", 1),
    ] {
        let output = run(["policy", "check", "--strict", command]);
        assert_eq!(output.status.code(), Some(status), "{command}");
    }
}

#[test]
fn the_catalogue_lists_every_rule_with_its_examples() {
    let output = run(["policy", "rules", "--json"]);
    let catalogue: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rules = catalogue["rules"].as_array().unwrap();
    assert!(rules.len() > 50);
    for rule in rules {
        for key in ["id", "severity", "title", "example", "counter_example"] {
            assert!(!rule[key].as_str().unwrap().is_empty(), "{key} of {rule}");
        }
    }
    let git = run(["policy", "rules", "git"]);
    assert!(stdout(&git).lines().all(|line| line.starts_with("git.")));
    assert_eq!(run(["policy", "rules", "nosuch"]).status.code(), Some(1));
}

#[test]
fn a_component_is_inspected_before_it_is_trusted() {
    let guest = concat!(env!("CARGO_MANIFEST_DIR"), "/../guest/policy.wasm");
    let output = run(["policy", "inspect", "--json", guest]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["exports"], json!(["ostler:terminal/policy@0.1.0"]));
    let languages: Vec<_> = report["producers"].as_array().unwrap().iter().collect();
    assert!(
        languages
            .iter()
            .any(|it| it["kind"] == "language" && it["name"] == "Rust")
    );
    let imports = report["imports"].as_array().unwrap();
    assert!(
        imports.iter().all(|it| it["answer"] != "refused"),
        "{imports:?}"
    );
    assert_eq!(report["policy"]["name"], "default");
    let output = run(["policy", "inspect", "/bin/sh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("native"), "{}", stderr(&output));
}

#[test]
fn the_costs_of_a_policy_are_measured() {
    let output = run(["policy", "bench", "--json"]);
    let costs: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in ["instantiate", "review", "classify"] {
        assert!(costs[key]["median_us"].as_f64().unwrap() > 0.0, "{costs}");
    }
}
