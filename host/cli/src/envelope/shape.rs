//! The keys of the envelope, in the order of the contract.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reason::EndReason;

/// What became of a command. The keys up to `error` and `blocked` are the contract, in its order; later ones are additions
/// and stand only where they say something.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Envelope {
    /// Exit code; -N when signal N ended the command; null while it runs, when nothing was started or its end is not known.
    pub exit_code: Option<i32>,
    /// Beginning of standard output as text, up to max_output_kb; of a command that still runs, what it printed last.
    pub stdout: String,
    /// Likewise of standard error; the error text when nothing was started.
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
    /// Whether it took longer than auto_background_after_sec and goes on as a job.
    pub auto_backgrounded: bool,
    /// The job, where something goes on: the command itself, or what it left behind. For terminal_job_logs and terminal_job_manage.
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
    /// Why nothing was started, in one word for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,

    /// Which row or rule gave semantic_status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Everything the policy found, most severe first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingView>,
    /// Parts of the command that the policy could not see into.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<OpaqueView>,
    /// Which policy judged it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyView>,
    /// Why it ended, or why nothing was started; null while it runs.
    pub end_reason: Option<EndReason>,
    /// The signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// "ostler" where that signal came from here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal_sender: Option<&'static str>,
    /// Whether processes outlived the grace and had to be killed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// Whether they outlived even that: the kernel does not let them go.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unkillable: bool,
    /// Processes that the command left behind. They live on as job_id, or are being ended where that is null.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub survivors: Vec<SurvivorView>,
    /// Whether such a process still held the output open, so that more might have come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub output_open: bool,
    /// Where in standard output the shown part begins; set with job_id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout_offset: Option<u64>,
    /// Where to go on with terminal_job_logs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout_next_offset: Option<u64>,
    /// As stdout_offset, for standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_offset: Option<u64>,
    /// As stdout_next_offset, for standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_next_offset: Option<u64>,
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SemanticStatus {
    /// It did what it was asked, or still does.
    #[default]
    Ok,
    /// A signal ended it.
    Signal,
    /// It failed, or was not started.
    Error,
}

impl SemanticStatus {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Signal => "signal",
            Self::Error => "error",
        }
    }
}

/// What read the command text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

impl ShellKind {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Powershell => "powershell",
            Self::Cmd => "cmd",
            Self::Direct => "direct",
        }
    }
}

/// One thing that the policy found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct FindingView {
    /// Which rule found it.
    pub rule: String,
    /// "note", "caution" or "danger".
    pub severity: Cow<'static, str>,
    /// What will happen.
    pub message: String,
    /// From which to which byte of the command.
    pub span: [u32; 2],
}

/// A part of a command that the policy could not see into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct OpaqueView {
    /// Why not.
    pub reason: String,
    /// From which to which byte of the command.
    pub span: [u32; 2],
}

/// Which policy judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct PolicyView {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Beginning of the SHA-256 of what was loaded.
    pub digest: String,
}

/// A process that outlived its command.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SurvivorView {
    /// Its process id.
    pub pid: i32,
    /// The beginning of its command line.
    pub command: String,
    /// Whether it holds the output of the command open.
    pub holds_output: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
