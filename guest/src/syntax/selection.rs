//! Filters that keep a part of a known text: `head`, `tail`, `grep`, `cut`, `sort`, `uniq`.

/// What a filter keeps, where its options are understood.
pub(super) fn select(program: &str, arguments: &[String], text: &str) -> Option<String> {
    let lines = text.lines().collect::<Vec<_>>();
    let kept = match program {
        "head" => lines.iter().take(count(arguments)?).copied().collect(),
        "tail" => tail(arguments, &lines)?,
        "grep" | "egrep" | "fgrep" => grep(arguments, &lines)?,
        "cut" => return cut(arguments, &lines),
        "sort" if arguments.is_empty() => {
            let mut lines = lines;
            lines.sort_unstable();
            lines
        }
        "uniq" if arguments.is_empty() => {
            let mut lines = lines;
            lines.dedup();
            lines
        }
        _ => return None,
    };
    Some(ended(&kept))
}

fn ended(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

/// `-n 3`, `-n3`, `-3`; ten lines without.
fn count(arguments: &[String]) -> Option<usize> {
    let number = match arguments {
        [] => return Some(10),
        [option, number] if matches!(option.as_str(), "-n" | "--lines") => number.as_str(),
        [option] => option
            .strip_prefix("-n")
            .or(option.strip_prefix("--lines="))
            .or(option.strip_prefix('-'))?,
        _ => return None,
    };
    number.parse().ok()
}

fn tail<'a>(arguments: &[String], lines: &[&'a str]) -> Option<Vec<&'a str>> {
    // `-n +2`: from the second line on.
    let from = match arguments {
        [option, number] if option == "-n" => number.strip_prefix('+'),
        [option] => option.strip_prefix("-n+"),
        _ => None,
    };
    let skipped = match from {
        Some(first) => first.parse::<usize>().ok()?.saturating_sub(1),
        None => lines.len().saturating_sub(count(arguments)?),
    };
    Some(lines.iter().skip(skipped).copied().collect())
}

/// `grep text` with a text that holds no special character but `^` and `$` at its ends.
fn grep<'a>(arguments: &[String], lines: &[&'a str]) -> Option<Vec<&'a str>> {
    let (mut inverted, mut folded, mut pattern) = (false, false, None);
    for argument in arguments {
        match argument.strip_prefix('-') {
            Some(letters) if pattern.is_none() && !letters.is_empty() => {
                for letter in letters.chars() {
                    match letter {
                        'v' => inverted = true,
                        'i' => folded = true,
                        'F' | 'E' | 'a' | 'e' => {}
                        _ => return None,
                    }
                }
            }
            _ if pattern.is_none() => pattern = Some(argument.as_str()),
            _ => return None,
        }
    }
    let pattern = pattern?;
    let (start, end) = (pattern.starts_with('^'), pattern.ends_with('$'));
    let plain = pattern.trim_start_matches('^').trim_end_matches('$');
    let special = ['\\', '[', ']', '*', '.', '+', '?', '(', '{', '|', '^', '$'];
    if plain.contains(special) {
        return None;
    }
    let plain = if folded {
        plain.to_lowercase()
    } else {
        plain.to_owned()
    };
    let fits = |line: &&&str| {
        let line = if folded {
            line.to_lowercase()
        } else {
            (**line).to_owned()
        };
        let found = match (start, end) {
            (true, true) => line == plain,
            (true, false) => line.starts_with(&plain),
            (false, true) => line.ends_with(&plain),
            (false, false) => line.contains(&plain),
        };
        found != inverted
    };
    Some(lines.iter().filter(fits).copied().collect())
}

/// `cut -d x -f 2-`, `cut -c 3-`.
fn cut(arguments: &[String], lines: &[&str]) -> Option<String> {
    let (mut delimiter, mut fields, mut characters) = ("\t", None, None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = |words: &mut std::slice::Iter<'_, String>| {
            let attached = word.get(2..).filter(|value| !value.is_empty());
            attached
                .map(str::to_owned)
                .or_else(|| words.next().cloned())
        };
        match word.get(..2)? {
            "-d" => {
                let attached = word.get(2..).filter(|value| !value.is_empty());
                delimiter = match attached {
                    Some(value) => value,
                    None => words.next()?,
                };
            }
            "-f" => fields = Some(value(&mut words)?),
            "-c" | "-b" => characters = Some(value(&mut words)?),
            _ => return None,
        }
    }
    let mut out = String::new();
    for line in lines {
        match (&fields, &characters) {
            (Some(list), None) => {
                let parts = line.split(delimiter).collect::<Vec<_>>();
                let kept = kept(list, parts.len())?;
                let parts = kept.iter().filter_map(|index| parts.get(*index).copied());
                out.push_str(&parts.collect::<Vec<_>>().join(delimiter));
            }
            (None, Some(list)) => {
                let letters = line.chars().collect::<Vec<_>>();
                out.extend(
                    kept(list, letters.len())?
                        .iter()
                        .filter_map(|index| letters.get(*index)),
                );
            }
            _ => return None,
        }
        out.push('\n');
    }
    Some(out)
}

/// The indices of a list such as `1,3-5,7-`.
fn kept(list: &str, length: usize) -> Option<Vec<usize>> {
    let mut indices = Vec::new();
    for part in list.split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (
                if first.is_empty() {
                    1
                } else {
                    first.parse().ok()?
                },
                if last.is_empty() {
                    length
                } else {
                    last.parse().ok()?
                },
            ),
            None => {
                let only = part.parse::<usize>().ok()?;
                (only, only)
            }
        };
        indices.extend(first.checked_sub(1)?..last.min(length));
    }
    Some(indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(line: &str, text: &str) -> Option<String> {
        let mut words = line.split(' ').map(str::to_owned);
        let program = words.next().unwrap();
        select(&program, &words.collect::<Vec<_>>(), text)
    }

    #[test]
    fn a_part_of_the_text_is_kept() {
        let text = "a;x\nb;y\nc;z\n";
        assert_eq!(kept("head -n 1", text).as_deref(), Some("a;x\n"));
        assert_eq!(kept("tail -1", text).as_deref(), Some("c;z\n"));
        assert_eq!(kept("tail -n +3", text).as_deref(), Some("c;z\n"));
        assert_eq!(kept("grep b", text).as_deref(), Some("b;y\n"));
        assert_eq!(kept("grep -v ^b", text).as_deref(), Some("a;x\nc;z\n"));
        assert_eq!(kept("cut -d; -f2", text).as_deref(), Some("x\ny\nz\n"));
        assert_eq!(kept("cut -c 3-", text).as_deref(), Some("x\ny\nz\n"));
        assert_eq!(kept("sort", "b\na\n").as_deref(), Some("a\nb\n"));
        assert_eq!(kept("uniq", "a\na\n").as_deref(), Some("a\n"));
    }

    #[test]
    fn what_is_not_understood_is_not_known() {
        for line in ["grep a.c", "grep -o a", "head -c 3", "sort -r", "cut x"] {
            assert_eq!(kept(line, "abc\n"), None, "{line}");
        }
    }
}
