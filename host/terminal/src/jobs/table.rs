//! The jobs of a terminal: how many there may be, which are listed, how long finished ones stay readable.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

use super::graveyard::{Epitaph, Graveyard};
use super::id::JobId;
use super::job::Job;
use crate::outcome::{EndedBy, ExecError};

/// Output up to this size goes to disk without a thread of its own.
const MOVED_AT_ONCE_BYTES: usize = 64 << 10;

/// How many jobs there may be, and how much of finished ones is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobLimits {
    /// Jobs that run or linger at the same time. Foreground commands do not count until they are promoted.
    pub max_running: usize,
    /// Finished jobs that stay readable; the oldest goes first.
    pub max_finished: usize,
    /// Memory that the output of finished jobs may take together, in bytes.
    pub finished_memory_bytes: usize,
    /// Disk space that it may take together, in bytes.
    pub finished_disk_bytes: u64,
}

impl Default for JobLimits {
    fn default() -> Self {
        Self {
            max_running: 32,
            max_finished: 50,
            finished_memory_bytes: 64 << 20,
            finished_disk_bytes: 256 << 20,
        }
    }
}

/// Why there is no such job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// There was never one with this id, or so long ago that nobody remembers.
    #[error("there is no job with this id")]
    Unknown,
    /// It ended, and made room for newer ones.
    #[error("the job with this id ended and its output had to make room for newer ones")]
    Evicted(Epitaph),
}

/// The jobs of one terminal.
#[derive(Debug)]
pub struct Jobs {
    limits: JobLimits,
    random: File,
    register: Mutex<Register>,
    /// A place among the running ones has become free.
    freed: Notify,
}

#[derive(Debug, Default)]
struct Register {
    is_closed: bool,
    /// Everything that runs, listed or not.
    alive: HashMap<JobId, Entry>,
    /// Listed ones that ended, oldest first.
    finished: VecDeque<Job>,
    graveyard: Graveyard,
    /// Places taken among the running ones.
    running: usize,
}

#[derive(Debug)]
struct Entry {
    job: Job,
    /// Its place among the running ones; none = a foreground command, which nobody else sees.
    slot: Option<Slot>,
}

/// A place among the running jobs. Dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Slot(Weak<Jobs>);

impl Drop for Slot {
    fn drop(&mut self) {
        // Never under the lock: whoever removes an entry drops it afterwards.
        if let Some(jobs) = self.0.upgrade() {
            jobs.lock().running -= 1;
            jobs.freed.notify_waiters();
        }
    }
}

impl Jobs {
    pub(crate) fn new(limits: JobLimits) -> io::Result<Arc<Self>> {
        Ok(Arc::new(Self {
            limits,
            random: File::open("/dev/urandom")?,
            register: Mutex::default(),
            freed: Notify::new(),
        }))
    }

    /// How many jobs may run at the same time.
    pub fn max_running(&self) -> usize {
        self.limits.max_running
    }

    /// The job with this id.
    ///
    /// # Errors
    /// Says whether there ever was one.
    pub fn get(&self, id: JobId) -> Result<Job, LookupError> {
        let register = self.lock();
        let alive = register.alive.get(&id).filter(|it| it.slot.is_some());
        let finished = || register.finished.iter().find(|job| job.id() == id);
        match alive.map(|entry| &entry.job).or_else(finished) {
            Some(job) => Ok(job.clone()),
            None => Err(register
                .graveyard
                .find(id)
                .map_or(LookupError::Unknown, LookupError::Evicted)),
        }
    }

    /// All listed jobs: those that run, newest start first, then those that ended, latest end first.
    pub fn list(&self) -> Vec<Job> {
        let register = self.lock();
        let listed = register.alive.values().filter(|it| it.slot.is_some());
        let mut jobs: Vec<Job> = listed.map(|entry| entry.job.clone()).collect();
        jobs.sort_by_key(|job| std::cmp::Reverse(job.started()));
        jobs.extend(register.finished.iter().rev().cloned());
        jobs
    }

    /// A place for a job that is about to be started.
    pub(crate) fn reserve(self: &Arc<Self>) -> Result<Slot, ExecError> {
        let mut register = self.lock();
        if register.running >= self.limits.max_running {
            let max = self.limits.max_running;
            return Err(ExecError::JobLimit { max });
        }
        register.running += 1;
        Ok(Slot(Arc::downgrade(self)))
    }

