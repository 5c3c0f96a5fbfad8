//! Bash text → tokens for the grammar, with exact words, byte positions and here-documents.
//!
//! The grammar and its syntax tree are those of `brush-parser`; the tokens are ours, because a
//! guard must end a quotation exactly where bash ends it, and because the crate's own tokenizer
//! panics on some texts.

use std::sync::Arc;

use brush_parser::{SourcePosition, SourceSpan, Token};

use super::continuation::{self, Joined};
use super::delimiter::Delimiter;
use super::parse::Unparsable;
use super::quoting::{self, Broken};

/// How deep compound commands may nest: the grammar is recursive and a component's stack is small.
const MAX_NESTING: u32 = 24;
/// The same for `case`, whose malformed forms the grammar tries twice per level.
const MAX_CASES: u32 = 6;

/// How far the end of `((` is looked for, in bytes.
const MAX_ARITHMETIC_BYTES: usize = 4 * 1024;

/// Operators, longest first.
const OPERATORS: [&str; 23] = [
    "<<<", "<<-", "&>>", ";;&", "&&", "||", ";;", ";&", "<<", ">>", "<&", ">&", "<>", ">|", "&>",
    "|&", "&", "(", ")", ";", "|", "<", ">",
];

/// Splits a text into tokens. `extended_globs` makes `@(a|b)` part of a word, as after `shopt -s
/// extglob`.
pub(super) fn tokenize(
    text: &str,
    extended_globs: bool,
    max_tokens: usize,
) -> Result<Vec<Token>, Unparsable> {
    let joined = continuation::join(text);
    let text = joined.text.as_ref();
    let mut tokenizer = Tokenizer {
        joined: &joined,
        text,
        bytes: text.as_bytes(),
        at: 0,
        extended_globs,
        tokens: Vec::with_capacity((text.len() / 4 + 2).min(max_tokens)),
        documents: Vec::new(),
        command_position: true,
        redirect_target: false,
        nesting: 0,
        cases: 0,
    };
    while tokenizer.next()? {
        if tokenizer.tokens.len() > max_tokens {
            return Err(Unparsable::TooLong);
        }
    }
    tokenizer.read_documents();
    Ok(tokenizer.tokens)
}

impl From<Broken> for Unparsable {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Unterminated => Self::Unterminated,
            Broken::TooDeep => Self::TooDeep,
        }
    }
}

struct Tokenizer<'t> {
    joined: &'t Joined<'t>,
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    extended_globs: bool,
    tokens: Vec<Token>,
    /// Here-documents whose bodies follow the next newline, with the index of the token that holds
    /// the body.
    documents: Vec<(Delimiter, usize)>,
    command_position: bool,
    redirect_target: bool,
    nesting: u32,
    cases: u32,
}

