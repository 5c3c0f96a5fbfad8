//! The deadline of a call ends the whole tree, whatever shape it has.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, living, marker, sleepers};
use ostler_tests::tools;
use serde_json::json;

use super::exec_within;

#[test]
fn the_deadline_ends_the_tree_whatever_its_shape() {
    let mut server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    for shape in [
        "sleep @ & sleep @",
        "setsid setsid sleep @ & sleep @",
        "nohup sleep @ >/dev/null 2>&1 & disown; sleep @",
        "bash -c 'sleep @ & sleep @'",
        "sleep @ 2>&1 | tee -a /dev/null",
        "(setsid sh -c 'sleep @ &' &); sleep @",
        "mkfifo p; (while :; do echo c; sleep 0.2; done; sleep @) > p & cat p; sleep @",
        "for i in 1 2 3; do (: @; while :; do :; done) & done; sleep @",
        "exec 3< <(sleep @); cat <&3",
        "coproc sleep @; wait",
        "timeout 86400 sleep @",
        "sh -c 'kill -STOP $$' & sleep @",
    ] {
        let marker = marker();
        let result = server.call(
            "terminal_exec",
            json!({
                "command": shape.replace('@', &marker), "cwd": folder.path(),
                "timeout_sec": 0.4, "auto_background_after_sec": 0,
            }),
        );
        assert_eq!(result["timed_out"], true, "{shape}: {result}");
        assert_eq!(result["end_reason"], "deadline", "{shape}: {result}");
        assert_eq!(result["semantic_status"], "error", "{shape}: {result}");
        let message = result["semantic_message"].as_str().unwrap();
        assert!(message.contains("timed out"), "{shape}: {message}");
        assert_ne!(result["forced"], true, "{shape} ends when asked: {result}");
        assert_gone(&marker);
    }
}

#[test]
fn output_before_the_deadline_is_kept() {
    let mut server = Server::start();
    let result = exec_within(&mut server, "echo early; sleep 86400", 3.0);
    assert_eq!(result["stdout"], "early\n");
    assert_eq!(result["timed_out"], true);
}

#[test]
fn the_ending_names_the_signal_and_the_reason_apart() {
    let (mut server, marker) = (Server::start(), marker());
    let result = exec_within(&mut server, &format!("sleep {marker}"), 0.4);
    assert_eq!(
        (&result["exit_code"], &result["signal"]),
        (&json!(-15), &json!("SIGTERM"))
    );
    assert_eq!(
        (&result["end_reason"], &result["signal_sender"]),
        (&json!("deadline"), &json!("ostler"))
    );
    assert_gone(&marker);
}

#[test]
fn the_answer_comes_at_the_deadline_and_not_when_the_command_would_have_ended() {
    let mut server = Server::start();
    let started = Instant::now();
    let result = exec_within(&mut server, "sleep 60; echo hello", 1.0);
    assert_eq!(
        (&result["timed_out"], &result["stdout"]),
        (&json!(true), &json!(""))
    );
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_tree_that_ignores_the_request_to_end_is_forced() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("trap '' TERM HUP INT; while :; do sleep {marker}; done");
    let result = exec_within(&mut server, &command, 3.0);
    assert_eq!(result["timed_out"], true);
    assert_eq!(result["forced"], true);
    assert_eq!(result["exit_code"], -9);
    assert_gone(&marker);
}

#[test]
fn a_stopped_child_is_woken_to_end_and_not_forced() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("sleep {marker} & kill -STOP $!; wait");
    let result = exec_within(&mut server, &command, 0.3);
    assert_eq!(result["timed_out"], true);
    assert_ne!(result["forced"], true);
    assert_gone(&marker);
}

#[test]
fn a_leader_that_stops_itself_is_ended_at_the_deadline() {
    let (mut server, marker) = (Server::start(), marker());
    let result = exec_within(
        &mut server,
        &format!("sleep {marker} & kill -STOP $$; wait"),
        0.5,
    );
    assert_eq!(
        (&result["timed_out"], &result["end_reason"]),
        (&json!(true), &json!("deadline"))
    );
    assert_gone(&marker);
}

#[test]
fn a_port_is_free_after_the_deadline() {
    let Some(python) = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .into_iter()
        .find(|it| std::path::Path::new(it).exists())
    else {
        println!("skipped: no python3 that could listen on a port");
        return;
    };
    let mut server = Server::start();
    let marker = marker();
    let script = format!(
        "import socket, time; s = socket.create_server((\"127.0.0.1\", 0)); \
         print(s.getsockname()[1], flush=True); time.sleep({marker})"
    );
    let command = format!("sh -c '{python} -c \"$0\" & wait' '{script}'");
    let call = server.begin(
        "terminal_exec",
        json!({
            "command": command, "timeout_sec": 3, "auto_background_after_sec": 0,
        }),
    );
    let result = server.structured(call);
    assert_eq!(result["timed_out"], true, "{result}");
    let port: u16 = result["stdout"].as_str().unwrap().trim().parse().unwrap();
    eventually("the port is free", Duration::from_secs(10), || {
        TcpStream::connect(("127.0.0.1", port)).is_err()
    });
    assert_gone(&marker);
}

#[test]
fn a_traced_process_ends_with_its_tracer() {
    if !tools::is_there("strace") {
        return;
    }
    let (mut server, marker) = (Server::start(), marker());
    let call = server.begin(
        "terminal_exec",
        json!({
            "command": format!("strace -f -o /dev/null sleep {marker}"), "timeout_sec": 5,
            "auto_background_after_sec": 0,
        }),
    );
    eventually("it runs", Duration::from_secs(4), || {
        living(&marker).len() >= 2
    });
    assert_eq!(server.structured(call)["timed_out"], true);
    assert_gone(&marker);
}

#[test]
fn the_ending_of_one_command_harms_no_neighbour() {
    let (mut server, marker) = (Server::start(), marker());
    let neighbour = server.begin("terminal_exec", json!({"command": "sleep 2; seq 1 1000"}));
    // The group of the leader is its own, so signals to it stay there.
    let result = server.exec("kill -TERM 0");
    assert_eq!(
        (&result["exit_code"], &result["signal"]),
        (&json!(-15), &json!("SIGTERM"))
    );
    assert_eq!(
        exec_within(&mut server, &format!("sleep {marker}"), 0.3)["timed_out"],
        true
    );
    let result = server.structured(neighbour);
    assert_eq!(result["exit_code"], 0, "{result}");
    assert_eq!(result["stdout"].as_str().unwrap().lines().count(), 1000);
    assert_gone(&marker);
}

#[test]
fn cancelling_a_call_ends_its_tree() {
    let (mut server, marker) = (Server::start(), marker());
    let call = server.begin(
        "terminal_exec",
        json!({"command": format!("while :; do sleep {marker} & wait; done")}),
    );
    eventually("it runs", Duration::from_secs(10), || {
        !sleepers(&marker).is_empty()
    });
    server.cancel(call);
    assert_gone(&marker);
    // Cancelling what has ended, twice, is nothing; nor is it before anything began.
    server.cancel(call);
    let done = server.begin("terminal_exec", json!({"command": "true"}));
    server.structured(done);
    server.cancel(done);
    let hasty = server.begin(
        "terminal_exec",
        json!({"command": format!("sleep {marker}")}),
    );
    server.cancel(hasty);
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    assert_gone(&marker);
}
