//! What a command inherits, and what serving thousands of them leaves in the server.

use std::fs;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::SigSet;
use ostler_terminal::process::{ExitKind, Warden, open_cwd, to_child};

use crate::marker::wait_until;
use crate::run::{capture, command, finish, script, start_with};
use crate::server_death::{as_server, as_server_after};

#[tokio::test]
async fn a_command_has_exactly_three_descriptors() {
    let (_, output) = finish(command(&["ls", "/proc/self/fd"])).await;
    // The fourth is the directory that is being listed.
    assert_eq!(output, "0\n1\n2\n3\n");
}

#[tokio::test]
async fn a_command_has_a_session_and_no_terminal() {
    let (ended, output) = finish(script("ps -o sid= -p $$ | tr -d ' '; echo $$")).await;
    assert_eq!(ended.kind(), ExitKind::Code(0));
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines[0], lines[1]);
    let started = Instant::now();
    let (ended, output) = finish(script("read x </dev/tty")).await;
    assert_ne!(ended.kind(), ExitKind::Code(0), "{output}");
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn signals_of_a_command_are_all_default_and_let_through() {
    let (_, output) = finish(command(&["cat", "/proc/self/status"])).await;
    assert_clean_signals(&output);
}

fn assert_clean_signals(status: &str) {
    for field in [
        "SigBlk:\t",
        "SigIgn:\t",
        "SigCgt:\t",
        "SigPnd:\t",
        "ShdPnd:\t",
    ] {
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(field))
            .unwrap();
        assert_eq!(line, "0000000000000000", "{field}");
    }
}

#[tokio::test]
async fn limits_are_set_and_core_dumps_are_off() {
    let mut spawn = command(&["cat", "/proc/self/limits"]);
    spawn.limits.cpu_sec = Some(77);
    spawn.limits.address_space_bytes = Some(1 << 30);
    spawn.limits.file_size_bytes = Some(12_345);
    spawn.limits.open_files = Some(55);
    let (_, output) = finish(spawn).await;
    let limit = |name: &str| -> Vec<&str> {
        let line = output
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap();
        line.split_whitespace().take(2).collect()
    };
    assert_eq!(limit("Max cpu time"), ["77", "78"]);
    assert_eq!(limit("Max address space"), ["1073741824", "1073741824"]);
    assert_eq!(limit("Max file size"), ["12345", "12345"]);
    assert_eq!(limit("Max open files"), ["55", "55"]);
    assert_eq!(limit("Max core file size"), ["0", "0"]);
}

#[tokio::test]
async fn a_command_that_uses_up_its_cpu_time_gets_the_signal_that_says_so() {
    let mut spawn = script("while :; do :; done");
    spawn.limits.cpu_sec = Some(1);
    let (ended, _) = finish(spawn).await;
    let number = libc::SIGXCPU;
    assert_eq!(
        ended.kind(),
        ExitKind::Signal {
            number,
            core_dumped: false
        }
    );
}

#[tokio::test]
async fn the_environment_and_the_directory_are_what_was_asked() {
    let directory = tempfile::tempdir().unwrap();
    let mut spawn = command(&["cat", "/proc/self/environ"]);
    spawn.env = vec![("B".into(), "2=3".into()), ("A".into(), "".into())];
    assert_eq!(finish(spawn).await.1, "B=2=3\0A=\0");
    let mut spawn = command(&["pwd", "-P"]);
    spawn.cwd = open_cwd(directory.path()).unwrap();
    let place = directory.path().canonicalize().unwrap();
    assert_eq!(finish(spawn).await.1.trim_end(), place.to_str().unwrap());
}

#[tokio::test]
async fn memory_shortage_prefers_a_command_to_the_server() {
    let own = fs::read_to_string("/proc/self/oom_score_adj").unwrap();
    let own: i32 = own.trim().parse().unwrap();
    let (_, output) = finish(command(&["cat", "/proc/self/oom_score_adj"])).await;
    assert_eq!(output.trim().parse::<i32>().unwrap(), (own + 500).min(1000));
}

#[tokio::test]
async fn standard_input_ends_when_the_server_closes_its_end() {
    let mut spawn = command(&["cat"]);
    let (write, read) = to_child().unwrap();
    spawn.stdin = read;
    let mut output = capture(&mut spawn);
    let running = crate::run::start(spawn).await;
    std::io::Write::write_all(&mut fs::File::from(write), b"hello").unwrap();
    assert_eq!(running.ended().await.kind(), ExitKind::Code(0));
    assert_eq!(output.take_all(), "hello");
}

