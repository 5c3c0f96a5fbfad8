//! Whether trees end when they should, with everything in them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ostler_terminal::jobs::{Job, State};
use ostler_terminal::output::ByteOffset;
use ostler_terminal::process::Signal;
use ostler_terminal::{Command, EndedBy, Exit, OnExit, Outcome};

use super::commands::shown;
use super::{Bench, Finding, bytes, either};

/// Time between asking and forcing in these checks.
const GRACE: Duration = Duration::from_millis(100);
const OWNERSHIP: &str =
    "run without what keeps signals from processes of the same user, and with /proc mounted";

/// A command that takes too long is ended.
pub async fn deadline(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let command = Command {
            deadline: Some(Duration::from_millis(100)),
            ..Command::new("sleep 60")
        };
        let outcome = bench.run(command).await?;
        if !outcome.timed_out() || outcome.exit != Some(Exit::Signal(15)) {
            return Err(Finding::broken(
                format!("a deadline ended it as {:?}", outcome.exit),
                OWNERSHIP,
            ));
        }
        let late = outcome.runtime.saturating_sub(Duration::from_millis(100));
        Ok(Finding::ok(format!(
            "a deadline of 100 ms was kept {} late",
            shown(late)
        )))
    };
    either(attempt.await)
}

/// A daemon that left its session and ignores requests is ended with its command.
pub async fn kill(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        // The daemon is reported once it has cut every tie to its parent.
        let text = "(setsid sh -c 'trap \"\" TERM HUP; (sh -c \"echo \\$\\$; exec sleep 60\" & ) ; sleep 60' &); sleep 60";
        let command = Command {
            deadline: Some(Duration::from_millis(300)),
            grace: GRACE,
            ..Command::new(text)
        };
        let started = Instant::now();
        let outcome = bench.run(command).await?;
        let took = started.elapsed();
        let daemon = pid(&outcome)?;
        if PathBuf::from(format!("/proc/{daemon}")).exists() {
            return Err(Finding::broken(
                format!("the daemon {daemon} is still alive"),
                OWNERSHIP,
            ));
        }
        let over = took.saturating_sub(Duration::from_millis(300) + GRACE);
        Ok(Finding::ok(format!(
            "a daemon in a session of its own that ignores SIGTERM was gone {} after the grace",
            shown(over)
        )))
    };
    either(attempt.await)
}

fn pid(outcome: &Outcome) -> Result<u32, Finding> {
    let text = String::from_utf8_lossy(&bytes(&outcome.output.stdout))
        .trim()
        .to_owned();
    text.parse().map_err(|_| {
        Finding::broken(
            "the daemon did not start within 300 ms",
            "the machine is very slow; try again when it is not",
        )
    })
}

/// Signals reach every process of a job, and a job that was stopped is known to be.
pub async fn signals(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let failed = |error: &dyn std::fmt::Display| Finding::broken(error.to_string(), OWNERSHIP);
        let text = "sh -c 'trap \"echo got; exit\" INT; echo up; while :; do sleep 0.01; done'; :";
        let command = Command {
            on_exit: OnExit::Kill,
            deadline: Some(Duration::from_secs(5)),
            grace: GRACE,
            ..Command::new(text)
        };
        let job = bench
            .terminal
            .start(command)
            .await
            .map_err(|error| failed(&error))?;
        job.output().stdout.readable(ByteOffset::START).await;
        job.signal(Signal::Stop).map_err(|error| failed(&error))?;
        until_stopped(&job).await;
        job.signal(Signal::Continue)
            .map_err(|error| failed(&error))?;
        job.signal(Signal::Interrupt)
            .map_err(|error| failed(&error))?;
        job.exited().await;
        let output = bytes(&job.output().stdout);
        // It may have ended this moment.
        let _ = job.kill(EndedBy::Request);
        job.ended().await;
        if output != b"up\ngot\n" {
            return Err(Finding::broken(
                "SIGINT did not reach a child of the shell",
                OWNERSHIP,
            ));
        }
        Ok(Finding::ok(
            "SIGINT reached a child of the shell; a stopped job was seen as stopped",
        ))
    };
    either(attempt.await)
}

async fn until_stopped(job: &Job) {
    while !matches!(job.standing().state, State::Stopped(_)) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
