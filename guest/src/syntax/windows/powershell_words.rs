//! Words of PowerShell: quotes, backticks, variables, sub-expressions, script blocks.

/// One past the region that the opening character at this index begins: a quotation, a bracket, a
/// comment.
/// The end of the text where nothing closes it.
pub(super) fn region_end(text: &str, start: usize, depth: u32) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let Some(open) = rest.chars().next() else {
        return text.len();
    };
    match open {
        '\'' | '‘' | '’' | '‚' => quotation_end(text, start, false, depth),
        '"' | '“' | '”' | '„' => quotation_end(text, start, true, depth),
        '@' if rest.starts_with("@'") || rest.starts_with("@\"") => {
            let close = if rest.starts_with("@'") {
                "\n'@"
            } else {
                "\n\"@"
            };
            rest.find(close)
                .map_or(text.len(), |at| start + at + close.len())
        }
        '(' | '{' | '[' => bracket_end(text, start, depth),
        '<' if rest.starts_with("<#") => rest.find("#>").map_or(text.len(), |at| start + at + 2),
        _ => start + open.len_utf8(),
    }
}

/// Whether a character opens or closes a verbatim string.
pub(super) fn is_single_quote(character: char) -> bool {
    matches!(character, '\'' | '‘' | '’' | '‚')
}

/// Whether a character opens or closes a string with variables.
pub(super) fn is_double_quote(character: char) -> bool {
    matches!(character, '"' | '“' | '”' | '„')
}

fn quotation_end(text: &str, start: usize, double: bool, depth: u32) -> usize {
    let is_quote = if double {
        is_double_quote
    } else {
        is_single_quote
    };
    let width = |at: usize| {
        text.get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8)
    };
    let mut at = start + width(start);
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let next = at + character.len_utf8();
        at = match character {
            '`' if double => next + width(next),
            // A sub-expression has quotes of its own.
            '$' if double && text.as_bytes().get(next) == Some(&b'(') => {
                bracket_end(text, next, depth + 1)
            }
            _ if is_quote(character) => {
                // A doubled quote stands for itself.
                let doubled = text
                    .get(next..)
                    .is_some_and(|rest| rest.starts_with(is_quote));
                if !doubled {
                    return next;
                }
                next + width(next)
            }
            _ => next,
        };
    }
    text.len()
}

/// How deep brackets may nest before the rest of the text counts as one region.
const MAX_DEPTH: u32 = 24;

fn bracket_end(text: &str, start: usize, depth: u32) -> usize {
    if depth > MAX_DEPTH {
        return text.len();
    }
    let close = match text.as_bytes().get(start) {
        Some(b'(') => ')',
        Some(b'{') => '}',
        _ => ']',
    };
    let mut at = start + 1;
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let next = at + character.len_utf8();
        at = match character {
            _ if character == close => return next,
            '`' => {
                next + text
                    .get(next..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(0, char::len_utf8)
            }
            '#' if starts_word(text, at) => {
                let rest = text.get(at..).unwrap_or_default();
                at + rest.find('\n').unwrap_or(rest.len())
            }
            '(' | '{' | '[' | '<' | '@' => region_end(text, at, depth + 1),
            _ if is_single_quote(character) || is_double_quote(character) => {
                region_end(text, at, depth + 1)
            }
            _ => next,
        };
    }
    text.len()
}

/// Whether a comment may begin at this index.
pub(super) fn starts_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    before.is_none_or(|before| {
        before.is_whitespace() || matches!(before, ';' | '|' | '{' | '(' | '}' | ')')
    })
}

/// One past the name of a variable behind `$`: `name`, `env:NAME`, `script:x`, `{any text}`, or a
/// special character.
pub(super) fn variable_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    if rest.starts_with('{') {
        return start + rest.find('}').map_or(rest.len(), |at| at + 1);
    }
    if rest.starts_with(['$', '?', '^']) {
        return start + 1;
    }
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let first = rest
        .find(|character| !is_name(character))
        .unwrap_or(rest.len());
    let behind = rest.get(first..).unwrap_or_default();
    let scoped = first > 0
        && behind
            .strip_prefix(':')
            .is_some_and(|name| name.starts_with(is_name));
    if !scoped {
        return start + first;
    }
    let name = behind.get(1..).unwrap_or_default();
    start
        + first
        + 1
        + name
            .find(|character| !is_name(character))
            .unwrap_or(name.len())
}
