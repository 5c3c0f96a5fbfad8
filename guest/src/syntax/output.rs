//! What harmless commands print, where their arguments and their input already say it.

use super::escapes::{Escapes, escapes};
use super::filters::filter;
use super::word::{Piece, Word};
use super::wrappers::interpreter;

/// Longest output that is computed, in bytes.
const MAX_BYTES: usize = 16 * 1024;

/// Commands that print nothing when they succeed.
const SILENT: [&str; 22] = [
    ":", "alias", "cd", "chmod", "cp", "declare", "export", "false", "local", "mkdir", "mv",
    "readonly", "rm", "set", "shift", "shopt", "sleep", "touch", "true", "typeset", "unset",
    "wait",
];

/// The output of a program, if it is known. `input` is the text on its standard input.
pub(super) fn known(program: &str, args: &[Word], input: Option<&Word>) -> Option<Word> {
    if SILENT.binary_search(&program).is_ok() {
        return Some(Word::default());
    }
    let output = match program {
        "echo" => echo(args),
        "printf" => printf(args),
        "cat" | "tee" | "iconv" | "dos2unix" | "unbuffer" | "pv" => {
            let passes = program != "cat" || args.iter().all(|arg| arg.starts_with("-"));
            input.filter(|_| passes).cloned()
        }
        "yes" => {
            let text = if args.is_empty() {
                Word::text("y", Default::default())
            } else {
                spaced(args)
            };
            Some(with_newline(text))
        }
        "which" | "type" | "command" => {
            let path_only =
                program != "type" || args.first().is_some_and(|arg| arg.starts_with("-P"));
            let name = args.iter().find(|arg| !arg.starts_with("-"))?;
            path_only.then(|| with_newline(name.clone()))
        }
        "mktemp" => mktemp(args),
        "basename" => path_part(args, |path| {
            path.rsplit('/').next().unwrap_or(path).to_owned()
        }),
        "dirname" => path_part(args, |path| match path.rsplit_once('/') {
            Some(("", _)) => "/".to_owned(),
            Some((head, _)) => head.to_owned(),
            None => ".".to_owned(),
        }),
        _ => filter(program, args, input).or_else(|| printed_literal(program, args)),
    };
    output.filter(|word| word.shown().len() <= MAX_BYTES)
}

fn spaced(words: &[Word]) -> Word {
    let mut out = Word::default();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            out.push_text(" ");
        }
        append(&mut out, word);
    }
    out
}

fn append(out: &mut Word, word: &Word) {
    for piece in &word.pieces {
        match piece {
            Piece::Text { value, .. } => out.push_text(value),
            other => out.pieces.push(other.clone()),
        }
    }
}

fn with_newline(mut word: Word) -> Word {
    word.push_text("\n");
    word
}

fn echo(args: &[Word]) -> Option<Word> {
    let is_option = |word: &&Word| {
        word.literal().is_some_and(|text| {
            text.strip_prefix('-').is_some_and(|letters| {
                !letters.is_empty()
                    && letters
                        .bytes()
                        .all(|letter| matches!(letter, b'n' | b'e' | b'E'))
            })
        })
    };
    let count = args.iter().take_while(is_option).count();
    let (options, words) = args.split_at_checked(count)?;
    let has = |letter| options.iter().any(|option| option.shown().contains(letter));
    let mut out = spaced(words);
    if has('e') {
        let mut decoded = Word::default();
        for piece in &out.pieces {
            match piece {
                Piece::Text { value, .. } => {
                    let text = escapes(value.as_bytes(), Escapes::Echo);
                    decoded.push_text(&String::from_utf8_lossy(&text.bytes));
                    if text.stopped {
                        return Some(decoded);
                    }
                }
                other => decoded.pieces.push(other.clone()),
            }
        }
        out = decoded;
    }
    Some(if has('n') { out } else { with_newline(out) })
}

