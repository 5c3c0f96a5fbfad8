//! How the server lives and ends: nothing that it started outlives it, and nobody's call is forgotten.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use ostler_tests::binary;
use ostler_tests::procfs::{descendants, descriptors, threads, zombies};
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, is_alive, marker, sleepers};
use serde_json::{Value, json};

/// Commands that try to outlive whatever ends them.
fn hostile(marker: &str) -> [String; 6] {
    [
        format!("sleep {marker} & sleep {marker}"),
        format!("(setsid sh -c 'sleep {marker} &' &); sleep {marker}"),
        format!("setsid setsid sleep {marker} & sleep {marker}"),
        format!("nohup sleep {marker} >/dev/null 2>&1 & disown; sleep {marker}"),
        format!("trap '' TERM HUP INT; while :; do sleep {marker} & wait; done"),
        format!("setsid sleep {marker} & exit 0"),
    ]
}

/// Starts 16 calls and 16 jobs, and waits until all of them run.
fn fill(server: &mut Server, marker: &str) -> Vec<ostler_tests::server::Pending> {
    let hostile = hostile(marker);
    for command in hostile.iter().cycle().take(16) {
        server.job(command);
    }
    let calls = hostile.iter().take(5).cycle().take(16);
    let calls = calls
        .map(|command| {
            let command = format!("echo partial; {command}");
            let arguments =
                json!({"command": command, "auto_background_after_sec": 100, "timeout_sec": 0});
            server.begin("terminal_exec", arguments)
        })
        .collect();
    eventually("all trees run", Duration::from_secs(30), || {
        sleepers(marker).len() >= 48
    });
    calls
}

#[test]
fn the_death_of_the_server_ends_every_tree() {
    let (mut server, marker) = (Server::start(), marker());
    fill(&mut server, &marker);
    let own = descendants(server.pid());
    server.kill();
    assert_gone(&marker);
    eventually(
        "warden and keepers are gone",
        Duration::from_secs(6),
        || own.iter().all(|pid| !is_alive(*pid)),
    );
    // One that starts afterwards knows nothing of them, and there is nothing to know.
    assert_eq!(Server::start().jobs(), Vec::<Value>::new());
}

#[test]
fn a_request_to_end_or_a_hang_up_ends_the_server_and_every_tree() {
    type End = fn(&mut Server);
    let ends: [(&str, End); 4] = [
        ("SIGTERM", |server| server.signal(libc::SIGTERM)),
        ("SIGINT", |server| server.signal(libc::SIGINT)),
        ("two SIGTERM", |server| {
            server.signal(libc::SIGTERM);
            std::thread::sleep(Duration::from_millis(100));
            if !server.has_ended() {
                server.signal(libc::SIGTERM);
            }
        }),
        ("a hang-up", Server::hang_up),
    ];
    for (name, end) in ends {
        let (mut server, marker) = (Server::start_with(binary::endable(&["mcp"])), marker());
        let calls = fill(&mut server, &marker);
        let own = descendants(server.pid());
        let started = Instant::now();
        end(&mut server);
        if !name.starts_with("two") {
            // Calls in flight are answered before the end, with what was printed.
            for call in calls {
                let result = server.structured(call);
                assert_eq!(result["end_reason"], "shutdown", "{name}: {result}");
                assert_eq!(result["stdout"], "partial\n", "{name}: {result}");
                assert_eq!(result["timed_out"], false, "{name}: {result}");
            }
        }
        let status = server.wait();
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{name}: {:?}",
            started.elapsed()
        );
        println!("{name}: {status} after {:?}", started.elapsed());
        assert_gone(&marker);
        eventually(
            "warden and keepers are gone",
            Duration::from_secs(6),
            || own.iter().all(|pid| !is_alive(*pid)),
        );
    }
}

#[test]
fn a_client_that_reads_no_more_ends_the_server() {
    let marker = marker();
    let mut child = binary::ostler(["mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut say = move |message: Value| writeln!(stdin, "{message}");
    say(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "ostler-tests", "version": "0"},
        }}),
    )
    .unwrap();
    stdout.read_line(&mut String::new()).unwrap();
    say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    for (id, command) in [format!("sleep {marker} & yes"), format!("sleep {marker}")]
        .iter()
        .enumerate()
    {
        say(
            json!({"jsonrpc": "2.0", "id": id + 2, "method": "tools/call", "params": {
                "name": "terminal_job_start", "arguments": {"command": command},
            }}),
        )
        .unwrap();
        stdout.read_line(&mut String::new()).unwrap();
    }
    eventually("both run", Duration::from_secs(10), || {
        sleepers(&marker).len() == 2
    });
    drop(stdout);
    // The next answer finds nobody.
    let mut id = 10;
    eventually("the server ends", Duration::from_secs(30), || {
        id += 1;
        let _ = say(json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
        child.try_wait().unwrap().is_some()
    });
    assert_gone(&marker);
}

