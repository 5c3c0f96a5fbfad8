//! Filters that only move or recode characters, applied to a known text.

use super::encoding;
use super::escapes::{Escapes, escapes};
use super::selection;
use super::word::Word;

/// Filters that only move or recode characters.
pub(super) fn filter(program: &str, args: &[Word], input: Option<&Word>) -> Option<Word> {
    let literal = || input?.literal();
    let arguments = || args.iter().map(Word::literal).collect::<Option<Vec<_>>>();
    let text = match program {
        "base64" | "openssl" | "basenc" | "gbase64" => {
            let arguments = arguments()?;
            let has = |names: &[&str]| arguments.iter().any(|word| names.contains(&word.as_str()));
            let decodes = has(&["-d", "-D", "--decode", "-di", "-id"]);
            let is_base64 = program != "openssl" || has(&["base64", "-base64", "-a"]);
            if !decodes || !is_base64 {
                return None;
            }
            let bytes = encoding::base64(&literal()?)?;
            String::from_utf8(bytes).ok()?
        }
        "xxd" => {
            let arguments = arguments()?.concat();
            if !(arguments.contains('r') && arguments.contains('p')) {
                return None;
            }
            String::from_utf8(encoding::hexadecimal(&literal()?)?).ok()?
        }
        "rev" => {
            let text = literal()?;
            let reversed = text
                .split('\n')
                .map(|line| line.chars().rev().collect::<String>());
            reversed.collect::<Vec<_>>().join("\n")
        }
        "tac" => {
            let text = literal()?;
            let mut lines = text.lines().collect::<Vec<_>>();
            lines.reverse();
            lines.join("\n") + "\n"
        }
        "head" | "tail" | "grep" | "egrep" | "fgrep" | "cut" | "sort" | "uniq" => {
            selection::select(program, &arguments()?, &literal()?)?
        }
        "tr" => translate(&arguments()?, &literal()?)?,
        "sed" => substitute(&arguments()?, &literal()?)?,
        _ => return None,
    };
    Some(Word::text(&text, Default::default()))
}

/// `tr set1 set2` and `tr -d set`.
fn translate(arguments: &[String], text: &str) -> Option<String> {
    match arguments {
        [option, set] if option == "-d" => {
            let set = character_set(set);
            Some(
                text.chars()
                    .filter(|character| !set.contains(character))
                    .collect(),
            )
        }
        [from, to] if !from.starts_with('-') => {
            let (from, to) = (character_set(from), character_set(to));
            let map = |character: char| match from.iter().rposition(|known| *known == character) {
                Some(index) => to.get(index).or(to.last()).copied().unwrap_or(character),
                None => character,
            };
            Some(text.chars().map(map).collect())
        }
        _ => None,
    }
}

/// The characters of a set of `tr`: ranges, classes of letters, escapes.
fn character_set(text: &str) -> Vec<char> {
    match text {
        "[:upper:]" => return ('A'..='Z').collect(),
        "[:lower:]" => return ('a'..='z').collect(),
        "[:space:]" => return vec![' ', '\t', '\n', '\r'],
        _ => {}
    }
    let decoded = escapes(text.as_bytes(), Escapes::Printf);
    let characters = String::from_utf8_lossy(&decoded.bytes)
        .chars()
        .collect::<Vec<_>>();
    let mut set = Vec::new();
    let mut at = 0;
    while let Some(&first) = characters.get(at) {
        match (characters.get(at + 1), characters.get(at + 2)) {
            (Some('-'), Some(&last)) if first <= last && set.len() < 1024 => {
                set.extend((first..=last).take(256));
                at += 3;
            }
            _ => {
                set.push(first);
                at += 1;
            }
        }
    }
    set
}

/// `sed 's/plain/text/g'` with patterns that hold no special character.
fn substitute(arguments: &[String], text: &str) -> Option<String> {
    let script = match arguments {
        [script] => script,
        [option, script] if matches!(option.as_str(), "-e" | "-E" | "-r") => script,
        _ => return None,
    };
    let behind = script.strip_prefix('s')?;
    let separator = behind.chars().next()?;
    let mut fields = behind.get(separator.len_utf8()..)?.split(separator);
    let (pattern, replacement, flags) = (fields.next()?, fields.next()?, fields.next()?);
    let special = |text: &str| {
        text.contains([
            '\\', '&', '[', ']', '*', '.', '^', '$', '+', '?', '(', '{', '|',
        ])
    };
    if fields.next().is_some() || pattern.is_empty() || special(pattern) || special(replacement) {
        return None;
    }
    let lines = text.split('\n').map(|line| match flags {
        "g" => Some(line.replace(pattern, replacement)),
        "" => Some(line.replacen(pattern, replacement, 1)),
        _ => None,
    });
    Some(lines.collect::<Option<Vec<_>>>()?.join("\n"))
}
