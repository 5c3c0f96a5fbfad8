//! How much a search may give and take, and what ended it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much a search may give and take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Results: matching lines, or paths.
    pub max_results: u64,
    /// Bytes of results: paths, text, and [`RESULT_BYTES`] for each.
    pub max_bytes: u64,
    /// Time; none = as long as it takes.
    pub time: Option<Duration>,
}

/// What a result costs beside its path and text.
pub(crate) const RESULT_BYTES: u64 = 64;

/// Lets somebody else stop a search.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// The search ends as soon as it looks, which it does between files and between the pieces of one.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is to end.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was looked at.
    Complete,
    /// There are more results than were wanted.
    Results,
    /// The results are longer than was wanted.
    Bytes,
    /// Time ran out.
    Time,
    /// Somebody stopped it.
    Stopped,
}

/// Watches over the time of one search and over who wants to stop it.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    stop: Stop,
    /// Set when the search has what it wants, or its time is over.
    enough: Stop,
    deadline: Option<Instant>,
}

impl Watch {
    pub(crate) fn new(stop: Stop, limits: &Limits) -> Self {
        Self {
            stop,
            enough: Stop::default(),
            deadline: limits.time.map(|time| Instant::now() + time),
        }
    }

    /// Ends the search from within.
    pub(crate) fn enough(&self) {
        self.enough.stop();
    }

    /// Whether to go on. Cheap enough to be asked for every directory and every piece of a file.
    pub(crate) fn goes_on(&self) -> bool {
        if self.stop.is_stopped() || self.enough.is_stopped() {
            return false;
        }
        if self.is_late() {
            self.enough();
            return false;
        }
        true
    }

    /// What ended the search, where nothing in it did.
    pub(crate) fn ended(&self) -> Ended {
        if self.stop.is_stopped() {
            Ended::Stopped
        } else if self.is_late() {
            Ended::Time
        } else {
            Ended::Complete
        }
    }

    fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
