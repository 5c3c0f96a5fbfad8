//! Modes, owners and attributes changed for whole trees: nobody knows what they were.

use crate::model::Severity::{Caution, Danger};
use crate::rules::options::{Grammar, Options};
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};
use crate::syntax::{Piece, Via, Word};

const CHANGE: Grammar = Grammar {
    long_values: "reference from",
    long_names: "recursive changes silent quiet verbose dereference no-dereference preserve-root \
        no-preserve-root help version",
    ..Grammar::PLAIN
};

/// Whether an operand is a system tree or below one.
fn of_system(word: &Word, call: &Call<'_>) -> bool {
    let target = Target::of(word, call.cwd());
    match target.place {
        Place::Root => target.is_absolute() && !target.in_home() || target.is_tree("/root"),
        Place::System => true,
        _ => false,
    }
}

/// `chmod`. Its symbolic modes may look like options (`-w`).
pub(in crate::rules) fn change_mode(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&CHANGE, call.args);
    if options.asks_for_help() {
        return;
    }
    let recursive = options.has('R', "recursive");
    let dashed_mode = options
        .given
        .iter()
        .any(|option| option.short && "rwxXst".contains(&option.name));
    let (mode, files) = if dashed_mode || options.value(' ', "reference").is_some() {
        (None, options.operands.as_slice())
    } else {
        match options.operands.split_first() {
            Some((mode, files)) => (Some(mode.shown()), files),
            None => return,
        }
    };
    let strips = dashed_mode || mode.as_deref().is_some_and(strips_owner);
    let opens = mode
        .as_deref()
        .is_some_and(|mode| matches!(mode.trim_start_matches('0'), "777" | "666" | ""));
    if let Some(word) = files
        .iter()
        .find(|word| of_system(word, call))
        .filter(|_| recursive || strips)
    {
        let message = format!(
            "changes the mode of {}; the old modes are lost and the system may not work",
            word.shown()
        );
        report.add("fs.perms", Danger, message, call.span());
        return;
    }
    let listed = call.via(Via::FindExec) || call.via(Via::Xargs);
    if listed
        && strips
        && files
            .iter()
            .any(|word| word.pieces.contains(&Piece::Unknown))
    {
        report.add(
            "fs.perms",
            Caution,
            "takes access away from every file that a search yields",
            call.span(),
        );
        return;
    }
    let whole_tree = |word: &&&Word| Target::of(word, call.cwd()).place == Place::Root;
    if recursive && (strips || opens && files.iter().any(|word| whole_tree(&word))) {
        report.add(
            "fs.perms",
            Caution,
            "changes the mode of every file in a tree; the old modes are lost",
            call.span(),
        );
    }
}

/// Whether a mode takes reading or writing away from the owner.
fn strips_owner(mode: &str) -> bool {
    let digits = mode.len() >= 3 && mode.bytes().all(|byte| byte.is_ascii_digit());
    if digits || mode == "0" {
        return mode.trim_start_matches('0').len() < 3;
    }
    mode.split(',').any(|clause| {
        let Some((who, what)) = clause.split_once(['-', '=']) else {
            return false;
        };
        let owner = who.is_empty() || who.contains(['a', 'u']);
        let takes = if clause.contains('-') {
            what.contains('r')
        } else {
            what.is_empty()
        };
        owner && takes
    })
}

/// `chown`, `chgrp`.
pub(in crate::rules) fn change_owner(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&CHANGE, call.args);
    if options.asks_for_help() || !options.has('R', "recursive") {
        return;
    }
    let skip = usize::from(options.value(' ', "reference").is_none());
    let files = options.operands.iter().skip(skip);
    // A home given to somebody who is not its owner.
    let taken = options
        .operand(0)
        .is_some_and(|owner| owner.starts_with("root") || owner.starts_with("nobody"));
    let is_home = |word: &Word| taken && Target::of(word, call.cwd()).place == Place::Root;
    if let Some(word) = files
        .into_iter()
        .find(|word| of_system(word, call) || is_home(word))
    {
        let message = format!(
            "changes the owner of everything in {}; who owned what is lost",
            word.shown()
        );
        report.add("fs.perms", Danger, message, call.span());
    }
}

/// `chattr -R`, `setfacl -R`.
pub(in crate::rules) fn change_attributes(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: if call.name == "setfacl" { "mxMX" } else { "pv" },
        long_values: "modify remove set restore",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    if options.asks_for_help() || options.long_given("test") || !options.has('R', "recursive") {
        return;
    }
    if let Some(word) = options.operands.iter().find(|word| of_system(word, call)) {
        let message = format!(
            "changes the attributes of everything in {}; the old ones are lost",
            word.shown()
        );
        report.add("fs.perms", Danger, message, call.span());
    }
}
