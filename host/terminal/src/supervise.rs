//! A running command, from its start to the moment when its caller can be told the truth about it.
//!
//! Everything that can happen to it is an event in one loop: the tree reports, bytes arrive, time runs out. What the
//! caller waits for is the future of that loop; whoever holds it, holds the command.

use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::command::Piece;
use crate::outcome::{EndedBy, Exit};
use crate::output::Retained;
use crate::process::{Event, ExitKind, Pid, SpawnError, Survivor, Tree};
use crate::pump::{Feed, Pump};

/// Longest wait for the output of processes that outlive the leader, so that `cmd | tee` and `> >(tee)` finish.
const DRAIN: Duration = Duration::from_millis(100);
/// What the kernel gets beyond the grace to end processes that have been forced, before the caller is let go.
const FORCING: Duration = Duration::from_secs(1);
/// How long the owner of a tree may take to list what lives in it.
const LISTING: Duration = Duration::from_millis(200);

/// A running command.
pub(crate) struct Supervision {
    pub(crate) tree: OwnedTree,
    pub(crate) stdout: Pump,
    pub(crate) stderr: Pump,
    pub(crate) feed: Option<Feed>,
    pub(crate) output: Retained,
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Instant>,
    pub(crate) grace: Duration,
    pub(crate) stop: CancellationToken,
    pub(crate) tap: Option<mpsc::Sender<Piece>>,
}

/// What the loop found.
pub(crate) struct Ended {
    pub(crate) exit: Option<Exit>,
    pub(crate) leader: Option<Pid>,
    pub(crate) ended_by: Option<EndedBy>,
    /// The process that owned the tree was killed by somebody.
    pub(crate) lost: bool,
    pub(crate) forced: bool,
    pub(crate) survivors: Vec<Survivor>,
    pub(crate) output_open: bool,
    pub(crate) runtime: Duration,
    pub(crate) output: Retained,
}

/// What is known of the command so far.
#[derive(Default)]
struct Known {
    exit: Option<(Exit, Instant)>,
    leader: Option<Pid>,
    /// Nothing of the tree is alive; whether it had to be forced.
    empty: Option<bool>,
    lost: bool,
}

impl Supervision {
    /// Runs until the leader has exited and its output is read, or until it has been ended.
    ///
    /// # Errors
    /// Where the leader could not be started.
    pub(crate) async fn run(mut self) -> Result<Ended, SpawnError> {
        let mut known = Known::default();
        let mut ended_by = None;
        // When the caller is let go although the tree still lives.
        let mut release: Option<Instant> = None;
        while known.exit.is_none() && !known.lost {
            let runs = ended_by.is_none();
            let reason = tokio::select! {
                biased;
                event = self.tree.event() => {
                    known.learn(event)?;
                    continue;
                }
                () = until(release) => break,
                () = until(self.deadline), if runs => EndedBy::Deadline,
                () = self.stop.cancelled(), if runs => EndedBy::Request,
                () = closed(self.tap.as_ref()), if runs => EndedBy::NoReader,
                () = turn(&mut self.stdout, &mut self.stderr, &mut self.feed) => continue,
            };
            ended_by = Some(reason);
            self.tree.stop(self.grace);
            release = Some(Instant::now() + self.grace + FORCING);
        }
        let exited = known.exit.map_or_else(Instant::now, |(_, at)| at);
        self.drain(ended_by.is_none()).await;
        if known.empty.is_none() && !known.lost {
            let until = release.unwrap_or(exited + DRAIN);
            self.linger(&mut known, until, release.is_some()).await?;
        }
        let survivors = if known.empty.is_none() && !known.lost {
            self.survivors(&mut known).await?
        } else {
            Vec::new()
        };
        let output_open = (self.stdout.is_open() || self.stderr.is_open()) && known.empty.is_none();
        self.output.stdout.close();
        self.output.stderr.close();
        if known.empty.is_some() {
            self.tree.release();
        }
        Ok(Ended {
            exit: known.exit.map(|(exit, _)| exit),
            leader: known.leader,
            ended_by,
            lost: known.lost,
            forced: known.empty == Some(true),
            survivors,
            output_open,
            runtime: exited - self.started,
            output: self.output,
        })
    }

