//! The fault suite of foreground commands: trees that try to escape, output that tries to drown us, odd starts.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::time::{Duration, Instant};

use ostler_tests::binary;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, is_alive, marker, sleepers};
use serde_json::{Value, json};

/// Runs a command under a deadline, without promotion.
fn exec_within(server: &mut Server, command: &str, timeout_sec: f64) -> Value {
    let arguments = json!({
        "command": command, "timeout_sec": timeout_sec, "auto_background_after_sec": 0,
    });
    server.call("terminal_exec", arguments)
}

#[test]
fn the_deadline_ends_background_children_too() {
    let (mut server, marker) = (Server::start(), marker());
    let result = exec_within(
        &mut server,
        &format!("sleep {marker} & sleep {marker}"),
        0.3,
    );
    assert_eq!(result["timed_out"], true);
    assert_eq!(result["semantic_status"], "error");
    assert!(
        result["semantic_message"]
            .as_str()
            .unwrap()
            .contains("timed out")
    );
    assert_gone(&marker);
}

#[test]
fn output_before_the_deadline_is_kept() {
    let mut server = Server::start();
    let result = exec_within(&mut server, "echo early; sleep 86400", 3.0);
    assert_eq!(result["stdout"], "early\n");
    assert_eq!(result["timed_out"], true);
}

#[test]
fn a_double_forked_daemon_ends_with_its_command() {
    let (mut server, marker) = (Server::start(), marker());
    let result = server.exec(&format!("(setsid sh -c 'sleep {marker} &' &); exit 0"));
    assert_eq!(result["exit_code"], 0);
    assert_gone(&marker);
}

#[test]
fn nested_sessions_end_at_the_deadline() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("setsid setsid sleep {marker} & sleep {marker}");
    let result = exec_within(&mut server, &command, 0.3);
    assert_eq!(result["timed_out"], true);
    assert_gone(&marker);
}

#[test]
fn nohup_and_disown_do_not_escape_the_deadline() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("nohup sleep {marker} >/dev/null 2>&1 & disown; sleep {marker}");
    assert_eq!(exec_within(&mut server, &command, 0.3)["timed_out"], true);
    assert_gone(&marker);
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
fn the_end_of_output_is_not_the_end_of_the_command() {
    let mut server = Server::start();
    let result = server.exec("exec >&- 2>&-; sleep 0.5; exit 7");
    assert_eq!(result["exit_code"], 7);
    assert!(result["runtime_ms"].as_u64().unwrap() >= 500);
}

#[test]
fn a_grandchild_that_keeps_the_pipe_does_not_delay_the_result() {
    let (mut server, marker) = (Server::start(), marker());
    let result = server.exec(&format!("sleep {marker} & echo done"));
    assert_eq!(result["stdout"], "done\n");
    assert_eq!(result["exit_code"], 0);
    let survivors = result["survivors"].as_array().unwrap();
    assert!(
        survivors.iter().any(|it| it.to_string().contains(&marker)),
        "{result}"
    );
    assert_eq!(result["timed_out"], false);
    assert_gone(&marker);
}

#[test]
fn process_substitution_delivers_its_output() {
    let mut server = Server::start();
    for _ in 0..20 {
        let result = server.exec("exec > >(cat) 2>&1; echo x");
        assert_eq!(result["stdout"], "x\n");
    }
}

#[test]
fn every_exit_code_is_reported_exactly() {
    let mut server = Server::start();
    let pending: Vec<_> = (0..=255)
        .map(|code| server.begin("terminal_exec", json!({"command": format!("exit {code}")})))
        .collect();
    for (code, request) in pending.into_iter().enumerate() {
        assert_eq!(server.structured(request)["exit_code"], code);
    }
}

#[test]
fn every_deadly_signal_is_reported_exactly() {
    let mut server = Server::start();
    // CHLD, CONT, URG and WINCH are ignored by default; STOP, TSTP, TTIN and TTOU stop.
    let harmless = [17, 18, 19, 20, 21, 22, 23, 28];
    for signal in (1..=31).filter(|signal| !harmless.contains(signal)) {
        // A shell ignores some signals for itself; what it becomes by exec does not.
        let killer = format!("(while kill -{signal} $$ 2>/dev/null; do sleep 0.01; done) &");
        let result = server.exec(&format!("{killer} exec sleep 86400"));
        assert_eq!(result["exit_code"], -signal, "{result}");
        assert_eq!(result["semantic_status"], "signal", "{result}");
    }
}

