//! The words of one plain command, for the decision whether a shell is needed at all.

use brush_parser::Token;

use super::expand::assigned_name;
use super::lex::{self, Part};
use super::parse::MAX_TOKENS;
use super::{braces, quoting, tokens};

/// What a raw word becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// This text, whatever the machine.
    Text(String),
    /// Something that only a shell can tell.
    Expands,
}

/// Longest text that is cut into words, in bytes: room for an argument of the largest size that Linux takes (128 KiB) and
/// others beside it.
const MAX_SIMPLE_BYTES: usize = 256 * 1024;

/// The raw words of a text that holds nothing but one simple command without operators; comments
/// and line ends around it are dropped. `None` for anything else.
pub fn simple(text: &str) -> Option<Vec<String>> {
    if text.len() > MAX_SIMPLE_BYTES || text.contains('\0') {
        return None;
    }
    // What bash makes of a backslash at the very end depends on what stands before it.
    if text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
        return None;
    }
    let tokens = tokens::tokenize(text, false, MAX_TOKENS).ok()?;
    let is_newline = |token: &&Token| token.to_str() == "\n";
    let words = tokens.iter().skip_while(is_newline).collect::<Vec<_>>();
    let ends = words
        .iter()
        .rposition(|token| token.to_str() != "\n")
        .map_or(0, |last| last + 1);
    let word = |token: &&Token| match token {
        Token::Word(word, _) => Some(word.clone()),
        Token::Operator(..) => None,
    };
    words.get(..ends)?.iter().map(word).collect()
}

/// Whether a raw word in front of a command is an assignment.
pub fn is_assignment(raw: &str) -> bool {
    // The tokenizer puts quotes in front of an array element with a difficult subscript.
    let raw = raw.strip_prefix("''").unwrap_or(raw);
    let element = || {
        let end = quoting::name_end(raw.as_bytes(), 0);
        let rest = raw.get(end..)?.strip_prefix('[')?;
        let (_, behind) = rest.rsplit_once(']')?;
        let named = end > 0 && !raw.starts_with(|first: char| first.is_ascii_digit());
        Some(named && (behind.starts_with('=') || behind.starts_with("+=")))
    };
    assigned_name(raw).is_some() || element().unwrap_or(false)
}

/// Quote removal of a word in which nothing expands.
pub fn literal(raw: &str) -> Literal {
    let braced =
        || raw.len() > braces::MAX_BYTES || braces::expand(raw).is_none_or(|words| words != [raw]);
    let expands = braces::possible(raw) && braced() || has_dollar_quote(raw) || has_tilde(raw);
    let parts = lex::word(raw);
    if expands || lex::has_pattern(&parts) {
        return Literal::Expands;
    }
    let mut text = String::with_capacity(raw.len());
    for part in &parts {
        match part {
            Part::Text { value, .. } => text.push_str(value),
            _ => return Literal::Expands,
        }
    }
    Literal::Text(text)
}

/// Whether a tilde stands where bash expands one: at the start, or in a word like `name=value`
/// behind `=` or `:`.
fn has_tilde(raw: &str) -> bool {
    if raw.starts_with('~') {
        return true;
    }
    assigned_name(raw).is_some() && (raw.contains("=~") || raw.contains(":~"))
}

/// Whether `$'…'` or `$"…"` stands in the word.
fn has_dollar_quote(raw: &str) -> bool {
    let bytes = raw.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'\\' => Ok(at + 2),
            b'\'' => quoting::single(bytes, at),
            b'"' => quoting::double(bytes, at, 0),
            b'$' if matches!(bytes.get(at + 1), Some(b'\'' | b'"')) => return true,
            _ => Ok(at + 1),
        };
        at = end.unwrap_or(bytes.len());
    }
    false
}
