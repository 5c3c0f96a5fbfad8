//! `terminal_rg` and `terminal_glob`.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::time::Duration;

use ostler_tests::binary;
use ostler_tests::server::Server;
use ostler_tests::sweep::eventually;
use serde_json::{Value, json};

use super::write;

fn lines(result: &Value, key: &str) -> Vec<(String, u64)> {
    let items = result[key].as_array().unwrap().iter();
    items
        .map(|it| {
            (
                it["path"].as_str().unwrap().to_owned(),
                it["line"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn matches_have_their_place_and_context_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            ("a.txt", b"one\r\ntwo needle needle\r\nthree\r\n"),
            ("b/c.txt", b"needle"),
        ],
    );
    let mut server = Server::start();
    let result = server.call(
        "terminal_rg",
        json!({"pattern": "needle", "path": folder.path(), "context": 1}),
    );
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    assert_eq!(
        lines(&result, "matches"),
        [(path("a.txt"), 2), (path("b/c.txt"), 1)]
    );
    assert_eq!(
        lines(&result, "context"),
        [(path("a.txt"), 1), (path("a.txt"), 3)]
    );
    let first = &result["matches"][0];
    assert_eq!(first["text"], "two needle needle");
    assert_eq!(first["column"], 5);
    assert_eq!(first["submatches"], json!([[4, 10], [11, 17]]));
    assert_eq!(
        (&result["total"], &result["exit_code"], &result["truncated"]),
        (&json!(2), &json!(0), &json!(false))
    );
    assert_eq!(result["files_searched"], 2);
}

#[test]
fn an_empty_answer_says_what_was_not_searched() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[(".cfg/a.txt", b"X"), ("k.js", b"const k=\"a\0b\"; NEEDLE")],
    );
    let mut server = Server::start();
    let mut rg = |arguments: Value| server.call("terminal_rg", arguments);
    let result = rg(json!({"pattern": "X", "path": folder.path()}));
    assert_eq!(
        (&result["total"], &result["exit_code"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(result["skipped"]["hidden"], 1);
    assert!(
        result["hint"].as_str().unwrap().contains("hidden: true"),
        "{result}"
    );
    assert_eq!(
        rg(json!({"pattern": "X", "path": folder.path(), "hidden": true}))["total"],
        1
    );
    assert_eq!(
        rg(json!({"pattern": "X", "path": folder.path().join(".cfg")}))["total"],
        1
    );
    let result = rg(json!({"pattern": "NEEDLE", "path": folder.path()}));
    assert!(
        result["binary_files"][0]["path"]
            .as_str()
            .unwrap()
            .ends_with("k.js"),
        "{result}"
    );
    let result = rg(json!({"pattern": "NEEDLE", "path": folder.path(), "extra_args": ["-a"]}));
    assert_eq!(result["total"], 1);
    let result = rg(json!({"pattern": "X", "path": folder.path(), "glob": "sub/*.js"}));
    assert!(
        result["hint"].as_str().unwrap().contains("anchored"),
        "{result}"
    );
}

#[test]
fn mistakes_are_errors_with_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start();
    for (arguments, code, said) in [
        (json!({"pattern": "("}), "bad_pattern", "unclosed group"),
        (
            json!({"pattern": "x", "path": "/nonexistent"}),
            "bad_path",
            "does not exist",
        ),
        (
            json!({"pattern": "x", "type_filter": "rustt"}),
            "unknown_type",
            "\"rust\"",
        ),
        (json!({"pattern": "x", "glob": "a{"}), "bad_glob", "a{"),
        (
            json!({"pattern": "x", "extra_args": ["--pre", "cat"]}),
            "invalid",
            "runs a program",
        ),
        (
            json!({"pattern": "x", "extra_args": ["y"]}),
            "invalid",
            "no flag",
        ),
        (json!({"patern": "x"}), "invalid", "`pattern`"),
        (json!({"pattern": "x", "context": -1}), "invalid", "context"),
        (
            json!({"pattern": "x", "max_output_kb": 0}),
            "invalid",
            "max_output_kb",
        ),
    ] {
        let mut arguments = arguments;
        if arguments["path"].is_null() {
            arguments["path"] = json!(folder.path());
        }
        let result = server.call("terminal_rg", arguments.clone());
        assert_eq!(result["code"], code, "{arguments}: {result}");
        assert!(
            result["error"].as_str().unwrap().contains(said),
            "{arguments}: {result}"
        );
        assert!(result["matches"].is_null());
    }
    let result = server.call(
        "terminal_glob",
        json!({"pattern": "x", "path": "/nonexistent"}),
    );
    assert_eq!(result["code"], "bad_path");
}

#[test]
fn flags_change_what_is_told() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("a", b"n\nn\n"), ("b", b"n\n")]);
    let mut server = Server::start();
    let mut rg = |flag: &str| {
        server.call(
            "terminal_rg",
            json!({"pattern": "n", "path": folder.path(), "extra_args": [flag]}),
        )
    };
    let counts = rg("-c");
    assert_eq!(
        (&counts["counts"][0]["count"], &counts["total"]),
        (&json!(2), &json!(3))
    );
    let files = rg("-l");
    assert_eq!(
        (files["files"].as_array().unwrap().len(), &files["total"]),
        (2, &json!(2))
    );
}

