//! What outlives the leader of a call: it delays nobody, it lives on as a job or ends, and it is never forgotten.

use std::time::{Duration, Instant};

use ostler_tests::binary;
use ostler_tests::jobs::id_of;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, marker, sleepers};
use serde_json::{Value, json};

/// Far less than any of these commands would take, if they were waited for.
const AT_ONCE: Duration = Duration::from_secs(15);

#[test]
fn a_process_left_behind_delays_nothing_and_lives_on_as_a_job() {
    let mut server = Server::start();
    for (shape, stdout) in [
        ("sleep @ & echo done", "done\n"),
        ("sleep @ &", ""),
        ("nohup sleep @ > /dev/null 2>&1 &", ""),
        ("bash -c 'sleep @ &'", ""),
        ("sh -c 'sleep @ & echo parent'", "parent\n"),
        ("cd /tmp && sleep @ &", ""),
        ("setsid sleep @ & disown; echo ok", "ok\n"),
        (
            "(setsid sleep @ >/dev/null 2>&1 </dev/null &) ; echo PRIMARY_EXIT=0",
            "PRIMARY_EXIT=0\n",
        ),
        ("(setsid sh -c 'sleep @ &' &); exit 0", ""),
    ] {
        let marker = marker();
        let started = Instant::now();
        let result = server.exec(&shape.replace('@', &marker));
        assert!(
            started.elapsed() < AT_ONCE,
            "{shape}: {:?}",
            started.elapsed()
        );
        assert_eq!(
            (&result["exit_code"], &result["stdout"]),
            (&json!(0), &json!(stdout)),
            "{shape}"
        );
        assert_eq!(
            (&result["end_reason"], &result["timed_out"]),
            (&json!("exited"), &json!(false))
        );
        assert_eq!(
            (&result["auto_backgrounded"], &result["semantic_status"]),
            (&json!(false), &json!("ok"))
        );
        // It may have been listed before it became a sleep.
        let survivors = result["survivors"].as_array().unwrap();
        let is_told = |pid: u32| survivors.iter().any(|it| it["pid"] == pid);
        eventually(
            &format!("{result} tells the sleeper"),
            Duration::from_secs(5),
            || matches!(sleepers(&marker)[..], [pid] if is_told(pid)),
        );
        let job = id_of(&result);
        let listed = server.listed(&job);
        assert_eq!(
            (&listed["state"], &listed["exit_code"]),
            (&json!("lingering"), &json!(0)),
            "{shape}"
        );
        assert!(
            listed["survivors"].to_string().contains(&marker),
            "{listed}"
        );
        assert_eq!(server.manage("signal_term", &job)["ok"], true);
        let page = server.ended(&job);
        assert_eq!(
            (&page["exit_code"], &page["data"]),
            (&json!(0), &json!(stdout)),
            "{shape}"
        );
        assert_gone(&marker);
    }
}

#[test]
fn what_ran_before_and_beside_a_background_list_is_delivered() {
    let (mut server, marker) = (Server::start(), marker());
    let result = server.exec(&format!("echo BEFORE && sleep {marker} & echo AFTER"));
    let stdout = result["stdout"].as_str().unwrap();
    assert!(
        stdout.contains("BEFORE") && stdout.contains("AFTER"),
        "{result}"
    );
    assert_eq!(result["exit_code"], 0);
    server.manage("signal_kill", &id_of(&result));
    assert_gone(&marker);
}

#[test]
fn whether_survivors_hold_the_output_is_told() {
    let (mut server, marker) = (Server::start(), marker());
    for (redirect, holds) in [
        ("", true),
        (">/dev/null 2>&1", false),
        ("2>/dev/null", true),
    ] {
        let result = server.exec(&format!("setsid sleep {marker} {redirect} & echo x"));
        assert_eq!(
            result["survivors"][0]["holds_output"], holds,
            "{redirect}: {result}"
        );
        assert_eq!(result["output_open"] == true, holds, "{redirect}: {result}");
        server.manage("signal_kill", &id_of(&result));
        assert_gone(&marker);
    }
}

#[test]
fn a_survivor_that_keeps_talking_does_not_delay_the_result() {
    let (mut server, marker) = (Server::start(), marker());
    let chatty = format!(
        "(while :; do echo tick; sleep 0.05; done; sleep {marker}) & sleep 0.3; echo fg-done"
    );
    let started = Instant::now();
    let result = server.exec(&chatty);
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    let shown = result["stdout"].as_str().unwrap();
    assert!(shown.contains("fg-done"), "{result}");
    assert_eq!(result["output_open"], true, "{result}");
    // What it says later is in the log of the job, and joins.
    let job = id_of(&result);
    eventually("it goes on", Duration::from_secs(20), || {
        let page = server.logs(json!({"job_id": job}));
        page["total_bytes"].as_u64().unwrap() > shown.len() as u64 + 20
    });
    let text = server.pages(&job, "stdout", 60_000);
    assert!(text.starts_with(shown), "{text}");
    assert!(
        text.lines().all(|line| line == "tick" || line == "fg-done"),
        "{text}"
    );
    server.manage("signal_kill", &job);
    server.ended(&job);
}

