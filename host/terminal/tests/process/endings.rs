//! How a command ended, and what is left of it, as separate facts.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use ostler_terminal::process::{Event, ExitKind, open_cwd};

use crate::marker::Marker;
use crate::run::{capture, command, finish, script, start, warden};

#[tokio::test]
async fn every_exit_code_is_reported_exactly() {
    for code in 0..=255 {
        let (ended, _) = finish(command(&["sh", "-c", &format!("exit {code}")])).await;
        assert_eq!(ended.kind(), ExitKind::Code(code));
        assert!(!ended.forced);
    }
}

#[tokio::test]
async fn every_fatal_signal_is_reported_exactly() {
    // Default action: nothing, or stop.
    let harmless = [17, 18, 19, 20, 21, 22, 23, 28];
    let fatal = (1..=31)
        .chain(34..=64)
        .filter(|signal| !harmless.contains(signal));
    for signal in fatal {
        let (ended, _) = finish(command(&["sh", "-c", &format!("kill -{signal} $$")])).await;
        assert_eq!(
            ended.kind(),
            ExitKind::Signal {
                number: signal,
                core_dumped: false
            }
        );
    }
}

#[tokio::test]
async fn a_crash_leaves_no_core_dump_and_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let mut spawn = command(&["sh", "-c", "kill -SEGV $$"]);
    spawn.cwd = open_cwd(directory.path()).unwrap();
    let (ended, _) = finish(spawn).await;
    assert_eq!(ended.exit.raw(), libc::SIGSEGV);
    assert_eq!(directory.path().read_dir().unwrap().count(), 0);
}

#[tokio::test]
async fn what_the_leader_used_is_reported() {
    let (ended, _) = finish(script("for ((i = 0; i < 100000; i++)); do :; done")).await;
    assert!(
        ended.exit.usage.cpu() > Duration::from_millis(5),
        "{:?}",
        ended.exit.usage
    );
    assert!(ended.exit.usage.max_rss_kib > 500);
}

#[tokio::test]
async fn a_closed_output_is_not_an_exit() {
    let mut spawn = script("exec >&- 2>&-; sleep 0.3; exit 7");
    let mut output = capture(&mut spawn);
    let started = Instant::now();
    let running = start(spawn).await;
    assert_eq!(output.take_all(), "");
    let closed = started.elapsed();
    let ended = running.ended().await;
    assert_eq!(ended.kind(), ExitKind::Code(7));
    assert!(started.elapsed() >= Duration::from_millis(300));
    assert!(closed < started.elapsed());
}

#[tokio::test]
async fn a_survivor_that_holds_the_pipe_does_not_delay_exit_or_output() {
    let marker = Marker::new();
    let mut spawn = script(&format!("sleep {marker} & echo done"));
    let mut output = capture(&mut spawn);
    let mut running = start(spawn).await;
    assert_eq!(running.exited().await.kind(), ExitKind::Code(0));
    assert_eq!(output.take(), ("done\n".to_owned(), false));
    let sleeper = format!("sleep {marker}");
    loop {
        let (listed, total) = running.survivors().await;
        assert_eq!((listed.len(), total), (1, 1));
        // Before it becomes the sleeper, it is a copy of the shell.
        if listed[0].command == sleeper {
            break;
        }
    }
    running.tree.kill();
    assert!(running.emptied().await);
    assert_eq!(output.take(), (String::new(), true));
    marker.sweep();
}

#[tokio::test]
async fn the_end_of_the_last_survivor_is_the_end_of_the_tree() {
    let mut running = start(script("setsid sleep 0.2 & exit 3")).await;
    assert_eq!(running.exited().await.kind(), ExitKind::Code(3));
    assert!(!running.emptied().await);
    // The last event stays.
    assert_eq!(running.next().await, Event::Empty { forced: false });
}

#[tokio::test]
async fn all_survivors_are_counted_and_64_are_listed() {
    let marker = Marker::new();
    let text = format!("for i in {{1..70}}; do setsid sleep {marker} & done");
    let mut running = start(script(&text)).await;
    running.exited().await;
    marker.wait_for(70);
    let (listed, total) = running.survivors().await;
    assert_eq!((listed.len(), total), (64, 70));
    running.tree.stop(Duration::from_secs(5));
    assert!(!running.emptied().await);
    marker.sweep();
}

#[tokio::test]
async fn a_long_command_line_of_a_survivor_is_cut() {
    let marker = Marker::new();
    let long = "x".repeat(300);
    let mut running = start(script(&format!("exec -a {long} sleep {marker}"))).await;
    marker.wait_for(1);
    let (listed, _) = running.survivors().await;
    assert_eq!(listed[0].command, "x".repeat(120));
    running.tree.kill();
    running.ended().await;
}

#[tokio::test]
async fn many_at_once_keep_their_own_endings() {
    let trees: Vec<_> = (0..200)
        .map(|code| {
            warden()
                .spawn(command(&["sh", "-c", &format!("exit {code}")]))
                .unwrap()
        })
        .collect();
    for (code, mut tree) in (0..).zip(trees) {
        assert!(matches!(
            crate::run::next(&mut tree).await,
            Event::Started { .. }
        ));
        match crate::run::next(&mut tree).await {
            Event::Exited(exit) => assert_eq!(exit.kind(), ExitKind::Code(code)),
            other => panic!("{other:?}"),
        }
        assert_eq!(
            crate::run::next(&mut tree).await,
            Event::Empty { forced: false }
        );
    }
}

#[tokio::test]
async fn waiting_for_an_event_can_be_given_up_and_taken_up_again() {
    let mut running = start(script("sleep 0.1; exit 5")).await;
    let mut attempts = 0;
    let exit = loop {
        let patience = Duration::from_millis(3);
        match tokio::time::timeout(patience, running.tree.event()).await {
            Ok(Event::Exited(exit)) => break exit,
            Ok(other) => panic!("{other:?}"),
            Err(_) => attempts += 1,
        }
    };
    assert!(attempts > 3);
    assert_eq!(exit.kind(), ExitKind::Code(5));
    assert!(!running.emptied().await);
}

#[tokio::test]
async fn the_first_argument_is_the_name_and_the_rest_arrives_unchanged() {
    let mut spawn = command(&[
        "sh",
        "-c",
        "printf '%s|' \"$0\" \"$@\"",
        "name",
        "",
        "a b",
        "é\n",
    ]);
    spawn.argv[0] = "other".into();
    let (_, output) = finish(spawn).await;
    assert_eq!(output, "name||a b|é\n|");
    // The same as what the standard library does.
    let expected = Command::new("sh")
        .arg0("other")
        .args(["-c", "echo $0"])
        .output()
        .unwrap();
    let mut spawn = command(&["sh", "-c", "echo $0"]);
    spawn.argv[0] = "other".into();
    assert_eq!(finish(spawn).await.1.as_bytes(), expected.stdout);
}
