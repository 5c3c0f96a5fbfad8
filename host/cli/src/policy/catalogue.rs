//! `ostler policy rules`: what the policy can find.

use ostler_policy_engine::RuleDescription;
use ostler_terminal::policy::Policy as _;
use serde::Serialize;

use super::args::Rules;
use super::table::align;
use super::{DONE, FOUND, current, print};
use crate::config::Config;
use crate::envelope::{PolicyView, ShellKind, severity_word};

/// The catalogue of a policy.
#[derive(Serialize)]
struct Catalogue {
    policy: PolicyView,
    rules: Vec<RuleView>,
}

#[derive(Serialize)]
struct RuleView {
    id: String,
    severity: &'static str,
    title: String,
    dialect: ShellKind,
    example: String,
    counter_example: String,
}

impl From<RuleDescription> for RuleView {
    fn from(rule: RuleDescription) -> Self {
        Self {
            severity: severity_word(rule.severity),
            dialect: rule.dialect.into(),
            id: rule.id,
            title: rule.title,
            example: rule.example,
            counter_example: rule.counter_example,
        }
    }
}

/// Prints the catalogue, or the part of it that was asked for. Returns the exit status: 1 where nothing has such a name.
///
/// # Errors
/// Where the policy cannot be used, or the answer cannot be printed.
pub fn run(rules: &Rules, config: &Config) -> anyhow::Result<i32> {
    let policy = current(config)?;
    let is_wanted = |rule: &RuleDescription| {
        let family = rule.id.split('.').next();
        let is_named = |name: &String| *name == rule.id || Some(name.as_str()) == family;
        rules.filter.is_empty() || rules.filter.iter().any(is_named)
    };
    let catalogue = Catalogue {
        policy: PolicyView::of(&policy.identity()),
        rules: policy
            .rules()?
            .into_iter()
            .filter(is_wanted)
            .map(Into::into)
            .collect(),
    };
    let status = if catalogue.rules.is_empty() {
        FOUND
    } else {
        DONE
    };
    if rules.json {
        print::json(&catalogue)?;
        return Ok(status);
    }
    let row = |rule: RuleView| {
        let example = rule.example.lines().next().unwrap_or_default().to_owned();
        [rule.id, rule.severity.to_owned(), rule.title, example]
    };
    let rows: Vec<_> = catalogue.rules.into_iter().map(row).collect();
    print::text(&align(&rows))?;
    Ok(status)
}
