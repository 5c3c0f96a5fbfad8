//! Where a path operand points: into a scratch directory, at a home, at a device, nowhere to be
//! known.

mod known;
mod path;

pub(super) use known::is_cache_name;

use self::known::{CREDENTIAL_TREES, place};
use self::path::{ANY, SOME, UNKNOWN, marked, normalised};
use crate::syntax::Word;

/// What kind of place a path names, for a command that would lose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// `/dev/null`, a standard stream, a socket: nothing can be lost there.
    Nowhere,
    /// A disk.
    Device,
    /// A root, a home, a system tree, the working directory or one above it, a whole repository.
    Root,
    /// Strictly below a scratch directory.
    Temporary,
    /// A tool-made cache by name.
    Cache,
    /// Not known before the command runs.
    Unknown,
    /// Below a system directory.
    System,
    /// A key, a credential, a start-up file, repository internals, a state or database file.
    Precious(Kind),
    /// Anything else.
    Plain,
}

/// What makes a single file precious.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A key or a credential.
    Credential,
    /// Read when a shell or a session starts.
    Startup,
    /// Part of `.git`.
    Repository,
    /// The record of managed infrastructure.
    State,
    /// A database file.
    Database,
}

/// A path operand, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// Its place.
    pub place: Place,
    /// Its path without `.` and `..`, patterns and unknown parts marked.
    path: String,
}

impl Target {
    /// Judges a word as a path, relative to `cwd` where the line has set one.
    pub fn of(word: &Word, cwd: Option<&str>) -> Self {
        Self::from_marked(&marked(word), cwd)
    }

    /// Judges a path that is known only as text, such as an option's value.
    pub fn of_text(text: &str, cwd: Option<&str>) -> Self {
        let home = text.strip_prefix("$HOME").map(|rest| format!("~{rest}"));
        let text = home.as_deref().unwrap_or(text);
        let unknown = text.replace("$(…)", &UNKNOWN.to_string());
        let unknown: String = unknown
            .chars()
            .map(|c| if c == '$' { UNKNOWN } else { c })
            .collect();
        Self::from_marked(&unknown, cwd)
    }

    fn from_marked(text: &str, cwd: Option<&str>) -> Self {
        let rooted = text.starts_with(['/', '~', UNKNOWN]);
        let joined = match cwd {
            Some(cwd) if !rooted && !text.is_empty() => format!("{cwd}/{text}"),
            _ => text.to_owned(),
        };
        let path = normalised(&joined);
        Self {
            place: place(&path),
            path,
        }
    }

    /// Whether it holds a pattern that may match any number of names.
    pub fn open_glob(&self) -> bool {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        self.path.contains(ANY) || (!last.is_empty() && last.chars().all(|c| c == SOME))
    }

    /// Whether it names the same file as another.
    pub fn same_file(&self, other: &Self) -> bool {
        !self.path.is_empty()
            && self.path == other.path
            && !self.path.contains([ANY, SOME, UNKNOWN])
    }

    /// Whether the path is absolute.
    pub fn is_absolute(&self) -> bool {
        self.path.starts_with('/')
    }

    /// Whether it is a home directory or something in one.
    pub fn in_home(&self) -> bool {
        self.path.starts_with('~')
            || self.path.starts_with("/home/")
            || self.path.starts_with("/root")
    }

    /// The last part of the path, without marks' meaning.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The path, where nothing in it is unknown.
    pub fn known_path(&self) -> Option<&str> {
        (!self.path.contains([ANY, SOME, UNKNOWN])).then_some(self.path.as_str())
    }

    /// The path itself or, where it is a pattern for everything in a directory, that directory.
    pub fn is_tree(&self, tree: &str) -> bool {
        self.path == tree
            || self
                .path
                .strip_suffix(ANY)
                .and_then(|path| path.strip_suffix('/'))
                == Some(tree)
    }

    /// Whether a file here is one that its owner would miss at once: of the system, a key,
    /// a start-up file, …
    pub fn is_protected(&self) -> bool {
        match self.place {
            Place::System | Place::Precious(_) | Place::Device => true,
            Place::Root => self.is_absolute(),
            _ => false,
        }
    }

    /// Whether overwriting it would break a machine, a login or a repository.
    /// Data files are written all the time.
    pub fn is_guarded_from_writes(&self) -> bool {
        match self.place {
            Place::Precious(Kind::Startup | Kind::Repository | Kind::State) => true,
            Place::Precious(Kind::Credential) => {
                self.path
                    .split('/')
                    .rev()
                    .skip(1)
                    .any(|part| CREDENTIAL_TREES.contains(&part))
                    || self.file_name() == "authorized_keys"
                    || (self.in_home() && self.file_name().starts_with('.'))
            }
            Place::System => [
                "/usr/local/",
                "/usr/src/",
                "/usr/share/",
                "/root/",
                "/dev/",
                "/proc/",
                "/sys/",
            ]
            .iter()
            .all(|tree| !self.path.starts_with(tree)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Place {
        Target::of_text(text, None).place
    }

    #[test]
    fn scratch_directories_end_at_a_slash_and_survive_no_parent_step() {
        assert_eq!(of("/tmp/x"), Place::Temporary);
        assert_eq!(of("/tmpfiles"), Place::Plain);
        assert_eq!(of("/tmp-backup/db"), Place::Plain);
        assert_eq!(of("/tmp/../home"), Place::Root);
        assert_eq!(of("/tmp/x/../../etc"), Place::Root);
    }

    #[test]
    fn homes_roots_and_everything_above_are_roots() {
        for path in [
            "/",
            "//",
            "~",
            "~/",
            "~root",
            "..",
            "../..",
            ".",
            "./",
            "/srv/",
            ".git",
            "./.git/",
            "/home/user",
        ] {
            assert_eq!(of(path), Place::Root, "{path}");
        }
        for path in ["$HOME", "$HOME/", "C:\\", "C:\\Users\\me", "~/.ssh", "/c"] {
            assert_eq!(of(path), Place::Root, "{path}");
        }
        assert_eq!(of("../project"), Place::Plain);
    }

    #[test]
    fn a_cache_is_known_by_its_last_name_only() {
        assert_eq!(of("a/node_modules"), Place::Cache);
        assert_eq!(of("node_modules/../src"), Place::Plain);
    }

    #[test]
    fn single_files_can_be_precious() {
        assert_eq!(of("~/.ssh/id_rsa"), Place::Precious(Kind::Credential));
        assert_eq!(of("terraform.tfstate"), Place::Precious(Kind::State));
        assert_eq!(of(".git/HEAD"), Place::Precious(Kind::Repository));
        assert_eq!(of("/etc/passwd"), Place::System);
        assert_eq!(of("notes.txt"), Place::Plain);
    }

    #[test]
    fn a_relative_path_is_taken_from_the_directory_the_line_has_gone_to() {
        assert_eq!(
            Target::of_text("build", Some("/tmp/work")).place,
            Place::Temporary
        );
        assert_eq!(Target::of_text("var", Some("/")).place, Place::Root);
    }

    #[test]
    fn devices_and_streams_differ() {
        assert_eq!(of("/dev/sda1"), Place::Device);
        assert_eq!(of("/dev/null"), Place::Nowhere);
        assert_eq!(of("/dev/tcp/host/80"), Place::Nowhere);
    }
}
