//! How a job stands: what is known of it at one moment.

use tokio::time::Instant;

use crate::outcome::{EndCause, EndedBy, Exit};
use crate::policy::Classification;
use crate::process::{Pid, SpawnError, Survivor};

/// Where a job is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its leader has been asked for and does not run yet.
    Starting,
    /// Its leader runs.
    Running,
    /// Its leader was stopped by this signal and can be continued.
    Stopped(i32),
    /// Its leader exited; processes that it started still run.
    Lingering,
    /// Nothing of it is alive.
    Ended,
}

/// What is known of a job.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Where it is on its way.
    pub state: State,
    /// Process id of the leader, once it runs.
    pub pid: Option<Pid>,
    /// Why the leader did not come to run.
    pub failure: Option<SpawnError>,
    /// How the leader ended.
    pub exit: Option<Exit>,
    /// When the leader ended, or was given up.
    pub exited_at: Option<Instant>,
    /// Why the leader was ended, where it did not end by itself.
    pub ended_by: Option<EndedBy>,
    /// Why what outlived the leader was ended.
    pub rest_ended_by: Option<EndedBy>,
    /// What the ending means. There as soon as waiting for the exit is over.
    pub classification: Option<Classification>,
    /// Whether SIGKILL was needed.
    pub forced: bool,
    /// Whether it outlived even that for longer than anybody waits.
    pub unkillable: bool,
    /// Whether the process that owned it was killed by somebody.
    pub lost: bool,
    /// Processes that were alive when its caller was to be told about them.
    pub survivors: Vec<Survivor>,
    /// Whether one of them held an output stream open then.
    pub(crate) output_open: bool,
    /// Whether it has been asked to end, and what is alive is on its way out.
    pub is_ending: bool,
    /// Whether everything that the caller of a foreground command is told is known.
    pub(crate) settled: bool,
    /// Signals that were sent on request, as bits.
    sent: u64,
}

impl Standing {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Starting,
            pid: None,
            failure: None,
            exit: None,
            exited_at: None,
            ended_by: None,
            rest_ended_by: None,
            classification: None,
            forced: false,
            unkillable: false,
            lost: false,
            survivors: Vec::new(),
            output_open: false,
            is_ending: false,
            settled: false,
            sent: 0,
        }
    }

    /// Whether there is an answer to how the leader ended.
    pub fn has_exited(&self) -> bool {
        self.classification.is_some() || self.failure.is_some()
    }

    /// Whether nothing of it is alive.
    pub fn has_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// Whether the deadline ended it.
    pub fn timed_out(&self) -> bool {
        self.ended_by == Some(EndedBy::Deadline)
    }

    /// Why the leader ended; none while there is no answer to how.
    pub fn end_cause(&self) -> Option<EndCause> {
        self.has_exited()
            .then(|| EndCause::of(self.ended_by, self.exit))
    }

    /// Whether the signal that ended the leader is one that we sent.
    pub fn signal_is_ours(&self) -> bool {
        match self.exit {
            Some(Exit::Signal(signal)) => self.sent & bit(signal) != 0,
            _ => false,
        }
    }

    pub(crate) fn note_sent(&mut self, signal: i32) {
        self.sent |= bit(signal);
    }
}

/// Signals are numbered from 1 to 64.
fn bit(signal: i32) -> u64 {
    match signal {
        1..=64 => 1 << (signal - 1),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_ours_when_we_sent_that_one() {
        let mut standing = Standing::new();
        standing.note_sent(15);
        standing.exit = Some(Exit::Signal(9));
        assert!(!standing.signal_is_ours());
        standing.exit = Some(Exit::Signal(15));
        assert!(standing.signal_is_ours());
        standing.exit = Some(Exit::Code(15));
        assert!(!standing.signal_is_ours());
    }
}
