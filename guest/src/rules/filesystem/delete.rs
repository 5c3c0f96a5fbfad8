//! `rm` and its relatives.

use super::find::{Scope, carrier_scope};
use crate::model::Severity::{Caution, Danger, Note};
use crate::rules::options::{Grammar, Options};
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::{Piece, Via, Word};

const RM: Grammar = Grammar {
    long_names: "dir force help interactive no-preserve-root one-file-system preserve-root \
        recursive verbose version",
    ..Grammar::PLAIN
};

/// The letters that some `rm` knows (GNU, BSD, busybox).
const RM_LETTERS: &str = "dfiIPrRvWx";

/// `rm`.
pub(in crate::rules) fn remove(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&RM, call.args);
    let known = options.given.iter().all(|option| {
        if option.short {
            option
                .name
                .chars()
                .all(|letter| RM_LETTERS.contains(letter))
        } else {
            RM.long_names.split(' ').any(|name| name == option.name)
        }
    });
    // With an option that it does not know, rm only complains.
    if !known || options.asks_for_help() || options.operands.is_empty() {
        return;
    }
    let recursive = options.any_short("rR") || options.long_given("recursive");
    let forced = options.has('f', "force");
    let asks = asks(&options) && !stdin::answers_yes(call);
    judge(
        call,
        &options.operands,
        Removal {
            recursive,
            forced,
            asks,
        },
        report,
    );
}

/// Whether the last of `-f`, `-i`, `-I` and `--interactive` makes it ask; without a terminal the
/// answer is no.
fn asks(options: &Options<'_>) -> bool {
    let mut asks = false;
    for option in &options.given {
        match (option.short, option.name.as_str()) {
            (true, "f") | (false, "force") => asks = false,
            (true, "i" | "I") => asks = true,
            (false, "interactive") => {
                asks = !matches!(option.value.as_deref(), Some("never" | "no" | "none"));
            }
            _ => {}
        }
    }
    asks
}

/// How a delete goes about it.
#[derive(Clone, Copy)]
pub(super) struct Removal {
    /// Whether it takes directories with all that is in them.
    pub recursive: bool,
    /// Whether it overrides what protects a file.
    pub forced: bool,
    /// Whether it asks before each file.
    pub asks: bool,
}

