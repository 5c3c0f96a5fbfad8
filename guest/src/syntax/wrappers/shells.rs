//! Shells, `eval`, `source`, `trap`, `env` and `su`: what reads a script text.

use super::super::invocation::{Assignment, Via};
use super::super::word::{Piece, Word};
use super::options::{Grammar, assignment, may_vanish, scan};
use super::{Call, Carried, CarriedCommand, Peeled, Reader, Script, joined};

/// POSIX-like shells.
const SHELLS: [&str; 16] = [
    "ash", "bash", "csh", "dash", "elvish", "fish", "ksh", "ksh93", "lksh", "mksh", "osh", "rbash",
    "sh", "tcsh", "yash", "zsh",
];

/// Whether a program of this name reads shell scripts.
pub fn is_shell(program: &str) -> bool {
    SHELLS.binary_search(&program).is_ok()
}

pub(super) fn peel(call: Call<'_>) -> Option<Peeled> {
    let found = |via, carried: Option<Carried>| {
        Some(Peeled {
            via,
            carried: carried.into_iter().collect(),
            passes_status: true,
        })
    };
    match call.name {
        name if is_shell(name) => found(Via::ShellScript, shell(call)),
        "busybox" | "toybox" => found(Via::Wrapper, call.command(0).map(Carried::Command)),
        "eval" => {
            let start = scan(call.args, 0, &Grammar::PLAIN).next;
            let words = call.tail(start);
            let script = Script::of(joined(words)).read_by(Reader::SameShell);
            found(
                Via::Eval,
                (!words.is_empty()).then_some(Carried::Script(script)),
            )
        }
        "source" | "." => {
            let operand = scan(call.args, 0, &Grammar::new("p", "")).next;
            let arguments = call.args.get(operand + 1..).unwrap_or_default().to_vec();
            let script = Script {
                arguments,
                reader: Reader::SameShell,
                ..Script::default()
            };
            let file = Carried::ScriptFile { operand, script };
            found(
                Via::ShellScript,
                (operand < call.args.len()).then_some(file),
            )
        }
        "trap" => {
            let scanned = scan(call.args, 0, &Grammar::PLAIN.inert("-l -p -P"));
            let words = call.tail(scanned.next);
            // With one word, or `-` as the first, signals are reset.
            let text = words
                .first()
                .filter(|word| words.len() > 1 && word.shown() != "-");
            let text = text.filter(|_| !scanned.inert).cloned();
            let script = text.map(|text| Script::of(text).read_by(Reader::SameShell));
            found(Via::Trap, script.map(Carried::Script))
        }
        "env" => found(Via::Wrapper, env(call)),
        "su" | "runuser" => {
            let mut peeled = Peeled {
                via: Via::Privilege,
                carried: Vec::new(),
                passes_status: true,
            };
            peeled.carried.extend(su(call));
            Some(peeled)
        }
        "powershell" | "pwsh" => found(Via::ShellScript, powershell(call)),
        "cmd" => found(Via::ShellScript, cmd(call)),
        "wsl" => {
            let grammar = Grammar::new("deu", "distribution user cd exec shell-type");
            let scanned = scan(call.args, 0, &grammar);
            let command = scanned
                .value("-e")
                .or(scanned.value("--exec"))
                .map(|program| {
                    let mut words = vec![program.clone()];
                    words.extend_from_slice(call.tail(scanned.next));
                    words
                });
            let command = command.unwrap_or_else(|| call.tail(scanned.next).to_vec());
            found(
                Via::Container,
                CarriedCommand::of(command).map(Carried::Command),
            )
        }
        _ => None,
    }
}

