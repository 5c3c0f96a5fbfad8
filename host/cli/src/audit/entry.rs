//! One line of the audit.

use std::time::SystemTime;

use ostler_terminal::audit::{End, Record};
use ostler_terminal::policy::Dialect;
use serde::{Deserialize, Serialize};

use crate::envelope::{EndReason, PolicyView, ShellKind};
use crate::judgement::{Judgement, Meaning, shell_word};

/// What is written down of a command. Everything that a policy was asked stands in it, so that another one can be asked
/// the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was asked for, as RFC 3339 says it, in UTC.
    pub at: String,
    /// The command text.
    pub command: String,
    /// `auto`, `shell`, or the path or name of an interpreter.
    pub shell: String,
    /// Operating system.
    pub os: String,
    /// Working directory.
    pub cwd: String,
    /// Who judged.
    pub policy: PolicyView,
    /// What was said.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// Why it ended, or why it was not run.
    pub end_reason: String,
    /// How it ended, where it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingView>,
}

/// How a command ended and what that means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndingView {
    /// Exit code.
    pub exit_code: Option<i32>,
    /// Number of the signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<u32>,
    /// Whether the deadline ended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// The language that it was run in.
    pub dialect: ShellKind,
    /// The end of what it wrote to stderr, as the policy saw it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// From its start to its end, in milliseconds.
    pub runtime_ms: u64,
    /// What it means.
    pub classification: Meaning,
}

impl Entry {
    /// What is to be written of this record.
    pub fn of(record: &Record<'_>) -> Self {
        let mut judgement = record.review.map(Judgement::of).unwrap_or_default();
        let (end_reason, ending) = match &record.end {
            End::NotRun(error) => {
                judgement.error = Some(error.to_string());
                (EndReason::of_error(error), None)
            }
            End::Ended {
                runtime,
                exit,
                ending,
                ended_by,
                classification,
            } => {
                let reason = EndReason::of_ending(*ended_by, *exit);
                let dialect = record
                    .review
                    .map_or(Dialect::Direct, |it| it.invocation.dialect);
                let view = EndingView {
                    exit_code: ending.and_then(|it| it.exit_code),
                    signal: ending.and_then(|it| it.signal),
                    timed_out: ending.is_some_and(|it| it.timed_out),
                    dialect: dialect.into(),
                    stderr: ending
                        .map(|it| it.stderr_excerpt.clone())
                        .unwrap_or_default(),
                    runtime_ms: u64::try_from(runtime.as_millis()).unwrap_or(u64::MAX),
                    classification: (*classification).into(),
                };
                (reason, Some(view))
            }
        };
        Self {
            at: moment(record.at),
            command: record.request.command.clone(),
            shell: shell_word(record.request).to_owned(),
            os: record.request.os.clone().into_owned(),
            cwd: record.request.cwd.clone(),
            policy: PolicyView::of(record.policy),
            judgement,
            end_reason: end_reason.word().to_owned(),
            ending,
        }
    }
}

fn moment(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time.max(SystemTime::UNIX_EPOCH)).to_string()
}
