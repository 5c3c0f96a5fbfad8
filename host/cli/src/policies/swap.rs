//! Replacing the policy while the server serves.

use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use ostler_terminal::Terminal;
use ostler_terminal::policy::Policy;
use tokio::time::{MissedTickBehavior, interval};

use super::shadow::Shadow;
use super::source::load;
use crate::args::Common;
use crate::config::Config;
use crate::paint::{Tone, note};
use crate::signals::Hangups;

/// Time between looks at the file of a watched policy.
const LOOK: Duration = Duration::from_millis(500);

/// Loads the policy again at each SIGHUP and, if that is wanted, whenever its file has changed: with the
/// settings as they are then, beside the current one, which stays where the new one cannot be used. Ends with the terminal.
pub async fn keep_current(
    terminal: Weak<Terminal>,
    common: Common,
    config: Config,
    shadow: Option<Arc<Shadow>>,
    mut hangups: Hangups,
) {
    let watched = config.policy.filter(|_| config.watch_policy);
    let mut changes = watched.as_deref().map(|path| Changes::of(path, LOOK));
    loop {
        tokio::select! {
            () = hangups.next() => {}
            () = changed(changes.as_mut()) => {}
        }
        let common = common.clone();
        let loaded = tokio::task::spawn_blocking(move || {
            let config = Config::load(&common)?;
            anyhow::Ok(load(
                config.policy.as_deref(),
                config.policy_settings.as_deref(),
            )?)
        });
        let Some(terminal) = terminal.upgrade() else {
            return;
        };
        match loaded.await {
            Ok(Ok(policy)) => {
                let (old, new) = (terminal.policy().identity(), policy.identity());
                terminal.set_policy(Shadow::beside(shadow.as_ref(), Arc::new(policy)));
                note(Tone::Note, &format!("policy {old} was replaced by {new}"));
            }
            Ok(Err(error)) => {
                let current = terminal.policy().identity();
                let text = format!("policy {current} stays; the new one cannot be used: {error:#}");
                note(Tone::Error, &text);
            }
            // The runtime is going down.
            Err(_) => return,
        }
    }
}

async fn changed(changes: Option<&mut Changes<'_>>) {
    match changes {
        Some(changes) => changes.next().await,
        None => std::future::pending().await,
    }
}

/// When a file was written last, and how long it is. None while there is none.
type Look = Option<(SystemTime, u64)>;

/// The changes of a file. Looking at it every now and then sees each way of replacing it, on every file system.
struct Changes<'a> {
    path: &'a Path,
    period: Duration,
    last: Look,
}

impl<'a> Changes<'a> {
    fn of(path: &'a Path, period: Duration) -> Self {
        Self {
            path,
            period,
            last: look(path),
        }
    }

    /// Returns when the file has changed and stands still: it may be written in pieces.
    async fn next(&mut self) {
        let mut ticks = interval(self.period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut before = self.last;
        loop {
            ticks.tick().await;
            let now = look(self.path);
            if now == before && now != self.last && now.is_some() {
                self.last = now;
                return;
            }
            before = now;
        }
    }
}

fn look(path: &Path) -> Look {
    let metadata = path.metadata().ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn a_change_is_seen_once_and_only_when_it_stands_still() {
        const PERIOD: Duration = Duration::from_millis(2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.wasm");
        std::fs::write(&path, "1").unwrap();
        let mut changes = Changes::of(&path, PERIOD);
        let mut is_quiet = async || timeout(10 * PERIOD, changes.next()).await.is_err();
        assert!(is_quiet().await);
        std::fs::remove_file(&path).unwrap();
        assert!(is_quiet().await);
        std::fs::write(&path, "22").unwrap();
        while is_quiet().await {}
        assert!(is_quiet().await);
    }
}
