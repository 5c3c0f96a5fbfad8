//! Where a policy is asked: in place while it answers at once, on a thread of its own where it does not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An answer within this time costs other work less than a thread in between would: two wake-ups, some 50 µs each.
const AT_ONCE: Duration = Duration::from_millis(1);

/// How the policy answered last. It begins as slow: it may still be loading.
#[derive(Debug, Default, Clone)]
pub(crate) struct Pace {
    answers_at_once: Arc<AtomicBool>,
}

impl Pace {
    /// Asks a bounded question. One slow answer at most delays what else runs on this thread.
    pub(crate) async fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce() -> R + Send + 'static,
    ) -> R {
        let pace = self.clone();
        let timed = move || {
            let started = Instant::now();
            let answer = question();
            let at_once = started.elapsed() < AT_ONCE;
            pace.answers_at_once.store(at_once, Ordering::Relaxed);
            answer
        };
        if self.answers_at_once.load(Ordering::Relaxed) {
            return timed();
        }
        match tokio::task::spawn_blocking(timed).await {
            Ok(answer) => answer,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime is shutting down and this task with it.
                Err(_) => std::future::pending().await,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{current, sleep};

    use super::*;

    #[tokio::test]
    async fn a_slow_answer_sends_the_next_question_to_a_thread_and_a_fast_one_brings_it_back() {
        let (pace, here) = (Pace::default(), current().id());
        assert_ne!(pace.ask(|| current().id()).await, here, "it may be loading");
        assert_eq!(pace.ask(|| current().id()).await, here);
        pace.ask(|| sleep(2 * AT_ONCE)).await;
        assert_ne!(pace.ask(|| current().id()).await, here);
        assert_eq!(pace.ask(|| current().id()).await, here);
    }
}
