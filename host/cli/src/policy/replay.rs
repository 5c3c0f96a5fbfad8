//! `ostler policy replay`: which decisions of the past would change.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::sync::Arc;

use anyhow::Context as _;
use ostler_policy_engine::LoadedPolicy;
use ostler_terminal::discover_shells;
use ostler_terminal::policy::{Dialect, Ending, Policy as _, Request, Shell};
use serde::Serialize;

use super::args::Replay;
use super::{DONE, FOUND, current, print};
use crate::audit::{EndingView, Entry};
use crate::config::Config;
use crate::envelope::ShellKind;
use crate::judgement::{Judgement, Meaning, shell_choice};

/// A decision that would change.
#[derive(Serialize)]
struct Change<'a> {
    at: &'a str,
    command: &'a str,
    /// What differs: "invocation", "findings", "opaque", "verdict", "classification".
    differs: Vec<&'static str>,
    then: Decision,
    now: Decision,
}

#[derive(Serialize)]
struct Decision {
    #[serde(flatten)]
    judgement: Judgement,
    classification: Option<Meaning>,
}

/// Replays. Returns the exit status: 1 where something would change.
///
/// # Errors
/// Where the policy or the file cannot be used, or the answer cannot be printed.
pub fn run(replay: &Replay, config: &Config) -> anyhow::Result<i32> {
    let policy = current(config)?;
    let shells = discover_shells();
    let name = replay.file.display().to_string();
    let file = File::open(&replay.file).with_context(|| name.clone())?;
    let (mut total, mut changed) = (0u64, 0u64);
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.with_context(|| name.clone())?;
        // Lines of other kinds, such as the count of lines that were lost, have no command.
        let is_entry = line.contains("\"command\"");
        if !is_entry {
            continue;
        }
        let entry: Entry =
            serde_json::from_str(&line).with_context(|| format!("{name}: line {number}"))?;
        total += 1;
        if let Some(change) = change(&policy, &shells, &entry)? {
            changed += 1;
            tell(&change, replay.json)?;
        }
    }
    if !replay.json {
        let identity = policy.identity();
        print::text(&format!(
            "{changed} of {total} decisions would change under {identity}\n"
        ))?;
    }
    Ok(if changed == 0 { DONE } else { FOUND })
}

fn change<'a>(
    policy: &LoadedPolicy,
    shells: &Arc<[Shell]>,
    entry: &'a Entry,
) -> anyhow::Result<Option<Change<'a>>> {
    let request = Request {
        command: entry.command.clone(),
        shell: shell_choice(&entry.shell),
        os: entry.os.clone().into(),
        shells: Arc::clone(shells),
        cwd: entry.cwd.clone(),
    };
    let judgement = Judgement::answer(&policy.review(&request));
    let classification = match &entry.ending {
        Some(view) => Some(Meaning::from(
            &policy.classify(&entry.command, &ending(view))?,
        )),
        None => None,
    };
    let mut differs = entry.judgement.differences(&judgement);
    let then = entry.ending.as_ref().map(|it| it.classification.clone());
    if then.as_ref().map(|it| it.status) != classification.as_ref().map(|it| it.status) {
        differs.push("classification");
    }
    Ok((!differs.is_empty()).then(|| Change {
        at: &entry.at,
        command: &entry.command,
        differs,
        then: Decision {
            judgement: entry.judgement.clone(),
            classification: then,
        },
        now: Decision {
            judgement,
            classification,
        },
    }))
}

fn ending(view: &EndingView) -> Ending {
    Ending {
        exit_code: view.exit_code,
        signal: view.signal,
        timed_out: view.timed_out,
        dialect: match view.dialect {
            ShellKind::Bash => Dialect::Bash,
            ShellKind::Powershell => Dialect::Powershell,
            ShellKind::Cmd => Dialect::Cmd,
            ShellKind::Direct => Dialect::Direct,
        },
        stderr_excerpt: view.stderr.clone(),
    }
}

fn tell(change: &Change<'_>, json: bool) -> anyhow::Result<()> {
    if json {
        return print::text(&(serde_json::to_string(change)? + "\n"));
    }
    let mut text = format!("{}  {:?}\n", change.at, change.command);
    for name in &change.differs {
        let (then, now) = (change.then.words(name), change.now.words(name));
        text += &format!("    {name}: {then} -> {now}\n");
    }
    print::text(&text)
}

impl Decision {
    /// What it says to one thing that can differ, in words.
    fn words(&self, name: &str) -> String {
        let none = || "none".to_owned();
        let it = &self.judgement;
        match name {
            "invocation" => it
                .invocation
                .as_ref()
                .map_or_else(none, |it| format!("{:?}", it.argv)),
            "findings" if it.findings.is_empty() => none(),
            "findings" => {
                let rules: Vec<_> = it
                    .findings
                    .iter()
                    .map(|it| format!("{} ({})", it.rule, it.severity))
                    .collect();
                rules.join(", ")
            }
            "opaque" => format!("{} parts", it.opaque.len()),
            "verdict" => it.verdict.map_or_else(none, |it| it.word().into()),
            _ => self
                .classification
                .as_ref()
                .map_or_else(none, |it| it.status.word().into()),
        }
    }
}
