//! Which keepers there are and which of them are free, in memory shared by the warden and all
//! keepers.

use std::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering::SeqCst};

use libc::pid_t;

use super::memory::Block;
use super::system::ErrorNumber;

/// Keepers at one time. A bound for the table; processes and memory run out earlier on most
/// machines.
pub(super) const MAX_KEEPERS: usize = 8192;
/// Free keepers that the warden always has ready, so that a command never waits for a fork.
const READY_KEEPERS: usize = 1;
/// Free keepers beyond which one that becomes free leaves instead.
const MAX_FREE_KEEPERS: usize = 4;

const NOBODY: u32 = 0;
const FREE: u32 = 1;
const BUSY: u32 = 2;

/// The table. A keeper changes only the state of its own row; everything else is the warden's.
#[repr(C)]
pub(super) struct Board {
    /// Rows from here on were never used.
    used: AtomicUsize,
    rows: [Row; MAX_KEEPERS],
}

#[repr(C)]
struct Row {
    pid: AtomicI32,
    state: AtomicU32,
}

/// A keeper's row.
#[derive(Clone, Copy)]
pub(super) struct Seat(usize);

impl Board {
    /// Maps an empty one that lives as long as the processes that share it.
    pub fn map() -> Result<&'static Self, ErrorNumber> {
        let block = Block::shared(size_of::<Self>())?;
        let board = block.start().cast::<Self>();
        std::mem::forget(block);
        // SAFETY: page-aligned, large enough, never unmapped; zeroes are valid atomics.
        Ok(unsafe { &*board })
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().take(self.used.load(SeqCst))
    }

    fn free(&self) -> usize {
        self.rows()
            .filter(|row| row.state.load(SeqCst) == FREE)
            .count()
    }

    /// Whether a keeper should be forked.
    pub fn wants_keeper(&self) -> bool {
        self.free() < READY_KEEPERS
    }

    /// Whether nobody is there to take a request.
    pub fn has_no_free_keeper(&self) -> bool {
        self.free() == 0
    }

    /// Whether there are keepers at all.
    pub fn is_deserted(&self) -> bool {
        self.rows().all(|row| row.state.load(SeqCst) == NOBODY)
    }

    /// Whether this process is a keeper.
    pub fn has(&self, pid: pid_t) -> bool {
        self.seat_of(pid).is_some()
    }

    /// The row of a keeper.
    pub fn seat_of(&self, pid: pid_t) -> Option<Seat> {
        self.rows()
            .position(|row| row.pid.load(SeqCst) == pid && row.state.load(SeqCst) != NOBODY)
            .map(Seat)
    }

    /// Reserves a row for a keeper about to be forked. It counts as free from now on.
    pub fn reserve(&self) -> Option<Seat> {
        let index = self
            .rows
            .iter()
            .position(|row| row.state.load(SeqCst) == NOBODY)?;
        self.used.fetch_max(index.wrapping_add(1), SeqCst);
        let seat = Seat(index);
        self.set(seat, FREE);
        Some(seat)
    }

    /// Writes down who has the row.
    pub fn assign(&self, seat: Seat, pid: pid_t) {
        if let Some(row) = self.rows.get(seat.0) {
            row.pid.store(pid, SeqCst);
        }
    }

    /// Clears the row of a keeper that ended or was never forked.
    pub fn clear(&self, seat: Seat) {
        self.assign(seat, 0);
        self.set(seat, NOBODY);
    }

    /// A keeper took a request. Returns whether the warden must be told to fork another.
    pub fn work(&self, seat: Seat) -> bool {
        self.set(seat, BUSY);
        self.wants_keeper()
    }

    /// A keeper is done. Returns whether it may stay.
    pub fn rest(&self, seat: Seat) -> bool {
        self.set(seat, FREE);
        let stays = self.free() <= MAX_FREE_KEEPERS;
        if !stays {
            self.set(seat, BUSY);
        }
        stays
    }

    fn set(&self, seat: Seat, state: u32) {
        if let Some(row) = self.rows.get(seat.0) {
            row.state.store(state, SeqCst);
        }
    }
}
