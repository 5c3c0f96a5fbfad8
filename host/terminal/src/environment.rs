//! The environment of a command: what is inherited, what is changed, what is never passed on.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Prefixes of variables that steer zsh. They could change what a command means behind the back of the policy that
/// judged it, so they are never inherited; a caller may still set one by name.
const NEVER_INHERITED: &[&[u8]] = &[b"ZDOTDIR", b"ZSH_"];

/// How the environment of a command is made from that of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// Whether it begins with that of this process (without what steers zsh) or empty.
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
        let mut variables: Vec<(OsString, OsString)> = if self.inherit {
            std::env::vars_os()
                .filter(|(name, _)| is_inherited(name))
                .collect()
        } else {
            Vec::new()
        };
        for (name, value) in &self.set {
            variables.retain(|(existing, _)| existing != name);
            variables.push((name.clone(), value.clone()));
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

fn is_inherited(name: &OsStr) -> bool {
    !NEVER_INHERITED
        .iter()
        .any(|prefix| name.as_bytes().starts_with(prefix))
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

    #[test]
    fn what_steers_zsh_is_not_inherited_but_may_be_set() {
        for name in ["ZDOTDIR", "ZDOTDIR_OLD", "ZSH_VERSION", "ZSH_NAME"] {
            assert!(!is_inherited(name.as_ref()), "{name}");
        }
        assert!(is_inherited("PATH".as_ref()));
        let environment = Environment {
            set: vec![set("ZDOTDIR", "/x")],
            ..Environment::default()
        };
        assert!(environment.build().contains(&set("ZDOTDIR", "/x")));
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
