//! Signals to a job reach its whole tree; ending it is asked for first and forced afterwards.

use std::time::{Duration, Instant};

use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, living, marker, sleepers};
use serde_json::{Value, json};

#[test]
fn a_signal_arrives_and_its_sender_is_known() {
    let (mut server, marker) = (Server::start(), marker());
    for (action, name, number) in [
        ("signal_term", "TERM", 15),
        ("signal_kill", "KILL", 9),
        ("signal_int", "INT", 2),
        ("signal_hup", "HUP", 1),
        ("signal_usr1", "USR1", 10),
        ("signal_usr2", "USR2", 12),
    ] {
        let job = server.job(&format!("sleep {marker}"));
        let sent = server.manage(action, &job);
        assert_eq!(
            (&sent["ok"], &sent["signal"]),
            (&json!(true), &json!(name)),
            "{sent}"
        );
        assert!(sent["semantics"].is_string(), "{sent}");
        let page = server.exited(&job);
        assert_eq!(page["exit_code"], -number, "{action}: {page}");
        assert_eq!(page["signal"], format!("SIG{name}"), "{action}: {page}");
        assert_eq!(page["signal_sender"], "ostler", "{action}: {page}");
        assert_eq!(page["timed_out"], false, "{action}: {page}");
        if ["TERM", "KILL"].contains(&name) {
            assert_eq!(page["end_reason"], "stopped", "{action}: {page}");
        }
    }
    assert_gone(&marker);
}

#[test]
fn ending_a_job_ends_whatever_it_started() {
    let (mut server, marker) = (Server::start(), marker());
    let folder = tempfile::tempdir().unwrap();
    for (command, sleeping) in [
        (format!("sleep {marker} & wait"), 1),
        (format!("setsid setsid sleep {marker} & wait"), 1),
        (
            format!("nohup sleep {marker} >/dev/null 2>&1 & disown; sleep {marker}"),
            2,
        ),
        (
            format!("(setsid sh -c 'sleep {marker} & wait' &); sleep {marker}"),
            2,
        ),
        (format!("exec -a innocuous sleep {marker}"), 1),
        (
            format!("for i in $(seq 20); do sleep {marker} >/dev/null & done; wait"),
            20,
        ),
        (format!("sleep {marker} | sleep {marker} | cat"), 2),
        // Not before it runs its program, else nobody recognises it.
        (
            format!("sleep {marker} & sleep 0.2; kill -STOP $!; wait"),
            1,
        ),
    ] {
        for action in ["signal_term", "signal_kill"] {
            let job = server.job_with(json!({"command": command, "cwd": folder.path()}));
            eventually(
                &format!("all of {command} runs"),
                Duration::from_secs(20),
                || {
                    let renamed = living(&format!("innocuous\0{marker}"));
                    sleepers(&marker).len() + renamed.len() == sleeping
                },
            );
            server.manage(action, &job);
            let page = server.ended(&job);
            // Where the leader did not wait for what it started, it had ended by itself.
            let reasons = [&page["end_reason"], &page["survivors_end_reason"]];
            assert!(reasons.contains(&&json!("stopped")), "{command}: {page}");
            assert_gone(&marker);
        }
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_job_that_ignores_the_request_is_forced_after_the_grace() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("trap '' TERM HUP INT; echo up; while :; do sleep {marker}; done");
    let job = server.job(&command);
    server.shows(&job, "stdout", "up");
    let arguments = json!({"action": "signal_term", "job_id": job, "grace_sec": 0.3});
    assert_eq!(server.call("terminal_job_manage", arguments)["ok"], true);
    let page = server.ended(&job);
    assert_eq!(
        (&page["exit_code"], &page["signal"]),
        (&json!(-9), &json!("SIGKILL")),
        "{page}"
    );
    assert_eq!(
        (&page["forced"], &page["signal_sender"]),
        (&json!(true), &json!("ostler"))
    );
    assert_eq!(page["end_reason"], "stopped");
    assert_gone(&marker);
}

#[test]
fn a_job_may_use_its_grace_to_clean_up() {
    let (mut server, marker) = (Server::start(), marker());
    // The wrapper dies at once; what it started has its own handler.
    let inner = format!(
        "trap \"sleep 0.3; echo cleaned; exit 0\" TERM; echo up; while :; do sleep {marker} & wait; done"
    );
    let job = server.job(&format!("bash -c '{inner}' & wait"));
    server.shows(&job, "stdout", "up");
    let arguments = json!({"action": "signal_term", "job_id": job, "grace_sec": 20});
    server.call("terminal_job_manage", arguments);
    let page = server.ended(&job);
    assert_eq!(page["data"], "up\ncleaned\n", "{page}");
    assert_ne!(page["forced"], true, "{page}");
    assert_gone(&marker);
}

#[test]
fn asking_a_second_time_forces_at_once() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!(
        "trap '' TERM; echo up; sleep {marker}; sleep {marker}"
    ));
    server.shows(&job, "stdout", "up");
    let arguments = json!({"action": "signal_term", "job_id": job, "grace_sec": 30});
    let started = Instant::now();
    // Before either is answered.
    let asked = [(); 2].map(|()| server.begin("terminal_job_manage", arguments.clone()));
    for asked in asked {
        assert_eq!(server.structured(asked)["ok"], true);
    }
    let page = server.ended(&job);
    assert!(
        started.elapsed() < Duration::from_secs(15),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(page["forced"], true, "{page}");
    assert_gone(&marker);
}

