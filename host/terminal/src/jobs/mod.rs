//! Commands that outlive the call that started them: what is known of each, who may act on it, how long it is remembered.
//!
//! Every command is a [`Job`] from its start, supervised by a task of its own. Whether somebody waits for it, or it is
//! listed in [`Jobs`], changes nothing about how it runs.

mod graveyard;
mod id;
mod job;
mod standing;
mod table;

pub use graveyard::Epitaph;
pub use id::{InvalidJobId, JobId};
pub(crate) use job::{Ask, Facts};
pub use job::{Job, JobEnded};
pub use standing::{Standing, State};
pub use table::{JobLimits, Jobs, LookupError};
pub(crate) use table::{Promotion, Slot};
