//! Running one command from beginning to end: check, judge, spawn, supervise, classify.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::command::{Command, MAX_COMMAND_BYTES, MAX_DEADLINE, MAX_GRACE, Stdin, StreamName};
use crate::outcome::{EndedBy, ExecError, Exit, Outcome};
use crate::output::{Capacity, HandleLimits, Handles, Retained, SpillSpace, Stream};
use crate::pace::Pace;
use crate::policy::{
    Classification, Ending, Invocation, Policy, PolicyFailure, Request, Shell, ShellChoice, Status,
    Verdict,
};
use crate::process::{self, Spawn, SpawnError, Warden};
use crate::pump::{Feed, Pump};
use crate::shells;
use crate::supervise::{Ended, OwnedTree, Supervision};

/// Bytes of stderr that a policy sees when it classifies an ending.
const STDERR_EXCERPT_BYTES: usize = 4 << 10;

/// How much a terminal keeps, and where.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What is kept of each stream.
    pub capacity: Capacity,
    /// What is kept of finished commands.
    pub handles: HandleLimits,
    /// Folder for output that outgrows memory; files in it have no name. None = keep nothing on disk.
    pub spill_folder: Option<PathBuf>,
    /// Disk space of all streams together, in bytes.
    pub spill_bytes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            capacity: Capacity::default(),
            handles: HandleLimits::default(),
            spill_folder: Some(std::env::temp_dir()),
            spill_bytes: SpillSpace::DEFAULT_QUOTA_BYTES,
        }
    }
}

/// Runs commands under one policy. Dropping it ends everything that it still runs.
pub struct Terminal {
    warden: Warden,
    policy: Arc<dyn Policy>,
    shells: Arc<[Shell]>,
    capacity: Capacity,
    spill: Option<Arc<SpillSpace>>,
    handles: Handles,
    closing: TaskTracker,
    pace: Pace,
}

impl Terminal {
    /// A terminal over a warden. The warden is best started as the first thing in a program: it is a fork of the process
    /// as it is then.
    ///
    /// # Errors
    /// Where the random source for handles cannot be opened.
    pub fn new(warden: Warden, policy: Arc<dyn Policy>, settings: Settings) -> io::Result<Self> {
        Ok(Self {
            warden,
            policy,
            shells: shells::discover(),
            capacity: settings.capacity,
            spill: settings
                .spill_folder
                .map(|folder| Arc::new(SpillSpace::new(folder, settings.spill_bytes))),
            handles: Handles::new(settings.handles)?,
            closing: TaskTracker::new(),
            pace: Pace::default(),
        })
    }

    /// Outputs that are kept for later.
    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// Waits until the trees that nobody waits for any more have ended: those of dropped calls, and survivors. Takes no longer
    /// than their grace and a second. Without it, they are forced when the terminal is dropped.
    pub async fn settle(&self) {
        self.closing.close();
        self.closing.wait().await;
    }

