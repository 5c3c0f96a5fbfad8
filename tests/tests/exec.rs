//! `terminal_exec` over MCP: what the contract promises for one command.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use ostler_tests::server::Server;
use serde_json::{Value, json};

fn exec(server: &mut Server, arguments: Value) -> Value {
    server.call("terminal_exec", arguments)
}

#[test]
fn a_plain_command_gives_the_whole_envelope() {
    let mut server = Server::start();
    let result = server.exec("echo hello world");
    let keys: Vec<_> = result.as_object().unwrap().keys().take(16).collect();
    let contract = [
        "exit_code",
        "stdout",
        "stderr",
        "stdout_truncated_bytes",
        "stderr_truncated_bytes",
        "runtime_ms",
        "pid",
        "output_handle",
        "timed_out",
        "semantic_status",
        "semantic_message",
        "warning",
        "auto_backgrounded",
        "job_id",
        "auto_shell",
        "shell_kind",
    ];
    assert_eq!(keys, contract);
    assert_eq!(result["exit_code"], 0);
    assert_eq!(result["stdout"], "hello world\n");
    assert_eq!(result["stderr"], "");
    assert_eq!(result["semantic_status"], "ok");
    assert_eq!(result["shell_kind"], "direct");
    assert_eq!(result["auto_shell"], false);
    assert_eq!(result["timed_out"], false);
    assert_eq!(result["auto_backgrounded"], false);
    for key in ["semantic_message", "warning", "job_id", "output_handle"] {
        assert_eq!(result[key], Value::Null, "{key}");
    }
    assert!(result["pid"].as_u64().unwrap() > 1);
}

#[test]
fn the_text_content_is_the_structured_content() {
    let mut server = Server::start();
    let request = server.begin("terminal_exec", json!({"command": "echo hi"}));
    let answer = server.answer(request);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(text).unwrap(),
        answer["result"]["structuredContent"]
    );
}

#[test]
fn shell_syntax_chooses_the_shell_and_quoting_does_not() {
    let mut server = Server::start();
    for (command, stdout) in [
        ("echo a;echo b", "a\nb\n"),
        ("echo one | tr a-z A-Z", "ONE\n"),
        ("ls /nonexistent 2>/dev/null; echo $?", "2\n"),
        ("echo hi\necho there", "hi\nthere\n"),
        ("X=5; echo $((X + 1))", "6\n"),
        ("cd /tmp && pwd", "/tmp\n"),
        ("for i in 1 2; do echo $i; done", "1\n2\n"),
        ("cat <<'E'\n$HOME\nE", "$HOME\n"),
        ("echo {a,b}", "a b\n"),
        ("diff <(echo a) <(echo a) && echo same", "same\n"),
    ] {
        let result = server.exec(command);
        assert_eq!(result["stdout"], stdout, "{command}");
        assert_eq!(result["auto_shell"], true, "{command}");
        assert_eq!(result["shell_kind"], "bash", "{command}");
    }
    for (command, stdout) in [("echo 'a | b'", "a | b\n"), ("echo \"x;y\"", "x;y\n")] {
        let result = server.exec(command);
        assert_eq!(result["stdout"], stdout, "{command}");
        assert_eq!(result["shell_kind"], "direct", "{command}");
    }
}

#[test]
fn a_shell_that_was_asked_for_is_not_called_automatic() {
    let mut server = Server::start();
    let result = exec(
        &mut server,
        json!({"command": "echo a | cat", "shell": true}),
    );
    assert_eq!(result["stdout"], "a\n");
    assert_eq!(result["auto_shell"], false);
    assert_eq!(result["shell_kind"], "bash");
}

#[test]
fn zsh_is_refused_and_the_answer_says_what_to_do() {
    let mut server = Server::start();
    let result = exec(
        &mut server,
        json!({"command": "echo a", "shell": "/bin/zsh"}),
    );
    assert!(
        result["error"].as_str().unwrap().contains("zsh"),
        "{result}"
    );
    assert_eq!(result["exit_code"], Value::Null);
    assert_eq!(result["pid"], Value::Null);
}

#[test]
fn unbalanced_quotes_give_the_shells_own_error() {
    let mut server = Server::start();
    let result = server.exec("echo 'a");
    assert_eq!(result["shell_kind"], "bash");
    assert!(
        result["stderr"]
            .as_str()
            .unwrap()
            .contains("unexpected EOF"),
        "{result}"
    );
}

