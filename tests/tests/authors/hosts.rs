//! The default policy in hosts of other languages.

use std::process::Command;

use super::cases::Cases;
use super::toolbox::{self, root};

#[test]
fn wasmtime_in_python_answers_the_table() {
    let Some(python) = toolbox::python() else {
        return;
    };
    let cases = Cases::read("default.jsonl");
    let mut host = Command::new(python.join("bin/python"));
    host.arg(root().join("guest/examples/hosts/host.py"))
        .arg(root().join("guest/policy.wasm"));
    cases.assert("wasmtime in Python", cases.ask(&mut host));
}

#[test]
fn node_answers_the_table() {
    let Some(node) = toolbox::node() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(
        node.join("node_modules"),
        folder.path().join("node_modules"),
    )
    .unwrap();
    let out = folder.path().join("out");
    let mut transpile = Command::new(node.join("node_modules/.bin/jco"));
    transpile
        .arg("transpile")
        .arg(root().join("guest/policy.wasm"))
        .arg("-o")
        .arg(&out);
    toolbox::done(transpile.args(["--instantiation", "sync", "--quiet"])).unwrap();
    std::fs::write(out.join("package.json"), "{\"type\": \"module\"}").unwrap();
    let cases = Cases::read("default.jsonl");
    let mut host = Command::new("node");
    host.arg(root().join("guest/examples/hosts/host.mjs"))
        .arg(&out);
    cases.assert("Node", cases.ask(&mut host));
}
