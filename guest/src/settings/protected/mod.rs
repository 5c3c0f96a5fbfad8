//! Programs that a command may neither kill nor start: a person's browser, a database server.
//!
//! An entry is a program's name, or the name of a preset: `browsers` (Chrome, Chromium, Edge, Brave, Firefox and
//! others by their names on every system, the parts of Chrome, and whatever shows a web address that `open`,
//! `xdg-open` or `start` is given; Electron is only never killed).
//!
//! Killing is by name (`pkill`, `killall`, `taskkill`, `Stop-Process`, `wmic`), by what a search yields
//! (`kill $(pgrep chrome)`, `ps | grep chrome | … | xargs kill`, `Get-Process chrome | Stop-Process`), by asking
//! (`osascript`), and all processes at once. A pattern counts when it would match the name. Starting is by name or
//! path, behind wrappers, and through `open -a`, `start`, `snap run`, `flatpak run` and their like; asking for the
//! version or for help is neither.

mod killing;
mod launching;
mod names;
mod pattern;
mod searching;

use super::commands::Command;
use super::nearest::nearest;
use names::{BROWSERS, Name};
pub(super) use searching::Searches;

const PRESETS: [&str; 1] = ["browsers"];

/// The programs that are protected; none by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Protected {
    names: Vec<Name>,
    /// Whether a web address must not be shown either.
    web: bool,
}

impl Protected {
    /// Adds a program or a preset.
    pub(super) fn add(&mut self, entry: &str) -> Result<(), String> {
        let name = entry.trim().to_lowercase();
        if name == "browsers" {
            self.web = true;
            self.names.extend(BROWSERS.iter().cloned());
            return Ok(());
        }
        if name.is_empty() || name.contains(['/', '\\']) || name.contains(char::is_control) {
            return Err(format!(
                "{entry:?} is no name of a program; give it without its directory"
            ));
        }
        if let Some(preset) = nearest(&name, PRESETS)
            && name.len() + 2 >= preset.len()
        {
            return Err(format!(
                "there is no preset {entry:?}; did you mean {preset:?}?"
            ));
        }
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        self.names.push(Name::given(name.to_owned()));
        Ok(())
    }

    /// Whether nothing is protected.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What a command would do to a protected program, for a person.
    pub(super) fn harm<'a>(
        &'a self,
        searches: &Searches<'a>,
        command: &Command<'_>,
    ) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let name = command.name.to_lowercase();
        let deed = match killing::killed(self, searches, command, &name) {
            Some(killing::EVERYTHING) => "kills every process, also those".to_owned(),
            Some(program) => format!("kills {program}, one of those"),
            None => {
                let program = launching::launched(self, command, &name)?;
                format!("starts {program}, one of those")
            }
        };
        Some(format!(
            "{deed} that are left to their owner (protected_programs)"
        ))
    }

    /// The name that stands as a word of its own in a text.
    fn in_text(&self, text: &str) -> Option<&str> {
        let text = text.to_lowercase();
        self.names
            .iter()
            .find(|name| names::stands_in(&name.name, &text))
            .map(|name| name.name.as_ref())
    }

    /// The name that a regular expression matches: the process' name, or its whole command line.
    fn by_pattern(&self, pattern: &str, how: pattern::Reach) -> Option<&str> {
        let pattern = pattern::Pattern::parse(&pattern.to_lowercase());
        self.names
            .iter()
            .find(|name| name.is_matched(&pattern, how))
            .map(|name| name.name.as_ref())
    }

    /// The name that this is, with or without `.exe`; `*` and `?` stand for other characters.
    fn by_wildcard(&self, wildcard: &str) -> Option<&str> {
        let wildcard = wildcard.to_lowercase();
        let plain = wildcard.strip_suffix(".exe").unwrap_or(&wildcard);
        let pattern = pattern::Pattern::of_wildcard(plain);
        self.names
            .iter()
            .find(|name| pattern.matches(&name.name, pattern::Reach::Whole))
            .map(|name| name.name.as_ref())
    }

    /// The program of that name or path, if it must not be started.
    fn startable(&self, program: &str) -> Option<&str> {
        let lower = program.to_lowercase();
        let last = lower.trim_end_matches('/').rsplit(['/', '\\']).next()?;
        let last = [".exe", ".app", ".desktop", ".lnk"]
            .iter()
            .find_map(|ending| last.strip_suffix(ending))
            .unwrap_or(last);
        self.names
            .iter()
            .find(|name| name.startable && name.name == last)
            .map(|name| name.name.as_ref())
    }
}
