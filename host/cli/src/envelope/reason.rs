//! Why a command ended, or why it never ran, in one word.

use ostler_terminal::jobs::Standing;
use ostler_terminal::process::SpawnError;
use ostler_terminal::{EndCause, EndedBy, ExecError, Exit, Outcome};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// Why a command ended, or why nothing was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(inline, rename_all = "snake_case")]
pub enum EndReason {
    /// By itself.
    Exited,
    /// By a signal that was not part of ending it.
    Signalled,
    /// Its deadline passed.
    Deadline,
    /// The call was cancelled.
    Cancelled,
    /// Somebody asked: terminal_job_manage, or a person at the keyboard.
    Stopped,
    /// Nobody read its output any more.
    NoReader,
    /// There was no room among the jobs.
    Quota,
    /// The server is shutting down.
    Shutdown,
    /// The process that owned it was killed, so its ending is not known.
    Lost,
    /// Its program could not be started.
    SpawnFailed,
    /// The policy refused it.
    Refused,
    /// The policy could not plan it.
    Rejected,
    /// The policy broke.
    PolicyFailed,
    /// An argument of the call cannot be used.
    Invalid,
    /// The system has no more of something that it needs.
    Exhausted,
}

impl EndReason {
    /// Why a command ended.
    pub fn of_outcome(outcome: &Outcome) -> Self {
        outcome.end_cause().into()
    }

    /// Why a job's leader ended; none while it has not.
    pub fn of_standing(standing: &Standing) -> Option<Self> {
        standing.end_cause().map(Into::into)
    }

    /// Why a leader ended that ended so.
    pub fn of_ending(ended_by: Option<EndedBy>, exit: Option<Exit>) -> Self {
        EndCause::of(ended_by, exit).into()
    }

    /// The word that stands for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exited => EndCause::Exited.word(),
            Self::Signalled => EndCause::Signalled.word(),
            Self::Deadline => EndedBy::Deadline.word(),
            Self::Cancelled => EndedBy::Cancelled.word(),
            Self::Stopped => EndedBy::Request.word(),
            Self::NoReader => EndedBy::NoReader.word(),
            Self::Quota => EndedBy::Quota.word(),
            Self::Shutdown => EndedBy::Shutdown.word(),
            Self::Lost => EndCause::Lost.word(),
            Self::SpawnFailed => "spawn_failed",
            Self::Refused => "refused",
            Self::Rejected => "rejected",
            Self::PolicyFailed => "policy_failed",
            Self::Invalid => "invalid",
            Self::Exhausted => "exhausted",
        }
    }

    /// Why nothing was started.
    pub fn of_error(error: &ExecError) -> Self {
        match error {
            ExecError::Invalid { .. } => Self::Invalid,
            ExecError::Rejected(_) => Self::Rejected,
            ExecError::Refused { .. } => Self::Refused,
            ExecError::PolicyFailed(_) => Self::PolicyFailed,
            ExecError::JobLimit { .. } => Self::Quota,
            ExecError::ShuttingDown => Self::Shutdown,
            ExecError::KeeperLost => Self::Lost,
            ExecError::Exhausted { .. }
            | ExecError::Spawn(SpawnError::ResourceExhausted { .. }) => Self::Exhausted,
            ExecError::Spawn(_) => Self::SpawnFailed,
        }
    }
}

impl Serialize for EndReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl From<EndCause> for EndReason {
    fn from(cause: EndCause) -> Self {
        match cause {
            EndCause::Exited => Self::Exited,
            EndCause::Signalled => Self::Signalled,
            EndCause::Ended(by) => by.into(),
            EndCause::Lost => Self::Lost,
        }
    }
}

impl From<EndedBy> for EndReason {
    fn from(ended_by: EndedBy) -> Self {
        match ended_by {
            EndedBy::Deadline => Self::Deadline,
            EndedBy::Request => Self::Stopped,
            EndedBy::Cancelled => Self::Cancelled,
            EndedBy::NoReader => Self::NoReader,
            EndedBy::Quota => Self::Quota,
            EndedBy::Shutdown => Self::Shutdown,
        }
    }
}
