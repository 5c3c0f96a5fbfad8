//! Commands that end processes by name, by pattern, by what a search yields, or all of them.

use super::Protected;
use super::pattern::Reach;
use super::searching::{Searches, yielded};
use crate::settings::commands::Command;
use crate::syntax::Word;

/// What is said of a command that ends everything.
pub(super) const EVERYTHING: &str = "every process";

/// Signals that end nothing by themselves.
const HARMLESS: [&str; 4] = ["0", "CONT", "WINCH", "URG"];

/// The protected program that a command kills; `name` is the command's in lower case.
pub(super) fn killed<'a>(
    protected: &'a Protected,
    searches: &Searches<'a>,
    command: &Command<'_>,
    name: &str,
) -> Option<&'a str> {
    match name {
        "pkill" | "skill" => by_pattern(protected, command),
        "killall" | "killall5" => by_name(protected, command, name),
        "kill" | "stop-process" | "spps" if command.ignores_case() => {
            stop_process(protected, searches, command)
        }
        "kill" => kill(protected, searches, command),
        "fuser" if has(command, |text| text == "--kill" || is_cluster(text, 'k')) => {
            words(command).find_map(|word| protected.in_text(&word))
        }
        "taskkill" | "tskill" if !has(command, |text| text == "/?") => {
            words(command).find_map(|word| image(protected, &word))
        }
        "wmic" if has(command, |text| is_one_of(text, &["delete", "terminate"])) => {
            words(command).find_map(|word| protected.in_text(&word))
        }
        "invoke-cimmethod" | "icim" | "invoke-wmimethod" | "iwmi"
            if has(command, |text| is_one_of(text, &["terminate"])) =>
        {
            yielded(protected, searches, command)
        }
        "remove-ciminstance" | "rcim" | "remove-wmiobject" | "rwmi" => {
            yielded(protected, searches, command)
        }
        "flatpak" if has(command, |text| text == "kill") => {
            words(command).find_map(|word| protected.in_text(&word))
        }
        "snap" | "systemctl" if has(command, |text| is_one_of(text, &["stop", "kill"])) => {
            words(command).find_map(|word| protected.startable(word.trim_end_matches(".service")))
        }
        "osascript" => words(command)
            .filter(|word| asks_to(word, &["quit", "kill", "terminate"]))
            .find_map(|word| protected.in_text(&word)),
        "wmctrl" if has(command, |text| text == "-c") => {
            words(command).find_map(|word| protected.in_text(&word))
        }
        // `(Get-Process chrome).Kill()` in PowerShell is one word.
        _ if command.ignores_case() => {
            let compact: String = name.chars().filter(|c| !c.is_whitespace()).collect();
            let method = [".kill(", ".closemainwindow(", ".terminate("];
            method
                .iter()
                .any(|call| compact.contains(call))
                .then(|| {
                    protected
                        .in_text(name)
                        .or_else(|| yielded(protected, searches, command))
                })
                .flatten()
        }
        _ => None,
    }
}

/// `pkill`: one pattern, against the name or with `-f` against the command line.
fn by_pattern<'a>(protected: &'a Protected, command: &Command<'_>) -> Option<&'a str> {
    const WITH_VALUE: &str = "gGPstuUFrq";
    const LONG_WITH_VALUE: [&str; 13] = [
        "--pgroup",
        "--group",
        "--parent",
        "--session",
        "--terminal",
        "--euid",
        "--uid",
        "--pidfile",
        "--runstates",
        "--signal",
        "--ns",
        "--nslist",
        "--queue",
    ];
    let (mut full, mut exact, mut inverse, mut chosen) = (false, false, false, false);
    let mut pattern = None;
    let mut options_end = false;
    let mut args = command.args.iter();
    while let Some(word) = args.next() {
        let text = word.shown();
        if options_end || !text.starts_with('-') || text == "-" {
            pattern = Some(word);
            continue;
        }
        match text.as_str() {
            "--" => options_end = true,
            "--help" | "--version" | "-V" | "-h" => return None,
            "--full" => full = true,
            "--exact" => exact = true,
            "--inverse" => inverse = true,
            long if long.starts_with("--") => {
                let (option, value) = match long.split_once('=') {
                    Some((option, value)) => (option, Some(value.to_owned())),
                    None if LONG_WITH_VALUE.contains(&long) => (long, args.next().map(Word::shown)),
                    None => (long, None),
                };
                if option == "--signal" && value.is_some_and(|signal| is_harmless(&signal)) {
                    return None;
                }
                chosen |= option != "--signal" && LONG_WITH_VALUE.contains(&option);
            }
            short if is_harmless(short.trim_start_matches('-')) => return None,
            short if is_signal(short.trim_start_matches('-')) => {}
            short => {
                full |= short.contains('f');
                exact |= short.contains('x');
                inverse |= short.contains('v');
                if let Some(at) = short.find(|letter| WITH_VALUE.contains(letter)) {
                    chosen = true;
                    if at + 1 == short.len() {
                        args.next();
                    }
                }
            }
        }
    }
    let reach = match (exact, full) {
        (true, _) => Reach::Whole,
        (_, true) => Reach::CommandLine,
        _ => Reach::Part,
    };
    match pattern {
        None if chosen => Some(EVERYTHING),
        None => None,
        Some(_) if inverse => Some(EVERYTHING),
        Some(word) => protected.by_pattern(&word.literal()?, reach),
    }
}

