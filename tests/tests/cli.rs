//! `ostler exec` as a person uses it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Output, Stdio};
use std::time::Duration;

use ostler_tests::binary::{endable, ostler, run};
use ostler_tests::sweep::{assert_gone, eventually, marker, sleepers};
use serde_json::Value;

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn output_and_status_are_those_of_the_command() {
    let output = run(["exec", "echo out; echo err >&2; exit 3"]);
    assert_eq!(stdout(&output), "out\n");
    assert!(stderr(&output).starts_with("err\n"));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn the_status_is_the_one_that_a_shell_would_give() {
    for (arguments, status) in [
        (vec!["exec", "true"], 0),
        (vec!["exec", "kill -9 $$"], 128 + 9),
        (vec!["exec", "--timeout", "0.2", "sleep 86400"], 124),
        (vec!["exec", "/etc/passwd"], 126),
        (vec!["exec", "nosuchprogram"], 127),
        (vec!["exec", ""], 125),
        (vec!["exec", "--cwd", "/nonexistent", "true"], 2),
        (vec!["exec"], 2),
        (vec!["exec", "--nosuchflag", "true"], 2),
        (vec!["exec", "--timeout", "soon", "true"], 2),
    ] {
        let output = run(&arguments);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_non_obvious_ending_is_explained_without_colour_in_a_pipe() {
    let output = run(["exec", "grep nosuchline /etc/passwd"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.contains("No matches found") && !text.contains('\x1b'),
        "{text}"
    );
}

#[test]
fn a_warning_goes_to_stderr_and_the_command_runs() {
    let output = run(["exec", "rm -rf /tmp/ostler-nothing-of-this-name; echo ran"]);
    assert_eq!(stdout(&output), "ran\n");
    assert!(!stderr(&output).is_empty());
}

#[test]
fn json_prints_the_envelope_and_nothing_else() {
    let output = run(["exec", "--json", "echo hi; exit 4"]);
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(envelope["stdout"], "hi\n");
    assert_eq!(envelope["exit_code"], 4);
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn json_prints_the_envelope_of_a_command_that_never_ran() {
    let output = run(["exec", "--json", "nosuchprogram"]);
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        envelope["error"]
            .as_str()
            .unwrap()
            .starts_with("command not found")
    );
    assert_eq!(output.status.code(), Some(127));
}

#[test]
fn output_passes_through_as_it_comes() {
    let marker = marker();
    let command = format!("echo first; sleep {marker}");
    let mut child = ostler(["exec", &command])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 6];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    assert_eq!(&first, b"first\n");
    send_signal(child.id(), libc::SIGTERM);
    child.wait().unwrap();
    assert_gone(&marker);
}

#[test]
fn every_byte_passes_through() {
    let output = run(["exec", "seq 1 1000000"]);
    let expected: String = (1..=1_000_000)
        .map(|number| format!("{number}\n"))
        .collect();
    assert!(
        stdout(&output) == expected,
        "what passed through is not what was written"
    );
}

#[test]
fn a_closed_stdout_ends_the_tree() {
    let marker = marker();
    let command = format!("sleep {marker} & yes");
    let mut child = ostler(["exec", &command])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("it runs", Duration::from_secs(10), || {
        !sleepers(&marker).is_empty()
    });
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    assert!(
        status.code() == Some(141) || status.signal() == Some(libc::SIGPIPE),
        "{status}"
    );
    assert_gone(&marker);
}

#[test]
fn signals_that_ask_to_end_kill_the_tree() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let marker = marker();
        let command = format!("setsid sleep {marker} & sleep {marker}");
        let mut child = endable(&["exec", &command]).spawn().unwrap();
        eventually("it runs", Duration::from_secs(10), || {
            sleepers(&marker).len() >= 2
        });
        send_signal(child.id(), signal);
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(128 + signal));
        assert_gone(&marker);
    }
}

