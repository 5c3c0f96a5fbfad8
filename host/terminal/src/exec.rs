//! Running commands: check, judge, spawn, supervise.

use std::borrow::Cow;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, timeout};
use tokio_util::task::TaskTracker;

use crate::audit::{Audit, End};
use crate::check::check;
use crate::command::{Command, MAX_GRACE, Stdin, StreamName};
use crate::ending::Judge;
use crate::foreground::Foreground;
use crate::jobs::{Facts, Job, JobLimits, Jobs, Slot, Standing};
use crate::outcome::{ExecError, Outcome};
use crate::output::{Capacity, HandleLimits, Handles, Retained, SpillSpace, Stream};
use crate::policy::{Judged, Policy, Request, Shell};
use crate::process::{self, Spawn, SpawnError, Warden};
use crate::pump::{Pump, Pumps};
use crate::script::{self, HandedOver};
use crate::shells;
use crate::stdin::{Feed, StdinQueue};
use crate::supervise::{Beginning, FORCING, Supervision};

/// How much a terminal keeps, and where, and who is told.
#[derive(Clone)]
pub struct Settings {
    /// What is kept of each stream.
    pub capacity: Capacity,
    /// What is kept of finished commands.
    pub handles: HandleLimits,
    /// How many jobs there may be, and what is kept of finished ones.
    pub jobs: JobLimits,
    /// Folder for output that outgrows memory; files in it have no name. None = keep nothing on disk.
    pub spill_folder: Option<PathBuf>,
    /// Disk space of all streams together, in bytes.
    pub spill_bytes: u64,
    /// Who is told of every command.
    pub audit: Option<Arc<dyn Audit>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            capacity: Capacity::default(),
            handles: HandleLimits::default(),
            jobs: JobLimits::default(),
            spill_folder: Some(std::env::temp_dir()),
            spill_bytes: SpillSpace::DEFAULT_QUOTA_BYTES,
            audit: None,
        }
    }
}

/// Runs commands under one policy. Dropping it ends everything that it still runs.
pub struct Terminal {
    warden: Warden,
    judge: RwLock<Judge>,
    audit: Option<Arc<dyn Audit>>,
    shells: Arc<[Shell]>,
    capacity: Capacity,
    spill: Option<Arc<SpillSpace>>,
    handles: Handles,
    jobs: Arc<Jobs>,
    supervisions: TaskTracker,
}

/// How long a command may keep its caller waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Time from the start after which it goes on as a job; none = never.
    pub promote_after: Option<Duration>,
    /// Time from the start after which it is ended where it can neither end nor become a job.
    pub at_most: Duration,
}

/// What the caller of a foreground command gets.
#[derive(Debug)]
pub enum Reply {
    /// What became of it.
    Ended(Box<Outcome>),
    /// It goes on as a job.
    Promoted(Job),
}

/// Where a command runs.
struct Place {
    path: PathBuf,
    directory: OwnedFd,
}

