//! Fills the envelope from what the terminal says.

use ostler_terminal::jobs::Job;
use ostler_terminal::policy::{Dialect, Finding, Identity, Opaque, Severity, Status};
use ostler_terminal::process::{SpawnError, Survivor};
use ostler_terminal::{ExecError, Exit, Outcome, signal_name};

use super::reason::EndReason;
use super::shape::{
    Envelope, FindingView, OpaqueView, PolicyView, SemanticStatus, ShellKind, SurvivorView,
};
use super::shown::{Shown, View};

/// Most of each stream that is shown of a command that goes on as a job.
const MAX_PROMOTED_BYTES: usize = 64 << 10;

impl Envelope {
    /// Tells an outcome. Where not all of its output is shown and no job keeps it, `retain` may keep it and name it.
    pub fn of_outcome(
        outcome: &Outcome,
        view: View,
        retain: impl FnOnce(&Outcome) -> Option<String>,
    ) -> Self {
        let stdout = Shown::beginning(&outcome.output.stdout, view);
        let stderr = Shown::beginning(&outcome.output.stderr, view);
        let is_cut = stdout.truncated > 0 || stderr.truncated > 0;
        let output_handle = (is_cut && outcome.job.is_none())
            .then(|| retain(outcome))
            .flatten();
        let signal = signal_of(outcome.exit);
        let review = &outcome.judged.review;
        let envelope = Self {
            exit_code: outcome.exit.map(Exit::number),
            runtime_ms: milliseconds(outcome.runtime),
            pid: outcome.pid.map(|pid| pid.get()),
            output_handle,
            timed_out: outcome.timed_out(),
            semantic_status: outcome.classification.status.into(),
            semantic_message: outcome.classification.message.clone(),
            warning: gravest(&review.findings).map(|finding| finding.message.clone()),
            job_id: outcome.job.map(|id| id.to_string()),
            auto_shell: review.invocation.auto_shell,
            shell_kind: Some(review.invocation.dialect.into()),
            rule: Some(outcome.classification.rule.clone()),
            findings: review.findings.iter().map(FindingView::of).collect(),
            opaque: review.opaque.iter().map(OpaqueView::of).collect(),
            policy: Some(PolicyView::of(&outcome.judged.policy)),
            end_reason: Some(EndReason::of_outcome(outcome)),
            signal,
            signal_sender: outcome.signal_is_ours.then_some("ostler"),
            forced: outcome.forced,
            unkillable: outcome.unkillable,
            survivors: outcome.survivors.iter().map(SurvivorView::of).collect(),
            output_open: outcome.output_open,
            ..Self::default()
        };
        envelope.with_output(stdout, stderr)
    }

    /// Tells of a command that goes on as a job: what it printed last, and where to read on.
    pub fn of_promoted(job: &Job, view: View) -> Self {
        let view = view.at_most(MAX_PROMOTED_BYTES);
        let runtime = job.runtime();
        let standing = job.standing();
        let review = &job.judged().review;
        let envelope = Self {
            runtime_ms: milliseconds(runtime),
            pid: standing.pid.map(|pid| pid.get()),
            semantic_message: Some(format!(
                "still running after {:.1} s; it goes on as {}: read on with terminal_job_logs from the next offsets, end it with terminal_job_manage",
                runtime.as_secs_f64(),
                job.id()
            )),
            warning: gravest(&review.findings).map(|finding| finding.message.clone()),
            auto_backgrounded: true,
            job_id: Some(job.id().to_string()),
            auto_shell: review.invocation.auto_shell,
            shell_kind: Some(review.invocation.dialect.into()),
            findings: review.findings.iter().map(FindingView::of).collect(),
            opaque: review.opaque.iter().map(OpaqueView::of).collect(),
            policy: Some(PolicyView::of(&job.judged().policy)),
            ..Self::default()
        };
        let output = job.output();
        envelope.with_output(
            Shown::end(&output.stdout, view),
            Shown::end(&output.stderr, view),
        )
    }

