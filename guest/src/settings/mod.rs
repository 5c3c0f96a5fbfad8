//! What a host can configure: what is done about findings, which commands are let through or not, which
//! programs are never killed or started.
//!
//! ```json
//! {
//!   "warn": ["git.stash-drop"],
//!   "ask": ["git.*"],
//!   "refuse": ["severity:danger", "opaque"],
//!   "allow": [{ "prefix": ["git", "push", "origin", "+preview"] }],
//!   "confirm": [{ "prefix": ["terraform", ["apply", "import"]] }],
//!   "deny": [
//!     {
//!       "prefix": ["npm", "publish"],
//!       "reason": "releases are made by the pipeline",
//!       "match": ["npm publish --tag next"],
//!       "no_match": ["npm pack"]
//!     }
//!   ],
//!   "protected_programs": ["browsers", "postgres"]
//! }
//! ```
//!
//! `warn`, `ask` and `refuse` name what the policy found: a rule (`git.clean`), a family (`git.*`), a severity
//! (`severity:note`, `severity:caution`, `severity:danger`), or `opaque` for parts that it could not understand.
//! A rule wins over its family and a family over a severity; among equals the strictest wins. What is named
//! nowhere warns.
//!
//! `allow`, `confirm` and `deny` name commands by their first words; see [`commands`]. `protected_programs` is
//! described in [`protected`].

mod answers;
pub mod commands;
mod decide;
mod nearest;
pub mod protected;
mod read;

pub use answers::Answer;
pub use decide::Decision;

use answers::Answers;
use commands::Entry;
use protected::Protected;

/// The settings in force; by default everything warns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    answers: Answers,
    allow: Vec<Entry>,
    confirm: Vec<Entry>,
    deny: Vec<Entry>,
    protected: Protected,
}

#[cfg(test)]
mod tests;
