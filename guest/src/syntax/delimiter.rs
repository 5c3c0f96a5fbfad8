//! Here-documents: the mark behind `<<`, and where the body ends.

use super::quoting::{Broken, MAX_DEPTH, double, single};

/// The end mark of a here-document, as written behind `<<`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Delimiter {
    /// The mark after quote removal.
    pub mark: Vec<u8>,
    /// Whether `<<-` asks for leading tabs to be removed.
    pub strip_tabs: bool,
    /// Where the mark begins and ends in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// Where the body of a here-document lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Body {
    /// One past the last byte of the body.
    pub end: usize,
    /// First byte behind the line of the mark.
    pub next: usize,
}

/// A line of a `<<-` document without its leading tabs.
pub(super) fn without_tabs(line: &[u8]) -> &[u8] {
    let tabs = line.iter().take_while(|&&byte| byte == b'\t').count();
    line.get(tabs..).unwrap_or_default()
}

impl Delimiter {
    /// Reads a mark; `at` is the index behind `<<`.
    pub(super) fn read(text: &[u8], mut at: usize) -> Result<Self, Broken> {
        let strip_tabs = text.get(at) == Some(&b'-');
        at += usize::from(strip_tabs);
        while matches!(text.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        let start = at;
        let mut mark = Vec::new();
        while let Some(&byte) = text.get(at) {
            match byte {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'\\' => {
                    mark.extend(text.get(at + 1));
                    at += 2;
                }
                b'\'' => {
                    let end = single(text, at)?;
                    mark.extend_from_slice(text.get(at + 1..end - 1).unwrap_or_default());
                    at = end;
                }
                b'"' => {
                    let end = double(text, at, MAX_DEPTH)?;
                    mark.extend_from_slice(text.get(at + 1..end - 1).unwrap_or_default());
                    at = end;
                }
                _ => {
                    mark.push(byte);
                    at += 1;
                }
            }
        }
        let end = at.min(text.len());
        if start == end {
            return Err(Broken::Unterminated);
        }
        Ok(Self {
            mark,
            strip_tabs,
            start,
            end,
        })
    }

    /// Finds the body that begins at this index. Without its mark it reaches to the end of the
    /// text, as bash warns and reads.
    pub(super) fn body(&self, text: &[u8], start: usize) -> Body {
        let mut line_start = start.min(text.len());
        while line_start < text.len() {
            let rest = text.get(line_start..).unwrap_or_default();
            let length = rest
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len());
            let mut line = rest.get(..length).unwrap_or_default();
            if self.strip_tabs {
                line = without_tabs(line);
            }
            let next = (line_start + length + 1).min(text.len());
            if line == self.mark {
                return Body {
                    end: line_start,
                    next,
                };
            }
            line_start = next;
        }
        Body {
            end: text.len(),
            next: text.len(),
        }
    }
}
