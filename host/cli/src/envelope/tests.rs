//! What the envelope tells.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ostler_terminal::output::{Capacity, Retained};
use serde_json::{Value, json};

use ostler_terminal::output::Stream;
use ostler_terminal::policy::{
    Classification, Dialect, Finding, Identity, Invocation, Judged, Opaque, Request, Review,
    Severity, ShellChoice, Status, Verdict,
};
use ostler_terminal::process::SpawnError;
use ostler_terminal::{EndedBy, ExecError, Exit, Outcome};

use super::{Envelope, View, message};

fn stream(bytes: &[u8]) -> Arc<Stream> {
    let stream = Stream::new(Capacity::default(), None);
    stream.append(bytes);
    stream.close();
    Arc::new(stream)
}

fn judged(findings: Vec<Finding>, opaque: Vec<Opaque>) -> Judged {
    Judged {
        request: Request {
            command: "x".into(),
            shell: ShellChoice::Auto,
            os: "linux".into(),
            shells: Arc::from([]),
            cwd: "/".into(),
        },
        at: SystemTime::UNIX_EPOCH,
        policy: Identity::new("p", "1", "sha256:0"),
        review: Review {
            invocation: Invocation {
                argv: vec!["x".into()],
                dialect: Dialect::Direct,
                auto_shell: false,
            },
            findings,
            opaque,
            verdict: Verdict::Proceed,
        },
    }
}

fn outcome(stdout: &[u8], stderr: &[u8]) -> Outcome {
    Outcome {
        exit: Some(Exit::Code(0)),
        pid: None,
        ended_by: None,
        forced: false,
        unkillable: false,
        lost: false,
        signal_is_ours: false,
        survivors: Vec::new(),
        job: None,
        output_open: false,
        classification: Classification {
            status: Status::Ok,
            message: None,
            rule: "default.zero".into(),
        },
        judged: Arc::new(judged(Vec::new(), Vec::new())),
        runtime: Duration::from_millis(12),
        output: Retained {
            stdout: stream(stdout),
            stderr: stream(stderr),
        },
    }
}

fn tell(outcome: &Outcome, max_bytes: usize) -> Value {
    let view = View {
        max_bytes,
        plain: false,
    };
    let envelope = Envelope::of_outcome(outcome, view, |_| Some("out_1".into()));
    serde_json::to_value(envelope).unwrap()
}

#[test]
fn a_plain_success_has_the_contract_and_its_rule_and_nothing_else() {
    assert_eq!(
        tell(&outcome(b"hi\n", b""), 1024),
        json!({
            "exit_code": 0, "stdout": "hi\n", "stderr": "",
            "stdout_truncated_bytes": 0, "stderr_truncated_bytes": 0,
            "runtime_ms": 12, "pid": null, "output_handle": null, "timed_out": false,
            "semantic_status": "ok", "semantic_message": null, "warning": null,
            "auto_backgrounded": false, "job_id": null, "auto_shell": false,
            "shell_kind": "direct", "rule": "default.zero",
            "policy": {"name": "p", "version": "1", "digest": "sha256:0"}, "end_reason": "exited",
        })
    );
}

#[test]
fn the_true_beginning_is_shown_and_the_rest_is_counted_to_the_byte() {
    let value = tell(&outcome("aä".repeat(1000).as_bytes(), b"short"), 1024);
    // 1024 bytes end within a character.
    assert_eq!(value["stdout"].as_str().unwrap().len(), 1023 + 1);
    assert_eq!(value["stdout_truncated_bytes"], 3000 - 1024);
    assert_eq!(value["stdout_total_bytes"], 3000);
    assert_eq!(value["stderr_truncated_bytes"], 0);
    assert_eq!(value["output_handle"], "out_1");
}

#[test]
fn bytes_that_nobody_kept_are_counted_too() {
    let small = Capacity {
        head_bytes: 4,
        ring_bytes: 4,
        spill_bytes: 0,
    };
    let long = Stream::new(small, None);
    long.append(b"0123456789abcdef");
    let mut outcome = outcome(b"", b"");
    outcome.output.stdout = Arc::new(long);
    let value = tell(&outcome, 1024);
    assert_eq!(value["stdout"], "0123");
    assert_eq!(value["stdout_truncated_bytes"], 12);
    assert_eq!(value["stdout_dropped_bytes"], 8);
}

