//! The builtins of the Windows command processor.

use super::DELETE;
use super::parameters::{explains, slashed};
use crate::model::Severity::{Caution, Danger, Note};
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::{RedirectKind, Via};

/// `del`, `rd`, `type nul >`; tells whether the name was a builtin.
pub(in crate::rules) fn cmd(call: &Call<'_>, report: &mut Report) -> bool {
    match call.name {
        "del" | "erase" => delete(call, report),
        "rd" | "rmdir" => remove_directory(call, report),
        "type" | "copy" | "break" | "rem" | "echo." => empties(call, report),
        _ => return false,
    }
    true
}

/// `forfiles /c "cmd /c del @path"`.
pub(in crate::rules) fn for_each_file(call: &Call<'_>, report: &mut Report) {
    let words: Vec<String> = call
        .args
        .iter()
        .map(|word| word.shown().to_lowercase())
        .collect();
    let at = words.iter().position(|word| word == "/c");
    let Some(command) = at.and_then(|at| words.get(at + 1)) else {
        return;
    };
    let deletes = command
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .any(|word| matches!(word, "del" | "erase" | "rd" | "rmdir" | "remove-item"));
    if deletes {
        report.add(
            DELETE,
            Caution,
            "deletes every file that it finds",
            call.span(),
        );
    }
}

fn delete(call: &Call<'_>, report: &mut Report) {
    let (switches, operands) = slashed(call.args);
    let has = |switch: &str| switches.iter().any(|given| given == switch);
    if explains(&switches) || operands.is_empty() || has("p") && !stdin::answers_yes(call) {
        return;
    }
    let shown = operands
        .iter()
        .map(|word| word.shown())
        .collect::<Vec<_>>()
        .join(" ");
    let targets: Vec<Target> = operands
        .iter()
        .map(|word| Target::of(word, call.cwd()))
        .collect();
    // `for %f in (*.txt) do del "%f"`.
    let looped = call.via(Via::Compound) && operands.iter().any(|word| word.is_dynamic());
    if targets
        .iter()
        .all(|target| target.place == Place::Temporary)
    {
        report.add(
            "win.delete-scoped",
            Note,
            format!("deletes {shown} in a scratch directory"),
            call.span(),
        );
    } else if has("s")
        || looped
        || shown.contains('*')
        || targets.iter().any(|target| target.place == Place::Root)
    {
        report.add(
            DELETE,
            Caution,
            format!("deletes every file that matches {shown}"),
            call.span(),
        );
    } else if targets.iter().any(Target::is_protected) {
        report.add(
            DELETE,
            Danger,
            format!("deletes {shown}: a file that the system or its owner needs"),
            call.span(),
        );
    }
}

fn remove_directory(call: &Call<'_>, report: &mut Report) {
    let (switches, operands) = slashed(call.args);
    let has = |switch: &str| switches.iter().any(|given| given == switch);
    if explains(&switches) || operands.is_empty() || !has("s") {
        return;
    }
    // Without `/q` it asks.
    let shown = operands
        .iter()
        .map(|word| word.shown())
        .collect::<Vec<_>>()
        .join(" ");
    let targets: Vec<Target> = operands
        .iter()
        .map(|word| Target::of(word, call.cwd()))
        .collect();
    if targets
        .iter()
        .all(|target| matches!(target.place, Place::Temporary | Place::Cache))
    {
        report.add(
            "win.delete-scoped",
            Note,
            format!("removes {shown}, a scratch place or a cache"),
            call.span(),
        );
    } else if has("q") || stdin::answers_yes(call) {
        let root = targets
            .iter()
            .any(|target| target.place == Place::Root || target.is_protected());
        let severity = if root { Danger } else { Caution };
        report.add(
            DELETE,
            severity,
            format!("recursively removes {shown}"),
            call.span(),
        );
    }
}

/// `type nul > file`, `copy /y nul file`.
fn empties(call: &Call<'_>, report: &mut Report) {
    let (_, operands) = slashed(call.args);
    let from_nothing = operands
        .first()
        .is_some_and(|word| word.shown().eq_ignore_ascii_case("nul"));
    let nothing = from_nothing || matches!(call.name, "break" | "rem");
    let written = call.invocation().redirects.iter().find(|redirect| {
        redirect.kind == RedirectKind::Write && !redirect.target.shown().eq_ignore_ascii_case("nul")
    });
    let target = match (call.name, written) {
        ("copy", _) => operands.get(1).copied(),
        (_, Some(redirect)) => Some(&redirect.target),
        _ => None,
    };
    if let (true, Some(word)) = (nothing, target) {
        report.add(
            DELETE,
            Caution,
            format!("truncates {} to nothing", word.shown()),
            call.span(),
        );
    }
}
