//! The questions and answers of the contract as plain Rust data, the same on every target.

/// What the caller asks to have run, and what the policy may know of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The command text as it arrived.
    pub command: String,
    /// Which interpreter the caller asked for.
    pub shell: ShellChoice,
    /// Operating system of the host.
    pub os: Os,
    /// Interpreters that the host found, best first.
    pub shells: Vec<Shell>,
    /// Working directory of the command.
    pub cwd: String,
}

/// Which interpreter the caller asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellChoice {
    /// The policy decides between a direct start and a shell.
    Auto,
    /// The platform's shell, whatever the text.
    Platform,
    /// The interpreter with this path or name.
    Named(String),
}

/// Operating system family of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Os {
    /// Linux.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

/// The language that a command text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// No interpreter: the argv is started as it is.
    Direct,
    /// bash and other POSIX-like shells.
    Bash,
    /// Windows PowerShell and PowerShell 7.
    Powershell,
    /// The Windows command processor.
    Cmd,
}

/// An interpreter that the host found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    /// The language that it reads.
    pub dialect: Dialect,
    /// Its program, a path.
    pub program: String,
}

/// The answer to a request: how to run the command and what is dangerous about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// What to start.
    pub invocation: Plan,
    /// What the rules found, most severe first.
    pub findings: Vec<Finding>,
    /// Parts that could not be understood.
    pub opaque: Vec<Opaque>,
    /// Whether to go on.
    pub verdict: Verdict,
}

/// How a command is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Program and arguments; never empty.
    pub argv: Vec<String>,
    /// The language that the text was read as.
    pub dialect: Dialect,
    /// Whether the policy chose the shell although the caller left it open.
    pub auto_shell: bool,
}

/// How much harm a finding stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; not counted as destructive.
    Note,
    /// Loses something that no single follow-up command brings back.
    Caution,
    /// Loses a system, a home, a database or published work.
    Danger,
}

/// A byte range of the command text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// One thing that a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Identifier of the rule, `family.name`.
    pub rule: String,
    /// How much harm it stands for.
    pub severity: Severity,
    /// What will happen, for a person.
    pub message: String,
    /// The part of the command that triggered it.
    pub span: Span,
}

/// A part of the command that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// Why not.
    pub reason: String,
    /// Which part.
    pub span: Span,
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

/// A request that cannot be planned; nothing is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The text holds no command.
    EmptyCommand,
    /// The text holds a NUL byte.
    NulByte,
    /// The caller named a shell that is refused, with the name.
    ShellRefused(String),
    /// No interpreter that the request needs exists on this machine; what was looked for.
    NoShell(String),
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Exit code, when the leader exited by itself.
    pub exit_code: Option<i32>,
    /// Number of the signal that ended the leader.
    pub signal: Option<u32>,
    /// Whether the deadline ended it.
    pub timed_out: bool,
    /// The language that the command was run in.
    pub dialect: Dialect,
    /// A bounded excerpt of its stderr.
    pub stderr_excerpt: String,
    /// Exit status of each stage of the last pipeline, when known.
    pub stage_statuses: Option<Vec<i32>>,
}

/// What an ending means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It did what it was asked, or is still running.
    Ok,
    /// A signal ended it.
    Signal,
    /// It failed.
    Error,
}

/// The answer to an ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    /// What the ending means.
    pub status: Status,
    /// In words, where the status alone would mislead.
    pub message: Option<String>,
    /// The table row or rule that said so.
    pub rule: String,
}
