//! What `bindgen!` makes of the contract's `exec`, `jobs` and `outputs`, for hosts that need more than [`crate::add_to_linker`].
#![allow(
    missing_docs,
    reason = "generated from wit/, where every item is documented"
)]

wasmtime::component::bindgen!({
    path: "../../wit",
    inline: "
        package ostler:host;
        world terminal {
            import ostler:terminal/exec@0.1.0;
            import ostler:terminal/jobs@0.1.0;
            import ostler:terminal/outputs@0.1.0;
        }
    ",
    world: "ostler:host/terminal",
    imports: {
        "ostler:terminal/exec@0.1.0.run": async | trappable,
        "ostler:terminal/jobs@0.1.0.start": async | trappable,
        "ostler:terminal/jobs@0.1.0.[method]job.survivors": async | trappable,
        "ostler:terminal/jobs@0.1.0.[method]job.wait": async | trappable,
        "ostler:terminal/outputs@0.1.0.[method]output.read": async | trappable,
        default: trappable,
    },
    with: {
        "ostler:terminal/jobs@0.1.0.job": crate::JobState,
        "ostler:terminal/outputs@0.1.0.output": crate::OutputState,
    },
});
