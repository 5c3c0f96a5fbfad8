//! Where quoted and nested regions of shell text end, as bash reads them.

use super::delimiter::Delimiter;

/// How deep regions may nest before a text counts as unreadable.
pub(super) const MAX_DEPTH: u32 = 16;

/// Why the end of a region was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The text ends inside it.
    Unterminated,
    /// Regions nest deeper than [`MAX_DEPTH`].
    TooDeep,
}

type End = Result<usize, Broken>;

/// One past the closing quote of `'…'`; `open` is the index of the opening one.
pub(super) fn single(text: &[u8], open: usize) -> End {
    let body = text.get(open + 1..).unwrap_or_default();
    match body.iter().position(|&byte| byte == b'\'') {
        Some(at) => Ok(open + at + 2),
        None => Err(Broken::Unterminated),
    }
}

/// One past the closing quote of `$'…'`; `open` is the index of the quote.
pub(super) fn ansi_c(text: &[u8], open: usize) -> End {
    let mut at = open + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\'' => return Ok(at + 1),
            _ => at += 1,
        }
    }
    Err(Broken::Unterminated)
}

/// One past the closing quote of `"…"`; `open` is the index of the opening one.
pub(super) fn double(text: &[u8], open: usize, depth: u32) -> End {
    let mut at = open + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return Ok(at + 1),
            b'$' => at = dollar(text, at, true, depth)?,
            b'`' => at = backquoted(text, at)?,
            _ => at += 1,
        }
    }
    Err(Broken::Unterminated)
}

/// One past the closing backquote; `open` is the index of the opening one.
pub(super) fn backquoted(text: &[u8], open: usize) -> End {
    let mut at = open + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'`' => return Ok(at + 1),
            _ => at += 1,
        }
    }
    Err(Broken::Unterminated)
}

/// One past whatever the `$` at this index begins; one past the `$` itself where it begins nothing.
pub(super) fn dollar(text: &[u8], at: usize, in_double: bool, depth: u32) -> End {
    match text.get(at + 1) {
        Some(b'(') => command(text, at + 2, depth + 1).map(|found| found.end),
        Some(b'{') => braced(text, at + 2, in_double, depth + 1),
        Some(b'[') => old_arithmetic(text, at + 2, depth + 1),
        Some(b'\'') if !in_double => ansi_c(text, at + 1),
        Some(b'"') if !in_double => double(text, at + 1, depth),
        Some(byte) if is_name_start(*byte) => Ok(name_end(text, at + 1)),
        Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => Ok(at + 2),
        _ => Ok(at + 1),
    }
}

/// Whether a name may begin with this byte.
pub(super) fn is_name_start(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic()
}

/// One past the name that begins at this index.
pub(super) fn name_end(text: &[u8], start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    start
        + rest
            .iter()
            .take_while(|&&byte| byte == b'_' || byte.is_ascii_alphanumeric())
            .count()
}

/// One past the `}` of `${…}`; `at` is the first index of its body.
fn braced(text: &[u8], mut at: usize, in_double: bool, depth: u32) -> End {
    if depth > MAX_DEPTH {
        return Err(Broken::TooDeep);
    }
    // In double quotes an apostrophe is ordinary, except in the pattern operators.
    let name = name_end(text, at + usize::from(text.get(at) == Some(&b'!')));
    let apostrophe_quotes =
        !in_double || matches!(text.get(name), Some(b'#' | b'%' | b'/' | b'^' | b','));
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'}' => return Ok(at + 1),
            b'\'' if apostrophe_quotes => at = single(text, at)?,
            b'"' => at = double(text, at, depth)?,
            b'$' => at = dollar(text, at, in_double, depth)?,
            b'`' => at = backquoted(text, at)?,
            _ => at += 1,
        }
    }
    Err(Broken::Unterminated)
}

/// One past the `]` of `$[…]`; `at` is the first index of its body.
fn old_arithmetic(text: &[u8], mut at: usize, depth: u32) -> End {
    if depth > MAX_DEPTH {
        return Err(Broken::TooDeep);
    }
    let mut open = 1_u32;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'[' => (open, at) = (open + 1, at + 1),
            b']' if open == 1 => return Ok(at + 1),
            b']' => (open, at) = (open - 1, at + 1),
            b'$' => at = dollar(text, at, false, depth)?,
            b'`' => at = backquoted(text, at)?,
            _ => at += 1,
        }
    }
    Err(Broken::Unterminated)
}

/// The end of `$(…)` or of `((…))`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parenthesised {
    /// One past the last closing parenthesis.
    pub end: usize,
    /// Whether it is arithmetic: both opening parentheses touch and so do both closing ones.
    pub arithmetic: bool,
}

