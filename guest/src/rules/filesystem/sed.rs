//! `sed`: scripts that write files, run commands or empty what they edit.

use super::destination::{Writer, check};
use crate::model::Severity::Caution;
use crate::rules::interpreters::prints_into_shell;
use crate::rules::options::{Grammar, Options};
use crate::rules::place::Target;
use crate::rules::report::{Call, Report};

/// `sed`: the `w` and `e` commands of its scripts.
pub(in crate::rules) fn sed(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "efl",
        long_values: "expression file line-length",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    let mut scripts: Vec<String> = options
        .values('e', "expression")
        .map(str::to_owned)
        .collect();
    if scripts.is_empty() {
        scripts.extend(options.operand(0));
    }
    let in_place = options.given.iter().any(|option| match option.short {
        true => option.name == "i",
        false => option.name == "in-place",
    });
    if in_place
        && scripts
            .iter()
            .any(|script| matches!(script.trim(), "d" | "1,$d" | "1,$ d" | "/.*/d" | "//d"))
    {
        report.add(
            "fs.truncate",
            Caution,
            "truncates the files to nothing",
            call.span(),
        );
    }
    for script in &scripts {
        for line in script.split(['\n', ';']) {
            let command = line.trim_start_matches(|c: char| {
                c.is_ascii_digit() || matches!(c, '$' | ',' | '!' | ' ')
            });
            let command = skip_address(command);
            if let Some(file) = command.strip_prefix("w ") {
                check(
                    Writer::new(call, "matching lines"),
                    &Target::of_text(file.trim(), call.cwd()),
                    file.trim(),
                    report,
                );
            } else if let Some(shell) = command.strip_prefix("e ") {
                report.shell_text(shell, call.span());
            } else if let Some(found) = substitution(command) {
                if let Some(file) = found.file {
                    let target = Target::of_text(file, call.cwd());
                    check(Writer::new(call, "changed lines"), &target, file, report);
                }
                // What is put in front of each line is run as part of it.
                if !found.runs && prints_into_shell(call) {
                    let shell = found.replacement.replace('&', "${_}");
                    report.shell_text(&format!("{shell}${{_}}"), call.span());
                }
                if found.runs {
                    // `&` is what was found.
                    let shell = found.replacement.replace('&', "${_}");
                    report.shell_text(&shell, call.span());
                }
            }
        }
    }
}

/// Takes a `/…/` address off.
fn skip_address(command: &str) -> &str {
    let Some(rest) = command.strip_prefix('/') else {
        return command;
    };
    match rest.find('/') {
        Some(end) => rest[end + 1..].trim_start(),
        None => command,
    }
}

/// A substitution with the flags that write a file or run the result.
struct Substitution<'a> {
    replacement: &'a str,
    file: Option<&'a str>,
    runs: bool,
}

/// `s/a/b/flags`.
fn substitution(command: &str) -> Option<Substitution<'_>> {
    let rest = command.strip_prefix('s')?;
    let delimiter = rest.chars().next().filter(|mark| !mark.is_alphanumeric())?;
    let mut parts = rest[delimiter.len_utf8()..].splitn(3, delimiter);
    let (_, replacement, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let (letters, file) = match flags.split_once("w ") {
        Some((letters, file)) => (letters, Some(file.trim())),
        None => (flags, None),
    };
    let letters = letters.trim_end();
    let plain = letters.chars().all(|flag| flag.is_ascii_alphanumeric());
    plain.then(|| Substitution {
        replacement,
        file,
        runs: letters.contains('e'),
    })
}
