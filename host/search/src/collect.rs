//! Collecting what the engine finds in one file.

use std::io;

use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};

use crate::line::Line;
use crate::query::{Mode, Query};

/// Takes what is found in one file.
pub(crate) struct Collector<'a> {
    query: &'a Query,
    matcher: &'a RegexMatcher,
    /// Bytes of lines after which nobody wants more.
    max_bytes: u64,
    bytes: u64,
    pub(crate) lines: Vec<Line>,
    pub(crate) matched: u64,
    /// Whether the file holds a NUL byte.
    pub(crate) is_binary: bool,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(query: &'a Query, matcher: &'a RegexMatcher, max_bytes: u64) -> Self {
        Self {
            query,
            matcher,
            max_bytes,
            bytes: 0,
            lines: Vec::new(),
            matched: 0,
            is_binary: false,
        }
    }

    fn take(&mut self, line: Line) -> bool {
        self.bytes += line.bytes.len() as u64;
        self.lines.push(line);
        self.bytes <= self.max_bytes
    }
}

impl Sink for Collector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.matched += found.lines().count() as u64;
        if self.query.mode != Mode::Lines {
            return Ok(true);
        }
        let number = found.line_number().unwrap_or_default();
        let matcher = (!self.query.invert).then_some(self.matcher);
        let line = Line::matching(
            number,
            found.absolute_byte_offset(),
            found.bytes(),
            matcher,
            self.query.max_line_bytes,
        );
        Ok(self.take(line))
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        let number = line.line_number().unwrap_or_default();
        let offset = line.absolute_byte_offset();
        let line = Line::context(number, offset, line.bytes(), self.query.max_line_bytes);
        Ok(self.take(line))
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.is_binary = true;
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> io::Result<()> {
        self.is_binary |= end.binary_byte_offset().is_some();
        Ok(())
    }
}
