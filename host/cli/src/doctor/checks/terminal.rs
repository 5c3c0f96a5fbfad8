//! Whether there are pseudo terminals.

use nix::pty::openpty;
use ostler_terminal::{Command, Exit, Stdin};

use super::{Bench, Finding, either};

const ADVICE: &str = "mount devpts (`mount -t devpts devpts /dev/pts`); only commands that insist on a terminal need it";

/// A command sees a pseudo terminal as its terminal.
pub async fn pty(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let pty = openpty(None, None).map_err(|error| Finding::degraded(error.desc(), ADVICE))?;
        let command = Command {
            stdin: Stdin::File(pty.slave),
            ..Command::new("test -t 0")
        };
        let outcome = bench.run(command).await?;
        if outcome.exit != Some(Exit::Code(0)) {
            return Err(Finding::degraded(
                "a command did not see its terminal",
                ADVICE,
            ));
        }
        Ok(Finding::ok(
            "a pseudo terminal was opened and seen by a command",
        ))
    };
    either(attempt.await)
}
