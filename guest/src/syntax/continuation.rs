//! Line continuations: bash drops a backslash and the line end behind it before it looks at
//! anything else.

use std::borrow::Cow;

use super::delimiter::Delimiter;
use super::quoting;

/// A text without its line continuations, and where they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Joined<'t> {
    pub text: Cow<'t, str>,
    /// For each dropped pair of bytes the index in `text` in front of which it stood, ascending.
    dropped: Vec<usize>,
}

impl Joined<'_> {
    /// The index in the original text of the first byte of something that begins here.
    pub(super) fn start(&self, index: usize) -> usize {
        index + 2 * self.dropped.partition_point(|dropped| *dropped <= index)
    }

    /// The index in the original text of one past something that ends here.
    pub(super) fn end(&self, index: usize) -> usize {
        index + 2 * self.dropped.partition_point(|dropped| *dropped < index)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Region {
    Double,
    Parenthesis,
}

/// Drops line continuations, except in single quotes, comments and here-documents with a quoted
/// mark.
pub(super) fn join(text: &str) -> Joined<'_> {
    if !text.contains("\\\n") {
        return Joined {
            text: Cow::Borrowed(text),
            dropped: Vec::new(),
        };
    }
    let mut joiner = Joiner {
        bytes: text.as_bytes(),
        at: 0,
        out: Vec::with_capacity(text.len()),
        dropped: Vec::new(),
        regions: Vec::new(),
        documents: Vec::new(),
    };
    while let Some(&byte) = joiner.bytes.get(joiner.at) {
        joiner.step(byte);
    }
    let text = String::from_utf8_lossy(&joiner.out).into_owned();
    Joined {
        text: Cow::Owned(text),
        dropped: joiner.dropped,
    }
}

struct Joiner<'t> {
    bytes: &'t [u8],
    at: usize,
    out: Vec<u8>,
    dropped: Vec<usize>,
    regions: Vec<Region>,
    documents: Vec<Delimiter>,
}

impl Joiner<'_> {
    fn copy(&mut self, end: usize) {
        let end = end.min(self.bytes.len());
        self.out
            .extend_from_slice(self.bytes.get(self.at..end).unwrap_or_default());
        self.at = end.max(self.at);
    }

    fn step(&mut self, byte: u8) {
        let double = self.regions.last() == Some(&Region::Double);
        let next = self.bytes.get(self.at + 1).copied();
        match byte {
            b'\\' if next == Some(b'\n') => {
                self.dropped.push(self.out.len());
                self.at += 2;
            }
            b'\\' => self.copy(self.at + 2),
            b'"' => {
                if double {
                    self.regions.pop();
                } else {
                    self.regions.push(Region::Double);
                }
                self.copy(self.at + 1);
            }
            b'(' if !double || self.out.last() == Some(&b'$') => {
                self.regions.push(Region::Parenthesis);
                self.copy(self.at + 1);
            }
            _ if double => self.copy(self.at + 1),
            b')' => {
                if self.regions.last() == Some(&Region::Parenthesis) {
                    self.regions.pop();
                }
                self.copy(self.at + 1);
            }
            b'\'' => {
                let ansi_c = self.out.last() == Some(&b'$');
                let end = if ansi_c {
                    quoting::ansi_c(self.bytes, self.at)
                } else {
                    quoting::single(self.bytes, self.at)
                };
                self.copy(end.unwrap_or(self.bytes.len()));
            }
            b'#' if self.begins_word() => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let length = rest
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .unwrap_or(rest.len());
                self.copy(self.at + length);
            }
            b'<' if next == Some(b'<') && self.bytes.get(self.at + 2) != Some(&b'<') => {
                let document = Delimiter::read(self.bytes, self.at + 2).ok();
                let raw = document
                    .as_ref()
                    .and_then(|document| self.bytes.get(document.start..document.end));
                let quoted = raw
                    .is_some_and(|raw| raw.iter().any(|byte| matches!(byte, b'\'' | b'"' | b'\\')));
                self.copy(
                    document
                        .as_ref()
                        .map_or(self.at + 2, |document| document.end),
                );
                self.documents.extend(document.filter(|_| quoted));
            }
            b'\n' => {
                self.copy(self.at + 1);
                for document in std::mem::take(&mut self.documents) {
                    let next = document.body(self.bytes, self.at).next;
                    self.copy(next);
                }
            }
            _ => self.copy(self.at + 1),
        }
    }

    fn begins_word(&self) -> bool {
        self.out.last().is_none_or(|last| {
            matches!(
                last,
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')'
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        join(text).text.into_owned()
    }

    #[test]
    fn continuations_vanish_before_anything_else_is_read() {
        assert_eq!(joined("a\\\nb"), "ab");
        assert_eq!(joined("\"a\\\nb\" $\\\n(c)"), "\"ab\" $(c)");
        assert_eq!(joined("\"$(a 'b\\\nc' \\\n)\""), "\"$(a 'b\\\nc' )\"");
    }

    #[test]
    fn quoted_text_and_comments_keep_theirs() {
        for text in [
            "'a\\\nb'",
            "$'a\\\nb'",
            "a # b\\\nc",
            "cat <<'E'\na\\\nb\nE",
            "a\\\\\nb",
        ] {
            assert_eq!(joined(text), text);
        }
        assert_eq!(
            joined("cat <<'E'\na\\\nb\nE\nc\\\nd"),
            "cat <<'E'\na\\\nb\nE\ncd"
        );
    }

    #[test]
    fn positions_point_into_the_original() {
        let text = "a \\\nbc d\\\ne";
        let joined = join(text);
        assert_eq!(joined.text, "a bc de");
        assert_eq!(&text[joined.start(2)..joined.end(4)], "bc");
        assert_eq!(&text[joined.start(5)..joined.end(7)], "d\\\ne");
    }
}
