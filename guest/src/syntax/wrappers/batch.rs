//! Tools that run a command once per file or line: `find -exec`, `fd -x`, `xargs`, `parallel`.

use super::super::invocation::Via;
use super::super::word::{Piece, Word};
use super::options::{Grammar, scan};
use super::{Call, Carried, CarriedCommand, Operands, Peeled, Reader, Script, joined};

/// Most commands of one `find` that are followed.
const MAX_ACTIONS: usize = 64;
/// Most values of `parallel` that are written out.
const MAX_VALUES: usize = 16;

pub(super) fn peel(call: Call<'_>) -> Option<Peeled> {
    let (via, carried) = match call.name {
        "find" | "gfind" | "bfs" => (Via::FindExec, find(call)),
        "fd" | "fdfind" => (Via::FindExec, fd(call)),
        "xargs" | "gxargs" => (Via::Xargs, xargs(call).into_iter().collect()),
        "parallel" | "sem" => (Via::Xargs, parallel(call)),
        _ => return None,
    };
    // A search without an action is no wrapper.
    let runs = !carried.is_empty() || via == Via::Xargs;
    runs.then_some(Peeled {
        via,
        carried,
        passes_status: false,
    })
}

/// Every `-exec` and `-execdir`; `-ok` asks first and so runs nothing without a terminal.
fn find(call: Call<'_>) -> Vec<Carried> {
    let is_expression = |word: &Word| {
        word.starts_with("-") || matches!(word.literal().as_deref(), Some("(" | "!" | ")" | ","))
    };
    // `-H`, `-L`, `-P`, `-D x` and `-O3` come before the starting points.
    let starts_at = scan(call.args, 0, &Grammar::new("D", "").attached("O"))
        .next
        .min(call.args.iter().take_while(|word| is_global(word)).count());
    let roots = call
        .tail(starts_at)
        .iter()
        .take_while(|word| !is_expression(word))
        .count();
    let roots = call.tail(starts_at).get(..roots).unwrap_or_default();
    let mut carried = Vec::new();
    let mut at = starts_at + roots.len();
    while let Some(word) = call.args.get(at) {
        at += 1;
        let action = word.literal().unwrap_or_default();
        if !matches!(action.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir") {
            continue;
        }
        if carried.len() == MAX_ACTIONS {
            // One whose program nobody knows stands for all others.
            let unknown = Word {
                pieces: vec![Piece::Unknown],
                span: word.span,
            };
            carried.extend(CarriedCommand::of(vec![unknown]).map(Carried::Command));
            break;
        }
        let rest = call.tail(at);
        let ends = |(index, word): (usize, &Word)| match word.literal().as_deref() {
            Some(";") => true,
            // `+` ends the command only behind `{}`.
            Some("+") => index > 0 && rest.get(index - 1).is_some_and(|word| word.shown() == "{}"),
            _ => false,
        };
        let length = rest
            .iter()
            .enumerate()
            .position(|(index, word)| ends((index, word)));
        let words = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        if action.starts_with("-exec") {
            let found = found_file(roots, action == "-execdir");
            let words = words
                .iter()
                .map(|word| replace(word, "{}", &found))
                .collect();
            carried.extend(CarriedCommand::of(words).map(Carried::Command));
        }
        at += words.len() + 1;
    }
    carried
}

fn is_global(word: &Word) -> bool {
    word.literal().is_some_and(|text| {
        matches!(text.as_str(), "-H" | "-L" | "-P") || text.starts_with("-O") || text == "-D"
    })
}

/// The path of a found file: below the starting point, where there is one.
fn found_file(roots: &[Word], relative: bool) -> Vec<Piece> {
    let mut pieces = match roots {
        [root] if !relative => root.pieces.clone(),
        _ => Vec::new(),
    };
    pieces.push(Piece::Unknown);
    pieces
}

fn fd(call: Call<'_>) -> Vec<Carried> {
    let mut carried = Vec::new();
    let mut at = 0;
    while let Some(word) = call.args.get(at) {
        at += 1;
        let option = word.literal().unwrap_or_default();
        if !matches!(option.as_str(), "-x" | "-X" | "--exec" | "--exec-batch") {
            continue;
        }
        let rest = call.tail(at);
        let length = rest
            .iter()
            .position(|word| word.literal().as_deref() == Some(";"));
        let words = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        carried.extend(with_placeholders(words, &[vec![Piece::Unknown]]));
        at += words.len();
    }
    carried
}

