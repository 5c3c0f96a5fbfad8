//! How a host lends a terminal to components.

use std::sync::Arc;

use ostler_terminal::Terminal;
use wasmtime::component::{HasData, Linker, ResourceTable};

use crate::bindings::ostler::terminal::{exec, jobs, outputs};

/// What a component may do. Nothing by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grant {
    /// Run commands, judged by the terminal's policy.
    pub exec: bool,
    /// Start jobs, likewise judged: commands that run while the component does something else.
    pub jobs: bool,
    /// Let its commands begin with the environment of this process, secrets included.
    pub inherit_environment: bool,
}

/// What one store keeps of a terminal.
pub struct PluginCtx {
    pub(crate) terminal: Arc<Terminal>,
    pub(crate) grant: Grant,
}

impl PluginCtx {
    /// A terminal with a grant.
    pub fn new(terminal: Arc<Terminal>, grant: Grant) -> Self {
        Self { terminal, grant }
    }
}

/// A [`PluginCtx`] and the table of the resources that the component holds.
pub struct PluginCtxView<'a> {
    /// The terminal and its grant.
    pub ctx: &'a mut PluginCtx,
    /// The component's resources.
    pub table: &'a mut ResourceTable,
}

/// Implemented by the data of a store that components with terminal imports run in.
pub trait PluginView: Send {
    /// Lends the context and the table.
    fn plugin(&mut self) -> PluginCtxView<'_>;
}

/// Adds `ostler:terminal/exec`, `ostler:terminal/jobs` and `ostler:terminal/outputs`. Components that use them are called
/// with `*_async`, inside a tokio runtime.
///
/// # Errors
/// Where the linker has one of them already.
pub fn add_to_linker<T: PluginView + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    exec::add_to_linker::<T, Plugin>(linker, T::plugin)?;
    jobs::add_to_linker::<T, Plugin>(linker, T::plugin)?;
    outputs::add_to_linker::<T, Plugin>(linker, T::plugin)
}

struct Plugin;

impl HasData for Plugin {
    type Data<'a> = PluginCtxView<'a>;
}
