//! Fills the envelope from what the terminal says.

use ostler_terminal::output::{ByteOffset, Stream, text};
use ostler_terminal::policy::{Dialect, Finding, Opaque, Severity, Status};
use ostler_terminal::process::{SpawnError, Survivor};
use ostler_terminal::{ExecError, Exit, Outcome};

use super::shape::{Envelope, FindingView, OpaqueView, SemanticStatus, ShellKind, SurvivorView};

/// Most that one stream may take in an answer, whatever was asked for; the rest is behind the handle.
pub const MAX_INLINE_BYTES: usize = 16 << 20;

/// The beginning of a stream as it is shown.
struct Shown {
    text: String,
    encoding: Option<&'static str>,
    produced: u64,
    truncated: u64,
    dropped: u64,
}

impl Shown {
    fn of(stream: &Stream, max_bytes: usize) -> Self {
        let totals = stream.totals();
        let head = stream.head(max_bytes);
        // A stream whose beginning is gone, or cannot be read back, shows nothing: what is shown is the true beginning.
        let bytes = match head {
            Ok(head) if head.offset == ByteOffset::START => head.bytes,
            Ok(_) => Vec::new(),
            Err(error) => {
                tracing::warn!(%error, "output cannot be read back");
                Vec::new()
            }
        };
        let shown = bytes.len() as u64;
        let (text, lossless) = text::decode(bytes);
        Self {
            text,
            encoding: (!lossless).then_some("utf-8-lossy"),
            produced: totals.produced,
            truncated: totals.produced.saturating_sub(shown),
            dropped: totals.dropped,
        }
    }

    fn total_if_cut(&self) -> Option<u64> {
        (self.truncated > 0).then_some(self.produced)
    }
}

impl Envelope {
    /// Tells an outcome, with at most `max_bytes` of each stream. Where that is not all, `retain` may keep it and name it.
    pub fn of_outcome(
        outcome: &Outcome,
        max_bytes: usize,
        retain: impl FnOnce(&Outcome) -> Option<String>,
    ) -> Self {
        let max_bytes = max_bytes.min(MAX_INLINE_BYTES);
        let stdout = Shown::of(&outcome.output.stdout, max_bytes);
        let stderr = Shown::of(&outcome.output.stderr, max_bytes);
        let cut = stdout.truncated > 0 || stderr.truncated > 0;
        let output_handle = cut.then(|| retain(outcome)).flatten();
        Self {
            exit_code: outcome.exit.map(Exit::number),
            stdout_truncated_bytes: stdout.truncated,
            stderr_truncated_bytes: stderr.truncated,
            runtime_ms: u64::try_from(outcome.runtime.as_millis()).unwrap_or(u64::MAX),
            pid: outcome.pid.map(|pid| pid.get()),
            output_handle,
            timed_out: outcome.timed_out(),
            semantic_status: outcome.classification.status.into(),
            semantic_message: outcome.classification.message.clone(),
            warning: gravest(&outcome.findings).map(|finding| finding.message.clone()),
            auto_backgrounded: false,
            job_id: None,
            auto_shell: outcome.invocation.auto_shell,
            shell_kind: Some(outcome.invocation.dialect.into()),
            error: None,
            blocked: None,
            rule: Some(outcome.classification.rule.clone()),
            findings: outcome.findings.iter().map(FindingView::of).collect(),
            opaque: outcome.opaque.iter().map(OpaqueView::of).collect(),
            ended_by: outcome.ended_by.map(Into::into),
            forced: outcome.forced,
            survivors: outcome.survivors.iter().map(SurvivorView::of).collect(),
            output_open: outcome.output_open,
            stdout_total_bytes: stdout.total_if_cut(),
            stderr_total_bytes: stderr.total_if_cut(),
            stdout_dropped_bytes: stdout.dropped,
            stderr_dropped_bytes: stderr.dropped,
            stdout_encoding: stdout.encoding,
            stderr_encoding: stderr.encoding,
            stdout: stdout.text,
            stderr: stderr.text,
        }
    }

    /// Tells why nothing was started.
    pub fn of_error(error: &ExecError) -> Self {
        let mut envelope = Self::not_started(message(error));
        if let ExecError::Refused { findings, .. } = error {
            envelope.blocked = Some(true);
            envelope.findings = findings.iter().map(FindingView::of).collect();
        }
        envelope
    }

    /// Nothing was started, for this reason.
    pub fn not_started(error: String) -> Self {
        Self {
            exit_code: None,
            stdout: String::new(),
            stderr: error.clone(),
            stdout_truncated_bytes: 0,
            stderr_truncated_bytes: 0,
            runtime_ms: 0,
            pid: None,
            output_handle: None,
            timed_out: false,
            semantic_status: SemanticStatus::Error,
            semantic_message: Some(error.clone()),
            warning: None,
            auto_backgrounded: false,
            job_id: None,
            auto_shell: false,
            shell_kind: None,
            error: Some(error),
            blocked: None,
            rule: None,
            findings: Vec::new(),
            opaque: Vec::new(),
            ended_by: None,
            forced: false,
            survivors: Vec::new(),
            output_open: false,
            stdout_total_bytes: None,
            stderr_total_bytes: None,
            stdout_dropped_bytes: 0,
            stderr_dropped_bytes: 0,
            stdout_encoding: None,
            stderr_encoding: None,
        }
    }
}

/// The most severe finding; of equals the first.
fn gravest(findings: &[Finding]) -> Option<&Finding> {
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
    fn of(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            severity: match finding.severity {
                Severity::Note => "note",
                Severity::Caution => "caution",
                Severity::Danger => "danger",
            },
            message: finding.message.clone(),
            span: [finding.span.start, finding.span.end],
        }
    }
}

impl OpaqueView {
    fn of(part: &Opaque) -> Self {
        Self {
            reason: part.reason.clone(),
            span: [part.span.start, part.span.end],
        }
    }
}

impl SurvivorView {
    fn of(process: &Survivor) -> Self {
        Self {
            pid: process.pid.get(),
            command: process.command.clone(),
        }
    }
}
