//! Spellings that each family must tell apart: what is found, what is left alone.

mod carried;
mod code;
mod files;
mod long;
mod programs;
mod services;
mod windows;

use crate::model::{Dialect, Severity};
use crate::rules::judge;
use crate::syntax::unfold_as;

fn warnings(dialect: Dialect, command: &str) -> Vec<String> {
    judge(&unfold_as(dialect, command), dialect)
        .into_iter()
        .filter(|finding| finding.severity > Severity::Note)
        .map(|finding| finding.rule)
        .collect()
}

/// Each command must yield a warning of its rule.
fn assert_found(dialect: Dialect, cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(command, rule)| (command, rule, warnings(dialect, command)))
        .filter(|(_, rule, found)| !found.iter().any(|id| id == *rule))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// None of the commands may yield a warning.
fn assert_silent(dialect: Dialect, cases: &[&str]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|command| (command, warnings(dialect, command)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
