//! How the server comes to its end: which stage it has reached, and who waits for it.

use tokio::sync::watch;

/// How far the end has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Requests come and are answered.
    Serving,
    /// No request will come any more; calls in flight may finish.
    InputEnded,
    /// Calls in flight are ended and answered with what they have.
    Stopping,
}

/// The one place that knows how far the end has come. Clones share it; it only moves forward.
#[derive(Debug, Clone)]
pub struct Ending(watch::Sender<Stage>);

impl Ending {
    /// The end is far.
    pub fn new() -> Self {
        Self(watch::Sender::new(Stage::Serving))
    }

    /// The client closed its side: no request will come any more.
    pub fn input_ended(&self) {
        self.advance(Stage::InputEnded);
    }

    /// Somebody wants the end now, or nobody reads the answers any more.
    pub fn stop(&self) {
        self.advance(Stage::Stopping);
    }

    /// Waits until no request will come any more.
    pub async fn no_more_requests(&self) {
        self.reached(Stage::InputEnded).await;
    }

    /// Waits until calls in flight are to be ended.
    pub async fn stopping(&self) {
        self.reached(Stage::Stopping).await;
    }

    fn advance(&self, to: Stage) {
        self.0.send_if_modified(|stage| {
            let forward = to > *stage;
            *stage = (*stage).max(to);
            forward
        });
    }

    async fn reached(&self, wanted: Stage) {
        // It cannot fail: the sender lives in `self`.
        let _ = self.0.subscribe().wait_for(|stage| *stage >= wanted).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_only_comes_nearer() {
        let ending = Ending::new();
        ending.stop();
        ending.input_ended();
        ending.stopping().await;
        ending.no_more_requests().await;
    }
}
