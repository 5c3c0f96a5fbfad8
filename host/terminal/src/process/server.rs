//! What a server should do to its own process before it starts commands.

use nix::sys::signal::{SigHandler, Signal, signal};

/// Lets the process survive a write beyond its own file size limit (`RLIMIT_FSIZE`): spilled output then meets `EFBIG` and is
/// counted, where SIGXFSZ would end the server. Commands are not affected: they start with every signal at its default.
///
/// # Errors
///
/// When the system refuses, which POSIX does not provide for.
pub fn survive_file_size_limit() -> nix::Result<()> {
    // SAFETY: ignoring a signal installs no handler that could run at a bad moment.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }.map(|_| ())
}
