//! A view of output for people and models: what a terminal would show of each line once it is complete.

use std::borrow::Cow;

use anstyle_parse::{Params, Parser, Perform};

/// Leaves out escape sequences and control characters and applies what overwrites or erases within a line: `\r`, `\b`,
/// movements of the cursor and ESC\[K. A `\r` before `\n` is part of the line end.
///
/// Every character counts as one column. Lines stay apart: an escape sequence ends with its line at the latest, and a
/// movement to another line is left out. The view is never longer than the text and is made in linear time.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut view = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (content, end) = match line.strip_suffix('\n') {
            Some(content) => (content.strip_suffix('\r').unwrap_or(content), "\n"),
            None => (line, ""),
        };
        if content.contains(is_control) {
            render(content, &mut view);
        } else {
            view.push_str(content);
        }
        view.push_str(end);
    }
    Cow::Owned(view)
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

fn render(content: &str, view: &mut String) {
    let (mut line, mut parser) = (Line::default(), <Parser>::new());
    for byte in content.bytes() {
        parser.advance(&mut line, byte);
    }
    let shown = line.characters.iter().rposition(|&c| c != ' ');
    // Blanks at the end are what a shorter frame wiped a longer one with.
    let kept = match shown {
        _ if !line.is_rewritten => line.characters.len(),
        Some(last) => last + 1,
        None => 0,
    };
    view.extend(&line.characters[..kept]);
}

/// Columns between two tab stops.
const TAB_COLUMNS: usize = 8;

/// One line of a terminal that is as wide as need be.
#[derive(Default)]
struct Line {
    characters: Vec<char>,
    /// Column that the next character goes to.
    cursor: usize,
    /// Whether something was overwritten or erased.
    is_rewritten: bool,
}

impl Line {
    fn put(&mut self, character: char) {
        if self.cursor > self.characters.len() {
            // A gap is one blank however wide it is, so that a few bytes cannot become a long line.
            self.characters.push(' ');
            self.cursor = self.characters.len();
        }
        match self.characters.get_mut(self.cursor) {
            Some(old) => {
                *old = character;
                self.is_rewritten = true;
            }
            None => self.characters.push(character),
        }
        self.cursor += 1;
    }

    fn tab(&mut self) {
        if self.cursor < self.characters.len() {
            let stop = (self.cursor / TAB_COLUMNS + 1) * TAB_COLUMNS;
            self.cursor = stop.min(self.characters.len());
        } else {
            self.put('\t');
        }
    }

    fn erase_from(&mut self, column: usize) {
        self.is_rewritten |= column < self.characters.len();
        self.characters.truncate(column);
    }
}

impl Perform for Line {
    fn print(&mut self, character: char) {
        if !is_control(character) {
            self.put(character);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\r' => self.cursor = 0,
            b'\t' => self.tab(),
            0x08 => self.cursor = self.cursor.saturating_sub(1),
            _ => {}
        }
    }

    /// The sequences of ECMA-48 that change a line: CUF, CUB, CHA, EL and, as far as the line goes, ED. Erasing up to the
    /// cursor is left out: it would take time for every column.
    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: u8) {
        if !intermediates.is_empty() {
            return;
        }
        let value = params
            .iter()
            .next()
            .and_then(|values| values.first())
            .copied();
        let value = usize::from(value.unwrap_or(0));
        let count = value.max(1);
        match (action, value) {
            (b'C', _) => self.cursor = self.cursor.saturating_add(count),
            (b'D', _) => self.cursor = self.cursor.saturating_sub(count),
            (b'G', _) => self.cursor = count - 1,
            (b'K' | b'J', 0) => self.erase_from(self.cursor),
            (b'K' | b'J', 2) => self.erase_from(0),
            _ => {}
        }
    }
}
