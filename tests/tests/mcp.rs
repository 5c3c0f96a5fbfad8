//! The protocol, through the official SDK's client where it can be, line by line where it must be.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use ostler_tests::binary;
use ostler_tests::server::Server;
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};

#[tokio::test]
async fn a_client_of_the_official_sdk_lists_and_calls_the_tools() {
    let command = tokio::process::Command::from(binary::ostler(["mcp"]));
    let client = ().serve(TokioChildProcess::new(command).unwrap()).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    let mut names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "terminal_exec",
            "terminal_glob",
            "terminal_job_logs",
            "terminal_job_manage",
            "terminal_job_start",
            "terminal_output_get",
            "terminal_rg",
        ]
    );
    let arguments = json!({"command": "echo hello"})
        .as_object()
        .unwrap()
        .clone();
    let mut call = CallToolRequestParams::new("terminal_exec");
    call.arguments = Some(arguments);
    let result = client.call_tool(call).await.unwrap();
    assert_eq!(result.structured_content.unwrap()["stdout"], "hello\n");
    assert_ne!(result.is_error, Some(true));
    client.cancel().await.unwrap();
}

#[test]
fn the_handshake_says_who_we_are_and_how_to_use_us() {
    let mut server = Server::spawn(binary::ostler(["mcp"]));
    let hello = server.request(
        "initialize",
        json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        }),
    );
    let answer = server.answer(hello);
    let result = &answer["result"];
    assert_eq!(result["serverInfo"]["name"], "ostler");
    assert!(
        result["instructions"]
            .as_str()
            .unwrap()
            .contains("terminal_exec")
    );
    assert!(result["capabilities"]["tools"].is_object());
}

/// What a list of tools says of one of them.
fn tool<'list>(answer: &'list Value, name: &str) -> &'list Value {
    let tools = answer["result"]["tools"].as_array().unwrap();
    tools.iter().find(|it| it["name"] == name).unwrap()
}

#[test]
fn every_tool_has_schemas_and_annotations() {
    let mut server = Server::start();
    let list = server.request("tools/list", json!({}));
    let answer = server.answer(list);
    for tool in answer["result"]["tools"].as_array().unwrap() {
        let name = &tool["name"];
        assert!(tool["description"].as_str().unwrap().len() > 40, "{name}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{name}");
        for (parameter, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(
                schema["description"].is_string(),
                "{name}.{parameter} is not described"
            );
            assert!(!["session_cwd", "crm_principal"].contains(&parameter.as_str()));
        }
    }
    for (name, required, defaults) in [
        (
            "terminal_exec",
            json!(["command"]),
            json!({
                "timeout_sec": 60, "auto_background_after_sec": 30, "max_output_kb": 256, "shell": false,
                "on_exit": "linger", "plain": false,
            }),
        ),
        (
            "terminal_job_start",
            json!(["command"]),
            json!({
                "merge_stderr": false, "shell": false, "timeout_sec": 0, "keep_stdin_open": true,
                "on_exit": "linger",
            }),
        ),
        (
            "terminal_job_logs",
            json!(["job_id"]),
            json!({
                "stream": "stdout", "since_offset": 0, "max_bytes": 64000, "wait_until_exit": false,
                "wait_timeout_sec": 30, "tail": false, "encoding": "utf-8", "plain": false,
            }),
        ),
        (
            "terminal_job_manage",
            json!(["action"]),
            json!({"grace_sec": 2}),
        ),
    ] {
        let schema = &tool(&answer, name)["inputSchema"];
        assert_eq!(schema["required"], required, "{name}");
        for (parameter, default) in defaults.as_object().unwrap() {
            let found = &schema["properties"][parameter]["default"];
            assert_eq!(found, default, "{name}.{parameter}");
        }
    }
}

