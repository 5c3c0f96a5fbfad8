//! The terminal's WIT interfaces for hosts that embed wasmtime.
//!
//! Put a [`PluginCtx`] and a `ResourceTable` into your store, implement [`PluginView`], call [`add_to_linker`]; components
//! can then import `ostler:terminal/exec`, `ostler:terminal/jobs` and `ostler:terminal/outputs`. Jobs and outputs are resources:
//! a component can signal and read only what it started itself, and what it started ends with it, unless it detached it. A
//! component may do nothing that its [`Grant`] does not name.
//!
//! ```
//! use std::sync::Arc;
//! use ostler_plugin::{Grant, PluginCtx, PluginCtxView, PluginView};
//! use ostler_terminal::Terminal;
//! use wasmtime::component::{Linker, ResourceTable};
//!
//! struct MyStore { plugin: PluginCtx, table: ResourceTable }
//!
//! impl PluginView for MyStore {
//!     fn plugin(&mut self) -> PluginCtxView<'_> {
//!         PluginCtxView { ctx: &mut self.plugin, table: &mut self.table }
//!     }
//! }
//!
//! fn link(engine: &wasmtime::Engine) -> wasmtime::Result<Linker<MyStore>> {
//!     let mut linker = Linker::new(engine);
//!     ostler_plugin::add_to_linker(&mut linker)?;
//!     Ok(linker)
//! }
//!
//! fn store(engine: &wasmtime::Engine, terminal: Arc<Terminal>) -> wasmtime::Store<MyStore> {
//!     let plugin = PluginCtx::new(terminal, Grant { exec: true, ..Grant::default() });
//!     wasmtime::Store::new(engine, MyStore { plugin, table: ResourceTable::new() })
//! }
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests fail by panicking"))]

pub mod bindings;
mod host;
mod view;

pub use host::{JobState, OutputState};
pub use view::{Grant, PluginCtx, PluginCtxView, PluginView, add_to_linker};
