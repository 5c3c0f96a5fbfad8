//! Commands for another machine or for later: `ssh`, `mosh`, `at`, `tmux`, `screen`.

use super::super::invocation::Via;
use super::super::word::{Piece, Word};
use super::options::{Grammar, scan};
use super::{Call, Carried, Peeled, Reader, Script, joined};

pub(super) fn peel(call: Call<'_>) -> Option<Peeled> {
    let (via, carried) = match call.name {
        "ssh" | "autossh" | "dbclient" | "slogin" => (Via::Ssh, ssh(call)),
        "rsh" | "remsh" => (Via::Ssh, ssh(call)),
        "mosh" | "et" => {
            let next = scan(
                call.args,
                0,
                &Grammar::new("p", "ssh port predict family server client"),
            )
            .next;
            let mut words = call.tail(next).get(1..).unwrap_or_default();
            if words
                .first()
                .is_some_and(|word| word.literal().as_deref() == Some("--"))
            {
                words = words.get(1..).unwrap_or_default();
            }
            (Via::Ssh, remote(words).into_iter().collect())
        }
        "at" | "batch" => {
            let scanned = scan(
                call.args,
                0,
                &Grammar::new("fqt", "").inert("-l -c -d -r -V"),
            );
            let file = scanned.has("-f");
            let script = Carried::InputScript(Script::default());
            (
                Via::ShellScript,
                if scanned.inert || file {
                    Vec::new()
                } else {
                    vec![script]
                },
            )
        }
        "tmux" | "byobu" => (Via::Wrapper, tmux(call)?),
        "screen" => (Via::Wrapper, screen(call)),
        _ => return None,
    };
    let passes_status = matches!(via, Via::Ssh);
    Some(Peeled {
        via,
        carried,
        passes_status,
    })
}

fn remote(words: &[Word]) -> Option<Carried> {
    let script = Script::of(joined(words)).read_by(Reader::Elsewhere);
    (!words.is_empty()).then_some(Carried::Script(script))
}

/// `ssh [options] host [command…]`; options may also follow the host.
fn ssh(call: Call<'_>) -> Vec<Carried> {
    let grammar = Grammar::new("BbcDEeFIiJLlmMOopQRSWwP", "").inert("-V -Q -G -O");
    let mut scanned = scan(call.args, 0, &grammar);
    let behind_host = scan(call.args, scanned.next + 1, &grammar);
    let has_host = scanned.next < call.args.len();
    let mut carried = Vec::new();
    scanned.seen.extend(behind_host.seen);
    for option in scanned.seen.iter().filter(|seen| seen.name == "-o") {
        // `-o ProxyCommand=…` runs here, not there.
        let Some(value) = &option.value else { continue };
        let text = value.shown().to_ascii_lowercase();
        let runs = ["proxycommand", "localcommand", "knownhostscommand"];
        if runs.iter().any(|name| text.trim_start().starts_with(name)) {
            let command = value.behind('=').or_else(|| value.behind(' '));
            carried.extend(command.map(|command| Carried::Script(Script::of(command))));
        }
    }
    if scanned.inert || behind_host.inert || !has_host {
        return carried;
    }
    match remote(call.tail(behind_host.next)) {
        Some(command) => carried.push(command),
        None if scanned.has("-N") => {}
        None => carried.push(Carried::InputScript(Script {
            reader: Reader::Elsewhere,
            ..Script::default()
        })),
    }
    carried
}

fn tmux(call: Call<'_>) -> Option<Vec<Carried>> {
    let mut at = scan(call.args, 0, &Grammar::new("cfLST", "")).next;
    let mut carried = Vec::new();
    // `tmux new -d \; send-keys …`: several commands in one call.
    while at < call.args.len() {
        let rest = call.tail(at);
        let length = rest
            .iter()
            .position(|word| word.literal().as_deref() == Some(";"));
        let length = length.unwrap_or(rest.len());
        let words = rest.get(1..length).unwrap_or_default();
        let name = rest.first().and_then(Word::literal).unwrap_or_default();
        match name.as_str() {
            "send-keys" | "send" => {
                let next = scan(words, 0, &Grammar::new("tcN", "")).next;
                let is_key = |word: &&Word| {
                    let text = word.shown();
                    !matches!(
                        text.as_str(),
                        "Enter" | "C-m" | "C-j" | "KPEnter" | "Space" | "C-c" | "C-u"
                    )
                };
                let keys = words.get(next..).unwrap_or_default().iter().filter(is_key);
                let keys = keys.cloned().collect::<Vec<_>>();
                if !keys.is_empty() {
                    carried.push(Carried::Script(Script::of(joined(&keys))));
                }
            }
            "new-session" | "new" | "new-window" | "neww" | "split-window" | "splitw"
            | "respawn-pane" | "respawnp" | "respawn-window" | "respawnw" | "run-shell" | "run"
            | "if-shell" | "if" | "display-popup" | "popup" | "pipe-pane" | "pipep" => {
                let next = scan(words, 0, &Grammar::new("ctnsxyFelpdwhbTS", "")).next;
                let next = if name.starts_with("new-s") || name == "new" {
                    scan(words, 0, &Grammar::new("ctnsxyFef", "")).next
                } else if name.starts_with("run") || name.starts_with("if") {
                    scan(words, 0, &Grammar::new("td", "")).next
                } else if name.starts_with("neww")
                    || name.starts_with("new-w")
                    || name.starts_with("split")
                {
                    scan(words, 0, &Grammar::new("ctnFelp", "")).next
                } else {
                    next
                };
                let script = words.get(next..).unwrap_or_default();
                if !script.is_empty() {
                    carried.push(Carried::Script(Script::of(joined(script))));
                }
            }
            _ => {}
        }
        at += length + 1;
    }
    (!carried.is_empty()).then_some(carried)
}

fn screen(call: Call<'_>) -> Vec<Carried> {
    let grammar = Grammar::new("cehpsStTX", "")
        .attached("")
        .inert("-ls -list -v -wipe");
    let scanned = scan(call.args, 0, &grammar);
    if scanned.inert {
        return Vec::new();
    }
    if let Some(command) = scanned.value("-X") {
        let keys = call.tail(scanned.next);
        let stuffs = command.literal().is_some_and(|text| text == "stuff");
        let runs = command
            .literal()
            .is_some_and(|text| text == "exec" || text == "screen");
        if !(stuffs || runs) || keys.is_empty() {
            return Vec::new();
        }
        let mut text = joined(keys);
        for piece in &mut text.pieces {
            if let Piece::Text { value, .. } = piece {
                // What stands for the return key.
                *value = value
                    .replace("\\n", "\n")
                    .replace("\\r", "\n")
                    .replace("^M", "\n");
            }
        }
        return vec![Carried::Script(Script::of(text))];
    }
    call.command(scanned.next)
        .map(Carried::Command)
        .into_iter()
        .collect()
}