/// `printf format arguments…`; the format is used again while arguments are left.
pub(super) fn printf(args: &[Word]) -> Option<Word> {
    let args = match args.first()?.literal().as_deref() {
        Some("--") => args.get(1..)?,
        _ => args,
    };
    let (format, values) = args.split_first()?;
    let format = format.literal()?;
    let mut values = values.iter();
    let mut out = Word::default();
    loop {
        let before = values.len();
        if !format_once(&format, &mut values, &mut out)? {
            return Some(out);
        }
        if values.len() == 0 || values.len() == before || out.shown().len() > MAX_BYTES {
            return Some(out);
        }
    }
}

/// Writes the format once; false where `\c` ended all output.
fn format_once(
    format: &str,
    values: &mut std::slice::Iter<'_, Word>,
    out: &mut Word,
) -> Option<bool> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (text, behind) = rest.split_at(at);
        let text = escapes(text.as_bytes(), Escapes::Printf);
        out.push_text(&String::from_utf8_lossy(&text.bytes));
        if text.stopped {
            return Some(false);
        }
        let behind = behind.get(1..)?;
        let flags = behind
            .find(|letter: char| !matches!(letter, '-' | '+' | ' ' | '#' | '.' | '0'..='9'))?;
        let (_, behind) = behind.split_at(flags);
        let conversion = behind.chars().next()?;
        rest = behind.get(conversion.len_utf8()..)?;
        match conversion {
            '%' => out.push_text("%"),
            's' | 'd' | 'i' | 'u' | 'q' => {
                if let Some(value) = values.next() {
                    append(out, value);
                }
            }
            'b' => {
                if let Some(value) = values.next() {
                    let text = escapes(value.literal()?.as_bytes(), Escapes::PrintfArgument);
                    out.push_text(&String::from_utf8_lossy(&text.bytes));
                }
            }
            'c' => {
                let value = values.next().and_then(Word::literal).unwrap_or_default();
                out.push_text(&value.chars().take(1).collect::<String>());
            }
            'x' | 'X' | 'o' => {
                let value = values.next()?.literal()?.parse::<i64>().ok()?;
                out.push_text(&match conversion {
                    'x' => format!("{value:x}"),
                    'X' => format!("{value:X}"),
                    _ => format!("{value:o}"),
                });
            }
            _ => return None,
        }
    }
    let text = escapes(rest.as_bytes(), Escapes::Printf);
    out.push_text(&String::from_utf8_lossy(&text.bytes));
    Some(!text.stopped)
}

/// A new temporary path stands for itself: what matters of it is where it lies.
fn mktemp(args: &[Word]) -> Option<Word> {
    let mut directory = None;
    let mut template = None;
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let text = word.literal()?;
        match text.as_str() {
            "-p" | "--tmpdir" => directory = words.next().map(Word::shown),
            "--suffix" => _ = words.next(),
            "-t" => directory = Some("/tmp".to_owned()),
            _ if text.starts_with("--tmpdir=") => {
                directory = word.behind('=').map(|word| word.shown())
            }
            _ if text.starts_with('-') => {}
            _ => template = Some(text),
        }
    }
    let path = match (directory, template) {
        (Some(directory), template) => {
            format!(
                "{directory}/{}",
                template.as_deref().unwrap_or("tmp.XXXXXXXXXX")
            )
        }
        (None, Some(template)) => template,
        (None, None) => "/tmp/tmp.XXXXXXXXXX".to_owned(),
    };
    Some(with_newline(Word::text(&path, Default::default())))
}

fn path_part(args: &[Word], part: impl Fn(&str) -> String) -> Option<Word> {
    let [path] = args else { return None };
    let path = path.literal()?;
    let trimmed = path.trim_end_matches('/');
    let text = if trimmed.is_empty() {
        "/".to_owned()
    } else {
        part(trimmed)
    };
    Some(with_newline(Word::text(&text, Default::default())))
}

