//! Moving bytes from a command's pipes to where they are kept, without ever waiting longer than there is work.

use std::cell::RefCell;
use std::future::pending;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nix::fcntl::{FcntlArg, fcntl};
use tokio::net::unix::pipe::Receiver;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::command::{Piece, StreamName};
use crate::output::Stream;
use crate::stdin::Feed;

/// Bytes per read(2): the size of a pipe. Smaller reads cost up to 45 % of the rate, larger pipes gain nothing.
const READ_BYTES: usize = 64 << 10;
/// Bytes read from one stream before others get their turn.
const TURN_BYTES: usize = 256 << 10;
/// Reads below this size are short: the writer is slower than we are.
const SHORT_BYTES: usize = 4 << 10;
/// Short reads in a row, each right after the other, after which the pump naps to let bytes gather.
const SHORT_READS_BEFORE_NAP: u32 = 16;
/// How long it naps: a program that writes byte by byte then costs a thousand reads a second instead of 200,000.
const NAP: Duration = Duration::from_millis(1);
/// Bytes that a nap must gather to be followed by another one.
const WORTH_A_NAP_BYTES: usize = 64;
/// Pipe size while napping, so that a fast writer of small lines is not held up. The kernel may refuse; no harm.
const NAP_PIPE_BYTES: i32 = 1 << 20;
/// No pipe holds more, unless root made it larger (`pipe(7)`, `pipe-max-size`).
const MAX_PIPE_BYTES: usize = 1 << 20;

thread_local! {
    /// One buffer a thread: it is never held across an await.
    static BUFFER: RefCell<Box<[u8]>> = RefCell::new(vec![0; READ_BYTES].into());
}

/// Everything that moves bytes for one command.
pub(crate) struct Pumps {
    stdout: Pump,
    /// None where stderr goes the way of stdout.
    stderr: Option<Pump>,
    feed: Option<Feed>,
}

impl Pumps {
    pub(crate) fn new(stdout: Pump, stderr: Option<Pump>, feed: Option<Feed>) -> Self {
        Self {
            stdout,
            stderr,
            feed,
        }
    }

    /// Whether more output may come.
    pub(crate) fn is_open(&self) -> bool {
        self.stdout.is_open() || self.stderr.as_ref().is_some_and(Pump::is_open)
    }

    /// Moves a piece of whichever stream is ready; none has precedence. Says whether there is probably much more.
    /// Cancel-safe; waits for ever where nothing is open.
    pub(crate) async fn turn(&mut self) -> bool {
        let Self {
            stdout,
            stderr,
            feed,
        } = self;
        let stderr = async {
            match stderr {
                Some(stderr) if stderr.is_open() => stderr.turn().await,
                _ => pending().await,
            }
        };
        let feeding = async {
            match feed {
                Some(feed) if feed.is_open() => feed.turn().await,
                _ => pending().await,
            }
        };
        tokio::select! {
            much = stdout.turn(), if stdout.is_open() => much,
            much = stderr => much,
            () = feeding => false,
        }
    }

    /// Moves what lies in the pipes now; see [`Pump::drain`]. Cancel-safe.
    pub(crate) async fn drain(&mut self) {
        self.stdout.drain().await;
        if let Some(stderr) = &mut self.stderr {
            stderr.drain().await;
        }
    }

    /// The leader is gone, and with it whoever the input was for.
    pub(crate) fn end_feed(&mut self) {
        if let Some(mut feed) = self.feed.take() {
            feed.end();
        }
    }

    /// Nobody can write any more.
    pub(crate) fn close(&mut self) {
        self.end_feed();
        self.stdout.end();
        if let Some(stderr) = &mut self.stderr {
            stderr.end();
        }
    }
}

