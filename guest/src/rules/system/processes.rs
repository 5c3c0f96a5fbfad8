//! Processes killed by name, by pattern, by list, or all of them.

use crate::model::Severity::{Caution, Danger};
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};
use crate::syntax::{Piece, Via};

const KILL: &str = "sys.kill";

/// Signals that end nothing by themselves.
const HARMLESS: &[&str] = &["0", "USR1", "USR2", "WINCH", "CONT", "URG"];

/// `kill`. Its `-9` and `-TERM` are no ordinary options.
pub(in crate::rules) fn kill(call: &Call<'_>, report: &mut Report) {
    let texts: Vec<String> = call.args.iter().map(|word| word.shown()).collect();
    let mut targets = texts.iter().enumerate().peekable();
    let mut signal_seen = false;
    let mut target_index = Vec::new();
    while let Some((at, text)) = targets.next() {
        match text.as_str() {
            "-l" | "-L" | "--list" | "--table" | "--help" => return,
            "-s" | "-n" | "--signal" if !signal_seen => {
                signal_seen = true;
                if targets.next().is_some_and(|(_, name)| is_harmless(name)) {
                    return;
                }
            }
            "--" => signal_seen = true,
            _ if text.starts_with('-') && !signal_seen && target_index.is_empty() => {
                signal_seen = true;
                if is_harmless(text.trim_start_matches('-')) {
                    return;
                }
                // Without a signal in front, `kill -1` sends signal 1; with nothing after it, it
                // does nothing.
            }
            _ => target_index.push(at),
        }
    }
    // 0 is every process of the caller's own group, which scripts end in good order.
    let hard = texts
        .iter()
        .any(|text| matches!(text.as_str(), "-9" | "-KILL" | "-SIGKILL"));
    let every = target_index
        .iter()
        .any(|&at| texts[at] == "-1" || hard && texts[at] == "0");
    let word = |at: &usize| &call.args[*at];
    let dynamic = |wanted: &dyn Fn(&Piece) -> bool| {
        target_index
            .iter()
            .map(word)
            .any(|word| word.pieces.iter().any(wanted))
    };
    if every {
        report.add(KILL, Danger, "kills every process that it may", call.span());
    } else if dynamic(&|piece| !matches!(piece, Piece::Text { .. })) && searches(call) {
        report.add(
            KILL,
            Caution,
            "kills every process that a search finds",
            call.span(),
        );
    } else if call.via(Via::Xargs) && dynamic(&|piece| matches!(piece, Piece::Unknown)) {
        report.add(
            KILL,
            Caution,
            "kills every process that a list names",
            call.span(),
        );
    }
}

fn is_harmless(signal: &str) -> bool {
    let name = signal.to_ascii_uppercase();
    HARMLESS.contains(&name.strip_prefix("SIG").unwrap_or(&name))
}

/// Whether a substitution on the line looks processes up.
fn searches(call: &Call<'_>) -> bool {
    const SEARCHES: &[&str] = &[
        "pgrep", "pidof", "ps", "lsof", "fuser", "ss", "netstat", "top", "pstree",
    ];
    let search = |program: Option<&str>| program.is_some_and(|name| SEARCHES.contains(&name));
    call.all.invocations.iter().any(|inner| {
        inner.via.contains(&Via::CommandSubstitution) && search(inner.program.as_deref())
    })
}

/// `pkill`, `killall`, `skill`: by name always.
pub(in crate::rules) fn by_name(call: &Call<'_>, report: &mut Report) {
    let said = |wanted: &[&str]| {
        call.args.iter().any(|word| {
            word.literal()
                .is_some_and(|text| wanted.contains(&text.as_str()))
        })
    };
    let lists = said(&["-L", "--list", "--table", "-V", "--version", "--help"])
        || said(&["-l"]) && call.name != "pkill"
        || said(&["-i", "--interactive"]) && call.name != "pkill";
    let signal = call
        .args
        .iter()
        .filter_map(|word| word.literal())
        .find_map(|text| {
            text.strip_prefix("--signal=")
                .or_else(|| text.strip_prefix('-'))
                .map(is_harmless)
        });
    let everything = call.name == "killall5";
    if !lists && signal != Some(true) && (everything || !call.args.is_empty()) {
        report.add(
            KILL,
            Caution,
            "kills every process with a matching name or owner",
            call.span(),
        );
    }
}

/// `fuser -k`.
pub(in crate::rules) fn fuser(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(
        &Grammar {
            short_values: "nN",
            ..Grammar::PLAIN
        },
        call.args,
    );
    if options.has('k', "kill") && !options.has('i', "interactive") && !options.asks_for_help() {
        report.add(
            KILL,
            Caution,
            "kills every process that uses the file or port",
            call.span(),
        );
    }
}
