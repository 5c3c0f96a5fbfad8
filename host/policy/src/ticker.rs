//! The backstop for what fuel does not count: a thread that advances an engine's epoch while questions are in flight, and
//! sleeps else. At its ticks a question looks how much processor time it has had.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use wasmtime::EngineWeak;

/// Length of one epoch. A question overshoots its limit by at most this.
const TICK: Duration = Duration::from_millis(5);
/// How long the thread goes on ticking after the last question, so that a run of questions does not pay for waking it.
const LINGER: Duration = Duration::from_millis(200);

/// Ticks while at least one [`Watch`] lives.
pub(crate) struct Ticker {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

struct State {
    in_flight: usize,
    asleep: bool,
    closed: bool,
}

/// A question in flight.
pub(crate) struct Watch(Arc<Shared>);

impl Ticker {
    /// Starts the thread. It ends with the engine, or with the ticker.
    pub(crate) fn start(engine: EngineWeak) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                in_flight: 0,
                asleep: false,
                closed: false,
            }),
            wake: Condvar::new(),
        });
        let theirs = Arc::downgrade(&shared);
        std::thread::Builder::new()
            .name("policy-epoch".into())
            .spawn(move || {
                let mut quiet_since = Instant::now();
                while let (Some(shared), Some(engine)) = (theirs.upgrade(), engine.upgrade()) {
                    let mut state = shared.lock();
                    if state.in_flight > 0 {
                        quiet_since = Instant::now();
                    } else if quiet_since.elapsed() > LINGER {
                        state.asleep = true;
                        while state.asleep && !state.closed {
                            state = shared
                                .wake
                                .wait(state)
                                .unwrap_or_else(PoisonError::into_inner);
                        }
                        quiet_since = Instant::now();
                    }
                    if state.closed {
                        return;
                    }
                    drop(state);
                    drop(shared);
                    // A plain sleep, not a fixed rate: after a stall there is no burst of ticks that cuts innocent questions.
                    std::thread::sleep(TICK);
                    engine.increment_epoch();
                }
            })?;
        Ok(Self { shared })
    }

    /// Ticks until the watch is dropped.
    pub(crate) fn watch(&self) -> Watch {
        let mut state = self.shared.lock();
        state.in_flight += 1;
        if std::mem::take(&mut state.asleep) {
            self.shared.wake.notify_one();
        }
        Watch(Arc::clone(&self.shared))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.wake.notify_all();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.lock().in_flight -= 1;
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
