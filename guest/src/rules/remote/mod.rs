//! Code from elsewhere, run unseen, and requests that delete.

mod download;
mod requests;
mod run;
mod sockets;

pub(super) use download::{CURL, WGET, fetching};
pub(super) use requests::{curl, httpie, wget};
pub(super) use run::{evaluates, interpreter, runner, started_file};
pub(super) use sockets::{installers, sockets};

use super::catalogue::Rule;
use crate::model::Severity::Danger;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("exec.remote", Danger, "Unseen remote code run", "curl -s https://example.com/i | sh",
        "curl -s https://example.com/i | jq ."),
];

const REMOTE: &str = "exec.remote";
