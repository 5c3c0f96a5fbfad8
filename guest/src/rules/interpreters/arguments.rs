//! The arguments of a call: where they end, and the words that they spell.

use super::calls::Program;
use super::scan::{Token, UNKNOWN};
use crate::syntax::{Piece, Word};

/// How far the arguments of one call are read.
const MAX_ARGUMENT_TOKENS: usize = 256;

impl Program<'_> {
    /// The first argument: its texts, and unknown parts where something is added to them.
    pub(super) fn spelled(&self, arguments: &[Token]) -> Word {
        let mut word = Word::text("", self.call.span());
        word.pieces.clear();
        let mut depth = 0;
        for token in arguments {
            match token {
                Token::Text(text) | Token::Command(text) => {
                    for (index, part) in text.split(UNKNOWN).enumerate() {
                        if index > 0 {
                            word.pieces.push(Piece::Unknown);
                        }
                        word.push_text(part);
                    }
                }
                Token::Mark('(' | '[') => depth += 1,
                Token::Mark(')' | ']') => depth -= 1,
                Token::Mark(',') if depth <= 0 => break,
                Token::Name(_) if word.pieces.last() != Some(&Piece::Unknown) => {
                    word.pieces.push(Piece::Unknown);
                }
                _ => {}
            }
        }
        word
    }

    /// The words behind the first of a command that is given as words.
    pub(super) fn words(&self, arguments: &[Token]) -> Vec<Word> {
        let (mut words, mut start, mut depth) = (Vec::new(), 0, 0);
        for at in 0..=arguments.len() {
            match arguments.get(at) {
                Some(Token::Mark('(' | '{')) => depth += 1,
                Some(Token::Mark(')' | '}')) => depth -= 1,
                Some(Token::Mark(',')) if depth <= 0 => {}
                None => {}
                _ => continue,
            }
            if !matches!(arguments.get(at), Some(Token::Mark(',')) | None) {
                continue;
            }
            let part = &arguments[start..at];
            start = at + 1;
            // `shell=True`, `stdio: "inherit"` are no words.
            let named = part
                .iter()
                .any(|token| matches!(token, Token::Mark('=' | ':')));
            // `{args: ["-rf", "x"]}` of Deno.
            let listed = part
                .iter()
                .any(|token| matches!(token, Token::Name(name) if name == "args"));
            if named && listed {
                words.extend(part.iter().filter_map(|token| match token {
                    Token::Text(text) => Some(Word::text(text, self.call.span())),
                    _ => None,
                }));
                continue;
            }
            let holds = |token: &Token| matches!(token, Token::Text(_) | Token::Name(_));
            if !named && part.iter().any(holds) {
                words.push(self.spelled(part));
            }
        }
        if !words.is_empty() {
            words.remove(0);
        }
        words
    }
}

/// The tokens up to the closing parenthesis, or to the end of the statement.
pub(super) fn arguments(rest: &[Token], parenthesised: bool) -> &[Token] {
    let rest = &rest[..rest.len().min(MAX_ARGUMENT_TOKENS)];
    let mut depth = i32::from(parenthesised);
    for (at, token) in rest.iter().enumerate() {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth -= 1,
            Token::Mark(';' | '}') | Token::Line if !parenthesised => return &rest[..at],
            _ => {}
        }
        if parenthesised && depth == 0 || depth < 0 {
            return &rest[..at];
        }
    }
    rest
}
