//! The WebAssembly engine that policies share: one configuration, one compile cache, one epoch.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::cache::Cache;
use crate::error::LoadError;
use crate::limits::{Limits, MAX_CONCURRENT, STACK_BYTES};
use crate::sandbox::{self, Sandbox};
use crate::ticker::Ticker;

/// Compiles and runs policies. Cheap to clone; policies of one engine share its compile cache.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    wasmtime: wasmtime::Engine,
    linker: Linker<Sandbox>,
    cache: Option<Cache>,
    ticker: Ticker,
    limits: Limits,
    seats: Seats,
}

impl Engine {
    /// An engine with these limits. Compiled policies are kept in `cache_dir`, if one is given, which must be writable for
    /// nobody else: what lies in it becomes native code. A folder that cannot be used costs time, not function.
    ///
    /// # Errors
    /// [`LoadError::Engine`] where this machine cannot run WebAssembly.
    pub fn new(limits: Limits, cache_dir: Option<&Path>) -> Result<Self, LoadError> {
        // Pooled instances start faster; where the address space is bounded (`ulimit -v`), do without.
        let wasmtime = wasmtime::Engine::new(&config(Some(pool(&limits))))
            .or_else(|_| wasmtime::Engine::new(&config(None)))
            .map_err(|error| LoadError::Engine(format!("{error:#}")))?;
        let mut linker = Linker::new(&wasmtime);
        sandbox::link(&mut linker).map_err(|error| LoadError::Engine(format!("{error:#}")))?;
        let ticker = Ticker::start(wasmtime.weak())
            .map_err(|error| LoadError::Engine(format!("no thread for the clock: {error}")))?;
        let seats = Seats {
            free: Mutex::new(MAX_CONCURRENT),
            freed: Condvar::new(),
        };
        Ok(Self(Arc::new(Inner {
            wasmtime,
            linker,
            cache: cache_dir.and_then(Cache::open),
            ticker,
            limits,
            seats,
        })))
    }

    pub(crate) fn wasmtime(&self) -> &wasmtime::Engine {
        &self.0.wasmtime
    }

    /// Makes code of a component with this digest, unless that has been done before.
    pub(crate) fn compile(&self, bytes: &[u8], sha256: &str) -> wasmtime::Result<Component> {
        let cache = self.0.cache.as_ref();
        if let Some(component) = cache.and_then(|it| it.load(self.wasmtime(), sha256)) {
            return Ok(component);
        }
        let component = Component::from_binary(self.wasmtime(), bytes)?;
        if let Some(cache) = cache {
            cache.store(self.wasmtime(), sha256, &component);
        }
        Ok(component)
    }

    pub(crate) fn linker(&self) -> &Linker<Sandbox> {
        &self.0.linker
    }

    pub(crate) fn ticker(&self) -> &Ticker {
        &self.0.ticker
    }

    /// The limits within which policies of this engine are asked.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Waits until fewer than [`MAX_CONCURRENT`] questions are in flight. Each of them ends within its limits.
    pub(crate) fn seat(&self) -> Seat<'_> {
        let seats = &self.0.seats;
        let mut free = seats.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            free = seats
                .freed
                .wait(free)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *free -= 1;
        Seat(seats)
    }
}

struct Seats {
    free: Mutex<u32>,
    freed: Condvar,
}

/// The right to have an instance.
pub(crate) struct Seat<'a>(&'a Seats);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

fn config(pool: Option<PoolingAllocationConfig>) -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        .concurrency_support(false)
        .consume_fuel(true)
        .epoch_interruption(true)
        .max_wasm_stack(STACK_BYTES)
        // The same question has the same answer on every machine.
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        // A policy's panic text says more than addresses in it, and the tables cost memory.
        .generate_address_map(false);
    if let Some(pool) = pool {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    config
}

fn pool(limits: &Limits) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(MAX_CONCURRENT)
        .total_stacks(MAX_CONCURRENT)
        .total_core_instances(MAX_CONCURRENT * 16)
        .total_memories(MAX_CONCURRENT * 4)
        .total_tables(MAX_CONCURRENT * 16)
        .max_core_instances_per_component(64)
        .max_memories_per_component(8)
        .max_tables_per_component(64)
        .max_memory_size(limits.memory_bytes)
        .table_elements(limits.table_elements)
        .max_unused_warm_slots(1)
        // Only what a policy wrote is reset, where the kernel tells (Linux 6.7): 40 % of an answer.
        .pagemap_scan(Enabled::Auto)
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10);
    pool
}
