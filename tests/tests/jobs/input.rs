//! What is written to a job, and what happens to what it does not read.

use std::time::Duration;

use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, marker};
use serde_json::{Value, json};

#[test]
fn what_is_typed_is_read_and_its_end_is_the_end_of_file() {
    let mut server = Server::start();
    let job = server.job("cat");
    for (data, bytes) in [("one\n", 4), ("zwei €\n", 9), ("", 0)] {
        assert_eq!(server.type_in(&job, data)["bytes_written"], bytes);
    }
    server.shows(&job, "stdout", "one\nzwei €\n");
    assert_eq!(server.listed(&job)["stdin"], "open");
    assert_eq!(server.manage("close_stdin", &job)["ok"], true);
    assert_eq!(
        server.manage("close_stdin", &job)["ok"],
        true,
        "once more is no harm"
    );
    let page = server.ended(&job);
    assert_eq!(
        (&page["exit_code"], &page["data"]),
        (&json!(0), &json!("one\nzwei €\n"))
    );
}

#[test]
fn a_payload_is_read_first_and_ends_the_input_if_that_is_wanted() {
    let mut server = Server::start();
    let job = server.job_with(json!({
        "command": "cat", "stdin": "payload", "keep_stdin_open": false,
    }));
    let page = server.exited(&job);
    assert_eq!(
        (&page["exit_code"], &page["data"]),
        (&json!(0), &json!("payload"))
    );
    let job = server.job_with(json!({"command": "cat", "keep_stdin_open": false}));
    assert_eq!(server.exited(&job)["data"], "", "end of file at once");
    let job = server.job_with(json!({"command": "cat", "stdin": "first "}));
    server.shows(&job, "stdout", "first ");
    server.type_in(&job, "second");
    server.manage("close_stdin", &job);
    assert_eq!(server.whole(&job, "stdout"), "first second");
}

#[test]
fn a_large_payload_does_not_wait_for_the_output_to_be_read() {
    let mut server = Server::start();
    let payload = "0123456789abcde\n".repeat(1 << 18);
    let job = server.job_with(json!({
        "command": "cat", "stdin": payload, "keep_stdin_open": false,
    }));
    let page = server.exited(&job);
    assert_eq!(
        (&page["exit_code"], &page["total_bytes"]),
        (&json!(0), &json!(4 << 20))
    );
    let job = server.job_with(json!({
        "command": "head -c 10", "stdin": payload, "keep_stdin_open": false,
    }));
    let page = server.exited(&job);
    assert_eq!(
        (&page["exit_code"], &page["data"]),
        (&json!(0), &json!("0123456789"))
    );
}

#[test]
fn every_byte_of_many_writes_arrives_in_order() {
    let mut server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let job = server.job(&format!("cat > {}", copy.display()));
    let mut expected = String::new();
    for index in 0..200 {
        let line = format!("{index} 你好世界 {}\n", "x€".repeat(150));
        assert_eq!(server.type_in(&job, &line)["bytes_written"], line.len());
        expected.push_str(&line);
    }
    let long = "漢字かな交じり文🦀".repeat(2500);
    assert_eq!(server.type_in(&job, &long)["bytes_written"], long.len());
    expected.push_str(&long);
    server.manage("close_stdin", &job);
    assert_eq!(server.exited(&job)["exit_code"], 0);
    assert!(
        std::fs::read_to_string(&copy).unwrap() == expected,
        "the copy differs"
    );
}

#[test]
fn what_a_job_does_not_read_waits_in_a_bounded_queue_and_blocks_nobody() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("sleep {marker}"));
    let offered = 3 << 20;
    let answer = server.type_in(&job, &"x".repeat(offered));
    let taken = answer["bytes_written"].as_u64().unwrap();
    assert!(taken >= 65_536 && taken < offered as u64, "{answer}");
    assert_eq!(answer["queue_full"], true, "{answer}");
    assert!(
        answer["queued_bytes"].as_u64().unwrap() <= 1 << 20,
        "{answer}"
    );
    eventually("no more is taken", Duration::from_secs(20), || {
        server.type_in(&job, &"x".repeat(offered))["bytes_written"] == 0
    });
    assert_eq!(server.listed(&job)["state"], "running");
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    assert_eq!(server.manage("signal_term", &job)["ok"], true);
    let page = server.ended(&job);
    assert_eq!(page["exit_code"], -15, "{page}");
    assert_gone(&marker);
}

#[test]
fn writing_to_a_closed_input_says_who_closed_it() {
    let (mut server, marker) = (Server::start(), marker());
    let ours = server.job(&format!("sleep {marker}"));
    server.manage("close_stdin", &ours);
    let answer = server.type_in(&ours, "late");
    assert_eq!(
        (&answer["bytes_written"], &answer["code"]),
        (&json!(0), &json!("stdin_closed"))
    );
    assert!(answer["error"].is_string());
    assert_eq!(server.listed(&ours)["stdin"], "closed");

    let theirs = server.job(&format!("exec <&-; echo closed; sleep {marker}"));
    server.shows(&theirs, "stdout", "closed");
    let mut answer = Value::Null;
    eventually("the broken pipe is seen", Duration::from_secs(20), || {
        answer = server.type_in(&theirs, "x");
        answer["error"].is_string()
    });
    assert_eq!(
        (&answer["bytes_written"], &answer["code"]),
        (&json!(0), &json!("stdin_broken"))
    );

    let ended = server.job("true");
    server.ended(&ended);
    let answer = server.type_in(&ended, "x");
    assert_eq!(
        (&answer["bytes_written"], &answer["code"]),
        (&json!(0), &json!("job_ended"))
    );

    let unknown = server.type_in("job_000000000000", "x");
    assert_eq!(unknown["code"], "unknown_job", "{unknown}");
    let unknown = server.manage("close_stdin", "job_000000000000");
    assert_eq!(
        (&unknown["ok"], &unknown["code"]),
        (&json!(false), &json!("unknown_job"))
    );
    for job in [ours, theirs] {
        server.manage("signal_kill", &job);
    }
    assert_gone(&marker);
}

#[test]
fn a_promoted_command_has_no_input_to_write_to() {
    let (mut server, marker) = (Server::start(), marker());
    for stdin in [Value::Null, json!("payload")] {
        let promoted = server.call("terminal_exec", json!({
            "command": format!("cat; sleep {marker}"), "auto_background_after_sec": 0.3, "stdin": stdin,
        }));
        let job = ostler_tests::jobs::id_of(&promoted);
        assert_eq!(server.type_in(&job, "x")["bytes_written"], 0);
        let answer = server.type_in(&job, "x");
        assert_eq!(answer["code"], "stdin_closed", "{answer}");
        assert_ne!(server.listed(&job)["stdin"], "open");
        server.manage("signal_kill", &job);
    }
    assert_gone(&marker);
}
