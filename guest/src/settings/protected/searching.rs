//! Searches for processes whose result a command gets.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Protected;
use super::killing::is_cluster;
use super::pattern::Reach;
use crate::settings::commands::Command;
use crate::syntax::{Invocation, Piece, Stdin, Unfolded, Via, Word};

/// Programs that look processes up, or choose among their lines.
#[rustfmt::skip]
const SEARCHES: &[&str] = &[
    "?", "awk", "cut", "egrep", "fgrep", "findstr", "gawk", "gcim", "get-ciminstance", "get-process",
    "get-wmiobject", "gps", "grep", "gwmi", "lsof", "mawk", "perl", "pgrep", "pidof", "ps", "rg", "sed",
    "select-string", "tasklist", "where", "where-object", "wmic",
];

/// How many invocations before a command may stand around it.
const MAX_AROUND: usize = 16;

/// How far before or behind a command a search may stand: a text made of kills and searches must not take long.
const MAX_DISTANCE: usize = 256;

/// What is known of the searches of a command text, each looked at once.
#[derive(Debug, Default)]
pub(in crate::settings) struct Searches<'a> {
    found: RefCell<BTreeMap<(usize, usize), Option<&'a str>>>,
}

impl<'a> Searches<'a> {
    /// The protected program that an invocation looks up.
    fn of(&self, protected: &'a Protected, text: &Unfolded, at: usize) -> Option<&'a str> {
        let place = (std::ptr::from_ref(text).addr(), at);
        if let Some(known) = self.found.borrow().get(&place) {
            return *known;
        }
        let search = text.invocations.get(at);
        let found = search.and_then(|search| looked_up(protected, search));
        self.found.borrow_mut().insert(place, found);
        found
    }
}

/// The protected program that a search looks up whose result the command gets: by pipe, by substitution, or by a
/// variable.
pub(super) fn yielded<'a>(
    protected: &'a Protected,
    searches: &Searches<'a>,
    command: &Command<'_>,
) -> Option<&'a str> {
    let all = &command.text.invocations;
    let span = command.invocation.span;
    let start = command.index.saturating_sub(MAX_DISTANCE);
    let end = all.len().min(command.index + MAX_DISTANCE);
    let inside = |at: &usize| {
        *at != command.index
            && all.get(*at).is_some_and(|inner| {
                inner.via.contains(&Via::CommandSubstitution)
                    && inner.span.start >= span.start
                    && inner.span.end <= span.end
            })
    };
    let mut connected: Vec<usize> = (start..end).filter(inside).collect();
    // What feeds the command itself, or the `xargs` around it, which stands in the same place.
    let around =
        |at: &usize| *at == command.index || all.get(*at).is_some_and(|outer| outer.span == span);
    let near = command.index.saturating_sub(MAX_AROUND)..command.index + 1;
    let mut next: Vec<usize> = near.filter(around).collect();
    let mut known = vec![false; command.index - start];
    while let Some(at) = next.pop() {
        let Some(Stdin::Pipe(sources)) = all.get(at).map(|invocation| &invocation.stdin) else {
            continue;
        };
        for &source in sources.iter().rev().take(MAX_DISTANCE) {
            let place = source.checked_sub(start).and_then(|at| known.get_mut(at));
            if let Some(known) = place.filter(|known| !**known) {
                *known = true;
                next.push(source);
                connected.push(source);
            }
        }
    }
    if connected.is_empty() && by_variable(command) {
        connected.extend(start..command.index);
    }
    connected
        .into_iter()
        .find_map(|at| searches.of(protected, command.text, at))
}

/// Whether a variable holds the processes, filled by a search before.
fn by_variable(command: &Command<'_>) -> bool {
    let filled = |word: &Word| {
        word.pieces.iter().any(|piece| match piece {
            Piece::Substitution | Piece::Unknown => true,
            Piece::Variable { .. } => command.ignores_case(),
            _ => false,
        })
    };
    let method = command.ignores_case() && command.name.starts_with('$');
    method || command.args.iter().any(filled) || matches!(&command.invocation.stdin, Stdin::Pipe(_))
}

/// The protected program that a search names.
fn looked_up<'a>(protected: &'a Protected, search: &Invocation) -> Option<&'a str> {
    let name = search.program.as_deref()?.to_lowercase();
    if !SEARCHES.contains(&name.as_str()) {
        return None;
    }
    let texts: Vec<String> = search.args.iter().filter_map(Word::literal).collect();
    let greps = name.ends_with("grep") || name == "rg";
    if greps
        && texts
            .iter()
            .any(|text| text == "--invert-match" || is_cluster(text, 'v'))
    {
        return None;
    }
    let operands = texts.iter().filter(|text| !text.starts_with('-'));
    let reach = match name.as_str() {
        "pgrep" if texts.iter().any(|text| is_cluster(text, 'x')) => Reach::Whole,
        "pgrep" if !texts.iter().any(|text| is_cluster(text, 'f')) => Reach::Part,
        _ => Reach::CommandLine,
    };
    operands.into_iter().find_map(|text| {
        if greps {
            // A word such as `node` would match a longer line only by its own text.
            let short = text.chars().filter(|c| c.is_alphanumeric()).count() < 3;
            return protected
                .by_pattern(text, reach)
                .filter(|_| name == "pgrep" || !short);
        }
        let wildcard = matches!(name.as_str(), "get-process" | "gps" | "pidof");
        wildcard
            .then(|| protected.by_wildcard(text))
            .flatten()
            .or_else(|| protected.in_text(&text.replace(['[', ']'], "")))
    })
}
