//! What builtins change in the shell that runs them.

use super::command::declared_name;
use super::output;
use super::scope::{Scope, Value};
use super::walk::{Place, Walker};
use super::word::{Piece, Word};
use crate::model::Span;

/// Most aliases and copies that are remembered.
const MAX_NAMES: usize = 64;

impl Walker {
    /// Applies what a builtin (or `tee`) does to the state that later words depend on.
    pub(super) fn effects(
        &mut self,
        program: &str,
        args: &[Word],
        separators: Option<&str>,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) {
        match program {
            "cd" | "pushd" | "chdir" => {
                let target = args
                    .iter()
                    .find(|word| !word.starts_with("-") || word.shown() == "-");
                scope.change_directory(target.and_then(Word::literal).filter(|path| path != "-"));
            }
            "popd" => scope.change_directory(None),
            "set" => set(args, scope),
            "shift" => {
                let count = args
                    .first()
                    .map_or(Some(1), |word| word.literal()?.parse().ok());
                match (count, &mut scope.arguments) {
                    (Some(count), Some(arguments)) => {
                        _ = arguments.drain(..arguments.len().min(count))
                    }
                    (None, arguments) => *arguments = None,
                    _ => {}
                }
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                declare(program, args, scope)
            }
            "unset" => {
                for name in args.iter().filter_map(Word::literal) {
                    scope.unset(&name);
                }
            }
            "read" => read(args, separators, scope, place, span),
            "mapfile" | "readarray" => {
                let name = args.iter().rev().find(|word| !word.starts_with("-"));
                let name = name
                    .and_then(Word::literal)
                    .unwrap_or_else(|| "MAPFILE".to_owned());
                let lines = place.input.as_ref().and_then(Word::literal);
                let lines =
                    lines.map(|text| text.lines().map(|line| Word::text(line, span)).collect());
                scope.set(&name, lines.map(Value::Array));
            }
            "printf" if args.first().is_some_and(|word| word.starts_with("-v")) => {
                let attached = args
                    .first()
                    .filter(|word| word.shown() != "-v")
                    .map(|word| word.without(2));
                let behind = if attached.is_some() { 1 } else { 2 };
                let name = attached
                    .or_else(|| args.get(1).cloned())
                    .and_then(|word| word.literal());
                if let Some(name) = name {
                    let text = output::printf(args.get(behind..).unwrap_or_default());
                    scope.set(&name, text.map(Value::Scalar));
                }
            }
            "getopts" => {
                if let Some(name) = args.get(1).and_then(Word::literal) {
                    scope.set(&name, None);
                }
            }
            "let" => {
                for name in args.iter().filter_map(Word::literal) {
                    let end = super::quoting::name_end(name.as_bytes(), 0);
                    scope.set(name.get(..end).unwrap_or_default(), None);
                }
            }
            "alias" => {
                for text in args.iter().filter_map(Word::literal) {
                    if let Some((name, value)) = text.split_once('=') {
                        scope.set_alias(name, value);
                    }
                }
            }
            "unalias" => {
                for name in args.iter().filter_map(Word::literal) {
                    scope.remove_alias(&name);
                }
            }
            "shopt" => {
                let words = args.iter().filter_map(Word::literal).collect::<Vec<_>>();
                let named = words.iter().any(|word| word == "expand_aliases");
                if named && words.iter().any(|word| word == "-s") {
                    scope.aliases_wanted = true;
                } else if named && words.iter().any(|word| word == "-u") {
                    scope.aliases_wanted = false;
                }
            }
            "git" => {
                let words = args.iter().filter_map(Word::literal).collect::<Vec<_>>();
                let sets = words.first().is_some_and(|word| word == "config");
                let mut pairs = words.windows(2).filter(|_| sets);
                if let Some([name, value]) =
                    pairs.find(|pair| pair.first().is_some_and(|name| name.starts_with("alias.")))
                    && let Some(alias) = name.strip_prefix("alias.")
                {
                    self.git_aliases.push((alias.to_owned(), value.clone()));
                    self.git_aliases.truncate(MAX_NAMES);
                }
            }
            "hash" => {
                let words = args.iter().filter_map(Word::literal).collect::<Vec<_>>();
                if let [option, path, name] = words.as_slice()
                    && option == "-p"
                {
                    let program = path.rsplit('/').next().unwrap_or(path);
                    self.programs.push((name.clone(), program.to_owned()));
                    self.programs.truncate(MAX_NAMES);
                }
            }
            "cp" | "ln" | "mv" | "install" => {
                let operands = args.iter().filter(|word| !word.starts_with("-"));
                let operands = operands.filter_map(Word::literal).collect::<Vec<_>>();
                if let [from, to] = operands.as_slice() {
                    self.copied(from, to);
                }
            }
            "tee" => {
                let append = args
                    .iter()
                    .any(|word| word.starts_with("-a") || word.shown() == "--append");
                for path in args
                    .iter()
                    .filter(|word| !word.starts_with("-"))
                    .filter_map(Word::literal)
                {
                    self.files.write(&path, place.input.clone(), append);
                }
            }
            _ => {}
        }
    }
}