impl Place {
    fn of(command: &Command) -> Result<Self, ExecError> {
        let path = match &command.cwd {
            Some(path) => path.clone(),
            None => std::env::current_dir().map_err(|error| ExecError::Invalid {
                field: "cwd",
                problem: format!("none was given and the terminal's own cannot be used: {error}"),
            })?,
        };
        let directory = process::open_cwd(&path).map_err(|error| match error {
            SpawnError::ResourceExhausted { .. } => error.into(),
            _ => ExecError::Invalid {
                field: "cwd",
                problem: error.to_string(),
            },
        })?;
        Ok(Self { path, directory })
    }
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
            judge: RwLock::new(Judge::new(policy, settings.audit.clone())),
            audit: settings.audit,
            shells: shells::discover(),
            capacity: settings.capacity,
            spill: settings
                .spill_folder
                .map(|folder| Arc::new(SpillSpace::new(folder, settings.spill_bytes))),
            handles: Handles::new(settings.handles)?,
            jobs: Jobs::new(settings.jobs)?,
            supervisions: TaskTracker::new(),
        })
    }

    /// Lets another policy judge from the next command on. Commands that were reviewed before keep the one that did.
    pub fn set_policy(&self, policy: Arc<dyn Policy>) {
        let judge = Judge::new(policy, self.audit.clone());
        *self.judge.write().unwrap_or_else(PoisonError::into_inner) = judge;
    }

    /// The policy that judges the next command.
    pub fn policy(&self) -> Arc<dyn Policy> {
        self.judge().policy
    }

    fn judge(&self) -> Judge {
        self.judge
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Outputs that are kept for later.
    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// Commands that nobody waits for.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// Takes no more commands, ends all that run, and returns when they have ended. Takes no longer than the longest grace
    /// and a second.
    pub async fn shut_down(&self) {
        self.jobs.close();
        self.supervisions.close();
        let _ = timeout(MAX_GRACE + FORCING, self.supervisions.wait()).await;
    }

    /// Runs a command and returns when its leader has exited and its output has been read. Processes that outlive the
    /// leader are told as survivors and ended. Dropping the future ends the whole tree: asked first, then forced.
    ///
    /// # Errors
    /// [`ExecError`] says why nothing was run.
    pub async fn exec(&self, command: Command) -> Result<Outcome, ExecError> {
        self.foreground(command).await?.outcome().await
    }

    /// Starts a command that somebody will wait for. Dropping what is returned ends it.
    ///
    /// # Errors
    /// [`ExecError`] says why nothing was started. That the program itself cannot be started is told by
    /// [`Foreground::outcome`].
    pub async fn foreground(&self, command: Command) -> Result<Foreground, ExecError> {
        let job = self.begin(command, None).await?;
        Ok(Foreground::new(job, Arc::clone(&self.jobs)))
    }

    /// Runs a command like [`Terminal::exec`], but no longer than the patience of its caller: it then goes on as a job.
    /// Survivors of a command with [`crate::OnExit::Linger`] live on as a job too. Where there is no room for another job,
    /// it stays in the foreground until there is, and is ended at the end of all patience.
    ///
    /// # Errors
    /// As [`Terminal::exec`].
    pub async fn exec_within(
        &self,
        command: Command,
        patience: Patience,
    ) -> Result<Reply, ExecError> {
        self.foreground(command).await?.within(patience).await
    }

    /// Starts a command as a job and returns when its leader runs. Dropping the future before that ends it.
    ///
    /// # Errors
    /// [`ExecError`] says why nothing was started.
    pub async fn start(&self, command: Command) -> Result<Job, ExecError> {
        let slot = self.jobs.reserve()?;
        let job = self.begin(command, Some(slot)).await?;
        let starting = Foreground::new(job, Arc::clone(&self.jobs));
        starting.job().running().await?;
        Ok(starting.let_go())
    }

    /// Checks a command, has it judged, and starts it.
    async fn begin(&self, command: Command, slot: Option<Slot>) -> Result<Job, ExecError> {
        check(&command)?;
        let place = Place::of(&command)?;
        let judge = self.judge();
        let request = Request {
            command: command.text.clone(),
            shell: command.shell.clone(),
            os: Cow::Borrowed(std::env::consts::OS),
            shells: Arc::clone(&self.shells),
            cwd: place.path.to_string_lossy().into_owned(),
        };
        let judged = judge.review(request, command.approved).await?;
        self.spawn(command, &judged, &judge, place, slot)
            .inspect_err(|error| judge.tell(&judged, End::NotRun(error)))
    }

    /// Prepares everything that can fail here, enters the command among the jobs, then asks the warden.
    fn spawn(
        &self,
        command: Command,
        judged: &Arc<Judged>,
        judge: &Judge,
        place: Place,
        slot: Option<Slot>,
    ) -> Result<Job, ExecError> {
        let env = command.environment.build();
        let child_path = env
            .iter()
            .find(|(name, _)| name == "PATH")
            .map(|(_, value)| value.as_os_str());
        let HandedOver { argv, file: script } =
            script::hand_over(&judged.review.invocation).map_err(exhausted("memory files"))?;
        let name = argv.first().ok_or(SpawnError::EmptyArgv)?;
        let program = process::resolve(name, child_path, &place.path)?;

        let stream = || Arc::new(Stream::new(self.capacity, self.spill.clone()));
        let output = Retained {
            stdout: stream(),
            stderr: stream(),
        };
        let pump = |name, pipe, stream: &Arc<Stream>| {
            let (tap, meter) = (command.tap.clone(), command.meter.clone());
            Pump::new(name, pipe, Arc::clone(stream), tap, meter).map_err(exhausted("event slots"))
        };
        let (pipe, stdout) = process::from_child().map_err(exhausted("file descriptors"))?;
        let stdout_pump = pump(StreamName::Stdout, pipe, &output.stdout)?;
        let (stderr_pump, stderr) = if command.merge_stderr {
            output.stderr.close();
            (
                None,
                stdout.try_clone().map_err(exhausted("file descriptors"))?,
            )
        } else {
            let (pipe, stderr) = process::from_child().map_err(exhausted("file descriptors"))?;
            let pump = pump(StreamName::Stderr, pipe, &output.stderr)?;
            (Some(pump), stderr)
        };
        let Input { queue, feed, stdin } = Input::prepare(command.stdin)?;

        let started = Instant::now();
        let (standing, watched) = watch::channel(Standing::new());
        let (asks, asked) = mpsc::unbounded_channel();
        let name = command.name.unwrap_or_else(|| first_word(&command.text));
        let facts = Facts {
            id: self.jobs.draw_id().map_err(exhausted("random bytes"))?,
            name,
            judged: Arc::clone(judged),
            merged: command.merge_stderr,
            started,
            started_at: SystemTime::now(),
            deadline: command.deadline.map(|deadline| started + deadline),
            grace: command.grace,
            output,
            stdin: queue,
            adopted: AtomicBool::new(false),
        };
        let job = Job::new(facts, watched, asks);
        self.jobs.enter(job.clone(), slot)?;
        let tree = self
            .warden
            .spawn(Spawn {
                program,
                argv,
                env,
                cwd: place.directory,
                stdin,
                stdout,
                stderr,
                limits: command.limits,
            })
            .inspect_err(|_| self.jobs.forget(job.id()))?;
        let supervision = Supervision::new(Beginning {
            facts: job.facts(),
            tree,
            pumps: Pumps::new(stdout_pump, stderr_pump, feed),
            standing,
            asks: asked,
            judge: judge.clone(),
            jobs: Arc::clone(&self.jobs),
            on_exit: command.on_exit,
            tap: command.tap,
            script,
        });
        self.supervisions.spawn(supervision.run());
        Ok(job)
    }
}

