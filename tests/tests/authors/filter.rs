//! A filter that is joined to the default policy.

use std::path::Path;

use ostler_tests::binary::ostler;
use serde_json::Value;
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, plug};

use super::cases::Cases;
use super::toolbox::{self, root};

/// What `wac plug FILTER --plug INNER` does.
fn joined(filter: &[u8], inner: &[u8]) -> Vec<u8> {
    let mut graph = CompositionGraph::new();
    let package = |name: &str, bytes: &[u8], graph: &mut CompositionGraph| {
        let package = Package::from_bytes(name, None, bytes.to_vec(), graph.types_mut()).unwrap();
        graph.register_package(package).unwrap()
    };
    let socket = package("test:filter", filter, &mut graph);
    let inner = package("test:inner", inner, &mut graph);
    plug(&mut graph, vec![inner], socket).unwrap();
    graph.encode(EncodeOptions::default()).unwrap()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_filter_adds_its_rule_and_passes_everything_else_on() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("filter");
    copy(&root().join("guest/examples/filter"), &project);
    copy(&root().join("wit"), &project.join("wit"));
    let Some(filter) = toolbox::rust(&project, "branch_filter.wasm") else {
        return;
    };
    let alone = ostler(["policy", "inspect"]).arg(&filter).output().unwrap();
    let text = String::from_utf8_lossy(&alone.stdout).into_owned();
    assert!(
        text.contains("it is a filter around another policy"),
        "{text}"
    );

    let inner = std::fs::read(root().join("guest/policy.wasm")).unwrap();
    let chain = folder.path().join("chain.wasm");
    std::fs::write(&chain, joined(&std::fs::read(filter).unwrap(), &inner)).unwrap();
    let cases = Cases::read("default.jsonl");
    cases.assert("the composed chain", cases.ask_here(Some(&chain)));
    let output = ostler(["policy", "check", "--json", "git push origin main"])
        .arg("--policy")
        .arg(&chain)
        .output()
        .unwrap();
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&reply["verdict"], &reply["findings"][0]["rule"]),
        (&"ask".into(), &"branch.protected-push".into())
    );
    assert_eq!(reply["policy"]["name"], "branch-filter/default");
}
