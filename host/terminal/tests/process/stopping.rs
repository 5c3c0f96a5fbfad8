//! Ending trees, whatever they do to stay.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use ostler_terminal::process::{Event, ExitKind, Signal};

use crate::marker::{Marker, lives, wait_until};
use crate::run::{Running, command, script, start};

const KILLED: ExitKind = ExitKind::Signal {
    number: libc::SIGKILL,
    core_dumped: false,
};
const TERMINATED: ExitKind = ExitKind::Signal {
    number: libc::SIGTERM,
    core_dumped: false,
};
/// More than any case needs; what ends early proves that nobody waits for it.
const LONG: Duration = Duration::from_secs(30);

/// Starts a script in which `{}` stands for the marker and waits until so many processes carry
/// that.
async fn start_marked(marker: &Marker, text: &str, count: usize) -> Running {
    let running = start(script(&text.replace("{}", &marker.to_string()))).await;
    marker.wait_for(count);
    running
}

#[tokio::test]
async fn children_in_the_group_end_with_the_leader() {
    let marker = Marker::new();
    let running = start_marked(&marker, "sleep {} & sleep {}", 2).await;
    let started = Instant::now();
    running.tree.stop(LONG);
    let ended = running.ended().await;
    assert_eq!((ended.kind(), ended.forced), (TERMINATED, false));
    assert!(started.elapsed() < Duration::from_secs(1));
    marker.sweep();
}

#[tokio::test]
async fn a_daemon_that_forked_twice_ends_too() {
    let marker = Marker::new();
    let mut running = start_marked(&marker, "(setsid sh -c 'sleep {} & exit' &); exit 0", 1).await;
    assert_eq!(running.exited().await.kind(), ExitKind::Code(0));
    assert_eq!(running.survivors().await.1, 1);
    running.tree.stop(LONG);
    assert!(!running.emptied().await);
    marker.sweep();
}

#[tokio::test]
async fn a_chain_of_sessions_ends() {
    let marker = Marker::new();
    let running = start_marked(&marker, "setsid setsid sleep {} & wait", 1).await;
    running.tree.stop(LONG);
    assert!(!running.ended().await.forced);
    marker.sweep();
}

#[tokio::test]
async fn what_is_born_while_its_parents_are_asked_is_asked_too() {
    let marker = Marker::new();
    let text = "setsid setsid setsid setsid sleep {} & wait".replace("{}", &marker.to_string());
    for delay in 0..60 {
        let running = start(script(&text)).await;
        // At another moment of the chain each time.
        std::thread::sleep(Duration::from_micros(100 * delay));
        running.tree.stop(LONG);
        assert!(!running.ended().await.forced, "after {delay} times 0.1 ms");
    }
    marker.sweep();
}

#[tokio::test]
async fn what_ignores_the_hangup_and_left_the_job_table_ends() {
    let marker = Marker::new();
    let text = "nohup sleep {} >/dev/null 2>&1 & disown; setsid nohup sleep {} & wait";
    let running = start_marked(&marker, text, 2).await;
    running.tree.stop(LONG);
    assert!(!running.ended().await.forced);
    marker.sweep();
}

#[tokio::test]
async fn a_leader_that_ignores_the_request_is_forced_after_the_grace() {
    let marker = Marker::new();
    let text = "trap '' TERM HUP INT; : {}; while :; do sleep 0.01; done";
    let running = start(command(&["bash", "-c", text, "name", &marker.to_string()])).await;
    marker.wait_for(1);
    wait_until(LONG, || {
        let status = fs::read_to_string(format!("/proc/{}/status", running.leader)).unwrap();
        let ignored = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:\t"))
            .unwrap();
        u64::from_str_radix(ignored, 16).unwrap() >> (libc::SIGTERM - 1) & 1 == 1
    });
    let started = Instant::now();
    let grace = Duration::from_millis(300);
    running.tree.stop(grace);
    let ended = running.ended().await;
    let elapsed = started.elapsed();
    assert_eq!((ended.kind(), ended.forced), (KILLED, true));
    assert!(
        elapsed >= grace && elapsed < grace + Duration::from_secs(1),
        "{elapsed:?}"
    );
    marker.sweep();
}

#[tokio::test]
async fn a_stopped_child_is_continued_so_that_it_can_end() {
    let marker = Marker::new();
    let running = start_marked(
        &marker,
        "sleep {} & until grep -q sleep /proc/$!/comm; do :; done; kill -STOP $!; wait",
        1,
    )
    .await;
    let sleeper = marker.living()[0];
    wait_until(LONG, || {
        fs::read_to_string(format!("/proc/{sleeper}/stat"))
            .unwrap()
            .contains(") T ")
    });
    running.tree.stop(LONG);
    assert!(!running.ended().await.forced);
    marker.sweep();
}

#[tokio::test]
async fn a_leader_that_stopped_itself_ends() {
    let marker = Marker::new();
    let running = start_marked(&marker, "sleep {} & kill -STOP $$; wait", 1).await;
    running.tree.stop(LONG);
    assert!(!running.ended().await.forced);
    marker.sweep();
}

#[tokio::test]
async fn a_leader_that_is_stopped_and_continued_is_seen_as_such() {
    let marker = Marker::new();
    let mut running = start_marked(&marker, "kill -STOP $$; sleep {}", 0).await;
    let stopped = Event::Stopped {
        signal: libc::SIGSTOP,
    };
    assert_eq!(running.next().await, stopped);
    running.tree.signal(Signal::Continue);
    assert_eq!(running.next().await, Event::Continued);
    running.tree.kill();
    running.ended().await;
    marker.sweep();
}

