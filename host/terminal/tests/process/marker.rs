//! Unique arguments by which the processes of one case are found.

use std::fs;
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A duration for `sleep` that no other case uses.
pub struct Marker(String);

impl Marker {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("86400.{}{number:04}", process::id()))
    }

    pub fn named(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Living processes with the marker among their arguments.
    pub fn living(&self) -> Vec<u32> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
            .filter(|(_, path)| is_alive(path) && self.is_argument_in(path))
            .map(|(pid, _)| pid)
            .collect()
    }

    /// Waits until `count` processes with the marker live.
    #[track_caller]
    pub fn wait_for(&self, count: usize) {
        wait_until(Duration::from_secs(10), || self.living().len() == count);
    }

    /// Makes sure that nothing with the marker lives, two seconds from now at the latest.
    #[track_caller]
    pub fn sweep(&self) {
        self.sweep_within(Duration::from_secs(2));
    }

    #[track_caller]
    pub fn sweep_within(&self, patience: Duration) {
        wait_until(patience, || self.living().is_empty());
    }

    fn is_argument_in(&self, path: &Path) -> bool {
        let command = fs::read(path.join("cmdline")).unwrap_or_default();
        command
            .split(|byte| *byte == 0)
            .any(|argument| argument == self.0.as_bytes())
    }
}

impl std::fmt::Display for Marker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn is_alive(path: &Path) -> bool {
    let stat = fs::read_to_string(path.join("stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|fields| fields.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// Whether a process lives and is no zombie.
pub fn lives(pid: i32) -> bool {
    is_alive(Path::new(&format!("/proc/{pid}")))
}

/// Waits for a condition.
#[track_caller]
pub fn wait_until(patience: Duration, mut holds: impl FnMut() -> bool) {
    let give_up = Instant::now() + patience;
    while !holds() {
        assert!(
            Instant::now() < give_up,
            "did not come true within {patience:?}"
        );
        thread::sleep(Duration::from_millis(2));
    }
}