#[test]
fn what_a_survivor_prints_late_can_still_be_read() {
    let mut server = Server::start();
    let result = server.exec("(sleep 1; echo LATE) & echo now");
    assert_eq!(result["stdout"], "now\n");
    let job = id_of(&result);
    let page = server.ended(&job);
    assert_eq!(
        (&page["data"], &page["eof"]),
        (&json!("now\nLATE\n"), &json!(true)),
        "{page}"
    );
    let page = server.logs(json!({"job_id": job, "since_offset": result["stdout_next_offset"]}));
    assert_eq!(page["data"], "LATE\n");
}

#[test]
fn survivors_end_with_their_leader_where_that_is_wanted() {
    let mut server = Server::start();
    for shape in [
        "(setsid sh -c 'sleep @ &' &); exit 0",
        "sleep @ & echo done",
        "nohup sleep @ >/dev/null 2>&1 & disown",
        "setsid setsid sleep @ & disown",
    ] {
        let marker = marker();
        let result = server.call(
            "terminal_exec",
            json!({
                "command": shape.replace('@', &marker), "on_exit": "kill",
            }),
        );
        assert_eq!(result["exit_code"], 0, "{shape}: {result}");
        assert_eq!(result["end_reason"], "exited", "{shape}: {result}");
        assert_eq!(result["job_id"], Value::Null, "{shape}: {result}");
        assert_gone(&marker);
    }
    assert_eq!(server.jobs(), Vec::<Value>::new());
}

#[test]
fn the_deadline_of_a_call_ends_what_outlived_its_leader() {
    let (mut server, marker) = (Server::start(), marker());
    let result = server.call(
        "terminal_exec",
        json!({
            "command": format!("(setsid sleep {marker} &); echo left"), "timeout_sec": 2,
        }),
    );
    assert_eq!(
        (&result["exit_code"], &result["timed_out"]),
        (&json!(0), &json!(false))
    );
    let job = id_of(&result);
    assert!(!sleepers(&marker).is_empty());
    let page = server.ended(&job);
    assert_eq!(page["exit_code"], 0, "the leader had exited: {page}");
    assert_gone(&marker);
}

#[test]
fn the_end_of_the_session_ends_what_lingers() {
    let (mut server, marker) = (Server::start(), marker());
    for shape in [
        "(setsid sh -c 'sleep @ &' &)",
        "trap '' TERM; sleep @ & disown",
    ] {
        server.exec(&shape.replace('@', &marker));
    }
    assert_eq!(server.jobs().len(), 2);
    server.hang_up();
    assert!(server.wait().success());
    assert_gone(&marker);
}

#[test]
fn twenty_busy_survivors_are_listed_and_end_together() {
    let mut server = Server::start();
    let command = "for i in $(seq 20); do yes >/dev/null & done; echo started";
    let result = server.exec(command);
    assert_eq!(result["stdout"], "started\n");
    let pids: Vec<u32> = result["survivors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| u32::try_from(it["pid"].as_u64().unwrap()).unwrap())
        .collect();
    assert_eq!(pids.len(), 20, "{result}");
    server.manage("signal_kill", &id_of(&result));
    eventually("all are gone", Duration::from_secs(10), || {
        !pids.iter().any(|pid| ostler_tests::sweep::is_alive(*pid))
    });
}

#[test]
fn without_room_in_the_table_survivors_are_listed_and_ended() {
    let mut command = binary::ostler(["mcp"]);
    command.env("TERMINAL_TOOLS_MAX_JOBS", "1");
    let (mut server, marker) = (Server::start_with(command), marker());
    let first = server.job("read go");
    let result = server.exec(&format!("setsid sleep {marker} & echo done"));
    assert_eq!(
        (&result["exit_code"], &result["stdout"]),
        (&json!(0), &json!("done\n"))
    );
    assert_eq!(result["job_id"], Value::Null, "{result}");
    assert!(
        result["survivors"].to_string().contains(&marker),
        "{result}"
    );
    assert_gone(&marker);
    server.manage("close_stdin", &first);
    server.ended(&first);
}

#[test]
fn process_substitution_delivers_its_output() {
    let mut server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("x.log");
    let tee = format!("exec > >(tee -a {}) 2>&1 && echo x", log.display());
    for command in ["exec > >(cat) 2>&1; echo x", &tee] {
        for _ in 0..20 {
            let result = server.exec(command);
            assert_eq!(
                (&result["stdout"], &result["exit_code"]),
                (&json!("x\n"), &json!(0))
            );
        }
    }
    assert_eq!(std::fs::read_to_string(log).unwrap().lines().count(), 20);
}

#[test]
fn the_end_of_output_is_not_the_end_of_the_command() {
    let mut server = Server::start();
    let result = server.exec("exec >&- 2>&-; sleep 0.5; exit 7");
    assert_eq!(result["exit_code"], 7);
    assert!(result["runtime_ms"].as_u64().unwrap() >= 500);
}
