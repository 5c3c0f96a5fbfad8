//! What a policy may import: the WASI 0.2 basics that a standard library pulls in, each of them empty.

use wasmtime::component::Component;
use wasmtime::component::types::{ComponentExtern, ComponentItem};

use crate::error::LoadError;
use crate::inspect::{Answer, Import};

/// Interfaces that a policy may import, without their version. Every one is linked with nothing behind it.
const ALLOWED: &[&str] = &[
    "ostler:terminal/types",
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/stderr",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stderr",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:filesystem/preopens",
    "wasi:filesystem/types",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:random/insecure",
    "wasi:random/insecure-seed",
    "wasi:random/random",
];

/// Refuses a component that imports more than it may.
pub(crate) fn check(
    engine: &wasmtime::Engine,
    component: &Component,
    name: &str,
) -> Result<(), LoadError> {
    for import in of(engine, component) {
        if let Answer::Refused(advice) = import.answer {
            return Err(LoadError::ForbiddenImport {
                name: name.to_owned(),
                import: import.name,
                advice,
            });
        }
    }
    Ok(())
}

/// What a component imports, and what it would get. An imported interface that holds only types asks for nothing.
pub(crate) fn of(engine: &wasmtime::Engine, component: &Component) -> Vec<Import> {
    let kind = component.component_type();
    let import = |(import, item): (&str, ComponentExtern<'_>)| {
        let (interface, version) = import.split_once('@').unwrap_or((import, ""));
        let is_known = ALLOWED.contains(&interface)
            && (!interface.starts_with("wasi:") || version.starts_with("0.2."));
        let answer = if !asks_for_something(engine, &item.ty) {
            Answer::TypesOnly
        } else if is_known {
            Answer::Empty
        } else {
            Answer::Refused(advice(interface, version))
        };
        Import {
            name: import.to_owned(),
            answer,
        }
    };
    kind.imports(engine).map(import).collect()
}

fn asks_for_something(engine: &wasmtime::Engine, item: &ComponentItem) -> bool {
    match item {
        ComponentItem::Type(_) => false,
        ComponentItem::ComponentInstance(instance) => instance
            .exports(engine)
            .any(|(_, item)| asks_for_something(engine, &item.ty)),
        _ => true,
    }
}

fn advice(interface: &str, version: &str) -> &'static str {
    match interface {
        "ostler:terminal/policy" => {
            "it is a filter around another policy: compose it with that one first \
             (`wac plug filter.wasm --plug inner.wasm -o policy.wasm`)"
        }
        _ if ALLOWED.contains(&interface) && !version.starts_with("0.2.") => {
            "build it for WASI 0.2 (target wasm32-wasip2)"
        }
        _ if interface.starts_with("wasi:") => {
            "a policy judges from its arguments alone: no network, no files; remove the code that needs it"
        }
        _ => "a policy judges from its arguments alone; remove the import",
    }
}
