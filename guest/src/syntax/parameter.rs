//! The inside of `${…}`: which parameter, and what is done to it.

use super::pattern::Pattern;
use super::quoting::name_end;

/// A parameter expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parameter<'t> {
    /// Its name: a variable, a number, or a special character.
    pub name: &'t str,
    /// What stands in `[…]` behind the name.
    pub index: Option<&'t str>,
    /// `${!name}`: the value is the name of the parameter that is meant.
    pub indirect: bool,
    /// What is done to the value.
    pub operation: Operation<'t>,
}

/// What is done to a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation<'t> {
    /// Nothing.
    None,
    /// `${#x}`
    Length,
    /// `${x-word}`, and `${x=word}`, which `assigns`; with `empty` also for an empty value (`:-`,
    /// `:=`).
    Default {
        word: &'t str,
        empty: bool,
        assigns: bool,
    },
    /// `${x?word}`
    Required,
    /// `${x+word}`
    Alternative { word: &'t str, empty: bool },
    /// `${x:offset:length}`
    Substring {
        offset: &'t str,
        length: Option<&'t str>,
    },
    /// `${x#pattern}`
    RemovePrefix { pattern: &'t str, longest: bool },
    /// `${x%pattern}`
    RemoveSuffix { pattern: &'t str, longest: bool },
    /// `${x/pattern/text}`
    Replace {
        pattern: &'t str,
        text: &'t str,
        at: Anchor,
    },
    /// `${x^}`, `${x,}`; with `all` doubled.
    Case { upper: bool, all: bool },
    /// `${x@Q}` and its like, which leave the meaning as it is.
    Keep,
    /// Anything else.
    Other,
}

/// Where a replacement applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    First,
    Everywhere,
    Start,
    End,
}

/// Reads the inside of `${…}`, or a bare name.
pub(super) fn parse(body: &str) -> Option<Parameter<'_>> {
    let (mut rest, mut operation) = (body, Operation::None);
    let mut indirect = false;
    if let Some(measured) = rest.strip_prefix('#')
        && !measured.is_empty()
        && !measured.starts_with(['-', '=', '?', '+', ':', '%', '/', '}'])
    {
        (rest, operation) = (measured, Operation::Length);
    } else if let Some(reference) = rest.strip_prefix('!')
        && reference.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_')
    {
        (rest, indirect) = (reference, true);
    }
    let name_length = match rest.bytes().next()? {
        byte if byte == b'_' || byte.is_ascii_alphabetic() => name_end(rest.as_bytes(), 0),
        byte if byte.is_ascii_digit() => rest.bytes().take_while(u8::is_ascii_digit).count(),
        b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => 1,
        _ => return None,
    };
    let (name, mut rest) = rest.split_at_checked(name_length)?;
    let mut index = None;
    if let Some(subscript) = rest.strip_prefix('[') {
        let (inside, behind) = subscript.split_once(']')?;
        (index, rest) = (Some(inside), behind);
    }
    if operation == Operation::None {
        operation = self::operation(rest);
    }
    Some(Parameter {
        name,
        index,
        indirect,
        operation,
    })
}

