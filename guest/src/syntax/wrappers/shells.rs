//! Shells, `eval`, `source` and `trap`: what reads a script text.

use super::super::invocation::{Assignment, Via};
use super::super::word::{Piece, Word};
use super::options::{Grammar, may_vanish, scan};
use super::{Call, Carried, CarriedCommand, Peeled, Reader, Script, joined};
use super::{identity, windows};

/// POSIX-like shells.
const SHELLS: [&str; 18] = [
    "ash", "bash", "csh", "dash", "elvish", "fish", "ksh", "ksh93", "lksh", "mksh", "nu", "osh",
    "rbash", "sh", "tcsh", "xonsh", "yash", "zsh",
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
        "env" => found(Via::Wrapper, identity::env(call)),
        "su" | "runuser" => {
            let mut peeled = Peeled {
                via: Via::Privilege,
                carried: Vec::new(),
                passes_status: true,
            };
            peeled.carried.extend(identity::su(call));
            Some(peeled)
        }
        "powershell" | "pwsh" => found(Via::ShellScript, windows::powershell(call)),
        "cmd" => found(Via::ShellScript, windows::cmd(call)),
        "wmic" => {
            let create = call
                .args
                .iter()
                .position(|word| word.shown().eq_ignore_ascii_case("create"));
            let text = create.and_then(|at| call.args.get(at + 1)).cloned();
            let script = text.map(|text| Script::of(text).read_by(Reader::Cmd));
            found(Via::ShellScript, script.map(Carried::Script))
        }
        // `capsh options -- -c script`: what follows the dashes is bash's.
        "capsh" => {
            let dashes = call
                .args
                .iter()
                .position(|word| word.literal().as_deref() == Some("--"));
            let args = call.tail(dashes.map_or(call.args.len(), |at| at + 1));
            let script = if args.is_empty() {
                None
            } else {
                shell(Call { args, ..call })
            };
            found(Via::ShellScript, script)
        }
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
pub(super) fn shell(call: Call<'_>) -> Option<Carried> {
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
