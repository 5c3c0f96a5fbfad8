//! Printing to standard output, whose reader may go away at any time.

use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;

/// Prints one object: in one line for a program, laid out for a person.
///
/// # Errors
/// Where standard output does not take it; a reader that has gone is no error.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let text = if io::stdout().is_terminal() {
        serde_json::to_string_pretty(value)?
    } else {
        serde_json::to_string(value)?
    };
    self::text(&format!("{text}\n"))
}

/// Prints text.
///
/// # Errors
/// As [`json`].
pub fn text(text: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
