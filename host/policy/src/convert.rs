//! The terminal's words and the contract's words for the same things. Answers are untrusted until they have passed here.

use ostler_terminal::policy as terminal;

use crate::bindings::{policy as wit, types};
use crate::limits::{MAX_ARGUMENTS, MAX_ITEMS, MAX_TEXT_BYTES};
use crate::loaded::RuleDescription;

/// Why an answer that has the right types is refused all the same.
pub(crate) type Malformed = String;

pub(crate) fn request(request: &terminal::Request) -> wit::Request {
    wit::Request {
        command: request.command.clone(),
        shell: match &request.shell {
            terminal::ShellChoice::Auto => wit::ShellChoice::Auto,
            terminal::ShellChoice::Platform => wit::ShellChoice::Shell,
            terminal::ShellChoice::Named(name) => wit::ShellChoice::Named(name.clone()),
        },
        os: request.os.clone().into_owned(),
        shells: request
            .shells
            .iter()
            .map(|shell| wit::Shell {
                dialect: to_wit_dialect(shell.dialect),
                program: shell.program.clone(),
            })
            .collect(),
        cwd: request.cwd.clone(),
        extra: Vec::new(),
    }
}

pub(crate) fn rule(rule: &wit::Rule) -> RuleDescription {
    RuleDescription {
        id: rule.id.clone(),
        title: rule.title.clone(),
        severity: severity(rule.severity),
        example: rule.example.clone(),
        dialect: from_wit_dialect(rule.dialect),
        counter_example: rule.counter_example.clone(),
    }
}

pub(crate) fn ending(ending: &terminal::Ending) -> wit::Ending {
    wit::Ending {
        exit_code: ending.exit_code,
        signal: ending.signal,
        timed_out: ending.timed_out,
        dialect: to_wit_dialect(ending.dialect),
        stderr_excerpt: ending.stderr_excerpt.clone(),
        stage_statuses: None,
        extra: Vec::new(),
    }
}

pub(crate) fn review(
    review: wit::ReviewResult,
    command: &str,
) -> Result<terminal::Review, Malformed> {
    let wit::ReviewResult {
        invocation,
        findings,
        opaque,
        verdict,
        extra: _,
    } = review;
    if invocation.argv.is_empty() {
        return Err("its invocation has no program".into());
    }
    if invocation.argv.len() > MAX_ARGUMENTS {
        return Err(format!(
            "its invocation has {} arguments",
            invocation.argv.len()
        ));
    }
    if invocation
        .argv
        .iter()
        .any(|argument| argument.contains('\0'))
    {
        return Err("an argument of its invocation holds a NUL character".into());
    }
    for (what, count) in [("findings", findings.len()), ("opaque parts", opaque.len())] {
        if count > MAX_ITEMS {
            return Err(format!(
                "it reports {count} {what}; at most {MAX_ITEMS} are allowed"
            ));
        }
    }
    Ok(terminal::Review {
        invocation: terminal::Invocation {
            argv: invocation.argv,
            dialect: from_wit_dialect(invocation.dialect),
            auto_shell: invocation.auto_shell,
        },
        findings: findings
            .into_iter()
            .map(|finding| {
                Ok(terminal::Finding {
                    rule: text("a rule id", finding.rule)?,
                    severity: severity(finding.severity),
                    message: text("a finding's message", finding.message)?,
                    span: span(finding.span, command)?,
                })
            })
            .collect::<Result<_, Malformed>>()?,
        opaque: opaque
            .into_iter()
            .map(|part| {
                Ok(terminal::Opaque {
                    reason: text("a reason", part.reason)?,
                    span: span(part.span, command)?,
                })
            })
            .collect::<Result<_, Malformed>>()?,
        verdict: match verdict {
            wit::Verdict::Proceed => terminal::Verdict::Proceed,
            wit::Verdict::Ask(reason) => terminal::Verdict::Ask(text("a reason", reason)?),
            wit::Verdict::Refuse(reason) => terminal::Verdict::Refuse(text("a reason", reason)?),
        },
    })
}

pub(crate) fn rejection(rejection: wit::Rejection) -> Result<terminal::Rejection, Malformed> {
    Ok(match rejection {
        wit::Rejection::EmptyCommand => terminal::Rejection::EmptyCommand,
        wit::Rejection::NulCharacter => terminal::Rejection::NulCharacter,
        wit::Rejection::ShellRefused(name) => {
            terminal::Rejection::ShellRefused(text("a shell's name", name)?)
        }
        wit::Rejection::NoShell(what) => terminal::Rejection::NoShell(text("a reason", what)?),
        wit::Rejection::Other(reason) => terminal::Rejection::Other(text("a reason", reason)?),
    })
}

pub(crate) fn classification(
    classification: wit::Classification,
) -> Result<terminal::Classification, Malformed> {
    Ok(terminal::Classification {
        status: match classification.status {
            types::Status::Ok => terminal::Status::Ok,
            types::Status::Signal => terminal::Status::Signal,
            types::Status::Error => terminal::Status::Error,
        },
        message: classification
            .message
            .map(|message| text("a message", message))
            .transpose()?,
        rule: text("a rule id", classification.rule)?,
    })
}

pub(crate) fn from_wit_dialect(dialect: types::Dialect) -> terminal::Dialect {
    match dialect {
        types::Dialect::Direct => terminal::Dialect::Direct,
        types::Dialect::Bash => terminal::Dialect::Bash,
        types::Dialect::Powershell => terminal::Dialect::Powershell,
        types::Dialect::Cmd => terminal::Dialect::Cmd,
    }
}

fn to_wit_dialect(dialect: terminal::Dialect) -> types::Dialect {
    match dialect {
        terminal::Dialect::Direct => types::Dialect::Direct,
        terminal::Dialect::Bash => types::Dialect::Bash,
        terminal::Dialect::Powershell => types::Dialect::Powershell,
        terminal::Dialect::Cmd => types::Dialect::Cmd,
    }
}

fn severity(severity: types::Severity) -> terminal::Severity {
    match severity {
        types::Severity::Note => terminal::Severity::Note,
        types::Severity::Caution => terminal::Severity::Caution,
        types::Severity::Danger => terminal::Severity::Danger,
    }
}

fn text(what: &str, text: String) -> Result<String, Malformed> {
    if text.len() > MAX_TEXT_BYTES {
        let bytes = text.len();
        return Err(format!(
            "{what} has {bytes} bytes; at most {MAX_TEXT_BYTES} are allowed"
        ));
    }
    Ok(text)
}

fn span(span: types::Span, command: &str) -> Result<std::ops::Range<u32>, Malformed> {
    let types::Span { start, end } = span;
    if command.get(start as usize..end as usize).is_none() {
        return Err(format!("{start}..{end} is no part of the command"));
    }
    Ok(start..end)
}
