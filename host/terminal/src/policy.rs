//! What the terminal asks of a policy. The terminal never learns how a policy is run.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

/// Judges commands before they run and their endings after. Implementations answer within a bounded time and may be
/// called on any thread, also one that runs other tasks: after a slow answer the terminal moves the next question to a
/// thread of its own.
pub trait Policy: Send + Sync + 'static {
    /// Who it is.
    fn identity(&self) -> Identity;

    /// Judges a command before anything is spawned.
    ///
    /// # Errors
    /// [`ReviewError::Rejected`] where the command cannot be planned, [`ReviewError::Failed`] where the policy itself broke.
    fn review(&self, request: &Request) -> Result<Review, ReviewError>;

    /// Says what an ending means.
    ///
    /// # Errors
    /// Where the policy itself broke.
    fn classify(&self, command: &str, ending: &Ending) -> Result<Classification, PolicyFailure>;
}

/// Who judged. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Its name, as it describes itself.
    pub name: Arc<str>,
    /// Its version, as it describes itself.
    pub version: Arc<str>,
    /// Digest of what was loaded: `sha256:` and the first twelve hexadecimal digits.
    pub digest: Arc<str>,
}

impl Identity {
    /// An identity of these parts.
    pub fn new(name: &str, version: &str, digest: &str) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            digest: digest.into(),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            version,
            digest,
        } = self;
        write!(formatter, "{name} {version} ({digest})")
    }
}

/// A command that somebody wants to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The command text as the caller sent it.
    pub command: String,
    /// Which interpreter the caller asked for.
    pub shell: ShellChoice,
    /// Operating system: `linux`, `macos`, `windows`.
    pub os: Cow<'static, str>,
    /// The interpreters of this machine, best first.
    pub shells: Arc<[Shell]>,
    /// Working directory of the command, lossily as text.
    pub cwd: String,
}

/// An interpreter that was found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    /// The language that it reads.
    pub dialect: Dialect,
    /// Its program, an absolute path.
    pub program: String,
}

/// Which interpreter the caller asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ShellChoice {
    /// The policy decides between a direct start and a shell.
    #[default]
    Auto,
    /// The platform's shell, whatever the text.
    Platform,
    /// The interpreter with this path or file name.
    Named(String),
}

/// The language that a command text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// No interpreter: the argv is started as it is.
    Direct,
    /// bash, and shells that read its language.
    Bash,
    /// Windows PowerShell or PowerShell 7.
    Powershell,
    /// The Windows command processor.
    Cmd,
}

/// What is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// Program and arguments; never empty.
    pub argv: Vec<String>,
    /// The language that the text was read as.
    pub dialect: Dialect,
    /// Whether the policy chose a shell although the caller left it open.
    pub auto_shell: bool,
}

/// How much harm a finding stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; not counted as destructive.
    Note,
    /// Loses something that no single follow-up command brings back.
    Caution,
    /// Loses a system, a home, a database or published work.
    Danger,
}

/// One thing that a rule found in a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Identifier of the rule, `family.name`.
    pub rule: String,
    /// How much harm it stands for.
    pub severity: Severity,
    /// What will happen, in one sentence for a person.
    pub message: String,
    /// Byte range of the command text that triggered it.
    pub span: std::ops::Range<u32>,
}

/// A part of a command that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// Why not.
    pub reason: String,
    /// Byte range of the command text.
    pub span: std::ops::Range<u32>,
}

/// Whether a command may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Run it.
    Proceed,
    /// Run it only after a person agreed.
    Ask(String),
    /// Do not run it.
    Refuse(String),
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// What to start.
    pub invocation: Invocation,
    /// What the rules found, most severe first.
    pub findings: Vec<Finding>,
    /// Parts that could not be understood.
    pub opaque: Vec<Opaque>,
    /// Whether to go on.
    pub verdict: Verdict,
}

/// A command that was judged: what was asked for, who judged, what came of it.
#[derive(Debug)]
pub struct Judged {
    /// What was asked for.
    pub request: Request,
    /// When.
    pub at: SystemTime,
    /// Who judged.
    pub policy: Identity,
    /// What was planned and found.
    pub review: Review,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Exit code of the leader; none where a signal ended it or it still runs.
    pub exit_code: Option<i32>,
    /// Number of the signal that ended the leader.
    pub signal: Option<u32>,
    /// Whether the deadline ended it.
    pub timed_out: bool,
    /// The language that it was run in.
    pub dialect: Dialect,
    /// The last bytes of its stderr as text.
    pub stderr_excerpt: String,
}

/// What an ending means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The command did what it was asked, or is still running.
    Ok,
    /// A signal ended it.
    Signal,
    /// It failed.
    Error,
}

/// The meaning of an ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    /// What it means.
    pub status: Status,
    /// In words, where the code alone would mislead.
    pub message: Option<String>,
    /// Identifier of the row or rule that said so.
    pub rule: String,
}

/// Why a review gave no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// The command cannot be planned.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The policy itself broke; the command does not run.
    #[error(transparent)]
    Failed(#[from] PolicyFailure),
}

/// A command that cannot be planned; nothing is started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The text holds no command.
    #[error("command was empty: there is nothing to run in it")]
    EmptyCommand,
    /// The text holds a NUL character.
    #[error(
        "command holds a NUL character, which no program can receive; pass binary data by stdin"
    )]
    NulCharacter,
    /// The interpreter that was named is refused.
    #[error(
        "shell {0:?} is refused: zsh reads another language than the one that commands are judged in; \
         leave `shell` out, set it to true for bash, or name a bash"
    )]
    ShellRefused(String),
    /// No interpreter fits.
    #[error("no shell that can run this was found: {0}")]
    NoShell(String),
    /// Another reason.
    #[error("{0}")]
    Other(String),
}

/// A policy that broke: a trap, a limit or a malformed answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("policy {policy} failed in `{call}`: {what}{}", printed(.output))]
pub struct PolicyFailure {
    /// Which policy, for messages.
    pub policy: String,
    /// The function that was called.
    pub call: &'static str,
    /// What it did.
    pub what: String,
    /// What it printed, bounded.
    pub output: String,
}

fn printed(output: &str) -> String {
    if output.is_empty() {
        String::new()
    } else {
        format!("; it printed: {}", output.trim_end())
    }
}
