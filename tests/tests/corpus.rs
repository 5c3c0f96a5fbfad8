//! The sample tables, through the committed component. The floors may only rise.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;

use ostler_policy_engine::{Engine, Limits, LoadedPolicy, Source};
use ostler_terminal::policy::{
    Dialect, Ending, Policy, Request, Review, ReviewError, Severity, Shell, ShellChoice, Status,
};
use ostler_tests::corpus::{self, Destructive, Exit, Routing};

const ROUTING_FLOOR: f64 = 1.0;
const ENDINGS_FLOOR: f64 = 1.0;
const RECALL_FLOOR: f64 = 1.0;
const PRECISION_FLOOR: f64 = 1.0;

fn policy() -> LoadedPolicy {
    let engine = Engine::new(Limits::default(), None).unwrap();
    LoadedPolicy::load(&engine, &Source::Embedded, None).unwrap()
}

fn review(policy: &LoadedPolicy, command: &str, shell: ShellChoice) -> Option<Review> {
    let request = Request {
        command: command.into(),
        shell,
        os: "linux".into(),
        shells: Arc::from([Shell {
            dialect: Dialect::Bash,
            program: "/bin/bash".into(),
        }]),
        cwd: "/srv/project".into(),
    };
    match policy.review(&request) {
        Ok(review) => Some(review),
        Err(ReviewError::Rejected(_)) => None,
        Err(ReviewError::Failed(failure)) => panic!("{command:?}: {failure}"),
    }
}

#[test]
fn commands_are_routed_as_bash_would_run_them() {
    let policy = policy();
    let rows: Vec<Routing> = corpus::read("routing.jsonl").unwrap();
    let wrong: Vec<_> = rows
        .iter()
        .filter(|row| {
            let plan = review(&policy, &row.command, ShellChoice::Auto).map(|it| it.invocation);
            // A text without a command is rejected: there is nothing that a shell would do with it.
            let direct = plan
                .filter(|plan| plan.dialect == Dialect::Direct)
                .map(|plan| plan.argv);
            direct != row.argv
        })
        .map(|row| (&row.id, &row.command, &row.argv))
        .collect();
    let score = 1.0 - wrong.len() as f64 / rows.len() as f64;
    println!(
        "routing: {:.2} % of {}; wrong: {wrong:#?}",
        score * 100.0,
        rows.len()
    );
    assert!(score >= ROUTING_FLOOR);
}

#[test]
fn endings_mean_what_the_manuals_say() {
    let policy = policy();
    let rows: Vec<Exit> = corpus::read("exits.jsonl").unwrap();
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let dialect = review(&policy, &row.command, ShellChoice::Auto)
                .map_or(Dialect::Bash, |review| review.invocation.dialect);
            let ending = Ending {
                exit_code: (row.exit_code >= 0).then_some(row.exit_code),
                signal: u32::try_from(-row.exit_code)
                    .ok()
                    .filter(|signal| *signal > 0),
                timed_out: false,
                dialect,
                stderr_excerpt: row.stderr.clone(),
            };
            let answer = policy.classify(&row.command, &ending).unwrap();
            let status = match answer.status {
                Status::Ok => "ok",
                Status::Signal => "signal",
                Status::Error => "error",
            };
            (status != row.status).then_some((
                &row.id,
                &row.command,
                row.exit_code,
                &row.status,
                answer,
            ))
        })
        .collect();
    let score = 1.0 - wrong.len() as f64 / rows.len() as f64;
    println!(
        "endings: {:.2} % of {}; wrong: {wrong:#?}",
        score * 100.0,
        rows.len()
    );
    assert!(score >= ENDINGS_FLOOR);
}

#[test]
fn destructive_commands_are_found_and_others_are_not() {
    let policy = policy();
    let rows: Vec<Destructive> = corpus::read("destructive.jsonl").unwrap();
    let mut families: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for row in &rows {
        let shell = match row.shell.as_str() {
            "powershell" => ShellChoice::Named("pwsh".into()),
            "cmd" => ShellChoice::Named("cmd.exe".into()),
            _ => ShellChoice::Auto,
        };
        let found = review(&policy, &row.command, shell).is_some_and(|review| {
            review
                .findings
                .iter()
                .any(|finding| finding.severity >= Severity::Caution)
        });
        let category = row
            .categories
            .iter()
            .map(|it| it.trim_start_matches("like."));
        let category = category
            .clone()
            .find(|it| !it.starts_with("safe."))
            .unwrap_or("other");
        let family = category.split('.').next().unwrap_or(category);
        all.count(row.destructive, found);
        families
            .entry(family)
            .or_default()
            .count(row.destructive, found);
    }
    for (family, tally) in &families {
        println!("{family:12} {tally}");
    }
    println!("{:12} {all}", "all");
    assert!(all.recall() >= RECALL_FLOOR && all.precision() >= PRECISION_FLOOR);
}

#[derive(Default)]
struct Tally {
    hits: u32,
    misses: u32,
    false_alarms: u32,
}

impl Tally {
    fn count(&mut self, destructive: bool, found: bool) {
        match (destructive, found) {
            (true, true) => self.hits += 1,
            (true, false) => self.misses += 1,
            (false, true) => self.false_alarms += 1,
            (false, false) => {}
        }
    }

    fn recall(&self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.misses).max(1))
    }

    fn precision(&self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.false_alarms).max(1))
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            hits,
            misses,
            false_alarms,
        } = self;
        let (recall, precision) = (self.recall(), self.precision());
        write!(
            formatter,
            "recall {recall:.3} precision {precision:.3} ({hits} found, {misses} missed, {false_alarms} false)"
        )
    }
}
