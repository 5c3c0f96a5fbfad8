//! The keys of the envelope, in the order of the contract.

use ostler_terminal::EndedBy;
use schemars::JsonSchema;
use serde::Serialize;

/// What became of a command. The keys up to `error` and `blocked` are the contract, in its order; later ones are additions
/// and stand only where they say something.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Envelope {
    /// Exit code; -N when signal N ended the command; null when nothing was started or its end is not known.
    pub exit_code: Option<i32>,
    /// Beginning of standard output as text, up to max_output_kb.
    pub stdout: String,
    /// Beginning of standard error as text, up to max_output_kb; the error text when nothing was started.
    pub stderr: String,
    /// Bytes of standard output that are not shown.
    pub stdout_truncated_bytes: u64,
    /// Bytes of standard error that are not shown.
    pub stderr_truncated_bytes: u64,
    /// From the start to the exit, in milliseconds.
    pub runtime_ms: u64,
    /// Process id.
    pub pid: Option<i32>,
    /// Pass it to terminal_output_get to read everything; set when a stream is longer than what is shown.
    pub output_handle: Option<String>,
    /// Whether the deadline ended it.
    pub timed_out: bool,
    /// What the ending means: exit code 1 of grep is "ok".
    pub semantic_status: SemanticStatus,
    /// The meaning in words, where the exit code alone would mislead.
    pub semantic_message: Option<String>,
    /// What the command may have destroyed; it was run all the same.
    pub warning: Option<String>,
    /// Always false: commands stay in the foreground.
    pub auto_backgrounded: bool,
    /// Always null: see auto_backgrounded.
    pub job_id: Option<String>,
    /// Whether a shell was used although none was asked for, because the text needs one.
    pub auto_shell: bool,
    /// What read the text; "direct" = no shell; null when nothing was started.
    pub shell_kind: Option<ShellKind>,
    /// Why nothing was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the policy refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<bool>,

    /// Which row or rule gave semantic_status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Everything the policy found, most severe first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingView>,
    /// Parts of the command that the policy could not see into.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<OpaqueView>,
    /// Why it was ended, where it did not end by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedByView>,
    /// Whether processes outlived the grace and had to be killed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// Processes that the command left behind; they are being ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub survivors: Vec<SurvivorView>,
    /// Whether such a process still held the output open, so that more might have come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub output_open: bool,
    /// Bytes of standard output in all; set when not all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout_total_bytes: Option<u64>,
    /// Bytes of standard error in all; set when not all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_total_bytes: Option<u64>,
    /// Bytes of standard output that nobody can read any more, not even by the handle.
    #[serde(skip_serializing_if = "is_zero")]
    pub stdout_dropped_bytes: u64,
    /// Bytes of standard error that nobody can read any more, not even by the handle.
    #[serde(skip_serializing_if = "is_zero")]
    pub stderr_dropped_bytes: u64,
    /// "utf-8-lossy" where standard output was not UTF-8 throughout: U+FFFD stands for what was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout_encoding: Option<&'static str>,
    /// As stdout_encoding, for standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_encoding: Option<&'static str>,
}

/// What an ending means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SemanticStatus {
    /// It did what it was asked.
    Ok,
    /// A signal ended it.
    Signal,
    /// It failed, or was not started.
    Error,
}

/// Why a command was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum EndedByView {
    /// Its deadline passed.
    Deadline,
    /// Somebody asked: a person pressed Ctrl-C, or the server is shutting down.
    Request,
    /// Nobody read its output any more.
    NoReader,
}

impl From<EndedBy> for EndedByView {
    fn from(ended_by: EndedBy) -> Self {
        match ended_by {
            EndedBy::Deadline => Self::Deadline,
            EndedBy::Request => Self::Request,
            EndedBy::NoReader => Self::NoReader,
        }
    }
}

/// What read the command text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ShellKind {
    /// bash.
    Bash,
    /// PowerShell.
    Powershell,
    /// The Windows command processor.
    Cmd,
    /// No shell.
    Direct,
}

/// One thing that the policy found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct FindingView {
    /// Which rule found it.
    pub rule: String,
    /// "note", "caution" or "danger".
    pub severity: &'static str,
    /// What will happen.
    pub message: String,
    /// From which to which byte of the command.
    pub span: [u32; 2],
}

/// A part of a command that the policy could not see into.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct OpaqueView {
    /// Why not.
    pub reason: String,
    /// From which to which byte of the command.
    pub span: [u32; 2],
}

/// A process that outlived its command.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SurvivorView {
    /// Its process id.
    pub pid: i32,
    /// The beginning of its command line.
    pub command: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