/// Puts each value in the place of `{}`, or behind the last word where there is no such place.
fn with_placeholders(words: &[Word], values: &[Vec<Piece>]) -> Vec<Carried> {
    const PLACEHOLDERS: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];
    let placed = words
        .iter()
        .any(|word| PLACEHOLDERS.iter().any(|mark| word.shown().contains(mark)));
    let command = |value: &Vec<Piece>| {
        let fill = |word: &Word| {
            PLACEHOLDERS
                .iter()
                .fold(word.clone(), |word, mark| replace(&word, mark, value))
        };
        let mut filled = words.iter().map(fill).collect::<Vec<_>>();
        if !placed && let Some(last) = filled.last() {
            filled.push(Word {
                pieces: value.clone(),
                span: last.span,
            });
        }
        CarriedCommand::of(filled).map(Carried::Command)
    };
    values.iter().filter_map(command).collect()
}

/// The word with pieces in the place of a mark.
pub(in super::super) fn replace(word: &Word, mark: &str, with: &[Piece]) -> Word {
    let mut out = Word {
        pieces: Vec::new(),
        span: word.span,
    };
    for piece in &word.pieces {
        match piece {
            Piece::Text { value, quoted } if value.contains(mark) => {
                for (index, part) in value.split(mark).enumerate() {
                    if index > 0 {
                        out.pieces.extend_from_slice(with);
                    }
                    if !part.is_empty() {
                        out.pieces.push(Piece::Text {
                            value: part.to_owned(),
                            quoted: *quoted,
                        });
                    }
                }
            }
            other => out.pieces.push(other.clone()),
        }
    }
    out
}

fn xargs(call: Call<'_>) -> Option<Carried> {
    let grammar = Grammar::new(
        "adEILnPsJRS",
        "arg-file delimiter max-args max-chars max-procs process-slot-var",
    )
    .attached("eil")
    .abbreviates()
    // It asks the terminal first.
    .inert("-p --interactive");
    let scanned = scan(call.args, 0, &grammar);
    if scanned.inert {
        return None;
    }
    let mark = ["-I", "-J"]
        .iter()
        .find_map(|name| scanned.value(name))
        .map(Word::shown);
    let optional = ["-i", "--replace"]
        .into_iter()
        .find(|name| scanned.has(name));
    let mark = mark.or_else(|| {
        let value = scanned.value(optional?).map(Word::shown);
        Some(value.unwrap_or_else(|| "{}".to_owned()))
    });
    let operands = mark
        .filter(|mark| !mark.is_empty())
        .map_or(Operands::Appended, Operands::Replaced);
    let command = call.command(scanned.next)?;
    Some(Carried::Command(CarriedCommand {
        operands,
        ..command
    }))
}

/// `parallel [options] [command [arguments]] [::: values…]`; the command is a shell script.
fn parallel(call: Call<'_>) -> Vec<Carried> {
    let grammar = Grammar::new(
        "jaCEIdLnNPsSUTv",
        "jobs max-procs arg-file colsep delimiter max-args max-replace-args max-lines max-chars joblog \
         results timeout retries delay load memfree nice halt sshlogin sshloginfile workdir wd basefile \
         return env tmpdir tempdir tagstring arg-sep arg-file-sep id semaphorename",
    )
    .inert("--dry-run --dryrun");
    let scanned = scan(call.args, 0, &grammar);
    if scanned.inert {
        return Vec::new();
    }
    let words = call.tail(scanned.next);
    let is_separator = |word: &Word| {
        matches!(
            word.literal().as_deref(),
            Some(":::" | ":::+" | "::::" | "::::+")
        )
    };
    let length = words.iter().position(is_separator).unwrap_or(words.len());
    let (template, sources) = words.split_at_checked(length).unwrap_or((words, &[]));
    let literal = sources
        .first()
        .is_some_and(|word| word.starts_with(":::") && !word.starts_with("::::"));
    let values = sources
        .iter()
        .filter(|word| !is_separator(word))
        .collect::<Vec<_>>();
    let known = literal && values.len() <= MAX_VALUES;
    let script = |text: Word| Carried::Script(Script::of(text));
    if template.is_empty() {
        return if known {
            values.into_iter().cloned().map(script).collect()
        } else if sources.is_empty() {
            vec![Carried::InputScript(Script {
                reader: Reader::Shell,
                ..Script::default()
            })]
        } else {
            Vec::new()
        };
    }
    let values = if known {
        values.iter().map(|word| word.pieces.clone()).collect()
    } else {
        vec![vec![Piece::Unknown]]
    };
    with_placeholders(template, &values)
        .into_iter()
        .filter_map(|carried| match carried {
            Carried::Command(command) => Some(script(joined(&command.words))),
            _ => None,
        })
        .collect()
}