#[test]
fn ten_gigabytes_are_counted_and_do_not_fill_memory() {
    let mut server = Server::start();
    server.exec("true");
    let idle = resident_kib(server.pid());
    let bytes = 10_u64 << 30;
    let request = server.begin(
        "terminal_exec",
        json!({"command": format!("head -c {bytes} /dev/zero"), "timeout_sec": 200}),
    );
    let mut peak = 0;
    while !server.has_answer(request) {
        peak = peak.max(resident_kib(server.pid()));
        std::thread::sleep(Duration::from_millis(20));
    }
    let result = server.structured(request);
    assert_eq!(result["stdout_truncated_bytes"], bytes - (256 << 10));
    assert!(
        peak < idle + (24 << 10),
        "{idle} KiB at rest, {peak} KiB at the peak"
    );
}

#[test]
fn a_hundred_megabytes_without_a_newline_are_no_trouble() {
    let mut server = Server::start();
    let result = server.exec("head -c 100000000 /dev/zero | tr '\\0' a");
    assert_eq!(result["stdout_truncated_bytes"], 100_000_000 - (256 << 10));
}

#[test]
fn every_byte_value_arrives_as_valid_json() {
    let mut server = Server::start();
    let command = "for i in $(seq 0 255); do printf \"\\\\x$(printf %02x $i)\"; done";
    let result = server.exec(command);
    let text = result["stdout"].as_str().unwrap();
    let ascii: String = (0..128_u8).map(char::from).collect();
    assert!(text.starts_with(&ascii));
    assert!(text[128..].chars().all(|it| it == '\u{fffd}'));
    // Characters of three bytes across the edges of 64 KiB reads.
    let result = server.exec("yes '€' | tr -d '\\n' | head -c 240000");
    let text = result["stdout"].as_str().unwrap();
    assert_eq!(text, "€".repeat(80_000));
}

#[test]
fn two_thousand_short_commands_all_deliver() {
    let mut server = Server::start();
    for _ in 0..10 {
        let pending: Vec<_> = (0..200)
            .map(|_| server.begin("terminal_exec", json!({"command": "echo x"})))
            .collect();
        for request in pending {
            assert_eq!(server.structured(request)["stdout"], "x\n");
        }
    }
}

#[test]
fn what_is_written_right_before_the_exit_is_read() {
    let mut server = Server::start();
    for bytes in [60_000, 1 << 20] {
        for _ in 0..30 {
            let arguments = json!({
                "command": format!("head -c {bytes} /dev/zero | tr '\\0' y"), "max_output_kb": 2048,
            });
            let result = server.call("terminal_exec", arguments);
            assert_eq!(result["stdout"].as_str().unwrap().len(), bytes);
        }
    }
}

#[test]
fn what_a_leader_writes_right_before_its_exit_is_read() {
    let mut server = Server::start();
    for _ in 0..100 {
        let result = server.exec("head -c 60000 /dev/zero");
        assert_eq!(result["shell_kind"], "direct");
        assert_eq!(result["stdout"].as_str().unwrap().len(), 60_000);
    }
}

#[test]
fn bytes_written_one_by_one_are_all_counted() {
    let mut server = Server::start();
    let command = "dd if=/dev/zero bs=1 count=300000 2>/dev/null | dd bs=1 2>/dev/null";
    let result = server.exec(command);
    let shown = result["stdout"].as_str().unwrap().len() as u64;
    assert_eq!(
        shown + result["stdout_truncated_bytes"].as_u64().unwrap(),
        300_000
    );
}

#[test]
fn commands_start_clean_whatever_state_the_server_was_started_in() {
    let mut command = with_environment_of_ostler("env");
    command.args(["--block-signal=TERM,INT,USR1", "--ignore-signal=HUP,CHLD"]);
    command.arg(binary::path()).arg("mcp");
    let mut server = Server::start_with(command);
    let result = server.exec("grep -E '^Sig(Blk|Ign)' /proc/self/status");
    assert_eq!(result["exit_code"], 0);
    for line in result["stdout"].as_str().unwrap().lines() {
        let mask = u64::from_str_radix(line.split_whitespace().nth(1).unwrap(), 16).unwrap();
        // glibc keeps 32 and 33 for itself.
        assert_eq!(mask & !(0b11 << 31), 0, "{line}");
    }
    assert_eq!(server.exec("exit 3")["exit_code"], 3);
}

#[test]
fn a_command_sees_exactly_three_descriptors() {
    let mut server = Server::start();
    let pending = server.begin("terminal_exec", json!({"command": "sleep 0.2"}));
    let result = server.exec("ls /proc/self/fd");
    // The fourth is the folder that ls itself reads.
    assert_eq!(result["stdout"], "0\n1\n2\n3\n");
    server.structured(pending);
}

