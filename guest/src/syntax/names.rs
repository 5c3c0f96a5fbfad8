//! Which program a word names, as far as the text tells.

use super::pattern::Pattern;
use super::word::{Guard, Piece, Word};

/// Programs that a pattern in a program's name (`/bin/r?`) is tried against.
const PATTERN_CANDIDATES: [&str; 24] = [
    "rm", "sh", "bash", "dd", "shred", "unlink", "mkfs", "wipefs", "find", "git", "chmod", "chown",
    "mv", "cp", "perl", "python3", "python", "kill", "killall", "pkill", "shutdown", "reboot",
    "truncate", "sudo",
];

/// What is known of a program's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The last part of its path, without `.exe`.
    pub name: Option<String>,
    /// Whether only this program can be meant.
    pub certain: bool,
}

/// Reads the name of a program from its word. A variable that nothing has set is taken as empty, as
/// the shell would.
pub(super) fn of(word: &Word) -> Name {
    let mut last = String::new();
    let mut pattern = String::new();
    let (mut certain, mut unknown, mut globs) = (true, false, false);
    for piece in &word.pieces {
        match piece {
            Piece::Text { value, .. } => {
                let tail = match value.rsplit_once('/') {
                    Some((_, tail)) => {
                        last.clear();
                        pattern.clear();
                        (certain, unknown, globs) = (true, false, false);
                        tail
                    }
                    None => value,
                };
                last.push_str(tail);
                for character in tail.chars() {
                    pattern.push('\\');
                    pattern.push(character);
                }
            }
            Piece::Tilde(_) => {}
            Piece::Variable {
                guard: Guard::Default(value),
                ..
            } => {
                last.push_str(value.rsplit('/').next().unwrap_or(value));
                certain = false;
            }
            // The shell's own path, unless somebody has changed it.
            Piece::Variable { name, .. } if matches!(name.as_str(), "BASH" | "SHELL") => {
                last.push_str("bash");
                certain = false;
            }
            Piece::Variable { .. } => certain = false,
            Piece::Glob(text) => {
                pattern.push_str(text.rsplit('/').next().unwrap_or(text));
                (certain, globs) = (false, true);
            }
            Piece::Substitution | Piece::Unknown => (certain, unknown) = (false, true),
        }
    }
    if globs {
        let pattern = Pattern::parse(&pattern);
        let matches = |name: &&&str| pattern.matches(&name.chars().collect::<Vec<_>>());
        let name = PATTERN_CANDIDATES
            .iter()
            .find(matches)
            .map(|name| (*name).to_owned());
        return Name { name, certain };
    }
    let extension = last
        .len()
        .checked_sub(4)
        .and_then(|at| last.get(at..).map(|end| (at, end)));
    if let Some((at, end)) = extension
        && at > 0
        && end.eq_ignore_ascii_case(".exe")
    {
        last.truncate(at);
    }
    Name {
        name: (!last.is_empty() && !unknown).then_some(last),
        certain,
    }
}