fn operation(text: &str) -> Operation<'_> {
    let (empty, behind) = match text.strip_prefix(':') {
        Some(behind) => (true, behind),
        None => (false, text),
    };
    let mut characters = behind.chars();
    let first = characters.next();
    let word = characters.as_str();
    match first {
        None => {
            return if empty {
                Operation::Other
            } else {
                Operation::None
            };
        }
        Some(mark @ ('-' | '=')) => {
            return Operation::Default {
                word,
                empty,
                assigns: mark == '=',
            };
        }
        Some('?') => return Operation::Required,
        Some('+') => return Operation::Alternative { word, empty },
        Some(_) if empty => {
            let (offset, length) = match behind.split_once(':') {
                Some((offset, length)) => (offset, Some(length)),
                None => (behind, None),
            };
            return Operation::Substring { offset, length };
        }
        Some(_) => {}
    }
    let doubled = |mark: char| {
        word.strip_prefix(mark)
            .map_or((word, false), |rest| (rest, true))
    };
    match first {
        Some('#') => {
            let (pattern, longest) = doubled('#');
            Operation::RemovePrefix { pattern, longest }
        }
        Some('%') => {
            let (pattern, longest) = doubled('%');
            Operation::RemoveSuffix { pattern, longest }
        }
        Some('/') => {
            let (rest, at) = match word.chars().next() {
                Some('/') => (word.get(1..), Anchor::Everywhere),
                Some('#') => (word.get(1..), Anchor::Start),
                Some('%') => (word.get(1..), Anchor::End),
                _ => (Some(word), Anchor::First),
            };
            let rest = rest.unwrap_or_default();
            let (pattern, text) = split_replacement(rest);
            Operation::Replace { pattern, text, at }
        }
        Some(mark @ ('^' | ',')) => {
            let (pattern, all) = doubled(mark);
            if pattern.is_empty() {
                Operation::Case {
                    upper: mark == '^',
                    all,
                }
            } else {
                Operation::Other
            }
        }
        Some('@') => match word {
            "U" => Operation::Case {
                upper: true,
                all: true,
            },
            "u" => Operation::Case {
                upper: true,
                all: false,
            },
            "L" => Operation::Case {
                upper: false,
                all: true,
            },
            "Q" | "E" | "P" => Operation::Keep,
            _ => Operation::Other,
        },
        _ => Operation::Other,
    }
}

/// Splits at the first slash that is not escaped.
fn split_replacement(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'/' => {
                return (
                    text.get(..at).unwrap_or_default(),
                    text.get(at + 1..).unwrap_or_default(),
                );
            }
            _ => at += 1,
        }
    }
    (text, "")
}

/// Most steps that pattern operations take before a value counts as unknown.
const MAX_STEPS: usize = 64 * 1024;

/// Removes what a pattern matches at one end.
pub(super) fn remove(value: &str, pattern: &str, prefix: bool, longest: bool) -> Option<String> {
    let pattern = Pattern::parse(pattern);
    let characters = value.chars().collect::<Vec<_>>();
    let length = characters.len();
    if length.saturating_mul(length) > MAX_STEPS {
        return None;
    }
    let fits = |cut: &usize| {
        let (head, tail) = characters.split_at(*cut);
        pattern.matches(if prefix { head } else { tail })
    };
    // The shortest prefix has the smallest cut; the shortest suffix has the largest.
    let cut = if prefix == longest {
        (0..=length).rev().find(fits)
    } else {
        (0..=length).find(fits)
    };
    let Some(cut) = cut else {
        return Some(value.to_owned());
    };
    let (head, tail) = characters.split_at(cut);
    Some(if prefix { tail } else { head }.iter().collect())
}

/// Replaces what a pattern matches.
pub(super) fn replace(value: &str, pattern: &str, text: &str, anchor: Anchor) -> Option<String> {
    let characters = value.chars().collect::<Vec<_>>();
    let length = characters.len();
    if pattern.is_empty() {
        return Some(value.to_owned());
    }
    if length.saturating_mul(length) > MAX_STEPS || length.saturating_mul(text.len()) > MAX_STEPS {
        return None;
    }
    let pattern = Pattern::parse(pattern);
    let longest = |from: usize| {
        let rest = characters.get(from..).unwrap_or_default();
        let fits = |end: &usize| pattern.matches(rest.get(..*end).unwrap_or_default());
        match anchor {
            Anchor::End => fits(&rest.len()).then_some(rest.len()),
            _ => (1..=rest.len()).rev().find(fits),
        }
    };
    let mut out = String::new();
    let mut at = 0;
    let mut done = false;
    while at < length {
        let allowed = !done && (anchor != Anchor::Start || at == 0);
        match allowed.then(|| longest(at)).flatten() {
            Some(matched) => {
                out.push_str(text);
                at += matched;
                done = anchor != Anchor::Everywhere;
            }
            None => {
                out.extend(characters.get(at));
                at += 1;
            }
        }
    }
    Some(out)
}