#[test]
fn what_is_no_utf8_is_replaced_and_told() {
    let value = tell(&outcome(b"a\xffb", b""), 1024);
    assert_eq!(value["stdout"], "a\u{fffd}b");
    assert_eq!(value["stdout_encoding"], "utf-8-lossy");
    assert_eq!(value.get("stderr_encoding"), None);
}

#[test]
fn a_signal_is_a_negative_exit_code() {
    let mut outcome = outcome(b"", b"");
    outcome.exit = Some(Exit::Signal(9));
    let value = tell(&outcome, 1);
    assert_eq!(
        (&value["exit_code"], &value["signal"]),
        (&json!(-9), &json!("SIGKILL"))
    );
    assert_eq!(value["end_reason"], "signalled");
    assert_eq!(value.get("signal_sender"), None);
    outcome.exit = None;
    let value = tell(&outcome, 1);
    assert_eq!(
        (&value["exit_code"], &value["end_reason"]),
        (&json!(null), &json!("lost"))
    );
}

#[test]
fn why_a_command_was_ended_is_told_apart() {
    let mut outcome = outcome(b"", b"");
    outcome.exit = Some(Exit::Signal(15));
    outcome.signal_is_ours = true;
    for (by, reason) in [
        (EndedBy::Deadline, "deadline"),
        (EndedBy::Request, "stopped"),
        (EndedBy::Cancelled, "cancelled"),
        (EndedBy::NoReader, "no_reader"),
        (EndedBy::Quota, "quota"),
        (EndedBy::Shutdown, "shutdown"),
    ] {
        outcome.ended_by = Some(by);
        let value = tell(&outcome, 1);
        assert_eq!(value["end_reason"], reason);
        assert_eq!(value["signal_sender"], "ostler");
        assert_eq!(value["timed_out"], by == EndedBy::Deadline);
    }
}

#[test]
fn the_warning_is_the_gravest_finding() {
    let finding = |rule: &str, severity| Finding {
        rule: rule.into(),
        severity,
        message: format!("{rule} happens"),
        span: 0..2,
    };
    let mut outcome = outcome(b"", b"");
    let findings = vec![
        finding("a.note", Severity::Note),
        finding("b.danger", Severity::Danger),
        finding("c.danger", Severity::Danger),
    ];
    let opaque = vec![Opaque {
        reason: "computed".into(),
        span: 1..2,
    }];
    outcome.judged = Arc::new(judged(findings, opaque));
    let value = tell(&outcome, 1);
    assert_eq!(value["warning"], "b.danger happens");
    assert_eq!(value["findings"][0]["severity"], "note");
    assert_eq!(value["findings"][1]["span"], json!([0, 2]));
    assert_eq!(value["opaque"][0]["reason"], "computed");
}

#[test]
fn an_error_is_told_three_times_and_nothing_ran() {
    let error = ExecError::Spawn(SpawnError::NotFound {
        program: "gti".into(),
        searched: None,
    });
    let value = serde_json::to_value(Envelope::of_error(&error)).unwrap();
    let text = "command not found: gti; check the spelling, install it, or give its full path";
    for key in ["error", "stderr", "semantic_message"] {
        assert_eq!(value[key], text, "{key}");
    }
    for key in ["exit_code", "pid", "warning", "shell_kind", "job_id"] {
        assert_eq!(value[key], Value::Null, "{key}");
    }
    assert_eq!(
        (&value["runtime_ms"], &value["semantic_status"]),
        (&json!(0), &json!("error"))
    );
    assert_eq!(value.get("blocked"), None);
}

#[test]
fn errors_begin_with_what_kind_they_are() {
    let cases = [
        (
            SpawnError::IsDirectory {
                path: "/tmp".into(),
            }
            .into(),
            "spawn failed: /tmp: is a directory",
        ),
        (
            ExecError::Invalid {
                field: "cwd",
                problem: "does not exist".into(),
            },
            "cwd: does not",
        ),
    ];
    for (error, expected) in cases {
        assert!(message(&error).starts_with(expected), "{}", message(&error));
    }
}

#[test]
fn a_refusal_is_blocked_and_tells_its_findings() {
    let finding = Finding {
        rule: "git.force".into(),
        severity: Severity::Danger,
        message: "overwrites".into(),
        span: 0..3,
    };
    let error = ExecError::Refused {
        policy: Identity::new("p", "1", "sha256:0"),
        reason: "no".into(),
        asks: false,
        findings: vec![finding],
    };
    let value = serde_json::to_value(Envelope::of_error(&error)).unwrap();
    assert_eq!(
        (&value["blocked"], &value["warning"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(value["findings"][0]["rule"], "git.force");
}
