//! Shell patterns: `*`, `?` and `[…]` against known text.

/// One element of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Element {
    Character(char),
    Any,
    Run,
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// A pattern, ready to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern(Vec<Element>);

impl Pattern {
    /// Reads a pattern; a backslash takes the meaning from the character behind it.
    pub(super) fn parse(text: &str) -> Self {
        let characters = text.chars().collect::<Vec<_>>();
        let mut elements = Vec::new();
        let mut at = 0;
        while let Some(&character) = characters.get(at) {
            at += 1;
            elements.push(match character {
                '*' => Element::Run,
                '?' => Element::Any,
                '\\' => {
                    let escaped = characters.get(at).copied().unwrap_or('\\');
                    at += 1;
                    Element::Character(escaped)
                }
                '[' => match set(&characters, at) {
                    Some((element, end)) => {
                        at = end;
                        element
                    }
                    None => Element::Character('['),
                },
                other => Element::Character(other),
            });
        }
        Self(elements)
    }

    /// Whether the whole text matches.
    pub(super) fn matches(&self, text: &[char]) -> bool {
        let (mut at, mut element) = (0, 0);
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match self.0.get(element) {
                Some(Element::Run) => {
                    element += 1;
                    retry = Some((element, at));
                    continue;
                }
                Some(single) if text.get(at).is_some_and(|&next| single.accepts(next)) => {
                    element += 1;
                    at += 1;
                    continue;
                }
                None if at == text.len() => return true,
                _ => {}
            }
            // The last `*` takes one character more.
            match retry {
                Some((behind, from)) if from < text.len() => {
                    retry = Some((behind, from + 1));
                    (element, at) = (behind, from + 1);
                }
                _ => return false,
            }
        }
    }
}

impl Element {
    fn accepts(&self, character: char) -> bool {
        match self {
            Self::Character(own) => *own == character,
            Self::Any | Self::Run => true,
            Self::Set { negated, ranges } => {
                let inside = ranges
                    .iter()
                    .any(|(low, high)| (*low..=*high).contains(&character));
                inside != *negated
            }
        }
    }
}

/// Reads `[…]`; `start` is the index behind the bracket.
fn set(characters: &[char], start: usize) -> Option<(Element, usize)> {
    let mut at = start;
    let negated = matches!(characters.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let mut ranges = Vec::new();
    let first = at;
    loop {
        let low = *characters.get(at)?;
        if low == ']' && at > first {
            return Some((Element::Set { negated, ranges }, at + 1));
        }
        let high = match (characters.get(at + 1), characters.get(at + 2)) {
            (Some('-'), Some(&high)) if high != ']' => {
                at += 2;
                high
            }
            _ => low,
        };
        ranges.push((low, high));
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_the_shell() {
        for (pattern, text, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rst", false),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[", "[", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("*a*b*", "xxaxxbxx", true),
            ("", "", true),
        ] {
            let characters = text.chars().collect::<Vec<_>>();
            assert_eq!(
                Pattern::parse(pattern).matches(&characters),
                expected,
                "{pattern} {text}"
            );
        }
    }
}
