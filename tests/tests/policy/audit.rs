//! The audit file, and replaying it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use ostler_tests::binary::{self, ostler, run};
use ostler_tests::server::Server;
use serde_json::{Value, json};

use super::{stderr, stdout};

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_command_leaves_one_line_however_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let config = folder.path().join("config.toml");
    std::fs::write(&config, "[policy.settings]\nrefuse = ['fs.*']\n").unwrap();
    let mut command = binary::ostler(["mcp", "--audit", path.to_str().unwrap()]);
    command.env("OSTLER_CONFIG", &config);
    let mut server = Server::start_with(command);
    server.exec("echo no such thing >&2; exit 7");
    server.exec("rm -rf /");
    server.exec("nosuchprogram-at-all");
    server.call(
        "terminal_exec",
        json!({"command": "sleep 86400", "timeout_sec": 1, "auto_background_after_sec": 0}),
    );
    let job = server.job("exit 3");
    server.call(
        "terminal_job_logs",
        json!({"job_id": job, "wait_until_exit": true}),
    );
    server.hang_up();
    server.wait();
    let lines = lines(&path);
    let reasons: Vec<_> = lines
        .iter()
        .map(|it| it["end_reason"].as_str().unwrap())
        .collect();
    assert_eq!(
        reasons,
        ["exited", "refused", "spawn_failed", "deadline", "exited"]
    );
    assert_eq!(lines[0]["ending"]["exit_code"], 7);
    assert_eq!(lines[0]["ending"]["stderr"], "no such thing\n");
    assert_eq!(lines[0]["policy"]["name"], "default");
    assert_eq!(lines[0]["verdict"], "proceed");
    assert_eq!(
        (&lines[1]["verdict"], &lines[1]["ending"]),
        (&json!("refuse"), &Value::Null)
    );
    assert!(
        lines[1]["findings"][0]["rule"]
            .as_str()
            .unwrap()
            .starts_with("fs.")
    );
    assert_eq!(lines[3]["ending"]["timed_out"], true);
    let mode = path.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_file_that_cannot_be_written_is_told_at_start() {
    let output = run(["exec", "--audit", "/nonexistent/audit.jsonl", "echo ran"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    assert!(
        stderr(&output).contains("/nonexistent/audit.jsonl"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_replay_tells_what_would_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    for command in [
        "ls / | wc -l",
        "git push --dry-run --force 2>&1",
        "grep x /dev/null",
    ] {
        run(["exec", "--audit", path.to_str().unwrap(), command]);
    }
    let same = run(["policy", "replay", path.to_str().unwrap()]);
    assert_eq!(same.status.code(), Some(0), "{}", stdout(&same));
    assert!(
        stdout(&same).contains("0 of 3 decisions"),
        "{}",
        stdout(&same)
    );
    let text = std::fs::read_to_string(&path).unwrap();
    let other = text.replace("\"verdict\":\"proceed\"", "\"verdict\":\"ask\"");
    std::fs::write(
        &path,
        other.replace("\"status\":\"ok\"", "\"status\":\"error\""),
    )
    .unwrap();
    let output = ostler(["policy", "replay", "--json", path.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let changes: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(changes.len(), 3);
    assert_eq!(changes[2]["differs"], json!(["verdict", "classification"]));
    assert_eq!(
        (
            &changes[2]["then"]["verdict"],
            &changes[2]["now"]["verdict"]
        ),
        (&json!("ask"), &json!("proceed"))
    );
}
