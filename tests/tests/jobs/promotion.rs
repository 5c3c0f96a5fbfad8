//! A call that takes longer than its caller waits becomes a job: nothing of it is lost, and its deadline stays.

use std::time::{Duration, Instant};

use ostler_tests::binary;
use ostler_tests::jobs::id_of;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, is_alive, marker, sleepers};
use serde_json::{Value, json};

/// Runs a command with a promotion and a deadline; 0 = none.
fn exec(server: &mut Server, command: &str, promote_after_sec: f64, timeout_sec: f64) -> Value {
    server.call("terminal_exec", json!({
        "command": command, "auto_background_after_sec": promote_after_sec, "timeout_sec": timeout_sec,
    }))
}

#[test]
fn a_command_that_outlasts_its_budget_becomes_a_job() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("echo out; echo err >&2; sleep {marker}; :");
    let result = exec(&mut server, &command, 1.0, 60.0);
    assert_eq!(result["auto_backgrounded"], true, "{result}");
    assert_eq!(
        (&result["exit_code"], &result["end_reason"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&result["semantic_status"], &result["timed_out"]),
        (&json!("ok"), &json!(false))
    );
    assert!(
        result["semantic_message"]
            .as_str()
            .unwrap()
            .contains("running"),
        "{result}"
    );
    assert_eq!(
        (&result["stdout"], &result["stderr"]),
        (&json!("out\n"), &json!("err\n"))
    );
    assert_eq!(
        (&result["stdout_offset"], &result["stdout_next_offset"]),
        (&json!(0), &json!(4))
    );
    assert_eq!(
        (&result["stderr_offset"], &result["stderr_next_offset"]),
        (&json!(0), &json!(4))
    );
    assert_eq!(result["stdout_truncated_bytes"], 0);
    assert_eq!(result["output_handle"], Value::Null);
    let job = id_of(&result);
    let listed = server.listed(&job);
    assert_eq!(
        (&listed["adopted"], &listed["status"]),
        (&json!(true), &json!("running"))
    );
    assert_eq!(
        (&listed["command"], &listed["pid"]),
        (&json!(command), &result["pid"])
    );
    let pid = u32::try_from(result["pid"].as_u64().unwrap()).unwrap();
    assert!(is_alive(pid));
    let sleeper = sleepers(&marker)[0].to_string();
    assert!(
        std::process::Command::new("kill")
            .arg(sleeper)
            .status()
            .unwrap()
            .success()
    );
    let page = server.exited(&job);
    assert_eq!(
        (&page["exit_code"], &page["data"]),
        (&json!(0), &json!("out\n")),
        "{page}"
    );
    assert!(
        page["runtime_ms"].as_u64().unwrap() >= 1000,
        "from the start: {page}"
    );
    assert_gone(&marker);
}

#[test]
fn a_log_has_what_came_before_and_after_the_promotion_without_a_seam() {
    let mut server = Server::start();
    let command = "for i in $(seq 200); do echo line $i; sleep 0.01; done";
    let result = exec(&mut server, command, 0.5, 60.0);
    assert_eq!(result["auto_backgrounded"], true, "{result}");
    let job = id_of(&result);
    let expected: String = (1..=200).map(|index| format!("line {index}\n")).collect();
    assert_eq!(server.whole(&job, "stdout"), expected);
    // The offset in the answer goes on where its text ends.
    let mut text = result["stdout"].as_str().unwrap().to_owned();
    let page = server.logs(json!({"job_id": job, "since_offset": result["stdout_next_offset"]}));
    text.push_str(page["data"].as_str().unwrap());
    assert_eq!(text, expected);
    assert_eq!(page["exit_code"], 0);
}

#[test]
fn the_answer_shows_the_newest_output_and_says_where_it_stands() {
    let mut server = Server::start();
    let command = "seq 100000 139999; echo ready >&2; read x < <(sleep 86400)";
    let mut call = |kb: u64| {
        let result = server.call(
            "terminal_exec",
            json!({
                "command": command, "auto_background_after_sec": 2, "max_output_kb": kb,
            }),
        );
        let shown = result["stdout"].as_str().unwrap().to_owned();
        let most = kb.min(64) << 10;
        assert!(
            shown.len() as u64 <= most && shown.len() as u64 > most - 64,
            "{}",
            shown.len()
        );
        assert!(shown.ends_with("139999\n"));
        let offset = result["stdout_offset"].as_u64().unwrap();
        assert_eq!(offset + shown.len() as u64, 280_000);
        assert_eq!(result["stdout_next_offset"], 280_000);
        assert_eq!(result["stdout_truncated_bytes"], offset);
        let job = id_of(&result);
        let page =
            server.logs(json!({"job_id": job, "since_offset": offset, "max_bytes": 1 << 20}));
        assert_eq!(page["data"], shown);
        assert_eq!(
            server.logs(json!({"job_id": job, "max_bytes": 7}))["data"],
            "100000\n"
        );
        server.manage("signal_kill", &job);
        server.ended(&job);
    };
    call(256);
    call(16);
}

