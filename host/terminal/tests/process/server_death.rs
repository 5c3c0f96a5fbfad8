//! What is left when the server, the warden or a keeper dies.

use std::env;
use std::future::Future;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use ostler_terminal::process::{Event, ExitKind, Warden};

use crate::marker::{Marker, lives, wait_until};
use crate::run::{command, next, script, start, start_with};

/// Names the test whose server part is to run.
const ROLE: &str = "OSTLER_TEST_SERVER";
/// The marker for a server's commands.
const MARKER: &str = "OSTLER_TEST_MARKER";

/// Runs the body in a process of its own and waits for its success. `name` is the test that calls
/// this.
pub fn as_server<F: Future>(name: &str, body: impl FnOnce() -> F) {
    as_server_after(":", name, body);
}

/// The same with a bit of shell that prepares what the process inherits.
pub fn as_server_after<F: Future>(prelude: &str, name: &str, body: impl FnOnce() -> F) {
    if env::var_os(ROLE).is_some() {
        block_on(body());
        return;
    }
    let server = server(name);
    let output = Command::new("bash")
        .args(["-c", &format!("{prelude}; exec \"$0\" \"$@\"")])
        .arg(server.get_program())
        .args(server.get_args())
        .env(ROLE, name)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        text.contains("running 1 test"),
        "no such test: {name}: {text}"
    );
}

/// A server that does not outlive its test.
struct Server(Child);

