//! What can be sent to a running tree.

/// A signal for every process of a tree. The end of a tree is not among them: see [`super::Tree::stop`] and
/// [`super::Tree::kill`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: as if a person had pressed Ctrl-C.
    Interrupt,
    /// SIGTERM: please end.
    Terminate,
    /// SIGHUP: the terminal went away, or: read your configuration again.
    Hangup,
    /// SIGUSR1.
    User1,
    /// SIGUSR2.
    User2,
    /// SIGSTOP: pause.
    Stop,
    /// SIGCONT: go on.
    Continue,
}

impl Signal {
    /// Its number on this system.
    pub fn number(self) -> i32 {
        match self {
            Self::Interrupt => libc::SIGINT,
            Self::Terminate => libc::SIGTERM,
            Self::Hangup => libc::SIGHUP,
            Self::User1 => libc::SIGUSR1,
            Self::User2 => libc::SIGUSR2,
            Self::Stop => libc::SIGSTOP,
            Self::Continue => libc::SIGCONT,
        }
    }
}
