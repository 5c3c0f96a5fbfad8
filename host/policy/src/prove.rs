//! What a component must show before it is trusted with a decision.

use std::sync::Arc;

use ostler_terminal::policy::{Policy, Request, ShellChoice};
use wasmtime::component::{Component, types::ComponentItem};

use crate::bindings::types::Dialect;
use crate::bindings::{policy as wit, types};
use crate::convert;
use crate::error::LoadError;
use crate::limits::MAX_RULES;
use crate::loaded::LoadedPolicy;

const PACKAGE_AND_INTERFACE: &str = "ostler:terminal/policy";
const CONTRACT: &str = "ostler:terminal/policy@0.1.0";

/// Tells by the first bytes what a file is that is not a component.
pub(crate) fn is_component(bytes: &[u8], name: &str) -> Result<(), LoadError> {
    // Binary format: magic `\0asm`, then a version and a layer of two bytes each; layer 1 is a component.
    let what = match bytes {
        [] => "the file is empty",
        [0, b'a', b's', b'm', _, _, 1, 0, ..] => return Ok(()),
        [0, b'a', b's', b'm', _, _, 0, 0, ..] => {
            "it is a core WebAssembly module, not a component; build it for wasm32-wasip2, or wrap it with \
             `wasm-tools component new`"
        }
        [0x7f, b'E', b'L', b'F', ..] => {
            "it is a native or precompiled file; policies are loaded from the component itself (.wasm)"
        }
        _ => "it is not WebAssembly",
    };
    Err(LoadError::NotAComponent {
        name: name.to_owned(),
        what: what.to_owned(),
    })
}

/// Checks that the contract is exported, in a version that this host speaks.
pub(crate) fn exports_contract(
    engine: &wasmtime::Engine,
    component: &Component,
    name: &str,
) -> Result<(), LoadError> {
    if component.get_export_index(None, CONTRACT).is_some() {
        return Ok(());
    }
    let exports: Vec<String> = component
        .component_type()
        .exports(engine)
        .filter(|(_, item)| matches!(item.ty, ComponentItem::ComponentInstance(_)))
        .map(|(export, _)| export.to_owned())
        .collect();
    let other_version = exports
        .iter()
        .find(|export| export.split('@').next() == Some(PACKAGE_AND_INTERFACE));
    let what = match other_version {
        Some(found) => format!(
            "it exports `{found}`, this host speaks `{CONTRACT}`; rebuild it against this host's wit/, or use \
             a host of its version"
        ),
        None if exports.is_empty() => format!(
            "it does not export `{CONTRACT}`, nor any other interface; build it against the world `policy-guest`"
        ),
        None => format!(
            "it does not export `{CONTRACT}` (it exports {}); build it against the world `policy-guest`",
            exports.join(", ")
        ),
    };
    Err(LoadError::WrongContract {
        name: name.to_owned(),
        what,
    })
}

/// Checks a description against its bounds.
pub(crate) fn description(description: &wit::Description, name: &str) -> Result<(), LoadError> {
    let rules = description.rules.len();
    if rules > MAX_RULES {
        return Err(LoadError::WrongContract {
            name: name.to_owned(),
            what: format!("it describes {rules} rules; at most {MAX_RULES} are allowed"),
        });
    }
    let sound = |text: &str| !text.trim().is_empty() && text.len() <= 256;
    if !sound(&description.name) {
        return Err(LoadError::WrongContract {
            name: name.to_owned(),
            what: "its description has no name of 1 to 256 bytes".into(),
        });
    }
    Ok(())
}

/// Asks a policy its own examples: each must be found by its rule, and no counter-example may be.
pub(crate) fn own_examples(
    policy: &LoadedPolicy,
    rules: &[wit::Rule],
    name: &str,
) -> Result<(), LoadError> {
    for rule in rules {
        let wrong = |what: String| LoadError::OwnExample {
            name: name.to_owned(),
            rule: rule.id.clone(),
            what,
        };
        for (command, expected) in [(&rule.example, true), (&rule.counter_example, false)] {
            let request = example(command, rule.dialect);
            let review = policy
                .review(&request)
                .map_err(|error| wrong(format!("its example {command:?}: {error}")))?;
            let found = review
                .findings
                .iter()
                .any(|finding| finding.rule == rule.id);
            if found != expected {
                return Err(wrong(if expected {
                    format!("it does not find its own example {command:?}")
                } else {
                    format!("it finds its own counter-example {command:?}")
                }));
            }
        }
    }
    Ok(())
}

fn example(command: &str, dialect: Dialect) -> Request {
    let shell = match dialect {
        types::Dialect::Direct => ShellChoice::Auto,
        types::Dialect::Bash => ShellChoice::Named("/bin/bash".into()),
        types::Dialect::Powershell => ShellChoice::Named("pwsh".into()),
        types::Dialect::Cmd => ShellChoice::Named("cmd.exe".into()),
    };
    Request {
        command: command.to_owned(),
        shell,
        os: std::env::consts::OS.into(),
        shells: Arc::from([ostler_terminal::policy::Shell {
            dialect: convert::from_wit_dialect(types::Dialect::Bash),
            program: "/bin/bash".into(),
        }]),
        cwd: "/".into(),
    }
}
