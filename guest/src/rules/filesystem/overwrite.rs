//! Programs that write over, empty or move files: `cp`, `mv`, `ln`, `tee`, `dd`, `truncate`, `sed
//! w`, `curl -o`.

use super::destination::{Writer, check};
use super::redirect::{fed_with_nothing, fed_without_end, reads_own_target};
use crate::model::Severity::{Caution, Danger};
use crate::rules::options::{Grammar, Options};
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};
use crate::syntax::Word;

const COPY: Grammar = Grammar {
    short_values: "tSgmo",
    long_values: "target-directory suffix mode owner group",
    long_names: "force interactive no-clobber recursive symbolic archive update verbose backup \
        help version",
    ..Grammar::PLAIN
};

/// The destination of a copy or move: its word, and where each source lands.
fn destination<'a>(options: &Options<'a>, cwd: Option<&str>) -> Option<(&'a Word, Vec<Target>)> {
    let (last, sources) = options.operands.split_last()?;
    if sources.is_empty() {
        return None;
    }
    let whole = Target::of(last, cwd);
    let shown = last.shown();
    if shown.ends_with('/') || whole.place == Place::Root || sources.len() > 1 {
        let landed = sources.iter().map(|source| {
            let source = source.shown();
            let name = source.rsplit('/').next().unwrap_or_default();
            Target::of_text(&format!("{}/{name}", shown.trim_end_matches('/')), cwd)
        });
        // A new file in a system directory is an everyday installation; a well-known one is not
        // new.
        let known = landed.filter(|target| {
            target
                .known_path()
                .is_some_and(|path| ALWAYS_THERE.contains(&path))
        });
        return Some((last, known.collect()));
    }
    Some((last, vec![whole]))
}

/// Files that every machine has.
#[rustfmt::skip]
const ALWAYS_THERE: &[&str] = &[
    "/etc/crontab", "/etc/fstab", "/etc/group", "/etc/hosts", "/etc/passwd", "/etc/profile",
    "/etc/resolv.conf", "/etc/shadow", "/etc/ssh/sshd_config", "/etc/sudoers",
];

/// `cp`, `install`, `ditto`.
pub(in crate::rules) fn copy(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&COPY, call.args);
    if options.asks_for_help() || options.any_of("-n --no-clobber -i --interactive") {
        return;
    }
    let Some((word, targets)) = destination(&options, call.cwd()) else {
        return;
    };
    let shown = word.shown();
    if targets
        .iter()
        .any(|target| check(Writer::new(call, "a copy"), target, &shown, report))
    {
        return;
    }
    truncated_by_nothing(call, &options, &targets, report);
}

/// `cp /dev/null FILE`, `ln -sf /dev/null FILE`.
fn truncated_by_nothing(
    call: &Call<'_>,
    options: &Options<'_>,
    targets: &[Target],
    report: &mut Report,
) {
    let [source, word] = options.operands.as_slice() else {
        return;
    };
    let lost = |target: &Target| !matches!(target.place, Place::Temporary | Place::Nowhere);
    if source.literal().as_deref() == Some("/dev/null") && targets.iter().any(lost) {
        let message = format!("truncates {} to nothing", word.shown());
        report.add("fs.truncate", Caution, message, call.span());
    }
}

/// `ln -f`.
pub(in crate::rules) fn link(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&COPY, call.args);
    if options.has('f', "force") && !options.asks_for_help() {
        let Some((word, targets)) = destination(&options, call.cwd()) else {
            return;
        };
        let shown = word.shown();
        let told = |target: &Target| check(Writer::new(call, "a link"), target, &shown, report);
        if !targets.iter().any(told) {
            truncated_by_nothing(call, &options, &targets, report);
        }
    }
}

/// `mv`.
pub(in crate::rules) fn mv(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&COPY, call.args);
    if options.asks_for_help() || options.any_of("-n --no-clobber -i --interactive") {
        return;
    }
    let moved = |word: &&&Word| {
        let target = Target::of(word, call.cwd());
        target.place == Place::Root && (target.is_absolute() || target.is_tree("~"))
    };
    let Some((last, sources)) = options.operands.split_last() else {
        return;
    };
    if let Some(word) = sources.iter().find(moved) {
        let message = format!("moves {} away: the system or a home loses it", word.shown());
        report.add("fs.mv-clobber", Danger, message, call.span());
        return;
    }
    if last.literal().as_deref() == Some("/dev/null") {
        report.add(
            "fs.mv-clobber",
            Danger,
            "moves files to /dev/null: they are lost",
            call.span(),
        );
        return;
    }
    let Some((word, targets)) = destination(&options, call.cwd()) else {
        return;
    };
    for target in &targets {
        check(
            Writer::new(call, "another file"),
            target,
            &word.shown(),
            report,
        );
    }
}

