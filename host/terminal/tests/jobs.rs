//! Commands as jobs: promotion, what can be known and done about them, how long they are remembered.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::Arc;
use std::time::Duration;

use ostler_terminal::jobs::{Job, JobLimits, LookupError, State};
use ostler_terminal::output::ByteOffset;
use ostler_terminal::policy::{
    Classification, Dialect, Ending, Identity, Invocation, Policy, PolicyFailure, Request, Review,
    ReviewError, Status, Verdict,
};
use ostler_terminal::process::{Signal, Warden};
use ostler_terminal::stdin::{StdinError, StdinState};
use ostler_terminal::{
    Command, EndedBy, ExecError, Exit, OnExit, Patience, Reply, Settings, Stdin, Terminal,
};

/// Runs everything in bash.
struct Bash;

impl Policy for Bash {
    fn identity(&self) -> Identity {
        Identity::new("bash", "1", "sha256:0")
    }

    fn review(&self, request: &Request) -> Result<Review, ReviewError> {
        let argv = ["/bin/bash", "-c", &request.command]
            .map(Into::into)
            .to_vec();
        Ok(Review {
            invocation: Invocation {
                argv,
                dialect: Dialect::Bash,
                auto_shell: true,
            },
            findings: Vec::new(),
            opaque: Vec::new(),
            verdict: Verdict::Proceed,
        })
    }

    fn classify(&self, _: &str, ending: &Ending) -> Result<Classification, PolicyFailure> {
        Ok(Classification {
            status: match ending.exit_code {
                Some(0) => Status::Ok,
                Some(_) => Status::Error,
                None => Status::Signal,
            },
            message: None,
            rule: "test".into(),
        })
    }
}

fn terminal_with(limits: JobLimits) -> Terminal {
    let settings = Settings {
        jobs: limits,
        ..Settings::default()
    };
    Terminal::new(Warden::start().unwrap(), Arc::new(Bash), settings).unwrap()
}

fn terminal() -> Terminal {
    terminal_with(JobLimits::default())
}

fn patience(promote_after_ms: u64) -> Patience {
    Patience {
        promote_after: Some(Duration::from_millis(promote_after_ms)),
        at_most: Duration::from_secs(60),
    }
}

fn lingering(text: &str) -> Command {
    Command {
        on_exit: OnExit::Linger,
        ..Command::new(text)
    }
}

async fn promoted(terminal: &Terminal, command: Command) -> Job {
    match terminal.exec_within(command, patience(1)).await.unwrap() {
        Reply::Promoted(job) => job,
        Reply::Ended(outcome) => panic!("it ended: {outcome:?}"),
    }
}

fn stdout(job: &Job) -> String {
    let chunk = job.output().stdout.read(ByteOffset::START, 1 << 20);
    String::from_utf8(chunk.unwrap().bytes).unwrap()
}