/// `bash [options] [-c script [name arguments…] | file arguments… | -s arguments…]`.
fn shell(call: Call<'_>) -> Option<Carried> {
    let mut script = Script::default();
    let (mut is_command, mut from_input, mut start_file) = (false, false, None);
    let mut at = 0;
    while let Some(word) = call.args.get(at) {
        if may_vanish(word) && call.args.len() > at + 1 {
            at += 1;
            continue;
        }
        let Some(Piece::Text { value, .. }) = word.pieces.first() else {
            break;
        };
        let written = value.as_str();
        if matches!(written, "-" | "--") && word.pieces.len() == 1 {
            at += 1;
            break;
        }
        if let Some(long) = written.strip_prefix("--") {
            at += 1;
            match long {
                "help" | "version" | "dump-strings" | "dump-po-strings" => return None,
                "rcfile" | "init-file" => {
                    start_file = Some(at);
                    at += 1;
                }
                "command" => is_command = true,
                _ => {}
            }
            continue;
        }
        if !written.starts_with(['-', '+']) || written.len() < 2 {
            break;
        }
        at += 1;
        let mut wants_option = false;
        for letter in written.chars().skip(1) {
            match letter {
                'c' => is_command = true,
                's' => from_input = true,
                'i' => script.interactive = true,
                'n' if written.starts_with('-') => return None,
                'D' => return None,
                'o' | 'O' => wants_option = true,
                _ => {}
            }
        }
        if wants_option {
            let option = call.args.get(at).map(Word::shown).unwrap_or_default();
            at += 1;
            match option.as_str() {
                "noexec" if written.starts_with('-') => return None,
                "expand_aliases" => script.interactive = true,
                _ => {}
            }
        }
    }
    let operand = call.args.get(at);
    if is_command {
        script.text = operand?.clone();
        script.name = call.args.get(at + 1).cloned();
        script.arguments = call.tail(at + 2).to_vec();
        return Some(Carried::Script(script));
    }
    if from_input || operand.is_none() {
        script.arguments = call.tail(at).to_vec();
        // An interactive shell first reads its start file.
        return Some(match start_file.filter(|_| script.interactive) {
            Some(operand) => Carried::ScriptFile { operand, script },
            None => Carried::InputScript(script),
        });
    }
    script.arguments = call.tail(at + 1).to_vec();
    Some(Carried::ScriptFile {
        operand: at,
        script,
    })
}

fn env(call: Call<'_>) -> Option<Carried> {
    let grammar = Grammar::new("uCSa", "unset chdir split-string argv0")
        .attached("")
        .inert("--list-signal-handling");
    let mut args = call.args.to_vec();
    let mut directory = None;
    let mut tail = Some(0);
    // `-S` puts more words in its own place, which may hold options again.
    for _ in 0..4 {
        let mut at = 0;
        let mut split = None;
        loop {
            let scanned = scan(&args, at, &grammar);
            if scanned.inert {
                return None;
            }
            directory = ["-C", "--chdir"]
                .iter()
                .find_map(|name| scanned.value(name))
                .cloned()
                .or(directory);
            split = ["-S", "--split-string"]
                .iter()
                .find_map(|name| scanned.value(name))
                .cloned()
                .or(split);
            at = scanned.next;
            // A lone dash means `-i`.
            if args
                .get(at)
                .is_some_and(|word| word.literal().as_deref() == Some("-"))
            {
                at += 1;
                continue;
            }
            if args.get(at).is_some_and(may_vanish) && args.len() > at + 1 {
                at += 1;
                continue;
            }
            break;
        }
        if let Some(split) = split {
            let rest = args.get(at..).unwrap_or_default().to_vec();
            args = split_string(&split);
            args.extend(rest);
            tail = None;
            continue;
        }
        let mut environment = Vec::new();
        while let Some(assignment) = args.get(at).and_then(assignment) {
            environment.push(assignment);
            at += 1;
        }
        let words = args.get(at..).unwrap_or_default().to_vec();
        let command = CarriedCommand::of(words)?;
        return Some(Carried::Command(CarriedCommand {
            tail: tail.map(|_: usize| at),
            environment,
            directory,
            ..command
        }));
    }
    None
}

/// The words of `env -S`: blanks separate, quotes and backslashes hold together.
fn split_string(word: &Word) -> Vec<Word> {
    let Some(text) = word.literal() else {
        return vec![word.clone()];
    };
    let mut words = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                current.get_or_insert_default();
            }
            (open, '\\') if open != Some('\'') => {
                let escaped = match characters.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('_') => ' ',
                    Some(other) => other,
                    None => '\\',
                };
                current.get_or_insert_default().push(escaped);
            }
            (None, ' ' | '\t' | '\n') => words.extend(current.take()),
            (None, '#') if current.is_none() => break,
            (_, other) => current.get_or_insert_default().push(other),
        }
    }
    words.extend(current);
    words
        .iter()
        .map(|text| Word::text(text, word.span))
        .collect()
}

/// `su [options] [-] [user [arguments…]]` and `runuser -u user command…`; arguments go to a shell.
fn su(call: Call<'_>) -> Option<Carried> {
    let grammar = Grammar::new(
        "cgGswCTu",
        "command session-command group supp-group shell whitelist-environment user",
    );
    let mut at = 0;
    let mut text = None;
    let mut words = Vec::new();
    let mut by_user = false;
    while at < call.args.len() {
        let scanned = scan(call.args, at, &grammar);
        let names = ["-c", "--command", "--session-command"];
        text = names
            .iter()
            .find_map(|name| scanned.value(name))
            .cloned()
            .or(text);
        by_user |= call.name == "runuser" && (scanned.has("-u") || scanned.has("--user"));
        at = scanned.next;
        if by_user {
            return call.command(at).map(Carried::Command);
        }
        if let Some(word) = call.args.get(at) {
            words.push(word.clone());
            at += 1;
        }
    }
    let mut arguments = words
        .into_iter()
        .filter(|word| word.literal().as_deref() != Some("-"))
        .skip(1);
    if let Some(text) = text {
        // The word behind the user is `$0`.
        let arguments = arguments.by_ref().skip(1).collect();
        return Some(Carried::Script(Script {
            text,
            arguments,
            ..Script::default()
        }));
    }
    let rest = arguments.collect::<Vec<_>>();
    if rest.is_empty() {
        return Some(Carried::InputScript(Script::default()));
    }
    let words = rest;
    let shell = Call {
        name: "sh",
        args: &words,
    };
    match self::shell(shell)? {
        // Indices would point into another list of words.
        Carried::ScriptFile { .. } => None,
        other => Some(other),
    }
}

