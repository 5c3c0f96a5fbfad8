//! The form of an answer about jobs: what was asked for, or why it cannot be had, as a word and as a text.

use ostler_terminal::jobs::{Epitaph, Job, LookupError};
use ostler_terminal::{ExecError, Exit, Terminal, signal_name};
use schemars::JsonSchema;
use serde::Serialize;

use crate::envelope::{EndReason, message};
use crate::mcp::arguments::BadArgument;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// For programs.
    pub code: &'static str,
    /// For models.
    pub error: String,
}

impl Failure {
    pub fn new(code: &'static str, error: impl Into<String>) -> Self {
        Self {
            code,
            error: error.into(),
        }
    }

    /// The job has ended, and with it whoever could take this.
    pub fn ended(job: &Job) -> Self {
        let text = format!(
            "{} has ended already; read it with terminal_job_logs",
            job.id()
        );
        Self::new("job_ended", text)
    }

    /// Why a job was not started.
    pub fn of_start(error: &ExecError) -> Self {
        let code = match EndReason::of_error(error) {
            EndReason::Quota => "job_limit",
            reason => reason.word(),
        };
        Self::new(code, message(error))
    }
}

impl From<BadArgument> for Failure {
    fn from(argument: BadArgument) -> Self {
        Self::new("invalid", argument.to_string())
    }
}

/// What was asked for, or `error` and `code`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answer<T> {
    /// What was asked for.
    #[serde(flatten)]
    pub content: Option<T>,
    /// Why it cannot be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the policy refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<bool>,
    /// Why it cannot be had, in one word for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
}

impl<T> From<Result<T, Failure>> for Answer<T> {
    fn from(result: Result<T, Failure>) -> Self {
        match result {
            Ok(content) => Self {
                content: Some(content),
                error: None,
                blocked: None,
                code: None,
            },
            Err(failure) => Self {
                content: None,
                blocked: (failure.code == "refused").then_some(true),
                error: Some(failure.error),
                code: Some(failure.code),
            },
        }
    }
}

/// The job with this id.
pub fn find(terminal: &Terminal, id: &str) -> Result<Job, Failure> {
    let unknown = || {
        let text = format!(
            "there is no job {id:?}: ids come from terminal_job_start and terminal_exec of this server, and end with it; terminal_job_manage lists them"
        );
        Failure::new("unknown_job", text)
    };
    let parsed = id.parse().map_err(|_| unknown())?;
    terminal.jobs().get(parsed).map_err(|error| match error {
        LookupError::Unknown => unknown(),
        LookupError::Evicted(epitaph) => {
            let how = ending(epitaph);
            let text =
                format!("{id} {how}; it is no longer kept, because newer jobs ended since then");
            Failure::new("evicted_job", text)
        }
    })
}

fn ending(epitaph: Epitaph) -> String {
    let exit = match epitaph.exit {
        Some(Exit::Code(code)) => format!("ended with exit code {code}"),
        Some(Exit::Signal(number)) => format!("was ended by {}", signal_name(number)),
        None => "ended".into(),
    };
    match epitaph.ended_by {
        Some(by) => format!("{exit} ({})", EndReason::from(by).word()),
        None => exit,
    }
}
