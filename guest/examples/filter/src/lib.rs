//! A filter around another policy: pushes to protected branches need a person; everything else is as the inner policy says.

wit_bindgen::generate!({ path: "wit", world: "policy-filter", generate_all });

use exports::ostler::terminal::policy as outer;
use ostler::terminal::policy as inner;
use ostler::terminal::types::{Classification, Dialect, Finding, Severity, Span};

const RULE: &str = "branch.protected-push";
const PROTECTED: &[&str] = &["main", "master", "release"];

struct Filter;

export!(Filter);

impl outer::Guest for Filter {
    fn describe() -> outer::Description {
        let mut description = inner::describe();
        description.name = format!("branch-filter/{}", description.name);
        let mut rules: Vec<outer::Rule> = description.rules.into_iter().map(rule).collect();
        rules.push(outer::Rule {
            id: RULE.into(),
            title: "A push to a protected branch".into(),
            severity: Severity::Caution,
            example: "git push origin main".into(),
            dialect: Dialect::Bash,
            counter_example: "git push origin topic".into(),
        });
        outer::Description {
            name: description.name,
            version: description.version,
            rules,
        }
    }

    fn configure(settings: String) -> Result<(), String> {
        inner::configure(&settings)
    }

    fn review(request: outer::Request) -> Result<outer::ReviewResult, outer::Rejection> {
        let found = protected_push(&request.command);
        let reviewed = inner::review(&request_of(request)).map_err(rejection)?;
        let mut verdict = match reviewed.verdict {
            inner::Verdict::Proceed => outer::Verdict::Proceed,
            inner::Verdict::Ask(reason) => outer::Verdict::Ask(reason),
            inner::Verdict::Refuse(reason) => outer::Verdict::Refuse(reason),
        };
        let mut findings = reviewed.findings;
        if let Some((branch, span)) = found {
            let message = format!("pushes to {branch}, a protected branch");
            if matches!(verdict, outer::Verdict::Proceed) {
                verdict = outer::Verdict::Ask(message.clone());
            }
            findings.push(Finding {
                rule: RULE.into(),
                severity: Severity::Caution,
                message,
                span,
            });
        }
        Ok(outer::ReviewResult {
            invocation: reviewed.invocation,
            findings,
            opaque: reviewed.opaque,
            verdict,
            extra: reviewed.extra,
        })
    }

    fn classify(command: String, ending: outer::Ending) -> Classification {
        inner::classify(&command, &ending_of(ending))
    }
}

/// A protected branch that a plain `git push` names, and where. The inner policy looks deeper; this shows how to add a rule.
fn protected_push(command: &str) -> Option<(&'static str, Span)> {
    let at = command.find("git push")?;
    let end = command[at..].find([';', '&', '|', '\n']).map_or(command.len(), |length| at + length);
    let branch = command[at..end]
        .split_whitespace()
        .skip(2)
        .find_map(|word| PROTECTED.iter().find(|branch| word.rsplit(':').next() == Some(branch)))?;
    let span = Span {
        start: at as u32,
        end: end as u32,
    };
    Some((branch, span))
}

// The imported and the exported interface are one in the contract and two in Rust: the same fields under other paths.

fn rule(rule: inner::Rule) -> outer::Rule {
    outer::Rule {
        id: rule.id,
        title: rule.title,
        severity: rule.severity,
        example: rule.example,
        dialect: rule.dialect,
        counter_example: rule.counter_example,
    }
}

fn request_of(request: outer::Request) -> inner::Request {
    inner::Request {
        command: request.command,
        shell: match request.shell {
            outer::ShellChoice::Auto => inner::ShellChoice::Auto,
            outer::ShellChoice::Shell => inner::ShellChoice::Shell,
            outer::ShellChoice::Named(name) => inner::ShellChoice::Named(name),
        },
        os: request.os,
        shells: request
            .shells
            .into_iter()
            .map(|shell| inner::Shell {
                dialect: shell.dialect,
                program: shell.program,
            })
            .collect(),
        cwd: request.cwd,
        extra: request.extra,
    }
}

fn rejection(rejection: inner::Rejection) -> outer::Rejection {
    match rejection {
        inner::Rejection::EmptyCommand => outer::Rejection::EmptyCommand,
        inner::Rejection::NulCharacter => outer::Rejection::NulCharacter,
        inner::Rejection::ShellRefused(name) => outer::Rejection::ShellRefused(name),
        inner::Rejection::NoShell(what) => outer::Rejection::NoShell(what),
        inner::Rejection::Other(reason) => outer::Rejection::Other(reason),
    }
}

fn ending_of(ending: outer::Ending) -> inner::Ending {
    inner::Ending {
        exit_code: ending.exit_code,
        signal: ending.signal,
        timed_out: ending.timed_out,
        dialect: ending.dialect,
        stderr_excerpt: ending.stderr_excerpt,
        stage_statuses: ending.stage_statuses,
        extra: ending.extra,
    }
}
