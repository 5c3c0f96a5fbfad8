//! `ostler policy new`, and what it makes: a project in each language that builds, is proved, and answers as the others do.

use std::path::{Path, PathBuf};
use std::process::Command;

use ostler_tests::binary::{ostler, run};

use super::cases::Cases;
use super::toolbox;

/// A new project in a folder of its own.
fn project(language: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine");
    let output = run(["policy", "new", path.to_str().unwrap(), "--lang", language]);
    assert!(output.status.success(), "{output:?}");
    folder
}

fn answers_as_all_do(language: &str, built: &Path) {
    let output = ostler(["policy", "inspect"]).arg(built).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("house 0.1.0"),
        "{language}: {text}"
    );
    let cases = Cases::read("house.jsonl");
    cases.assert(language, cases.ask_here(Some(built)));
    let folder = built.parent().unwrap();
    let config = folder.join("config.toml");
    std::fs::write(
        &config,
        "[policy]\nfile = 'policy.wasm'\n[policy.settings]\nrefuse = ['fly me']\n",
    )
    .unwrap();
    if built != folder.join("policy.wasm") {
        std::fs::copy(built, folder.join("policy.wasm")).unwrap();
    }
    let check = |command: &str| {
        let output = ostler(["policy", "check", "--json", command])
            .env("OSTLER_CONFIG", &config)
            .output()
            .unwrap();
        let reply: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (reply["verdict"].clone(), reply["reason"].clone())
    };
    assert_eq!(
        check("echo fly me"),
        ("refuse".into(), "the house does not allow fly me".into()),
        "{language}"
    );
    assert_eq!(check("echo walk").0, "proceed", "{language}");
    std::fs::write(
        &config,
        "[policy]\nfile = 'policy.wasm'\n[policy.settings]\nrefused = []\n",
    )
    .unwrap();
    let output = ostler(["policy", "check", "x"])
        .env("OSTLER_CONFIG", &config)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("the only setting is refuse"),
        "{language}: {text}"
    );
}

#[test]
fn a_new_policy_in_rust_builds_and_answers() {
    let folder = project("rust");
    if let Some(built) = toolbox::rust(&folder.path().join("mine"), "house_policy.wasm") {
        answers_as_all_do("rust", &built);
    }
}

#[test]
fn a_new_policy_in_python_builds_and_answers() {
    let Some(python) = toolbox::python() else {
        return;
    };
    let folder = project("python");
    let mine = folder.path().join("mine");
    // As its `build` does, with tools that are there already.
    let mut build = Command::new(python.join("bin/componentize-py"));
    build.args([
        "-d",
        "wit",
        "-w",
        "policy-guest",
        "componentize",
        "policy",
        "-o",
        "policy.wasm",
        "--stub-wasi",
    ]);
    toolbox::done(build.current_dir(&mine)).unwrap();
    answers_as_all_do("python", &mine.join("policy.wasm"));
}

#[test]
fn a_new_policy_in_javascript_builds_and_answers() {
    let Some(node) = toolbox::node() else { return };
    let folder = project("js");
    let mine = folder.path().join("mine");
    std::os::unix::fs::symlink(node.join("node_modules"), mine.join("node_modules")).unwrap();
    toolbox::done(
        Command::new("npm")
            .args(["run", "--silent", "build"])
            .current_dir(&mine),
    )
    .unwrap();
    answers_as_all_do("js", &mine.join("policy.wasm"));
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("mine.txt");
    std::fs::write(&file, "x").unwrap();
    let output = run([
        "policy",
        "new",
        folder.path().to_str().unwrap(),
        "--lang",
        "js",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds something already"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