/// `powershell [-NoProfile …] -Command text…`, `-EncodedCommand base64`, or a text alone.
fn powershell(call: Call<'_>) -> Option<Carried> {
    let script = |text: Word| {
        Some(Carried::Script(
            Script::of(text).read_by(Reader::Powershell),
        ))
    };
    let mut at = 0;
    while let Some(word) = call.args.get(at) {
        let written = word.shown().to_ascii_lowercase();
        let Some(name) = written.strip_prefix(['-', '/', '–', '—']) else {
            // `pwsh` alone takes a file here; Windows PowerShell a command.
            let is_file = call.name == "pwsh" || written.ends_with(".ps1");
            return if is_file {
                None
            } else {
                script(joined(call.tail(at)))
            };
        };
        at += 1;
        let abbreviates = |full: &str, least: usize| name.len() >= least && full.starts_with(name);
        if name == "c" || abbreviates("command", 3) {
            let words = call.tail(at);
            if words
                .first()
                .is_some_and(|word| word.literal().as_deref() == Some("-"))
            {
                let script = Script {
                    reader: Reader::Powershell,
                    ..Script::default()
                };
                return Some(Carried::InputScript(script));
            }
            return if words.is_empty() {
                None
            } else {
                script(joined(words))
            };
        }
        if name == "e" || name == "ec" || abbreviates("encodedcommand", 2) {
            let text = call.args.get(at)?.literal()?;
            let decoded = super::super::encoding::utf16_base64(&text);
            let span = word.span;
            return script(match decoded {
                Some(text) => Word::text(&text, span),
                None => Word {
                    pieces: vec![Piece::Unknown],
                    span,
                },
            });
        }
        if name == "f" || abbreviates("file", 2) {
            return None;
        }
        let takes_value = [
            "executionpolicy",
            "ep",
            "ex",
            "version",
            "v",
            "windowstyle",
            "w",
            "inputformat",
            "if",
            "outputformat",
            "of",
            "o",
            "workingdirectory",
            "wd",
            "configurationname",
            "psconsolefile",
            "settingsfile",
            "custompipename",
        ];
        let full = |known: &&str| known == &name || (name.len() > 2 && known.starts_with(name));
        at += usize::from(takes_value.iter().any(full));
    }
    let script = Script {
        reader: Reader::Powershell,
        ..Script::default()
    };
    Some(Carried::InputScript(script))
}

/// `cmd [/d] [/s] /c text…`.
fn cmd(call: Call<'_>) -> Option<Carried> {
    for (index, word) in call.args.iter().enumerate() {
        let written = word.shown().to_ascii_lowercase();
        let switch = written.trim_start_matches('/');
        // Git Bash spells `/c` as `//c`.
        if !written.starts_with('/') {
            return None;
        }
        if let Some(attached) = switch.strip_prefix(['c', 'k', 'r']) {
            let mut words = call.tail(index + 1).to_vec();
            if !attached.is_empty() {
                words.insert(0, word.without(written.len() - attached.len()));
            }
            if words.is_empty() {
                return None;
            }
            let script = Script::of(joined(&words)).read_by(Reader::Cmd);
            return Some(Carried::Script(script));
        }
    }
    let script = Script {
        reader: Reader::Cmd,
        ..Script::default()
    };
    Some(Carried::InputScript(script))
}

/// Variables whose value some program runs as a command.
pub(in super::super) fn is_command_variable(assignment: &Assignment) -> bool {
    const NAMES: [&str; 14] = [
        "EDITOR",
        "GIT_EDITOR",
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "GIT_SEQUENCE_EDITOR",
        "GIT_SSH_COMMAND",
        "LESSCLOSE",
        "LESSOPEN",
        "MANPAGER",
        "PAGER",
        "PROMPT_COMMAND",
        "RIPGREP_PRE",
        "SYSTEMD_EDITOR",
        "VISUAL",
    ];
    NAMES.binary_search(&assignment.name.as_str()).is_ok()
}
