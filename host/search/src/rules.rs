//! Ignore files, as ripgrep follows them: those of a folder and of every folder above it.
//!
//! Precedence, highest first: `.rgignore`, `.ignore`, `.gitignore`, `.git/info/exclude`, git's global one; of each kind the
//! deepest folder that says something counts. Git's own stop at the border of the repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::scope::IgnoreFiles;

/// What ignore files say to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// Nothing.
    None,
    /// To leave it out.
    Ignored,
    /// To look at it, also where it is hidden.
    Wanted,
}

/// The ignore files that hold in a folder.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    switches: IgnoreFiles,
    global: Arc<Gitignore>,
    level: Option<Arc<Level>>,
}

/// Those of one folder.
#[derive(Debug)]
struct Level {
    above: Option<Arc<Level>>,
    /// Whether it is the top of a repository.
    is_repository: bool,
    /// Whether it, or a folder above it, is.
    is_in_repository: bool,
    rgignore: Gitignore,
    dot_ignore: Gitignore,
    gitignore: Gitignore,
    exclude: Gitignore,
}

/// What a listing of a folder showed of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Present {
    pub(crate) rgignore: bool,
    pub(crate) dot_ignore: bool,
    pub(crate) gitignore: bool,
    pub(crate) repository: bool,
}

impl Present {
    /// Notes a name.
    pub(crate) fn note(&mut self, name: &[u8]) {
        match name {
            b".rgignore" => self.rgignore = true,
            b".ignore" => self.dot_ignore = true,
            b".gitignore" => self.gitignore = true,
            b".git" | b".jj" => self.repository = true,
            _ => {}
        }
    }

    fn of(folder: &Path) -> Self {
        let has = |name: &str| folder.join(name).exists();
        Self {
            rgignore: has(".rgignore"),
            dot_ignore: has(".ignore"),
            gitignore: has(".gitignore"),
            repository: has(".git") || has(".jj"),
        }
    }

    fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

impl Rules {
    /// Those that hold above this folder, an absolute path without links.
    pub(crate) fn above(folder: &Path, switches: IgnoreFiles) -> Self {
        let global = if switches.vcs {
            GitignoreBuilder::new(folder).build_global().0
        } else {
            Gitignore::empty()
        };
        let mut rules = Self {
            switches,
            global: Arc::new(global),
            level: None,
        };
        if switches.parents || switches.vcs {
            let above: Vec<&Path> = folder.ancestors().skip(1).collect();
            for folder in above.into_iter().rev() {
                let mut present = Present::of(folder);
                if !switches.parents {
                    // Whether this is a repository counts all the same.
                    present = Present {
                        repository: present.repository,
                        ..Present::default()
                    };
                }
                rules = rules.enter(folder, present);
            }
        }
        rules
    }

    /// Those that hold in a folder of this one.
    pub(crate) fn enter(&self, folder: &Path, present: Present) -> Self {
        if present.is_nothing() {
            return self.clone();
        }
        let IgnoreFiles { dot, vcs, .. } = self.switches;
        let read = |is_wanted: bool, name: &str| {
            if is_wanted {
                // One that cannot be read rules nothing.
                let mut builder = GitignoreBuilder::new(folder);
                builder.add(folder.join(name));
                builder.build().unwrap_or_else(|_| Gitignore::empty())
            } else {
                Gitignore::empty()
            }
        };
        let exclude = (vcs && present.repository)
            .then(|| git_folder(folder))
            .flatten()
            .map(|git| git.join("info/exclude"));
        let is_in_repository =
            present.repository || self.level.as_ref().is_some_and(|it| it.is_in_repository);
        let level = Level {
            above: self.level.clone(),
            is_repository: present.repository,
            is_in_repository,
            rgignore: read(dot && present.rgignore, ".rgignore"),
            dot_ignore: read(dot && present.dot_ignore, ".ignore"),
            gitignore: read(vcs && present.gitignore, ".gitignore"),
            exclude: match exclude {
                Some(file) => {
                    let mut builder = GitignoreBuilder::new(folder);
                    builder.add(file);
                    builder.build().unwrap_or_else(|_| Gitignore::empty())
                }
                None => Gitignore::empty(),
            },
        };
        Self {
            level: Some(Arc::new(level)),
            ..self.clone()
        }
    }

    /// What they say to a path in this folder, which is an absolute path without links above it.
    pub(crate) fn rule(&self, path: &Path, is_folder: bool) -> Ruling {
        let git_counts = !self.switches.require_repository
            || self.level.as_ref().is_some_and(|it| it.is_in_repository);
        let mut by_kind = [const { Match::None }; 4];
        let mut is_inside = git_counts;
        let mut next = self.level.as_deref();
        while let Some(level) = next {
            let kinds = [
                (&level.rgignore, true),
                (&level.dot_ignore, true),
                (&level.gitignore, is_inside),
                (&level.exclude, is_inside),
            ];
            for (found, (matcher, holds)) in by_kind.iter_mut().zip(kinds) {
                if holds && found.is_none() && !matcher.is_empty() {
                    *found = matcher.matched(path, is_folder);
                }
            }
            is_inside &= !level.is_repository;
            next = level.above.as_deref();
        }
        let said = by_kind.into_iter().find(|it| !it.is_none());
        let said = said.or_else(|| git_counts.then(|| self.global.matched(path, is_folder)));
        match said {
            Some(Match::Ignore(_)) => Ruling::Ignored,
            Some(Match::Whitelist(_)) => Ruling::Wanted,
            _ => Ruling::None,
        }
    }
}

/// Where the repository of this folder keeps its files: `.git` itself or, in a work tree of it, what `.git` and then
/// `commondir` name (gitrepository-layout(5)).
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = std::fs::read_to_string(&git).ok()?;
    let real = folder.join(text.strip_prefix("gitdir: ")?.trim_end());
    let common = std::fs::read_to_string(real.join("commondir")).ok()?;
    Some(real.join(common.trim_end()))
}
