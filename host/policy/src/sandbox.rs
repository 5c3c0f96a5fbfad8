//! What surrounds a policy while it answers: a WASI without anything in it, and a count of what it takes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncWrite;
use wasmtime::component::{Linker, ResourceTable};
use wasmtime::{ResourceLimiter, Result, format_err};
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};
use wasmtime_wasi::{
    Deterministic, HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxView, WasiView,
};

use crate::limits::Limits;

/// The data of one store.
pub(crate) struct Sandbox {
    wasi: WasiCtx,
    table: ResourceTable,
    printed: Printed,
    limiter: Limiter,
}

impl Sandbox {
    pub(crate) fn new(limits: &Limits) -> Self {
        let printed = Printed {
            kept: Arc::default(),
            max_bytes: limits.printed_bytes,
        };
        let mut table = ResourceTable::new();
        table.set_max_capacity(256);
        Self {
            wasi: WasiCtx::builder()
                .stdout(printed.clone())
                .stderr(printed.clone())
                .wall_clock(Frozen)
                .monotonic_clock(Frozen)
                .secure_random(seeded())
                .insecure_random(seeded())
                .insecure_random_seed(0)
                .max_random_size(64 << 10)
                .build(),
            table,
            printed,
            limiter: Limiter {
                memory_bytes: 0,
                max_memory_bytes: limits.memory_bytes,
                max_table_elements: limits.table_elements,
                refused: None,
            },
        }
    }

    /// What it has printed, lossily as text.
    pub(crate) fn printed(&self) -> String {
        let kept = self
            .printed
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }

    /// Which limit it ran into, if the store refused it something.
    pub(crate) fn refused(&self) -> Option<&str> {
        self.limiter.refused.as_deref()
    }

    pub(crate) fn limiter(&mut self) -> &mut dyn ResourceLimiter {
        &mut self.limiter
    }
}

impl WasiView for Sandbox {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

/// Links the empty WASI. Waiting is taken out of it: with a clock that stands still there is nothing to wait for.
pub(crate) fn link(linker: &mut Linker<Sandbox>) -> Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    linker.allow_shadowing(true);
    let mut poll = linker.instance("wasi:io/poll@0.2.12")?;
    for function in ["poll", "[method]pollable.block"] {
        poll.func_new_async(function, |_, _, _, _| {
            Box::new(async { Err(format_err!("it tried to wait")) })
        })?;
    }
    Ok(())
}

/// Random numbers that are the same for every question.
fn seeded() -> Deterministic {
    Deterministic::new(vec![0x9e, 0x37, 0x79, 0xb9, 0x7f, 0x4a, 0x7c, 0x15])
}

/// A clock that stands still.
struct Frozen;

impl HostWallClock for Frozen {
    fn resolution(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl HostMonotonicClock for Frozen {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        0
    }
}

/// What a policy prints: the first bytes are kept, the rest is taken and forgotten, so that printing never fails.
#[derive(Clone)]
struct Printed {
    kept: Arc<Mutex<Vec<u8>>>,
    max_bytes: usize,
}

impl IsTerminal for Printed {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Printed {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for Printed {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        let mut kept = self.kept.lock().map_err(|_| StreamError::Closed)?;
        let room = self.max_bytes.saturating_sub(kept.len()).min(bytes.len());
        kept.extend_from_slice(&bytes[..room]);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 << 10)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Printed {
    async fn ready(&mut self) {}
}

/// Counts what a policy takes and remembers what it was refused: wasmtime's own limiter sees one memory at a time, and a
/// guest that is refused memory ends in an `unreachable` that looks like a panic.
struct Limiter {
    memory_bytes: usize,
    max_memory_bytes: usize,
    max_table_elements: usize,
    refused: Option<String>,
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool> {
        let total = self
            .memory_bytes
            .saturating_add(desired.saturating_sub(current));
        if total > self.max_memory_bytes {
            let max = self.max_memory_bytes;
            self.refused = Some(format!(
                "it asked for {total} bytes of memory and may have {max}"
            ));
            return Ok(false);
        }
        self.memory_bytes = total;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool> {
        let max = self.max_table_elements;
        if desired > max {
            self.refused = Some(format!(
                "it asked for a table of {desired} elements and may have {max}"
            ));
            return Ok(false);
        }
        Ok(true)
    }
}
