//! The fault suite: trees that try to escape, output that tries to drown us, odd starts, a system that runs out, ends of
//! all kinds.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod bombs;
mod deadlines;
mod exhaustion;
mod inheritance;
mod output;
mod server_life;
mod starts;
mod survivors;

use ostler_tests::server::Server;
use serde_json::{Value, json};

/// Runs a command under a deadline, without promotion.
fn exec_within(server: &mut Server, command: &str, timeout_sec: f64) -> Value {
    let arguments = json!({
        "command": command, "timeout_sec": timeout_sec, "auto_background_after_sec": 0,
    });
    server.call("terminal_exec", arguments)
}
