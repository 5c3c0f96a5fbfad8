//! The names of protected programs.

use std::borrow::Cow;

use super::pattern::{Pattern, Reach};

/// A name of a protected program, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name without a directory and without `.exe`.
    pub name: Cow<'static, str>,
    /// Whether starting it is refused too.
    pub startable: bool,
    /// What stands behind the name in its command line, as far as it matters for `pkill -f`.
    arguments: &'static str,
}

const fn program(name: &'static str, arguments: &'static str) -> Name {
    Name {
        name: Cow::Borrowed(name),
        startable: true,
        arguments,
    }
}

const fn process(name: &'static str) -> Name {
    Name {
        name: Cow::Borrowed(name),
        startable: false,
        arguments: "",
    }
}

/// What a browser of the Chrome family is started with, or starts its parts with.
const CHROME: &str = "--type=renderer --user-data-dir=/tmp/profile --remote-debugging-port=9222 \
                      --headless=new --no-sandbox --enable-automation";
const FIREFOX: &str = "-contentproc --marionette -profile";

/// The preset `browsers`.
pub(super) const BROWSERS: &[Name] = &[
    program("chrome", CHROME),
    program("google-chrome", CHROME),
    program("google-chrome-stable", CHROME),
    program("google-chrome-beta", CHROME),
    program("google-chrome-unstable", CHROME),
    program("google chrome", CHROME),
    program("google chrome canary", CHROME),
    program("googlechrome", CHROME),
    program("google_chrome", CHROME),
    program("com.google.chrome", CHROME),
    program("chromium", CHROME),
    program("chromium-browser", CHROME),
    program("org.chromium.chromium", CHROME),
    program("msedge", CHROME),
    program("microsoft-edge", CHROME),
    program("microsoft-edge-stable", CHROME),
    program("microsoft-edge-beta", CHROME),
    program("microsoft-edge-dev", CHROME),
    program("microsoft edge", CHROME),
    program("com.microsoft.edge", CHROME),
    program("com.microsoft.edgemac", CHROME),
    program("brave", CHROME),
    program("brave-browser", CHROME),
    program("brave-browser-stable", CHROME),
    program("brave browser", CHROME),
    program("com.brave.browser", CHROME),
    program("vivaldi", CHROME),
    program("vivaldi-stable", CHROME),
    program("opera", CHROME),
    program("firefox", FIREFOX),
    program("firefox-esr", FIREFOX),
    program("firefox-bin", FIREFOX),
    program("org.mozilla.firefox", FIREFOX),
    program("librewolf", FIREFOX),
    program("safari", ""),
    program("com.apple.safari", ""),
    program("iexplore", ""),
    program("x-www-browser", ""),
    program("www-browser", ""),
    program("gnome-www-browser", ""),
    program("sensible-browser", ""),
    process("google chrome helper"),
    process("google chrome helper (renderer)"),
    process("chrome_crashpad_handler"),
    process("chrome_crashpad"),
    process("crashpad_handler"),
    process("crashpad"),
    process("electron"),
];

impl Name {
    /// A name from the settings.
    pub fn given(name: String) -> Self {
        Self {
            name: Cow::Owned(name),
            startable: true,
            arguments: "",
        }
    }

    /// Whether a pattern of `pkill` and its like matches the program.
    pub fn is_matched(&self, pattern: &Pattern, reach: Reach) -> bool {
        match reach {
            Reach::CommandLine => {
                let line = format!("/usr/bin/{} {}", self.name, self.arguments);
                pattern.matches(&line, reach)
                    || pattern.matches(&self.name, reach)
                    || stands_in(&self.name, pattern.text())
            }
            Reach::Part | Reach::Whole => pattern.matches(&self.name, reach),
        }
    }
}

/// Whether a name stands in a text as a word of its own; `chrome` does so in `/opt/chrome` and `*chrome*`, not in
/// `chrome-tools`.
pub(super) fn stands_in(name: &str, text: &str) -> bool {
    let joins = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    text.match_indices(name).any(|(at, found)| {
        let (before, after) = (text.get(..at), text.get(at + found.len()..));
        let after = after.unwrap_or_default();
        let after = after.strip_prefix(".exe").unwrap_or(after);
        let mut behind = after.chars();
        let ends = match behind.next() {
            // `chrome.js` is a file.
            Some('.') => !behind.next().is_some_and(char::is_alphanumeric),
            Some(next) => !joins(next),
            None => true,
        };
        ends && !before
            .unwrap_or_default()
            .ends_with(|last| joins(last) || last == '.')
    })
}
