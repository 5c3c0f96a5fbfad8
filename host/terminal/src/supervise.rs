//! The supervision of one command: a task that lives as long as anything of the command does.
//!
//! Everything that can happen to a command is an event in one loop: its tree reports, somebody asks for something, time
//! runs out, bytes arrive. What it learns is published as [`Standing`]; who waits for what is not its business.

use std::future::pending;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::audit::End;
use crate::command::{OnExit, Piece};
use crate::ending::{Judge, Known};
use crate::jobs::{Ask, Facts, Jobs, Standing, State};
use crate::outcome::{EndedBy, ExecError, Exit};
use crate::process::{Event, ExitKind, Signal, Survivor, Tree};
use crate::pump::Pumps;

/// Longest wait for the output of processes that outlive the leader, so that `cmd | tee` and `> >(tee)` finish.
const DRAIN: Duration = Duration::from_millis(100);
/// What the kernel gets beyond the grace to end processes that have been forced, before the caller is let go.
pub(crate) const FORCING: Duration = Duration::from_secs(1);
/// How long the owner of a tree may take to list what lives in it.
const LISTING: Duration = Duration::from_millis(200);

/// What a supervision begins with.
pub(crate) struct Beginning {
    pub(crate) facts: Arc<Facts>,
    pub(crate) tree: Tree,
    pub(crate) pumps: Pumps,
    pub(crate) standing: watch::Sender<Standing>,
    pub(crate) asks: mpsc::UnboundedReceiver<Ask>,
    pub(crate) judge: Judge,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) on_exit: OnExit,
    /// Closed when nobody takes the output any more.
    pub(crate) tap: Option<mpsc::Sender<Piece>>,
    /// The command text, as long as the shell may still have to open it.
    pub(crate) script: Option<OwnedFd>,
}

/// A running command.
pub(crate) struct Supervision {
    facts: Arc<Facts>,
    tree: Tree,
    pumps: Pumps,
    standing: watch::Sender<Standing>,
    asks: mpsc::UnboundedReceiver<Ask>,
    judge: Judge,
    jobs: Arc<Jobs>,
    on_exit: OnExit,
    tap: Option<mpsc::Sender<Piece>>,
    script: Option<OwnedFd>,
    /// How the leader ended, and when.
    exit: Option<(Exit, Instant)>,
    /// Nothing of the tree is alive, or nobody is left who could say so.
    is_over: bool,
    /// What lies in the pipes is everything that the leader wrote, and is to be read before anything is told.
    is_draining: bool,
    /// When the survivors will be told, if they do not end before.
    settle_at: Option<Instant>,
    /// When they will be told without an answer to who they are.
    listing_until: Option<Instant>,
    /// When the tree will end for want of time.
    deadline: Option<Instant>,
    /// When it is given up.
    give_up_at: Option<Instant>,
    /// Who wants to know who is alive.
    curious: Vec<oneshot::Sender<Vec<Survivor>>>,
}

/// What can happen to a command.
#[derive(Debug)]
enum Happening {
    Tree(Event),
    Asked(Ask),
    Drained,
    GivenUp,
    TimeOver,
    DrainOver,
    ListingOver,
    NoReader,
    /// A piece of output was read; whether there is much more.
    Moved {
        much: bool,
    },
}

impl Supervision {
    pub(crate) fn new(beginning: Beginning) -> Self {
        let Beginning {
            facts,
            tree,
            pumps,
            standing,
            asks,
            judge,
            jobs,
            on_exit,
            tap,
            script,
        } = beginning;
        let deadline = facts.deadline;
        Self {
            facts,
            tree,
            pumps,
            standing,
            asks,
            judge,
            jobs,
            on_exit,
            tap,
            script,
            exit: None,
            is_over: false,
            is_draining: false,
            settle_at: None,
            listing_until: None,
            deadline,
            give_up_at: None,
            curious: Vec::new(),
        }
    }

