//! The commands that can have produced an exit code.

/// One command that can have produced the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Suspect {
    /// The command.
    pub who: Who,
    /// What it must have returned, before negation and wrappers changed it.
    pub code: i32,
    /// Its name as written, with its path.
    pub word: String,
    /// Whether `!` stands before it.
    pub negated: bool,
    /// Whether it is to blame only where nobody else is: it practically never fails.
    pub unlikely: bool,
    /// What stands between it and the code that was seen.
    pub through: Through,
    /// Files that are redirected from or to; opening one can fail with code 1.
    pub files: Vec<String>,
}

/// A command, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// A program or builtin with its arguments.
    Program {
        /// Last component of its path, without `.exe`.
        name: String,
        /// Its arguments after quote removal.
        args: Vec<String>,
    },
    /// `exit N` or `return N`: the script's own choice.
    Script,
    /// A command that nests too deep to be looked at.
    Unknown,
}

/// What changes a code on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    /// Nothing: the code is the command's own.
    Nothing,
    /// Many calls of it share one code that tells little: `xargs`, `parallel`.
    Xargs,
    /// Any failing call makes the code 1: `find -exec … +`.
    FindExec,
}

/// Commands whose own failure is no reason to doubt another one's answer on the same line.
const HARMLESS: &[&str] = &[
    ".", ":", "alias", "bg", "break", "continue", "cd", "declare", "disown", "dirs", "echo",
    "export", "jobs", "local", "popd", "printf", "pushd", "pwd", "readonly", "set", "shift",
    "shopt", "sleep", "source", "trap", "true", "typeset", "ulimit", "umask", "unalias", "unset",
    "clear", "gtrue", "gecho",
];

/// Commands that only pass text on; as a part of a pipeline they practically never fail.
const FILTERS: &[&str] = &[
    "base64", "cat", "column", "cut", "date", "env", "fold", "head", "less", "ls", "more", "nl",
    "paste", "ps", "rev", "sed", "seq", "sort", "tac", "tail", "tee", "tr", "uniq", "wc", "yes",
];

impl Suspect {
    /// A program with its arguments.
    pub fn program(name: &str, args: Vec<String>, code: i32) -> Self {
        let unlikely = HARMLESS.contains(&name);
        Self::new(
            Who::Program {
                name: name.to_owned(),
                args,
            },
            code,
            unlikely,
        )
    }

    /// The script's own choice.
    pub fn script(code: i32) -> Self {
        Self::new(Who::Script, code, false)
    }

    /// A command that is not looked at.
    pub fn unknown(code: i32) -> Self {
        Self::new(Who::Unknown, code, false)
    }

    fn new(who: Who, code: i32, unlikely: bool) -> Self {
        Self {
            who,
            code,
            word: String::new(),
            negated: false,
            unlikely,
            through: Through::Nothing,
            files: Vec::new(),
        }
    }

    /// Whether it was called by a path, as a project's own scripts are.
    pub fn is_path(&self) -> bool {
        self.word.contains(['/', '\\'])
    }

    /// Whether it only passes text on.
    pub fn is_filter(&self) -> bool {
        match &self.who {
            Who::Program { name, .. } => FILTERS.contains(&name.as_str()),
            Who::Script | Who::Unknown => false,
        }
    }
}

/// The name by which the table knows a program word: no directory, no `.exe`.
pub(super) fn base_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let bytes = name.as_bytes();
    match bytes.len().checked_sub(4).filter(|&start| start > 0) {
        Some(start) if bytes[start..].eq_ignore_ascii_case(b".exe") => &name[..start],
        _ => name,
    }
}

/// Whether a program word names a file outside the directories that programs are installed in, as `./test` does.
pub(super) fn is_of_the_project(word: &str) -> bool {
    const PLACES: [&str; 9] = [
        "bin", ".bin", "sbin", "libexec", "Scripts", "System32", "release", "debug", "git-core",
    ];
    word.rsplit_once(['/', '\\']).is_some_and(|(directory, _)| {
        let last = directory.rsplit(['/', '\\']).next().unwrap_or(directory);
        !PLACES.contains(&last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_installed_in_directories_for_programs() {
        for word in ["./test", "../x/diff", "src/find", "/home/user/grep"] {
            assert!(is_of_the_project(word), "{word}");
        }
        for word in [
            "test",
            "/usr/bin/test",
            "~/.cargo/bin/rg",
            "./node_modules/.bin/rg",
        ] {
            assert!(!is_of_the_project(word), "{word}");
        }
    }

    #[test]
    fn a_program_is_known_by_its_last_component() {
        assert_eq!(base_name("/usr/bin/grep"), "grep");
        assert_eq!(base_name(r"C:\Windows\System32\findstr.EXE"), "findstr");
        assert_eq!(base_name("node_modules/.bin/eslint"), "eslint");
        assert_eq!(base_name("[["), "[[");
        assert_eq!(base_name(".exe"), ".exe");
        assert_eq!(base_name("/"), "");
        assert_eq!(base_name("größe"), "größe");
    }
}
