//! `ostler policy inspect`: what a component is and would be allowed.

use std::fmt::Write as _;

use anyhow::Context as _;
use ostler_policy_engine::{Answer, Inspection};
use ostler_terminal::policy::Policy as _;
use serde::Serialize;

use super::args::Inspect;
use super::table::align;
use super::{DONE, FOUND, print};
use crate::envelope::PolicyView;
use crate::policies::{engine, load};

/// What is told of a component.
#[derive(Serialize)]
struct Report {
    bytes: u64,
    sha256: String,
    producers: Vec<Producer>,
    exports: Vec<String>,
    imports: Vec<ImportView>,
    /// Who it says it is, and how many rules it describes, where it can be used.
    policy: Option<PolicyView>,
    rules: Option<usize>,
    /// Why it cannot be used.
    problem: Option<String>,
}

#[derive(Serialize)]
struct Producer {
    kind: String,
    name: String,
    version: String,
}

#[derive(Serialize)]
struct ImportView {
    name: String,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
}

/// Prints what a component is. Returns the exit status: 1 where it cannot be used as a policy.
///
/// # Errors
/// Where the file is no component, or the answer cannot be printed.
pub fn run(inspect: &Inspect) -> anyhow::Result<i32> {
    let name = inspect.file.display().to_string();
    let bytes = std::fs::read(&inspect.file).with_context(|| name.clone())?;
    let inspection = Inspection::of(&engine()?, &name, &bytes)?;
    let loaded = load(Some(&inspect.file), None);
    let report = Report {
        bytes: inspection.bytes,
        sha256: inspection.sha256,
        producers: inspection
            .producers
            .into_iter()
            .map(|(kind, name, version)| Producer {
                kind,
                name,
                version,
            })
            .collect(),
        exports: inspection.exports,
        imports: inspection
            .imports
            .into_iter()
            .map(|import| {
                let (answer, advice) = match import.answer {
                    Answer::TypesOnly => ("types only", None),
                    Answer::Empty => ("empty", None),
                    Answer::Refused(advice) => ("refused", Some(advice)),
                };
                ImportView {
                    name: import.name,
                    answer,
                    advice,
                }
            })
            .collect(),
        policy: loaded
            .as_ref()
            .ok()
            .map(|it| PolicyView::of(&it.identity())),
        rules: loaded
            .as_ref()
            .ok()
            .and_then(|it| Some(it.rules().ok()?.len())),
        problem: loaded.as_ref().err().map(ToString::to_string),
    };
    if inspect.json {
        print::json(&report)?;
    } else {
        print::text(&for_people(&report))?;
    }
    Ok(if report.problem.is_none() {
        DONE
    } else {
        FOUND
    })
}

fn for_people(report: &Report) -> String {
    let mut rows = vec![
        ["size".to_owned(), format!("{} bytes", report.bytes)],
        ["sha256".to_owned(), report.sha256.clone()],
    ];
    for producer in &report.producers {
        let value = format!("{} {}", producer.name, producer.version);
        rows.push([producer.kind.clone(), value]);
    }
    for export in &report.exports {
        rows.push(["exports".to_owned(), export.clone()]);
    }
    for import in &report.imports {
        rows.push([
            "imports".to_owned(),
            format!("{} ({})", import.name, import.answer),
        ]);
    }
    if let (Some(policy), Some(rules)) = (&report.policy, report.rules) {
        let value = format!(
            "{} {} with {rules} rules, proved by its own examples",
            policy.name, policy.version
        );
        rows.push(["policy".to_owned(), value]);
    }
    let mut text = align(&rows);
    match &report.problem {
        // A string takes everything.
        Some(problem) => drop(writeln!(text, "cannot be used: {problem}")),
        None => text.push_str(
            "can be used: imports that are \"empty\" are there, with nothing behind them\n",
        ),
    }
    text
}
