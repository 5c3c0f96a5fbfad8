//! Success that may hide a failure: an earlier stage of a pipeline, an earlier command of a list.

use brush_parser::ast;

use super::blame::{Blame, Known, last_pipeline};
use super::exits::chosen_failure;
use super::options::Options;
use super::row::{Call, Kind};
use super::suspect::{Suspect, Who};
use super::{reading, table};
use crate::model::Status;
use crate::syntax;

/// Exit code of a stage whose reader stopped early; no failure.
const BROKEN_PIPE: i32 = 141;

/// Interpreters, whose scripts do work of their own, and `false`.
const WORKERS: &[&str] = &[
    "bash", "deno", "false", "node", "perl", "php", "python", "python3", "ruby", "sh",
];

/// A note on what the exit code 0 of a text does not tell.
pub(super) fn failure(text: &str, known: &Known<'_>) -> Option<String> {
    failure_under(Blame::new(known.evidence), text, known)
}

fn failure_under(blame: Blame<'_>, text: &str, known: &Known<'_>) -> Option<String> {
    // Only these can hide anything; most commands have none of them.
    if !text.contains(['|', ';', '\n']) {
        return None;
    }
    let program = syntax::parse(text).ok()?;
    let mut blame = blame.inherit();
    let items: Vec<_> = program
        .complete_commands
        .iter()
        .flat_map(|list| &list.0)
        .collect();
    let (last, earlier) = items.split_last()?;
    let mut forgotten = None;
    for item in earlier {
        blame.pass(&item.0);
        let waited_for = matches!(item.1, ast::SeparatorOperator::Sequence);
        if waited_for && forgotten.is_none() && !blame.stops_at_failures() {
            forgotten = item.0.iter().last().and_then(|(_, pipeline)| {
                pipeline
                    .seq
                    .iter()
                    .find_map(|stage| work(&mut blame, stage))
            });
        }
    }
    let pipeline = last_pipeline(&program)?;
    let (_, stages) = pipeline.seq.split_last()?;
    if known.stages.is_some() {
        let failure = failed_stage(&mut blame, pipeline, known);
        if failure.is_some() {
            return failure;
        }
    } else if !blame.sees_every_stage()
        && let Some(name) = stages.iter().find_map(|stage| work(&mut blame, stage))
    {
        return Some(format!(
            "{name} may have failed: the exit code is that of the pipeline's last command"
        ));
    }
    let chain: Vec<_> = last.0.iter().collect();
    let excused = chain.windows(2).find_map(|pair| match pair {
        [(_, pipeline), (ast::PipelineOperator::Or, _)] => work(&mut blame, pipeline.seq.last()?),
        _ => None,
    });
    match (excused, forgotten) {
        (Some(name), _) => Some(format!(
            "{name} may have failed: || makes up for its exit code"
        )),
        (None, Some(name)) => Some(format!(
            "{name} may have failed: the exit code is that of the last command"
        )),
        (None, None) => {
            let (script, inner) = blame.inner_script(pipeline)?;
            failure_under(
                inner,
                &script,
                &Known {
                    stages: None,
                    ..*known
                },
            )
        }
    }
}

/// A note on an earlier stage that is known to have failed.
pub(super) fn earlier_stage(text: &str, known: &Known<'_>) -> Option<String> {
    known.stages.filter(|stages| stages.len() > 1)?;
    let program = syntax::parse(text).ok()?;
    failed_stage(
        &mut Blame::new(known.evidence),
        last_pipeline(&program)?,
        known,
    )
}

fn failed_stage<'a>(
    blame: &mut Blame<'a>,
    pipeline: &'a ast::Pipeline,
    known: &Known<'_>,
) -> Option<String> {
    let (_, earlier) = pipeline.seq.split_last()?;
    let statuses = known
        .stages
        .filter(|stages| stages.len() == pipeline.seq.len())?;
    earlier.iter().zip(statuses).find_map(|(stage, &code)| {
        if matches!(code, 0 | BROKEN_PIPE) {
            return None;
        }
        let told = reading::judge(&blame.of_command(stage, code), code, &known.evidence);
        let message = told.message.filter(|_| told.status != Status::Ok)?;
        Some(format!(
            "an earlier stage of the pipeline failed: {message}"
        ))
    })
}

/// The name of the command that decides a stage, if its failure is worth a note: builds, checks, scripts.
fn work<'a>(blame: &mut Blame<'a>, stage: &'a ast::Command) -> Option<String> {
    match chosen_failure(stage) {
        Some(code) => Some(format!("exit {code}")),
        None => blame.of_command(stage, 1).iter().rev().find_map(worker),
    }
}

fn worker(suspect: &Suspect) -> Option<String> {
    let Who::Program { name, args } = &suspect.who else {
        return None;
    };
    let known = reading::known_name(name);
    let options = Options::of(known, args);
    let call = Call {
        program: known,
        options: &options,
        stderr: "",
        dialect: crate::model::Dialect::Bash,
    };
    let mut entries = table::entries().filter(|tool| tool.holds(&call)).peekable();
    let own_script = suspect.is_path() && entries.peek().is_none();
    let works =
        own_script || entries.any(|tool| tool.kind == Kind::Gate) || WORKERS.contains(&known);
    works.then(|| name.clone())
}
