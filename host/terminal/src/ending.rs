//! What an ending means: the policy's answer, or what the bare facts say where there is none.

use std::sync::Arc;

use crate::jobs::Facts;
use crate::outcome::Exit;
use crate::pace::Pace;
use crate::policy::{Classification, Ending, Policy, PolicyFailure, Status};

/// Bytes of stderr that a policy sees when it classifies an ending.
const STDERR_EXCERPT_BYTES: usize = 4 << 10;

/// Asks a policy about endings.
#[derive(Clone)]
pub(crate) struct Judge {
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) pace: Pace,
}

/// What is known about an ending.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    /// None where it is not known.
    pub(crate) exit: Option<Exit>,
    pub(crate) timed_out: bool,
    /// The process that owned the command was killed.
    pub(crate) lost: bool,
}

impl Judge {
    /// Asks what an ending means. The command has run by now, so a policy that breaks on it is told in the answer, and the
    /// status is what the bare facts say.
    pub(crate) async fn classify(&self, facts: &Facts, known: Known) -> Classification {
        let (exit_code, signal) = match known.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, u32::try_from(signal).ok()),
            None => {
                return Classification {
                    status: Status::Error,
                    message: Some(unknown_ending(known).into()),
                    rule: "terminal.unknown-ending".into(),
                };
            }
        };
        let errors = if facts.merged {
            &facts.output.stdout
        } else {
            &facts.output.stderr
        };
        let excerpt = errors.tail(STDERR_EXCERPT_BYTES).map(|chunk| chunk.bytes);
        let ending = Ending {
            exit_code,
            signal,
            timed_out: known.timed_out,
            dialect: facts.invocation.dialect,
            stderr_excerpt: String::from_utf8_lossy(&excerpt.unwrap_or_default()).into_owned(),
        };
        let policy = Arc::clone(&self.policy);
        let text = facts.command.clone();
        let answer = self
            .pace
            .ask(move || match policy.classify(&text, &ending) {
                Ok(classification) => classification,
                Err(failure) => bare_facts(&ending, &failure),
            });
        answer.await
    }
}

fn unknown_ending(known: Known) -> &'static str {
    if known.lost {
        "how it ended is not known: the process that owned it was killed"
    } else {
        "how it ended is not known: it could not be ended in time"
    }
}

/// What can be said without a policy.
fn bare_facts(ending: &Ending, failure: &PolicyFailure) -> Classification {
    let (status, fact) = match ending {
        Ending {
            timed_out: true, ..
        } => (Status::Error, "timed out".to_owned()),
        Ending {
            signal: Some(signal),
            ..
        } => (Status::Signal, format!("killed by signal {signal}")),
        Ending {
            exit_code: Some(0), ..
        } => (Status::Ok, "exit code 0".to_owned()),
        Ending { exit_code, .. } => (
            Status::Error,
            format!("failed with exit code {}", exit_code.unwrap_or(-1)),
        ),
    };
    let message = Some(format!("{fact}; not classified: {failure}"));
    Classification {
        status,
        message,
        rule: "terminal.policy-failed".into(),
    }
}