#[tokio::test]
async fn a_signal_reaches_those_who_left_the_group_and_the_session() {
    let marker = Marker::new();
    let text = "trap : HUP; setsid sleep {} & sleep {} & wait; wait; exit 3";
    let mut running = start_marked(&marker, text, 2).await;
    running.tree.signal(Signal::Hangup);
    let exit = running.exited().await;
    assert_eq!(exit.kind(), ExitKind::Code(3));
    running.emptied().await;
    marker.sweep();
}

#[tokio::test]
async fn each_process_is_asked_once() {
    let text = "trap 'echo asked; n=1' TERM; echo ready; while [ -z \"$n\" ]; do sleep 0.01; done; \
                sleep 0.1; exit 0";
    let mut spawn = script(text);
    let mut output = crate::run::capture(&mut spawn);
    let running = start(spawn).await;
    let mut text = String::new();
    wait_until(LONG, || {
        text += &output.take().0;
        text.contains("ready")
    });
    running.tree.stop(LONG);
    let ended = running.ended().await;
    assert_eq!((ended.kind(), ended.forced), (ExitKind::Code(0), false));
    text += &output.take_all();
    assert_eq!(text.matches("asked").count(), 1, "{text}");
}

#[tokio::test]
async fn a_kill_during_the_grace_ends_it() {
    let marker = Marker::new();
    let text = "trap '' TERM; sleep {} & sleep {} & wait";
    let running = start_marked(&marker, text, 2).await;
    let started = Instant::now();
    running.tree.stop(LONG);
    running.tree.kill();
    let ended = running.ended().await;
    assert_eq!((ended.kind(), ended.forced), (KILLED, true));
    assert!(started.elapsed() < Duration::from_secs(1));
    marker.sweep();
}

#[tokio::test]
async fn many_stops_are_one_stop() {
    let marker = Marker::new();
    let mut running = start_marked(&marker, "setsid sleep {} & sleep {}", 2).await;
    for _ in 0..50 {
        running.tree.stop(LONG);
    }
    assert_eq!(running.exited().await.kind(), TERMINATED);
    assert!(!running.emptied().await);
    running.tree.stop(LONG);
    running.tree.kill();
    assert!(!running.emptied().await);
    marker.sweep();
}

#[tokio::test]
async fn dropping_a_tree_ends_it() {
    let marker = Marker::new();
    let text =
        "trap '' TERM HUP; sleep {} & setsid sleep {} & (setsid sh -c 'sleep {} & exit' &); wait";
    drop(start_marked(&marker, text, 3).await);
    marker.sweep();
}

#[tokio::test]
async fn dropping_a_tree_before_it_started_ends_it() {
    let marker = Marker::new();
    for _ in 0..50 {
        let spawn = command(&["sleep", &marker.to_string()]);
        drop(crate::run::warden().spawn(spawn).unwrap());
    }
    marker.sweep();
}

#[tokio::test]
async fn one_hundred_deaf_daemons_in_their_own_sessions_end() {
    let marker = Marker::new();
    let text =
        "trap '' TERM HUP INT; for i in {1..100}; do setsid sh -c 'sleep MARK & wait' & done; wait";
    let text = text.replace("MARK", "{}");
    // Each shell carries the marker inside a longer argument, so only the sleepers count.
    let running = start_marked(&marker, &text, 100).await;
    let started = Instant::now();
    running.tree.stop(Duration::from_millis(50));
    assert!(running.ended().await.forced);
    assert!(
        started.elapsed() < Duration::from_secs(3),
        "{:?}",
        started.elapsed()
    );
    assert!(marker.living().is_empty());
}

#[tokio::test]
async fn a_process_that_moves_on_by_forking_is_caught() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("roll");
    // Ends by itself when the directory is gone, should this test fail.
    fs::write(
        &path,
        "#!/bin/sh\n[ -e \"$0\" ] || exit\nsetsid \"$0\" \"$1\" &\nexit 0\n",
    )
    .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let marker = Marker::new();
    let mut running = start(command(&[path.to_str().unwrap(), &marker.to_string()])).await;
    running.exited().await;
    let started = Instant::now();
    running.tree.kill();
    assert!(running.emptied().await);
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
    assert!(marker.living().is_empty());
}

#[tokio::test]
async fn a_fork_bomb_that_starts_a_session_each_time_is_put_out() {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("skipped: bounding the bomb needs root");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let path = directory.path().join("bomb");
    let text = "#!/bin/sh\ntrap '' TERM HUP INT\n\
        while [ -e \"$0\" ]; do setsid \"$0\" \"$1\" & sleep 0.01; done\n";
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let marker = Marker::new();
    // A user of its own with a limit of its own, and every process ends by itself when the
    // directory is gone.
    let bounded = format!(
        "exec setpriv --reuid 64999 --clear-groups bash -c 'ulimit -u 120; exec {} {marker}'",
        path.display()
    );
    let running = start(script(&bounded)).await;
    wait_until(LONG, || marker.living().len() > 60);
    let started = Instant::now();
    running.tree.stop(Duration::from_millis(100));
    let ended = running.ended().await;
    assert!(ended.forced);
    println!("put out after {:?}", started.elapsed());
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
    assert!(marker.living().is_empty());
}

#[tokio::test]
async fn the_leader_is_gone_when_its_tree_is_empty() {
    let running = start(command(&["sleep", "0.05"])).await;
    let leader = running.leader;
    assert!(lives(leader));
    running.ended().await;
    assert!(!lives(leader));
}
