//! The contract's `policy` interface as the host calls it.
#![allow(
    missing_docs,
    reason = "generated from wit/, where every item is documented"
)]

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "policy-guest",
    exports: { default: async },
});

pub use exports::ostler::terminal::policy;
pub use ostler::terminal::types;