    /// Lives until nothing of the command does.
    pub(crate) async fn run(mut self) {
        while !self.standing.borrow().has_ended() {
            match self.next().await {
                Happening::Tree(event) => self.learn(event),
                Happening::Asked(ask) => self.answer(ask),
                Happening::Drained => self.drained().await,
                Happening::GivenUp => self.give_up().await,
                Happening::TimeOver => {
                    self.deadline = None;
                    self.end(EndedBy::Deadline, self.facts.grace);
                }
                Happening::DrainOver => self.list_survivors(),
                Happening::ListingOver => self.settle(Vec::new()),
                Happening::NoReader => {
                    self.tap = None;
                    self.end(EndedBy::NoReader, self.facts.grace);
                }
                // Others have work too, and a command that prints without pause is always ready.
                Happening::Moved { much: true } => tokio::task::yield_now().await,
                Happening::Moved { much: false } => self.moved(),
            }
        }
        self.jobs.ended(self.facts.id);
    }

    async fn next(&mut self) -> Happening {
        let is_over = self.is_over;
        tokio::select! {
            biased;
            event = self.tree.event(), if !is_over => Happening::Tree(event),
            Some(ask) = self.asks.recv() => Happening::Asked(ask),
            () = until(self.give_up_at) => Happening::GivenUp,
            () = until(self.deadline) => Happening::TimeOver,
            () = until(self.settle_at) => Happening::DrainOver,
            () = until(self.listing_until) => Happening::ListingOver,
            () = closed(self.tap.as_ref()) => Happening::NoReader,
            moved = self.pumps.work(self.is_draining) => moved,
        }
    }

    fn learn(&mut self, event: Event) {
        match event {
            Event::Started { leader, .. } => self.standing.send_modify(|it| {
                it.state = State::Running;
                it.pid = Some(leader);
            }),
            Event::Stopped { signal } => self.standing.send_modify(|it| {
                it.state = State::Stopped(signal);
            }),
            Event::Continued => self.standing.send_modify(|it| it.state = State::Running),
            Event::Failed(error) => {
                self.pumps.close();
                let failure = ExecError::Spawn(error.clone());
                self.judge.tell(&self.facts.judged, End::NotRun(&failure));
                self.standing.send_modify(|it| {
                    it.failure = Some(error);
                    it.state = State::Ended;
                    it.settled = true;
                });
            }
            Event::Exited(exit) => {
                let exit = match exit.kind() {
                    ExitKind::Code(code) => Exit::Code(code),
                    ExitKind::Signal { number, .. } => Exit::Signal(number),
                };
                self.exit = Some((exit, Instant::now()));
                self.script = None;
                self.pumps.end_feed();
                self.is_draining = true;
            }
            Event::Empty { forced } => {
                self.is_over = true;
                self.is_draining = true;
                self.standing.send_modify(|it| it.forced = forced);
            }
            Event::Lost => {
                self.is_over = true;
                self.is_draining = true;
                self.standing.send_modify(|it| it.lost = true);
            }
            Event::Survivors { listed, .. } => {
                for curious in self.curious.drain(..) {
                    // Whoever does not wait any more does not need it.
                    let _ = curious.send(listed.clone());
                }
                if self.listing_until.is_some() {
                    self.settle(listed);
                }
            }
        }
    }

    fn answer(&mut self, ask: Ask) {
        match ask {
            Ask::End { by, grace } => self.end(by, grace),
            Ask::Kill { by } => {
                self.note_reason(by);
                self.force();
            }
            Ask::Signal(signal) => {
                self.tree.signal(signal);
                self.standing
                    .send_modify(|it| it.note_sent(signal.number()));
            }
            Ask::Survivors(curious) => {
                self.curious.push(curious);
                self.tree.ask_survivors();
            }
        }
    }

    /// Asks the tree to end, once. Who asks for it again is out of patience.
    fn end(&mut self, by: EndedBy, grace: Duration) {
        self.note_reason(by);
        if !self.is_ending() {
            self.stop(grace);
        } else if by == EndedBy::Request {
            self.force();
        }
    }

