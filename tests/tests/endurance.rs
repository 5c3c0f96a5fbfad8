//! What shows only after minutes: leaks, starvation, bytes lost under load. Run by name, one at a time:
//! `cargo test --workspace --locked --test endurance -- --ignored --test-threads 1`.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ostler_tests::procfs::{cpu_ticks, descendants, descriptors, resident_kib, threads, zombies};
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, marker};
use serde_json::json;

/// Busy loops, to keep every core from its work.
struct Load(Vec<Child>);

impl Load {
    fn of(loops: usize) -> Self {
        let busy = || {
            let mut command = Command::new("bash");
            command
                .args(["-c", "while :; do :; done"])
                .stdin(Stdio::null());
            command.spawn().unwrap()
        };
        Self((0..loops).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What a server holds while nothing of it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Held {
    resident_kib: u64,
    descriptors: usize,
    processes: usize,
    threads: u64,
}

fn held(server: &Server) -> Held {
    let pid = server.pid();
    // The warden and its spare keepers stay.
    eventually("keepers are gone", Duration::from_secs(20), || {
        descendants(pid).len() <= 8 && zombies(pid).is_empty()
    });
    Held {
        resident_kib: resident_kib(pid),
        descriptors: descriptors(pid),
        processes: descendants(pid).len(),
        threads: threads(pid),
    }
}

#[test]
#[ignore = "endurance: takes minutes"]
fn many_commands_leave_no_process_descriptor_or_memory_behind() {
    let mut server = Server::start();
    let mut run = |count: usize| {
        for _ in 0..count {
            server.exec("true");
        }
        held(&server)
    };
    let first = run(1000);
    let last = run(9000);
    println!("{first:?}, then {last:?}");
    assert_eq!(first.descriptors, last.descriptors);
    assert!(
        last.processes <= first.processes + 1,
        "{first:?}, then {last:?}"
    );
    assert!(
        last.threads <= first.threads + 1,
        "{first:?}, then {last:?}"
    );
    let grown = last.resident_kib.saturating_sub(first.resident_kib);
    assert!(grown <= 1 << 10, "{grown} KiB more");
}

#[test]
#[ignore = "endurance: takes minutes"]
fn many_jobs_leave_no_process_descriptor_or_memory_behind_and_the_oldest_are_forgotten() {
    let mut server = Server::start();
    let mut ids = Vec::new();
    let mut run = |server: &mut Server, count: usize| {
        for _ in 0..count {
            let job = server.job("echo x");
            server.ended(&job);
            ids.push(job);
        }
        held(server)
    };
    // Until every place for jobs that have ended is taken.
    let first = run(&mut server, 1200);
    let last = run(&mut server, 1200);
    println!("{first:?}, then {last:?}");
    assert_eq!(first.descriptors, last.descriptors);
    assert!(
        last.processes <= first.processes + 1,
        "{first:?}, then {last:?}"
    );
    let grown = last.resident_kib.saturating_sub(first.resident_kib);
    assert!(grown <= 1 << 10, "{grown} KiB more");
    let mut code = |index: usize| {
        let page = server.logs(json!({"job_id": ids[ids.len() - index]}));
        page["code"].as_str().map(ToOwned::to_owned)
    };
    assert_eq!(code(50), None);
    assert_eq!(code(51).as_deref(), Some("evicted_job"));
    assert_eq!(code(50 + 1024).as_deref(), Some("evicted_job"));
    assert_eq!(code(50 + 1025).as_deref(), Some("unknown_job"));
}

#[test]
#[ignore = "endurance: takes minutes"]
fn a_thousand_commands_at_the_same_time_are_all_answered() {
    let mut server = Server::start();
    for _ in 0..200 {
        server.exec("true");
    }
    let before = held(&server);
    let pending: Vec<_> = (0..1000)
        .map(|index| {
            let arguments = json!({"command": format!("sleep 1.5; echo {index}"), "timeout_sec": 200, "auto_background_after_sec": 0});
            server.begin("terminal_exec", arguments)
        })
        .collect();
    let mut peak = 0;
    while !server.has_answer(pending[999]) {
        peak = peak.max(descriptors(server.pid()));
        std::thread::sleep(Duration::from_millis(50));
    }
    for (index, request) in pending.into_iter().enumerate() {
        let result = server.structured(request);
        assert_eq!(
            (&result["exit_code"], &result["stdout"]),
            (&json!(0), &json!(format!("{index}\n"))),
            "{result}"
        );
    }
    let after = held(&server);
    println!("{peak} descriptors at the peak; {before:?}, then {after:?}");
    assert!(
        after.descriptors <= before.descriptors + 5,
        "{before:?}, then {after:?}"
    );
}

#[test]
#[ignore = "endurance: takes minutes"]
fn a_flooder_that_nobody_reads_is_not_held_up_and_fills_no_memory() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("yes & sleep {marker}"));
    let total = |server: &mut Server| {
        let page = server.logs(json!({"job_id": job, "tail": true, "max_bytes": 4}));
        page["total_bytes"].as_u64().unwrap()
    };
    std::thread::sleep(Duration::from_secs(5));
    let (settled, mut produced) = (resident_kib(server.pid()), total(&mut server));
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_secs(5));
        let now = total(&mut server);
        assert!(now > produced, "it stands still at {now} bytes");
        produced = now;
    }
    let grown = resident_kib(server.pid()).saturating_sub(settled);
    println!(
        "{} MiB in a minute, {grown} KiB more memory",
        produced >> 20
    );
    assert!(grown < 8 << 10, "{grown} KiB more");
    let page = server.logs(json!({"job_id": job, "max_bytes": 4}));
    assert_eq!(
        (&page["data"], &page["offset"]),
        (&json!("y\ny\n"), &json!(0))
    );
    server.manage("signal_term", &job);
    server.ended(&job);
    assert_gone(&marker);
}

