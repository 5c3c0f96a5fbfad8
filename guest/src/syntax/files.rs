//! Files that the text itself writes, so that a script written first and run later is known.

use super::word::{Piece, Word};

/// Longest content that is remembered, in bytes.
const MAX_BYTES: usize = 16 * 1024;
/// What a piece that is no text counts.
const PIECE_BYTES: usize = 32;
/// Most files that are remembered.
const MAX_FILES: usize = 64;

/// What is known of files.
#[derive(Debug, Default)]
pub(super) struct Files(Vec<(String, Word)>);

impl Files {
    /// The content of a file that was written before.
    pub(super) fn get(&self, path: &str) -> Option<&Word> {
        let path = plain(path);
        self.0
            .iter()
            .find(|(known, _)| known == path)
            .map(|(_, text)| text)
    }

    /// Remembers what is written to a file, or that its content is no longer known.
    pub(super) fn write(&mut self, path: &str, text: Option<Word>, append: bool) {
        let path = plain(path);
        let before = self.0.iter().position(|(known, _)| known == path);
        let before = before.map(|index| self.0.swap_remove(index).1);
        let Some(text) = text else { return };
        let text = match before {
            Some(mut before) if append => {
                before.pieces.extend(text.pieces);
                before
            }
            _ => text,
        };
        if self.0.len() < MAX_FILES && size(&text) <= MAX_BYTES {
            self.0.push((path.to_owned(), text));
        }
    }
}

/// `./x` is `x`.
fn plain(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    path
}

/// About how much memory a word takes, in bytes.
pub(super) fn size(word: &Word) -> usize {
    let length = |piece: &Piece| match piece {
        Piece::Text { value, .. } => value.len(),
        _ => PIECE_BYTES,
    };
    word.pieces.iter().map(length).sum()
}
