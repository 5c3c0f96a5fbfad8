//! One command's tree of processes as the server sees it.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

use nix::errno::Errno;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::diagnose::diagnose;
use super::wire::{MAX_REPORT_BYTES, Order, Plain, Report, SurvivorRecord, order, report};
use super::{Exit, Pid, Signal, SpawnError, Step};

/// The owned processes of one command. Dropping it ends all of them by SIGKILL.
#[derive(Debug)]
pub struct Tree {
    control: AsyncFd<OwnedFd>,
    /// What is needed to explain a failed start; given up once it started.
    start: Option<Start>,
    pending: VecDeque<Event>,
    over: Option<Event>,
}

#[derive(Debug)]
pub(super) struct Start {
    pub program: PathBuf,
    pub cwd: OwnedFd,
}

/// What happens to a tree, in the order [`Event::Started`], [`Event::Exited`], [`Event::Empty`],
/// with stops of the leader and answers to [`Tree::ask_survivors`] in between; or [`Event::Failed`] alone; and at any time
/// [`Event::Lost`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The program runs.
    Started {
        /// The process that runs it.
        leader: Pid,
        /// The process that owns the tree.
        keeper: Pid,
    },
    /// The program did not come to run, and nothing is left. The last event.
    Failed(SpawnError),
    /// The leader was stopped by this signal and waits to be continued.
    Stopped {
        /// SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU, by its number.
        signal: i32,
    },
    /// The leader was continued.
    Continued,
    /// The leader ended. Others may be alive.
    Exited(Exit),
    /// What was alive when [`Tree::ask_survivors`] was answered.
    Survivors {
        /// Some of them, at most 64.
        listed: Vec<Survivor>,
        /// How many there were.
        total: usize,
    },
    /// Nothing of the tree is left; the kernel said so. The last event.
    Empty {
        /// Whether SIGKILL was needed.
        forced: bool,
    },
    /// The keeper was killed by somebody. The warden kills what it kept, but nobody is left to
    /// prove it. The last event.
    Lost,
}

/// A living process of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survivor {
    /// Its process id.
    pub pid: Pid,
    /// The beginning of its command line, at most 120 bytes.
    pub command: String,
    /// Whether it has the standard output or standard error of the command open.
    pub holds_output: bool,
}

impl Tree {
    pub(super) fn new(control: OwnedFd) -> io::Result<Self> {
        // SAFETY: the descriptor is owned, and stays the same until the tree is dropped.
        let control = unsafe { AsyncFd::register_with_interest(control, Interest::READABLE) }?;
        Ok(Self {
            control,
            start: None,
            pending: VecDeque::new(),
            over: None,
        })
    }

    pub(super) fn with_start(self, start: Start) -> Self {
        Self {
            start: Some(start),
            ..self
        }
    }

    /// Waits for the next event. After the last one it gives that again.
    ///
    /// Cancel-safe: an event is taken only when it is returned.
    pub async fn event(&mut self) -> Event {
        loop {
            if let Some(event) = self.pending.pop_front() {
                if matches!(event, Event::Failed(_) | Event::Empty { .. } | Event::Lost) {
                    self.over = Some(event.clone());
                }
                return event;
            }
            if let Some(last) = &self.over {
                return last.clone();
            }
            let received = self
                .control
                .async_io(Interest::READABLE, receive)
                .await
                .unwrap_or_default();
            self.take(&received);
        }
    }

    /// Asks every process to end: SIGTERM, then SIGCONT. Whatever is alive after `grace` gets
    /// SIGKILL. The result comes as events. Of several calls the first counts; see [`Tree::kill`]
    /// for impatience.
    pub fn stop(&self, grace: Duration) {
        let grace_ms = grace.as_millis().try_into().unwrap_or(u32::MAX);
        self.give(Order {
            kind: order::STOP,
            argument: grace_ms,
        });
    }

