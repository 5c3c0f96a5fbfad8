//! The environment of a command: what is inherited, what is changed, what is never passed on.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Variables that make a shell run a file before the command. They could change what a command means behind the back of
/// the policy that judged it, so they are never inherited; a caller may still set one by name.
const NEVER_INHERITED: &[&str] = &["BASH_ENV", "ENV"];
/// Prefixes of variables that steer zsh; for the same reason.
const NEVER_INHERITED_PREFIXES: &[&str] = &["ZDOTDIR", "ZSH_"];

/// Variables of a command that has no terminal and nobody who could answer it: no colours or progress bars for a screen,
/// no pager, no editor, no question for a password. They win over what is inherited.
const DEFAULTS: &[(&str, &str, When)] = &[
    ("TERM", "dumb", When::Always),
    ("NO_COLOR", "1", When::Always),
    ("PAGER", "cat", When::Always),
    ("GIT_PAGER", "cat", When::Always),
    ("MANPAGER", "cat", When::Always),
    ("GIT_EDITOR", "true", When::Always),
    ("GIT_TERMINAL_PROMPT", "0", When::Always),
    ("LC_CTYPE", "C.UTF-8", When::NoLocale),
];

/// When a default holds.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// Neither `LANG` nor a variable of the `LC_` family has a value, inherited or set.
    NoLocale,
}

/// How the environment of a command is made from that of this process.
///
/// An inherited environment comes without what makes a shell read a file first (`BASH_ENV`, `ENV`, what steers zsh), and
/// with the values that suit a command without a terminal: `TERM=dumb`, `NO_COLOR=1`, `cat` as `PAGER`, `GIT_PAGER` and
/// `MANPAGER`, `GIT_EDITOR=true`, `GIT_TERMINAL_PROMPT=0`, and `LC_CTYPE=C.UTF-8` where no locale is chosen. Whatever is
/// set or unset here wins over both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// Whether it begins with that of this process, as above, or empty.
    pub inherit: bool,
    /// Variables to set, later ones win.
    pub set: Vec<(OsString, OsString)>,
    /// Names to take away after `set`.
    pub unset: Vec<OsString>,
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            inherit: true,
            set: Vec::new(),
            unset: Vec::new(),
        }
    }
}

impl Environment {
    /// The whole environment, each name once.
    pub(crate) fn build(&self) -> Vec<(OsString, OsString)> {
        let inherited = if self.inherit {
            std::env::vars_os().collect()
        } else {
            Vec::new()
        };
        self.build_from(inherited)
    }

    fn build_from(&self, inherited: Vec<(OsString, OsString)>) -> Vec<(OsString, OsString)> {
        let mut variables = inherited;
        if self.inherit {
            variables.retain(|(name, _)| is_inherited(name));
            let has_locale = variables.iter().chain(&self.set).any(chooses_locale);
            for (name, value, when) in DEFAULTS {
                if matches!(when, When::Always) || !has_locale {
                    put(&mut variables, name.as_ref(), value.as_ref());
                }
            }
        }
        for (name, value) in &self.set {
            put(&mut variables, name, value);
        }
        variables.retain(|(name, _)| !self.unset.contains(name));
        variables
    }

    /// The first thing in it that no process can be given, in words.
    pub(crate) fn problem(&self) -> Option<String> {
        self.set.iter().find_map(|(name, value)| {
            let shown = name.to_string_lossy();
            if name.is_empty() {
                Some("a variable has an empty name".into())
            } else if name.as_bytes().contains(&b'=') {
                Some(format!(
                    "the name {shown:?} holds `=`; give the value apart from the name"
                ))
            } else if name.as_bytes().contains(&0) || value.as_bytes().contains(&0) {
                Some(format!(
                    "variable {shown:?} holds a NUL character, which no program can receive"
                ))
            } else {
                None
            }
        })
    }
}

fn put(variables: &mut Vec<(OsString, OsString)>, name: &OsStr, value: &OsStr) {
    variables.retain(|(existing, _)| existing != name);
    variables.push((name.into(), value.into()));
}

fn is_inherited(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let starts_with = |prefix: &&str| bytes.starts_with(prefix.as_bytes());
    !NEVER_INHERITED.iter().any(|known| name == *known)
        && !NEVER_INHERITED_PREFIXES.iter().any(starts_with)
}

