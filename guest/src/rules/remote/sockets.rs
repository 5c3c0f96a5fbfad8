//! Shells handed to the network, and commands sent to open ports.

use super::REMOTE;
use crate::model::Severity::Danger;
use crate::rules::report::{Call, Report};
use crate::rules::stdin;

/// `nc -e /bin/sh`, `socat … exec:sh`: a shell for whoever is at the other end.
pub(in crate::rules) fn sockets(call: &Call<'_>, report: &mut Report) {
    let words: Vec<String> = call
        .args
        .iter()
        .map(|word| word.shown().to_ascii_lowercase())
        .collect();
    let gives_shell = match call.name {
        "socat" => words
            .iter()
            .any(|word| word.starts_with("exec:") || word.starts_with("system:")),
        _ => words.iter().any(|word| {
            matches!(word.as_str(), "--exec" | "--sh-exec")
                || word
                    .strip_prefix('-')
                    .is_some_and(|group| group.len() < 5 && group.ends_with(['e', 'c']))
        }),
    };
    if gives_shell {
        report.add(
            REMOTE,
            Danger,
            "gives a shell to whoever is at the other end",
            call.span(),
        );
    }
    let flushes = stdin::text(call).is_some_and(|text| {
        text.split_whitespace().any(|word| {
            ["flush_all", "flushall", "flushdb"]
                .contains(&word.trim_matches(['\'', '"']).to_ascii_lowercase().as_str())
        })
    });
    if flushes {
        report.add(
            "db.drop",
            Danger,
            "drops every key of the store",
            call.span(),
        );
    }
}

/// Windows programs that run what an address holds.
pub(in crate::rules) fn installers(call: &Call<'_>, report: &mut Report) {
    let remote = call.args.iter().any(|word| {
        let text = word.shown().to_ascii_lowercase();
        text.contains("http://") || text.contains("https://")
    });
    if remote {
        report.add(
            REMOTE,
            Danger,
            "runs code from the network that nobody has seen",
            call.span(),
        );
    }
}
