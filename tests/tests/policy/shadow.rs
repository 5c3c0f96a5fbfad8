//! A second policy that is asked beside the current one.

use std::process::Stdio;

use ostler_tests::binary;
use ostler_tests::server::Server;

const GUEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../guest/policy.wasm");

#[test]
fn a_shadow_that_cannot_be_used_is_told_at_start() {
    let output = binary::ostler(["mcp", "--shadow-policy", "/bin/sh"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("shadow policy"), "{text}");
}

#[test]
fn a_shadow_that_agrees_says_nothing_and_decides_nothing() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut command = binary::ostler(["mcp", "--shadow-policy", GUEST]);
    command.stderr(Stdio::from(log.reopen().unwrap()));
    let mut server = Server::start_with(command);
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
    assert_eq!(server.exec("grep x /dev/null")["semantic_status"], "ok");
    server.hang_up();
    assert!(server.wait().success());
    let text = std::fs::read_to_string(log.path()).unwrap();
    assert!(!text.contains("shadow"), "{text}");
}