#[test]
fn results_fit_the_output_schema() {
    let mut server = Server::start();
    let list = server.request("tools/list", json!({}));
    let answer = server.answer(list);
    let ended = server.job("echo a; exit 3");
    server.ended(&ended);
    let running = server.job("read go");
    let lingering = server.job("sleep 86400 & exit 0");
    server.in_state(&lingering, "lingering");
    let unknown = "job_000000000000";
    for (name, arguments) in [
        ("terminal_exec", json!({"command": "echo a"})),
        ("terminal_exec", json!({"command": "nosuchprogram"})),
        (
            "terminal_exec",
            json!({"command": "rm -rf /tmp/ostler-none; exit 3"}),
        ),
        ("terminal_exec", json!({"command": "kill -9 $$"})),
        (
            "terminal_exec",
            json!({"command": "sleep 86400", "auto_background_after_sec": 0.1}),
        ),
        (
            "terminal_exec",
            json!({"command": "sleep 86400", "timeout_sec": 0.1}),
        ),
        ("terminal_exec", json!({"command": "sleep 86400 & :"})),
        ("terminal_job_start", json!({"command": "true"})),
        ("terminal_job_start", json!({"command": "nosuchprogram"})),
        ("terminal_job_logs", json!({"job_id": ended})),
        ("terminal_job_logs", json!({"job_id": running})),
        (
            "terminal_job_logs",
            json!({"job_id": lingering, "wait_for": "x", "wait_timeout_sec": 0}),
        ),
        ("terminal_job_logs", json!({"job_id": unknown})),
        (
            "terminal_job_logs",
            json!({"job_id": ended, "since_offset": 99}),
        ),
        ("terminal_job_manage", json!({"action": "list"})),
        ("terminal_job_manage", json!({"action": "capabilities"})),
        ("terminal_job_manage", json!({"action": "nosuch"})),
        (
            "terminal_job_manage",
            json!({"action": "signal_usr1", "job_id": unknown}),
        ),
        (
            "terminal_job_manage",
            json!({"action": "stdin", "job_id": running, "data": "x"}),
        ),
        (
            "terminal_job_manage",
            json!({"action": "stdin", "job_id": ended, "data": "x"}),
        ),
        (
            "terminal_job_manage",
            json!({"action": "close_stdin", "job_id": running}),
        ),
        (
            "terminal_job_manage",
            json!({"action": "signal_kill", "job_id": lingering}),
        ),
    ] {
        let schema = &tool(&answer, name)["outputSchema"];
        let result = server.call(name, arguments.clone());
        let object = result.as_object().unwrap();
        for key in schema["required"].as_array().into_iter().flatten() {
            assert!(
                object.contains_key(key.as_str().unwrap()),
                "{name} {arguments}: {key} is missing"
            );
        }
        for key in object.keys() {
            assert!(
                schema["properties"].get(key).is_some(),
                "{name} {arguments}: {key} is not in the schema"
            );
        }
    }
}

#[test]
fn a_tool_that_does_not_exist_is_a_protocol_error() {
    let mut server = Server::start();
    let call = server.begin("terminal_nosuch", json!({}));
    let answer = server.answer(call);
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("terminal_nosuch"),
        "{answer}"
    );
}

#[test]
fn a_failed_start_is_an_error_result_and_a_failed_command_is_not() {
    let mut server = Server::start();
    let call = server.begin("terminal_exec", json!({"command": "nosuchprogram"}));
    assert_eq!(server.answer(call)["result"]["isError"], true);
    let call = server.begin("terminal_exec", json!({"command": "exit 1"}));
    assert_ne!(server.answer(call)["result"]["isError"], true);
}

#[test]
fn a_running_command_reports_progress_where_that_is_asked_for() {
    let mut server = Server::start();
    let call = server.request(
        "tools/call",
        json!({
            "name": "terminal_exec",
            "arguments": {"command": "echo abc; sleep 3"},
            "_meta": {"progressToken": "p1"},
        }),
    );
    let progress = server.notification("notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "p1");
    assert!(!server.has_answer(call));
    assert_eq!(server.structured(call)["exit_code"], 0);
}

#[test]
fn garbage_between_messages_does_no_harm() {
    let mut server = Server::start();
    server.send(&Value::String("not a request".into()));
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
}
