//! A command from beginning to end under a policy that lets everything through.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use ostler_terminal::output::ByteOffset;
use ostler_terminal::policy::{
    Classification, Dialect, Ending, Identity, Invocation, Policy, PolicyFailure, Request, Review,
    ReviewError, Status, Verdict,
};
use ostler_terminal::process::Warden;
use ostler_terminal::{Command, EndedBy, ExecError, Exit, Outcome, Settings, Stdin, Terminal};

/// Runs everything in bash.
struct Bash {
    broken: bool,
}

impl Policy for Bash {
    fn identity(&self) -> Identity {
        Identity::new("bash", "1", "sha256:0")
    }

    fn review(&self, request: &Request) -> Result<Review, ReviewError> {
        let verdict = match request.command.as_str() {
            "refused" => Verdict::Refuse("because".into()),
            _ => Verdict::Proceed,
        };
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
            verdict,
        })
    }

    fn classify(&self, _: &str, ending: &Ending) -> Result<Classification, PolicyFailure> {
        if self.broken {
            return Err(PolicyFailure {
                policy: self.identity().to_string(),
                call: "classify",
                what: "it broke".into(),
                output: String::new(),
            });
        }
        let status = if ending.exit_code == Some(0) {
            Status::Ok
        } else {
            Status::Error
        };
        Ok(Classification {
            status,
            message: Some(ending.stderr_excerpt.clone()),
            rule: "test".into(),
        })
    }
}

fn terminal(broken: bool) -> Terminal {
    Terminal::new(
        Warden::start().unwrap(),
        Arc::new(Bash { broken }),
        Settings::default(),
    )
    .unwrap()
}

async fn exec(command: Command) -> Result<Outcome, ExecError> {
    terminal(false).exec(command).await
}

fn stdout(outcome: &Outcome) -> String {
    let chunk = outcome
        .output
        .stdout
        .read(ByteOffset::START, 1 << 20)
        .unwrap();
    String::from_utf8(chunk.bytes).unwrap()
}

#[tokio::test]
async fn a_command_is_run_read_and_classified() {
    let outcome = exec(Command::new("echo out; echo err >&2; exit 3"))
        .await
        .unwrap();
    assert_eq!(outcome.exit, Some(Exit::Code(3)));
    assert_eq!(stdout(&outcome), "out\n");
    assert_eq!(outcome.classification.message.as_deref(), Some("err\n"));
    assert!(outcome.output.stdout.totals().ended);
    assert!(!outcome.output_open && outcome.survivors.is_empty() && !outcome.forced);
}

#[tokio::test]
async fn a_refused_command_does_not_run() {
    let error = exec(Command::new("refused")).await.unwrap_err();
    assert!(matches!(error, ExecError::Refused { .. }), "{error}");
}

#[tokio::test]
async fn a_policy_that_breaks_after_the_command_ran_is_told_and_hides_nothing() {
    let outcome = terminal(true).exec(Command::new("exit 4")).await.unwrap();
    assert_eq!(outcome.exit, Some(Exit::Code(4)));
    assert_eq!(outcome.classification.status, Status::Error);
    let message = outcome.classification.message.unwrap();
    assert!(
        message.contains("exit code 4") && message.contains("it broke"),
        "{message}"
    );
}

#[tokio::test]
async fn a_flooding_grandchild_does_not_keep_the_caller() {
    let outcome = exec(Command::new("yes & echo $!")).await.unwrap();
    assert_eq!(outcome.exit, Some(Exit::Code(0)));
    assert!(outcome.output_open);
    assert!(
        outcome
            .survivors
            .iter()
            .any(|survivor| survivor.command.contains("yes"))
    );
    assert!(outcome.runtime < Duration::from_secs(5));
}

#[tokio::test]
async fn a_tap_gets_every_byte_in_order_and_sets_the_pace() {
    let (sender, mut pieces) = tokio::sync::mpsc::channel(1);
    let mut command = Command::new("seq 1 100000");
    command.tap = Some(sender);
    let terminal = terminal(false);
    let run = terminal.exec(command);
    let collect = async {
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.recv().await {
            tokio::task::yield_now().await;
            bytes.extend(piece.bytes);
        }
        bytes
    };
    let (outcome, bytes) = tokio::join!(run, collect);
    assert_eq!(stdout(&outcome.unwrap()).as_bytes(), bytes);
}

#[tokio::test]
async fn a_tap_that_nobody_reads_any_more_ends_the_command() {
    let (sender, pieces) = tokio::sync::mpsc::channel(1);
    drop(pieces);
    let mut command = Command::new("sleep 86400");
    command.tap = Some(sender);
    let outcome = exec(command).await.unwrap();
    assert_eq!(outcome.ended_by, Some(EndedBy::NoReader));
    assert_eq!(outcome.exit, Some(Exit::Signal(15)));
}

#[tokio::test]
async fn a_request_to_end_gives_the_outcome_so_far() {
    let command =
        Command::new("trap 'echo bye; exit 3' TERM; echo hi; while :; do sleep 0.01; done");
    let terminal = terminal(false);
    let running = terminal.foreground(command).await.unwrap();
    let job = running.job().clone();
    job.output().stdout.readable(ByteOffset(0)).await;
    job.end(EndedBy::Request, None).unwrap();
    let outcome = running.outcome().await.unwrap();
    assert_eq!(outcome.ended_by, Some(EndedBy::Request));
    assert_eq!(outcome.exit, Some(Exit::Code(3)));
    assert_eq!(stdout(&outcome), "hi\nbye\n");
    assert!(!outcome.forced);
}

#[tokio::test]
async fn a_start_that_nobody_waits_for_any_more_ends_what_it_started() {
    let terminal = terminal(false);
    let is_listed = poll_fn(|context| {
        context.waker().wake_by_ref();
        match terminal.jobs().list().pop() {
            Some(job) => Poll::Ready(job),
            None => Poll::Pending,
        }
    });
    let job = tokio::select! {
        biased;
        job = is_listed => job,
        started = terminal.start(Command::new("exec sleep 86400")) => panic!("{started:?}"),
    };
    let standing = job.ended().await;
    assert_eq!(standing.ended_by, Some(EndedBy::Cancelled));
}

#[tokio::test]
async fn what_a_command_does_not_read_is_no_error() {
    let mut command = Command::new("head -c 1");
    command.stdin = Stdin::Bytes(vec![b'x'; 4 << 20]);
    let outcome = exec(command).await.unwrap();
    assert_eq!(
        (outcome.exit, stdout(&outcome).as_str()),
        (Some(Exit::Code(0)), "x")
    );
}

#[tokio::test]
async fn what_cannot_be_meant_is_refused_by_the_name_of_its_field() {
    let with = |change: fn(&mut Command)| {
        let mut command = Command::new("true");
        change(&mut command);
        command
    };
    for (field, command) in [
        ("command", Command::new("x".repeat((1 << 20) + 1))),
        ("cwd", with(|it| it.cwd = Some("".into()))),
        ("cwd", with(|it| it.cwd = Some("/nonexistent".into()))),
        (
            "environment",
            with(|it| it.environment.set.push(("A=B".into(), "".into()))),
        ),
        ("limits.cpu_sec", with(|it| it.limits.cpu_sec = Some(0))),
        ("deadline", with(|it| it.deadline = Some(Duration::MAX))),
        ("grace", with(|it| it.grace = Duration::from_secs(31))),
    ] {
        match exec(command).await.unwrap_err() {
            ExecError::Invalid { field: named, .. } => assert_eq!(named, field),
            other => panic!("{field}: {other}"),
        }
    }
}
