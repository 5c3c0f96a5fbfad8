//! The contract's `policy` interface, answered by this crate: conversions and nothing else.
#![allow(
    unsafe_code,
    missing_docs,
    reason = "wit-bindgen's generated code crosses the component boundary"
)]

use std::cell::RefCell;

use crate::settings::Settings;
use crate::{endings, model, policy};

wit_bindgen::generate!({
    path: "../wit",
    world: "policy-guest",
});

use exports::ostler::terminal::policy as wit;
use ostler::terminal::types;

struct Component;

thread_local! {
    static SETTINGS: RefCell<Settings> = RefCell::default();
}

export!(Component);

impl wit::Guest for Component {
    fn describe() -> wit::Description {
        wit::Description {
            name: policy::NAME.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            rules: crate::rules::catalogue()
                .iter()
                .map(|rule| wit::Rule {
                    id: rule.id.into(),
                    title: rule.title.into(),
                    severity: severity(rule.severity),
                    example: rule.example.into(),
                    dialect: to_wit_dialect(rule.dialect),
                    counter_example: rule.counter_example.into(),
                })
                .collect(),
        }
    }

    fn configure(settings: String) -> Result<(), String> {
        let settings = Settings::parse(&settings)?;
        SETTINGS.replace(settings);
        Ok(())
    }

    fn review(request: wit::Request) -> Result<wit::ReviewResult, wit::Rejection> {
        SETTINGS
            .with_borrow(|settings| policy::review(&request.into(), settings))
            .map(Into::into)
            .map_err(Into::into)
    }

    fn classify(command: String, ending: wit::Ending) -> wit::Classification {
        endings::classify(&command, &ending.into()).into()
    }
}

impl From<wit::Request> for model::Request {
    fn from(request: wit::Request) -> Self {
        Self {
            command: request.command,
            shell: match request.shell {
                wit::ShellChoice::Auto => model::ShellChoice::Auto,
                wit::ShellChoice::Shell => model::ShellChoice::Platform,
                wit::ShellChoice::Named(name) => model::ShellChoice::Named(name),
            },
            os: match request.os.as_str() {
                "windows" => model::Os::Windows,
                "macos" => model::Os::Macos,
                _ => model::Os::Linux,
            },
            shells: request
                .shells
                .into_iter()
                .map(|shell| model::Shell {
                    dialect: from_wit_dialect(shell.dialect),
                    program: shell.program,
                })
                .collect(),
            cwd: request.cwd,
        }
    }
}

impl From<wit::Ending> for model::Ending {
    fn from(ending: wit::Ending) -> Self {
        Self {
            exit_code: ending.exit_code,
            signal: ending.signal,
            timed_out: ending.timed_out,
            dialect: from_wit_dialect(ending.dialect),
            stderr_excerpt: ending.stderr_excerpt,
            stage_statuses: ending.stage_statuses,
        }
    }
}

impl From<model::Review> for wit::ReviewResult {
    fn from(review: model::Review) -> Self {
        Self {
            invocation: types::Invocation {
                argv: review.invocation.argv,
                dialect: to_wit_dialect(review.invocation.dialect),
                auto_shell: review.invocation.auto_shell,
            },
            findings: review
                .findings
                .into_iter()
                .map(|finding| types::Finding {
                    rule: finding.rule,
                    severity: severity(finding.severity),
                    message: finding.message,
                    span: span(finding.span),
                })
                .collect(),
            opaque: review
                .opaque
                .into_iter()
                .map(|part| types::Opaque {
                    reason: part.reason,
                    span: span(part.span),
                })
                .collect(),
            verdict: match review.verdict {
                model::Verdict::Proceed => wit::Verdict::Proceed,
                model::Verdict::Ask(reason) => wit::Verdict::Ask(reason),
                model::Verdict::Refuse(reason) => wit::Verdict::Refuse(reason),
            },
            extra: Vec::new(),
        }
    }
}

impl From<model::Rejection> for wit::Rejection {
    fn from(rejection: model::Rejection) -> Self {
        match rejection {
            model::Rejection::EmptyCommand => Self::EmptyCommand,
            model::Rejection::NulByte => Self::NulCharacter,
            model::Rejection::ShellRefused(name) => Self::ShellRefused(name),
            model::Rejection::NoShell(what) => Self::NoShell(what),
        }
    }
}

impl From<model::Classification> for wit::Classification {
    fn from(classification: model::Classification) -> Self {
        Self {
            status: match classification.status {
                model::Status::Ok => types::Status::Ok,
                model::Status::Signal => types::Status::Signal,
                model::Status::Error => types::Status::Error,
            },
            message: classification.message,
            rule: classification.rule,
            extra: Vec::new(),
        }
    }
}

fn severity(severity: model::Severity) -> types::Severity {
    match severity {
        model::Severity::Note => types::Severity::Note,
        model::Severity::Caution => types::Severity::Caution,
        model::Severity::Danger => types::Severity::Danger,
    }
}

fn span(span: model::Span) -> types::Span {
    types::Span {
        start: span.start,
        end: span.end,
    }
}

fn to_wit_dialect(dialect: model::Dialect) -> types::Dialect {
    match dialect {
        model::Dialect::Direct => types::Dialect::Direct,
        model::Dialect::Bash => types::Dialect::Bash,
        model::Dialect::Powershell => types::Dialect::Powershell,
        model::Dialect::Cmd => types::Dialect::Cmd,
    }
}

fn from_wit_dialect(dialect: types::Dialect) -> model::Dialect {
    match dialect {
        types::Dialect::Direct => model::Dialect::Direct,
        types::Dialect::Bash => model::Dialect::Bash,
        types::Dialect::Powershell => model::Dialect::Powershell,
        types::Dialect::Cmd => model::Dialect::Cmd,
    }
}
