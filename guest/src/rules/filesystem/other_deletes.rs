//! Deletes that are not called so: trees by tools, the trash, logs, settings.

use super::delete::{Removal, judge};
use crate::model::Severity::Caution;
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};
use crate::syntax::Word;

/// `rimraf`, `del-cli`, `srm -r`: trees by name.
pub(in crate::rules) fn remove_tree_tool(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&Grammar::PLAIN, call.args);
    let dry = options.any_of("--dry-run -n -i --interactive");
    if !dry && !options.asks_for_help() && !options.operands.is_empty() {
        judge(
            call,
            &options.operands,
            Removal {
                recursive: true,
                forced: true,
                asks: false,
            },
            report,
        );
    }
}

/// `cmake -E rm`, `cmake -E remove_directory`.
pub(in crate::rules) fn cmake(call: &Call<'_>, report: &mut Report) {
    let [flag, command, rest @ ..] = call.args else {
        return;
    };
    if flag.literal().as_deref() != Some("-E") {
        return;
    }
    let options = Options::parse(&Grammar::PLAIN, rest);
    let recursive = match command.literal().as_deref() {
        Some("remove_directory") => true,
        Some("rm") => options.any_short("rR") || options.long_given("recursive"),
        Some("remove") => false,
        _ => return,
    };
    judge(
        call,
        &options.operands,
        Removal {
            recursive,
            forced: true,
            asks: false,
        },
        report,
    );
}

/// `trash-empty`, `gio trash --empty`.
pub(in crate::rules) fn empty_trash(call: &Call<'_>, report: &mut Report) {
    let only_told = call.args.iter().any(|word| {
        matches!(
            word.literal().as_deref(),
            Some("--help" | "-h" | "--version" | "--dry-run")
        )
    });
    if !only_told {
        let message = "empties the trash: everything in it is removed";
        report.add("fs.rm-recursive", Caution, message, call.span());
    }
}

/// `rg --pre command` runs the command on every file.
pub(in crate::rules) fn preprocessor(call: &Call<'_>, report: &mut Report) {
    let mut words = call.args.iter();
    while let Some(word) = words.next() {
        let text = word.shown();
        let command = match text.strip_prefix("--pre=") {
            Some(command) => Some(command.to_owned()),
            None if text == "--pre" => words.next().and_then(Word::literal),
            None => None,
        };
        let Some(command) = command else { continue };
        let program = command.rsplit('/').next().unwrap_or_default();
        if matches!(program, "rm" | "unlink" | "shred" | "truncate") {
            let message = "removes every file that the search comes to";
            report.add("fs.find-delete", Caution, message, call.span());
        }
    }
}

/// `journalctl --vacuum-time=1s` and its like.
pub(in crate::rules) fn journal(call: &Call<'_>, report: &mut Report) {
    let vacuums = call.args.iter().any(|word| word.starts_with("--vacuum-"));
    if vacuums {
        report.add(
            "fs.truncate",
            Caution,
            "deletes the system's logs",
            call.span(),
        );
    }
}

/// `dconf reset -f /`.
pub(in crate::rules) fn settings(call: &Call<'_>, report: &mut Report) {
    let words: Vec<String> = call.args.iter().map(|word| word.shown()).collect();
    if words.iter().any(|word| word == "reset") && words.iter().any(|word| word == "-f") {
        report.add(
            "fs.rm-recursive",
            Caution,
            "removes all settings below a path",
            call.span(),
        );
    }
}
