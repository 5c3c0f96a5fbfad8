//! The default policy as plain Rust.

use ostler_policy::model::{
    Classification, Dialect, Ending, Finding, Opaque, Os, Request, Review, Severity, Shell,
    ShellChoice, Span, Status, Verdict,
};
use ostler_policy::settings::Settings;
use ostler_policy::{endings, policy};
use serde_json::{Value, json};

use super::cases::Cases;

#[test]
fn the_same_code_without_wasm_answers_the_table() {
    let cases = Cases::read("default.jsonl");
    let answers = cases.questions.iter().map(answer).collect();
    cases.assert("native code", answers);
}

fn answer(question: &Value) -> Value {
    let text = |name: &str| question[name].as_str();
    let command = text("command").unwrap().to_owned();
    let request = Request {
        command: command.clone(),
        shell: match text("shell") {
            None | Some("auto") => ShellChoice::Auto,
            Some("shell") => ShellChoice::Platform,
            Some("bash") => ShellChoice::Named("/bin/bash".into()),
            Some("powershell") => ShellChoice::Named("pwsh".into()),
            Some("cmd") => ShellChoice::Named("cmd.exe".into()),
            Some(name) => ShellChoice::Named(name.into()),
        },
        os: Os::Linux,
        shells: vec![Shell {
            dialect: Dialect::Bash,
            program: "/bin/bash".into(),
        }],
        cwd: text("cwd").unwrap_or("/").into(),
    };
    let review = policy::review(&request, &Settings::default());
    let dialect = review
        .as_ref()
        .map_or(Dialect::Bash, |it| it.invocation.dialect);
    let mut answer = match review {
        Ok(review) => reviewed(&review),
        Err(_) => {
            json!({"invocation": null, "findings": [], "opaque": [], "verdict": null, "error": true})
        }
    };
    answer["classification"] = match question["exit_code"].as_i64() {
        Some(code) => {
            let code = i32::try_from(code).unwrap();
            let is_signal = code < 0 && !matches!(dialect, Dialect::Powershell | Dialect::Cmd);
            classified(&endings::classify(
                &command,
                &Ending {
                    exit_code: (!is_signal).then_some(code),
                    signal: is_signal.then_some(code.unsigned_abs()),
                    timed_out: question["timed_out"] == true,
                    dialect,
                    stderr_excerpt: text("stderr").unwrap_or_default().into(),
                    stage_statuses: None,
                },
            ))
        }
        None => Value::Null,
    };
    answer
}

fn reviewed(review: &Review) -> Value {
    let finding = |it: &Finding| {
        json!({
            "rule": it.rule, "severity": severity(it.severity), "message": it.message, "span": span(it.span),
        })
    };
    let opaque = |it: &Opaque| json!({"reason": it.reason, "span": span(it.span)});
    let mut answer = json!({
        "invocation": {
            "argv": review.invocation.argv,
            "dialect": dialect_word(review.invocation.dialect),
            "auto_shell": review.invocation.auto_shell,
        },
        "findings": review.findings.iter().map(finding).collect::<Vec<_>>(),
        "opaque": review.opaque.iter().map(opaque).collect::<Vec<_>>(),
    });
    let (word, reason) = match &review.verdict {
        Verdict::Proceed => ("proceed", None),
        Verdict::Ask(reason) => ("ask", Some(reason)),
        Verdict::Refuse(reason) => ("refuse", Some(reason)),
    };
    answer["verdict"] = word.into();
    if let Some(reason) = reason {
        answer["reason"] = reason.as_str().into();
    }
    answer
}

fn classified(it: &Classification) -> Value {
    let status = match it.status {
        Status::Ok => "ok",
        Status::Signal => "signal",
        Status::Error => "error",
    };
    json!({"status": status, "message": it.message, "rule": it.rule})
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Caution => "caution",
        Severity::Danger => "danger",
    }
}

fn dialect_word(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Direct => "direct",
        Dialect::Bash => "bash",
        Dialect::Powershell => "powershell",
        Dialect::Cmd => "cmd",
    }
}

fn span(span: Span) -> [u32; 2] {
    [span.start, span.end]
}
