//! What is remembered of jobs that are no longer kept.

use std::collections::VecDeque;

use super::id::JobId;
use super::standing::Standing;
use crate::outcome::{EndedBy, Exit};

/// How many are remembered.
const MAX_EPITAPHS: usize = 1024;

/// How a job ended that is no longer kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epitaph {
    /// How its leader ended; none where that was never known.
    pub exit: Option<Exit>,
    /// Why its leader was ended, where it did not end by itself.
    pub ended_by: Option<EndedBy>,
}

impl Epitaph {
    pub(super) fn of(standing: &Standing) -> Self {
        Self {
            exit: standing.exit,
            ended_by: standing.ended_by,
        }
    }
}

/// The last jobs that were let go, oldest first.
#[derive(Debug, Default)]
pub(super) struct Graveyard(VecDeque<(JobId, Epitaph)>);

impl Graveyard {
    pub(super) fn bury(&mut self, id: JobId, epitaph: Epitaph) {
        if self.0.len() == MAX_EPITAPHS {
            self.0.pop_front();
        }
        self.0.push_back((id, epitaph));
    }

    pub(super) fn find(&self, id: JobId) -> Option<Epitaph> {
        let found = self.0.iter().rev().find(|(buried, _)| *buried == id);
        found.map(|(_, epitaph)| *epitaph)
    }
}
