//! Walking through the files of a scope: what is let through, and what is counted instead.

use std::collections::HashSet;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::error::SearchError;
use crate::filter::Filter;
use crate::limits::Watch;
use crate::listing::{Kind, kind, list};
use crate::mounts::PseudoMounts;
use crate::rules::{Rules, Ruling};
use crate::scope::Scope;
use crate::tally::Tally;

/// A folder that is to be listed.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// Levels below the root.
    pub(crate) depth: usize,
    rules: Rules,
}

/// What a folder holds that was let through, by name.
#[derive(Debug)]
pub(crate) enum Found {
    File(PathBuf),
    Folder(Folder),
}

/// Where a walk begins.
#[derive(Debug)]
pub(crate) enum Start {
    File(PathBuf),
    Folder(Folder),
}

/// What the caller calls the paths of a walk. A walk goes below the root without links, which ignore files are compared to.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    base: PathBuf,
    root: PathBuf,
}

impl Names {
    /// A path below the root as that was given.
    pub(crate) fn shown(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.base) {
            Ok(rest) if rest.as_os_str().is_empty() => self.root.clone(),
            Ok(rest) if self.base != self.root => self.root.join(rest),
            _ => path.to_owned(),
        }
    }

    /// A path relative to the root.
    pub(crate) fn below<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.base).unwrap_or(path)
    }
}

/// Lists folders of one scope.
pub(crate) struct Walker<'a> {
    scope: &'a Scope,
    filter: Filter,
    watch: Watch,
    mounts: PseudoMounts,
    /// Device and inode of each folder that was entered, where links are followed.
    seen: HashSet<(u64, u64)>,
    pub(crate) names: Names,
    pub(crate) tally: Tally,
}

impl<'a> Walker<'a> {
    /// Checks a scope and finds its beginning.
    pub(crate) fn new(scope: &'a Scope, watch: Watch) -> Result<(Self, Start), SearchError> {
        let bad = |reason: String| SearchError::BadRoot {
            root: scope.root.clone(),
            reason,
        };
        let base = scope.root.canonicalize().map_err(|error| {
            bad(match error.kind() {
                io::ErrorKind::NotFound => "does not exist".into(),
                _ => format!("cannot be read: {error}"),
            })
        })?;
        let metadata = base
            .metadata()
            .map_err(|error| bad(format!("cannot be read: {error}")))?;
        let is_folder = metadata.is_dir();
        let folder = if is_folder {
            &*base
        } else {
            base.parent().unwrap_or(&base)
        };
        let filter = Filter::of(scope, folder)?;
        let mounts = PseudoMounts::read();
        let mut walker = Self {
            scope,
            filter,
            watch,
            mounts,
            seen: HashSet::new(),
            names: Names {
                base,
                root: scope.root.clone(),
            },
            tally: Tally::default(),
        };
        match kind(metadata.file_type()) {
            Kind::File => {
                walker.tally.wanted = 1;
                let start = Start::File(walker.names.base.clone());
                Ok((walker, start))
            }
            Kind::Folder if walker.mounts.is_in(&walker.names.base) => Err(bad(
                "is in a pseudo file system, which holds no files".into(),
            )),
            Kind::Folder => {
                let rules = Rules::above(&walker.names.base, scope.ignore_files);
                walker.seen.insert((metadata.dev(), metadata.ino()));
                let path = walker.names.base.clone();
                let folder = Folder {
                    path,
                    depth: 0,
                    rules,
                };
                Ok((walker, Start::Folder(folder)))
            }
            _ => Err(bad(
                "is neither a file nor a folder; devices, sockets and FIFOs are never opened"
                    .into(),
            )),
        }
    }