    /// Runs a command and returns when its leader has exited and its output has been read. Processes that outlive the
    /// leader are told as survivors and ended. Dropping the future ends the whole tree: asked first, then forced.
    ///
    /// # Errors
    /// [`ExecError`] says why nothing was run.
    pub async fn exec(&self, command: Command) -> Result<Outcome, ExecError> {
        check(&command)?;
        let cwd_path = match &command.cwd {
            Some(path) => path.clone(),
            None => std::env::current_dir().map_err(|error| ExecError::Invalid {
                field: "cwd",
                problem: format!("none was given and the terminal's own cannot be used: {error}"),
            })?,
        };
        let cwd = process::open_cwd(&cwd_path).map_err(|error| ExecError::Invalid {
            field: "cwd",
            problem: error.to_string(),
        })?;
        let request = Request {
            command: command.text.clone(),
            shell: command.shell.clone(),
            shells: Arc::clone(&self.shells),
            cwd: cwd_path.to_string_lossy().into_owned(),
        };
        let policy = Arc::clone(&self.policy);
        let review = self.pace.ask(move || policy.review(&request)).await?;
        if let Verdict::Ask(reason) | Verdict::Refuse(reason) = review.verdict {
            let policy = self.policy.identity();
            return Err(ExecError::Refused {
                policy,
                reason,
                findings: review.findings,
            });
        }
        if command.stop.is_cancelled() {
            return Err(ExecError::Cancelled);
        }
        let text = command.text.clone();
        let supervision = self.start(command, &review.invocation, cwd, &cwd_path)?;
        let ended = supervision.run().await?;
        let classification = self.classify(text, &review.invocation, &ended).await;
        Ok(Outcome {
            exit: ended.exit,
            pid: ended.leader,
            ended_by: ended.ended_by,
            forced: ended.forced,
            survivors: ended.survivors,
            output_open: ended.output_open,
            classification,
            invocation: review.invocation,
            findings: review.findings,
            opaque: review.opaque,
            runtime: ended.runtime,
            output: ended.output,
        })
    }

    /// Prepares everything that can fail here, then asks the warden.
    fn start(
        &self,
        command: Command,
        invocation: &Invocation,
        cwd: std::os::fd::OwnedFd,
        cwd_path: &Path,
    ) -> Result<Supervision, ExecError> {
        let env = command.environment.build();
        let child_path = env
            .iter()
            .find(|(name, _)| name == "PATH")
            .map(|(_, value)| value.as_os_str());
        let argv: Vec<OsString> = invocation.argv.iter().map(Into::into).collect();
        let name = argv.first().ok_or(SpawnError::EmptyArgv)?;
        let program = process::resolve(name, child_path, cwd_path)?;

        let (stdout_pipe, stdout) = process::from_child().map_err(exhausted("pipes"))?;
        let (stderr_pipe, stderr) = process::from_child().map_err(exhausted("pipes"))?;
        let (feed, stdin) = match command.stdin {
            Stdin::Empty => (None, process::null().map_err(exhausted("descriptors"))?),
            Stdin::File(file) => (None, file),
            Stdin::Bytes(bytes) => {
                let (pipe, stdin) = process::to_child().map_err(exhausted("pipes"))?;
                (
                    Some(Feed::new(pipe, bytes).map_err(exhausted("event slots"))?),
                    stdin,
                )
            }
        };
        let stream = || Arc::new(Stream::new(self.capacity, self.spill.clone()));
        let output = Retained {
            stdout: stream(),
            stderr: stream(),
        };
        let pump = |name, pipe, stream: &Arc<Stream>| {
            Pump::new(
                name,
                pipe,
                Arc::clone(stream),
                command.tap.clone(),
                command.meter.clone(),
            )
            .map_err(exhausted("event slots"))
        };
        let stdout_pump = pump(StreamName::Stdout, stdout_pipe, &output.stdout)?;
        let stderr_pump = pump(StreamName::Stderr, stderr_pipe, &output.stderr)?;
        let started = Instant::now();
        let limits = command.limits;
        let tree = self.warden.spawn(Spawn {
            program,
            argv,
            env,
            cwd,
            stdin,
            stdout,
            stderr,
            limits,
        })?;
        Ok(Supervision {
            tree: OwnedTree::new(tree, command.grace, self.closing.clone()),
            stdout: stdout_pump,
            stderr: stderr_pump,
            feed,
            output,
            started,
            deadline: command.deadline.map(|deadline| started + deadline),
            grace: command.grace,
            stop: command.stop,
            tap: command.tap,
        })
    }

