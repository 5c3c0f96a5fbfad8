//! The signals by which somebody asks this process to end.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Requests to end: SIGINT, SIGTERM and SIGHUP. One that was ignored when this process started stays ignored: that is how
/// `nohup` and background jobs ask for it.
pub struct Requests {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    hangup: Option<Signal>,
}

/// One request to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGHUP: the terminal went away.
    Hangup,
}

impl Request {
    /// The exit status of a process that ended because of it, as a shell would report it.
    pub fn shell_status(self) -> u8 {
        match self {
            Self::Hangup => 128 + 1,
            Self::Interrupt => 128 + 2,
            Self::Terminate => 128 + 15,
        }
    }
}

impl Requests {
    /// From now on these signals are events instead of the end.
    ///
    /// # Errors
    /// Where the handlers cannot be installed.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            hangup: listen(SignalKind::hangup())?,
            ..Self::without_hangup()?
        })
    }

    /// The same for a program to which SIGHUP means something else.
    ///
    /// # Errors
    /// Where the handlers cannot be installed.
    pub fn without_hangup() -> io::Result<Self> {
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup: None,
        })
    }

    /// The next request. Cancel-safe.
    pub async fn next(&mut self) -> Request {
        tokio::select! {
            () = received(&mut self.interrupt) => Request::Interrupt,
            () = received(&mut self.terminate) => Request::Terminate,
            () = received(&mut self.hangup) => Request::Hangup,
        }
    }
}

/// SIGHUP as a daemon takes it: somebody wants the settings to be read again.
pub struct Hangups(Option<Signal>);

impl Hangups {
    /// From now on SIGHUP is an event instead of the end.
    ///
    /// # Errors
    /// Where the handler cannot be installed.
    pub fn listen() -> io::Result<Self> {
        listen(SignalKind::hangup()).map(Self)
    }

    /// The next one. Cancel-safe.
    pub async fn next(&mut self) {
        received(&mut self.0).await;
    }
}

fn listen(kind: SignalKind) -> io::Result<Option<Signal>> {
    let is_ignored = ignored_signals() >> (kind.as_raw_value() - 1) & 1 == 1;
    if is_ignored {
        Ok(None)
    } else {
        signal(kind).map(Some)
    }
}

async fn received(signal: &mut Option<Signal>) {
    if let Some(signal) = signal
        && signal.recv().await.is_some()
    {
        return;
    }
    std::future::pending().await
}

/// The signals that this process ignores, as a bit mask; empty where the system does not tell.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored_in(&status)
}

fn ignored_in(status: &str) -> u64 {
    status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_process_status() {
        assert_eq!(
            ignored_in("SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n"),
            0x1001
        );
        assert_eq!(ignored_in("nothing of the kind"), 0);
    }

    #[test]
    fn a_request_to_end_has_the_status_of_its_signal() {
        assert_eq!(Request::Interrupt.shell_status(), 130);
        assert_eq!(Request::Terminate.shell_status(), 143);
        assert_eq!(Request::Hangup.shell_status(), 129);
    }
}
