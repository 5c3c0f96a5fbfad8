//! How a job ends and what is said of it.

use std::time::Duration;

use ostler_tests::jobs::id_of;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, marker, sleepers};
use serde_json::{Value, json};

#[test]
fn an_exit_is_told_with_its_code_and_what_that_means() {
    let mut server = Server::start();
    for (command, code, status, message) in [
        ("true", 0, "ok", None),
        ("sh -c 'exit 3'", 3, "error", None),
        (
            "bash -c 'sh -c \"exit 3\" > /dev/null 2>&1'",
            3,
            "error",
            None,
        ),
        (
            "grep nosuchline /etc/passwd",
            1,
            "ok",
            Some("No matches found"),
        ),
        (
            "diff /etc/passwd /etc/group > /dev/null",
            1,
            "ok",
            Some("differ"),
        ),
    ] {
        let job = server.job(command);
        let page = server.exited(&job);
        assert_eq!(page["exit_code"], code, "{command}: {page}");
        assert_eq!(page["semantic_status"], status, "{command}: {page}");
        assert_eq!(page["end_reason"], "exited", "{command}: {page}");
        assert_eq!(page["signal"], Value::Null, "{command}: {page}");
        assert_eq!(page["timed_out"], false, "{command}: {page}");
        if let Some(message) = message {
            assert!(
                page["semantic_message"].as_str().unwrap().contains(message),
                "{page}"
            );
        }
        let listed = server.listed(&job);
        assert_eq!(listed["exit_code"], code, "{command}: {listed}");
        assert_eq!(listed["semantic_status"], status, "{command}: {listed}");
    }
}

#[test]
fn nothing_is_said_of_the_ending_while_a_job_runs() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("echo out; sleep {marker}"));
    let page = server.shows(&job, "stdout", "out");
    for key in [
        "exit_code",
        "end_reason",
        "semantic_status",
        "semantic_message",
        "signal",
    ] {
        assert_eq!(page[key], Value::Null, "{key}: {page}");
    }
    assert_eq!(
        (&page["status"], &page["eof"]),
        (&json!("running"), &json!(false))
    );
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn a_signal_of_its_own_is_told_by_name() {
    let mut server = Server::start();
    for (name, number) in [("KILL", 9), ("USR1", 10), ("SEGV", 11), ("TERM", 15)] {
        let job = server.job(&format!("kill -{name} $$"));
        let page = server.exited(&job);
        assert_eq!(page["exit_code"], -number, "{page}");
        assert_eq!(page["signal"], format!("SIG{name}"), "{page}");
        assert_eq!(page["end_reason"], "signalled", "{page}");
        assert_eq!(page["semantic_status"], "signal", "{page}");
        assert_eq!(page["signal_sender"], Value::Null, "{page}");
    }
}

#[test]
fn the_end_of_output_is_not_the_end_of_a_job() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job_with(json!({"command": "exec >&- 2>&-; read go; exit 7"}));
    // Its output has ended; it has not.
    let running =
        server.logs(json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 0.5}));
    assert_eq!(running["status"], "running", "{running}");
    assert_eq!(running["exit_code"], Value::Null);
    server.type_in(&job, "go\n");
    assert_eq!(server.exited(&job)["exit_code"], 7);
    eventually("no zombie is left", Duration::from_secs(5), || {
        ostler_tests::procfs::zombies(server.pid()).is_empty()
    });
    assert_gone(&marker);
}

#[test]
fn a_deadline_ends_the_whole_tree_and_keeps_what_was_printed() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("echo PROGRESS; (setsid sleep {marker} &); sleep {marker}");
    let job = server.job_with(json!({"command": command, "timeout_sec": 1.5}));
    let page = server.exited(&job);
    assert_eq!(page["timed_out"], true, "{page}");
    assert_eq!(page["end_reason"], "deadline", "{page}");
    assert_eq!(page["semantic_status"], "error", "{page}");
    assert!(
        page["semantic_message"]
            .as_str()
            .unwrap()
            .contains("timed out"),
        "{page}"
    );
    assert_eq!(page["data"], "PROGRESS\n", "{page}");
    assert!(page["runtime_ms"].as_u64().unwrap() >= 1500, "{page}");
    assert_eq!(server.listed(&job)["timed_out"], true);
    server.ended(&job);
    assert_gone(&marker);
}

