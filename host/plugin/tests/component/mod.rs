//! Components for tests, written as core modules, and stores to run them in.

use std::sync::Arc;

use ostler_plugin::{Grant, PluginCtx, PluginCtxView, PluginView};
use ostler_terminal::process::Warden;
use ostler_terminal::{Settings, Terminal};
use wasmtime::component::{Component, Instance, Linker, ResourceTable};
use wasmtime::{Engine, Store};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{PackageId, Resolve, SizeAlign, TypeDefKind, WorldId};

use crate::direct::Direct;

/// What a core module needs to be a component: memory to pass values in.
pub const MEMORY: &str = r#"
    (memory (export "memory") 2)
    (global $free (mut i32) (i32.const 65536))
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        (global.set $free
            (i32.and (i32.add (global.get $free) (i32.const 15)) (i32.const -16)))
        (global.get $free)
        (global.set $free (i32.add (global.get $free) (local.get 3))))"#;

/// The contract and a world of a test beside it.
pub struct World {
    resolve: Resolve,
    contract: PackageId,
    world: WorldId,
}

impl World {
    /// The world named `probe` of this package.
    pub fn new(package: &str) -> Self {
        let mut resolve = Resolve::default();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
        let (contract, _) = resolve.push_dir(folder).unwrap();
        let package = resolve.push_str("probe.wit", package).unwrap();
        let world = resolve.select_world(&[package], Some("probe")).unwrap();
        Self {
            resolve,
            contract,
            world,
        }
    }

    /// Where a field lies in a record of the contract, in bytes.
    pub fn offset(&self, interface: &str, record: &str, field: &str) -> usize {
        let interface = self.resolve.packages[self.contract].interfaces[interface];
        let record = self.resolve.interfaces[interface].types[record];
        let TypeDefKind::Record(record) = &self.resolve.types[record].kind else {
            panic!("{interface:?} has a record")
        };
        let mut sizes = SizeAlign::default();
        sizes.fill(&self.resolve);
        let offsets = sizes.field_offsets(record.fields.iter().map(|field| &field.ty));
        let index = record.fields.iter().position(|it| it.name == field);
        offsets[index.unwrap()].0.size_wasm32()
    }

    /// A component of a core module.
    pub fn component(&self, module: &str) -> Vec<u8> {
        let mut module = wat::parse_str(module).unwrap();
        let encoding = StringEncoding::UTF8;
        embed_component_metadata(&mut module, &self.resolve, self.world, encoding).unwrap();
        ComponentEncoder::default()
            .module(&module)
            .unwrap()
            .validate(true)
            .encode()
            .unwrap()
    }
}

/// The data of a store.
pub struct Host {
    plugin: PluginCtx,
    pub table: ResourceTable,
}

impl PluginView for Host {
    fn plugin(&mut self) -> PluginCtxView<'_> {
        PluginCtxView {
            ctx: &mut self.plugin,
            table: &mut self.table,
        }
    }
}

/// A store whose components get that much, on a terminal of its own.
pub fn store(grant: Grant) -> Store<Host> {
    let terminal = Terminal::new(
        Warden::start().unwrap(),
        Arc::new(Direct),
        Settings::default(),
    );
    let host = Host {
        plugin: PluginCtx::new(Arc::new(terminal.unwrap()), grant),
        table: ResourceTable::new(),
    };
    Store::new(&Engine::default(), host)
}

/// The component, running in that store.
pub async fn instance(store: &mut Store<Host>, component: &[u8]) -> Instance {
    let engine = store.engine().clone();
    let mut linker = Linker::new(&engine);
    ostler_plugin::add_to_linker(&mut linker).unwrap();
    let component = Component::from_binary(&engine, component).unwrap();
    linker.instantiate_async(store, &component).await.unwrap()
}
