//! Words as path texts: what the shell would still expand is marked, `.` and `..` are taken out.

use crate::syntax::{Guard, Piece, Word};

/// Stands for an unquoted pattern that matches any number of characters.
pub(super) const ANY: char = '\u{e000}';
/// Stands for any other pattern (`?`, `[a-z]`).
pub(super) const SOME: char = '\u{e001}';
/// Stands for text that only running the command would tell.
pub(super) const UNKNOWN: char = '\u{e002}';

/// Variables that always hold a number.
const NUMERIC: &[&str] = &[
    "$", "!", "?", "#", "BASHPID", "EUID", "PPID", "RANDOM", "SECONDS", "UID",
];

/// The word as text with marks for what the shell would still expand.
pub(super) fn marked(word: &Word) -> String {
    let mut out = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text { value, .. } => out.push_str(value),
            Piece::Glob(pattern) => out.push(if pattern.contains('*') { ANY } else { SOME }),
            Piece::Tilde(user) => {
                out.push('~');
                out.push_str(user);
            }
            Piece::Variable { name, guard, .. } => variable(name, guard, &mut out),
            Piece::Substitution | Piece::Unknown => out.push(UNKNOWN),
        }
    }
    out
}

fn variable(name: &str, guard: &Guard, out: &mut String) {
    match (name, guard) {
        ("HOME", _) => out.push('~'),
        ("PWD", _) => out.push_str(if out.is_empty() { "." } else { "\u{e002}" }),
        ("TMPDIR", Guard::Default(text)) if text.starts_with("/tmp") => out.push_str(text),
        ("TMPDIR", Guard::Required) => out.push_str("/tmp"),
        (name, _) if NUMERIC.contains(&name) => out.push('0'),
        (name, _) => match name.to_ascii_lowercase().as_str() {
            // Windows sets these for every process.
            "env:temp" | "env:tmp" => out.push_str("/tmp"),
            "env:userprofile" | "env:home" | "env:homepath" | "userprofile" => out.push('~'),
            "env:systemroot" | "env:windir" | "systemroot" | "windir" => out.push_str("c:/windows"),
            "env:systemdrive" | "systemdrive" => out.push_str("c:"),
            _ => out.push(UNKNOWN),
        },
    }
}

/// Takes out `.`, `..` and doubled slashes; a leading `..` of a relative path stays.
pub(super) fn normalised(text: &str) -> String {
    let text = text.replace('\\', "/");
    let absolute = text.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." && !last.starts_with(['~', UNKNOWN]) => {
                    parts.pop();
                }
                _ if absolute => {}
                _ => parts.push(".."),
            },
            part => parts.push(part),
        }
    }
    let body = parts.join("/");
    match (absolute, body.is_empty()) {
        (true, _) => format!("/{body}"),
        (false, true) if !text.is_empty() => ".".to_owned(),
        (false, _) => body,
    }
}
