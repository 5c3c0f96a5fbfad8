//! Archivers that delete the originals or start programs.

use crate::model::Severity::Caution;
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};

/// `tar`.
pub(in crate::rules) fn tar(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "fCTXbIgHVN",
        long_values: "file directory exclude use-compress-program checkpoint-action to-command",
        long_names: "remove-files verbose create extract list checkpoint",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    if options.asks_for_help() {
        return;
    }
    if options.long_given("remove-files") {
        report.add(
            "fs.archive-remove",
            Caution,
            "deletes the originals after adding them to the archive",
            call.span(),
        );
    }
    for action in options.values(' ', "checkpoint-action") {
        if let Some(shell) = action.strip_prefix("exec=") {
            report.shell_text(shell, call.span());
        }
    }
    for shell in options
        .values(' ', "to-command")
        .chain(options.values('I', "use-compress-program"))
    {
        report.shell_text(shell, call.span());
    }
}

/// `zip`, `7z`, `rar`.
pub(in crate::rules) fn zip(call: &Call<'_>, report: &mut Report) {
    let words: Vec<String> = call.args.iter().map(|word| word.shown()).collect();
    let deletes = match call.name {
        "zip" => words
            .iter()
            .any(|word| word == "--move" || is_short(word, 'm')),
        "rar" => {
            words.first().is_some_and(|word| word.starts_with('m'))
                || words.iter().any(|word| word == "-df")
        }
        _ => words.iter().any(|word| word == "-sdel"),
    };
    if deletes {
        report.add(
            "fs.archive-remove",
            Caution,
            "deletes the originals after adding them to the archive",
            call.span(),
        );
    }
    // `zip -T -TT command` tests the archive with any command.
    let test = words
        .iter()
        .position(|word| word == "-TT" || word == "--unzip-command");
    if let Some(command) = test.and_then(|at| words.get(at + 1)) {
        report.shell_text(command, call.span());
    }
}

fn is_short(word: &str, letter: char) -> bool {
    word.strip_prefix('-').is_some_and(|group| {
        group.chars().all(|c| c.is_ascii_alphanumeric())
            && group.starts_with(letter) | group.ends_with(letter)
    })
}

/// `sqlite3 db '.shell command'`, from the words after the database.
pub(in crate::rules) fn sqlite_shell(line: &str, call: &Call<'_>, report: &mut Report) {
    for prefix in [".shell ", ".system "] {
        if let Some(shell) = line.trim_start().strip_prefix(prefix) {
            report.shell_text(shell, call.span());
        }
    }
}