/// Reports what a delete of these operands loses.
pub(super) fn judge(call: &Call<'_>, operands: &[&Word], how: Removal, report: &mut Report) {
    let span = call.span();
    let shown = || {
        operands
            .iter()
            .map(|word| word.shown())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let verb = match (how.recursive, how.forced) {
        (true, true) => "recursively force-removes",
        (true, false) => "recursively removes",
        (false, true) => "force-removes",
        (false, false) => "removes",
    };
    if how.asks {
        if how.recursive || how.forced {
            report.add(
                "fs.rm-scoped",
                Note,
                format!("{verb} {}, asking first", shown()),
                span,
            );
        }
        return;
    }
    let targets: Vec<Target> = operands
        .iter()
        .map(|word| Target::of(word, call.cwd()))
        .collect();
    let listed = call.via(Via::FindExec) || call.via(Via::Xargs);
    let names_root = || how.recursive && targets.iter().any(|it| it.place == Place::Root);
    if listed
        && !names_root()
        && operands
            .iter()
            .any(|word| word.pieces.contains(&Piece::Unknown))
    {
        match carrier_scope(call) {
            Scope::Scratch => report.add(
                "fs.rm-scoped",
                Note,
                "removes what a search yields in scratch places",
                span,
            ),
            scope => {
                let severity = if scope == Scope::Root && how.recursive {
                    Danger
                } else {
                    Caution
                };
                report.add(
                    "fs.find-delete",
                    severity,
                    format!("{verb} every file that a search or a list yields"),
                    span,
                );
            }
        }
        return;
    }
    if !how.recursive && operands.iter().any(|word| is_listing(word, call)) {
        report.add(
            "fs.find-delete",
            Caution,
            format!("{verb} every file that a list names"),
            span,
        );
        return;
    }
    if how.recursive {
        recursive(&targets, verb, &shown(), call, report);
    } else {
        single(&targets, how, verb, &shown(), call, report);
    }
}

/// Whether an operand is the output of a command or a variable that a list fills: nobody knows
/// how many files that is.
fn is_listing(word: &Word, call: &Call<'_>) -> bool {
    match word.pieces.as_slice() {
        [Piece::Substitution] => true,
        [Piece::Variable { name, .. }] => call.all.invocations.iter().any(|earlier| {
            matches!(
                earlier.program.as_deref(),
                Some("read" | "mapfile" | "readarray")
            ) && earlier
                .args
                .iter()
                .any(|word| word.literal().as_deref() == Some(name))
        }),
        _ => false,
    }
}

fn recursive(targets: &[Target], verb: &str, shown: &str, call: &Call<'_>, report: &mut Report) {
    let span = call.span();
    let any = |wanted: Place| targets.iter().any(|target| target.place == wanted);
    if any(Place::Root) {
        report.add(
            "fs.rm-root",
            Danger,
            format!("{verb} {shown}: a whole system, home or working tree is lost"),
            span,
        );
    } else if any(Place::Unknown) {
        report.add(
            "fs.rm-dynamic",
            Danger,
            format!(
                "{verb} {shown}: what that is shows only when it runs; an empty variable widens it"
            ),
            span,
        );
    } else if targets.iter().all(|target| {
        matches!(
            target.place,
            Place::Temporary | Place::Cache | Place::Nowhere
        )
    }) {
        report.add(
            "fs.rm-scoped",
            Note,
            format!("{verb} {shown}, a scratch place or a cache"),
            span,
        );
    } else {
        let severity = if targets.iter().any(Target::is_protected) {
            Danger
        } else {
            Caution
        };
        report.add(
            "fs.rm-recursive",
            severity,
            format!("{verb} {shown} and everything in it"),
            span,
        );
    }
}

fn single(
    targets: &[Target],
    how: Removal,
    verb: &str,
    shown: &str,
    call: &Call<'_>,
    report: &mut Report,
) {
    let span = call.span();
    let outside = |target: &&Target| target.place != Place::Temporary;
    if let Some(target) = targets
        .iter()
        .filter(outside)
        .find(|target| target.open_glob())
    {
        let compiled = [".pyc", ".pyo", ".class"]
            .iter()
            .any(|ending| target.file_name().ends_with(ending));
        if !compiled {
            let severity = if target.is_protected() {
                Danger
            } else {
                Caution
            };
            report.add(
                "fs.rm-glob",
                severity,
                format!("{verb} every file that matches {shown}"),
                span,
            );
            return;
        }
    }
    let protected = |target: &Target| {
        let device = target.place == Place::Nowhere && target.known_path().is_some();
        device || target.is_protected() && target.place != Place::Root
    };
    if targets.iter().any(protected) {
        report.add(
            "fs.rm-protected",
            Danger,
            format!("{verb} {shown}: a file that the system or its owner needs"),
            span,
        );
    } else if how.forced {
        report.add("fs.rm-force", Note, format!("{verb} {shown}"), span);
    }
}

/// `unlink`, `trash`: single files.
pub(in crate::rules) fn unlink(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&Grammar::PLAIN, call.args);
    if !options.asks_for_help() && !options.operands.is_empty() {
        judge(
            call,
            &options.operands,
            Removal {
                recursive: false,
                forced: false,
                asks: false,
            },
            report,
        );
    }
}

const SHRED: Grammar = Grammar {
    short_values: "ns",
    long_values: "iterations size random-source",
    ..Grammar::PLAIN
};

/// `shred`, `wipe`, `srm`: overwriting deletes of files; of disks by [`crate::rules::disk`].
pub(in crate::rules) fn wipe(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&SHRED, call.args);
    if options.asks_for_help() || options.operands.is_empty() {
        return;
    }
    let targets: Vec<Target> = options
        .operands
        .iter()
        .map(|word| Target::of(word, call.cwd()))
        .collect();
    let shown = options
        .operands
        .iter()
        .map(|word| word.shown())
        .collect::<Vec<_>>()
        .join(" ");
    if targets.iter().any(|target| target.place == Place::Device) {
        report.add(
            "disk.format",
            Danger,
            format!("overwrites the disk {shown}"),
            call.span(),
        );
    } else if !targets
        .iter()
        .all(|target| matches!(target.place, Place::Temporary | Place::Nowhere))
    {
        report.add(
            "fs.shred",
            Danger,
            format!("overwrites {shown} so that nothing can recover it"),
            call.span(),
        );
    }
}
