//! The envelope: what became of a command, in the form that agents know. Built once, for both faces.

mod reason;
mod shape;
mod shown;
mod tell;

#[cfg(test)]
mod tests;

pub use reason::EndReason;
pub use shape::{
    Envelope, FindingView, OpaqueView, PolicyView, SemanticStatus, ShellKind, SurvivorView,
};
pub use shown::{MAX_INLINE_BYTES, View};
pub use tell::{gravest, message, severity_word, signal_of};
