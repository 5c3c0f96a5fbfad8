//! A system that runs out of descriptors, processes or patience: the answer says so, and nothing is left alive.

use std::time::Duration;

use ostler_tests::binary;
use ostler_tests::procfs::descriptors;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, marker};
use ostler_tests::tools;
use serde_json::{Value, json};

#[test]
fn without_descriptors_jobs_are_refused_and_later_ones_run() {
    let mut command = binary::under(["prlimit", "--nofile=64"], &["mcp"]);
    command.env("TERMINAL_TOOLS_MAX_JOBS", "100");
    let (mut server, marker) = (Server::start_with(command), marker());
    server.exec("true");
    let before = descriptors(server.pid());
    let arguments = json!({"command": format!("sleep {marker}")});
    let pending: Vec<_> = (0..40)
        .map(|_| server.begin("terminal_job_start", arguments.clone()))
        .collect();
    let answers: Vec<Value> = pending
        .into_iter()
        .map(|it| server.structured(it))
        .collect();
    let (started, refused): (Vec<_>, Vec<_>) =
        answers.iter().partition(|it| it["job_id"].is_string());
    assert!(!started.is_empty() && !refused.is_empty(), "{answers:?}");
    for refusal in refused {
        assert_eq!(refusal["code"], "exhausted", "{refusal}");
        assert!(
            refusal["error"].as_str().unwrap().contains("descriptor"),
            "{refusal}"
        );
    }
    for job in started {
        server.manage("signal_kill", job["job_id"].as_str().unwrap());
    }
    assert_gone(&marker);
    for _ in 0..20 {
        assert_eq!(server.exec("echo on")["stdout"], "on\n");
    }
    eventually("no descriptor leaked", Duration::from_secs(10), || {
        descriptors(server.pid()) <= before
    });
}

#[test]
fn a_call_that_fails_anywhere_on_its_way_leaves_nothing() {
    if !tools::is_there("strace") {
        return;
    }
    for (calls, error, first) in [
        ("pipe2", "EMFILE", [1, 2, 3, 4, 6].as_slice()),
        ("epoll_ctl", "ENOSPC", &[1, 4, 8, 12]),
        ("pidfd_open", "EMFILE", &[1]),
        ("socketpair", "ENFILE", &[1, 2]),
        ("clone,clone3,vfork,fork", "EAGAIN", &[1, 2, 3]),
    ] {
        for first in first {
            fail_from(calls, error, &format!("{first}+"));
        }
    }
    // Once only: whoever tries again succeeds.
    for nth in 1..4 {
        fail_from("clone,clone3,vfork,fork", "EAGAIN", &nth.to_string());
    }
}

/// Lets system calls fail in the server and in everything below it, and looks at what that does to commands.
fn fail_from(calls: &str, error: &str, when: &str) {
    let marker = marker();
    let traced = format!("trace={calls}");
    let injected = format!("inject={calls}:error={error}:when={when}");
    let words = [
        "strace",
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        &traced,
        "-e",
        &injected,
    ];
    let mut server = Server::spawn(binary::under(words, &["mcp"]));
    let mut told = Vec::new();
    let mut lives = server.shake_hands();
    for tool in ["terminal_exec", "terminal_job_start"]
        .into_iter()
        .cycle()
        .take(6)
    {
        if !lives {
            break;
        }
        let command = if tool == "terminal_exec" {
            "echo x"
        } else {
            &format!("sleep {marker}")
        };
        let call = server.begin(tool, json!({"command": command}));
        eventually(
            &format!("{injected}: an answer"),
            Duration::from_secs(60),
            || {
                lives = !server.has_ended();
                server.has_answer(call) || !lives
            },
        );
        if !server.has_answer(call) {
            continue;
        }
        let result = server.structured(call);
        if result["error"].is_string() {
            assert!(result["code"].is_string(), "{injected}: {result}");
            told.push(result["code"].to_string());
        } else if tool == "terminal_exec" {
            assert_eq!(result["stdout"], "x\n", "{injected}: {result}");
        }
    }
    println!(
        "{injected}: {told:?}{}",
        if lives { "" } else { ", and the server ended" }
    );
    server.hang_up();
    let status = server.wait();
    assert_eq!(status.success(), lives, "{injected}: {status}");
    assert_gone(&marker);
}

#[test]
fn the_death_of_the_warden_ends_or_keeps_its_jobs_and_the_next_command_runs() {
    let (mut server, marker) = (Server::start(), marker());
    let jobs: Vec<_> = (0..8)
        .map(|_| server.job(&format!("(setsid sleep {marker} &); sleep {marker}")))
        .collect();
    let below = ostler_tests::procfs::descendants(server.pid());
    let warden = below[0].to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-9", &warden])
            .status()
            .unwrap()
            .success()
    );
    for job in &jobs {
        let page = server.ended(job);
        // A keeper that notices in time ends its tree and says so; of one that was faster gone nobody knows.
        let reason = page["end_reason"].as_str().unwrap();
        assert!(["lost", "signalled"].contains(&reason), "{page}");
    }
    assert_gone(&marker);
    eventually("commands run again", Duration::from_secs(20), || {
        server.exec("echo on")["stdout"] == "on\n"
    });
}