#[test]
fn a_handler_may_catch_a_signal_and_the_job_runs_on() {
    let (mut server, marker) = (Server::start(), marker());
    let command =
        format!("trap 'echo caught' INT USR1; echo up; while :; do sleep {marker} & wait $!; done");
    let job = server.job(&command);
    server.shows(&job, "stdout", "up");
    let sent = server.manage("signal_usr1", &job);
    assert_eq!(
        (&sent["ok"], &sent["signal"]),
        (&json!(true), &json!("USR1"))
    );
    let page = server.shows(&job, "stdout", "caught");
    assert_eq!(
        (&page["status"], &page["end_reason"]),
        (&json!("running"), &Value::Null)
    );
    server.manage("signal_int", &job);
    server.shows(&job, "stdout", "caught\ncaught");
    assert_eq!(server.logs(json!({"job_id": job}))["status"], "running");
    server.manage("signal_kill", &job);
    let page = server.ended(&job);
    assert_eq!(
        (&page["exit_code"], &page["end_reason"]),
        (&json!(-9), &json!("stopped"))
    );
    assert!(page["data"].as_str().unwrap().contains("caught"));
    assert_gone(&marker);
}

#[test]
fn a_signal_reaches_every_group_of_the_tree() {
    let (mut server, marker) = (Server::start(), marker());
    let listener =
        format!("trap \"echo heard\" USR1; echo up; while :; do sleep {marker} & wait; done");
    let job = server.job(&format!(
        "setsid bash -c '{listener}' & trap : USR1; while :; do wait; done"
    ));
    server.shows(&job, "stdout", "up");
    server.manage("signal_usr1", &job);
    server.shows(&job, "stdout", "heard");
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn many_requests_to_end_one_job_have_one_outcome() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("sleep {marker} & sleep {marker}"));
    let arguments = json!({"action": "signal_kill", "job_id": job});
    let pending: Vec<_> = (0..50)
        .map(|_| server.begin("terminal_job_manage", arguments.clone()))
        .collect();
    for request in pending {
        let answer = server.structured(request);
        assert!(
            answer["ok"] == true || answer["code"] == "job_ended",
            "{answer}"
        );
    }
    let page = server.ended(&job);
    assert_eq!(
        (&page["exit_code"], &page["end_reason"]),
        (&json!(-9), &json!("stopped"))
    );
    assert_gone(&marker);
}

#[test]
fn ending_one_job_touches_no_other() {
    let (mut server, marker) = (Server::start(), marker());
    let one = server.job(&format!("sleep {marker}1"));
    let other = server.job("read go; seq 1 1000");
    server.manage("signal_term", &one);
    server.ended(&one);
    assert_gone(&marker);
    server.type_in(&other, "go\n");
    assert_eq!(server.whole(&other, "stdout").lines().count(), 1000);
    assert_eq!(server.logs(json!({"job_id": other}))["exit_code"], 0);
}

#[test]
fn what_was_stopped_is_told_apart_from_what_timed_out_and_keeps_its_output() {
    let (mut server, marker) = (Server::start(), marker());
    let arguments = json!({"command": format!("echo so far; sleep {marker}"), "timeout_sec": 100});
    let job = server.job_with(arguments);
    server.shows(&job, "stdout", "so far");
    server.manage("signal_term", &job);
    let page = server.ended(&job);
    assert_eq!(
        (&page["end_reason"], &page["timed_out"]),
        (&json!("stopped"), &json!(false))
    );
    assert_eq!(
        (&page["data"], &page["eof"]),
        (&json!("so far\n"), &json!(true))
    );
    assert_eq!(page["semantic_status"], "signal", "{page}");
    assert_gone(&marker);
}