/// `python3 -c 'print("text")'`, `awk 'BEGIN{print "text"}'` and their like: one literal that is
/// printed.
fn printed_literal(program: &str, args: &[Word]) -> Option<Word> {
    let source = args
        .get(1)
        .filter(|_| args.len() == 2)
        .or(args.first())?
        .literal()?;
    let source = source.trim();
    let calls: &[(&str, &str)] = match interpreter(program) {
        "python" | "pypy" => &[("print(", ")")],
        "perl" => &[("print", "")],
        "ruby" => &[("puts", ""), ("print", "")],
        "node" | "nodejs" | "bun" => &[("console.log(", ")")],
        "php" => &[("echo", "")],
        "awk" | "gawk" | "mawk" | "nawk" => &[
            ("BEGIN{print", "}"),
            ("BEGIN {print", "}"),
            ("BEGIN { print", "}"),
        ],
        _ => return None,
    };
    let inside = calls.iter().find_map(|(before, after)| {
        source
            .trim_end_matches(';')
            .strip_prefix(before)?
            .strip_suffix(after)
    })?;
    let inside = inside.trim().trim_end_matches(';').trim();
    let inside = inside
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
        .unwrap_or(inside);
    let quote = inside
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let text = inside.strip_prefix(quote)?.strip_suffix(quote)?;
    if text.contains(quote) {
        return None;
    }
    let decoded = escapes(text.as_bytes(), Escapes::AnsiC);
    Some(with_newline(Word::text(
        &String::from_utf8_lossy(&decoded.bytes),
        Default::default(),
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(line: &[&str], input: Option<&str>) -> Option<String> {
        let words = line
            .iter()
            .map(|text| Word::text(text, Default::default()))
            .collect::<Vec<_>>();
        let input = input.map(|text| Word::text(text, Default::default()));
        let (program, args) = words.split_first().unwrap();
        known(&program.shown(), args, input.as_ref()).map(|word| word.shown())
    }

    #[test]
    fn commands_print_what_their_arguments_say() {
        assert_eq!(output(&["echo", "a", "b"], None).as_deref(), Some("a b\n"));
        assert_eq!(
            output(&["echo", "-ne", r"a\x41\c", "b"], None).as_deref(),
            Some("aA")
        );
        assert_eq!(
            output(&["printf", r"%s-%s\n", "a", "b", "c"], None).as_deref(),
            Some("a-b\nc-\n")
        );
        assert_eq!(
            output(&["printf", r"\x6c\163"], None).as_deref(),
            Some("ls")
        );
        assert_eq!(
            output(&["printf", "%%%d", "5"], None).as_deref(),
            Some("%5")
        );
        assert_eq!(output(&["which", "ls"], None).as_deref(), Some("ls\n"));
        assert_eq!(
            output(&["mktemp", "-d"], None).as_deref(),
            Some("/tmp/tmp.XXXXXXXXXX\n")
        );
        assert_eq!(output(&["date"], None), None);
        assert_eq!(
            output(&["python3", "-c", "print('ls')"], None).as_deref(),
            Some("ls\n")
        );
        assert_eq!(
            output(&["awk", "BEGIN{print \"ls\"}"], None).as_deref(),
            Some("ls\n")
        );
    }

    #[test]
    fn filters_change_a_known_input() {
        assert_eq!(
            output(&["base64", "-d"], Some("bHM=\n")).as_deref(),
            Some("ls")
        );
        assert_eq!(
            output(&["openssl", "base64", "-d"], Some("bHM=")).as_deref(),
            Some("ls")
        );
        assert_eq!(output(&["rev"], Some("sl\n")).as_deref(), Some("ls\n"));
        assert_eq!(
            output(&["tr", "a-c", "x-z"], Some("abc")).as_deref(),
            Some("xyz")
        );
        assert_eq!(
            output(&["tr", "-d", "x"], Some("xlxs")).as_deref(),
            Some("ls")
        );
        assert_eq!(
            output(&["sed", "s/X/ls/"], Some("X X\n")).as_deref(),
            Some("ls X\n")
        );
        assert_eq!(
            output(&["xxd", "-r", "-p"], Some("6c73")).as_deref(),
            Some("ls")
        );
        assert_eq!(output(&["cat"], Some("ls")).as_deref(), Some("ls"));
        assert_eq!(output(&["cat", "file"], Some("ls")), None);
    }
}
