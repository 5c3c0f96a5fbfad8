//! How a job is shown: when it began, where it stands, how it ended.

use std::time::{SystemTime, UNIX_EPOCH};

use ostler_terminal::Exit;
use ostler_terminal::jobs::{Job, Standing, State};
use ostler_terminal::output::{SpillState, Stream};
use schemars::JsonSchema;
use serde::Serialize;

use crate::envelope::{EndReason, SemanticStatus, signal_of};

/// A moment on the wall clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Seconds since 1970.
    pub unix_seconds: f64,
    /// As RFC 3339 says it, in UTC, to the millisecond.
    pub rfc3339: String,
}

impl Moment {
    pub fn of(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            // To the millisecond, which a float holds exactly enough for the next thousand centuries.
            unix_seconds: since.as_millis() as f64 / 1000.0,
            rfc3339: humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string(),
        }
    }
}

/// Whether the leader runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Status {
    /// It runs.
    Running,
    /// It has exited, whatever it left behind.
    Exited,
}

/// Where a job is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum StateView {
    /// The command runs.
    Running,
    /// The command was stopped by a signal and waits to be continued.
    Stopped,
    /// The command has exited; processes that it started still run.
    Lingering,
    /// Nothing of it is alive.
    Ended,
}

/// How a job stands, as both logs and list show it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StandingView {
    /// "running", "stopped" (by a signal), "lingering" (the command has exited, processes that it started run on) or "ended".
    pub state: StateView,
    /// Why it ended; null while it runs.
    pub end_reason: Option<EndReason>,
    /// The signal that ended it, or that it was stopped by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// "ostler" where the signal that ended it came from here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal_sender: Option<&'static str>,
    /// Whether processes outlived the grace and had to be killed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// Whether they outlived even that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unkillable: bool,
    /// Why what outlived the command was ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub survivors_end_reason: Option<EndReason>,
    /// What the ending means; null while it runs.
    pub semantic_status: Option<SemanticStatus>,
    /// The meaning in words, where the exit code alone would mislead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_message: Option<String>,
    /// Which row or rule gave semantic_status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl StandingView {
    pub fn of(standing: &Standing) -> Self {
        let classification = standing.classification.as_ref();
        let (state, stopped_by) = match standing.state {
            State::Starting | State::Running => (StateView::Running, None),
            State::Stopped(signal) => (StateView::Stopped, Some(Exit::Signal(signal))),
            State::Lingering => (StateView::Lingering, None),
            State::Ended => (StateView::Ended, None),
        };
        Self {
            state,
            end_reason: EndReason::of_standing(standing),
            signal: signal_of(standing.exit.or(stopped_by)),
            signal_sender: standing.signal_is_ours().then_some("ostler"),
            forced: standing.forced,
            unkillable: standing.unkillable,
            survivors_end_reason: standing.rest_ended_by.map(Into::into),
            semantic_status: classification.map(|it| it.status.into()),
            semantic_message: classification.and_then(|it| it.message.clone()),
            rule: classification.map(|it| it.rule.clone()),
        }
    }
}

/// Whether the leader of a job runs.
pub fn status(standing: &Standing) -> Status {
    if standing.has_exited() {
        Status::Exited
    } else {
        Status::Running
    }
}

/// Its exit code, −N for signal N, once it has one.
pub fn exit_code(standing: &Standing) -> Option<i32> {
    standing.exit.map(Exit::number)
}

/// From the start to the exit, or until now, in milliseconds.
pub fn runtime_ms(job: &Job) -> u64 {
    u64::try_from(job.runtime().as_millis()).unwrap_or(u64::MAX)
}

/// Whether older output of a stream is kept on disk.
pub fn spill(stream: &Stream) -> String {
    match stream.totals().spill {
        SpillState::Unused => "off".into(),
        SpillState::Active { .. } => "on".into(),
        // A quota of nothing.
        SpillState::Full { .. } if stream.disk_bytes() == 0 => "off".into(),
        SpillState::Full { at } => format!("full: the quota is used up from offset {at} on"),
        SpillState::Failed { error, at } => format!("disabled: {error:?} from offset {at} on"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_moment_is_told_for_programs_and_for_people() {
        let moment = Moment::of(UNIX_EPOCH + Duration::from_millis(1_700_000_000_123));
        assert_eq!(moment.unix_seconds, 1_700_000_000.123);
        assert_eq!(moment.rfc3339, "2023-11-14T22:13:20.123Z");
    }
}