/// A command's standard input, from both sides.
struct Input {
    queue: Option<Arc<StdinQueue>>,
    feed: Option<Feed>,
    stdin: OwnedFd,
}

impl Input {
    fn prepare(stdin: Stdin) -> Result<Self, ExecError> {
        let (first, stays_open) = match stdin {
            Stdin::Empty => {
                return Ok(Self::given(
                    process::null().map_err(exhausted("file descriptors"))?,
                ));
            }
            Stdin::File(file) => return Ok(Self::given(file)),
            Stdin::Bytes(bytes) => (bytes, false),
            Stdin::Open(bytes) => (bytes, true),
        };
        let (pipe, stdin) = process::to_child().map_err(exhausted("file descriptors"))?;
        let queue = Arc::new(StdinQueue::new(first, stays_open));
        let feed = Feed::new(pipe, Arc::clone(&queue)).map_err(exhausted("event slots"))?;
        Ok(Self {
            queue: Some(queue),
            feed: Some(feed),
            stdin,
        })
    }

    fn given(stdin: OwnedFd) -> Self {
        Self {
            queue: None,
            feed: None,
            stdin,
        }
    }
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().into()
}

fn exhausted(what: &'static str) -> impl Fn(io::Error) -> ExecError {
    move |source| ExecError::Exhausted { what, source }
}