impl Walker {
    /// A copy of a known script is that script; a copy of a program from a system directory is that program.
    fn copied(&mut self, from: &str, to: &str) {
        if let Some(text) = self.files.get(from).cloned() {
            self.files.write(to, Some(text), false);
            return;
        }
        let directories = [
            "/bin/",
            "/sbin/",
            "/usr/bin/",
            "/usr/sbin/",
            "/usr/local/bin/",
        ];
        let name = directories
            .iter()
            .find_map(|directory| from.strip_prefix(directory));
        if let Some(name) = name.filter(|name| !name.contains('/')) {
            self.programs.push((to.to_owned(), name.to_owned()));
            self.programs.truncate(MAX_NAMES);
        }
    }
}

/// `set -- words`, `set words`.
fn set(args: &[Word], scope: &mut Scope) {
    let mut at = 0;
    while let Some(word) = args.get(at) {
        let text = word.literal().unwrap_or_default();
        if text == "--" || text == "-" {
            scope.arguments = Some(args.get(at + 1..).unwrap_or_default().to_vec());
            return;
        }
        if !text.starts_with(['-', '+']) {
            scope.arguments = Some(args.get(at..).unwrap_or_default().to_vec());
            return;
        }
        // `-o name` takes a word.
        at += 1 + usize::from(text.ends_with('o'));
    }
}

fn declare(program: &str, args: &[Word], scope: &mut Scope) {
    if program == "export" && args.iter().any(|word| word.starts_with("-f")) {
        for name in args.iter().filter_map(Word::literal) {
            scope.export_function(&name);
        }
        return;
    }
    if args.iter().any(|word| word.starts_with("-n")) {
        for text in args.iter().filter_map(Word::literal) {
            if let Some((name, target)) = text.split_once('=') {
                scope.refer(name, target);
            }
        }
    }
    let exports = program == "export" || args.iter().any(|word| word.starts_with("-x"));
    for word in args.iter().filter(|word| !word.starts_with("-")) {
        let Some(Piece::Text { value, .. }) = word.pieces.first() else {
            continue;
        };
        let name = declared_name(value);
        if name.len() == value.len() && program == "local" && word.pieces.len() == 1 {
            scope.set(name, None);
        }
        if exports {
            scope.export(name);
        }
    }
}

/// `read [options] names…`: the first line of a known input.
fn read(args: &[Word], separators: Option<&str>, scope: &mut Scope, place: &Place, span: Span) {
    let separates = |character: char| match separators {
        Some(own) => own.contains(character),
        None => character.is_ascii_whitespace(),
    };
    let mut names = Vec::new();
    let mut array = None;
    let mut at = 0;
    while let Some(word) = args.get(at) {
        at += 1;
        let Some(text) = word.literal() else { continue };
        match text.strip_prefix('-') {
            Some(letters) if !letters.is_empty() => {
                let takes = |letter: char| "adinNptu".contains(letter);
                if letters.ends_with(takes) {
                    if letters.ends_with('a') {
                        array = args.get(at).and_then(Word::literal);
                    }
                    at += 1;
                }
            }
            _ => names.push(text),
        }
    }
    let line = place.input.as_ref().and_then(Word::literal);
    let line = line
        .as_ref()
        .map(|text| text.lines().next().unwrap_or_default());
    let scalar = |text: &str| Value::Scalar(Word::text(text, span));
    if let Some(array) = array {
        let words = line.map(|line| {
            line.split_whitespace()
                .map(|word| Word::text(word, span))
                .collect()
        });
        scope.set(&array, words.map(Value::Array));
        return;
    }
    if names.is_empty() {
        scope.set("REPLY", line.map(scalar));
        return;
    }
    let mut rest = line.map(|line| line.trim_matches(|character: char| separates(character)));
    for (index, name) in names.iter().enumerate() {
        let last = index + 1 == names.len();
        let word = rest.map(|text| {
            let end = text.find(separates).filter(|_| !last).unwrap_or(text.len());
            text.split_at(end)
        });
        rest = word.map(|(_, behind)| behind.trim_start_matches(separates));
        scope.set(name, word.map(|(word, _)| scalar(word)));
    }
}
