//! The envelope: what became of a command, in the form that agents know. Built once, for both faces.

mod shape;
mod tell;

#[cfg(test)]
mod tests;

pub use shape::Envelope;
pub use tell::{MAX_INLINE_BYTES, message};