/// An empty value chooses none (POSIX, "Internationalization Variables").
fn chooses_locale((name, value): &(OsString, OsString)) -> bool {
    (name == "LANG" || name.as_bytes().starts_with(b"LC_")) && !value.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> (OsString, OsString) {
        (name.into(), value.into())
    }

    #[test]
    fn the_last_value_of_a_name_wins_and_each_name_stands_once() {
        let environment = Environment {
            inherit: false,
            set: vec![set("A", "1"), set("B", "2"), set("A", "3")],
            unset: vec!["B".into()],
        };
        assert_eq!(environment.build(), [set("A", "3")]);
    }

    fn value<'a>(variables: &'a [(OsString, OsString)], name: &str) -> Option<&'a str> {
        let (_, value) = variables.iter().find(|(known, _)| known == name)?;
        value.to_str()
    }

    #[test]
    fn what_makes_a_shell_read_a_file_is_not_inherited_but_may_be_set() {
        for name in [
            "BASH_ENV",
            "ENV",
            "ZDOTDIR",
            "ZDOTDIR_OLD",
            "ZSH_VERSION",
            "ZSH_NAME",
        ] {
            assert!(!is_inherited(name.as_ref()), "{name}");
            let environment = Environment {
                set: vec![set(name, "/x")],
                ..Environment::default()
            };
            assert_eq!(value(&environment.build(), name), Some("/x"));
        }
        for name in ["PATH", "ENVIRONMENT", "MY_ENV", "BASH_ENV_2"] {
            assert!(is_inherited(name.as_ref()), "{name}");
        }
    }

    #[test]
    fn what_suits_a_command_without_a_terminal_wins_over_what_is_inherited() {
        let inherited = vec![
            set("TERM", "xterm-256color"),
            set("PAGER", "less"),
            set("GIT_EDITOR", "vi"),
            set("HOME", "/h"),
        ];
        let variables = Environment::default().build_from(inherited);
        for (name, expected) in [
            ("TERM", "dumb"),
            ("NO_COLOR", "1"),
            ("PAGER", "cat"),
            ("GIT_PAGER", "cat"),
            ("MANPAGER", "cat"),
            ("GIT_EDITOR", "true"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("LC_CTYPE", "C.UTF-8"),
            ("HOME", "/h"),
        ] {
            assert_eq!(value(&variables, name), Some(expected), "{name}");
        }
        assert_eq!(variables.len(), 9, "each name stands once");
    }

    #[test]
    fn a_caller_changes_or_removes_what_is_the_default() {
        let environment = Environment {
            inherit: true,
            set: vec![set("TERM", "vt100"), set("NO_COLOR", "")],
            unset: vec!["PAGER".into(), "LC_CTYPE".into()],
        };
        let variables = environment.build_from(vec![set("PAGER", "less")]);
        assert_eq!(value(&variables, "TERM"), Some("vt100"));
        assert_eq!(value(&variables, "NO_COLOR"), Some(""));
        assert_eq!(value(&variables, "PAGER"), None);
        assert_eq!(value(&variables, "LC_CTYPE"), None);
    }

    #[test]
    fn a_locale_that_is_inherited_or_set_stays_alone() {
        for (inherited, given, expected) in [
            (set("LANG", "de_DE.UTF-8"), None, None),
            (set("LC_ALL", "C"), None, None),
            (set("LC_TIME", "C"), None, None),
            (set("LC_CTYPE", "POSIX"), None, Some("POSIX")),
            (set("LANG", ""), None, Some("C.UTF-8")),
            (set("LANGUAGE", "de"), None, Some("C.UTF-8")),
            (set("HOME", "/h"), Some(set("LC_ALL", "C")), None),
        ] {
            let environment = Environment {
                set: given.into_iter().collect(),
                ..Environment::default()
            };
            let case = inherited.clone();
            let variables = environment.build_from(vec![inherited]);
            assert_eq!(value(&variables, "LC_CTYPE"), expected, "{case:?}");
        }
    }

    #[test]
    fn an_environment_that_begins_empty_stays_empty() {
        let environment = Environment {
            inherit: false,
            ..Environment::default()
        };
        assert_eq!(environment.build(), []);
    }

    #[test]
    fn a_name_that_no_process_can_have_is_told() {
        for (name, value, expected) in [
            ("", "1", "empty name"),
            ("A=B", "1", "holds `=`"),
            ("A", "1\0", "NUL"),
        ] {
            let environment = Environment {
                set: vec![set(name, value)],
                ..Environment::default()
            };
            assert!(
                environment.problem().unwrap().contains(expected),
                "{name:?}"
            );
        }
    }
}