/// The end of a region behind `$(` or behind the first parenthesis of `((`; `start` is the first
/// index of its body.
pub(super) fn command(text: &[u8], start: usize, depth: u32) -> Result<Parenthesised, Broken> {
    if depth > MAX_DEPTH {
        return Err(Broken::TooDeep);
    }
    let double_open = text.get(start) == Some(&b'(');
    let mut scan = CommandScan {
        text,
        at: start,
        frames: Vec::new(),
        // Inside `((` there are neither comments nor here-documents.
        arithmetic: double_open,
        command_position: true,
        word_start: true,
        documents: Vec::new(),
    };
    let mut inner_close = None;
    loop {
        let Some(&byte) = text.get(scan.at) else {
            return Err(Broken::Unterminated);
        };
        match byte {
            b')' if scan.frames.is_empty() => {
                let arithmetic = double_open && inner_close == Some(scan.at);
                return Ok(Parenthesised {
                    end: scan.at + 1,
                    arithmetic,
                });
            }
            _ => scan.step(byte, depth)?,
        }
        if double_open && inner_close.is_none() && scan.frames.is_empty() {
            inner_close = Some(scan.at);
            scan.arithmetic = false;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Parenthesis,
    Case,
}

/// Reads the inside of a command substitution: what opens, what closes, and what only looks like
/// it.
struct CommandScan<'t> {
    text: &'t [u8],
    at: usize,
    frames: Vec<Frame>,
    arithmetic: bool,
    command_position: bool,
    word_start: bool,
    documents: Vec<Delimiter>,
}

impl CommandScan<'_> {
    fn step(&mut self, byte: u8, depth: u32) -> Result<(), Broken> {
        let text = self.text;
        let at = self.at;
        match byte {
            b'\n' => {
                self.operator(1);
                for delimiter in std::mem::take(&mut self.documents) {
                    self.at = delimiter.body(text, self.at).next;
                }
            }
            b' ' | b'\t' => {
                self.at += 1;
                self.word_start = true;
            }
            b'(' => {
                self.frames.push(Frame::Parenthesis);
                self.operator(1);
            }
            b')' => {
                if self.frames.last() == Some(&Frame::Parenthesis) {
                    self.frames.pop();
                }
                self.operator(1);
            }
            b';' | b'&' | b'|' => self.operator(1),
            b'<' if !self.arithmetic && text.get(at..at + 2) == Some(b"<<") => {
                if text.get(at + 2) == Some(&b'<') {
                    self.at += 3;
                } else {
                    let delimiter = Delimiter::read(text, at + 2)?;
                    self.at = delimiter.end;
                    self.documents.push(delimiter);
                }
                self.word_start = false;
            }
            b'<' | b'>' => {
                self.at += 1;
                self.word_start = true;
            }
            b'#' if self.word_start && !self.arithmetic => {
                let rest = text.get(at..).unwrap_or_default();
                self.at += rest
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .unwrap_or(rest.len());
            }
            _ => self.word(byte, depth)?,
        }
        Ok(())
    }

    fn operator(&mut self, length: usize) {
        self.at += length;
        self.command_position = true;
        self.word_start = true;
    }

    fn word(&mut self, byte: u8, depth: u32) -> Result<(), Broken> {
        let text = self.text;
        let started = self.word_start;
        self.word_start = false;
        if started && (is_name_start(byte) || byte == b'{' || byte == b'!') {
            let end = name_end(text, self.at).max(self.at + 1);
            let whole = text
                .get(end)
                .is_none_or(|next| matches!(next, b' ' | b'\t' | b'\n' | b';' | b')' | b'('));
            let word = text.get(self.at..end).unwrap_or_default();
            self.at = end;
            if whole {
                self.keyword(word);
            } else {
                self.command_position = false;
            }
            return Ok(());
        }
        self.command_position = false;
        self.at = match byte {
            b'\\' => self.at + 2,
            b'\'' => single(text, self.at)?,
            b'"' => double(text, self.at, depth)?,
            b'`' => backquoted(text, self.at)?,
            b'$' => dollar(text, self.at, false, depth)?,
            _ => self.at + 1,
        };
        Ok(())
    }

    fn keyword(&mut self, word: &[u8]) {
        let in_case = self.frames.last() == Some(&Frame::Case);
        match word {
            b"case" if self.command_position && !self.arithmetic => {
                self.frames.push(Frame::Case);
                self.command_position = false;
            }
            b"esac" if in_case && self.command_position => {
                self.frames.pop();
                self.command_position = false;
            }
            b"in" if in_case => self.command_position = true,
            b"if" | b"then" | b"else" | b"elif" | b"do" | b"while" | b"until" | b"{" | b"!"
            | b"time" => {}
            _ => self.command_position = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn substitution(text: &str) -> Option<(&str, bool)> {
        let found = command(text.as_bytes(), 2, 0).ok()?;
        Some((&text[..found.end], found.arithmetic))
    }

    #[test]
    fn a_substitution_ends_at_its_own_parenthesis() {
        for text in [
            "$(a)",
            "$(a (b) c)",
            "$(echo ')' \")\" \\))",
            "$(echo $(echo `)`))",
            "$(case x in a) b;; (c) d;; esac)",
            "$(echo case)",
            "$(ls # )\n)",
            "$(cat <<E\n)\nE\n)",
        ] {
            assert_eq!(
                substitution(&format!("{text} tail")),
                Some((text, false)),
                "{text}"
            );
        }
    }

    #[test]
    fn arithmetic_needs_both_parentheses_to_touch() {
        assert_eq!(substitution("$((1+(2)))x"), Some(("$((1+(2)))", true)));
        assert_eq!(substitution("$((1<<2))x"), Some(("$((1<<2))", true)));
        assert_eq!(substitution("$((a) )x"), Some(("$((a) )", false)));
        assert_eq!(substitution("$((a);(b))x"), Some(("$((a);(b))", false)));
    }

    #[test]
    fn an_open_region_is_an_error_and_not_a_panic() {
        assert_eq!(double(b"\"a\\", 0, 0), Err(Broken::Unterminated));
        assert_eq!(dollar(b"${", 0, false, 0), Err(Broken::Unterminated));
        assert_eq!(dollar(&b"$(".repeat(40), 0, false, 0), Err(Broken::TooDeep));
    }
}
