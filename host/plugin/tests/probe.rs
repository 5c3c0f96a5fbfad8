//! A component that imports the terminal is linked, runs a command, reads what it printed, and gets no further than its grant.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod component;
mod direct;

use ostler_plugin::Grant;

use component::{MEMORY, World, instance, store};

/// A component that runs `/bin/echo hello` and gives the first four bytes that it reads back, or 1,000 and the number of
/// the error's case.
fn probe() -> Vec<u8> {
    let world = World::new(
        "package test:probe;
        world probe {
            import ostler:terminal/exec@0.1.0;
            import ostler:terminal/outputs@0.1.0;
            export probe: func() -> u32;
        }",
    );
    // Canonical ABI: a record of more than 16 numbers is passed by its address. All zeros is a command with the policy's
    // choice of shell, the host's directory, an empty environment, no stdin, limits or deadline. The payload of a result
    // follows its discriminant at the alignment of the larger case: 8 here, `runtime-ms` and `offset`.
    let output = 1024 + 8 + world.offset("exec", "outcome", "output");
    let bytes = 2048 + 8 + world.offset("outputs", "chunk", "bytes");
    world.component(&format!(
        r#"(module
        (import "ostler:terminal/exec@0.1.0" "run" (func $run (param i32 i32)))
        (import "ostler:terminal/outputs@0.1.0" "[method]output.read"
            (func $read (param i32 i32 i64 i32 i64 i32)))
        (import "ostler:terminal/outputs@0.1.0" "[resource-drop]output" (func $drop (param i32)))
        {MEMORY}
        (data (i32.const 4096) "/bin/echo hello")
        (func (export "probe") (result i32) (local $output i32) (local $first i32)
            (i32.store (i32.const 0) (i32.const 4096))
            (i32.store (i32.const 4) (i32.const 15))
            (call $run (i32.const 0) (i32.const 1024))
            (if (i32.load8_u (i32.const 1024))
                (then (return (i32.add (i32.const 1000) (i32.load8_u (i32.const 1032))))))
            (local.set $output (i32.load (i32.const {output})))
            (call $read (local.get $output) (i32.const 0) (i64.const 0) (i32.const 64) (i64.const 0)
                (i32.const 2048))
            (local.set $first (i32.load (i32.load (i32.const {bytes}))))
            (call $drop (local.get $output))
            (local.get $first)))"#
    ))
}

async fn run(grant: Grant) -> u32 {
    let mut store = store(grant);
    let instance = instance(&mut store, &probe()).await;
    let probe = instance
        .get_typed_func::<(), (u32,)>(&mut store, "probe")
        .unwrap();
    let (answer,) = probe.call_async(&mut store, ()).await.unwrap();
    assert!(
        store.data().table.is_empty(),
        "the component's resources are gone"
    );
    answer
}

#[tokio::test]
async fn a_granted_component_runs_a_command_and_reads_its_output() {
    let first = run(Grant {
        exec: true,
        ..Grant::default()
    })
    .await;
    assert_eq!(&first.to_le_bytes(), b"hell");
}

#[tokio::test]
async fn nothing_is_granted_by_default() {
    // The fifth case of `exec-error`, counted from 0.
    assert_eq!(run(Grant::default()).await, 1004);
}