#[test]
fn one_slow_command_delays_no_other_call() {
    let mut server = Server::start();
    let slow = server.begin("terminal_exec", json!({"command": "sleep 2"}));
    assert_eq!(server.exec("echo quick")["stdout"], "quick\n");
    assert!(
        !server.has_answer(slow),
        "the quick call waited for the slow one"
    );
    assert_eq!(server.structured(slow)["exit_code"], 0);
}

#[test]
fn one_that_fails_fails_alone() {
    let mut server = Server::start();
    let pending: Vec<_> = (0..27)
        .map(|index| {
            let command = if index == 3 { "false" } else { "sh -c 'pwd'" };
            server.begin("terminal_exec", json!({"command": command, "cwd": "/usr"}))
        })
        .collect();
    for (index, request) in pending.into_iter().enumerate() {
        let result = server.structured(request);
        assert_eq!(
            result["exit_code"],
            i32::from(index == 3),
            "{index}: {result}"
        );
        assert_eq!(result["stdout"], if index == 3 { "" } else { "/usr\n" });
    }
}

#[test]
fn after_many_calls_the_next_one_is_answered_as_the_first_was() {
    let mut server = Server::start();
    let mut round = |count: usize| {
        for _ in 0..count {
            assert_eq!(server.exec("true")["exit_code"], 0);
        }
        let pending: Vec<_> = (0..200)
            .map(|_| server.begin("terminal_exec", json!({"command": "sleep 0.1"})))
            .collect();
        for request in pending {
            assert_eq!(server.structured(request)["exit_code"], 0);
        }
        let pid = server.pid();
        eventually("keepers are gone", Duration::from_secs(10), || {
            descendants(pid).len() <= 8
        });
        // Threads that waited for the policy go a while after their last work.
        eventually("threads are gone", Duration::from_secs(60), || {
            threads(pid) <= 8
        });
        descriptors(pid)
    };
    let first = round(50);
    let second = round(600);
    assert!(second <= first + 5, "{first}, then {second}");
    assert!(zombies(server.pid()).is_empty());
}

#[test]
fn a_server_that_is_the_first_process_of_a_container_leaves_no_zombies() {
    let wrapper = ["unshare", "--pid", "--fork", "--mount-proc"];
    let probe = std::process::Command::new("unshare")
        .args(&wrapper[1..])
        .arg("true")
        .output();
    if !probe.is_ok_and(|output| output.status.success()) {
        println!("skipped: may not make a namespace");
        return;
    }
    let mut server = Server::start_with(binary::under(wrapper, &["mcp"]));
    for _ in 0..200 {
        assert_eq!(
            server.exec("sh -c '(sleep 0.1 &) ; exit 0'")["exit_code"],
            0
        );
    }
    let pending: Vec<_> = (0..200)
        .map(|code| server.begin("terminal_exec", json!({"command": format!("exit {code}")})))
        .collect();
    for (code, request) in pending.into_iter().enumerate() {
        assert_eq!(server.structured(request)["exit_code"], code);
    }
    eventually("no zombie is left", Duration::from_secs(10), || {
        zombies(server.pid()).is_empty()
    });
    server.hang_up();
    server.wait();
}

#[test]
fn a_server_whose_binary_was_replaced_still_runs_commands() {
    let folder = tempfile::tempdir_in(binary::path().parent().unwrap()).unwrap();
    let link = folder.path().join("ostler");
    std::fs::hard_link(binary::path(), &link).unwrap();
    let mut own = std::process::Command::new(&link);
    own.arg("mcp");
    binary::equip(&mut own);
    let (mut server, marker) = (Server::start_with(own), marker());
    std::fs::remove_file(&link).unwrap();
    for _ in 0..20 {
        assert_eq!(server.exec("echo on")["stdout"], "on\n");
    }
    let job = server.job(&format!("(setsid sleep {marker} &); sleep {marker}"));
    server.manage("signal_term", &job);
    server.ended(&job);
    assert_gone(&marker);
}

#[test]
fn frames_that_are_none_and_frames_beyond_measure_do_no_harm() {
    let mut server = Server::start();
    for garbage in [
        json!("not a request"),
        json!([]),
        json!(7),
        json!({"jsonrpc": "1.0"}),
        json!({"id": 5_000_000}),
    ] {
        server.send(&garbage);
    }
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    let huge = "x".repeat(20 << 20);
    let call = server.begin("terminal_exec", json!({"command": format!("echo {huge}")}));
    let answer = server.answer(call);
    let told = answer["error"].is_object() || answer["result"]["isError"] == true;
    assert!(
        told,
        "{}",
        answer.to_string().chars().take(300).collect::<String>()
    );
    let pending: Vec<_> = (0..20_000)
        .map(|_| server.request("ping", json!({})))
        .collect();
    for request in pending {
        server.answer(request);
    }
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
}
