//! Noticing that whoever started the server is gone, although its end of the pipe is still held open by somebody.

use std::future::pending;
use std::io;

use ostler_terminal::process::ProcessExit;

/// Names another process whose end is to be the end of the server, as desktop hosts set it.
const PARENT_PID: &str = "HIVE_DESKTOP_PARENT_PID";

/// Returns once the process that started this one has ended, or the one that `HIVE_DESKTOP_PARENT_PID` names.
pub async fn orphaned() {
    let named = std::env::var(PARENT_PID).unwrap_or_default();
    let named = match named.trim().parse() {
        Ok(pid) => Some(ProcessExit::of(pid)),
        Err(_) if named.is_empty() => None,
        Err(error) => {
            tracing::warn!(value = named, %error, "{PARENT_PID} is not a process id and has no effect");
            None
        }
    };
    tokio::select! {
        () = ended(ProcessExit::of_parent()) => {}
        () = async {
            match named {
                Some(named) => ended(named).await,
                None => pending().await,
            }
        } => {}
    }
}

async fn ended(watch: io::Result<Option<ProcessExit>>) {
    match watch {
        Ok(Some(watch)) => watch.wait().await,
        // It has ended already.
        Ok(None) => {}
        Err(error) => {
            tracing::warn!(%error, "the end of the parent process will not be noticed");
            pending().await
        }
    }
}
