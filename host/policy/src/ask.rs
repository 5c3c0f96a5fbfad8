//! One question to a policy: a fresh store within limits, and a typed failure for whatever goes wrong in it.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use ostler_terminal::policy::PolicyFailure;
use wasmtime::{Store, Trap, UpdateDeadline, format_err};
use wasmtime_wasi::I32Exit;

use crate::bindings::policy::Guest;
use crate::bindings::{PolicyGuest, PolicyGuestPre};
use crate::engine::Engine;
use crate::limits::Limits;
use crate::sandbox::Sandbox;

/// An instance that answers one question and is thrown away.
pub(crate) struct Question<'a> {
    /// The engine that it runs in.
    pub(crate) engine: &'a Engine,
    /// What is instantiated.
    pub(crate) pre: &'a PolicyGuestPre<Sandbox>,
    /// Settings to hand over first.
    pub(crate) settings: Option<&'a str>,
    /// The name of the function that is called.
    pub(crate) call: &'static str,
}

/// Why a question has no answer.
pub(crate) enum Unanswered {
    /// It broke.
    Broke {
        /// The function in which it broke.
        call: &'static str,
        /// What it did.
        what: String,
        /// What it printed.
        output: String,
    },
    /// It does not take its settings; its words.
    Settings(String),
}

impl Unanswered {
    /// As the failure of the policy with this identity.
    pub(crate) fn of(self, policy: String) -> PolicyFailure {
        match self {
            Self::Broke { call, what, output } => PolicyFailure {
                policy,
                call,
                what,
                output,
            },
            Self::Settings(reason) => PolicyFailure {
                policy,
                call: "configure",
                what: format!("it no longer accepts its settings: {reason}"),
                output: String::new(),
            },
        }
    }
}

impl Question<'_> {
    /// Instantiates, configures and asks. Once it is its turn it takes no more than its processor time, whatever the policy does, and needs no
    /// asynchronous runtime: the call is polled once, and a policy that would have to be polled again has waited for
    /// something, which it may not.
    pub(crate) fn ask<R>(
        self,
        question: impl AsyncFnOnce(&Guest, &mut Store<Sandbox>) -> wasmtime::Result<R>,
    ) -> Result<R, Unanswered> {
        let limits = self.engine.limits();
        let _seat = self.engine.seat();
        let _watch = self.engine.ticker().watch();
        let mut store = Store::new(self.engine.wasmtime(), Sandbox::new(limits));
        store.limiter(Sandbox::limiter);
        store.set_hostcall_fuel(limits.answer_bytes);
        let (started, most) = (processor_time(), limits.processor_time);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(move |_| {
            if processor_time() - started < most {
                Ok(UpdateDeadline::Continue(1))
            } else {
                Err(Trap::Interrupt.into())
            }
        });

        let mut call = "instantiate";
        let answer = async {
            store.set_fuel(limits.fuel)?;
            let instance: PolicyGuest = self.pre.instantiate_async(&mut store).await?;
            let guest = instance.ostler_terminal_policy();
            if let Some(settings) = self.settings {
                call = "configure";
                if let Err(reason) = guest.call_configure(&mut store, settings).await? {
                    return Ok(Err(reason));
                }
            }
            call = self.call;
            question(guest, &mut store).await.map(Ok)
        };
        match poll_once(answer) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(reason)) => Err(Unanswered::Settings(reason)),
            Err(error) => Err(Unanswered::Broke {
                call,
                what: explain(&error, store.data(), limits),
                output: store.data().printed(),
            }),
        }
    }
}

/// What this thread has had of a processor so far (Linux 2.6.12, `CLOCK_THREAD_CPUTIME_ID`).
fn processor_time() -> Duration {
    // It fails only where the kernel lacks the clock; fuel is the limit there.
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn poll_once<R>(future: impl Future<Output = wasmtime::Result<R>>) -> wasmtime::Result<R> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(format_err!("it tried to wait")),
    }
}

/// Says what a policy did, in terms of its limits.
fn explain(error: &wasmtime::Error, sandbox: &Sandbox, limits: &Limits) -> String {
    if let Some(refused) = sandbox.refused() {
        return refused.to_owned();
    }
    if let Some(exit) = error.downcast_ref::<I32Exit>() {
        return format!("it called exit({}) instead of answering", exit.0);
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => {
            format!(
                "it did not answer within {} instructions (an endless loop?)",
                limits.fuel
            )
        }
        Some(Trap::Interrupt) => {
            format!(
                "it did not answer within {} ms of processor time",
                limits.processor_time.as_millis()
            )
        }
        Some(Trap::StackOverflow) => "its stack overflowed (endless recursion?)".into(),
        Some(Trap::UnreachableCodeReached) => "it panicked".into(),
        Some(trap) => format!("it trapped: {trap}"),
        None => {
            let cause = error.root_cause().to_string();
            if cause == "it tried to wait" {
                return cause;
            }
            // wasmtime has no type for an answer beyond the bound of `set_hostcall_fuel`.
            if cause.contains("too much data is being copied") {
                return format!("its answer is larger than {} bytes", limits.answer_bytes);
            }
            format!("its answer is malformed: {cause}")
        }
    }
}
