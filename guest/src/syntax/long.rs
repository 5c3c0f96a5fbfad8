//! Texts with more tokens than are parsed: their first lines, and the commands in the rest whose
//! names stand out.

use super::parse::{Unparsable, parse};
use super::scope::Scope;
use super::walk::{Place, Walker};
use crate::model::Span;

/// How much of the beginning is parsed, in bytes.
const MAX_HEAD_BYTES: usize = 4 * 1024;
/// How much of the rest is looked through, in bytes.
const MAX_REST_BYTES: usize = 256 * 1024;
/// Most commands of the rest that are looked at, and the longest, in bytes.
const MAX_COMMANDS: u32 = 128;
const MAX_COMMAND_BYTES: usize = 512;

/// Names of programs that lose something in their plainest use.
#[rustfmt::skip]
const NAMES: [&str; 40] = [
    "aws", "az", "blkdiscard", "chmod", "chown", "cryptsetup", "curl", "dd", "docker", "dropdb", "find", "gcloud",
    "gh", "git", "halt", "helm", "iptables", "kill", "killall", "kubectl", "lvremove", "mkfs", "mv", "mysql",
    "parted", "pkill", "poweroff", "psql", "reboot", "redis-cli", "rm", "rsync", "sgdisk", "shred", "shutdown",
    "systemctl", "terraform", "truncate", "wipefs", "zfs",
];

/// Walks what can be read of a text that is too long.
pub(super) fn walk(walker: &mut Walker, text: &str, scope: &mut Scope, place: &Place) {
    let head = head(text);
    if let Some(program) = text.get(..head).and_then(|lines| parse(lines).ok()) {
        walker.program(&program, scope, place);
    }
    walker.allow(MAX_COMMANDS);
    let mut looked_at = 0;
    let mut at = head;
    let end = text.floor_char_boundary(head + MAX_REST_BYTES);
    for command in text
        .get(head..end)
        .unwrap_or_default()
        .split_inclusive(['\n', ';', '&', '|'])
    {
        let start = at;
        at += command.len();
        if command.len() < 3 {
            continue;
        }
        let written = command.trim_end_matches(['\n', ';', '&', '|']);
        if written.len() > MAX_COMMAND_BYTES || !stands_out(written) {
            continue;
        }
        let span = Span {
            start: u32::try_from(start).unwrap_or(u32::MAX),
            end: u32::try_from(start + written.len()).unwrap_or(u32::MAX),
        };
        let place = Place {
            carrier: Some(place.carrier.unwrap_or(span)),
            ..place.clone()
        };
        if let Ok(program) = parse(written) {
            walker.program(&program, &mut scope.clone(), &place);
        }
        looked_at += 1;
        if looked_at == MAX_COMMANDS {
            return;
        }
    }
}

/// Where the first whole lines end.
fn head(text: &str) -> usize {
    let limit = text.floor_char_boundary(MAX_HEAD_BYTES);
    let head = text.get(..limit).unwrap_or_default();
    head.rfind('\n')
        .or_else(|| head.rfind(';'))
        .map_or(0, |end| end + 1)
}

/// Whether a command's name is one that stands out, wrappers of privilege aside.
fn stands_out(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace();
    let name = words
        .find(|word| !matches!(*word, "sudo" | "doas" | "exec" | "command" | "then" | "do"))
        .unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.split('.').next().unwrap_or(name);
    NAMES.binary_search(&name).is_ok()
}

/// How many bytes of a text may separate its tokens.
pub(super) fn separators(text: &str) -> usize {
    let separates = |byte: u8| byte.is_ascii_whitespace() || b";,&|(){}'\"`$<>%^".contains(&byte);
    text.bytes().filter(|byte| separates(*byte)).count()
}

/// Whether a word or a document has more parts than are followed: expansions, patterns, and for a
/// word quotations.
pub(super) fn has_too_many_parts(raw: &str, is_document: bool) -> bool {
    const SHORT_BYTES: usize = 8 * 1024;
    const MAX_PARTS: usize = 4 * 1024;
    if raw.len() <= SHORT_BYTES {
        return false;
    }
    let (mut parts, mut quote) = (0, is_document.then_some(b'"'));
    let mut escaped = false;
    for byte in raw.bytes() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match (quote, byte) {
            (Some(b'\''), b'\'') => quote = None,
            (Some(b'\''), _) => {}
            (_, b'\\') => escaped = true,
            (_, b'$' | b'`') => parts += 1,
            (Some(_), b'"') if !is_document => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                parts += 1;
            }
            (None, b'*' | b'?' | b'[' | b'~') => parts += 1,
            (None, _) => {}
        }
    }
    parts > MAX_PARTS
}

/// A text that is too long in every dialect.
pub(super) fn reason() -> String {
    Unparsable::TooLong.to_string()
}

#[cfg(test)]
mod tests {
    use crate::syntax::{unfold, unfold_cmd, unfold_powershell};

    fn programs(text: &str) -> Vec<String> {
        let unfolded = unfold(text);
        assert!(!unfolded.opaque.is_empty());
        unfolded
            .invocations
            .into_iter()
            .filter_map(|it| it.program)
            .collect()
    }

    #[test]
    fn commands_that_stand_out_are_found_behind_any_number_of_others() {
        let text = format!(
            "rm -rf first\n{}sudo dd of=/dev/sda\n",
            "ls;\n".repeat(60_000)
        );
        let programs = programs(&text);
        assert!(programs.iter().any(|name| name == "rm"));
        assert!(programs.iter().any(|name| name == "dd"));
    }

    #[test]
    fn a_long_text_of_few_words_is_analysed() {
        let text = format!("cat <<'E' > f\n{}E\nrm -rf x", "rm -rf /\n".repeat(10_000));
        let unfolded = unfold(&text);
        assert!(unfolded.opaque.is_empty());
        assert_eq!(unfolded.invocations.len(), 2);
    }

    #[test]
    fn names_are_sorted() {
        assert!(super::NAMES.is_sorted());
    }

    #[test]
    fn the_shells_of_windows_say_what_they_leave_out() {
        let text = "a;".repeat(300_000);
        assert!(!unfold_cmd(&text).opaque.is_empty());
        assert!(!unfold_powershell(&text).opaque.is_empty());
    }
}
