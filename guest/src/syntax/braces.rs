//! Brace expansion: `{a,b}` and `{1..3}`, on raw words, bounded.

use super::quoting;

/// Most words that one word may become.
const MAX_WORDS: usize = 256;
/// How deep braces may nest, and how many may stand behind each other.
const MAX_DEPTH: u32 = 8;
/// How many opening braces of one word are tried.
const MAX_TRIES: u32 = 32;

/// Longest raw word that should be searched for braces, in bytes.
pub(super) const MAX_BYTES: usize = 4096;

/// Whether a raw word may hold a brace expansion at all.
pub(super) fn possible(raw: &str) -> bool {
    raw.contains('{') && (raw.contains(',') || raw.contains(".."))
}

/// The raw words that bash makes of one; a long sequence is represented by its ends. `None` where
/// there are too many.
pub(super) fn expand(raw: &str) -> Option<Vec<String>> {
    part(raw, 0)
}

fn part(raw: &str, depth: u32) -> Option<Vec<String>> {
    let Some(found) = find(raw)? else {
        return Some(vec![raw.to_owned()]);
    };
    if depth >= MAX_DEPTH {
        return None;
    }
    let head = raw.get(..found.open).unwrap_or_default();
    let tails = part(raw.get(found.close + 1..).unwrap_or_default(), depth + 1)?;
    let mut middles = Vec::new();
    for item in found.items {
        match found.kind {
            Kind::List => middles.extend(part(&item, depth + 1)?),
            Kind::Sequence => middles.push(item),
        }
    }
    if middles.len() * tails.len() > MAX_WORDS {
        return None;
    }
    let behind = |middle: &String| {
        tails
            .iter()
            .map(|tail| format!("{head}{middle}{tail}"))
            .collect::<Vec<_>>()
    };
    Some(middles.iter().flat_map(behind).collect())
}

enum Kind {
    List,
    Sequence,
}

struct Found {
    open: usize,
    close: usize,
    kind: Kind,
    items: Vec<String>,
}

/// The first brace pair that expands, if there is one; `None` where too many braces had to be
/// tried.
fn find(raw: &str) -> Option<Option<Found>> {
    let bytes = raw.as_bytes();
    let mut at = 0;
    let mut tries = 0;
    while let Some(&byte) = bytes.get(at) {
        tries += u32::from(byte == b'{');
        if tries > MAX_TRIES {
            return None;
        }
        if byte == b'{'
            && let Some((close, commas)) = matching(bytes, at)
        {
            let body = raw.get(at + 1..close).unwrap_or_default();
            if !commas.is_empty() {
                let starts = std::iter::once(at + 1).chain(commas.iter().map(|comma| comma + 1));
                let ends = commas.iter().copied().chain(std::iter::once(close));
                let items = starts
                    .zip(ends)
                    .filter_map(|(start, end)| raw.get(start..end));
                let items = items.map(str::to_owned).collect();
                return Some(Some(Found {
                    open: at,
                    close,
                    kind: Kind::List,
                    items,
                }));
            }
            if let Some(items) = sequence(body) {
                return Some(Some(Found {
                    open: at,
                    close,
                    kind: Kind::Sequence,
                    items,
                }));
            }
        }
        at = skip(bytes, at);
    }
    Some(None)
}

/// The closing brace of an opening one, and the commas between them that separate items.
fn matching(bytes: &[u8], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut at = open + 1;
    let mut nesting = 0_u32;
    let mut commas = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' => nesting += 1,
            b'}' if nesting == 0 => return Some((at, commas)),
            b'}' => nesting -= 1,
            b',' if nesting == 0 => commas.push(at),
            _ => {}
        }
        at = skip(bytes, at);
    }
    None
}

/// One past the character, quotation or expansion at this index.
fn skip(bytes: &[u8], at: usize) -> usize {
    let end = match bytes.get(at) {
        Some(b'\\') => Ok(at + 2),
        Some(b'\'') => quoting::single(bytes, at),
        Some(b'"') => quoting::double(bytes, at, 0),
        Some(b'`') => quoting::backquoted(bytes, at),
        Some(b'$') => quoting::dollar(bytes, at, false, 0),
        _ => Ok(at + 1),
    };
    end.unwrap_or(bytes.len())
}

/// `1..5`, `a..e`, `01..10..2`.
fn sequence(body: &str) -> Option<Vec<String>> {
    let mut fields = body.split("..");
    let (first, last, step) = (fields.next()?, fields.next()?, fields.next());
    if fields.next().is_some() {
        return None;
    }
    let step = match step {
        Some(step) => step.parse::<i64>().ok()?.checked_abs()?.max(1),
        None => 1,
    };
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = |text: &str| {
            text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0')
        };
        let width = if padded(first) || padded(last) {
            first.len().max(last.len())
        } else {
            0
        };
        return Some(
            numbers(from, to, step)
                .map(|number| format!("{number:0width$}"))
                .collect(),
        );
    }
    let letter = |text: &str| match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
        _ => None,
    };
    let numbers = numbers(letter(first)?, letter(last)?, step);
    Some(
        numbers
            .filter_map(|code| u8::try_from(code).ok())
            .map(|byte| char::from(byte).to_string())
            .collect(),
    )
}

/// The numbers of a sequence; where there are too many, its first and last.
fn numbers(from: i64, to: i64, step: i64) -> impl Iterator<Item = i64> {
    let distance = i128::from(to) - i128::from(from);
    let count = usize::try_from(distance.unsigned_abs() / u128::from(step.unsigned_abs()))
        .unwrap_or(usize::MAX);
    let signed = if distance < 0 {
        step.saturating_neg()
    } else {
        step
    };
    let all = (count < MAX_WORDS)
        .then_some(0..=count)
        .into_iter()
        .flatten();
    let ends = (count >= MAX_WORDS)
        .then_some([from, to])
        .into_iter()
        .flatten();
    let each = move |index: usize| {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        from.saturating_add(signed.saturating_mul(index))
    };
    all.map(each).chain(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(raw: &str) -> String {
        expand(raw).unwrap().join(" ")
    }

    #[test]
    fn braces_expand_as_in_bash() {
        for (raw, expected) in [
            ("a{b,c}d", "abd acd"),
            ("{r,}m", "rm m"),
            ("-{r,f}", "-r -f"),
            ("a{b,c}{d,e}", "abd abe acd ace"),
            ("{a,{b,c}}", "a b c"),
            ("{a{b,c}}", "{ab} {ac}"),
            ("{a,{b,c}", "{a,b {a,c"),
            ("x{1..3}", "x1 x2 x3"),
            ("{3..1}", "3 2 1"),
            ("{01..10..4}", "01 05 09"),
            ("{a..c}", "a b c"),
            ("{c..c}", "c"),
            ("{1..1000}", "1 1000"),
            ("{}", "{}"),
            ("HEAD@{1}", "HEAD@{1}"),
            ("{1..x}", "{1..x}"),
            (r"a\{b,c}", r"a\{b,c}"),
            ("'{a,b}'", "'{a,b}'"),
            ("{'a,b',c}", "'a,b' c"),
            ("${x,,}", "${x,,}"),
            ("{a,b", "{a,b"),
        ] {
            assert_eq!(shown(raw), expected, "{raw}");
        }
    }

    #[test]
    fn growth_is_bounded() {
        assert_eq!(expand(&"{a,b}".repeat(60)), None);
        assert_eq!(expand(&"{".repeat(5000)), None);
        assert_eq!(
            expand("{-9223372036854775808..9223372036854775807..1}").map(|words| words.len()),
            Some(2)
        );
    }
}