#[test]
fn the_deadline_counts_from_the_start_and_outlives_the_promotion() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("echo before; (setsid sleep {marker} &); sleep {marker}; echo late");
    let result = exec(&mut server, &command, 0.7, 2.0);
    assert_eq!(result["auto_backgrounded"], true, "{result}");
    let job = id_of(&result);
    let page = server.exited(&job);
    assert_eq!(
        (&page["timed_out"], &page["end_reason"]),
        (&json!(true), &json!("deadline")),
        "{page}"
    );
    assert_eq!(
        (&page["data"], &page["semantic_status"]),
        (&json!("before\n"), &json!("error"))
    );
    let runtime = page["runtime_ms"].as_u64().unwrap();
    assert!((2000..20_000).contains(&runtime), "{page}");
    assert_ne!(page["exit_code"], 0);
    assert_eq!(server.listed(&job)["timed_out"], true);
    server.ended(&job);
    assert_gone(&marker);
}

#[test]
fn a_deadline_that_comes_first_ends_the_command_in_the_foreground() {
    let (mut server, marker) = (Server::start(), marker());
    for promote_after in [0.0, 0.6, 5.0] {
        let result = exec(
            &mut server,
            &format!("echo early; sleep {marker}"),
            promote_after,
            0.6,
        );
        assert_eq!(
            (&result["timed_out"], &result["end_reason"]),
            (&json!(true), &json!("deadline"))
        );
        assert_eq!(
            (&result["auto_backgrounded"], &result["job_id"]),
            (&json!(false), &Value::Null)
        );
        assert_eq!(result["stdout"], "early\n", "{result}");
        assert_gone(&marker);
    }
    assert!(server.jobs().is_empty());
}

#[test]
fn without_a_deadline_a_promoted_command_runs_to_its_end() {
    let mut server = Server::start();
    let result = exec(&mut server, "sleep 1; echo end", 0.3, 0.0);
    assert_eq!(result["auto_backgrounded"], true, "{result}");
    let page = server.exited(&id_of(&result));
    assert_eq!(
        (&page["exit_code"], &page["timed_out"]),
        (&json!(0), &json!(false))
    );
    assert_eq!(
        (&page["data"], &page["semantic_status"]),
        (&json!("end\n"), &json!("ok"))
    );
}

#[test]
fn the_same_rule_holds_for_every_shape_of_command() {
    let (mut server, marker) = (Server::start(), marker());
    for command in [
        format!("sleep {marker}"),
        format!("x=1; sleep {marker}"),
        format!("(sleep {marker})"),
        format!("sleep {marker} 2>&1 | tee -a /dev/null"),
        format!("while :; do sleep {marker}; done"),
        format!("bash -c 'sleep {marker}'"),
    ] {
        let promoted = exec(&mut server, &command, 0.3, 60.0);
        assert_eq!(promoted["auto_backgrounded"], true, "{command}: {promoted}");
        server.manage("signal_kill", &id_of(&promoted));
        let ended = exec(&mut server, &command, 0.0, 0.3);
        assert_eq!(
            (&ended["timed_out"], &ended["auto_backgrounded"]),
            (&json!(true), &json!(false))
        );
        assert_gone(&marker);
    }
}

#[test]
fn a_quiet_command_is_not_promoted_before_its_time() {
    let mut server = Server::start();
    let result = exec(&mut server, "sleep 2; echo ok", 30.0, 60.0);
    assert_eq!(
        (&result["auto_backgrounded"], &result["stdout"]),
        (&json!(false), &json!("ok\n"))
    );
}

#[test]
fn a_hard_deadline_leaves_nothing_to_happen_later() {
    let folder = tempfile::tempdir().unwrap();
    let late = folder.path().join("late");
    let mut server = Server::start();
    let command = format!("sleep 3; touch {}", late.display());
    let result = exec(&mut server, &command, 0.0, 0.5);
    assert_eq!(result["timed_out"], true);
    // Longer than it would have taken.
    server.exec("sleep 3.5");
    assert!(!late.exists());
}

