//! `terminal_job_manage`: the list, what this platform can do, what cannot be done.

use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, marker};
use serde_json::{Value, json};

#[test]
fn the_list_shows_running_jobs_first_and_the_newest_of_each_kind_before() {
    let (mut server, marker) = (Server::start(), marker());
    let first = server.job("true");
    server.ended(&first);
    let second = server.job("sh -c 'echo out; echo err >&2; exit 2'");
    server.ended(&second);
    let third = server.job(&format!("sleep {marker}"));
    let fourth = server.job(&format!("sleep {marker}"));
    let jobs = server.jobs();
    let ids: Vec<_> = jobs
        .iter()
        .map(|it| it["job_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, [&fourth, &third, &second, &first]);
    let running = &jobs[0];
    assert_eq!(running["command"], format!("sleep {marker}"));
    assert_eq!(
        (&running["status"], &running["state"]),
        (&json!("running"), &json!("running"))
    );
    assert_eq!(
        (&running["exit_code"], &running["end_reason"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&running["adopted"], &running["merged"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (&running["timed_out"], &running["stdin"]),
        (&json!(false), &json!("open"))
    );
    assert!(running["pid"].as_u64().unwrap() > 1);
    assert!(running["started_at"].is_f64() && running["started_at_utc"].is_string());
    assert!(running["runtime_ms"].is_u64());
    let exited = &jobs[2];
    assert_eq!(
        (&exited["status"], &exited["state"]),
        (&json!("exited"), &json!("ended"))
    );
    assert_eq!(
        (&exited["exit_code"], &exited["end_reason"]),
        (&json!(2), &json!("exited"))
    );
    assert_eq!(
        (&exited["stdout_bytes"], &exited["stderr_bytes"]),
        (&json!(4), &json!(4))
    );
    assert_eq!(exited["semantic_status"], "error");
    for job in [third, fourth] {
        server.manage("signal_kill", &job);
    }
    assert_gone(&marker);
}

#[test]
fn a_job_that_is_unknown_is_told_apart_from_one_that_has_ended() {
    let mut server = Server::start();
    let ended = server.job("true");
    server.ended(&ended);
    for action in [
        "signal_term",
        "signal_kill",
        "signal_int",
        "signal_hup",
        "signal_usr1",
    ] {
        let answer = server.manage(action, &ended);
        assert_eq!(
            (&answer["ok"], &answer["code"]),
            (&json!(false), &json!("job_ended")),
            "{answer}"
        );
        let answer = server.manage(action, "job_000000000000");
        assert_eq!(
            (&answer["ok"], &answer["code"]),
            (&json!(false), &json!("unknown_job")),
            "{answer}"
        );
        assert!(
            answer["error"]
                .as_str()
                .unwrap()
                .contains("job_000000000000"),
            "{answer}"
        );
    }
    let page = server.logs(json!({"job_id": ended}));
    assert_eq!(
        (&page["exit_code"], &page["end_reason"]),
        (&json!(0), &json!("exited"))
    );
}

#[test]
fn what_this_platform_can_do_is_told() {
    let mut server = Server::start();
    let capabilities = server.call("terminal_job_manage", json!({"action": "capabilities"}));
    assert_eq!(capabilities["platform"], "linux", "{capabilities}");
    assert!(capabilities["note"].is_string());
    let actions = capabilities["supported_actions"].as_array().unwrap();
    for action in [
        "list",
        "stdin",
        "close_stdin",
        "capabilities",
        "signal_term",
        "signal_kill",
        "signal_int",
        "signal_hup",
        "signal_usr1",
        "signal_usr2",
    ] {
        assert!(actions.contains(&json!(action)), "{action}: {capabilities}");
    }
    assert!(
        capabilities["signals"].to_string().contains("TERM"),
        "{capabilities}"
    );
    let list = server.call("terminal_job_manage", json!({"action": "list"}));
    assert_eq!(list["capabilities"], capabilities);
    let (job, other) = (server.job("read go"), "signal_stop");
    for action in [other, "kill", "", "SIGNAL_TERM"] {
        let answer = server.manage(action, &job);
        assert_eq!(answer["code"], "unsupported_action", "{action}: {answer}");
        assert!(answer["error"].is_string());
        assert_eq!(answer["capabilities"], capabilities, "{action}");
    }
    assert_eq!(server.logs(json!({"job_id": job}))["status"], "running");
    server.manage("close_stdin", &job);
    server.ended(&job);
}

#[test]
fn what_is_missing_for_an_action_is_told() {
    let mut server = Server::start();
    let job = server.job("read go");
    for (arguments, field) in [
        (json!({}), "action"),
        (json!({"action": 3}), "action"),
        (json!({"action": "signal_term"}), "job_id"),
        (json!({"action": "stdin"}), "job_id"),
        (json!({"action": "stdin", "job_id": job}), "data"),
        (json!({"action": "close_stdin"}), "job_id"),
        (
            json!({"action": "signal_term", "job_id": job, "grace_sec": -1}),
            "grace_sec",
        ),
        (
            json!({"action": "signal_term", "job_id": job, "grace_sec": 31}),
            "grace_sec",
        ),
        (json!({"action": "list", "all": true}), "all"),
    ] {
        let answer = server.call("terminal_job_manage", arguments.clone());
        assert_eq!(answer["code"], "invalid", "{arguments}: {answer}");
        assert!(
            answer["error"].as_str().unwrap().contains(field),
            "{arguments}: {answer}"
        );
    }
    assert_eq!(server.logs(json!({"job_id": job}))["status"], "running");
    server.manage("close_stdin", &job);
    server.ended(&job);
}