    /// Lists a folder.
    pub(crate) fn read(&mut self, folder: &Folder) -> Vec<Found> {
        if self.scope.max_depth.is_some_and(|max| folder.depth >= max) {
            return Vec::new();
        }
        self.tally.folders += 1;
        let watch = &self.watch;
        let listing = match list(&folder.path, || watch.goes_on()) {
            Ok(listing) => listing,
            Err(error) => {
                let shown = self.names.shown(&folder.path);
                self.tally.unreadable(&shown, &error);
                return Vec::new();
            }
        };
        if let Some(error) = &listing.error {
            let shown = self.names.shown(&folder.path);
            self.tally.unreadable(&shown, error);
        }
        let rules = folder.rules.enter(&folder.path, listing.present);
        let depth = folder.depth + 1;
        listing
            .entries
            .into_iter()
            .filter_map(|entry| {
                let is_hidden = entry.is_hidden();
                self.entry(
                    folder.path.join(entry.name),
                    entry.kind,
                    is_hidden,
                    depth,
                    &rules,
                )
            })
            .collect()
    }

    fn entry(
        &mut self,
        path: PathBuf,
        kind: Kind,
        is_hidden: bool,
        depth: usize,
        rules: &Rules,
    ) -> Option<Found> {
        let kind = if kind == Kind::Link && self.scope.follow_links {
            match path.metadata() {
                Ok(metadata) => self::kind(metadata.file_type()),
                Err(error) => {
                    let shown = self.names.shown(&path);
                    self.tally.unreadable(&shown, &error);
                    return None;
                }
            }
        } else {
            kind
        };
        let is_folder = kind == Kind::Folder;
        match rules.rule(&path, is_folder) {
            Ruling::Ignored => {
                self.tally.skipped.ignored += 1;
                return None;
            }
            Ruling::None
                if is_hidden
                    && !self.scope.hidden
                    && (is_folder || !self.filter.unhides(&path)) =>
            {
                self.tally.skipped.hidden += 1;
                return None;
            }
            _ => {}
        }
        match kind {
            Kind::File => self.file(path),
            Kind::Folder => self.folder(path, depth, rules),
            Kind::Link => {
                self.tally.skipped.links += 1;
                None
            }
            Kind::Special => {
                self.tally.skipped.special += 1;
                None
            }
        }
    }

    fn file(&mut self, path: PathBuf) -> Option<Found> {
        if !self.filter.wants_file(&path) {
            self.tally.unwanted += 1;
            return None;
        }
        if let Some(max) = self.scope.max_file_bytes
            && path.metadata().is_ok_and(|file| file.len() > max)
        {
            self.tally.skipped.too_large += 1;
            return None;
        }
        self.tally.wanted += 1;
        Some(Found::File(path))
    }

    fn folder(&mut self, path: PathBuf, depth: usize, rules: &Rules) -> Option<Found> {
        if !self.filter.wants_folder(&path) {
            return None;
        }
        if self.mounts.is_at(&path) {
            self.tally.skipped.pseudo += 1;
            return None;
        }
        if self.scope.follow_links {
            let metadata = path.metadata().ok()?;
            if !self.seen.insert((metadata.dev(), metadata.ino())) {
                self.tally.skipped.looped += 1;
                return None;
            }
        }
        Some(Found::Folder(Folder {
            path,
            depth,
            rules: rules.clone(),
        }))
    }
}

/// The files below a folder, depth first and by name: in the order of their paths.
pub(crate) struct InOrder {
    /// What is left of each folder that has been entered, last first.
    open: Vec<std::vec::IntoIter<Found>>,
}

impl InOrder {
    pub(crate) fn of(walker: &mut Walker<'_>, folder: &Folder) -> Self {
        Self {
            open: vec![walker.read(folder).into_iter()],
        }
    }

    /// The next file.
    pub(crate) fn next(&mut self, walker: &mut Walker<'_>) -> Option<PathBuf> {
        while let Some(current) = self.open.last_mut() {
            match current.next() {
                Some(Found::File(path)) => return Some(path),
                Some(Found::Folder(folder)) => {
                    if !walker.watch.goes_on() {
                        return None;
                    }
                    let found = walker.read(&folder);
                    self.open.push(found.into_iter());
                }
                None => {
                    self.open.pop();
                }
            }
        }
        None
    }
}
