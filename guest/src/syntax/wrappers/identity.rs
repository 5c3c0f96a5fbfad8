//! `env` and `su`: another environment, another user.

use super::super::word::Word;
use super::options::{Grammar, assignment, may_vanish, scan};
use super::{Call, Carried, CarriedCommand, Script};

pub(super) fn env(call: Call<'_>) -> Option<Carried> {
    let grammar = Grammar::new("uCSa", "unset chdir split-string argv0")
        .abbreviates()
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
pub(super) fn su(call: Call<'_>) -> Option<Carried> {
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
    match super::shells::shell(shell)? {
        // Indices would point into another list of words.
        Carried::ScriptFile { .. } => None,
        other => Some(other),
    }
}
