//! Accounts and scheduled jobs.

use crate::model::Severity::{Caution, Danger};
use crate::rules::deeds::{self, Deed};
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::Stdin;

const USER: &str = "sys.user";
const CRON: &str = "sys.cron";

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    Deed::new("userdel|deluser|groupdel|delgroup|luserdel", "", Danger, USER,
        "removes an account or group").on_operand(),
    Deed::new("passwd", "", Danger, USER, "deletes a password").with("-d --delete"),
    Deed::new("smbpasswd", "", Danger, USER, "deletes an account").with("-x"),
    Deed::new("htpasswd", "", Danger, USER, "deletes an account").with("-D"),
    Deed::new("dscl", "* delete", Danger, USER, "deletes an account"),
    Deed::new("dscl", "", Danger, USER, "deletes an account").with("-delete"),
    Deed::new("sysadminctl", "", Danger, USER, "deletes an account").with("-deleteUser"),
    Deed::new("pw", "userdel|groupdel", Danger, USER, "removes an account or group"),
    Deed::new("pw", "user|group del", Danger, USER, "removes an account or group"),
    Deed::new("ipa", "user-del|group-del|host-del", Danger, USER, "removes an account or group"),
    Deed::new("samba-tool", "user|group|computer delete", Danger, USER,
        "removes an account or group"),
    Deed::new("ldapdelete", "", Danger, USER, "deletes directory entries").on_operand()
        .unless("-n"),
    Deed::new("kadmin.local|kadmin", "^delprinc|delete_principal", Danger, USER,
        "deletes a principal"),
];

/// Account tools.
pub(in crate::rules) fn accounts(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        one_dash: matches!(call.name, "dscl" | "sysadminctl"),
        short_values: if call.name == "ldapdelete" {
            "DHhwyp"
        } else {
            "RP"
        },
        ..Grammar::PLAIN
    };
    deeds::apply(call, DEEDS, &grammar, "", report);
}

/// `crontab`: `-r`, and tables that replace what was there.
pub(in crate::rules) fn crontab(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(
        &Grammar {
            short_values: "u",
            ..Grammar::PLAIN
        },
        call.args,
    );
    if options.asks_for_help() || options.any_of("-l -e -T") {
        return;
    }
    if options.short('r') {
        if !options.short('i') || stdin::answers_yes(call) {
            report.add(
                CRON,
                Caution,
                "removes every scheduled job of the user",
                call.span(),
            );
        }
        return;
    }
    let from_stdin = options.operand(0).as_deref() == Some("-")
        || options.operands.is_empty() && !matches!(call.invocation().stdin, Stdin::Inherited);
    // `(crontab -l; echo …) | crontab -` adds to the table.
    let keeps_old = call.sources().iter().any(|&source| {
        let source = &call.all.invocations[source];
        source.program.as_deref() == Some("crontab")
            && source
                .args
                .iter()
                .any(|word| word.literal().as_deref() == Some("-l"))
    });
    if keeps_old {
        added_jobs(call, report);
    }
    if (from_stdin || !options.operands.is_empty()) && !keeps_old {
        report.add(
            CRON,
            Caution,
            "replaces the whole table of scheduled jobs; the old one is lost",
            call.span(),
        );
    }
}

/// What jobs that are added to the table will run.
fn added_jobs(call: &Call<'_>, report: &mut Report) {
    for source in call.sources() {
        let printed = &call.all.invocations[source];
        if !matches!(printed.program.as_deref(), Some("echo" | "printf")) {
            continue;
        }
        let texts: Vec<String> = printed.args.iter().map(|word| word.shown()).collect();
        for line in texts.join(" ").split('\n') {
            let fields = if line.trim_start().starts_with('@') {
                1
            } else {
                5
            };
            let mut job = line.trim_start();
            for _ in 0..fields {
                job = job
                    .split_once([' ', '\t'])
                    .map_or("", |(_, rest)| rest.trim_start());
            }
            report.shell_text(job, call.span());
        }
    }
}

/// `atrm`, `at -r`.
pub(in crate::rules) fn jobs(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(
        &Grammar {
            short_values: "qft",
            ..Grammar::PLAIN
        },
        call.args,
    );
    let removes = match call.name {
        "atrm" => !options.operands.is_empty(),
        _ => options.any_of("-r -d"),
    };
    if removes && !options.asks_for_help() && !options.short('V') {
        report.add(CRON, Caution, "removes scheduled jobs", call.span());
    }
}
