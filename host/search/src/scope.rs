//! Which files are looked at.

use std::path::PathBuf;

use ignore::types::TypesBuilder;

/// Which files are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// Where to begin: an absolute path of a folder, or of a file, which is looked at whatever the rest says.
    pub root: PathBuf,
    /// Globs that the path below the root must match, in gitignore syntax: one without a slash matches at any depth, one with a
    /// slash from the root on. A leading `!` excludes. The last that matches counts. They choose among what the other rules let
    /// through. Empty = all.
    pub globs: Vec<String>,
    /// The same without regard to case.
    pub case_insensitive_globs: Vec<String>,
    /// File types by ripgrep's names. Empty = all.
    pub types: Vec<String>,
    /// File types that are left out.
    pub types_not: Vec<String>,
    /// Whether hidden files are looked at.
    pub hidden: bool,
    /// Which ignore files are followed.
    pub ignore_files: IgnoreFiles,
    /// Whether symbolic links are followed.
    pub follow_links: bool,
    /// Levels below the root; 1 = what lies in it; none = all.
    pub max_depth: Option<usize>,
    /// Largest size of a file in bytes; none = any.
    pub max_file_bytes: Option<u64>,
}

/// Which ignore files are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IgnoreFiles {
    /// `.ignore` and `.rgignore`.
    pub dot: bool,
    /// `.gitignore`, `.git/info/exclude` and git's global one, in repositories.
    pub vcs: bool,
    /// Also those in folders above the root.
    pub parents: bool,
    /// `.gitignore` only where there is a repository.
    pub require_repository: bool,
}

impl IgnoreFiles {
    /// All of them.
    pub const ALL: Self = Self {
        dot: true,
        vcs: true,
        parents: true,
        require_repository: true,
    };
    /// None of them.
    pub const NONE: Self = Self {
        dot: false,
        vcs: false,
        parents: false,
        require_repository: true,
    };
}

impl Scope {
    /// Everything that is not hidden or ignored, below this absolute path.
    pub fn below(root: PathBuf) -> Self {
        Self {
            root,
            globs: Vec::new(),
            case_insensitive_globs: Vec::new(),
            types: Vec::new(),
            types_not: Vec::new(),
            hidden: false,
            ignore_files: IgnoreFiles::ALL,
            follow_links: false,
            max_depth: None,
            max_file_bytes: None,
        }
    }
}

/// The file types that can be asked for by name, with their globs.
pub fn file_types() -> Vec<(String, Vec<String>)> {
    TypesBuilder::new()
        .add_defaults()
        .definitions()
        .into_iter()
        .map(|it| (it.name().to_owned(), it.globs().to_vec()))
        .collect()
}