    /// Reads on while processes outlive the leader: until none does, until the output ends, or until time is up. Where the
    /// tree is being ended, only its end counts.
    async fn linger(
        &mut self,
        known: &mut Known,
        until_at: Instant,
        ending: bool,
    ) -> Result<(), SpawnError> {
        // The leader is gone, and with it whoever the input was for.
        self.feed = None;
        while known.empty.is_none() && !known.lost {
            let open = self.stdout.is_open() || self.stderr.is_open();
            if !ending && !open {
                break;
            }
            tokio::select! {
                biased;
                event = self.tree.event() => known.learn(event)?,
                () = sleep_until(until_at) => break,
                () = turn(&mut self.stdout, &mut self.stderr, &mut self.feed) => {}
            }
        }
        // What was written before the last process ended lies in the pipes now.
        self.drain(!ending).await;
        Ok(())
    }

    /// Moves what lies in the pipes. A slow receiver of the tap may take its time over it; what outlived the leader still
    /// ends at the deadline, or when somebody asks for it.
    async fn drain(&mut self, runs: bool) {
        let mut runs = runs;
        let mut drained = pin!(async {
            self.stdout.drain().await;
            self.stderr.drain().await;
        });
        loop {
            tokio::select! {
                biased;
                () = &mut drained => return,
                () = until(self.deadline), if runs => {}
                () = self.stop.cancelled(), if runs => {}
            }
            runs = false;
            self.tree.stop(self.grace);
        }
    }

    /// Which processes live on. They are ended when the tree is dropped.
    async fn survivors(&mut self, known: &mut Known) -> Result<Vec<Survivor>, SpawnError> {
        self.tree.ask_survivors();
        let listed = timeout(LISTING, async {
            loop {
                match self.tree.event().await {
                    Event::Survivors { listed, .. } => return Ok(listed),
                    event => known.learn(event)?,
                }
                if known.empty.is_some() || known.lost {
                    return Ok(Vec::new());
                }
            }
        });
        listed.await.unwrap_or_else(|_| Ok(Vec::new()))
    }
}

impl Known {
    fn learn(&mut self, event: Event) -> Result<(), SpawnError> {
        match event {
            Event::Started { leader, .. } => self.leader = Some(leader),
            Event::Failed(error) => return Err(error),
            Event::Exited(exit) => {
                let exit = match exit.kind() {
                    ExitKind::Code(code) => Exit::Code(code),
                    ExitKind::Signal { number, .. } => Exit::Signal(number),
                };
                self.exit = Some((exit, Instant::now()));
            }
            Event::Empty { forced } => self.empty = Some(forced),
            Event::Lost => self.lost = true,
            Event::Survivors { .. } => {}
        }
        Ok(())
    }
}

/// A tree that is ended, asked first and then forced, when whoever waits for it goes away.
pub(crate) struct OwnedTree {
    tree: Option<Tree>,
    grace: Duration,
    closing: TaskTracker,
}

impl OwnedTree {
    /// `closing` counts the trees that are being ended with nobody waiting for them.
    pub(crate) fn new(tree: Tree, grace: Duration, closing: TaskTracker) -> Self {
        Self {
            tree: Some(tree),
            grace,
            closing,
        }
    }

    async fn event(&mut self) -> Event {
        match &mut self.tree {
            Some(tree) => tree.event().await,
            None => pending().await,
        }
    }

    fn stop(&self, grace: Duration) {
        if let Some(tree) = &self.tree {
            tree.stop(grace);
        }
    }

    fn ask_survivors(&self) {
        if let Some(tree) = &self.tree {
            tree.ask_survivors();
        }
    }

    /// Nothing of it is left.
    fn release(&mut self) {
        self.tree = None;
    }
}

impl Drop for OwnedTree {
    fn drop(&mut self) {
        let Some(mut tree) = self.tree.take() else {
            return;
        };
        // Without a runtime the tree is dropped here, which forces it at once.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let grace = self.grace;
        tree.stop(grace);
        let ended = async move {
            while !matches!(
                tree.event().await,
                Event::Empty { .. } | Event::Lost | Event::Failed(_)
            ) {}
        };
        self.closing.spawn_on(
            async move {
                let _ = timeout(grace + FORCING, ended).await;
            },
            &runtime,
        );
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}

async fn closed(tap: Option<&mpsc::Sender<Piece>>) {
    match tap {
        Some(tap) => tap.closed().await,
        None => pending().await,
    }
}

/// Moves a piece of whichever stream is ready; none has precedence.
async fn turn(stdout: &mut Pump, stderr: &mut Pump, feed: &mut Option<Feed>) {
    let feeding = async {
        match feed {
            Some(feed) if feed.is_open() => feed.turn().await,
            _ => pending().await,
        }
    };
    tokio::select! {
        () = stdout.turn(), if stdout.is_open() => {}
        () = stderr.turn(), if stderr.is_open() => {}
        () = feeding => {}
    }
}
