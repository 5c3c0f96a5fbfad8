//! Proof that a command left nothing behind: every process of it carries a marker in its arguments.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::procfs;

/// Longest wait for processes to be gone: the grace of two seconds before they are forced, and what a loaded machine takes.
const GONE_WITHIN: Duration = Duration::from_secs(6);

/// A number of seconds that no other command on this machine sleeps: `86400.` and digits of this test alone.
pub fn marker() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let count = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("86400.{}{count:04}", std::process::id())
}

/// Living processes whose arguments hold the text. A zombie is dead: only its parent has not looked yet.
pub fn living(text: &str) -> Vec<u32> {
    procfs::pids()
        .into_iter()
        .filter(|pid| {
            let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&arguments).contains(text) && is_alive(*pid)
        })
        .collect()
}

/// Living processes that sleep for this marker; not those whose own arguments carry the command that starts them.
pub fn sleepers(marker: &str) -> Vec<u32> {
    living(&format!("sleep\0{marker}"))
}

/// Whether a process exists and is no zombie.
pub fn is_alive(pid: u32) -> bool {
    procfs::state(pid).is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Waits until a condition holds.
///
/// # Panics
/// Where it does not within the time.
pub fn eventually(what: &str, within: Duration, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + within;
    while !condition() {
        assert!(Instant::now() < deadline, "not within {within:?}: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until no process carries the marker.
///
/// # Panics
/// Where one still lives after some seconds.
pub fn assert_gone(marker: &str) {
    let gone = || living(marker).is_empty();
    eventually(&format!("no process with {marker}"), GONE_WITHIN, gone);
}
