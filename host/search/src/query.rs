//! What is looked for in files.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, MmapChoice, Searcher, SearcherBuilder};

use crate::error::SearchError;

/// Longest patterns together, in bytes.
const MAX_PATTERN_BYTES: usize = 64 << 10;
/// Memory that a compiled pattern may take.
const MAX_PROGRAM_BYTES: usize = 10 << 20;
/// Memory for the states that are made while searching.
const MAX_DFA_BYTES: usize = 32 << 20;
/// Memory for one line, and with `multi_line` for one file; longer ones are left and counted.
const MAX_LINE_MEMORY_BYTES: usize = 32 << 20;

/// What is looked for in files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Regular expressions in the syntax of Rust's regex crate; a line matches where one of them does.
    pub patterns: Vec<String>,
    /// Whether the patterns are plain text.
    pub fixed_strings: bool,
    /// Whether case counts.
    pub case: Case,
    /// Only whole words.
    pub word: bool,
    /// Only whole lines.
    pub whole_line: bool,
    /// Lines that do not match.
    pub invert: bool,
    /// Whether a match may go over several lines.
    pub multi_line: bool,
    /// Whether `.` matches the end of a line, with `multi_line`.
    pub dot_matches_newline: bool,
    /// Whether `\r\n` ends a line.
    pub crlf: bool,
    /// Lines of context before a match.
    pub before: usize,
    /// Lines of context after a match.
    pub after: usize,
    /// Matching lines after which a file is left; none = all.
    pub max_per_file: Option<u64>,
    /// What becomes of files with NUL bytes.
    pub binary: Binary,
    /// Bytes of a line that are kept; longer ones are cut around the first match.
    pub max_line_bytes: usize,
    /// What is told of each file.
    pub mode: Mode,
}

/// Whether case counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Case {
    /// It does.
    #[default]
    Sensitive,
    /// It does not.
    Insensitive,
    /// It does where a pattern has a capital letter.
    Smart,
}

/// What becomes of files with NUL bytes. One that is asked for by name is never left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Binary {
    /// They are left at the first one, and counted.
    #[default]
    Quit,
    /// A NUL byte counts as the end of a line.
    Convert,
    /// They are text like others.
    Text,
}

/// What is told of each file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Its matching lines.
    #[default]
    Lines,
    /// How many there are.
    Count,
    /// That there is one.
    Files,
}

impl Query {
    /// Lines that match this pattern.
    pub fn pattern(pattern: &str) -> Self {
        Self {
            patterns: vec![pattern.to_owned()],
            fixed_strings: false,
            case: Case::Sensitive,
            word: false,
            whole_line: false,
            invert: false,
            multi_line: false,
            dot_matches_newline: false,
            crlf: false,
            before: 0,
            after: 0,
            max_per_file: None,
            binary: Binary::Quit,
            max_line_bytes: 2000,
            mode: Mode::Lines,
        }
    }

    /// Compiles the patterns, as ripgrep does.
    pub(crate) fn matcher(&self) -> Result<RegexMatcher, SearchError> {
        let bytes: usize = self.patterns.iter().map(String::len).sum();
        if bytes > MAX_PATTERN_BYTES {
            return Err(SearchError::PatternTooBig(format!(
                "{bytes} bytes; at most {MAX_PATTERN_BYTES} are allowed"
            )));
        }
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .unicode(true)
            .fixed_strings(self.fixed_strings)
            .case_insensitive(self.case == Case::Insensitive)
            .case_smart(self.case == Case::Smart)
            .word(self.word)
            .whole_line(self.whole_line)
            .crlf(self.crlf)
            .size_limit(MAX_PROGRAM_BYTES)
            .dfa_size_limit(MAX_DFA_BYTES);
        if self.multi_line {
            builder.dot_matches_new_line(self.dot_matches_newline);
        } else {
            builder.line_terminator(Some(b'\n'));
        }
        builder.build_many(&self.patterns).map_err(|error| {
            let text = error.to_string();
            if text.contains("size limit") || text.contains("exceeds") {
                SearchError::PatternTooBig(text)
            } else if text.contains("not allowed") && !self.multi_line {
                SearchError::BadPattern(format!(
                    "{text}; matches over several lines need multiline (-U)"
                ))
            } else {
                SearchError::BadPattern(text)
            }
        })
    }

    /// What reads files. One that was asked for by name is searched also where it is binary.
    pub(crate) fn searcher(&self, is_named: bool) -> Searcher {
        let binary = match self.binary {
            Binary::Text => BinaryDetection::none(),
            Binary::Quit if !is_named => BinaryDetection::quit(0),
            Binary::Quit | Binary::Convert => BinaryDetection::convert(0),
        };
        let wants_lines = self.mode == Mode::Lines;
        SearcherBuilder::new()
            .line_number(wants_lines)
            .invert_match(self.invert)
            .multi_line(self.multi_line)
            .before_context(if wants_lines { self.before } else { 0 })
            .after_context(if wants_lines { self.after } else { 0 })
            .max_matches(match self.mode {
                Mode::Files => Some(1),
                _ => self.max_per_file,
            })
            .heap_limit(Some(MAX_LINE_MEMORY_BYTES))
            .memory_map(MmapChoice::never())
            .binary_detection(binary)
            .build()
    }
}