impl Tokenizer<'_> {
    /// Reads one token; false at the end.
    fn next(&mut self) -> Result<bool, Unparsable> {
        loop {
            match self.bytes.get(self.at) {
                None => return Ok(false),
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'#') => {
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    self.at += rest
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .unwrap_or(rest.len());
                }
                Some(b'\n') => {
                    self.push_operator("\n", self.at, self.at + 1);
                    self.at += 1;
                    self.command_position = true;
                    self.read_documents();
                    return Ok(true);
                }
                Some(b'&' | b'(' | b')' | b';' | b'|' | b'<' | b'>') => {
                    self.operator()?;
                    return Ok(true);
                }
                Some(_) => {
                    self.word()?;
                    return Ok(true);
                }
            }
        }
    }

    fn operator(&mut self) -> Result<(), Unparsable> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let operator = OPERATORS
            .into_iter()
            .find(|operator| rest.starts_with(operator.as_bytes()))
            .ok_or(Unparsable::Syntax)?;
        match operator {
            "(" => return self.parenthesis(),
            ")" => self.nesting = self.nesting.saturating_sub(1),
            "<<" | "<<-" => return self.document(operator),
            _ => {}
        }
        self.at += operator.len();
        self.push_operator(operator, start, self.at);
        let redirects = operator.contains(['<', '>']);
        self.redirect_target = redirects;
        self.command_position |= !redirects;
        Ok(())
    }

    fn parenthesis(&mut self) -> Result<(), Unparsable> {
        let start = self.at;
        let behind_for = self.last_word() == Some("for");
        if (self.command_position || behind_for) && self.bytes.get(start + 1) == Some(&b'(') {
            let window = self.bytes.len().min(start + MAX_ARITHMETIC_BYTES);
            let found =
                quoting::command(self.bytes.get(..window).unwrap_or_default(), start + 1, 0);
            if let Ok(found) = found
                && found.arithmetic
            {
                self.arithmetic(start, found.end, behind_for);
                return Ok(());
            }
        }
        // Two parentheses in a row would be read as arithmetic by the grammar; a line break keeps
        // them apart.
        if matches!(self.tokens.last(), Some(Token::Operator(last, _)) if last == "(") {
            self.push_operator("\n", start, start);
        }
        self.deeper()?;
        self.at += 1;
        self.push_operator("(", start, self.at);
        self.command_position = true;
        self.redirect_target = false;
        Ok(())
    }

    /// `((…))` as two parentheses, the expression as one word (three for a loop), and two
    /// parentheses.
    fn arithmetic(&mut self, start: usize, end: usize, is_loop: bool) {
        self.push_operator("(", start, start + 1);
        self.push_operator("(", start + 1, start + 2);
        let mut from = start + 2;
        let close = end - 2;
        let bytes = self.bytes;
        let semicolon = |from: usize| {
            let rest = bytes.get(from..close).unwrap_or_default();
            rest.iter()
                .position(|&byte| byte == b';')
                .filter(|_| is_loop)
        };
        while let Some(length) = semicolon(from) {
            self.push_slice(from, from + length);
            from += length + 1;
            self.push_operator(";", from - 1, from);
        }
        self.push_slice(from, close);
        self.push_operator(")", close, close + 1);
        self.push_operator(")", close + 1, end);
        self.at = end;
        self.command_position = is_loop;
        self.redirect_target = false;
    }

    fn document(&mut self, operator: &str) -> Result<(), Unparsable> {
        let start = self.at;
        let delimiter = Delimiter::read(self.bytes, start + 2).map_err(|_| Unparsable::Syntax)?;
        self.push_operator(operator, start, start + operator.len());
        let tag = self
            .text
            .get(delimiter.start..delimiter.end)
            .ok_or(Unparsable::Syntax)?;
        self.push_word(tag.to_owned(), delimiter.start, delimiter.end);
        let body = self.tokens.len();
        self.push_word(String::new(), delimiter.start, delimiter.end);
        self.push_word(tag.to_owned(), delimiter.start, delimiter.end);
        self.at = delimiter.end;
        self.documents.push((delimiter, body));
        Ok(())
    }

    /// Fills in the bodies that begin here.
    fn read_documents(&mut self) {
        for (delimiter, index) in std::mem::take(&mut self.documents) {
            let start = self.at.min(self.bytes.len());
            let body = delimiter.body(self.bytes, start);
            let raw = self.text.get(start..body.end).unwrap_or_default();
            let value = if delimiter.strip_tabs {
                raw.split_inclusive('\n')
                    .map(|line| line.trim_start_matches('\t'))
                    .collect()
            } else {
                raw.to_owned()
            };
            if let Some(token) = self.tokens.get_mut(index) {
                *token = Token::Word(value, span(self.joined, start, body.end));
            }
            self.at = body.next;
        }
    }

    fn word(&mut self) -> Result<(), Unparsable> {
        let start = self.at;
        let end = self.word_end(start)?;
        self.at = end;
        let value = self
            .text
            .get(start..end)
            .ok_or(Unparsable::Syntax)?
            .to_owned();
        let before_redirect = matches!(self.bytes.get(end), Some(b'<' | b'>'));
        if before_redirect && names_descriptor(&value) {
            // `{fd}> file` opens the file; the variable is of no interest here.
            return Ok(());
        }
        if std::mem::take(&mut self.redirect_target) {
            self.push_word(value, start, end);
            return Ok(());
        }
        if value == "[[" && self.command_position {
            return self.condition(start);
        }
        let first = std::mem::replace(&mut self.command_position, false);
        if first || matches!(value.as_str(), "in" | "do" | "{") {
            self.keyword(&value, first, start)?;
        }
        let value = match value.as_str() {
            // `select` reads like `for`: the same words, the same body.
            "select" if first => "for".to_owned(),
            _ if has_odd_subscript(&value) => format!("''{value}"),
            _ => value,
        };
        // A number too large for a descriptor must not touch its operator: the grammar would try to
        // convert it.
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let too_large = before_redirect && value.len() > 9 && digits;
        self.push_word(value, start, if too_large { end - 1 } else { end });
        Ok(())
    }

    /// Keeps count of compound commands and of where the next command begins.
    fn keyword(&mut self, word: &str, first: bool, start: usize) -> Result<(), Unparsable> {
        match word {
            "if" | "while" | "until" | "{" | "coproc" => {
                self.deeper()?;
                self.command_position = true;
            }
            "for" | "select" => self.deeper()?,
            "case" => {
                self.deeper()?;
                self.cases += 1;
                if self.cases > MAX_CASES {
                    return Err(Unparsable::TooDeep);
                }
            }
            "then" | "else" | "elif" | "do" | "!" | "time" => {
                self.command_position = true;
            }
            "fi" | "done" | "}" if first => self.nesting = self.nesting.saturating_sub(1),
            "esac" if first => {
                self.nesting = self.nesting.saturating_sub(1);
                self.cases = self.cases.saturating_sub(1);
                self.finish_case(start);
            }
            _ => {}
        }
        Ok(())
    }

    /// The last branch of a `case` may leave `;;` out; with it the grammar need not try twice.
    fn finish_case(&mut self, start: usize) {
        let last = self
            .tokens
            .iter()
            .rev()
            .find(|token| token.to_str() != "\n");
        let complete = match last {
            Some(Token::Operator(operator, _)) => operator.starts_with(";") && operator != ";",
            Some(Token::Word(word, _)) => word == "in",
            None => true,
        };
        if !complete {
            self.push_operator(";;", start, start);
        }
    }

    /// `[[ … ]]` as three tokens, so that its patterns need no grammar.
    fn condition(&mut self, start: usize) -> Result<(), Unparsable> {
        self.push_word("[[".to_owned(), start, start + 2);
        self.command_position = false;
        let mut at = self.at;
        loop {
            match self.bytes.get(at) {
                None => return Err(Unparsable::Unterminated),
                Some(b' ' | b'\t' | b'\n' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' | b';') => {
                    at += 1;
                }
                Some(_) => {
                    let word = at;
                    at = self.word_end(at)?;
                    if self.text.get(word..at) == Some("]]") {
                        self.push_slice(self.at, word);
                        self.push_word("]]".to_owned(), word, at);
                        self.at = at;
                        return Ok(());
                    }
                }
            }
        }
    }

    /// One past the word that begins here.
    fn word_end(&self, start: usize) -> Result<usize, Unparsable> {
        let bytes = self.bytes;
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'&' | b')' | b';' | b'|' | b'<' | b'>' => break,
                b'(' => {
                    let behind = bytes.get(at.wrapping_sub(1));
                    let extended = self.extended_globs
                        && at > start
                        && matches!(behind, Some(b'?' | b'*' | b'+' | b'@' | b'!'));
                    if !extended {
                        break;
                    }
                    at = quoting::command(bytes, at + 1, 0)?.end;
                }
                b'\\' => at = (at + 2).min(bytes.len()),
                b'\'' => at = quoting::single(bytes, at)?,
                b'"' => at = quoting::double(bytes, at, 0)?,
                b'`' => at = quoting::backquoted(bytes, at)?,
                b'$' => at = quoting::dollar(bytes, at, false, 0)?,
                _ => at += 1,
            }
        }
        // A backslash may have stepped into the middle of a character.
        at = at.min(bytes.len());
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        Ok(at)
    }

    fn deeper(&mut self) -> Result<(), Unparsable> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            Err(Unparsable::TooDeep)
        } else {
            Ok(())
        }
    }

    fn last_word(&self) -> Option<&str> {
        match self.tokens.last() {
            Some(Token::Word(word, _)) => Some(word),
            _ => None,
        }
    }

    fn push_operator(&mut self, operator: &str, start: usize, end: usize) {
        self.tokens.push(Token::Operator(
            operator.to_owned(),
            span(self.joined, start, end),
        ));
    }

    fn push_word(&mut self, value: String, start: usize, end: usize) {
        self.tokens
            .push(Token::Word(value, span(self.joined, start, end)));
    }

    /// A part of the text as one word, unless only blanks are there.
    fn push_slice(&mut self, start: usize, end: usize) {
        let value = self.text.get(start..end).unwrap_or_default().trim();
        if !value.is_empty() {
            self.push_word(value.to_owned(), start, end);
        }
    }
}

