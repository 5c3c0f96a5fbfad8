//! Trees that grow while they are being ended. They run under a user of their own with a limit on its processes, so that
//! nothing else suffers should one get away.

use std::process::Command;
use std::time::Duration;

use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, living, marker};
use serde_json::json;

/// A user that owns nothing else.
const USER: &str = "61234";

/// Kills whatever the user still runs, however the test ends.
struct Fuse;

impl Drop for Fuse {
    fn drop(&mut self) {
        let _ = as_user(&["kill", "-9", "-1"]).status();
    }
}

fn as_user(words: &[&str]) -> Command {
    let mut command = Command::new("setpriv");
    command.args([
        &format!("--reuid={USER}"),
        &format!("--regid={USER}"),
        "--clear-groups",
    ]);
    command.args(words);
    command
}

fn may_change_user() -> bool {
    let probe = as_user(&["true"]).output();
    let may = probe.is_ok_and(|output| output.status.success());
    if !may {
        println!("skipped: may not run as another user");
    }
    may
}

/// Runs a bomb until its deadline. `$BOMB` is its text, `$0` the marker.
fn explode(server: &mut Server, bomb: &str, marker: &str) {
    let limits = "prlimit --nproc=200 --cpu=60";
    let start = format!(
        "setpriv --reuid={USER} --regid={USER} --clear-groups {limits} bash -c \"$BOMB\" {marker}"
    );
    let call = server.begin(
        "terminal_exec",
        json!({
            "command": start, "env": {"BOMB": bomb}, "cwd": "/", "timeout_sec": 3,
            "auto_background_after_sec": 0, "on_exit": "kill",
        }),
    );
    eventually("it explodes", Duration::from_secs(10), || {
        !living(&format!("bash\0-c\0{bomb}\0{marker}")).is_empty() || server.has_answer(call)
    });
    assert_eq!(server.exec("echo meanwhile")["stdout"], "meanwhile\n");
    let result = server.structured(call);
    assert!(result["error"].is_null(), "{result}");
    eventually(
        "every process of it is gone",
        Duration::from_secs(15),
        || living(marker).is_empty(),
    );
    assert_eq!(server.exec("echo after")["stdout"], "after\n");
}

#[test]
fn a_tree_that_doubles_and_changes_its_session_is_ended() {
    if !may_change_user() {
        return;
    }
    let _fuse = Fuse;
    let mut server = Server::start();
    for bomb in [
        "for i in 1 2; do setsid bash -c \"$BOMB\" $0 & done; wait",
        "trap '' TERM HUP; for i in 1 2; do setsid bash -c \"$BOMB\" $0 & done; wait",
        "while :; do setsid bash -c \"$BOMB\" $0 & sleep 0.01; done",
    ] {
        explode(&mut server, bomb, &marker());
    }
}

#[test]
fn a_tree_whose_parents_leave_after_every_fork_is_ended() {
    if !may_change_user() {
        return;
    }
    let _fuse = Fuse;
    let mut server = Server::start();
    for bomb in [
        "setsid bash -c \"$BOMB\" $0 & exit 0",
        "trap '' TERM; (setsid bash -c \"$BOMB\" $0 &) & exit 0",
    ] {
        explode(&mut server, bomb, &marker());
    }
}

#[test]
fn a_thousand_children_in_a_hundred_sessions_are_ended() {
    let (mut server, marker) = (Server::start(), marker());
    let session = format!("for i in $(seq 10); do sleep {marker} & done; wait");
    let command =
        format!("for i in $(seq 100); do setsid bash -c '{session}' & done; echo up; wait");
    let job = server.job(&command);
    eventually("all of them run", Duration::from_secs(60), || {
        ostler_tests::sweep::sleepers(&marker).len() == 1000
    });
    server.manage("signal_term", &job);
    let page = server.ended(&job);
    assert_eq!(page["end_reason"], "stopped", "{page}");
    assert_gone(&marker);
}
