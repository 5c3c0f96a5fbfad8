//! A command's standard input: a queue that whoever writes never waits for, and the feed that empties it into the pipe.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::Interest;
use tokio::net::unix::pipe::Sender;
use tokio::sync::Notify;

/// Bytes that may wait for the command to read them. What is given at the start does not count.
pub const MAX_QUEUED_BYTES: usize = 1 << 20;

/// Whether a command's standard input takes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdinState {
    /// It does.
    Open,
    /// It was closed on our side; what was queued before is still delivered.
    Closed,
    /// The command closed its side, or ended.
    Broken,
}

/// Why bytes were not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StdinError {
    /// It was closed, or there was none from the start.
    #[error("the standard input of this job is closed")]
    Closed,
    /// The command does not read any more.
    #[error("the command has closed its standard input")]
    Broken,
}

/// Bytes on their way into a command.
#[derive(Debug)]
pub struct StdinQueue {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Debug)]
struct Waiting {
    bytes: VecDeque<u8>,
    state: StdinState,
}

impl StdinQueue {
    /// A queue that begins with these bytes, and ends with them unless it stays open.
    pub(crate) fn new(first: Vec<u8>, stays_open: bool) -> Self {
        let state = if stays_open {
            StdinState::Open
        } else {
            StdinState::Closed
        };
        let bytes = first.into();
        Self {
            waiting: Mutex::new(Waiting { bytes, state }),
            changed: Notify::new(),
        }
    }

    /// Takes as many of the bytes as there is room for and says how many. Never waits.
    ///
    /// # Errors
    /// Where it takes none any more.
    pub fn write(&self, bytes: &[u8]) -> Result<usize, StdinError> {
        let mut waiting = self.lock();
        match waiting.state {
            StdinState::Open => {}
            StdinState::Closed => return Err(StdinError::Closed),
            StdinState::Broken => return Err(StdinError::Broken),
        }
        let room = MAX_QUEUED_BYTES.saturating_sub(waiting.bytes.len());
        let taken = bytes.len().min(room);
        waiting.bytes.extend(&bytes[..taken]);
        drop(waiting);
        self.changed.notify_one();
        Ok(taken)
    }

    /// Ends it once the queue is delivered. Once more does nothing.
    pub fn close(&self) {
        let mut waiting = self.lock();
        if waiting.state == StdinState::Open {
            waiting.state = StdinState::Closed;
        }
        drop(waiting);
        self.changed.notify_one();
    }

    /// Whether it takes bytes.
    pub fn state(&self) -> StdinState {
        self.lock().state
    }

    /// Bytes that the command has not read yet; of a broken one, those that it never will.
    pub fn queued_bytes(&self) -> usize {
        self.lock().bytes.len()
    }

    fn break_off(&self) {
        self.lock().state = StdinState::Broken;
    }

    /// Waits until there is something to write or to close.
    async fn has_work(&self) {
        loop {
            let changed = self.changed.notified();
            {
                let waiting = self.lock();
                if !waiting.bytes.is_empty() || waiting.state != StdinState::Open {
                    return;
                }
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Moves the queue into the command's pipe.
pub(crate) struct Feed {
    pipe: Option<Sender>,
    queue: Arc<StdinQueue>,
}

impl Feed {
    /// A feed for the writing end of a pipe, which is non-blocking.
    pub(crate) fn new(pipe: OwnedFd, queue: Arc<StdinQueue>) -> io::Result<Self> {
        let pipe = Some(Sender::from_owned_fd_unchecked(pipe)?);
        Ok(Self { pipe, queue })
    }

    /// Whether there may be something to do.
    pub(crate) fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Nobody reads any more, whatever the pipe says.
    pub(crate) fn end(&mut self) {
        if self.pipe.take().is_some() {
            self.queue.break_off();
        }
    }

    /// Waits for bytes and room, and writes; closes the pipe after the last byte, or when nobody reads any more. Cancel-safe.
    pub(crate) async fn turn(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        tokio::select! {
            () = self.queue.has_work() => {}
            // The command closed its end, and the next writer should know.
            _ = pipe.ready(Interest::ERROR) => return self.end(),
        }
        let is_empty = self.queue.lock().bytes.is_empty();
        if is_empty {
            self.pipe = None;
            return;
        }
        if pipe.writable().await.is_err() {
            return self.end();
        }
        let mut waiting = self.queue.lock();
        match pipe.try_write(waiting.bytes.as_slices().0) {
            Ok(bytes) => {
                waiting.bytes.drain(..bytes);
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            // EPIPE: the command does not want the rest, which is its right.
            Err(_) => {
                drop(waiting);
                self.end();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::time::Duration;

    use super::*;
    use crate::process;

    fn feed(first: &[u8], stays_open: bool) -> (Feed, Arc<StdinQueue>, std::fs::File) {
        let (ours, theirs) = process::to_child().unwrap();
        let queue = Arc::new(StdinQueue::new(first.to_vec(), stays_open));
        let feed = Feed::new(ours, Arc::clone(&queue)).unwrap();
        (feed, queue, theirs.into())
    }

    #[tokio::test]
    async fn what_was_queued_before_the_close_is_delivered() {
        let (mut feed, queue, mut theirs) = feed(b"ab", true);
        assert_eq!(queue.write(b"cd"), Ok(2));
        queue.close();
        queue.close();
        assert_eq!(queue.write(b"e"), Err(StdinError::Closed));
        while feed.is_open() {
            feed.turn().await;
        }
        let mut read = String::new();
        theirs.read_to_string(&mut read).unwrap();
        assert_eq!(read, "abcd");
    }

    #[tokio::test]
    async fn a_queue_takes_no_more_than_its_bound_and_says_how_much() {
        let (_feed, queue, _theirs) = feed(b"", true);
        let bytes = vec![0; MAX_QUEUED_BYTES - 10];
        assert_eq!(queue.write(&bytes), Ok(bytes.len()));
        assert_eq!(queue.write(&[1; 100]), Ok(10));
        assert_eq!(queue.write(&[1; 100]), Ok(0));
        assert_eq!(queue.queued_bytes(), MAX_QUEUED_BYTES);
    }

    #[tokio::test]
    async fn a_command_that_closes_its_end_is_noticed_without_a_write() {
        let (mut feed, queue, theirs) = feed(b"", true);
        let idle = tokio::time::timeout(Duration::from_millis(10), feed.turn()).await;
        assert!(idle.is_err() && feed.is_open());
        drop(theirs);
        feed.turn().await;
        assert!(!feed.is_open());
        assert_eq!(queue.write(b"x"), Err(StdinError::Broken));
    }

    #[tokio::test]
    async fn a_command_that_stops_reading_leaves_the_rest_counted() {
        let (mut feed, queue, mut theirs) = feed(&[7; 300_000], false);
        feed.turn().await;
        theirs.read_exact(&mut [0; 10]).unwrap();
        drop(theirs);
        while feed.is_open() {
            feed.turn().await;
        }
        assert_eq!(queue.state(), StdinState::Broken);
        assert!(queue.queued_bytes() > 0);
    }
}
