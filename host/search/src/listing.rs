//! The entries of one folder.

use std::ffi::OsString;
use std::fs::FileType;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::rules::Present;

/// What an entry is, as the folder itself says it: nothing is opened or followed for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Special,
}

/// An entry of a folder.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: OsString,
    pub(crate) kind: Kind,
}

impl Entry {
    pub(crate) fn is_hidden(&self) -> bool {
        self.name.as_bytes().first() == Some(&b'.')
    }
}

/// What is in a folder, by name, and which ignore files are among it.
pub(crate) struct Listing {
    pub(crate) entries: Vec<Entry>,
    pub(crate) present: Present,
    /// What could not be read to the end.
    pub(crate) error: Option<io::Error>,
}

/// Lists a folder.
pub(crate) fn list(folder: &Path, mut goes_on: impl FnMut() -> bool) -> io::Result<Listing> {
    let mut listing = Listing {
        entries: Vec::new(),
        present: Present::default(),
        error: None,
    };
    for (number, entry) in std::fs::read_dir(folder)?.enumerate() {
        // A folder may have millions of entries.
        if number % 4096 == 4095 && !goes_on() {
            break;
        }
        let (entry, kind) = match entry.and_then(|entry| {
            let kind = kind(entry.file_type()?);
            Ok((entry, kind))
        }) {
            Ok(known) => known,
            Err(error) => {
                listing.error = Some(error);
                continue;
            }
        };
        let name = entry.file_name();
        listing.present.note(name.as_bytes());
        listing.entries.push(Entry { name, kind });
    }
    listing
        .entries
        .sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok(listing)
}

pub(crate) fn kind(kind: FileType) -> Kind {
    if kind.is_file() {
        Kind::File
    } else if kind.is_dir() {
        Kind::Folder
    } else if kind.is_symlink() {
        Kind::Link
    } else {
        Kind::Special
    }
}