#[test]
fn a_promotion_at_the_moment_of_the_exit_loses_nothing() {
    let mut server = Server::start();
    let mut promotions = 0;
    for promote_after in [0.001, 0.003, 0.005, 0.008] {
        for _ in 0..10 {
            let pending: Vec<_> = (0..8)
                .map(|_| {
                    let arguments = json!({
                        "command": "seq 1 2000", "auto_background_after_sec": promote_after,
                    });
                    server.begin("terminal_exec", arguments)
                })
                .collect();
            for request in pending {
                let result = server.structured(request);
                if result["auto_backgrounded"] == true {
                    promotions += 1;
                    let job = id_of(&result);
                    assert_eq!(server.whole(&job, "stdout").lines().count(), 2000);
                    let page = server.ended(&job);
                    assert_eq!(
                        (&page["exit_code"], &page["end_reason"]),
                        (&json!(0), &json!("exited"))
                    );
                } else {
                    assert_eq!(result["exit_code"], 0, "{result}");
                    assert_eq!(result["stdout"].as_str().unwrap().lines().count(), 2000);
                    assert_eq!(result["job_id"], Value::Null, "{result}");
                }
            }
        }
    }
    println!("{promotions} of 320 were promoted");
}

#[test]
fn a_promoted_server_can_be_waited_for_by_what_it_prints() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("sleep 1; echo Serving HTTP on port 8000; sleep {marker}");
    let result = exec(&mut server, &command, 0.2, 0.0);
    let job = id_of(&result);
    let page = server.shows(&job, "stdout", "Serving");
    assert_eq!(page["status"], "running");
    server.manage("signal_term", &job);
    server.ended(&job);
    assert_gone(&marker);
}

#[test]
fn what_a_promoted_command_means_is_told_when_it_ends() {
    let mut server = Server::start();
    let result = exec(
        &mut server,
        "sleep 0.7; grep nosuchline /etc/passwd",
        0.2,
        60.0,
    );
    let page = server.exited(&id_of(&result));
    assert_eq!(
        (&page["exit_code"], &page["semantic_status"]),
        (&json!(1), &json!("ok")),
        "{page}"
    );
    assert!(
        page["semantic_message"]
            .as_str()
            .unwrap()
            .contains("No matches found"),
        "{page}"
    );
}

#[test]
fn without_room_in_the_table_a_command_is_not_said_to_have_timed_out() {
    let mut command = binary::ostler(["mcp"]);
    command.env("TERMINAL_TOOLS_MAX_JOBS", "1");
    let (mut server, marker) = (Server::start_with(command), marker());
    let first = server.job(&format!("sleep {marker}1"));
    let started = Instant::now();
    let result = exec(
        &mut server,
        &format!("echo kept; sleep {marker}2"),
        0.5,
        4.0,
    );
    assert_eq!(
        (&result["auto_backgrounded"], &result["job_id"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(result["stdout"], "kept\n", "{result}");
    match result["end_reason"].as_str().unwrap() {
        "quota" => {
            assert_eq!(result["timed_out"], false, "{result}");
            let told = result.to_string();
            assert!(told.contains("TERMINAL_TOOLS_MAX_JOBS"), "{result}");
        }
        "deadline" => assert!(started.elapsed() >= Duration::from_secs(4)),
        other => panic!("ended by {other}: {result}"),
    }
    // What ends in time needs no room.
    let result = exec(&mut server, "sleep 1; echo in time", 0.3, 60.0);
    if result["end_reason"] != "quota" {
        assert_eq!(result["stdout"], "in time\n", "{result}");
    }
    server.manage("signal_kill", &first);
    assert_gone(&marker);
}

#[test]
fn cancelling_after_the_promotion_leaves_the_job_alone() {
    let (mut server, marker) = (Server::start(), marker());
    let call = server.begin(
        "terminal_exec",
        json!({
            "command": format!("sleep {marker}"), "auto_background_after_sec": 0.2,
        }),
    );
    let job = id_of(&server.structured(call));
    server.cancel(call);
    server.exec("true");
    assert_eq!(server.logs(json!({"job_id": job}))["status"], "running");
    server.manage("signal_kill", &job);
    eventually("it is listed as ended", Duration::from_secs(10), || {
        server.listed(&job)["state"] == "ended"
    });
    assert_gone(&marker);
}