#[test]
fn a_server_started_without_standard_descriptors_ends_or_works() {
    let hello = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
        let mut command = with_environment_of_ostler("bash");
        let script = format!("echo '{hello}' | (\"$0\" mcp {closed})");
        command.arg("-c").arg(script).arg(binary::path());
        let mut child = command.stdin(std::process::Stdio::null()).spawn().unwrap();
        eventually("the server ends", Duration::from_secs(20), || {
            child.try_wait().unwrap().is_some()
        });
    }
}

#[test]
fn a_command_that_asks_a_person_fails_instead_of_hanging() {
    let mut server = Server::start();
    let started = Instant::now();
    let result = server.exec("read x </dev/tty");
    assert_ne!(result["exit_code"], 0);
    let result = server.exec("exec <>/dev/tty; read -s password");
    assert_ne!(result["exit_code"], 0);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn many_commands_leave_no_process_descriptor_or_memory_behind() {
    let mut server = Server::start();
    let mut run = |count: usize| {
        for _ in 0..count {
            server.exec("true");
        }
        let pid = server.pid();
        // The warden and its spare keepers stay.
        eventually("keepers are gone", Duration::from_secs(5), || {
            descendants(pid).len() <= 8
        });
        (resident_kib(pid), descriptors(pid))
    };
    let (resident, open) = run(1000);
    let (resident_later, open_later) = run(9000);
    assert_eq!(open, open_later);
    assert!(
        resident_later <= resident + (1 << 10),
        "{resident} KiB, then {resident_later} KiB"
    );
}

#[test]
fn the_death_of_the_server_ends_every_tree() {
    let (mut server, marker) = (Server::start(), marker());
    let hostile = [
        format!("sleep {marker} & sleep {marker}"),
        format!("(setsid sh -c 'sleep {marker} &' &); sleep {marker}"),
        format!("setsid setsid sleep {marker} & sleep {marker}"),
        format!("nohup sleep {marker} >/dev/null 2>&1 & disown; sleep {marker}"),
        format!("trap '' TERM HUP INT; while :; do sleep {marker}; done"),
    ];
    for command in hostile.iter().cycle().take(32) {
        server.begin("terminal_exec", json!({"command": command}));
    }
    eventually("all trees run", Duration::from_secs(20), || {
        sleepers(&marker).len() >= 50
    });
    let own = descendants(server.pid());
    server.kill();
    assert_gone(&marker);
    eventually(
        "warden and keepers are gone",
        Duration::from_secs(2),
        || own.iter().all(|pid| !is_alive(*pid)),
    );
}

#[test]
fn a_hang_up_ends_the_server_and_every_tree() {
    let (mut server, marker) = (Server::start(), marker());
    let calls = [
        format!("sleep {marker}"),
        format!("trap '' TERM; sleep {marker}; sleep {marker}"),
    ]
    .map(|command| server.begin("terminal_exec", json!({"command": command})));
    eventually("both run", Duration::from_secs(10), || {
        sleepers(&marker).len() >= 2
    });
    server.hang_up();
    // Calls in flight are answered before the end.
    for call in calls {
        assert_eq!(server.structured(call)["ended_by"], "request");
    }
    assert!(server.wait().success());
    assert_gone(&marker);
}

#[test]
fn cancelling_a_call_ends_its_tree() {
    let (mut server, marker) = (Server::start(), marker());
    let call = server.begin(
        "terminal_exec",
        json!({"command": format!("sleep {marker} & wait")}),
    );
    eventually("it runs", Duration::from_secs(10), || {
        !sleepers(&marker).is_empty()
    });
    server.cancel(call);
    assert_gone(&marker);
    // Cancelling what has ended, twice, is nothing.
    server.cancel(call);
    let done = server.begin("terminal_exec", json!({"command": "true"}));
    server.structured(done);
    server.cancel(done);
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
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

/// Another program in the environment that the binary is tested in.
fn with_environment_of_ostler(program: &str) -> std::process::Command {
    let mut command = std::process::Command::new(program);
    for (name, value) in binary::ostler(["mcp"]).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// Resident memory of a process, in KiB.
fn resident_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

fn descriptors(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .count()
}

/// Every living process below this one.
fn descendants(root: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid: u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            Some((pid, parent))
        })
        .collect();
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(
            parents
                .iter()
                .filter(|(_, it)| *it == parent)
                .map(|(pid, _)| *pid),
        );
        next += 1;
    }
    found.remove(0);
    found
}
