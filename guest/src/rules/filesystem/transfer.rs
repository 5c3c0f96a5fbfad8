//! Mirrors: `rsync --delete`, `rclone sync`, `mc mirror --remove`, `lftp mirror --delete`.

use super::destination::{Writer, check};
use crate::model::Severity::{Caution, Danger, Note};
use crate::rules::deeds::{self, Deed};
use crate::rules::options::{Grammar, Options};
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};

const RSYNC: Grammar = Grammar {
    short_values: "efBMT@",
    long_values: "rsh filter exclude include exclude-from include-from files-from rsync-path \
        block-size temp-dir compare-dest copy-dest link-dest backup-dir suffix partial-dir \
        log-file password-file bwlimit port timeout chmod chown usermap groupmap max-size min-size \
        max-delete out-format info debug",
    ..Grammar::PLAIN
};

/// `scp file host:/etc/passwd`: what is overwritten there.
pub(in crate::rules) fn remote_copy(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "cDFiJloPSX",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    let last = options.operands.last().map(|word| word.shown());
    if let Some((_, path)) = last.as_deref().and_then(|text| text.split_once(':')) {
        let writer = Writer::new(call, "a copy");
        check(writer, &Target::of_text(path, None), path, report);
    }
}

/// `rsync`.
pub(in crate::rules) fn rsync(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&RSYNC, call.args);
    for shell in options.values('e', "rsh") {
        report.shell_text(shell, call.span());
    }
    let deletes = options
        .given
        .iter()
        .any(|option| !option.short && (option.name.starts_with("delete") || option.name == "del"));
    let moves = options.long_given("remove-source-files");
    if !(deletes || moves) || options.asks_for_help() || options.has('n', "dry-run") {
        return;
    }
    let scratch =
        |word: &&crate::syntax::Word| Target::of(word, call.cwd()).place == Place::Temporary;
    let lost = if moves {
        options.operands.first()
    } else {
        options.operands.last()
    };
    if lost.is_some_and(scratch) {
        report.add(
            "fs.rm-scoped",
            Note,
            "deletes files in a scratch directory",
            call.span(),
        );
    } else if moves && !deletes {
        report.add(
            "fs.sync-delete",
            Caution,
            "deletes the source files after the copy",
            call.span(),
        );
    } else {
        let is_root =
            |word: &&crate::syntax::Word| Target::of(word, call.cwd()).place == Place::Root;
        report.add(
            "fs.sync-delete",
            if lost.is_some_and(is_root) {
                Danger
            } else {
                Caution
            },
            "deletes what the destination has and the source lacks",
            call.span(),
        );
    }
}

#[rustfmt::skip]
const RCLONE_DEEDS: &[Deed] = &[
    Deed::new("rclone", "purge", Danger, "fs.sync-delete", "deletes the path and everything in it"),
    Deed::new("rclone", "delete|deletefile", Caution, "fs.sync-delete",
        "deletes the files in the path"),
    Deed::new("rclone", "sync", Caution, "fs.sync-delete",
        "deletes what the destination has and the source lacks"),
    Deed::new("rclone", "cleanup", Caution, "fs.sync-delete", "deletes old file versions for good"),
];

/// `rclone`.
pub(in crate::rules) fn rclone(call: &Call<'_>, report: &mut Report) {
    let spared = "--dry-run -n --interactive -i";
    deeds::apply(call, RCLONE_DEEDS, &RCLONE, spared, report);
}

const RCLONE: Grammar = Grammar {
    long_values: "config exclude include filter transfers checkers log-file max-age",
    ..Grammar::PLAIN
};

#[rustfmt::skip]
const MINIO_DEEDS: &[Deed] = &[
    Deed::new("mc", "mirror", Caution, "fs.sync-delete",
        "deletes what the target bucket has and the source lacks").with("--remove"),
    Deed::new("mc", "rm", Caution, "fs.sync-delete", "deletes the objects below a prefix")
        .with("-r --recursive"),
    Deed::new("mc", "rb", Danger, "fs.sync-delete", "deletes the bucket"),
];

/// The MinIO client `mc`.
pub(in crate::rules) fn minio(call: &Call<'_>, report: &mut Report) {
    deeds::apply(
        call,
        MINIO_DEEDS,
        &Grammar::PLAIN,
        "--dry-run --fake",
        report,
    );
}

/// `lftp -e 'mirror --delete …'`.
pub(in crate::rules) fn lftp(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "ecfupO",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    for script in options.values('e', " ").chain(options.values('c', " ")) {
        for command in script.split(';') {
            let mut words = command.split_whitespace();
            let first = words.next();
            let mut has = |wanted: &[&str]| words.any(|word| wanted.contains(&word));
            let deletes = match first {
                Some("mirror") => has(&["--delete", "-e", "--Remove-source-files"]),
                Some("rm") => has(&["-r", "-rf"]),
                Some("mrm" | "glob") => true,
                _ => false,
            };
            if deletes {
                report.add(
                    "fs.sync-delete",
                    Caution,
                    "deletes files on the server",
                    call.span(),
                );
            }
        }
    }
}