#[test]
fn our_own_stdin_or_the_given_text_is_what_the_command_reads() {
    let output = run(["exec", "--stdin", "a b", "cat"]);
    assert_eq!(stdout(&output), "a b");
    assert_eq!(stdout(&run(["exec", "cat"])), "");
    let mut child = ostler(["exec", "wc -c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"12345").unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()).trim(), "5");
}

#[test]
fn flags_shape_the_command() {
    assert_eq!(stdout(&run(["exec", "--cwd", "/usr", "pwd"])), "/usr\n");
    assert_eq!(
        stdout(&run(["exec", "--env", "A=b c", "echo \"$A\""])),
        "b c\n"
    );
    assert_eq!(
        stdout(&run(["exec", "--limit", "nofile=33", "ulimit -n"])),
        "33\n"
    );
    assert_eq!(stdout(&run(["exec", "--shell", "echo $0"])), "/bin/bash\n");
    assert_eq!(
        run(["exec", "--max-output-kb", "1", "seq 100000"])
            .stdout
            .len(),
        1024
    );
}

#[test]
fn a_policy_that_cannot_be_used_is_refused_at_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "no policy").unwrap();
    let path = file.path().to_str().unwrap();
    let output = run(["exec", "--policy", path, "echo ran"]);
    assert_eq!(stdout(&output), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(path) && stderr(&output).contains("not WebAssembly"));
    let output = ostler(["exec", "echo ran"])
        .env("OSTLER_POLICY", path)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
}

#[test]
fn settings_of_the_policy_can_refuse_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    let marker = folder.path().join("kept");
    std::fs::write(&marker, "x").unwrap();
    std::fs::write(&config, "[policy.settings]\nrefuse = ['fs.*']\n").unwrap();
    let command = format!("rm -rf {}", folder.path().display());
    let output = ostler(["exec", &command])
        .env("OSTLER_CONFIG", &config)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
    assert!(stderr(&output).contains("fs."), "{}", stderr(&output));
    assert_eq!(std::fs::read(&marker).unwrap(), b"x");
}

#[test]
fn what_a_policy_asks_about_runs_once_a_person_agreed() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    std::fs::write(
        &config,
        "[policy.settings]\nask = ['fs.*']\nrefuse = ['git.*']\n",
    )
    .unwrap();
    let exec = |arguments: &[&str]| {
        let output = ostler(["exec"])
            .args(arguments)
            .env("OSTLER_CONFIG", &config)
            .output()
            .unwrap();
        (output.status.code(), stderr(&output))
    };
    let (status, said) = exec(&["rm -rf nothing-of-this-name"]);
    assert_eq!(status, Some(125));
    assert!(
        said.contains("wants a person to agree first") && said.contains("--yes"),
        "{said}"
    );
    assert_eq!(exec(&["--yes", "rm -rf nothing-of-this-name"]).0, Some(0));
    assert_eq!(exec(&["--yes", "git push --force nowhere"]).0, Some(125));
}

#[test]
fn settings_that_a_policy_does_not_take_are_refused_at_start() {
    let config = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(config.path(), "[policy.settings]\nrefuse = ['fs.rm-rot']\n").unwrap();
    let output = ostler(["exec", "echo ran"])
        .env("OSTLER_CONFIG", config.path())
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(2), "")
    );
    assert!(
        stderr(&output).contains("no rule \"fs.rm-rot\""),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_long_script_is_run_and_said_to_be_not_analysed() {
    let script = "true\n".repeat(20_000);
    let output = run(["exec", "--json", &script]);
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(envelope["exit_code"], 0);
    assert!(
        envelope["opaque"][0].to_string().contains("too long"),
        "{envelope}"
    );
}

#[test]
fn help_teaches_in_one_screen() {
    let output = run(["--help"]);
    let text = stdout(&output);
    assert!(output.status.success());
    assert!(text.lines().count() <= 24, "{text}");
    for word in ["exec", "mcp", "--policy", "Examples"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

fn send_signal(pid: u32, signal: i32) {
    let status = std::process::Command::new("kill")
        .args([format!("-{signal}"), pid.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}
