//! Whether trees end when they should, with everything in them.

use std::time::{Duration, Instant};

use ostler_terminal::jobs::{Job, State};
use ostler_terminal::output::ByteOffset;
use ostler_terminal::process::Signal;
use ostler_terminal::{Command, EndedBy, Exit, OnExit};

use super::commands::shown;
use super::{Bench, Finding, bytes, either, not_run};

/// Time between asking and forcing in these checks.
const GRACE: Duration = Duration::from_millis(100);
/// Deadlines for the command that starts daemons: the second for a machine that had not started them at the first.
const DEADLINES: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(3)];
/// What keeps trees from being owned.
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

/// Daemons that left their session and ignore requests are ended with their command.
pub async fn kill(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        for deadline in DEADLINES {
            if let Some(over) = daemons_outlive(bench, deadline).await? {
                return Ok(Finding::ok(format!(
                    "daemons in a session of their own that ignore SIGTERM were gone {} after the grace",
                    shown(over)
                )));
            }
        }
        Err(Finding::broken(
            format!("no daemon started within {} s", DEADLINES[1].as_secs()),
            "the machine is very slow; try again when it is not",
        ))
    };
    either(attempt.await)
}

/// Time after deadline and grace until two daemons were gone; none where they had not even started.
async fn daemons_outlive(
    bench: &Bench<'_>,
    deadline: Duration,
) -> Result<Option<Duration>, Finding> {
    // Each tells its process id: the leader of a session, and one that has cut its tie to that too.
    let text = "(setsid sh -c 'trap \"\" TERM HUP; echo $$; (sh -c \"echo \\$\\$; exec sleep 60\" &); sleep 60' &); sleep 60";
    let command = Command {
        deadline: Some(deadline),
        grace: GRACE,
        ..Command::new(text)
    };
    let started = Instant::now();
    let outcome = bench.run(command).await?;
    let over = started.elapsed().saturating_sub(deadline + GRACE);
    let stdout = bytes(&outcome.output.stdout);
    let daemons: Vec<u32> = String::from_utf8_lossy(&stdout)
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    if daemons.len() < 2 {
        let stderr = bytes(&outcome.output.stderr);
        if stderr.is_empty() {
            return Ok(None);
        }
        return Err(Finding::degraded(
            format!("not tried: {}", String::from_utf8_lossy(&stderr).trim()),
            "install what is missing (util-linux for setsid)",
        ));
    }
    match daemons.into_iter().find(|daemon| is_alive(*daemon)) {
        None => Ok(Some(over)),
        Some(daemon) => Err(Finding::broken(
            format!("the daemon {daemon} is still alive"),
            OWNERSHIP,
        )),
    }
}

/// Whether a process exists and is no zombie (`proc_pid_stat(5)`: the state follows the name, which ends at the last bracket).
fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Signals reach every process of a job, and a job that was stopped is known to be.
pub async fn signals(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let failed = |error: &dyn std::fmt::Display| Finding::broken(error.to_string(), OWNERSHIP);
        let text = "sh -c 'trap : INT; sh -c \"trap \\\"echo got; exit\\\" INT; echo up; while :; do sleep 0.01; done\"; :'; :";
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
            .map_err(|error| not_run(&error))?;
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
                "SIGINT did not reach a grandchild of the shell",
                OWNERSHIP,
            ));
        }
        Ok(Finding::ok(
            "SIGINT reached a grandchild of the shell; a stopped job was seen as stopped",
        ))
    };
    either(attempt.await)
}

async fn until_stopped(job: &Job) {
    while !matches!(job.standing().state, State::Stopped(_)) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