/// `killall`: names, or with `-r` patterns.
fn by_name<'a>(protected: &'a Protected, command: &Command<'_>, name: &str) -> Option<&'a str> {
    if name == "killall5" {
        return Some(EVERYTHING);
    }
    let (mut pattern, mut user) = (false, false);
    let mut names = Vec::new();
    let mut args = command.args.iter();
    while let Some(word) = args.next() {
        let text = word.shown();
        match text.as_str() {
            "-l" | "--list" | "-V" | "--version" | "--help" => return None,
            "-r" | "--regexp" | "-m" => pattern = true,
            "-s" | "--signal" => {
                if args
                    .next()
                    .is_some_and(|signal| is_harmless(&signal.shown()))
                {
                    return None;
                }
            }
            "-u" | "--user" => {
                user = true;
                args.next();
            }
            "-o" | "--older-than" | "-y" | "--younger-than" | "-n" | "--ns" | "-Z"
            | "--context" | "-c" | "-t" => {
                args.next();
            }
            option if option.starts_with('-') => {
                if is_harmless(option.trim_start_matches('-')) {
                    return None;
                }
            }
            _ => names.push(word),
        }
    }
    if names.is_empty() && user {
        return Some(EVERYTHING);
    }
    names.into_iter().find_map(|word| {
        let text = word.literal()?;
        if pattern {
            protected.by_pattern(&text, Reach::Part)
        } else {
            let base = text.rsplit('/').next().unwrap_or(&text);
            protected.by_wildcard(base)
        }
    })
}

/// `kill`, where a search tells it the processes.
fn kill<'a>(
    protected: &'a Protected,
    searches: &Searches<'a>,
    command: &Command<'_>,
) -> Option<&'a str> {
    let mut targets = Vec::new();
    let mut args = command.args.iter();
    let mut signal_seen = false;
    while let Some(word) = args.next() {
        let text = word.shown();
        match text.as_str() {
            "-l" | "-L" | "--list" | "--table" | "--help" => return None,
            "-s" | "-n" | "--signal" if !signal_seen => {
                signal_seen = true;
                if args
                    .next()
                    .is_some_and(|signal| is_harmless(&signal.shown()))
                {
                    return None;
                }
            }
            "--" => signal_seen = true,
            _ if text.starts_with('-') && !signal_seen && targets.is_empty() => {
                signal_seen = true;
                if is_harmless(text.trim_start_matches('-')) {
                    return None;
                }
            }
            _ => targets.push(word),
        }
    }
    if targets
        .iter()
        .any(|word| word.literal().as_deref() == Some("-1"))
    {
        return Some(EVERYTHING);
    }
    targets
        .iter()
        .any(|word| word.is_dynamic())
        .then(|| yielded(protected, searches, command))
        .flatten()
}

/// `Stop-Process`: by name, or what the pipeline yields.
fn stop_process<'a>(
    protected: &'a Protected,
    searches: &Searches<'a>,
    command: &Command<'_>,
) -> Option<&'a str> {
    if has(command, |text| is_one_of(text, &["-whatif", "-wi", "-?"])) {
        return None;
    }
    let mut named = false;
    for word in command.args {
        let text = word.shown().to_lowercase();
        if text.starts_with('-') {
            let parameter = text.split(':').next().unwrap_or(&text);
            named = parameter.len() > 1
                && ["-name", "-processname"]
                    .iter()
                    .any(|full| full.starts_with(parameter));
            if let Some((_, value)) = text.split_once(':').filter(|_| named)
                && let Some(found) = protected.by_wildcard(value)
            {
                return Some(found);
            }
        } else if named && let Some(found) = protected.by_wildcard(&text) {
            return Some(found);
        }
    }
    yielded(protected, searches, command)
}

/// The value of `/IM`, or the name in `/FI "IMAGENAME eq chrome.exe"`.
fn image<'a>(protected: &'a Protected, word: &str) -> Option<&'a str> {
    if word.starts_with(['/', '-']) {
        return None;
    }
    let filter = word.to_lowercase();
    let value = match filter.split_once(" eq ") {
        Some((field, value)) if field.trim() == "imagename" => value.trim().to_owned(),
        Some(_) => return None,
        None => filter,
    };
    if value == "*" {
        return Some(EVERYTHING);
    }
    protected.by_wildcard(&value)
}

/// Whether an AppleScript asks an application for one of these.
fn asks_to(script: &str, verbs: &[&str]) -> bool {
    let lower = script.to_lowercase();
    lower
        .split(|character: char| !character.is_alphanumeric())
        .any(|word| verbs.contains(&word))
}

pub(super) fn words<'a>(command: &Command<'a>) -> impl Iterator<Item = String> + use<'a> {
    command.args.iter().map(Word::shown)
}

pub(super) fn has(command: &Command<'_>, wanted: impl Fn(&str) -> bool) -> bool {
    words(command).any(|word| wanted(&word))
}

fn is_one_of(text: &str, wanted: &[&str]) -> bool {
    wanted
        .iter()
        .any(|wanted| text.eq_ignore_ascii_case(wanted))
}

/// Whether a text is a group of short options with this letter.
pub(super) fn is_cluster(text: &str, letter: char) -> bool {
    text.strip_prefix('-').is_some_and(|letters| {
        letters.contains(letter) && letters.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

fn signal_name(signal: &str) -> String {
    let upper = signal.to_ascii_uppercase();
    upper.strip_prefix("SIG").unwrap_or(&upper).to_owned()
}

fn is_harmless(signal: &str) -> bool {
    HARMLESS.contains(&signal_name(signal).as_str())
}

/// Whether an option of `pkill` is a signal: `-9`, `-KILL`.
fn is_signal(option: &str) -> bool {
    #[rustfmt::skip]
    const SIGNALS: [&str; 12] = [
        "HUP", "INT", "QUIT", "KILL", "TERM", "STOP", "TSTP", "USR1", "USR2", "ABRT", "SEGV", "PIPE",
    ];
    option.chars().all(|c| c.is_ascii_digit()) || SIGNALS.contains(&signal_name(option).as_str())
}
