//! Waiting for a job: for its exit or for a text, without asking again and again.

use std::time::{Duration, Instant};

use ostler_tests::jobs::id_of;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, marker};
use serde_json::{Value, json};

/// Far less than any wait that these tests ask for.
const AT_ONCE: Duration = Duration::from_secs(12);

#[test]
fn a_wait_ends_with_the_exit_and_not_with_the_time() {
    let mut server = Server::start();
    let job = server.job("read go; echo done; exit 3");
    let started = Instant::now();
    let wait = server.begin(
        "terminal_job_logs",
        json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 45}),
    );
    server.type_in(&job, "go\n");
    let page = server.structured(wait);
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    assert_eq!(
        (&page["status"], &page["exit_code"]),
        (&json!("exited"), &json!(3)),
        "{page}"
    );
    assert_eq!(
        (&page["data"], &page["eof"]),
        (&json!("done\n"), &json!(true)),
        "{page}"
    );
}

#[test]
fn a_wait_for_what_has_ended_is_none() {
    let mut server = Server::start();
    let job = server.job("true");
    server.ended(&job);
    let started = Instant::now();
    for arguments in [
        json!({"job_id": job}),
        json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 45}),
        json!({"job_id": job, "wait_for": "never", "wait_timeout_sec": 45}),
    ] {
        let page = server.logs(arguments);
        assert_eq!(
            (&page["status"], &page["exit_code"]),
            (&json!("exited"), &json!(0))
        );
        assert_eq!(page["eof"], true, "{page}");
    }
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
}

#[test]
fn a_wait_that_is_over_says_that_the_job_runs() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("echo early; sleep {marker}"));
    for arguments in [
        json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 0.5}),
        json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 0}),
        json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": -3}),
        json!({"job_id": job, "wait_for": "never", "wait_timeout_sec": 0.5}),
    ] {
        let page = server.logs(arguments.clone());
        assert_eq!(page["status"], "running", "{arguments}: {page}");
        assert_eq!(page["exit_code"], Value::Null, "{arguments}: {page}");
        assert_eq!(
            page["timed_out"], false,
            "that is the job's deadline: {page}"
        );
    }
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn a_wait_for_a_text_ends_when_it_is_printed() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("echo starting; read go; echo Serving on port 8080; sleep {marker}");
    let job = server.job(&command);
    let started = Instant::now();
    let wait = server.begin(
        "terminal_job_logs",
        json!({
            "job_id": job, "wait_for": r"port (\d+)", "wait_timeout_sec": 45,
        }),
    );
    server.type_in(&job, "go\n");
    let page = server.structured(wait);
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    assert_eq!(
        (&page["matched"], &page["match_offset"]),
        (&json!(true), &json!(20)),
        "{page}"
    );
    assert_eq!(page["status"], "running");
    assert!(
        page["data"]
            .as_str()
            .unwrap()
            .contains("Serving on port 8080"),
        "{page}"
    );
    // What stands before the offset does not count.
    let page = server.logs(json!({
        "job_id": job, "since_offset": 30, "wait_for": "Serving", "wait_timeout_sec": 0.5,
    }));
    assert_eq!(page["matched"], false, "{page}");
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn a_text_that_comes_in_pieces_or_without_a_newline_is_found() {
    let mut server = Server::start();
    let pieces =
        "for c in R e a d y; do printf $c; sleep 0.05; done; printf ' on stderr' >&2; read end";
    let job = server.job(pieces);
    let page = server.shows(&job, "stdout", "Ready");
    assert_eq!(page["match_offset"], 0);
    let page = server.shows(&job, "stderr", "stderr");
    assert_eq!(page["match_offset"], 4);
    server.manage("close_stdin", &job);
    let page = server.exited(&job);
    assert_eq!(page["exit_code"], 1);
    // It is still found in what is over.
    assert_eq!(server.shows(&job, "stdout", "Ready")["matched"], true);
}

#[test]
fn a_wait_for_a_text_ends_with_the_leader() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("sleep {marker} & echo other; exit 4"));
    let started = Instant::now();
    let page = server.logs(json!({"job_id": job, "wait_for": "never", "wait_timeout_sec": 45}));
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    assert_eq!(
        (&page["matched"], &page["exit_code"]),
        (&json!(false), &json!(4)),
        "{page}"
    );
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn an_expression_that_is_none_is_told() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("sleep {marker}"));
    for expression in ["(", "*a", "[z-a]", "((a{1000}){1000}){1000}"] {
        let page = server.logs(json!({"job_id": job, "wait_for": expression}));
        assert_eq!(page["code"], "invalid", "{expression}: {page}");
        assert!(
            page["error"].as_str().unwrap().contains("wait_for"),
            "{page}"
        );
    }
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn a_wait_delays_no_other_call_and_can_be_cancelled_without_harm_to_the_job() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("echo up; sleep {marker}"));
    server.shows(&job, "stdout", "up");
    let started = Instant::now();
    let waits: Vec<_> = (0..40)
        .map(|_| {
            let arguments = json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 45});
            server.begin("terminal_job_logs", arguments)
        })
        .collect();
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    let ping = server.request("ping", json!({}));
    server.answer(ping);
    assert!(!server.has_answer(waits[0]));
    for wait in &waits[1..] {
        server.cancel(*wait);
    }
    assert_eq!(server.logs(json!({"job_id": job}))["status"], "running");
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    server.manage("signal_term", &job);
    // The one that was not cancelled is told.
    assert_eq!(server.structured(waits[0])["exit_code"], -15);
    assert_gone(&marker);
}

#[test]
fn every_waiter_of_one_job_is_told() {
    let mut server = Server::start();
    let job = server.job("read go; exit 9");
    let waits: Vec<_> = (0..20)
        .map(|_| {
            let arguments = json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 45});
            server.begin("terminal_job_logs", arguments)
        })
        .collect();
    server.manage("close_stdin", &job);
    for wait in waits {
        assert_eq!(server.structured(wait)["exit_code"], 9);
    }
}

#[test]
fn a_job_outlives_the_call_that_started_it_and_whoever_else_is_cancelled() {
    let (mut server, marker) = (Server::start(), marker());
    let start = server.begin(
        "terminal_job_start",
        json!({"command": "read go; seq 1 1000"}),
    );
    let job = id_of(&server.structured(start));
    server.cancel(start);
    let call = server.begin(
        "terminal_exec",
        json!({"command": format!("sleep {marker}")}),
    );
    server.cancel(call);
    assert_gone(&marker);
    server.type_in(&job, "go\n");
    assert_eq!(server.whole(&job, "stdout").lines().count(), 1000);
    assert_eq!(server.logs(json!({"job_id": job}))["exit_code"], 0);
}