/// Reads one output stream of a command.
pub(crate) struct Pump {
    name: StreamName,
    /// None once the stream has ended.
    pipe: Option<Pipe>,
    stream: Arc<Stream>,
    tap: Option<mpsc::Sender<Piece>>,
    meter: Option<Arc<AtomicU64>>,
    short_reads: u32,
    last_read: Instant,
}

/// The reading end of a pipe.
enum Pipe {
    /// The runtime is woken by every write.
    Watched(Receiver),
    /// Nobody is woken before that time. As long as the runtime watches, it would be, by every single byte of a writer of
    /// single bytes.
    Resting { fd: OwnedFd, until: Instant },
}

impl AsFd for Pipe {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Watched(pipe) => pipe.as_fd(),
            Self::Resting { fd, .. } => fd.as_fd(),
        }
    }
}

impl Pipe {
    /// Returns when it is worth reading; an error means that nothing can come any more.
    async fn ready(&self) -> io::Result<()> {
        match self {
            Self::Watched(pipe) => pipe.readable().await,
            Self::Resting { until, .. } => {
                tokio::time::sleep_until(*until).await;
                Ok(())
            }
        }
    }

    fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Watched(pipe) => pipe.try_read(buffer),
            Self::Resting { fd, .. } => nix::unistd::read(fd, buffer).map_err(Into::into),
        }
    }

    /// Rests until then; watched as before where it cannot be taken from the runtime.
    fn rest(self, until: Instant) -> Option<Self> {
        let fd = match self {
            Self::Watched(pipe) => pipe.into_nonblocking_fd().ok()?,
            Self::Resting { fd, .. } => fd,
        };
        Some(Self::Resting { fd, until })
    }

    /// Watched from now on. Rests a little longer where the runtime has no room for it.
    fn watch(self) -> Option<Self> {
        let Self::Resting { fd, .. } = self else {
            return Some(self);
        };
        let spare = fd.try_clone().ok();
        match (Receiver::from_owned_fd_unchecked(fd), spare) {
            (Ok(pipe), _) => Some(Self::Watched(pipe)),
            (Err(_), Some(fd)) => Some(Self::Resting {
                fd,
                until: Instant::now() + NAP,
            }),
            (Err(_), None) => None,
        }
    }
}

impl Pump {
    /// A pump for the reading end of a pipe, which is non-blocking.
    pub(crate) fn new(
        name: StreamName,
        pipe: OwnedFd,
        stream: Arc<Stream>,
        tap: Option<mpsc::Sender<Piece>>,
        meter: Option<Arc<AtomicU64>>,
    ) -> io::Result<Self> {
        let pipe = Receiver::from_owned_fd_unchecked(pipe)?;
        let last_read = Instant::now();
        let pipe = Some(Pipe::Watched(pipe));
        Ok(Self {
            name,
            pipe,
            stream,
            tap,
            meter,
            short_reads: 0,
            last_read,
        })
    }

    /// Whether the stream may still bring bytes.
    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Waits for bytes and moves a turn's worth of them. Says whether there is probably much more. Cancel-safe.
    async fn turn(&mut self) -> bool {
        let Some(pipe) = &self.pipe else { return false };
        if pipe.ready().await.is_err() {
            self.end();
            return false;
        }
        let permit = self.permit().await;
        let Some(pipe) = &self.pipe else { return false };
        let max_bytes = if permit.is_some() {
            READ_BYTES
        } else {
            TURN_BYTES
        };
        let from = |buffer: &mut [u8]| pipe.try_read(buffer);
        let read = self.read(from, max_bytes, permit);
        if read.end {
            self.end();
            return false;
        }
        self.pace(&read);
        read.bytes > max_bytes / 2
    }

    /// Room for a piece at the receiver of the tap: it comes before reading one, so that a slow receiver slows the command
    /// down. A receiver that is gone gets nothing more.
    async fn permit(&mut self) -> Option<mpsc::OwnedPermit<Piece>> {
        let permit = self.tap.clone()?.reserve_owned().await.ok();
        if permit.is_none() {
            self.tap = None;
        }
        permit
    }

