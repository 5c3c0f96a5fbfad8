//! Telling somebody what was asked, what the policy said to it, and what became of it.

use std::time::{Duration, SystemTime};

use crate::outcome::{EndedBy, ExecError, Exit};
use crate::policy::{Classification, Ending, Identity, Request, Review};

/// Is told of every command that a policy was asked about, once: when its leader has ended, or when it is known that it
/// will not run. Called on the thread that serves everybody, so it must not wait for anything.
pub trait Audit: Send + Sync + 'static {
    /// Takes one record.
    fn record(&self, record: Record<'_>);
}

/// What is known of one command.
#[derive(Debug)]
pub struct Record<'a> {
    /// What was asked for.
    pub request: &'a Request,
    /// Who judged it.
    pub policy: &'a Identity,
    /// What the policy said, where it gave an answer.
    pub review: Option<&'a Review>,
    /// When it was asked for.
    pub at: SystemTime,
    /// What became of it.
    pub end: End<'a>,
}

/// What became of a command.
#[derive(Debug)]
pub enum End<'a> {
    /// It was not run.
    NotRun(&'a ExecError),
    /// Its leader ended.
    Ended {
        /// From its start to its end.
        runtime: Duration,
        /// How it ended; none where that is not known.
        exit: Option<Exit>,
        /// The same as the policy was told it.
        ending: Option<&'a Ending>,
        /// Why it was ended, where it did not end by itself.
        ended_by: Option<EndedBy>,
        /// What the ending means.
        classification: &'a Classification,
    },
}