#[test]
#[ignore = "endurance: takes minutes"]
fn a_writer_of_single_bytes_costs_the_server_little_and_every_byte_counts() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("bytewise.c");
    let program = folder.path().join("bytewise");
    // Writes for five seconds of its own clock and then tells how many it wrote.
    let text = "#include <stdio.h>\n#include <time.h>\n#include <unistd.h>\n\
        int main(void) { long n = 0; time_t end = time(0) + 5;\n\
        while (n % 1000 || time(0) < end) n += write(1, \"x\", 1);\n\
        fprintf(stderr, \"%ld\", n); return 0; }\n";
    std::fs::write(&source, text).unwrap();
    let compiled = Command::new("cc")
        .arg("-O1")
        .arg("-o")
        .args([&program, &source])
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        println!("skipped: no C compiler");
        return;
    }
    let mut server = Server::start();
    server.exec("true");
    let (started, ticks) = (Instant::now(), cpu_ticks(server.pid()));
    let result = server.exec(program.to_str().unwrap());
    let ticks = cpu_ticks(server.pid()) - ticks;
    let wrote: u64 = result["stderr"].as_str().unwrap().parse().unwrap();
    let shown = result["stdout"].as_str().unwrap().len() as u64;
    assert_eq!(
        shown + result["stdout_truncated_bytes"].as_u64().unwrap(),
        wrote
    );
    let share = ticks as f64 / 100.0 / started.elapsed().as_secs_f64();
    println!(
        "{wrote} bytes; the server used {:.0} % of a core",
        100.0 * share
    );
    assert!(
        share < 0.6,
        "the server used {:.0} % of a core",
        100.0 * share
    );
}

#[test]
#[ignore = "endurance: takes minutes"]
fn every_byte_arrives_while_all_cores_are_busy() {
    let _load = Load::of(2 * std::thread::available_parallelism().unwrap().get());
    let mut server = Server::start();
    for round in 0..200 {
        let command = "head -c 2097152 /dev/zero | tr '\\0' x";
        let arguments = json!({"command": command, "max_output_kb": 2048});
        let result = server.call("terminal_exec", arguments);
        let shown = result["stdout"].as_str().unwrap();
        assert_eq!(
            (shown.len(), &result["stdout_truncated_bytes"]),
            (2 << 20, &json!(0)),
            "round {round}"
        );
    }
    for bytes in [60_000, 1 << 20] {
        for round in 0..300 {
            let arguments =
                json!({"command": format!("head -c {bytes} /dev/zero"), "max_output_kb": 2048});
            let result = server.call("terminal_exec", arguments);
            assert_eq!(
                result["stdout"].as_str().unwrap().chars().count(),
                bytes,
                "round {round}"
            );
        }
    }
}

#[test]
#[ignore = "endurance: takes minutes"]
fn two_thousand_outputs_of_a_megabyte_stay_within_the_memory_for_outputs() {
    let mut server = Server::start();
    server.exec("true");
    let before = resident_kib(server.pid());
    for round in 0..2000 {
        let result = server.exec("head -c 1000000 /dev/zero");
        assert!(result["output_handle"].is_string(), "round {round}");
    }
    let after = resident_kib(server.pid());
    println!("{before} KiB, then {after} KiB");
    // What is kept of ended commands, and room for what is on its way.
    assert!(
        after < before + ((64 + 32) << 10),
        "{before} KiB, then {after} KiB"
    );
}

#[test]
#[ignore = "endurance: takes minutes"]
fn a_quiet_job_is_heard_beside_thirty_two_loud_ones() {
    let mut command = ostler_tests::binary::ostler(["mcp"]);
    command.env("TERMINAL_TOOLS_MAX_JOBS", "64");
    let (mut server, marker) = (Server::start_with(command), marker());
    let loud: Vec<_> = (0..32)
        .map(|_| server.job(&format!("yes {marker}")))
        .collect();
    let settled = resident_kib(server.pid());
    let quiet = server.job("while read go; do date +%s.%N; done");
    let mut worst: f64 = 0.0;
    let mut offset = json!(0);
    for _ in 0..20 {
        server.type_in(&quiet, "go\n");
        let page = server.logs(json!({
            "job_id": quiet, "since_offset": offset, "wait_for": r"\d\n", "wait_timeout_sec": 45,
        }));
        let seen = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs_f64();
        assert_eq!(page["matched"], true, "{page}");
        let printed: f64 = page["data"].as_str().unwrap().trim().parse().unwrap();
        worst = worst.max(seen - printed);
        offset = page["next_offset"].clone();
        std::thread::sleep(Duration::from_millis(200));
    }
    println!("at most {:.0} ms late", 1000.0 * worst);
    assert!(worst < 2.0, "{:.0} ms late", 1000.0 * worst);
    let grown = resident_kib(server.pid()).saturating_sub(settled);
    // Each of them fills its ring once.
    assert!(grown < 33 * (5 << 10), "{grown} KiB more");
    for job in loud {
        server.manage("signal_kill", &job);
    }
    server.hang_up();
    server.wait();
    assert_gone(&marker);
}
