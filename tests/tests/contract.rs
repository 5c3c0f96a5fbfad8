//! The WIT package is valid, and every item of it is documented.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;

use wit_parser::{Docs, Resolve, TypeDefKind};

fn contract() -> (Resolve, wit_parser::PackageId) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(&folder).unwrap();
    (resolve, package)
}

#[test]
fn the_package_parses_and_has_its_interfaces_and_worlds() {
    let (resolve, package) = contract();
    let package = &resolve.packages[package];
    assert_eq!(package.name.to_string(), "ostler:terminal@0.1.0");
    for name in [
        "types", "policy", "exec", "jobs", "outputs", "search", "pty",
    ] {
        assert!(package.interfaces.contains_key(name), "interface {name}");
    }
    for name in ["policy-guest", "policy-filter", "plugin"] {
        assert!(package.worlds.contains_key(name), "world {name}");
    }
}

#[test]
fn every_item_is_documented() {
    let (resolve, package) = contract();
    let mut missing = Vec::new();
    let mut check = |docs: &Docs, item: String| {
        if docs.is_empty() {
            missing.push(item);
        }
    };
    for (name, id) in &resolve.packages[package].interfaces {
        let interface = &resolve.interfaces[*id];
        check(&interface.docs, name.clone());
        for (function, definition) in &interface.functions {
            check(&definition.docs, format!("{name}.{function}"));
        }
        for (type_name, id) in &interface.types {
            let definition = &resolve.types[*id];
            let own = format!("{name}.{type_name}");
            match &definition.kind {
                // `use` of another interface's type: documented there.
                TypeDefKind::Type(wit_parser::Type::Id(_)) => continue,
                TypeDefKind::Record(record) => {
                    for field in &record.fields {
                        check(&field.docs, format!("{own}.{}", field.name));
                    }
                }
                TypeDefKind::Variant(variant) => {
                    for case in &variant.cases {
                        check(&case.docs, format!("{own}.{}", case.name));
                    }
                }
                TypeDefKind::Enum(cases) => {
                    for case in &cases.cases {
                        check(&case.docs, format!("{own}.{}", case.name));
                    }
                }
                _ => {}
            }
            check(&definition.docs, own);
        }
    }
    for (name, id) in &resolve.packages[package].worlds {
        check(&resolve.worlds[*id].docs, name.clone());
    }
    assert!(missing.is_empty(), "without documentation: {missing:#?}");
}
