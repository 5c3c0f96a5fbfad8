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
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["terminal_exec", "terminal_output_get"]);
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
    let exec = &answer["result"]["tools"][0];
    let defaults = &exec["inputSchema"]["properties"];
    assert_eq!(exec["inputSchema"]["required"], json!(["command"]));
    assert_eq!(defaults["timeout_sec"]["default"], 60);
    assert_eq!(defaults["auto_background_after_sec"]["default"], 30);
    assert_eq!(defaults["max_output_kb"]["default"], 256);
    assert_eq!(defaults["shell"]["default"], false);
}

#[test]
fn results_fit_the_output_schema() {
    let mut server = Server::start();
    let list = server.request("tools/list", json!({}));
    let answer = server.answer(list);
    let schema = &answer["result"]["tools"][0]["outputSchema"];
    for command in [
        "echo a",
        "nosuchprogram",
        "rm -rf /tmp/ostler-none; exit 3",
        "kill -9 $$",
    ] {
        let result = server.exec(command);
        let object = result.as_object().unwrap();
        for key in schema["required"].as_array().unwrap() {
            assert!(
                object.contains_key(key.as_str().unwrap()),
                "{command}: {key}"
            );
        }
        for key in object.keys() {
            assert!(
                schema["properties"].get(key).is_some(),
                "{command}: {key} is not in the schema"
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