#[test]
fn a_job_without_a_deadline_has_none() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job_with(json!({"command": format!("sleep {marker}"), "timeout_sec": 0}));
    let page = server.logs(json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 1}));
    assert_eq!(
        (&page["status"], &page["timed_out"]),
        (&json!("running"), &json!(false))
    );
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn a_job_whose_leader_left_lingers_until_its_last_process_ends() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("sleep {marker} & echo primary; exit 5"));
    let page = server.exited(&job);
    assert_eq!(
        (&page["status"], &page["exit_code"]),
        (&json!("exited"), &json!(5)),
        "{page}"
    );
    assert_eq!(page["state"], "lingering", "{page}");
    assert_eq!(
        page["eof"], false,
        "a process still holds the output: {page}"
    );
    assert_eq!(page["output_open"], true, "{page}");
    // It may have been listed before it became a sleep.
    let survivor = &page["survivors"][0];
    assert_eq!(survivor["holds_output"], true, "{page}");
    eventually(
        "it sleeps",
        Duration::from_secs(5),
        || matches!(sleepers(&marker)[..], [pid] if survivor["pid"] == pid),
    );
    let listed = server.listed(&job);
    assert_eq!(
        (&listed["state"], &listed["status"]),
        (&json!("lingering"), &json!("exited"))
    );
    assert!(
        listed["survivors"].to_string().contains(&marker),
        "{listed}"
    );
    // Its last process ends by itself.
    let status = std::process::Command::new("kill")
        .arg(survivor["pid"].to_string())
        .status();
    assert!(status.unwrap().success());
    let page = server.ended(&job);
    assert_eq!(
        (&page["exit_code"], &page["eof"]),
        (&json!(5), &json!(true)),
        "{page}"
    );
    assert_eq!(page["end_reason"], "exited", "{page}");
    assert_gone(&marker);
}

#[test]
fn a_daemon_that_let_go_of_the_output_is_listed_and_not_waited_for() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("(setsid sleep {marker} >/dev/null 2>&1 </dev/null &); echo DONE");
    let job = server.job(&command);
    let page = server.exited(&job);
    assert_eq!(page["exit_code"], 0);
    let page = server.in_state(&job, "lingering");
    assert_eq!(page["data"], "DONE\n");
    assert_eq!(page["eof"], true, "nobody holds the output: {page}");
    assert_eq!(page["survivors"][0]["holds_output"], false, "{page}");
    server.manage("signal_term", &job);
    let page = server.ended(&job);
    assert_eq!(
        page["exit_code"], 0,
        "the leader had exited long before: {page}"
    );
    assert_gone(&marker);
}

#[test]
fn a_job_whose_rest_is_not_wanted_is_ended_with_its_leader() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("(setsid sh -c 'sleep {marker} &' &); exit 0");
    let job = server.job_with(json!({"command": command, "on_exit": "kill"}));
    let page = server.ended(&job);
    assert_eq!(
        (&page["exit_code"], &page["eof"]),
        (&json!(0), &json!(true)),
        "{page}"
    );
    assert_gone(&marker);
}

#[test]
fn a_job_that_stops_itself_is_reported_as_stopped_and_can_be_ended() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("sleep {marker} & kill -STOP $$; wait"));
    let page = server.in_state(&job, "stopped");
    assert_eq!(page["status"], "running", "{page}");
    assert_eq!(server.listed(&job)["state"], "stopped");
    server.manage("signal_term", &job);
    let page = server.ended(&job);
    assert_ne!(page["forced"], true, "it is woken to end: {page}");
    assert_gone(&marker);
}

#[test]
fn a_job_whose_keeper_was_killed_is_lost_and_its_tree_is_ended() {
    let (mut server, marker) = (Server::start(), marker());
    let other = server.job(&format!("sleep {marker}9"));
    let command =
        format!("(setsid sleep {marker} &); echo up; read go; kill -9 $PPID; sleep {marker}");
    let job = server.job(&command);
    server.shows(&job, "stdout", "up");
    server.type_in(&job, "go\n");
    let page = server.ended(&job);
    assert_eq!(page["end_reason"], "lost", "{page}");
    eventually("its tree is gone", Duration::from_secs(6), || {
        sleepers(&format!("{marker}\0")).is_empty()
    });
    assert_eq!(server.logs(json!({"job_id": other}))["status"], "running");
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    server.hang_up();
    server.wait();
    assert_gone(&marker);
}

#[test]
fn a_job_that_ends_before_anybody_looks_is_never_stuck() {
    let mut server = Server::start();
    for _ in 0..60 {
        let pending: Vec<_> = (0..16)
            .map(|_| server.begin("terminal_job_start", json!({"command": "echo x"})))
            .collect();
        let jobs: Vec<_> = pending
            .into_iter()
            .map(|it| id_of(&server.structured(it)))
            .collect();
        for job in jobs {
            assert_eq!(server.whole(&job, "stdout"), "x\n");
            assert_eq!(server.ended(&job)["exit_code"], 0);
        }
    }
}
