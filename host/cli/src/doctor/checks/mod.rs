//! What is tried. Each check runs by itself, within [`PATIENCE`], and leaves nothing behind.

mod commands;
mod machine;
mod policy;
mod terminal;
mod trees;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ostler_policy_engine::LoadedPolicy;
use ostler_terminal::output::{ByteOffset, Stream};
use ostler_terminal::{Command, ExecError, Outcome, Terminal};

use super::report::Finding;
use crate::config::Config;

/// Longest that one check may take.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What checks work with: what a face works with.
pub struct Bench<'a> {
    pub terminal: Terminal,
    pub policy: Arc<LoadedPolicy>,
    /// How long it took to load the policy.
    pub loading: Duration,
    pub config: &'a Config,
}

/// A check in progress.
type Trying<'a> = Pin<Box<dyn Future<Output = Finding> + 'a>>;

/// What begins a check.
type CheckFn = for<'a> fn(&'a Bench<'a>) -> Trying<'a>;

/// Every check with its name, in order: the machine first, then what needs it.
pub const CHECKS: &[(&str, CheckFn)] = &[
    ("kernel", |bench| Box::pin(machine::kernel(bench))),
    ("cgroup", |_| Box::pin(machine::cgroup())),
    ("limits", |bench| Box::pin(machine::limits(bench))),
    ("shells", |_| Box::pin(machine::shells())),
    ("spilling", |bench| Box::pin(machine::spilling(bench))),
    ("spawn", |bench| Box::pin(commands::spawn(bench))),
    ("capture", |bench| Box::pin(commands::capture(bench))),
    ("stdin", |bench| Box::pin(commands::stdin(bench))),
    ("command text", |bench| Box::pin(commands::text(bench))),
    ("deadline", |bench| Box::pin(trees::deadline(bench))),
    ("tree kill", |bench| Box::pin(trees::kill(bench))),
    ("signals", |bench| Box::pin(trees::signals(bench))),
    ("terminal", |bench| Box::pin(terminal::pty(bench))),
    ("policy", |bench| Box::pin(policy::judges(bench))),
];

impl Bench<'_> {
    /// Runs a command, or says why it did not.
    async fn run(&self, command: Command) -> Result<Outcome, Finding> {
        let run = self.terminal.exec(command).await;
        run.map_err(|error| not_run(&error))
    }

    /// Runs a text, and gives what it printed.
    async fn output(&self, text: &str) -> Result<String, Finding> {
        let outcome = self.run(Command::new(text)).await?;
        Ok(String::from_utf8_lossy(&bytes(&outcome.output.stdout)).into_owned())
    }
}

/// Nothing was run. That a policy refuses says nothing about the machine.
fn not_run(error: &ExecError) -> Finding {
    match error {
        ExecError::Refused { .. } => Finding::degraded(
            format!("not tried: {error}"),
            "to try it, let the built-in policy judge: `ostler doctor --policy '' --config /dev/null`",
        ),
        ExecError::PolicyFailed(_) => Finding::broken(error.to_string(), policy::ADVICE),
        _ => Finding::broken(error.to_string(), "see `ostler exec --log debug true`"),
    }
}

/// Everything that is kept of a stream.
fn bytes(stream: &Stream) -> Vec<u8> {
    let read = stream.read(ByteOffset::START, usize::MAX);
    read.map(|chunk| chunk.bytes).unwrap_or_default()
}

/// The finding of a check that ends early where something is wrong.
fn either(result: Result<Finding, Finding>) -> Finding {
    result.unwrap_or_else(|finding| finding)
}