/// A span of bytes; the grammar only compares and copies positions.
fn span(joined: &Joined<'_>, start: usize, end: usize) -> SourceSpan {
    let (start, end) = (joined.start(start), joined.end(end));
    let position = |index| {
        Arc::new(SourcePosition {
            index,
            line: 0,
            column: 0,
        })
    };
    SourceSpan {
        start: position(start),
        end: position(end),
    }
}

/// Whether a word is `{name}`, which in front of a redirection names a variable for the descriptor.
fn names_descriptor(word: &str) -> bool {
    word.strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        })
}

/// Whether a word looks like an assignment to an array element whose subscript is more than a name
/// or a number.
/// The grammar would read such a subscript with a backtracking parser; as an ordinary word nothing
/// of it is lost.
fn has_odd_subscript(word: &str) -> bool {
    let bytes = word.as_bytes();
    let name = quoting::name_end(bytes, 0);
    if name == 0 || bytes.first().is_some_and(u8::is_ascii_digit) || bytes.get(name) != Some(&b'[')
    {
        return false;
    }
    let simple = |byte: &u8| {
        matches!(byte, b'_' | b'@' | b'*' | b'$' | b'+' | b'-') || byte.is_ascii_alphanumeric()
    };
    let subscript = bytes.get(name + 1..).unwrap_or_default();
    let length = subscript.iter().take_while(|byte| simple(byte)).count();
    subscript.get(length) != Some(&b']')
}
