//! Output that tries to drown us, and output that is easy to lose.

use std::time::Duration;

use ostler_tests::binary;
use ostler_tests::procfs::resident_kib;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, marker};
use serde_json::json;

#[test]
fn ten_gigabytes_are_counted_and_do_not_fill_memory() {
    let mut server = Server::start();
    server.exec("true");
    let idle = resident_kib(server.pid());
    let bytes = 10_u64 << 30;
    let request = server.begin(
        "terminal_exec",
        json!({
            "command": format!("head -c {bytes} /dev/zero"), "timeout_sec": 200,
            "auto_background_after_sec": 0,
        }),
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
fn a_line_of_hundreds_of_megabytes_is_no_trouble() {
    let mut server = Server::start();
    let result = server.exec("head -c 100000000 /dev/zero | tr '\\0' a");
    assert_eq!(result["stdout_truncated_bytes"], 100_000_000 - (256 << 10));
    let idle = resident_kib(server.pid());
    let job = server.job("head -c 629145600 /dev/zero | tr '\\0' a; echo last");
    let page = server.exited(&job);
    assert_eq!(page["total_bytes"], 629_145_605);
    let page = server.logs(json!({"job_id": job, "tail": true, "max_bytes": 8}));
    assert_eq!(page["data"], "aaalast\n");
    let now = resident_kib(server.pid());
    assert!(
        now < idle + (64 << 10),
        "{idle} KiB before, {now} KiB after"
    );
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
        assert_eq!(result["stdout"], "␀".repeat(60_000));
    }
}

#[test]
fn bytes_written_one_by_one_are_all_counted() {
    let mut server = Server::start();
    let command = "dd if=/dev/zero bs=1 count=300000 2>/dev/null | dd bs=1 2>/dev/null";
    let result = server.exec(command);
    let shown = result["stdout"].as_str().unwrap().chars().count() as u64;
    assert_eq!(
        shown + result["stdout_truncated_bytes"].as_u64().unwrap(),
        300_000
    );
}

#[test]
fn a_job_that_reads_where_logs_are_kept_does_not_feed_itself() {
    let folder = tempfile::tempdir().unwrap();
    let spill = folder.path().join("spill");
    std::fs::create_dir(&spill).unwrap();
    let text = format!(
        "[output]\nring_kb = 64\nspill_mb = 4\nspill_folder = '{}'\n",
        spill.display()
    );
    let command = binary::configured(folder.path(), &text);
    let (mut server, marker) = (Server::start_with(command), marker());
    let writer = server.job(&format!("seq 1 500000; sleep {marker}"));
    eventually("much is written", Duration::from_secs(20), || {
        server.logs(json!({"job_id": writer}))["total_bytes"]
            .as_u64()
            .unwrap()
            > 3_000_000
    });
    let reader = server.job_with(json!({
        "command": "cat * 2>/dev/null; ls | wc -l", "cwd": spill,
    }));
    assert_eq!(server.whole(&reader, "stdout"), "0\n", "no log has a name");
    server.manage("signal_kill", &writer);
    assert_gone(&marker);
}

#[test]
fn a_full_or_missing_folder_for_logs_stops_no_job() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let text = format!(
        "[output]\nring_kb = 64\nspill_folder = '{}'\n",
        missing.display()
    );
    let command = binary::configured(folder.path(), &text);
    let mut server = Server::start_with(command);
    let job = server.job("seq 1000000 1999999");
    let page = server.exited(&job);
    assert_eq!(
        (&page["exit_code"], &page["total_bytes"]),
        (&json!(0), &json!(8_000_000))
    );
    assert!(
        page["spill"].as_str().unwrap().starts_with("disabled: "),
        "{}",
        page["spill"]
    );
    let page = server.logs(json!({"job_id": job, "tail": true, "max_bytes": 8}));
    assert_eq!(page["data"], "1999999\n");
    assert_eq!(
        server.logs(json!({"job_id": job, "max_bytes": 8}))["data"],
        "1000000\n"
    );
}

#[test]
fn a_disk_that_fills_up_stops_no_job() {
    // The mount needs a namespace of its own, where nobody else sees it.
    let probe = std::process::Command::new("unshare")
        .args(["-m", "true"])
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        println!("skipped: may not mount");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("small");
    std::fs::create_dir(&small).unwrap();
    let text = format!(
        "[output]\nring_kb = 64\nspill_folder = '{}'\n",
        small.display()
    );
    let config = folder.path().join("config.toml");
    std::fs::write(&config, text).unwrap();
    let mount = format!(
        "mount -t tmpfs -o size=1m none {} && exec \"$@\"",
        small.display()
    );
    let mut command = binary::under(["unshare", "-m", "sh", "-c", &mount, "sh"], &["mcp"]);
    command.env("OSTLER_CONFIG", &config);
    let mut server = Server::start_with(command);
    let job = server.job("seq 1000000 1999999");
    let page = server.exited(&job);
    assert_eq!(
        (&page["exit_code"], &page["total_bytes"]),
        (&json!(0), &json!(8_000_000))
    );
    assert!(
        page["spill"].as_str().unwrap().starts_with("disabled: "),
        "{}",
        page["spill"]
    );
    let page = server.logs(json!({"job_id": job, "tail": true, "max_bytes": 8}));
    assert_eq!(page["data"], "1999999\n");
    server.hang_up();
    assert!(server.wait().success());
}

#[test]
fn a_limit_on_the_size_of_the_servers_files_stops_no_job() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "[output]\nring_kb = 64\nspill_folder = '{}'\n",
        folder.path().display()
    );
    let config = folder.path().join("config.toml");
    std::fs::write(&config, text).unwrap();
    let mut command = binary::under(["prlimit", "--fsize=1048576"], &["mcp"]);
    command.env("OSTLER_CONFIG", &config);
    let mut server = Server::start_with(command);
    let job = server.job("seq 1000000 1999999");
    let page = server.exited(&job);
    assert_eq!(
        (&page["exit_code"], &page["total_bytes"]),
        (&json!(0), &json!(8_000_000))
    );
    assert!(
        page["spill"].as_str().unwrap().starts_with("disabled: "),
        "{}",
        page["spill"]
    );
}
