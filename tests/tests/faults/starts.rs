//! What cannot be started, and how that is told.

use ostler_tests::binary;
use ostler_tests::procfs::{descendants, descriptors};
use ostler_tests::server::Server;
use serde_json::{Value, json};

#[test]
fn start_failures_are_told_apart_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode: u32| {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let mut server = Server::start();
    server.exec("true");
    let before = (descriptors(server.pid()), descendants(server.pid()).len());
    for (command, expected) in [
        ("nosuchprogram --x".to_owned(), "command not found"),
        ("/nonexistent/program".to_owned(), "command not found"),
        (file("plain", "#!/bin/sh\n", 0o644), "permission"),
        (folder.path().display().to_string(), "directory"),
        (
            file("lost", "#!/nonexistent/interpreter\n", 0o755),
            "/nonexistent/interpreter",
        ),
        (file("crlf", "#!/bin/sh\r\necho hi\r\n", 0o755), "/bin/sh"),
        (file("text", "no shebang\n", 0o755), "format"),
        (file("empty", "", 0o755), "format"),
    ] {
        for tool in ["terminal_exec", "terminal_job_start"] {
            let result = server.call(tool, json!({"command": command}));
            let error = result["error"]
                .as_str()
                .unwrap_or_else(|| panic!("{command}: {result}"));
            assert!(
                error.to_lowercase().contains(expected),
                "{command}: {error}"
            );
            assert_eq!(result["code"], "spawn_failed", "{command}: {result}");
            assert_eq!(result["pid"], Value::Null, "{command}: {result}");
        }
        let result = server.exec(&command);
        assert_eq!(result["end_reason"], "spawn_failed", "{command}: {result}");
    }
    let after = (descriptors(server.pid()), descendants(server.pid()).len());
    assert_eq!(before.0, after.0);
    assert!(
        after.1 <= before.1 + 4,
        "keepers wait for the next command: {before:?} {after:?}"
    );
}

#[test]
fn arguments_beyond_the_kernels_size_are_told_with_the_way_out() {
    let mut server = Server::start();
    let fits = format!("echo {}", "x".repeat(131_071));
    assert_eq!(
        server.exec(&fits)["stdout"].as_str().unwrap().len(),
        131_072
    );
    for command in [
        format!("echo {}", "x".repeat(131_072)),
        format!("echo {}", vec!["x".repeat(1000); 1040].join(" ")),
    ] {
        let result = server.exec(&command);
        if let Some(error) = result["error"].as_str() {
            assert!(
                error.contains("standard input") && error.contains("file"),
                "{error}"
            );
        } else {
            // About 2 MiB fit where the stack limit is 8 MiB; then it must have run.
            assert_eq!(result["exit_code"], 0);
        }
    }
    let arguments = json!({"command": "true", "env": {"BIG": "x".repeat(3 << 20)}});
    let result = server.call("terminal_exec", arguments);
    assert!(
        result["error"].as_str().unwrap().contains("takes at most"),
        "{result}"
    );
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
}

#[test]
fn a_script_of_any_size_that_is_taken_is_run() {
    let mut server = Server::start();
    for bytes in [131_000, 131_072, 200_000, 1_000_000] {
        let command = format!(": '{}'; echo ok", "x".repeat(bytes));
        let result = server.exec(&command);
        assert_eq!(result["stdout"], "ok\n", "{bytes}: {}", result["error"]);
    }
}

#[test]
fn a_folder_that_is_no_place_to_run_in_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone");
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut server = Server::start();
    for path in [&gone, &file] {
        for tool in ["terminal_exec", "terminal_job_start"] {
            let result = server.call(tool, json!({"command": "true", "cwd": path}));
            let error = result["error"].as_str().unwrap();
            assert!(error.contains(path.to_str().unwrap()), "{tool}: {error}");
            assert!(!error.contains("command not found"), "{tool}: {error}");
            assert!(result["code"].is_string(), "{tool}: {result}");
        }
    }
    // A folder that vanishes after it was there once.
    std::fs::create_dir(&gone).unwrap();
    assert_eq!(
        server.call("terminal_exec", json!({"command": "true", "cwd": gone}))["exit_code"],
        0
    );
    std::fs::remove_dir(&gone).unwrap();
    let result = server.call("terminal_exec", json!({"command": "true", "cwd": gone}));
    assert!(
        result["error"].as_str().unwrap().contains("gone"),
        "{result}"
    );
}

#[test]
fn a_server_whose_own_folder_is_gone_runs_commands_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    std::fs::create_dir(&own).unwrap();
    let mut command = binary::ostler(["mcp"]);
    command.current_dir(&own);
    let mut server = Server::start_with(command);
    std::fs::remove_dir(&own).unwrap();
    let result = server.call("terminal_exec", json!({"command": "pwd", "cwd": "/usr"}));
    assert_eq!(result["stdout"], "/usr\n", "{result}");
    let job = server.job_with(json!({"command": "pwd", "session_cwd": "/usr"}));
    assert_eq!(server.whole(&job, "stdout"), "/usr\n");
}

#[test]
fn a_program_that_is_being_written_is_waited_for_and_then_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    std::fs::copy("/bin/true", &program).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut server = Server::start();
    let command = program.to_str().unwrap();
    let writer = std::fs::OpenOptions::new()
        .append(true)
        .open(&program)
        .unwrap();
    let result = server.exec(command);
    let error = result["error"]
        .as_str()
        .unwrap_or_else(|| panic!("{result}"));
    assert!(error.contains("being written to"), "{error}");
    drop(writer);
    assert_eq!(server.exec(command)["exit_code"], 0);
}

#[test]
fn a_limit_too_small_to_start_in_is_told() {
    let mut server = Server::start();
    let arguments = json!({"command": "/bin/true", "limits": {"rss_mb": 1}});
    let result = server.call("terminal_exec", arguments);
    // The kernel may refuse the start, or kill what it began.
    assert_ne!(result["exit_code"], 0, "{result}");
    assert_ne!(result["semantic_status"], "ok", "{result}");
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    assert!(ostler_tests::procfs::zombies(server.pid()).is_empty());
}
