//! Replacing the policy of a running server.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use ostler_tests::binary;
use ostler_tests::component::{Stamp, stamp, unstamp};
use ostler_tests::server::Server;
use ostler_tests::sweep::eventually;

const GUEST: &[u8] = include_bytes!("../../../guest/policy.wasm");

/// The default policy under another digest.
fn guest_of(compiler: &str) -> Vec<u8> {
    let (component, _) = unstamp(GUEST).unwrap();
    let other = Stamp {
        sources: "x".into(),
        compiler: compiler.into(),
    };
    stamp(component, &other)
}

fn server(arguments: &[&str], config: &Path, log: &Path) -> Server {
    let mut command: Command = binary::ostler(["mcp"].iter().chain(arguments));
    command.env("OSTLER_CONFIG", config);
    command.stderr(Stdio::from(std::fs::File::create(log).unwrap()));
    Server::start_with(command)
}

fn hang_up_signal(server: &Server) {
    let status = Command::new("kill")
        .args(["-HUP", &server.pid().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

fn says(log: &Path, text: &str) {
    eventually(text, Duration::from_secs(60), || {
        std::fs::read_to_string(log).unwrap().contains(text)
    });
}

/// Writes a file in one step, as a deployment does.
fn put(path: &Path, content: &[u8]) {
    let beside = path.with_extension("new");
    std::fs::write(&beside, content).unwrap();
    std::fs::rename(&beside, path).unwrap();
}

#[test]
fn sighup_reads_the_settings_again_and_a_bad_one_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (config, log) = (folder.path().join("config.toml"), folder.path().join("log"));
    std::fs::write(&config, "").unwrap();
    let mut server = server(&[], &config, &log);
    let command = "git push --force nosuchremote 2>&1";
    assert_eq!(server.exec(command)["blocked"], serde_json::Value::Null);
    std::fs::write(&config, "[policy.settings]\nrefuse = ['git.*']\n").unwrap();
    hang_up_signal(&server);
    says(&log, "was replaced by");
    assert_eq!(server.exec(command)["blocked"], true);
    std::fs::write(&config, "[policy.settings]\nrefuse = ['nosuch.rule']\n").unwrap();
    hang_up_signal(&server);
    says(&log, "nosuch.rule");
    assert_eq!(server.exec(command)["blocked"], true);
    server.hang_up();
    assert!(server.wait().success());
}

#[test]
fn a_watched_policy_is_replaced_when_its_file_changes_and_stays_when_the_new_one_is_bad() {
    let folder = tempfile::tempdir().unwrap();
    let (config, log) = (folder.path().join("config.toml"), folder.path().join("log"));
    let policy = folder.path().join("policy.wasm");
    std::fs::write(&policy, guest_of("one")).unwrap();
    std::fs::write(&config, "policy = 'policy.wasm'\n").unwrap();
    let mut server = server(&["--watch-policy"], &config, &log);
    let digest = |server: &mut Server| server.exec("true")["policy"]["digest"].to_string();
    let first = digest(&mut server);
    let running = server.job("sleep 86400");
    put(&policy, &guest_of("two"));
    says(&log, "was replaced by");
    let second = digest(&mut server);
    assert_ne!(first, second);
    put(&policy, b"not a component");
    says(&log, "cannot be used");
    assert_eq!(digest(&mut server), second);
    server.manage("signal_term", &running);
    server.hang_up();
    assert!(server.wait().success());
}

#[test]
fn commands_go_on_while_policies_are_replaced_under_them() {
    let folder = tempfile::tempdir().unwrap();
    let (config, log) = (folder.path().join("config.toml"), folder.path().join("log"));
    std::fs::write(&config, "").unwrap();
    let mut server = server(&[], &config, &log);
    server.exec("true");
    for round in 0..10 {
        hang_up_signal(&server);
        for _ in 0..20 {
            assert_eq!(server.exec("echo on")["stdout"], "on\n", "round {round}");
        }
    }
    server.hang_up();
    assert!(server.wait().success());
}
