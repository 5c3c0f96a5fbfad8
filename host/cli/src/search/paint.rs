//! How matches look for a person: as ripgrep shows them.

use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use ostler_search::{FileLines, Line, Mode};
use serde::Serialize;

use crate::paint::stdout_takes_colour;

const PATH: Style = AnsiColor::Magenta.on_default();
const NUMBER: Style = AnsiColor::Green.on_default();
const MATCH: Style = AnsiColor::Red.on_default().bold();

/// A pipe of the default size takes this much at once.
const BUFFER_BYTES: usize = 64 << 10;

/// Prints what is found: under headings on a terminal, each line with its path in a pipe.
pub struct Printer {
    out: BufWriter<StdoutLock<'static>>,
    colour: bool,
    heading: bool,
    shows_context: bool,
    /// Whether a file was printed before.
    follows: bool,
}

impl Printer {
    /// To standard output.
    pub fn new(shows_context: bool) -> Self {
        let out = io::stdout().lock();
        Self {
            colour: stdout_takes_colour(),
            heading: out.is_terminal(),
            out: BufWriter::with_capacity(BUFFER_BYTES, out),
            shows_context,
            follows: false,
        }
    }

    /// Prints what was found in one file.
    ///
    /// # Errors
    /// Where standard output does not take it.
    pub fn file(&mut self, path: &Path, found: &FileLines, mode: Mode) -> io::Result<()> {
        let path = path.as_os_str().as_bytes();
        match mode {
            Mode::Files => self.path(path, b"\n")?,
            Mode::Count => {
                self.path(path, b":")?;
                writeln!(self.out, "{}", found.matched)?;
            }
            Mode::Lines => self.lines(path, &found.lines)?,
        }
        if self.heading {
            self.out.flush()?;
        }
        Ok(())
    }

    /// Prints a path on a line of its own, or ended by this byte.
    ///
    /// # Errors
    /// As [`Printer::file`].
    pub fn path(&mut self, path: &[u8], end: &[u8]) -> io::Result<()> {
        self.styled(PATH, path)?;
        self.out.write_all(end)
    }

    /// Prints an object on a line.
    ///
    /// # Errors
    /// As [`Printer::file`].
    pub fn json(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, object)?;
        self.out.write_all(b"\n")
    }

    /// Hands everything over.
    ///
    /// # Errors
    /// As [`Printer::file`].
    pub fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn lines(&mut self, path: &[u8], lines: &[Line]) -> io::Result<()> {
        if self.heading {
            if self.follows {
                self.out.write_all(b"\n")?;
            }
            self.path(path, b"\n")?;
        } else if self.follows && self.shows_context {
            self.out.write_all(b"--\n")?;
        }
        self.follows = true;
        let mut last = None;
        for line in lines {
            let is_apart = last.is_some_and(|last| line.number > last + 1);
            if is_apart && self.shows_context {
                self.out.write_all(b"--\n")?;
            }
            last = Some(line.number);
            let mark: &[u8] = if line.is_match { b":" } else { b"-" };
            if !self.heading {
                self.path(path, mark)?;
            }
            self.styled(NUMBER, line.number.to_string().as_bytes())?;
            self.out.write_all(mark)?;
            self.text(line)?;
        }
        Ok(())
    }

    fn text(&mut self, line: &Line) -> io::Result<()> {
        if line.cut_before > 0 {
            write!(self.out, "[… {} bytes] ", line.cut_before)?;
        }
        let mut at = 0;
        for span in &line.spans {
            let (start, end) = (span.start as usize, span.end as usize);
            let (Some(before), Some(found)) =
                (line.bytes.get(at..start), line.bytes.get(start..end))
            else {
                break;
            };
            self.out.write_all(before)?;
            self.styled(MATCH, found)?;
            at = end;
        }
        self.out
            .write_all(line.bytes.get(at..).unwrap_or_default())?;
        if line.cut_after > 0 {
            write!(self.out, " [… {} bytes]", line.cut_after)?;
        }
        self.out.write_all(b"\n")
    }

    fn styled(&mut self, style: Style, bytes: &[u8]) -> io::Result<()> {
        if self.colour && !bytes.is_empty() {
            write!(self.out, "{style}")?;
            self.out.write_all(bytes)?;
            write!(self.out, "{style:#}")
        } else {
            self.out.write_all(bytes)
        }
    }
}