    /// Moves what lies in the pipe now, without waiting: after a process has exited this is everything that it wrote.
    /// More than a pipe holds was written later, by others. With a tap it waits for the receiver.
    async fn drain(&mut self) {
        let mut drained = 0;
        while drained <= MAX_PIPE_BYTES {
            let permit = self.permit().await;
            let Some(pipe) = &self.pipe else { return };
            // Past the runtime's idea of readiness, which may lag behind the process's exit.
            let from = |buffer: &mut [u8]| nix::unistd::read(pipe, buffer).map_err(Into::into);
            let read = self.read(from, READ_BYTES, permit);
            drained += read.bytes;
            if read.end {
                self.end();
            } else if read.exhausted {
                return;
            }
        }
    }

    fn end(&mut self) {
        self.pipe = None;
        self.tap = None;
        self.stream.close();
    }

    /// Reads up to `max_bytes`, keeps each piece, and passes a copy on where there is a permit for one.
    fn read(
        &self,
        mut from: impl FnMut(&mut [u8]) -> io::Result<usize>,
        max_bytes: usize,
        mut permit: Option<mpsc::OwnedPermit<Piece>>,
    ) -> Read {
        let mut total = 0;
        BUFFER.with_borrow_mut(|buffer| {
            loop {
                let (exhausted, caught_up, end) = match from(buffer) {
                    Ok(0) => (false, true, true),
                    Ok(bytes) => {
                        total += bytes;
                        self.keep(&buffer[..bytes]);
                        if let Some(permit) = permit.take() {
                            let bytes = buffer[..bytes].to_vec();
                            permit.send(Piece {
                                stream: self.name,
                                bytes,
                            });
                        }
                        // A short read has most likely emptied the pipe. To ask again at once would chase a writer of
                        // single bytes with a system call for each few of them.
                        if bytes >= SHORT_BYTES && total + READ_BYTES <= max_bytes {
                            continue;
                        }
                        (false, bytes < SHORT_BYTES, false)
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => (true, true, false),
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    // A pipe has no other error; whatever it is, nothing more can come.
                    Err(_) => (false, true, true),
                };
                return Read {
                    bytes: total,
                    exhausted,
                    caught_up,
                    end,
                };
            }
        })
    }

    fn keep(&self, bytes: &[u8]) {
        self.stream.append(bytes);
        if let Some(meter) = &self.meter {
            meter.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
    }

    /// Decides whether to nap before the next read: after many short reads in a row, and then for as long as a nap gathers
    /// more than a read alone would have.
    fn pace(&mut self, read: &Read) {
        let now = Instant::now();
        let hurried = read.bytes < SHORT_BYTES && now.duration_since(self.last_read) < NAP;
        self.last_read = now;
        let was_napping = self.is_napping();
        self.short_reads = match (was_napping, hurried) {
            (true, _) if read.bytes >= WORTH_A_NAP_BYTES => self.short_reads,
            (false, true) => self.short_reads + 1,
            _ => 0,
        };
        if !self.is_napping() {
            if was_napping {
                self.pipe = self.pipe.take().and_then(Pipe::watch);
            }
        } else if read.caught_up {
            if !was_napping && let Some(pipe) = &self.pipe {
                let _ = fcntl(pipe, FcntlArg::F_SETPIPE_SZ(NAP_PIPE_BYTES));
            }
            self.pipe = self.pipe.take().and_then(|pipe| pipe.rest(now + NAP));
        }
        if self.pipe.is_none() {
            self.end();
        }
    }

    fn is_napping(&self) -> bool {
        self.short_reads >= SHORT_READS_BEFORE_NAP
    }
}

struct Read {
    bytes: usize,
    /// The pipe is empty for now.
    exhausted: bool,
    /// It is empty, or was a moment ago.
    caught_up: bool,
    /// The stream has ended.
    end: bool,
}