    /// Tells why nothing was started.
    pub fn of_error(error: &ExecError) -> Self {
        let mut envelope = Self::not_started(message(error), EndReason::of_error(error));
        if let ExecError::Refused {
            findings, policy, ..
        } = error
        {
            envelope.blocked = Some(true);
            envelope.policy = Some(PolicyView::of(policy));
            envelope.findings = findings.iter().map(FindingView::of).collect();
        }
        envelope
    }

    /// Nothing was started, for this reason.
    pub fn not_started(error: String, reason: EndReason) -> Self {
        Self {
            stderr: error.clone(),
            semantic_status: SemanticStatus::Error,
            semantic_message: Some(error.clone()),
            error: Some(error),
            code: Some(reason.word()),
            end_reason: Some(reason),
            ..Self::default()
        }
    }

    fn with_output(self, stdout: Shown, stderr: Shown) -> Self {
        let of_job = |offset: u64| self.job_id.is_some().then_some(offset);
        Self {
            stdout_truncated_bytes: stdout.truncated,
            stderr_truncated_bytes: stderr.truncated,
            stdout_offset: of_job(stdout.offset),
            stdout_next_offset: of_job(stdout.next_offset),
            stderr_offset: of_job(stderr.offset),
            stderr_next_offset: of_job(stderr.next_offset),
            stdout_total_bytes: stdout.total_if_cut(),
            stderr_total_bytes: stderr.total_if_cut(),
            stdout_dropped_bytes: stdout.dropped,
            stderr_dropped_bytes: stderr.dropped,
            stdout_encoding: stdout.encoding,
            stderr_encoding: stderr.encoding,
            stdout: stdout.text,
            stderr: stderr.text,
            ..self
        }
    }
}

/// The name of the signal that ended a leader.
pub fn signal_of(exit: Option<Exit>) -> Option<String> {
    match exit {
        Some(Exit::Signal(number)) => Some(signal_name(number)),
        _ => None,
    }
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The most severe finding; of equals the first.
pub fn gravest(findings: &[Finding]) -> Option<&Finding> {
    findings.iter().rev().max_by_key(|finding| finding.severity)
}

/// Why nothing was started, in the words of the contract.
pub fn message(error: &ExecError) -> String {
    match error {
        // Without the search path: it is long, and it is the same every time.
        ExecError::Spawn(SpawnError::NotFound { program, .. }) => {
            let program = program.display();
            format!(
                "command not found: {program}; check the spelling, install it, or give its full path"
            )
        }
        ExecError::Spawn(error) => format!("spawn failed: {error}"),
        error => error.to_string(),
    }
}

/// The word for a severity.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Caution => "caution",
        Severity::Danger => "danger",
    }
}

impl From<Status> for SemanticStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Ok => Self::Ok,
            Status::Signal => Self::Signal,
            Status::Error => Self::Error,
        }
    }
}

impl From<Dialect> for ShellKind {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Direct => Self::Direct,
            Dialect::Bash => Self::Bash,
            Dialect::Powershell => Self::Powershell,
            Dialect::Cmd => Self::Cmd,
        }
    }
}

impl FindingView {
    /// As an envelope shows it.
    pub fn of(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            severity: severity_word(finding.severity).into(),
            message: finding.message.clone(),
            span: [finding.span.start, finding.span.end],
        }
    }
}

impl PolicyView {
    /// As an envelope shows it.
    pub fn of(identity: &Identity) -> Self {
        Self {
            name: identity.name.as_ref().into(),
            version: identity.version.as_ref().into(),
            digest: identity.digest.as_ref().into(),
        }
    }
}

impl OpaqueView {
    /// As an envelope shows it.
    pub fn of(part: &Opaque) -> Self {
        Self {
            reason: part.reason.clone(),
            span: [part.span.start, part.span.end],
        }
    }
}

impl SurvivorView {
    /// As an envelope shows it.
    pub fn of(process: &Survivor) -> Self {
        Self {
            pid: process.pid.get(),
            command: process.command.clone(),
            holds_output: process.holds_output,
        }
    }
}
