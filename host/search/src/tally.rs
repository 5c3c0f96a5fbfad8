//! What a search looked at, and what it did not look at and why.

use std::io;
use std::path::{Path, PathBuf};

/// Examples that are kept of each kind.
const EXAMPLES: usize = 10;

/// Entries that were not looked at. A folder counts as one, whatever is in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Hidden: the name begins with a dot.
    pub hidden: u64,
    /// Ruled out by ignore files.
    pub ignored: u64,
    /// Left when they turned out to be binary. What stood before the first NUL byte was searched.
    pub binary: u64,
    /// Larger than was wanted.
    pub too_large: u64,
    /// Could not be read, or not to the end.
    pub unreadable: u64,
    /// FIFOs, sockets and devices.
    pub special: u64,
    /// Symbolic links that were not followed.
    pub links: u64,
    /// Folders that were seen already by another way.
    pub looped: u64,
    /// Pseudo file systems, such as /proc.
    pub pseudo: u64,
}

/// What a search looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files that were read, or whose names were compared.
    pub files: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Folders that were listed.
    pub folders: u64,
    /// Files that globs or types let through.
    pub wanted: u64,
    /// Files that globs or types ruled out.
    pub unwanted: u64,
    /// What was left out.
    pub skipped: Skipped,
    /// Binary files, the first ones.
    pub binary: Vec<PathBuf>,
    /// What could not be read and why, the first ones.
    pub errors: Vec<(PathBuf, String)>,
}

impl Tally {
    /// Notes something that could not be read.
    pub(crate) fn unreadable(&mut self, path: &Path, error: &io::Error) {
        self.skipped.unreadable += 1;
        if self.errors.len() < EXAMPLES {
            self.errors.push((path.to_owned(), error.to_string()));
        }
    }

    /// Notes a binary file.
    pub(crate) fn binary(&mut self, path: &Path) {
        self.skipped.binary += 1;
        if self.binary.len() < EXAMPLES {
            self.binary.push(path.to_owned());
        }
    }

    /// Adds what another part of the same search looked at.
    pub(crate) fn add(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.folders += other.folders;
        self.wanted += other.wanted;
        self.unwanted += other.unwanted;
        let (ours, theirs) = (&mut self.skipped, other.skipped);
        for (ours, theirs) in [
            (&mut ours.hidden, theirs.hidden),
            (&mut ours.ignored, theirs.ignored),
            (&mut ours.binary, theirs.binary),
            (&mut ours.too_large, theirs.too_large),
            (&mut ours.unreadable, theirs.unreadable),
            (&mut ours.special, theirs.special),
            (&mut ours.links, theirs.links),
            (&mut ours.looped, theirs.looped),
            (&mut ours.pseudo, theirs.pseudo),
        ] {
            *ours += theirs;
        }
        let room = EXAMPLES.saturating_sub(self.binary.len());
        self.binary.extend(other.binary.into_iter().take(room));
        let room = EXAMPLES.saturating_sub(self.errors.len());
        self.errors.extend(other.errors.into_iter().take(room));
    }
}