#[test]
fn relative_paths_begin_at_the_session_and_are_told_as_given() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("sub/a.txt", b"n\n")]);
    let mut server = Server::start();
    let mut rg = |path: &str| {
        let arguments = json!({"pattern": "n", "path": path, "session_cwd": folder.path()});
        server.call("terminal_rg", arguments)["matches"][0]["path"].clone()
    };
    assert_eq!(
        (rg("."), rg("sub")),
        (json!("sub/a.txt"), json!("sub/a.txt"))
    );
    let result = server.call(
        "terminal_glob",
        json!({"pattern": "a", "session_cwd": folder.path()}),
    );
    assert_eq!(result["paths"], json!(["sub/a.txt"]));
}

#[test]
fn answers_are_bounded_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            ("a", &b"needle and more of it\n".repeat(50_000)),
            ("b", &vec![b'e'; 4 << 20]),
        ],
    );
    let mut server = Server::start();
    let result = server.call(
        "terminal_rg",
        json!({"pattern": "e", "path": folder.path()}),
    );
    assert_eq!(
        (&result["truncated"], &result["limit"]),
        (&json!(true), &json!("bytes"))
    );
    assert!(
        result["total"].as_u64().unwrap() > 1000,
        "what fits is told"
    );
    assert!(result.to_string().len() < 1 << 20);
    let result = server.call(
        "terminal_rg",
        json!({"pattern": "e", "path": folder.path(), "max_results": 5}),
    );
    assert_eq!(
        (&result["total"], &result["limit"]),
        (&json!(5), &json!("results"))
    );
    let result = server.call(
        "terminal_glob",
        json!({"pattern": "*", "path": folder.path(), "max_results": 2}),
    );
    assert_eq!(
        (&result["count"], &result["truncated"]),
        (&json!(2), &json!(false)),
        "an exact fit is no cut"
    );
    let result = server.call(
        "terminal_glob",
        json!({"pattern": "*", "path": folder.path(), "max_results": 1}),
    );
    assert_eq!(
        (&result["count"], &result["truncated"]),
        (&json!(1), &json!(true))
    );
}

#[test]
fn names_that_are_no_text_come_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"n\xff\nx");
    fs::write(folder.path().join(name), b"caf\xe9\n").unwrap();
    let mut server = Server::start();
    let result = server.call(
        "terminal_glob",
        json!({"pattern": "*x", "path": ".", "session_cwd": folder.path()}),
    );
    assert_eq!(
        result["exact"],
        json!([{"index": 0, "path_base64": "bv8KeA=="}])
    );
    let result = server.call(
        "terminal_rg",
        json!({"pattern": "caf", "session_cwd": folder.path()}),
    );
    let found = &result["matches"][0];
    assert_eq!(
        (&found["path_base64"], &found["text_base64"]),
        (&json!("bv8KeA=="), &json!("Y2Fm6Q=="))
    );
}

#[test]
fn ignored_files_are_found_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            (".git/x", b""),
            (".gitignore", b"scripts/*\n"),
            ("scripts/w.py", b""),
            (".h.py", b""),
            ("a.py", b""),
        ],
    );
    let mut server = Server::start();
    let mut glob = |include: bool| {
        let arguments =
            json!({"pattern": "*.py", "session_cwd": folder.path(), "include_ignored": include});
        let result = server.call("terminal_glob", arguments);
        let mut paths: Vec<String> = serde_json::from_value(result["paths"].clone()).unwrap();
        paths.sort();
        paths
    };
    assert_eq!(glob(false), ["a.py"]);
    assert_eq!(glob(true), [".h.py", "a.py", "scripts/w.py"]);
}

#[test]
fn a_cancelled_search_stops_and_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::create(folder.path().join("sparse")).unwrap();
    // 64 GiB of NUL bytes that are read as lines of one byte each would take minutes.
    file.set_len(64 << 30).unwrap();
    let mut server = Server::start_with(binary::ostler(["mcp"]));
    let endless = json!({
        "pattern": "x", "path": folder.path().join("sparse"), "extra_args": ["--crlf"], "timeout_sec": 200,
    });
    let pending: Vec<_> = (0..3)
        .map(|_| server.begin("terminal_rg", endless.clone()))
        .collect();
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    assert_eq!(
        server.call(
            "terminal_glob",
            json!({"pattern": "sparse", "path": folder.path()})
        )["count"],
        1
    );
    for call in &pending {
        server.cancel(*call);
    }
    let threads = format!("/proc/{}/task", server.pid());
    eventually("no thread searches", Duration::from_secs(10), || {
        let names = fs::read_dir(&threads).unwrap().flatten();
        let mut names =
            names.map(|task| fs::read_to_string(task.path().join("comm")).unwrap_or_default());
        !names.any(|name| name.starts_with("search"))
    });
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
}
