//! What became of a command, and why one did not run.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::JobId;
use crate::output::Retained;
use crate::policy::{
    Classification, Finding, Identity, Judged, PolicyFailure, Rejection, ReviewError,
};
use crate::process::{Pid, SpawnError, Survivor};

/// What became of a command. Three facts are kept apart: that the leader exited (`exit`), that the output ended
/// (`output_open`), and that nothing was left alive (`survivors`).
#[derive(Debug)]
pub struct Outcome {
    /// How the leader ended. None where that cannot be known: it could not be ended (see `survivors`), or the process that
    /// owned it was killed.
    pub exit: Option<Exit>,
    /// Process id of the leader.
    pub pid: Option<Pid>,
    /// Why it was ended, where it did not end by itself.
    pub ended_by: Option<EndedBy>,
    /// Whether the tree outlived its grace and had to be forced.
    pub forced: bool,
    /// Whether it did not even end by force in time; what is left of it is in the hands of the kernel.
    pub unkillable: bool,
    /// Whether the process that owned it was killed by somebody, so that its ending is not known.
    pub lost: bool,
    /// The signal that ended the leader was sent by us.
    pub signal_is_ours: bool,
    /// Processes alive after the leader's exit: they live on as `job`, or are being ended where there is none.
    pub survivors: Vec<Survivor>,
    /// The job that the survivors belong to.
    pub job: Option<JobId>,
    /// Whether a process still held an output stream open when reading stopped.
    pub output_open: bool,
    /// What the ending means.
    pub classification: Classification,
    /// What was asked for, who judged it, what was planned and found.
    pub judged: Arc<Judged>,
    /// From the start to the leader's exit.
    pub runtime: Duration,
    /// What it printed.
    pub output: Retained,
}

impl Outcome {
    /// Whether the deadline ended it.
    pub fn timed_out(&self) -> bool {
        self.ended_by == Some(EndedBy::Deadline)
    }

    /// Why the leader ended.
    pub fn end_cause(&self) -> EndCause {
        EndCause::of(self.ended_by, self.exit)
    }
}

/// Why a leader ended, whether by itself or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCause {
    /// It exited by itself.
    Exited,
    /// By a signal that was not part of ending it.
    Signalled,
    /// It was ended.
    Ended(EndedBy),
    /// The process that owned it was killed, so its ending is not known.
    Lost,
}

impl EndCause {
    /// Of a leader that was ended for this reason, if for any, and ended so, if that is known.
    pub fn of(ended_by: Option<EndedBy>, exit: Option<Exit>) -> Self {
        match (ended_by, exit) {
            (Some(by), _) => Self::Ended(by),
            (None, Some(Exit::Code(_))) => Self::Exited,
            (None, Some(Exit::Signal(_))) => Self::Signalled,
            (None, None) => Self::Lost,
        }
    }

    /// The word that stands for it in results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exited => "exited",
            Self::Signalled => "signalled",
            Self::Ended(by) => by.word(),
            Self::Lost => "lost",
        }
    }
}

/// Why a command was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// Its time was over.
    Deadline,
    /// Somebody asked for its end.
    Request,
    /// Whoever waited for it went away.
    Cancelled,
    /// The receiver of its output went away.
    NoReader,
    /// It could not stay: there was no room among the jobs.
    Quota,
    /// The terminal is shutting down.
    Shutdown,
}

impl EndedBy {
    /// The word that stands for it in results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Request => "stopped",
            Self::Cancelled => "cancelled",
            Self::NoReader => "no_reader",
            Self::Quota => "quota",
            Self::Shutdown => "shutdown",
        }
    }
}

/// How a leader ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code (0 to 255).
    Code(i32),
    /// By the signal with this number.
    Signal(i32),
}

impl Exit {
    /// As one number: the code, or −N for signal N.
    pub fn number(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => -signal,
        }
    }

    /// As a shell reports it in `$?`: the code, or 128 + N for signal N.
    pub fn shell_status(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => 128 + signal,
        }
    }
}

/// The name of a signal, such as `SIGTERM`; real-time signals, which have none, are counted from the first one.
pub fn signal_name(number: i32) -> String {
    match nix::sys::signal::Signal::try_from(number) {
        Ok(signal) => signal.as_str().to_owned(),
        Err(_) => format!("SIGRTMIN+{}", number - libc::SIGRTMIN()),
    }
}

/// Why a command did not run. Nothing was spawned, or what was is gone.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// A field holds a value that cannot be used.
    #[error("{field}: {problem}")]
    Invalid {
        /// The field of [`crate::Command`].
        field: &'static str,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// The policy could not plan it.
    #[error(transparent)]
    Rejected(Rejection),
    /// The policy does not let it run.
    #[error("{}{reason}", refusal(.policy, *.asks))]
    Refused {
        /// Which policy.
        policy: Identity,
        /// Its reason.
        reason: String,
        /// What it found.
        findings: Vec<Finding>,
        /// Whether it would let it run after a person agreed.
        asks: bool,
    },
    /// The policy broke; commands never run unjudged.
    #[error("{0}; the command was not run")]
    PolicyFailed(PolicyFailure),
    /// There is no room for another job.
    #[error(
        "{max} jobs are running already, which is the limit; end one first (or start the server with a higher TERMINAL_TOOLS_MAX_JOBS)"
    )]
    JobLimit {
        /// How many there may be.
        max: usize,
    },
    /// The terminal takes no more commands.
    #[error("the terminal is shutting down")]
    ShuttingDown,
    /// The process that should have started it was killed by somebody.
    #[error("the process that owns the command was killed before the command ran; try again")]
    KeeperLost,
    /// It could not be started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// The system has no more of something that a command needs.
    #[error("out of {what}: {source}; end some commands and try again")]
    Exhausted {
        /// Of what.
        what: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
}

fn refusal(policy: &Identity, asks: bool) -> String {
    if asks {
        format!("policy {policy} wants a person to agree first: ")
    } else {
        format!("refused by policy {policy}: ")
    }
}

impl From<ReviewError> for ExecError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::Rejected(rejection) => Self::Rejected(rejection),
            ReviewError::Failed(failure) => Self::PolicyFailed(failure),
        }
    }
}