    fn force(&mut self) {
        self.tree.kill();
        self.is_on_its_way_out(Duration::ZERO);
    }

    /// Notes why it is being ended; of several reasons the first counts.
    fn note_reason(&self, by: EndedBy) {
        let has_exited = self.exit.is_some();
        self.standing.send_modify(|it| {
            let reason = if has_exited {
                &mut it.rest_ended_by
            } else {
                &mut it.ended_by
            };
            reason.get_or_insert(by);
        });
    }

    fn stop(&mut self, grace: Duration) {
        self.tree.stop(grace);
        self.is_on_its_way_out(grace);
    }

    fn is_on_its_way_out(&mut self, grace: Duration) {
        self.standing.send_modify(|it| {
            it.is_ending = true;
            it.note_sent(Signal::Terminate.number());
            it.note_sent(libc::SIGKILL);
        });
        self.give_up_at = Some(Instant::now() + grace + FORCING);
        // Where the leader is ended, only its end counts, not how long its output stays open.
        self.settle_at = None;
    }

    fn is_ending(&self) -> bool {
        self.standing.borrow().is_ending
    }

    /// Everything that was written before the last event of the tree has been read.
    async fn drained(&mut self) {
        self.is_draining = false;
        self.judge_ending().await;
        if self.is_over {
            self.pumps.close();
            self.standing.send_modify(|it| {
                it.state = State::Ended;
                it.settled = true;
            });
        } else if !self.pumps.is_open() && !self.is_ending() {
            self.list_survivors();
        } else if !self.is_ending()
            && let Some((_, exited_at)) = self.exit
        {
            self.settle_at = Some(exited_at + DRAIN);
        }
    }

    /// Nobody waits for output that has ended.
    fn moved(&mut self) {
        if self.settle_at.is_some() && !self.pumps.is_open() {
            self.list_survivors();
        }
    }

    /// Has the ending of the leader judged, once, and publishes it.
    async fn judge_ending(&mut self) {
        let standing = self.standing.borrow().clone();
        if standing.has_exited() {
            return;
        }
        let exited_at = self.exit.map_or_else(Instant::now, |(_, at)| at);
        let known = Known {
            exit: self.exit.map(|(exit, _)| exit),
            ended_by: standing.ended_by,
            runtime: exited_at - self.facts.started,
            lost: standing.lost,
        };
        let classification = self.judge.classify(&self.facts, known).await;
        self.standing.send_modify(|it| {
            it.exit = known.exit;
            it.exited_at = Some(exited_at);
            it.classification = Some(classification);
            if known.exit.is_some() {
                it.state = State::Lingering;
            }
        });
    }

    /// The tree outlived even force. Its caller is let go; it may still end.
    async fn give_up(&mut self) {
        self.give_up_at = None;
        self.standing.send_modify(|it| it.unkillable = true);
        self.judge_ending().await;
        self.list_survivors();
    }

    fn list_survivors(&mut self) {
        self.settle_at = None;
        if !self.standing.borrow().settled && self.listing_until.is_none() {
            self.tree.ask_survivors();
            self.listing_until = Some(Instant::now() + LISTING);
        }
    }

    /// Whoever waits for the command in the foreground can be told about it now.
    fn settle(&mut self, survivors: Vec<Survivor>) {
        self.listing_until = None;
        let output_open = self.pumps.is_open();
        self.standing.send_modify(|it| {
            it.survivors = survivors;
            it.output_open = output_open;
            it.settled = true;
        });
        if self.on_exit == OnExit::Kill && !self.is_ending() {
            self.stop(self.facts.grace);
        }
    }
}

impl Pumps {
    /// Moves a piece, or everything that lies in the pipes now.
    async fn work(&mut self, is_draining: bool) -> Happening {
        if is_draining {
            self.drain().await;
            return Happening::Drained;
        }
        let much = self.turn().await;
        Happening::Moved { much }
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