#[tokio::test]
async fn the_umask_is_that_of_the_server_at_the_start() {
    let (_, output) = finish(script("umask")).await;
    let expected = std::process::Command::new("bash")
        .args(["-c", "umask"])
        .output()
        .unwrap();
    assert_eq!(output.as_bytes(), expected.stdout);
}

/// Runs in a process of its own, because it counts that process's descriptors and memory.
#[test]
fn thousands_of_commands_leave_nothing_in_the_server() {
    as_server(
        "hygiene::thousands_of_commands_leave_nothing_in_the_server",
        || async {
            let warden = Warden::start().unwrap();
            let one = async || {
                let ended = start_with(&warden, command(&["true"])).await.ended().await;
                assert_eq!(ended.kind(), ExitKind::Code(0));
            };
            for _ in 0..500 {
                one().await;
            }
            let (descriptors, memory) = (descriptors(), resident_kib());
            for _ in 0..2000 {
                one().await;
            }
            assert_eq!(self::descriptors(), descriptors);
            assert!(
                resident_kib() < memory + 1024,
                "{} -> {}",
                memory,
                resident_kib()
            );
            let warden = warden.pid().get();
            wait_until(Duration::from_secs(2), || {
                (1..=5).contains(&children(warden).len())
            });
            assert_eq!(children(std::process::id() as i32), [warden]);
        },
    );
}

#[test]
fn a_server_with_odd_signals_starts_clean_commands() {
    let name = "hygiene::a_server_with_odd_signals_starts_clean_commands";
    as_server_after("trap '' HUP INT TERM CHLD", name, || async {
        SigSet::all().thread_block().unwrap();
        let own = fs::read_to_string("/proc/thread-self/status").unwrap();
        let signals = |field: &str| {
            let line = own
                .lines()
                .find_map(|line| line.strip_prefix(field))
                .unwrap();
            u64::from_str_radix(line, 16).unwrap()
        };
        for signal in [
            libc::SIGHUP,
            libc::SIGINT,
            libc::SIGTERM,
            libc::SIGCHLD,
            libc::SIGPIPE,
        ] {
            assert_eq!(
                signals("SigIgn:\t") >> (signal - 1) & 1,
                1,
                "signal {signal}"
            );
            assert_eq!(
                signals("SigBlk:\t") >> (signal - 1) & 1,
                1,
                "signal {signal}"
            );
        }
        let warden = Warden::start().unwrap();
        let mut spawn = command(&["cat", "/proc/self/status"]);
        let mut output = capture(&mut spawn);
        let ended = start_with(&warden, spawn).await.ended().await;
        assert_eq!(ended.kind(), ExitKind::Code(0));
        assert_clean_signals(&output.take_all());
        let running = start_with(&warden, command(&["sleep", "86400"])).await;
        running.tree.stop(Duration::from_secs(30));
        assert!(!running.ended().await.forced);
    });
}

#[test]
fn a_server_without_standard_streams_starts_commands() {
    as_server(
        "hygiene::a_server_without_standard_streams_starts_commands",
        || async {
            for number in 0..3 {
                nix::unistd::close(number).unwrap();
            }
            let warden = Warden::start().unwrap();
            let mut spawn = script("readlink /proc/self/fd/0; echo out; echo err >&2");
            let mut output = capture(&mut spawn);
            assert!(spawn.stdin.as_raw_fd() < 8);
            let ended = start_with(&warden, spawn).await.ended().await;
            assert_eq!(ended.kind(), ExitKind::Code(0));
            assert_eq!(output.take_all(), "/dev/null\nout\nerr\n");
        },
    );
}

#[test]
fn a_server_whose_directory_is_gone_starts_commands_elsewhere() {
    as_server(
        "hygiene::a_server_whose_directory_is_gone_starts_commands_elsewhere",
        || async {
            let directory = tempfile::tempdir().unwrap();
            std::env::set_current_dir(directory.path()).unwrap();
            directory.close().unwrap();
            let warden = Warden::start().unwrap();
            let ended = start_with(&warden, command(&["pwd"])).await.ended().await;
            assert_eq!(ended.kind(), ExitKind::Code(0));
        },
    );
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Children of a process, zombies included.
fn children(parent: i32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

fn parent_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
}