#[test]
fn informational_exits_are_no_errors() {
    let mut server = Server::start();
    let result = server.exec("grep nosuchline /etc/passwd");
    assert_eq!(result["exit_code"], 1);
    assert_eq!(result["semantic_status"], "ok");
    assert!(
        result["semantic_message"]
            .as_str()
            .unwrap()
            .contains("No matches found")
    );
    let result = server.exec("diff /etc/passwd /etc/group");
    assert_eq!(result["semantic_status"], "ok");
    assert!(
        result["semantic_message"]
            .as_str()
            .unwrap()
            .contains("differ"),
        "{result}"
    );
    let result = server.exec("ls /nonexistent");
    assert_eq!(result["semantic_status"], "error");
}

#[test]
fn a_destructive_command_runs_with_a_warning() {
    let mut server = Server::start();
    let result = server.exec("rm -rf /tmp/ostler-nothing-of-this-name");
    assert_eq!(result["exit_code"], 0);
    let warning = result["warning"].as_str().unwrap().to_lowercase();
    assert!(
        warning.contains("force-remove") || warning.contains("recursive"),
        "{warning}"
    );
    assert_eq!(server.exec("ls -la")["warning"], Value::Null);
}

#[test]
fn the_working_directory_is_the_callers_then_the_sessions_then_the_servers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let mut server = Server::start();
    let result = exec(&mut server, json!({"command": "pwd", "session_cwd": path}));
    assert_eq!(result["stdout"], format!("{}\n", path.display()));
    let both = json!({"command": "pwd", "cwd": "/usr", "session_cwd": path});
    assert_eq!(exec(&mut server, both)["stdout"], "/usr\n");
    let own = std::env::current_dir().unwrap();
    assert_eq!(server.exec("pwd")["stdout"], format!("{}\n", own.display()));
}

#[test]
fn the_environment_is_inherited_changed_and_rid_of_what_steers_zsh() {
    let mut command = ostler_tests::binary::ostler(["mcp"]);
    command
        .env("KEPT", "1")
        .env("ZDOTDIR", "/x")
        .env("ZSH_VERSION", "5");
    let mut server = Server::start_with(command);
    for env in [Value::Null, json!({})] {
        let command = "echo \"$KEPT.$ZDOTDIR.$ZSH_VERSION\"";
        let result = exec(&mut server, json!({"command": command, "env": env}));
        assert_eq!(result["stdout"], "1..\n");
    }
    let result = exec(
        &mut server,
        json!({"command": "echo \"$A\"", "env": {"A": "b c"}}),
    );
    assert_eq!(result["stdout"], "b c\n");
}

#[test]
fn stdin_is_empty_unless_it_is_given() {
    let mut server = Server::start();
    assert_eq!(server.exec("cat")["stdout"], "");
    let result = exec(
        &mut server,
        json!({"command": "cat", "stdin": "{\"a\": 1}"}),
    );
    assert_eq!(result["stdout"], "{\"a\": 1}");
    let megabytes = "x".repeat(3 << 20);
    let result = exec(&mut server, json!({"command": "wc -c", "stdin": megabytes}));
    assert_eq!(result["stdout"], format!("{}\n", 3 << 20));
}

#[test]
fn a_payload_that_nobody_reads_does_not_stop_the_deadline() {
    let mut server = Server::start();
    let arguments = json!({
        "command": "sleep 86400", "stdin": "x".repeat(2 << 20),
        "timeout_sec": 0.2, "auto_background_after_sec": 0,
    });
    let result = exec(&mut server, arguments);
    assert_eq!(result["timed_out"], true);
}

#[test]
fn limits_are_set_in_the_child() {
    let mut server = Server::start();
    let limits = json!({"cpu_sec": 7, "rss_mb": 512, "fsize_mb": 3, "nofile": 40});
    let command = "ulimit -t; ulimit -v; ulimit -f; ulimit -n; ulimit -c";
    let result = exec(&mut server, json!({"command": command, "limits": limits}));
    assert_eq!(
        result["stdout"],
        format!("7\n{}\n{}\n40\n0\n", 512 << 10, 3 << 10)
    );
}

#[test]
fn what_exceeds_the_cap_is_counted_and_kept_behind_a_handle() {
    let mut server = Server::start();
    let command = "head -c 300000 /dev/zero | tr '\\0' x";
    let result = exec(
        &mut server,
        json!({"command": command, "max_output_kb": 128}),
    );
    assert_eq!(result["stdout"].as_str().unwrap().len(), 128 << 10);
    assert_eq!(result["stdout_truncated_bytes"], 300_000 - (128 << 10));
    let handle = result["output_handle"].as_str().unwrap();
    assert!(handle.starts_with("out_") && handle.len() == 20, "{handle}");

    let mut whole = String::new();
    loop {
        let arguments = json!({"output_handle": handle, "since_offset": whole.len()});
        let page = server.call("terminal_output_get", arguments);
        assert_eq!(page["expired"], false);
        assert_eq!(page["offset"], whole.len());
        whole.push_str(page["data"].as_str().unwrap());
        assert_eq!(page["next_offset"], whole.len());
        if page["eof"] == true {
            break;
        }
    }
    assert_eq!(whole.matches('x').count(), 300_000);
}

