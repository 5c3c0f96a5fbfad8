//! One command as everybody but its supervision sees it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout};

use super::id::JobId;
use super::standing::Standing;
use crate::outcome::{EndedBy, ExecError};
use crate::output::Retained;
use crate::policy::Judged;
use crate::process::{Pid, Signal, Survivor};
use crate::stdin::StdinQueue;

/// How long a list of survivors may take. Counting the processes of a whole machine takes a few milliseconds.
const LISTING: Duration = Duration::from_millis(200);

/// What was known when a job was started and does not change.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) id: JobId,
    pub(crate) name: String,
    pub(crate) judged: Arc<Judged>,
    pub(crate) merged: bool,
    pub(crate) started: Instant,
    pub(crate) started_at: SystemTime,
    pub(crate) deadline: Option<Instant>,
    pub(crate) grace: Duration,
    pub(crate) output: Retained,
    pub(crate) stdin: Option<Arc<StdinQueue>>,
    pub(crate) adopted: AtomicBool,
}

/// What can be asked of the supervision of a job.
#[derive(Debug)]
pub(crate) enum Ask {
    /// End it: asked first, forced after the grace.
    End { by: EndedBy, grace: Duration },
    /// End it by force.
    Kill { by: EndedBy },
    /// Send a signal to every process.
    Signal(Signal),
    /// Tell who is alive.
    Survivors(oneshot::Sender<Vec<Survivor>>),
}

/// Nothing of the job is alive any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the job has ended already")]
pub struct JobEnded;

/// A command, running or not. Clones are the same job; dropping all of them does not end it.
#[derive(Clone)]
pub struct Job {
    facts: Arc<Facts>,
    standing: watch::Receiver<Standing>,
    asks: mpsc::UnboundedSender<Ask>,
}

impl Job {
    pub(crate) fn new(
        facts: Facts,
        standing: watch::Receiver<Standing>,
        asks: mpsc::UnboundedSender<Ask>,
    ) -> Self {
        let facts = Arc::new(facts);
        Self {
            facts,
            standing,
            asks,
        }
    }

    pub(crate) fn facts(&self) -> Arc<Facts> {
        Arc::clone(&self.facts)
    }

    pub(crate) fn adopt(&self) {
        self.facts.adopted.store(true, Ordering::Relaxed);
    }

    /// Whether it began as a command that somebody waited for.
    pub fn is_adopted(&self) -> bool {
        self.facts.adopted.load(Ordering::Relaxed)
    }

    /// Its name in the table.
    pub fn id(&self) -> JobId {
        self.facts.id
    }

    /// Its name for people.
    pub fn name(&self) -> &str {
        &self.facts.name
    }

    /// The command text.
    pub fn command(&self) -> &str {
        &self.facts.judged.request.command
    }

    /// What was asked for, who judged it, what was planned and found.
    pub fn judged(&self) -> &Arc<Judged> {
        &self.facts.judged
    }

    /// Whether its stderr goes into its stdout.
    pub fn is_merged(&self) -> bool {
        self.facts.merged
    }

    /// When it was started.
    pub fn started(&self) -> Instant {
        self.facts.started
    }

    /// When it was started, for people.
    pub fn started_at(&self) -> SystemTime {
        self.facts.started_at
    }

    /// When its tree will be ended.
    pub fn deadline(&self) -> Option<Instant> {
        self.facts.deadline
    }

    /// What it has printed.
    pub fn output(&self) -> &Retained {
        &self.facts.output
    }

    /// Its standard input, if it has one that can be written to.
    pub fn stdin(&self) -> Option<&StdinQueue> {
        self.facts.stdin.as_deref()
    }

    /// How it stands now.
    pub fn standing(&self) -> Standing {
        self.standing.borrow().clone()
    }

    /// From the start to the leader's exit, or until now.
    pub fn runtime(&self) -> Duration {
        let until = self
            .standing
            .borrow()
            .exited_at
            .unwrap_or_else(Instant::now);
        until.saturating_duration_since(self.facts.started)
    }

    /// Waits until the leader runs.
    ///
    /// # Errors
    /// Where it did not come to run. Nothing is left then.
    pub async fn running(&self) -> Result<Pid, ExecError> {
        let standing = self
            .until(|standing| standing.pid.is_some() || standing.has_exited())
            .await;
        match standing {
            Standing { pid: Some(pid), .. } => Ok(pid),
            Standing {
                failure: Some(failure),
                ..
            } => Err(failure.into()),
            _ => Err(ExecError::KeeperLost),
        }
    }

    /// Waits until the leader has exited, what it wrote has been read, and its ending has been judged; or until it was given
    /// up. Says nothing about processes that outlive it.
    pub async fn exited(&self) -> Standing {
        self.until(Standing::has_exited).await
    }

    /// Waits until nothing of it is alive.
    pub async fn ended(&self) -> Standing {
        self.until(Standing::has_ended).await
    }

    /// Waits until the caller of a foreground command can be told about it.
    pub(crate) async fn settled(&self) -> Standing {
        self.until(|standing| standing.settled).await
    }

    /// The processes that are alive, at most 64. What was known last where nobody answers in time.
    pub async fn survivors(&self) -> Vec<Survivor> {
        if self.standing.borrow().has_ended() {
            return Vec::new();
        }
        let (answer, listed) = oneshot::channel();
        let _ = self.asks.send(Ask::Survivors(answer));
        match timeout(LISTING, listed).await {
            Ok(Ok(listed)) => listed,
            _ if self.standing.borrow().has_ended() => Vec::new(),
            _ => self.standing.borrow().survivors.clone(),
        }
    }

    /// Sends a signal to every process of the tree.
    ///
    /// # Errors
    /// Where none is alive.
    pub fn signal(&self, signal: Signal) -> Result<(), JobEnded> {
        self.ask(Ask::Signal(signal))
    }

    /// Ends the tree: asked first, forced after the grace; `None` = that of the command. Where it is being ended already, a
    /// request of somebody forces it, and every other reason changes nothing.
    ///
    /// # Errors
    /// Where nothing is alive.
    pub fn end(&self, by: EndedBy, grace: Option<Duration>) -> Result<(), JobEnded> {
        let grace = grace.unwrap_or(self.facts.grace);
        self.ask(Ask::End { by, grace })
    }

    /// Ends the tree by force.
    ///
    /// # Errors
    /// Where nothing is alive.
    pub fn kill(&self, by: EndedBy) -> Result<(), JobEnded> {
        self.ask(Ask::Kill { by })
    }

    fn ask(&self, ask: Ask) -> Result<(), JobEnded> {
        if self.standing.borrow().has_ended() {
            return Err(JobEnded);
        }
        self.asks.send(ask).map_err(|_| JobEnded)
    }

    async fn until(&self, reached: impl Fn(&Standing) -> bool) -> Standing {
        let mut standing = self.standing.clone();
        let found = standing.wait_for(|standing| reached(standing)).await;
        match found.map(|found| found.clone()) {
            Ok(found) => found,
            // The supervision was dropped with its runtime; nobody can be waiting for the truth.
            Err(_) => std::future::pending().await,
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("id", &self.facts.id)
            .field("command", &self.facts.judged.request.command)
            .field("state", &self.standing.borrow().state)
            .finish_non_exhaustive()
    }
}
