//! Words in the making: pieces are added, unquoted values are split, patterns are recognised.

use super::word::{Piece, Word};
use crate::model::Span;

/// Longest bracket or parenthesis of a pattern that is looked at.
const MAX_PATTERN_BYTES: usize = 256;

/// How text is treated while a word is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// In quotes: nothing applies.
    Quoted,
    /// Values are split, patterns apply.
    Unquoted,
    /// Where bash neither splits nor expands patterns: assignments, here-documents.
    OneWord,
}

/// Builds the words that one raw word becomes.
pub(super) struct Fields {
    span: Span,
    separators: Option<String>,
    done: Vec<Word>,
    pieces: Vec<Piece>,
    /// Whether there is a word although it may be empty.
    present: bool,
    /// Whether brackets make a pattern of the word although quotes stand between them.
    pub bracketed: bool,
}

impl Fields {
    /// Starts with the characters that split values; `None` for blank, tab and newline.
    pub(super) fn new(span: Span, separators: Option<String>) -> Self {
        Self {
            span,
            separators,
            done: Vec::new(),
            pieces: Vec::new(),
            present: false,
            bracketed: false,
        }
    }

    /// Adds text that is not split.
    pub(super) fn literal(&mut self, text: &str, quoting: Quoting) {
        self.present = true;
        if text.is_empty() {
            return;
        }
        let quoted = quoting == Quoting::Quoted;
        match self.pieces.last_mut() {
            Some(Piece::Text {
                value,
                quoted: same,
            }) if *same == quoted => value.push_str(text),
            _ => self.pieces.push(Piece::Text {
                value: text.to_owned(),
                quoted,
            }),
        }
    }

    /// Adds anything else.
    pub(super) fn piece(&mut self, piece: Piece) {
        self.present = true;
        self.pieces.push(piece);
    }

    /// Adds unquoted text, patterns apart.
    pub(super) fn source(&mut self, text: &str, context: Quoting) {
        if text.is_empty() {
            return;
        }
        if context == Quoting::OneWord {
            self.literal(text, Quoting::Unquoted);
            return;
        }
        let mut rest = text;
        while let Some(start) = rest.find(['*', '?', '[', ']', '+', '@', '!']) {
            let (before, from) = rest.split_at(start);
            let mut length = pattern_length(from);
            if length == 0 && self.bracketed && from.starts_with(['[', ']']) {
                length = 1;
            }
            if length == 0 {
                // Ordinary here, such as a bracket that nothing closes.
                let (plain, behind) = rest.split_at(start + 1);
                self.literal(plain, Quoting::Unquoted);
                rest = behind;
                continue;
            }
            if !before.is_empty() {
                self.literal(before, Quoting::Unquoted);
            }
            let (pattern, behind) = from.split_at(length);
            match self.pieces.last_mut() {
                Some(Piece::Glob(last)) => last.push_str(pattern),
                _ => self.piece(Piece::Glob(pattern.to_owned())),
            }
            rest = behind;
        }
        if !rest.is_empty() {
            self.literal(rest, Quoting::Unquoted);
        }
    }

    /// Adds a known value.
    pub(super) fn value(&mut self, word: &Word, quoting: Quoting) {
        self.present |= quoting != Quoting::Unquoted;
        for piece in &word.pieces {
            match piece {
                Piece::Text { value, .. } => match quoting {
                    Quoting::Unquoted => self.split(value),
                    _ => self.literal(value, quoting),
                },
                Piece::Variable { name, guard, .. } => self.piece(Piece::Variable {
                    name: name.clone(),
                    guard: guard.clone(),
                    quoted: quoting == Quoting::Quoted,
                }),
                other => self.piece(other.clone()),
            }
        }
    }

    /// Adds the values of `$@` or `$*`.
    pub(super) fn values(&mut self, words: &[Word], joined: bool, quoting: Quoting) {
        if joined && quoting == Quoting::Quoted {
            self.present = true;
        }
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                if quoting == Quoting::OneWord || (joined && quoting == Quoting::Quoted) {
                    self.literal(" ", quoting);
                } else {
                    self.end_word();
                }
            }
            self.value(word, quoting);
        }
    }

    fn split(&mut self, text: &str) {
        let separators = self.separators.take();
        let is_separator = |character: char| match &separators {
            Some(own) => own.contains(character),
            None => matches!(character, ' ' | '\t' | '\n'),
        };
        let mut rest = text;
        loop {
            let end = rest.find(is_separator);
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            self.source(word, Quoting::Unquoted);
            if end.is_none() {
                break;
            }
            self.end_word();
            rest = behind.trim_start_matches(is_separator);
        }
        self.separators = separators;
    }

    fn end_word(&mut self) {
        if std::mem::take(&mut self.present) {
            let pieces = std::mem::take(&mut self.pieces);
            self.done.push(Word {
                pieces,
                span: self.span,
            });
        }
    }

    /// The words; those beyond the most that are wanted are one unknown word.
    pub(super) fn finish(mut self, most: usize) -> Vec<Word> {
        self.end_word();
        if self.done.len() > most {
            self.done.truncate(most);
            self.done.push(Word {
                pieces: vec![Piece::Unknown],
                span: self.span,
            });
        }
        self.done
    }

    /// All of it as one word.
    pub(super) fn finish_as_one(self) -> Word {
        Word {
            pieces: self.pieces,
            span: self.span,
        }
    }
}

/// Length of the pattern at the start of a text; 0 where its first character is ordinary.
pub(super) fn pattern_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if matches!(bytes, [b'*' | b'?' | b'+' | b'@' | b'!', b'(', ..]) {
        let mut open = 0_u32;
        for (index, byte) in bytes.iter().take(MAX_PATTERN_BYTES).enumerate() {
            match byte {
                b'(' => open += 1,
                b')' if open == 1 => return index + 1,
                b')' => open -= 1,
                _ => {}
            }
        }
        return usize::from(matches!(bytes.first(), Some(b'*' | b'?')));
    }
    match bytes.first() {
        Some(b'*' | b'?') => 1,
        Some(b'[') => {
            let negation = usize::from(matches!(bytes.get(1), Some(b'!' | b'^')));
            let body = bytes.get(2 + negation..).unwrap_or_default();
            let close = body
                .iter()
                .take(MAX_PATTERN_BYTES)
                .position(|byte| matches!(byte, b']' | b'/'));
            match close.and_then(|close| body.get(close).map(|byte| (close, byte))) {
                Some((close, b']')) => close + 3 + negation,
                _ => 0,
            }
        }
        _ => 0,
    }
}
