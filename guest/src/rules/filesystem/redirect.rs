//! `>`: files emptied, devices written, inputs clobbered before they are read.

use super::destination::{Writer, check};
use crate::model::Dialect;
use crate::model::Severity::Caution;
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};
use crate::syntax::{Redirect, RedirectKind, Stdin, Word};

/// Programs that do not read the contents of the files named as their operands.
const NO_READERS: &[&str] = &[
    "basename", "cargo", "date", "dirname", "docker", "echo", "env", "find", "git", "kubectl",
    "ls", "make", "mkdir", "npm", "printf", "ps", "readlink", "realpath", "rm", "seq", "sleep",
    "ssh", "stat", "test", "touch", "tree", "type", "which",
];

/// The redirections of a command.
pub(in crate::rules) fn redirects(call: &Call<'_>, report: &mut Report) {
    for redirect in &call.invocation().redirects {
        if !writes(redirect) || is_null(redirect, call.dialect()) {
            continue;
        }
        let target = Target::of(&redirect.target, call.cwd());
        let shown = redirect.target.shown();
        let writer = Writer::at(redirect.span, "the output of a command")
            .appending(redirect.kind == RedirectKind::Append);
        if check(writer, &target, &shown, report) || redirect.kind == RedirectKind::Append {
            continue;
        }
        if target.place == Place::Nowhere || matches!(redirect.fd, Some(fd) if fd != 1) {
            continue;
        }
        if fills(call) {
            report.add(
                "sys.resource",
                Caution,
                format!("fills {shown} without end until the disk is full"),
                redirect.span,
            );
        } else if target.place == Place::Temporary {
            continue;
        } else if prints_nothing(call) {
            report.add(
                "fs.truncate",
                Caution,
                format!("truncates {shown} to nothing"),
                redirect.span,
            );
        } else if reads(call, &target) {
            report.add(
                "fs.self-clobber",
                Caution,
                format!("truncates {shown} before the same command reads it"),
                redirect.span,
            );
        }
    }
}

/// Redirections that belong to no program: `> file`.
pub(in crate::rules) fn bare(redirect: &Redirect, dialect: Dialect, report: &mut Report) {
    if !writes(redirect) || is_null(redirect, dialect) {
        return;
    }
    let target = Target::of(&redirect.target, None);
    let shown = redirect.target.shown();
    let appends = redirect.kind == RedirectKind::Append;
    let told = check(
        Writer::at(redirect.span, "nothing").appending(appends),
        &target,
        &shown,
        report,
    );
    if !told && !appends && !matches!(target.place, Place::Nowhere | Place::Temporary) {
        report.add(
            "fs.truncate",
            Caution,
            format!("truncates {shown} to nothing"),
            redirect.span,
        );
    }
}

/// Whether the target is the null device of a Windows shell.
fn is_null(redirect: &Redirect, dialect: Dialect) -> bool {
    let target = redirect.target.shown();
    match dialect {
        Dialect::Powershell => target.eq_ignore_ascii_case("$null"),
        Dialect::Cmd => target.eq_ignore_ascii_case("nul"),
        Dialect::Bash | Dialect::Direct => false,
    }
}

fn writes(redirect: &Redirect) -> bool {
    matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
}

/// Whether the command's output is known to be empty, so that the redirection only empties its
/// target.
fn prints_nothing(call: &Call<'_>) -> bool {
    let texts = || call.args.iter().map(|word| word.literal());
    match call.name {
        ":" | "true" | "false" => true,
        "echo" => {
            texts().all(|text| matches!(text.as_deref(), Some("" | "-n" | "-ne" | "-en" | "-e")))
        }
        "printf" => call.args.len() == 1 && texts().all(|text| text.as_deref() == Some("")),
        "cat" => call.args.len() == 1 && texts().all(|text| text.as_deref() == Some("/dev/null")),
        _ => false,
    }
}

/// Whether the command or a stage before it reads the file.
fn reads(call: &Call<'_>, target: &Target) -> bool {
    // sponge takes in everything before it writes.
    call.name != "sponge"
        && std::iter::once(call.index)
            .chain(call.sources())
            .any(|index| reads_directly(call, index, target))
}

fn reads_directly(call: &Call<'_>, index: usize, target: &Target) -> bool {
    let invocation = &call.all.invocations[index];
    let same = |word: &Word| Target::of(word, invocation.cwd.as_deref()).same_file(target);
    if let Stdin::File(word) = &invocation.stdin
        && same(word)
    {
        return true;
    }
    let reader = invocation
        .program
        .as_deref()
        .is_some_and(|name| !NO_READERS.contains(&name));
    reader && invocation.args.iter().any(same)
}

/// Whether the command writes without end.
fn fills(call: &Call<'_>) -> bool {
    match call.name {
        "yes" => true,
        "cat" => call.args.iter().any(|word| {
            matches!(
                word.literal().as_deref(),
                Some("/dev/zero" | "/dev/urandom" | "/dev/random")
            )
        }),
        _ => false,
    }
}

/// Whether the command's input is known to be empty.
pub(super) fn fed_with_nothing(call: &Call<'_>) -> bool {
    match &call.invocation().stdin {
        Stdin::File(word) => word.literal().as_deref() == Some("/dev/null"),
        Stdin::Pipe(sources) => sources.iter().all(|&index| {
            let source = &call.all.invocations[index];
            let name = source.program.as_deref().unwrap_or_default();
            prints_nothing(&Call {
                index,
                name,
                args: &source.args,
                ..*call
            })
        }),
        Stdin::Text(word) => word.pieces.is_empty(),
        Stdin::Inherited => false,
    }
}

/// Whether the command or a stage before it reads the file that it writes.
pub(super) fn reads_own_target(call: &Call<'_>, target: &Target) -> bool {
    call.name != "sponge"
        && call
            .sources()
            .into_iter()
            .any(|index| reads_directly(call, index, target))
}

/// Whether a stage before the command writes without end into it.
pub(super) fn fed_without_end(call: &Call<'_>) -> bool {
    matches!(&call.invocation().stdin, Stdin::Pipe(sources) if sources.iter().any(|&index| {
        let source = &call.all.invocations[index];
        let name = source.program.as_deref().unwrap_or_default();
        fills(&Call { index, name, args: &source.args, ..*call })
    }))
}