/// `tee`, `sponge`.
pub(in crate::rules) fn tee(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&Grammar::PLAIN, call.args);
    if options.asks_for_help() {
        return;
    }
    let appends = options.has('a', "append");
    for word in &options.operands {
        let target = Target::of(word, call.cwd());
        let told = check(
            Writer::new(call, "its input").appending(appends),
            &target,
            &word.shown(),
            report,
        );
        if told || target.place == Place::Nowhere || appends {
            continue;
        }
        let shown = word.shown();
        if fed_without_end(call) {
            let message = format!("fills {shown} without end until the disk is full");
            report.add("sys.resource", Caution, message, call.span());
        } else if target.place == Place::Temporary {
            continue;
        } else if fed_with_nothing(call) {
            report.add(
                "fs.truncate",
                Caution,
                format!("truncates {shown} to nothing"),
                call.span(),
            );
        } else if reads_own_target(call, &target) {
            let message = format!("truncates {shown} before the same command reads it");
            report.add("fs.self-clobber", Caution, message, call.span());
        }
    }
}

const TRUNCATE: Grammar = Grammar {
    short_values: "sr",
    long_values: "size reference",
    long_names: "no-create io-blocks help version",
    ..Grammar::PLAIN
};

/// `truncate`.
pub(in crate::rules) fn truncate(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&TRUNCATE, call.args);
    let Some(size) = options.value('s', "size") else {
        return;
    };
    let digits = size.trim_start_matches(|c: char| !c.is_ascii_digit());
    let empties = digits.starts_with('0') && !size.starts_with(['+', '/', '%', '>']);
    let shrinks = empties || size.starts_with(['-', '<']);
    let scratch = options.operands.iter().all(|word| {
        matches!(
            Target::of(word, call.cwd()).place,
            Place::Temporary | Place::Nowhere
        )
    });
    if shrinks && !scratch && !options.asks_for_help() {
        report.add(
            "fs.truncate",
            Caution,
            "truncates a file: what was in it is lost",
            call.span(),
        );
    }
}

/// `dd`, `dcfldd`: `of=`.
pub(in crate::rules) fn dd(call: &Call<'_>, report: &mut Report) {
    let operand = |name: &str| {
        call.args
            .iter()
            .rev()
            .find_map(|word| word.shown().strip_prefix(name).map(str::to_owned))
    };
    let Some(output) = operand("of=") else { return };
    let target = Target::of_text(&output, call.cwd());
    if check(Writer::new(call, "raw data"), &target, &output, report) {
        return;
    }
    let scratch = matches!(target.place, Place::Temporary | Place::Nowhere);
    match operand("if=").as_deref() {
        Some("/dev/null") if !scratch => {
            report.add(
                "fs.truncate",
                Caution,
                format!("truncates {output} to nothing"),
                call.span(),
            );
        }
        Some("/dev/zero" | "/dev/urandom") if !scratch && operand("count=").is_none() => {
            let message = format!("fills {output} without end until the disk is full");
            report.add("sys.resource", Caution, message, call.span());
        }
        _ => {}
    }
}

/// The file that `curl -o`, `wget -O`, `sort -o` and their like write.
pub(in crate::rules) fn output_option(call: &Call<'_>, report: &mut Report) {
    let (letter, long, grammar) = match call.name {
        "curl" => ('o', "output", super::super::remote::CURL),
        "wget" => ('O', "output-document", super::super::remote::WGET),
        _ => (
            'o',
            "output",
            Grammar {
                short_values: "okSTt",
                long_values: "output key",
                ..Grammar::PLAIN
            },
        ),
    };
    let options = Options::parse(&grammar, call.args);
    for value in options.values(letter, long) {
        check(
            Writer::new(call, "its output"),
            &Target::of_text(value, call.cwd()),
            value,
            report,
        );
    }
}