    /// Asks the policy what the ending means. The command has run by now, so a policy that breaks on it is told in the
    /// answer, and the status is what the bare facts say.
    async fn classify(
        &self,
        text: String,
        invocation: &Invocation,
        ended: &Ended,
    ) -> Classification {
        let stderr = ended
            .output
            .stderr
            .tail(STDERR_EXCERPT_BYTES)
            .map(|chunk| chunk.bytes);
        let (exit_code, signal) = match ended.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, u32::try_from(signal).ok()),
            None => {
                return Classification {
                    status: Status::Error,
                    message: Some(unknown_ending(ended).into()),
                    rule: "terminal.unknown-ending".into(),
                };
            }
        };
        let ending = Ending {
            exit_code,
            signal,
            timed_out: ended.ended_by == Some(EndedBy::Deadline),
            dialect: invocation.dialect,
            stderr_excerpt: String::from_utf8_lossy(&stderr.unwrap_or_default()).into_owned(),
        };
        let policy = Arc::clone(&self.policy);
        let answer = self
            .pace
            .ask(move || match policy.classify(&text, &ending) {
                Ok(classification) => classification,
                Err(failure) => bare_facts(&ending, &failure),
            });
        answer.await
    }
}

fn unknown_ending(ended: &Ended) -> &'static str {
    if ended.lost {
        "how it ended is not known: the process that owned it was killed"
    } else {
        "how it ended is not known: it could not be ended in time"
    }
}

/// What can be said without a policy.
fn bare_facts(ending: &Ending, failure: &PolicyFailure) -> Classification {
    let (status, fact) = match ending {
        Ending {
            timed_out: true, ..
        } => (Status::Error, "timed out".to_owned()),
        Ending {
            signal: Some(signal),
            ..
        } => (Status::Signal, format!("killed by signal {signal}")),
        Ending {
            exit_code: Some(0), ..
        } => (Status::Ok, "exit code 0".to_owned()),
        Ending { exit_code, .. } => (
            Status::Error,
            format!("failed with exit code {}", exit_code.unwrap_or(-1)),
        ),
    };
    let message = Some(format!("{fact}; not classified: {failure}"));
    Classification {
        status,
        message,
        rule: "terminal.policy-failed".into(),
    }
}

/// Refuses what cannot be meant, before anything is asked or spawned.
fn check(command: &Command) -> Result<(), ExecError> {
    let invalid = |field, problem: String| Err(ExecError::Invalid { field, problem });
    let text = command.text.len();
    if text > MAX_COMMAND_BYTES {
        return invalid(
            "command",
            format!(
                "{text} bytes are more than {MAX_COMMAND_BYTES}; pass a long script by stdin or as a file"
            ),
        );
    }
    if let ShellChoice::Named(name) = &command.shell
        && (name.trim().is_empty() || name.contains('\0'))
    {
        return invalid("shell", format!("{name:?} names no interpreter"));
    }
    if let Some(problem) = command.environment.problem() {
        return invalid("environment", problem);
    }
    if let Some(cwd) = &command.cwd
        && cwd.as_os_str().is_empty()
    {
        return invalid(
            "cwd",
            "is empty; leave it out for the default, or give a path".into(),
        );
    }
    let limits = [
        ("limits.cpu_sec", command.limits.cpu_sec),
        (
            "limits.address_space_bytes",
            command.limits.address_space_bytes,
        ),
        ("limits.file_size_bytes", command.limits.file_size_bytes),
        ("limits.open_files", command.limits.open_files),
    ];
    for (field, limit) in limits {
        if limit == Some(0) {
            return invalid(
                field,
                "0 would let nothing run; leave it out for no limit".into(),
            );
        }
    }
    for (field, value, max) in [
        (
            "deadline",
            command.deadline.unwrap_or_default(),
            MAX_DEADLINE,
        ),
        ("grace", command.grace, MAX_GRACE),
    ] {
        if value > max {
            let (value, max) = (value.as_secs_f64(), max.as_secs());
            return invalid(
                field,
                format!("{value} s is more than the {max} s that are allowed"),
            );
        }
    }
    Ok(())
}

fn exhausted(what: &'static str) -> impl Fn(io::Error) -> ExecError {
    move |source| ExecError::Exhausted { what, source }
}
