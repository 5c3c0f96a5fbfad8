//! `ostler policy check`: what the policy says to a command, and to an ending of it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufRead as _};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use ostler_policy_engine::LoadedPolicy;
use ostler_terminal::discover_shells;
use ostler_terminal::policy::{Dialect, Ending, Policy as _, Request, Shell, ShellChoice};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::Check;
use super::excerpt::{Remark, render};
use super::{DONE, FOUND, current, print};
use crate::config::Config;
use crate::envelope::PolicyView;
use crate::judgement::{Judgement, Meaning, VerdictWord, shell_choice};
use crate::paint;
use crate::quote;

/// A command that a policy is asked about, as one line of a batch.
#[derive(Debug, Default, Deserialize)]
pub struct Question {
    /// Comes back with the answer.
    #[serde(default)]
    pub id: Option<Value>,
    /// The command text.
    pub command: String,
    /// A language, `auto`, `shell`, or a program.
    #[serde(default)]
    pub shell: Option<String>,
    /// Operating system.
    #[serde(default)]
    pub os: Option<String>,
    /// Working directory.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// Exit code; -N = signal N.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// Whether the deadline ended it.
    #[serde(default)]
    pub timed_out: bool,
    /// What it wrote to stderr.
    #[serde(default)]
    pub stderr: Option<String>,
}

/// What a policy said.
#[derive(Debug, Serialize)]
pub struct Reply {
    /// That of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// What it said to the command.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// What it said to the ending, where one was given.
    pub classification: Option<Meaning>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyView>,
}

/// Asks one policy about commands.
pub struct Asker<'a> {
    policy: &'a LoadedPolicy,
    shells: Arc<[Shell]>,
    cwd: String,
}

impl<'a> Asker<'a> {
    /// On this machine, in this folder.
    pub fn new(policy: &'a LoadedPolicy) -> Self {
        Self {
            policy,
            shells: discover_shells(),
            cwd: std::env::current_dir()
                .unwrap_or_else(|_| "/".into())
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// The request that a question stands for.
    pub fn request(&self, question: &Question) -> Request {
        Request {
            command: question.command.clone(),
            shell: question
                .shell
                .as_deref()
                .map_or(ShellChoice::Auto, shell_choice),
            os: question
                .os
                .clone()
                .map_or(Cow::Borrowed(std::env::consts::OS), Cow::Owned),
            shells: Arc::clone(&self.shells),
            cwd: match &question.cwd {
                Some(cwd) => cwd.to_string_lossy().into_owned(),
                None => self.cwd.clone(),
            },
        }
    }

    /// Asks.
    ///
    /// # Errors
    /// Where the policy breaks on the ending. That it breaks on the command is part of the answer.
    pub fn ask(&self, question: Question) -> anyhow::Result<Reply> {
        let answer = self.policy.review(&self.request(&question));
        let dialect = answer
            .as_ref()
            .map_or(Dialect::Bash, |review| review.invocation.dialect);
        let classification = match ending(&question, dialect) {
            Some(ending) => Some(self.policy.classify(&question.command, &ending)?),
            None => None,
        };
        Ok(Reply {
            id: question.id,
            judgement: Judgement::answer(&answer),
            classification: classification.as_ref().map(Meaning::from),
            policy: None,
        })
    }
}

fn ending(question: &Question, dialect: Dialect) -> Option<Ending> {
    let code = question.exit_code;
    if code.is_none() && !question.timed_out {
        return None;
    }
    // Where codes are 32 bits wide, a negative one is a code.
    let is_signal = dialect != Dialect::Cmd && dialect != Dialect::Powershell;
    let signal = code.filter(|code| is_signal && *code < 0);
    Some(Ending {
        exit_code: code.filter(|_| signal.is_none()),
        signal: signal.map(i32::unsigned_abs),
        timed_out: question.timed_out,
        dialect,
        stderr_excerpt: question.stderr.clone().unwrap_or_default(),
    })
}

/// Answers. Returns the exit status.
///
/// # Errors
/// Where the policy cannot be used, a line of a batch is not understood, or the answer cannot be printed.
pub fn run(check: Check, config: &Config) -> anyhow::Result<i32> {
    let policy = current(config)?;
    let asker = Asker::new(&policy);
    if check.batch {
        return batch(&asker, check.strict);
    }
    let command = check.command.unwrap_or_default();
    let question = Question {
        command: command.clone(),
        shell: check.shell,
        os: check.os,
        cwd: check.cwd,
        exit_code: check.exit.or(check.signal.map(|signal| -i32::from(signal))),
        stderr: check.stderr,
        ..Question::default()
    };
    let reply = Reply {
        policy: Some(PolicyView::of(&policy.identity())),
        ..asker.ask(question)?
    };
    if check.json {
        print::json(&reply)?;
    } else {
        print::text(&for_people(&command, &reply, paint::stdout_takes_colour()))?;
    }
    Ok(status(check.strict, is_clean(&reply.judgement)))
}

fn batch(asker: &Asker<'_>, strict: bool) -> anyhow::Result<i32> {
    let mut all_clean = true;
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        let line = line.context("standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        let question = serde_json::from_str(&line).with_context(|| format!("line {number}"))?;
        let reply = asker.ask(question)?;
        all_clean &= is_clean(&reply.judgement);
        print::text(&(serde_json::to_string(&reply)? + "\n"))?;
    }
    Ok(status(strict, all_clean))
}

fn is_clean(judgement: &Judgement) -> bool {
    judgement.verdict == Some(VerdictWord::Proceed)
        && judgement.opaque.is_empty()
        && !judgement.is_destructive()
}

fn status(strict: bool, is_clean: bool) -> i32 {
    if strict && !is_clean { FOUND } else { DONE }
}

/// Laid out for a person.
fn for_people(command: &str, reply: &Reply, colour: bool) -> String {
    let Judgement {
        invocation,
        findings,
        opaque,
        verdict,
        reason,
        error,
    } = &reply.judgement;
    let remarks: Vec<_> = findings
        .iter()
        .map(Remark::found)
        .chain(opaque.iter().map(Remark::opaque))
        .collect();
    let mut text = render(command, &remarks, colour);
    let mut line = |name: &str, value: &str| {
        // A string takes everything.
        let _ = writeln!(text, "{name:9} {value}");
    };
    if let Some(invocation) = invocation {
        let how = match (invocation.dialect.word(), invocation.auto_shell) {
            ("direct", _) => "directly",
            (_, true) => "by a shell, because the text needs one",
            (_, false) => "by the shell that was asked for",
        };
        line("runs", &format!("{how}: {}", quote::join(&invocation.argv)));
    }
    if findings.is_empty() && error.is_none() {
        line("findings", "none");
    }
    if let Some(verdict) = verdict {
        match reason {
            Some(reason) => line("verdict", &format!("{}: {reason}", verdict.word())),
            None => line("verdict", verdict.word()),
        }
    }
    if let Some(error) = error {
        line("error", error);
    }
    if let Some(meaning) = &reply.classification {
        let message = meaning.message.as_deref().unwrap_or("as the code says");
        let status = meaning.status.word();
        line("ending", &format!("{status}: {message} [{}]", meaning.rule));
    }
    if let Some(policy) = &reply.policy {
        line(
            "policy",
            &format!("{} {} ({})", policy.name, policy.version, policy.digest),
        );
    }
    text
}