impl Server {
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn block_on<F: Future>(body: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(body)
}

fn server(name: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(ROLE, name);
    command
}

/// Every way to stay alive that is known here.
const STUBBORN: &[&str] = &[
    "sleep {}",
    "sleep {} & sleep {}",
    "(setsid sh -c 'sleep {} & exit' &); exit 0",
    "setsid setsid sleep {} & wait",
    "nohup sleep {} >/dev/null 2>&1 & disown; wait",
    "trap '' TERM HUP INT; sleep {} & while :; do sleep 1; done",
    "sleep {} & until grep -q sleep /proc/$!/comm; do :; done; kill -STOP $!; wait",
    "sleep {} & kill -STOP $$; wait",
];
const SERVER_JOBS: usize = 32;

/// The server of the next tests: starts its jobs, says its warden's number, and sits there.
fn sit_with_jobs() {
    let marker = Marker::named(&env::var(MARKER).unwrap());
    block_on(async {
        let warden = Warden::start().unwrap();
        let mut trees = Vec::new();
        for text in STUBBORN.iter().cycle().take(SERVER_JOBS) {
            let text = text.replace("{}", &marker.to_string());
            trees.push(start_with(&warden, script(&text)).await);
        }
        println!("warden {}", warden.pid());
        std::future::pending::<()>().await;
    });
}

/// Starts that server; returns it and its warden when all jobs run.
fn server_with_jobs(name: &str, marker: &Marker) -> (Server, i32) {
    let mut server = server(name)
        .env(MARKER, marker.to_string())
        .stdout(Stdio::piped())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let server = Server(server);
    let pid = lines
        .map_while(Result::ok)
        .find_map(|line| line.split_once("warden ")?.1.parse().ok())
        .unwrap();
    // One sleeper a job, two in the second kind.
    marker.wait_for(SERVER_JOBS + SERVER_JOBS / STUBBORN.len());
    (server, pid)
}

#[test]
fn the_death_of_the_server_ends_every_tree_within_a_second() {
    if env::var_os(ROLE).is_some() {
        return sit_with_jobs();
    }
    let marker = Marker::new();
    let name = "server_death::the_death_of_the_server_ends_every_tree_within_a_second";
    let (mut server, warden) = server_with_jobs(name, &marker);
    let keepers = children_named(warden, "ostler-keeper");
    assert!(keepers.len() >= SERVER_JOBS, "{}", keepers.len());
    let killed = Instant::now();
    server.kill();
    marker.sweep_within(Duration::from_secs(1));
    println!("all processes gone after {:?}", killed.elapsed());
    wait_until(Duration::from_secs(2), || {
        !lives(warden) && keepers.iter().all(|keeper| !lives(*keeper))
    });
}

#[test]
fn the_death_of_a_loaded_server_leaves_nothing_in_the_middle_of_a_burst() {
    let name = "server_death::the_death_of_a_loaded_server_leaves_nothing_in_the_middle_of_a_burst";
    if env::var_os(ROLE).is_some() {
        let marker = env::var(MARKER).unwrap();
        return block_on(async {
            let warden = Warden::start().unwrap();
            println!("warden {}", warden.pid());
            let mut trees = Vec::new();
            loop {
                trees.push(warden.spawn(command(&["sleep", &marker])).unwrap());
                if trees.len() == 100 {
                    std::process::abort();
                }
            }
        });
    }
    let marker = Marker::new();
    let mut server = server(name)
        .env(MARKER, marker.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = String::new();
    server
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert!(!server.wait().unwrap().success());
    let warden = text
        .lines()
        .find_map(|line| line.split_once("warden ")?.1.parse().ok())
        .unwrap();
    wait_until(Duration::from_secs(2), || !lives(warden));
    marker.sweep_within(Duration::ZERO);
}

#[tokio::test]
async fn dropping_the_warden_ends_everything() {
    let marker = Marker::new();
    let warden = Warden::start().unwrap();
    let pid = warden.pid().get();
    let text = format!("trap '' TERM; setsid sleep {marker} & sleep {marker}");
    let mut running = start_with(&warden, script(&text)).await;
    marker.wait_for(2);
    drop(warden);
    assert!(!lives(pid));
    assert!(marker.living().is_empty());
    assert!(matches!(
        running.exited().await.kind(),
        ExitKind::Signal { number: 9, .. }
    ));
    assert!(running.emptied().await);
}

#[tokio::test]
async fn a_killed_keeper_is_reported_and_its_tree_is_ended() {
    let marker = Marker::new();
    let other = start(command(&["sleep", "0.5"])).await;
    let text = format!("setsid sleep {marker} & sleep {marker} & read x; kill -9 $PPID; wait");
    let mut spawn = script(&text);
    let (write, read) = ostler_terminal::process::to_child().unwrap();
    spawn.stdin = read;
    let mut running = start(spawn).await;
    marker.wait_for(2);
    drop(write);
    assert_eq!(running.next().await, Event::Lost);
    assert_eq!(running.next().await, Event::Lost);
    marker.sweep();
    assert_eq!(other.ended().await.kind(), ExitKind::Code(0));
    assert_eq!(
        start(command(&["true"])).await.ended().await.kind(),
        ExitKind::Code(0)
    );
}

#[tokio::test]
async fn a_stopped_keeper_is_continued() {
    let marker = Marker::new();
    let text = format!("sleep {marker} & kill -STOP $PPID; wait");
    let running = start(script(&text)).await;
    marker.wait_for(1);
    let started = Instant::now();
    running.tree.stop(Duration::from_secs(30));
    assert!(!running.ended().await.forced);
    assert!(started.elapsed() < Duration::from_secs(1));
    marker.sweep();
}

#[tokio::test]
async fn a_keeper_that_is_asked_to_end_by_a_stranger_stays() {
    let running = start(script(
        "kill -TERM $PPID; kill -INT $PPID; kill -HUP $PPID; sleep 0.1; exit 4",
    ))
    .await;
    assert_eq!(running.ended().await.kind(), ExitKind::Code(4));
}

#[tokio::test]
async fn a_killed_warden_takes_its_trees_along_and_is_replaced() {
    let marker = Marker::new();
    let warden = Warden::start().unwrap();
    let first = warden.pid();
    let mut trees = Vec::new();
    for _ in 0..8 {
        let text = format!("setsid sleep {marker} & sleep {marker}");
        trees.push(start_with(&warden, script(&text)).await);
    }
    marker.wait_for(16);
    kill(nix::unistd::Pid::from_raw(first.get()), Signal::SIGKILL).unwrap();
    for tree in &mut trees {
        loop {
            match next(&mut tree.tree).await {
                Event::Empty { forced } => break assert!(forced),
                Event::Exited(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(marker.living().is_empty());
    let ended = start_with(&warden, command(&["true"])).await.ended().await;
    assert_eq!(ended.kind(), ExitKind::Code(0));
    assert_ne!(warden.pid(), first);
}

fn children_named(parent: i32, name: &str) -> Vec<i32> {
    let output = Command::new("ps")
        .args(["-o", "pid=,comm=", "--ppid", &parent.to_string()])
        .output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    text.lines()
        .filter_map(|line| line.trim().split_once(char::is_whitespace))
        .filter(|(_, found)| found.trim() == name)
        .map(|(pid, _)| pid.parse().unwrap())
        .collect()
}