    /// Ends every process by SIGKILL now, also during a grace.
    pub fn kill(&self) {
        self.give(Order {
            kind: order::KILL,
            argument: 0,
        });
    }

    /// Sends a signal to every process once, whatever group or session it moved to.
    pub fn signal(&self, signal: Signal) {
        self.give(Order {
            kind: order::SIGNAL,
            argument: signal.number().unsigned_abs(),
        });
    }

    /// Asks who is alive; [`Event::Survivors`] answers, unless the last event comes first.
    pub fn ask_survivors(&self) {
        self.give(Order {
            kind: order::SURVIVORS,
            argument: 0,
        });
    }

    /// A failed order means that the keeper is gone, and an event says so.
    fn give(&self, given: Order) {
        let bytes = given.as_bytes();
        // SAFETY: the slice is valid for its length.
        unsafe {
            libc::send(
                self.control.as_raw_fd(),
                bytes.as_ptr().cast(),
                bytes.len(),
                libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT,
            )
        };
    }

    /// Turns a packet into events. An empty one means that the keeper closed the socket.
    fn take(&mut self, packet: &[u8]) {
        let Some(head) = Report::read_from(packet) else {
            self.pending.push_back(Event::Lost);
            return;
        };
        let leader = Pid::new(head.leader);
        let event = match head.kind {
            report::STARTED => {
                self.start = None;
                Some(Event::Started {
                    leader,
                    keeper: Pid::new(head.keeper),
                })
            }
            report::FAILED => Some(Event::Failed(self.explain(&head))),
            report::EXITED => Some(Event::Exited(Exit::new(head.status, head.usage))),
            report::PAUSED if libc::WIFSTOPPED(head.status) => Some(Event::Stopped {
                signal: libc::WSTOPSIG(head.status),
            }),
            report::PAUSED => Some(Event::Continued),
            report::SURVIVORS => Some(Event::Survivors {
                listed: survivors(packet.get(size_of::<Report>()..).unwrap_or(&[])),
                total: usize::try_from(head.total).unwrap_or(usize::MAX),
            }),
            _ => None,
        };
        self.pending.extend(event);
        if head.empty != 0 && head.kind != report::FAILED {
            self.pending.push_back(Event::Empty {
                forced: head.forced != 0,
            });
        }
    }

    fn explain(&mut self, head: &Report) -> SpawnError {
        let step = Step::from_number(head.step).unwrap_or(Step::Request);
        let errno = Errno::from_raw(head.errno);
        match self.start.take() {
            Some(start) => diagnose(step, errno, &start.program, &start.cwd),
            None => SpawnError::at(step, errno),
        }
    }
}

fn receive(control: &OwnedFd) -> io::Result<Vec<u8>> {
    let mut buffer = [0_u8; MAX_REPORT_BYTES];
    loop {
        // SAFETY: the array is valid for its length.
        let bytes = unsafe {
            libc::recv(
                control.as_raw_fd(),
                buffer.as_mut_ptr().cast(),
                buffer.len(),
                libc::MSG_DONTWAIT,
            )
        };
        match (usize::try_from(bytes), Errno::last()) {
            (Ok(bytes), _) => return Ok(buffer.get(..bytes).unwrap_or(&[]).to_vec()),
            // The keeper ended with an order unread. The kernel says so once, before the packets
            // that still wait.
            (Err(_), Errno::ECONNRESET | Errno::EINTR) => {}
            (Err(_), errno) => return Err(errno.into()),
        }
    }
}

fn survivors(records: &[u8]) -> Vec<Survivor> {
    records
        .chunks_exact(size_of::<SurvivorRecord>())
        .filter_map(SurvivorRecord::read_from)
        .map(|record| {
            let command = record
                .command
                .get(..record.command_bytes as usize)
                .unwrap_or(&[]);
            Survivor {
                pid: Pid::new(record.pid),
                command: String::from_utf8_lossy(command).into_owned(),
                holds_output: record.holds_output != 0,
            }
        })
        .collect()
}
