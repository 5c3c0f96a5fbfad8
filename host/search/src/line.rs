//! A line that was found, and where the match is in it.

use std::ops::Range;
use std::path::PathBuf;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;

/// Places in one line that are told.
const MAX_SPANS: usize = 100;

/// What was found in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLines {
    /// The file, below the root as that was given.
    pub path: PathBuf,
    /// Matching lines and their context, by line number. Empty where only counts or files were asked for.
    pub lines: Vec<Line>,
    /// Matching lines.
    pub matched: u64,
}

/// A line that matches, or that stands near one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// Where it begins in the file, in bytes; in the text of the file where that was converted.
    pub offset: u64,
    /// Whether it matches; else it is context.
    pub is_match: bool,
    /// The line without its end, or the part of it around the match. With `multi_line` it may be several lines.
    pub bytes: Vec<u8>,
    /// Where `bytes` begins in the line.
    pub cut_before: u64,
    /// Bytes of the line behind `bytes`.
    pub cut_after: u64,
    /// What matched, as ranges of `bytes`; the first 100.
    pub spans: Vec<Range<u32>>,
}

impl Line {
    /// The position of the first match in the whole line, in bytes from 1; 1 where nothing in particular matched.
    pub fn column(&self) -> u64 {
        self.cut_before + self.spans.first().map_or(0, |span| u64::from(span.start)) + 1
    }

    pub(crate) fn context(number: u64, offset: u64, bytes: &[u8], max_bytes: usize) -> Self {
        let text = without_end(bytes);
        let end = boundary(text, max_bytes);
        Self {
            number,
            offset,
            is_match: false,
            bytes: text[..end].to_vec(),
            cut_before: 0,
            cut_after: (text.len() - end) as u64,
            spans: Vec::new(),
        }
    }

    pub(crate) fn matching(
        number: u64,
        offset: u64,
        bytes: &[u8],
        matcher: Option<&RegexMatcher>,
        max_bytes: usize,
    ) -> Self {
        let text = without_end(bytes);
        let first = matcher.and_then(|matcher| matcher.find(text).ok().flatten());
        let part = part(
            text,
            first.map(|found| found.start()..found.end()),
            max_bytes,
        );
        let spans = match (matcher, first) {
            (Some(matcher), Some(first)) => spans(matcher, text, first.start(), &part),
            _ => Vec::new(),
        };
        Self {
            number,
            offset,
            is_match: true,
            bytes: text[part.clone()].to_vec(),
            cut_before: part.start as u64,
            cut_after: (text.len() - part.end) as u64,
            spans,
        }
    }
}

/// The part of a line that is kept: all of it, or the match with some of what stands before it.
fn part(text: &[u8], first: Option<Range<usize>>, max_bytes: usize) -> Range<usize> {
    if text.len() <= max_bytes {
        return 0..text.len();
    }
    let first = first.unwrap_or(0..0);
    let before = max_bytes / 4;
    let latest = text.len() - max_bytes;
    let start = boundary(text, first.start.saturating_sub(before).min(latest));
    start..boundary(text, start + max_bytes)
}

/// The ranges that match and begin in a part of a line, relative to it.
fn spans(
    matcher: &RegexMatcher,
    text: &[u8],
    first: usize,
    part: &Range<usize>,
) -> Vec<Range<u32>> {
    let mut spans = Vec::new();
    let place = |at: usize| u32::try_from(at.min(part.end) - part.start).unwrap_or(u32::MAX);
    // An engine that fails here has succeeded on the same line before; what it has told until then is true.
    let _ = matcher.find_iter_at(text, first, |found| {
        if found.start() > part.end || spans.len() == MAX_SPANS {
            return false;
        }
        spans.push(place(found.start())..place(found.end()));
        true
    });
    spans
}

/// The nearest beginning of a character at or before this place.
fn boundary(text: &[u8], at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let is_inside = |at: usize| text[at] & 0b1100_0000 == 0b1000_0000;
    // A character has at most four bytes; what has more is no text.
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|at| !is_inside(*at))
        .unwrap_or(at)
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching(text: &str, pattern: &str, max_bytes: usize) -> Line {
        let matcher = RegexMatcher::new(pattern).unwrap();
        Line::matching(1, 0, text.as_bytes(), Some(&matcher), max_bytes)
    }

    #[test]
    fn a_long_line_is_cut_around_its_match_between_characters() {
        let text = format!("{}needle{}\r\n", "ä".repeat(5000), "ö".repeat(5000));
        let line = matching(&text, "needle", 1000);
        let shown = String::from_utf8(line.bytes.clone()).unwrap();
        let span = line.spans[0].start as usize..line.spans[0].end as usize;
        assert_eq!(&shown[span], "needle");
        assert!(line.bytes.len() <= 1000 && line.bytes.len() > 990);
        let total = line.cut_before + line.bytes.len() as u64 + line.cut_after;
        assert_eq!(total, text.len() as u64 - 2);
        assert_eq!(line.column(), 10_001);
    }

    #[test]
    fn every_match_of_a_line_is_told() {
        let line = matching("a1b22c\n", "[0-9]+", 100);
        assert_eq!(line.spans, [1..2, 3..5]);
        assert_eq!(line.bytes, b"a1b22c");
        assert_eq!(matching("x\n", "^", 100).spans.first(), Some(&(0..0)));
    }
}
