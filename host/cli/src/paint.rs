//! Notes to a person on stderr: coloured where a terminal shows them, plain elsewhere.

use std::io::{IsTerminal, Write as _};

use anstyle::{AnsiColor, Style};

/// What kind of note it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Worth knowing.
    Note,
    /// Something may be lost.
    Warning,
    /// Something went wrong, or much may be lost.
    Error,
}

impl Tone {
    fn label(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    fn style(self) -> Style {
        let color = match self {
            Self::Note => AnsiColor::Cyan,
            Self::Warning => AnsiColor::Yellow,
            Self::Error => AnsiColor::Red,
        };
        color.on_default().bold()
    }
}

/// Whether stderr takes colour.
pub fn stderr_takes_colour() -> bool {
    takes_colour(&std::io::stderr())
}

/// Whether a person reads stderr.
pub fn stderr_is_read() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether standard output takes colour.
pub fn stdout_takes_colour() -> bool {
    takes_colour(&std::io::stdout())
}

/// It does where it is a terminal that can, and nobody asked for none (<https://no-color.org>).
fn takes_colour(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && !dumb && stream.is_terminal()
}

/// Writes one note to stderr. A stderr that is gone is nobody's loss.
pub fn note(tone: Tone, text: &str) {
    let line = line(tone, text, stderr_takes_colour());
    let _ = std::io::stderr().write_all(line.as_bytes());
}

fn line(tone: Tone, text: &str, colour: bool) -> String {
    let label = tone.label();
    if colour {
        let style = tone.style();
        format!("{style}ostler: {label}:{style:#} {text}\n")
    } else {
        format!("ostler: {label}: {text}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_coloured_only_where_asked() {
        assert_eq!(
            line(Tone::Warning, "careful", false),
            "ostler: warning: careful\n"
        );
        assert_eq!(
            line(Tone::Error, "lost", true),
            "\x1b[1m\x1b[31mostler: error:\x1b[0m lost\n"
        );
    }
}
