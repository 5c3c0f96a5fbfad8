//! Tells a client that waits how far a command has come.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// Time between two reports, and before the first: short commands report nothing.
const PERIOD: Duration = Duration::from_secs(1);

/// Reports for as long as it is polled: the seconds since the start, of those until the deadline, and the bytes so far.
/// Without a token nobody wants to know.
pub async fn report(
    peer: &Peer<RoleServer>,
    token: Option<ProgressToken>,
    deadline: Option<Duration>,
    produced_bytes: &AtomicU64,
) -> Infallible {
    let Some(token) = token else {
        return std::future::pending().await;
    };
    let started = Instant::now();
    let mut beat = interval_at(started + PERIOD, PERIOD);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        let elapsed = started.elapsed().as_secs_f64();
        let message = message(elapsed, produced_bytes.load(Ordering::Relaxed));
        let mut progress =
            ProgressNotificationParam::new(token.clone(), elapsed).with_message(message);
        if let Some(deadline) = deadline {
            progress = progress.with_total(deadline.as_secs_f64());
        }
        // A client that is gone is noticed where the answer is written.
        let _ = peer.notify_progress(progress).await;
    }
}

fn message(elapsed_sec: f64, bytes: u64) -> String {
    let output = match bytes {
        0 => "no output yet".to_owned(),
        1..1024 => format!("{bytes} bytes of output"),
        1024..1_048_576 => format!("{} KiB of output", bytes / 1024),
        _ => format!("{} MiB of output", bytes / 1_048_576),
    };
    format!("running for {elapsed_sec:.0} s, {output}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_words() {
        assert_eq!(message(1.0, 0), "running for 1 s, no output yet");
        assert_eq!(message(12.3, 5 << 10), "running for 12 s, 5 KiB of output");
        assert_eq!(message(60.0, 3 << 20), "running for 60 s, 3 MiB of output");
    }
}