async fn until(job: &Job, state: State) {
    while job.standing().state != state {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn promotion_changes_nothing_but_who_waits() {
    let terminal = terminal();
    let text = "echo before; read -r line < /dev/null; sleep 0.3; echo after; exit 5";
    let job = promoted(&terminal, Command::new(text)).await;
    assert!(job.is_adopted());
    assert!(matches!(terminal.jobs().get(job.id()), Ok(found) if found.id() == job.id()));
    let standing = job.ended().await;
    assert_eq!(standing.exit, Some(Exit::Code(5)));
    assert_eq!(standing.classification.unwrap().status, Status::Error);
    assert_eq!(stdout(&job), "before\nafter\n");
    assert!(job.runtime() >= Duration::from_millis(300));
}

#[tokio::test]
async fn the_deadline_holds_after_promotion() {
    let terminal = terminal();
    let command = Command {
        deadline: Some(Duration::from_millis(300)),
        ..Command::new("echo here; sleep 86400")
    };
    let job = promoted(&terminal, command).await;
    let standing = job.ended().await;
    assert!(standing.timed_out() && standing.signal_is_ours());
    assert_eq!(standing.exit, Some(Exit::Signal(15)));
    assert_eq!(stdout(&job), "here\n");
}

#[tokio::test]
async fn whatever_the_moment_of_promotion_there_is_one_ending_with_all_output() {
    let terminal = Arc::new(terminal_with(JobLimits {
        max_running: 1000,
        max_finished: 1000,
        ..JobLimits::default()
    }));
    for round in 0..200 {
        let after_us = [1, 500, 1000, 2000][round % 4];
        let patience = Patience {
            promote_after: Some(Duration::from_micros(after_us)),
            at_most: Duration::from_secs(60),
        };
        let reply = terminal
            .exec_within(Command::new("echo whole"), patience)
            .await
            .unwrap();
        let bytes = match reply {
            Reply::Ended(outcome) => {
                assert_eq!(outcome.exit, Some(Exit::Code(0)));
                outcome.output.stdout.read(ByteOffset::START, 100)
            }
            Reply::Promoted(job) => {
                assert_eq!(job.ended().await.exit, Some(Exit::Code(0)));
                job.output().stdout.read(ByteOffset::START, 100)
            }
        };
        assert_eq!(bytes.unwrap().bytes, b"whole\n");
    }
}

#[tokio::test]
async fn a_full_table_keeps_a_command_in_the_foreground_until_there_is_room() {
    let terminal = Arc::new(terminal_with(JobLimits {
        max_running: 1,
        ..JobLimits::default()
    }));
    let first = terminal.start(Command::new("sleep 86400")).await.unwrap();
    let refused = terminal.start(Command::new("true")).await.unwrap_err();
    assert!(
        matches!(refused, ExecError::JobLimit { max: 1 }),
        "{refused}"
    );
    // It ends in the foreground although its time there is over.
    let reply = terminal
        .exec_within(Command::new("sleep 0.1; echo done"), patience(1))
        .await;
    assert!(matches!(reply, Ok(Reply::Ended(outcome)) if outcome.exit == Some(Exit::Code(0))));
    let waiting = tokio::spawn({
        let terminal = Arc::clone(&terminal);
        async move {
            terminal
                .exec_within(Command::new("sleep 86400"), patience(1))
                .await
        }
    });
    first.kill(EndedBy::Request).unwrap();
    first.ended().await;
    assert!(matches!(waiting.await.unwrap(), Ok(Reply::Promoted(_))));
    terminal.shut_down().await;
}

#[tokio::test]
async fn a_command_that_can_neither_end_nor_become_a_job_is_ended_for_that_reason() {
    let terminal = terminal_with(JobLimits {
        max_running: 0,
        ..JobLimits::default()
    });
    let patience = Patience {
        promote_after: Some(Duration::from_millis(1)),
        at_most: Duration::from_millis(100),
    };
    let reply = terminal.exec_within(Command::new("echo so far; sleep 86400"), patience);
    let Ok(Reply::Ended(outcome)) = reply.await else {
        panic!("there is no room for a job");
    };
    assert_eq!(outcome.ended_by, Some(EndedBy::Quota));
    assert!(!outcome.timed_out());
    let shown = outcome.output.stdout.read(ByteOffset::START, 100).unwrap();
    assert_eq!(shown.bytes, b"so far\n");
}

#[tokio::test]
async fn survivors_live_on_as_a_job_that_can_be_ended() {
    let terminal = terminal();
    let text = "setsid sleep 86400 & echo $!; sleep 86401 > /dev/null 2>&1 &";
    let reply = terminal
        .exec_within(lingering(text), patience(60_000))
        .await;
    let Ok(Reply::Ended(outcome)) = reply else {
        panic!("the leader exits at once");
    };
    assert_eq!(outcome.exit, Some(Exit::Code(0)));
    assert!(outcome.output_open);
    let job = terminal.jobs().get(outcome.job.unwrap()).unwrap();
    assert_eq!(job.standing().state, State::Lingering);
    let survivors = job.survivors().await;
    assert_eq!(survivors.len(), 2, "{survivors:?}");
    for survivor in &survivors {
        let holds_output = !survivor.command.contains("86401");
        assert_eq!(survivor.holds_output, holds_output, "{survivor:?}");
    }
    job.end(EndedBy::Request, None).unwrap();
    let standing = job.ended().await;
    assert_eq!(
        standing.exit,
        Some(Exit::Code(0)),
        "the leader's own ending"
    );
    assert_eq!(standing.rest_ended_by, Some(EndedBy::Request));
    assert!(job.survivors().await.is_empty());
}

#[tokio::test]
async fn survivors_end_at_the_deadline() {
    let terminal = terminal();
    let command = Command {
        deadline: Some(Duration::from_millis(300)),
        ..lingering("sleep 86400 & exit 0")
    };
    let Ok(Reply::Ended(outcome)) = terminal.exec_within(command, patience(60_000)).await else {
        panic!("the leader exits at once");
    };
    let job = terminal.jobs().get(outcome.job.unwrap()).unwrap();
    let standing = job.ended().await;
    assert_eq!(standing.rest_ended_by, Some(EndedBy::Deadline));
    assert!(!standing.timed_out(), "the command itself was in time");
}

#[tokio::test]
async fn survivors_that_may_not_stay_are_ended() {
    let terminal = terminal();
    let reply = terminal
        .exec_within(Command::new("sleep 86400 & exit 0"), patience(60_000))
        .await;
    let Ok(Reply::Ended(outcome)) = reply else {
        panic!("the leader exits at once");
    };
    assert_eq!((outcome.survivors.len(), outcome.job), (1, None));
    terminal.shut_down().await;
}

#[tokio::test]
async fn a_dropped_call_ends_its_command_and_leaves_no_job() {
    let terminal = terminal();
    let running = terminal
        .foreground(Command::new("sleep 86400"))
        .await
        .unwrap();
    let job = running.job().clone();
    job.running().await.unwrap();
    drop(running);
    let standing = job.ended().await;
    assert_eq!(standing.ended_by, Some(EndedBy::Cancelled));
    assert!(terminal.jobs().list().is_empty());
}

#[tokio::test]
async fn signals_reach_the_tree_and_are_known_as_ours() {
    let terminal = terminal();
    // The child itself says that it is ready: before its exec, the shell's handler could still swallow the signal.
    let text =
        "trap 'echo got usr1' USR1; bash -c 'echo ready; exec sleep 86400' & wait; wait; exit 4";
    let job = terminal.start(Command::new(text)).await.unwrap();
    job.output().stdout.readable(ByteOffset::START).await;
    job.signal(Signal::User1).unwrap();
    let standing = job.exited().await;
    // The sleep does not handle it and ends, the shell does and goes on.
    assert_eq!(standing.exit, Some(Exit::Code(4)));
    assert_eq!(stdout(&job), "ready\ngot usr1\n");
    let job = terminal.start(Command::new("sleep 86400")).await.unwrap();
    job.signal(Signal::Hangup).unwrap();
    let standing = job.ended().await;
    assert_eq!(standing.exit, Some(Exit::Signal(1)));
    assert!(standing.signal_is_ours() && standing.ended_by.is_none());
    assert!(job.signal(Signal::Hangup).is_err());
}

#[tokio::test]
async fn what_a_program_starts_to_clean_up_is_left_to_it() {
    let terminal = terminal();
    let text = "trap 'sleep 0.2 && (sleep 0.2 && echo cleaned); exit 3' TERM; echo ready; while :; do sleep 0.05; done";
    let job = terminal.start(Command::new(text)).await.unwrap();
    job.output().stdout.readable(ByteOffset::START).await;
    job.end(EndedBy::Request, Some(Duration::from_secs(30)))
        .unwrap();
    let standing = job.ended().await;
    assert_eq!(standing.exit, Some(Exit::Code(3)));
    assert_eq!(stdout(&job), "ready\ncleaned\n");
}

#[tokio::test]
async fn a_stopped_command_is_seen_as_stopped_and_can_still_be_ended() {
    let terminal = terminal();
    let job = terminal
        .start(Command::new("kill -STOP $$; echo on; sleep 86400"))
        .await
        .unwrap();
    until(&job, State::Stopped(19)).await;
    job.signal(Signal::Continue).unwrap();
    until(&job, State::Running).await;
    job.output().stdout.readable(ByteOffset::START).await;
    job.end(EndedBy::Request, None).unwrap();
    let standing = job.ended().await;
    assert_eq!(
        (standing.exit, standing.forced),
        (Some(Exit::Signal(15)), false)
    );
}

#[tokio::test]
async fn bytes_for_a_job_are_queued_and_their_fate_is_known() {
    let terminal = terminal();
    let command = Command {
        stdin: Stdin::Open(b"first\n".to_vec()),
        ..Command::new("cat")
    };
    let job = terminal.start(command).await.unwrap();
    let stdin = job.stdin().unwrap();
    assert_eq!(stdin.write(b"second\n"), Ok(7));
    stdin.close();
    assert_eq!(job.exited().await.exit, Some(Exit::Code(0)));
    assert_eq!(stdout(&job), "first\nsecond\n");
    assert_eq!(stdin.write(b"late"), Err(StdinError::Closed));

    let command = Command {
        stdin: Stdin::Open(Vec::new()),
        ..Command::new("exec <&-; echo closed; sleep 86400")
    };
    let job = terminal.start(command).await.unwrap();
    job.output().stdout.readable(ByteOffset::START).await;
    while job.stdin().unwrap().state() == StdinState::Open {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(job.stdin().unwrap().write(b"x"), Err(StdinError::Broken));
    job.kill(EndedBy::Request).unwrap();
    assert!(job.ended().await.forced);
}

#[tokio::test]
async fn merged_output_keeps_the_order_of_writing() {
    let terminal = terminal();
    let command = Command {
        merge_stderr: true,
        ..Command::new("for i in 1 2 3; do echo out $i; echo err $i >&2; done")
    };
    let job = terminal.start(command).await.unwrap();
    job.exited().await;
    assert_eq!(stdout(&job), "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
    assert!(job.output().stderr.totals().ended);
}

#[tokio::test]
async fn finished_jobs_are_remembered_for_a_while_and_then_by_name_only() {
    let terminal = terminal_with(JobLimits {
        max_finished: 2,
        ..JobLimits::default()
    });
    let mut ids = Vec::new();
    for code in 0..4 {
        let job = terminal
            .start(Command::new(format!("exit {code}")))
            .await
            .unwrap();
        job.ended().await;
        ids.push(job.id());
    }
    let listed: Vec<_> = terminal.jobs().list().iter().map(Job::id).collect();
    assert_eq!(listed, [ids[3], ids[2]], "latest first");
    match terminal.jobs().get(ids[1]) {
        Err(LookupError::Evicted(epitaph)) => assert_eq!(epitaph.exit, Some(Exit::Code(1))),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        terminal.jobs().get("job_0123456789ab".parse().unwrap()),
        Err(LookupError::Unknown)
    ));
}

#[tokio::test]
async fn shutting_down_ends_everything_and_takes_nothing_more() {
    let terminal = terminal();
    let job = terminal
        .start(Command::new(
            "trap '' TERM; echo ready; while :; do sleep 86400; done",
        ))
        .await
        .unwrap();
    job.output().stdout.readable(ByteOffset::START).await;
    let running = terminal
        .foreground(Command::new("echo partial; sleep 86400"))
        .await
        .unwrap();
    running
        .job()
        .output()
        .stdout
        .readable(ByteOffset::START)
        .await;
    let (outcome, ()) = tokio::join!(running.outcome(), terminal.shut_down());
    assert_eq!(outcome.unwrap().ended_by, Some(EndedBy::Shutdown));
    let standing = job.standing();
    assert_eq!(standing.ended_by, Some(EndedBy::Shutdown));
    assert_eq!((standing.state, standing.forced), (State::Ended, true));
    let refused = terminal.start(Command::new("true")).await.unwrap_err();
    assert!(matches!(refused, ExecError::ShuttingDown), "{refused}");
}
