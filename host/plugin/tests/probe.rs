//! A component that imports the terminal is linked, runs a command, reads what it printed, and gets no further than its grant.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod direct;

use std::sync::Arc;

use ostler_plugin::{Grant, PluginCtx, PluginCtxView, PluginView};
use ostler_terminal::process::Warden;
use ostler_terminal::{Settings, Terminal};
use wasmtime::Store;
use wasmtime::component::{Component, Linker, ResourceTable};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use direct::Direct;

struct Host {
    plugin: PluginCtx,
    table: ResourceTable,
}

impl PluginView for Host {
    fn plugin(&mut self) -> PluginCtxView<'_> {
        PluginCtxView {
            ctx: &mut self.plugin,
            table: &mut self.table,
        }
    }
}

/// A component that runs `/bin/echo hello` and gives the first four bytes that it reads back, or 1,000 and the number of
/// the error's case.
fn probe() -> Vec<u8> {
    // Canonical ABI: a record of more than 16 numbers is passed by its address. All zeros is a command with the policy's
    // choice of shell, the host's directory, an empty environment, no stdin, limits or deadline.
    let text = r#"(module
        (import "ostler:terminal/exec@0.1.0" "run" (func $run (param i32 i32)))
        (import "ostler:terminal/outputs@0.1.0" "[method]output.read"
            (func $read (param i32 i32 i64 i32 i64 i32)))
        (import "ostler:terminal/outputs@0.1.0" "[resource-drop]output" (func $drop (param i32)))
        (import "ostler:terminal/jobs@0.1.0" "[method]job.wait" (func (param i32 i64 i32)))
        (memory (export "memory") 2)
        (global $free (mut i32) (i32.const 65536))
        (data (i32.const 4096) "/bin/echo hello")
        (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
            (global.set $free
                (i32.and (i32.add (global.get $free) (i32.const 15)) (i32.const -16)))
            (global.get $free)
            (global.set $free (i32.add (global.get $free) (local.get 3))))
        (func (export "probe") (result i32) (local $output i32) (local $first i32)
            (i32.store (i32.const 0) (i32.const 4096))
            (i32.store (i32.const 4) (i32.const 15))
            (call $run (i32.const 0) (i32.const 1024))
            (if (i32.load8_u (i32.const 1024))
                (then (return (i32.add (i32.const 1000) (i32.load8_u (i32.const 1032))))))
            (local.set $output (i32.load (i32.const OUTPUT)))
            (call $read (local.get $output) (i32.const 0) (i64.const 0) (i32.const 64) (i64.const 0)
                (i32.const 2048))
            (local.set $first (i32.load (i32.load (i32.const 2064))))
            (call $drop (local.get $output))
            (local.get $first)))"#;
    // The folder of the contract and a world of our own beside it.
    let mut resolve = Resolve::default();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
    let (contract, _) = resolve.push_dir(folder).unwrap();
    let world = "package test:probe;
        world probe {
            import ostler:terminal/exec@0.1.0;
            import ostler:terminal/jobs@0.1.0;
            import ostler:terminal/outputs@0.1.0;
            export probe: func() -> u32;
        }";
    let package = resolve.push_str("probe.wit", world).unwrap();
    let world = resolve.select_world(&[package], Some("probe")).unwrap();
    let output = output_offset(&resolve, contract);
    let mut module = wat::parse_str(text.replace("OUTPUT", &output.to_string())).unwrap();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default()
        .module(&module)
        .unwrap()
        .validate(true)
        .encode()
        .unwrap()
}

/// Where the handle of the output lies in the answer of `run`, which begins at 1024.
fn output_offset(resolve: &Resolve, contract: wit_parser::PackageId) -> usize {
    let exec = resolve.packages[contract].interfaces["exec"];
    let outcome = resolve.interfaces[exec].types["outcome"];
    let wit_parser::TypeDefKind::Record(record) = &resolve.types[outcome].kind else {
        panic!("outcome is a record")
    };
    let mut sizes = wit_parser::SizeAlign::default();
    sizes.fill(resolve);
    let fields = sizes.field_offsets(record.fields.iter().map(|field| &field.ty));
    let field = record
        .fields
        .iter()
        .position(|field| field.name == "output")
        .unwrap();
    // The payload of a result follows its discriminant at the alignment of the larger case: 8 here, `runtime-ms`.
    1024 + 8 + fields[field].0.size_wasm32()
}

async fn run(grant: Grant) -> u32 {
    let terminal = Terminal::new(
        Warden::start().unwrap(),
        Arc::new(Direct),
        Settings::default(),
    );
    let engine = wasmtime::Engine::default();
    let mut linker = Linker::<Host>::new(&engine);
    ostler_plugin::add_to_linker(&mut linker).unwrap();
    let component = Component::from_binary(&engine, &probe()).unwrap();
    let plugin = PluginCtx::new(Arc::new(terminal.unwrap()), grant);
    let mut store = Store::new(
        &engine,
        Host {
            plugin,
            table: ResourceTable::new(),
        },
    );
    let instance = linker
        .instantiate_async(&mut store, &component)
        .await
        .unwrap();
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
