//! A command as the faces hand it to the terminal: typed, and checked before anything is spawned.

use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::sync::mpsc;

use crate::environment::Environment;
use crate::policy::ShellChoice;
use crate::process::Limits;

/// Longest command text, in bytes. Longer scripts belong into a file or on standard input.
pub const MAX_COMMAND_BYTES: usize = 1 << 20;
/// Longest grace between asking a tree to end and forcing it.
pub const MAX_GRACE: Duration = Duration::from_secs(30);
/// Longest deadline. Larger values are a mistake in the unit more often than a wish.
pub const MAX_DEADLINE: Duration = Duration::from_secs(7 * 24 * 3600);

/// A command and how it is to be run.
#[derive(Debug)]
pub struct Command {
    /// The command text.
    pub text: String,
    /// Which interpreter is asked for.
    pub shell: ShellChoice,
    /// Working directory; none = that of this process.
    pub cwd: Option<PathBuf>,
    /// Changes to the inherited environment.
    pub environment: Environment,
    /// What it gets to read.
    pub stdin: Stdin,
    /// Whether a person has agreed to what a policy asks about. A refusal stands all the same.
    pub approved: bool,
    /// Bounds per process.
    pub limits: Limits,
    /// Whether stderr goes into the pipe of stdout, so that both arrive in the order in which they were written.
    pub merge_stderr: bool,
    /// Time from the start after which the whole tree is ended; none = no deadline.
    pub deadline: Option<Duration>,
    /// Time between SIGTERM and SIGKILL.
    pub grace: Duration,
    /// What becomes of processes that outlive the leader.
    pub on_exit: OnExit,
    /// A name for people; none = the first word of the text.
    pub name: Option<String>,
    /// Receives the output as it comes. The command is slowed down to the pace of the receiver; a dropped receiver ends it.
    pub tap: Option<mpsc::Sender<Piece>>,
    /// Counts the bytes of both streams as they come.
    pub meter: Option<Arc<AtomicU64>>,
}

impl Command {
    /// A command with the defaults: no deadline, two seconds of grace, nothing on standard input, nothing left behind.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            shell: ShellChoice::Auto,
            cwd: None,
            environment: Environment::default(),
            stdin: Stdin::Empty,
            approved: false,
            limits: Limits::default(),
            merge_stderr: false,
            deadline: None,
            grace: Duration::from_secs(2),
            on_exit: OnExit::Kill,
            name: None,
            tap: None,
            meter: None,
        }
    }
}

/// A piece of output on its way to a tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Which stream.
    pub stream: StreamName,
    /// The bytes as they were written.
    pub bytes: Vec<u8>,
}

/// One of the two output streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamName {
    /// File descriptor 1.
    Stdout,
    /// File descriptor 2.
    Stderr,
}

/// What becomes of processes that outlive the leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnExit {
    /// They are ended: asked, then forced after the grace.
    Kill,
    /// They live on as a job, under the same deadline.
    Linger,
}

/// What a command gets to read.
#[derive(Debug, Default)]
pub enum Stdin {
    /// `/dev/null`.
    #[default]
    Empty,
    /// These bytes, then end of file.
    Bytes(Vec<u8>),
    /// These bytes, then whatever is written to the job, until that is closed.
    Open(Vec<u8>),
    /// An open file, handed over as it is.
    File(OwnedFd),
}
