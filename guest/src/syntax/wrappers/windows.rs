//! The shells of Windows, called as programs.

use super::super::encoding::utf16_base64;
use super::super::word::{Piece, Word};
use super::{Call, Carried, Reader, Script, joined};

/// `powershell [-NoProfile …] -Command text…`, `-EncodedCommand base64`, or a text alone.
pub(super) fn powershell(call: Call<'_>) -> Option<Carried> {
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
            let decoded = utf16_base64(&text);
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
pub(super) fn cmd(call: Call<'_>) -> Option<Carried> {
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