    /// An id that no job has.
    pub(crate) fn draw_id(&self) -> io::Result<JobId> {
        loop {
            let id = JobId::draw(&self.random)?;
            if matches!(self.get(id), Err(LookupError::Unknown))
                && !self.lock().alive.contains_key(&id)
            {
                return Ok(id);
            }
        }
    }

    /// Enters a command before it is started, so that whatever ends everything finds it. With a slot it is listed.
    pub(crate) fn enter(&self, job: Job, slot: Option<Slot>) -> Result<(), ExecError> {
        let mut register = self.lock();
        if register.is_closed {
            drop(register);
            return Err(ExecError::ShuttingDown);
        }
        let entry = Entry {
            job: job.clone(),
            slot,
        };
        register.alive.insert(job.id(), entry);
        Ok(())
    }

    /// Lists a foreground command as a job. Says whether it is one now; it is not where it has ended or there is no room.
    pub(crate) fn promote(self: &Arc<Self>, id: JobId) -> Promotion {
        let Ok(slot) = self.reserve() else {
            return Promotion::Full;
        };
        let mut register = self.lock();
        if let Some(entry) = register.alive.get_mut(&id) {
            entry.job.adopt();
            entry.slot = Some(slot);
            return Promotion::Listed;
        }
        drop(register);
        drop(slot);
        Promotion::Ended
    }

    /// Waits until a place among the running ones may have become free; from the call on, not from the first poll.
    pub(crate) fn freed(&self) -> Notified<'_> {
        self.freed.notified()
    }

    /// Nothing of a job is alive any more. Listed ones stay readable for a while. Called inside a runtime.
    pub(crate) fn ended(self: &Arc<Self>, id: JobId) {
        let Some(Entry { job, slot }) = self.lock().alive.remove(&id) else {
            return;
        };
        let came_to_run = job.standing().failure.is_none();
        if slot.is_none() || !came_to_run {
            return;
        }
        self.lock().finished.push_back(job.clone());
        drop(slot);
        if job.output().memory_bytes() <= MOVED_AT_ONCE_BYTES {
            job.output().move_to_disk();
            return self.make_room();
        }
        let jobs = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            job.output().move_to_disk();
            jobs.make_room();
        });
    }

    fn make_room(&self) {
        let gone = self.lock().make_room(&self.limits);
        // Without the lock: dropping a job gives its disk space back.
        drop(gone);
    }

    /// A command that was entered was not started.
    pub(crate) fn forget(&self, id: JobId) {
        let entry = self.lock().alive.remove(&id);
        drop(entry);
    }

    /// Takes no more commands and ends all that run.
    pub(crate) fn close(&self) {
        let mut register = self.lock();
        register.is_closed = true;
        for entry in register.alive.values() {
            // One that has just ended needs nothing.
            let _ = entry.job.end(EndedBy::Shutdown, None);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Register> {
        self.register.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What became of an attempt to list a foreground command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Promotion {
    /// It is a job now.
    Listed,
    /// It has ended.
    Ended,
    /// There are too many jobs.
    Full,
}

impl Register {
    /// Lets the oldest finished jobs go until the limits hold; the newest one stays in any case. Returns what is to be dropped.
    fn make_room(&mut self, limits: &JobLimits) -> Vec<Job> {
        let sizes = self.finished.iter().map(|job| {
            let output = job.output();
            (output.memory_bytes(), output.disk_bytes())
        });
        let (mut memory_bytes, mut disk_bytes) =
            sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1));
        let mut gone = Vec::new();
        while self.finished.len() > limits.max_finished.max(1)
            || (self.finished.len() > 1
                && (memory_bytes > limits.finished_memory_bytes
                    || disk_bytes > limits.finished_disk_bytes))
        {
            let Some(oldest) = self.finished.pop_front() else {
                break;
            };
            memory_bytes -= oldest.output().memory_bytes();
            disk_bytes -= oldest.output().disk_bytes();
            self.graveyard
                .bury(oldest.id(), Epitaph::of(&oldest.standing()));
            gone.push(oldest);
        }
        gone
    }
}