#[test]
fn an_unknown_handle_is_told() {
    let mut server = Server::start();
    let arguments = json!({"output_handle": "out_0000000000000000", "since_offset": 7});
    let page = server.call("terminal_output_get", arguments);
    assert_eq!(page["expired"], true);
    assert_eq!(page["eof"], true);
    assert_eq!(page["data"], "");
    assert_eq!(
        (&page["offset"], &page["next_offset"]),
        (&json!(7), &json!(7))
    );
}

#[test]
fn the_inline_head_is_the_true_head_of_long_output() {
    let mut server = Server::start();
    let result = exec(
        &mut server,
        json!({"command": "seq 1 2000000", "max_output_kb": 1}),
    );
    assert!(result["stdout"].as_str().unwrap().starts_with("1\n2\n3\n"));
    let bytes: u64 = (1..=2_000_000_u64)
        .map(|number| number.to_string().len() as u64 + 1)
        .sum();
    assert_eq!(result["stdout_truncated_bytes"], bytes - 1024);
}

#[test]
fn output_is_cut_between_characters() {
    let mut server = Server::start();
    let command = "printf 'a'; for i in $(seq 1 400); do printf '€'; done";
    let result = exec(&mut server, json!({"command": command, "max_output_kb": 1}));
    let shown = result["stdout"].as_str().unwrap();
    assert!(!shown.contains('\u{fffd}'));
    assert_eq!(
        shown.len() as u64 + result["stdout_truncated_bytes"].as_u64().unwrap(),
        1201
    );
}

#[test]
fn bad_input_names_the_field_and_spawns_nothing() {
    let mut server = Server::start();
    for (arguments, field) in [
        (json!({"command": ""}), "command was empty"),
        (json!({"command": "   "}), "command was empty"),
        (json!({"command": "echo a\u{0}b"}), "NUL"),
        (json!({}), "command"),
        (json!({"command": 7}), "command"),
        (
            json!({"command": "true", "cwd": "/nonexistent/folder"}),
            "cwd",
        ),
        (json!({"command": "true", "cwd": "/etc/passwd"}), "cwd"),
        (json!({"command": "true", "cwd": ""}), "cwd"),
        (json!({"command": "true", "timeout_sec": -1}), "timeout_sec"),
        (
            json!({"command": "true", "timeout_sec": "soon"}),
            "timeout_sec",
        ),
        (
            json!({"command": "true", "timeout_sec": 1e30}),
            "timeout_sec",
        ),
        (
            json!({"command": "true", "auto_background_after_sec": -1}),
            "auto_background_after_sec",
        ),
        (
            json!({"command": "true", "timeout_sec": 0, "auto_background_after_sec": 0}),
            "timeout_sec",
        ),
        (
            json!({"command": "true", "timeout_sec": 221, "auto_background_after_sec": 0}),
            "220",
        ),
        (
            json!({"command": "true", "max_output_kb": "big"}),
            "max_output_kb",
        ),
        (
            json!({"command": "true", "limits": {"cpu_sec": -1}}),
            "cpu_sec",
        ),
        (json!({"command": "true", "limits": {"cpus": 1}}), "cpus"),
        (json!({"command": "true", "env": {"A=B": "1"}}), "env"),
        (json!({"command": "true", "env": {"A": 1}}), "env"),
        (json!({"command": "true", "env": {"A": "x\u{0}"}}), "env"),
        (json!({"command": "true", "timeout": 5}), "timeout"),
        (json!({"command": "true", "stdin": 5}), "stdin"),
        (json!({"command": "true", "shell": 5}), "shell"),
    ] {
        let result = exec(&mut server, arguments.clone());
        let error = result["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{arguments}: {result}"));
        assert!(error.contains(field), "{arguments}: {error}");
        assert_eq!(result["exit_code"], Value::Null, "{arguments}");
        assert_eq!(result["pid"], Value::Null, "{arguments}");
        assert_eq!(result["stderr"], error, "{arguments}");
    }
    assert_eq!(server.exec("echo still here")["stdout"], "still here\n");
}