/// `${x:offset:length}` with literal numbers.
pub(super) fn substring(value: &str, offset: &str, length: Option<&str>) -> Option<String> {
    let characters = value.chars().collect::<Vec<_>>();
    let count = i64::try_from(characters.len()).ok()?;
    let number = |text: &str| {
        text.trim()
            .trim_start_matches('(')
            .trim_end_matches(')')
            .trim()
            .parse::<i64>()
            .ok()
    };
    let from_end = |number: i64| {
        if number < 0 {
            count.saturating_add(number)
        } else {
            number
        }
    };
    let start = from_end(number(offset)?);
    let end = match length {
        None => count,
        Some(text) => match number(text)? {
            negative if negative < 0 => count.saturating_add(negative),
            positive => start.saturating_add(positive),
        },
    };
    if !(0..=count).contains(&start) || end < start {
        return Some(String::new());
    }
    let range = usize::try_from(start).ok()?..usize::try_from(end.min(count)).ok()?;
    Some(characters.get(range)?.iter().collect())
}

/// Changes the case of a value, or of its first character.
pub(super) fn change_case(value: &str, upper: bool, all: bool) -> String {
    let change = |character: char| -> String {
        if upper {
            character.to_uppercase().collect()
        } else {
            character.to_lowercase().collect()
        }
    };
    let mut characters = value.chars();
    let first = characters.next().map(change).unwrap_or_default();
    let rest = characters.as_str();
    first
        + &if all {
            rest.chars().map(change).collect()
        } else {
            rest.to_owned()
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inside_of_braces_is_read() {
        let operation = |body| parse(body).map(|parameter| parameter.operation);
        assert_eq!(operation("x"), Some(Operation::None));
        assert_eq!(
            operation("x:-y"),
            Some(Operation::Default {
                word: "y",
                empty: true,
                assigns: false
            })
        );
        assert_eq!(
            operation("x=y"),
            Some(Operation::Default {
                word: "y",
                empty: false,
                assigns: true
            })
        );
        assert_eq!(operation("x:?"), Some(Operation::Required));
        assert_eq!(operation("#x"), Some(Operation::Length));
        assert_eq!(operation("#"), Some(Operation::None));
        assert_eq!(
            operation("x,,"),
            Some(Operation::Case {
                upper: false,
                all: true
            })
        );
        assert_eq!(
            parse("a[@]").and_then(|parameter| parameter.index),
            Some("@")
        );
        assert!(parse("!x").is_some_and(|parameter| parameter.indirect));
        assert_eq!(parse("!").map(|parameter| parameter.name), Some("!"));
    }

    #[test]
    fn values_change_as_in_bash() {
        assert_eq!(remove("a.b.c", "*.", true, false).as_deref(), Some("b.c"));
        assert_eq!(remove("a.b.c", "*.", true, true).as_deref(), Some("c"));
        assert_eq!(remove("a.b.c", ".*", false, false).as_deref(), Some("a.b"));
        assert_eq!(remove("a.b.c", ".*", false, true).as_deref(), Some("a"));
        assert_eq!(
            replace("aXbX", "X", "y", Anchor::First).as_deref(),
            Some("aybX")
        );
        assert_eq!(
            replace("aXbX", "X", "y", Anchor::Everywhere).as_deref(),
            Some("ayby")
        );
        assert_eq!(
            replace("aXbX", "X", "", Anchor::End).as_deref(),
            Some("aXb")
        );
        assert_eq!(substring("xrmx", "1", Some("2")).as_deref(), Some("rm"));
        assert_eq!(substring("abc", " -2", None).as_deref(), Some("bc"));
        assert_eq!(substring("abc", "9", None).as_deref(), Some(""));
        assert_eq!(change_case("RM", false, true), "rm");
        assert_eq!(change_case("rm", true, false), "Rm");
    }
}
