//! The face for those who wonder whether it works here: tries everything on this machine and says what to do about what fails.

mod checks;
mod report;

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args as Arguments;
use ostler_terminal::Terminal;
use ostler_terminal::process::Warden;
use tokio::time::timeout;

use crate::config::Config;
use crate::paint::stdout_takes_colour;
use crate::policies::load;
use checks::{Bench, CHECKS, PATIENCE};
use report::{Check, Finding, Report, State};

const DOCTOR_STATUS: &str = "\
\x1b[1mExit status:\x1b[0m
  0 everything works, perhaps less well than it could; 1 something is broken.";

/// Try everything on this machine, and say what to do about what fails.
#[derive(Debug, Arguments)]
#[command(after_help = DOCTOR_STATUS)]
pub struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Checks. Returns the exit status.
///
/// # Errors
/// Where the answer cannot be printed, or not even a terminal can be made.
pub async fn run(doctor: Doctor, config: &Config, warden: Warden) -> anyhow::Result<i32> {
    let (policy, loading) =
        timed(|| load(config.policy.as_deref(), config.policy_settings.as_deref()));
    let mut checks = Vec::new();
    let policy = match policy {
        Ok(policy) => Arc::new(policy),
        Err(error) => {
            checks.push(Check::new(
                "policy loads",
                Finding::broken(
                    error.to_string(),
                    "mend or replace that policy; the other checks use the built-in one",
                ),
                loading,
            ));
            Arc::new(load(None, None)?)
        }
    };
    let terminal =
        Terminal::new(warden, policy.clone(), config.settings()).context("no terminal")?;
    let bench = Bench {
        terminal,
        policy,
        loading,
        config,
    };
    for (name, check) in CHECKS {
        let started = Instant::now();
        let finding = timeout(PATIENCE, check(&bench)).await.unwrap_or_else(|_| {
            let seen = format!("no answer within {} s", PATIENCE.as_secs());
            Finding::broken(
                seen,
                "look at what the machine is busy with (load, disk, memory), and try again",
            )
        });
        checks.push(Check::new(name, finding, started.elapsed()));
    }
    bench.terminal.shut_down().await;
    let report = Report::of(checks);
    let text = if doctor.json {
        serde_json::to_string(&report)? + "\n"
    } else {
        report.for_people(stdout_takes_colour())
    };
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    Ok(i32::from(report.state == State::Broken))
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, std::time::Duration) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed())
}
