//! Finding files by name, nearest first.

use std::cmp::Reverse;
use std::fs::Metadata;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use globset::{GlobBuilder, GlobMatcher};

use crate::error::SearchError;
use crate::limits::{Ended, Limits, RESULT_BYTES, Stop, Watch};
use crate::scope::Scope;
use crate::tally::Tally;
use crate::walk::{Folder, Found, Start, Walker};

/// Longest pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 16 << 10;

/// Which names are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileQuery {
    /// A glob that the path below the root must match. `*` and `?` do not match a slash, `**` does; `{a,b}` and `[a-z]` work.
    pub pattern: String,
    /// Whether case does not count.
    pub ignore_case: bool,
    /// What is told.
    pub wanted: Wanted,
}

/// What is told of what is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Files.
    #[default]
    Files,
    /// Folders.
    Folders,
    /// Both.
    Both,
}

/// How a search went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// What ended it.
    pub ended: Ended,
    /// What was looked at.
    pub tally: Tally,
    /// Paths that were told.
    pub matched: u64,
}

/// Widens a pattern to what people mean by it: one with a slash stays as it is; another one with a wildcard matches names at
/// any depth; a plain word matches names that contain it, at any depth.
pub fn expand_pattern(pattern: &str) -> String {
    if pattern.contains('/') {
        pattern.to_owned()
    } else if pattern.contains(['*', '?', '[', '{']) {
        format!("**/{pattern}")
    } else {
        format!("**/*{pattern}*")
    }
}

/// A path that matches, with what it is ordered by.
struct Hit {
    path: PathBuf,
    modified: Reverse<Option<SystemTime>>,
}

/// Tells the paths that match: those with fewer folders above them first; of these the ones that were changed last; then by
/// name. Folders that lie deeper than what is wanted are not looked at. Blocks until it has ended; the caller may end it by
/// what it returns.
///
/// # Errors
/// [`SearchError`] where the pattern or the scope cannot be used.
pub fn find_files(
    query: &FileQuery,
    scope: &Scope,
    limits: &Limits,
    stop: &Stop,
    mut each: impl FnMut(&Path) -> ControlFlow<()>,
) -> Result<FileReport, SearchError> {
    let matcher = matcher(query)?;
    let watch = Watch::new(stop.clone(), limits);
    let (mut walker, start) = Walker::new(scope, watch.clone())?;
    let mut report = FileReport {
        ended: Ended::Complete,
        tally: Tally::default(),
        matched: 0,
    };
    let mut bytes = 0;
    let mut tell = |hits: Vec<Hit>, walker: &Walker<'_>, report: &mut FileReport| {
        for hit in hits {
            let path = walker.names.shown(&hit.path);
            bytes += path.as_os_str().len() as u64 + RESULT_BYTES;
            report.ended = if report.matched >= limits.max_results {
                Ended::Results
            } else if bytes > limits.max_bytes {
                Ended::Bytes
            } else if each(&path).is_break() {
                Ended::Stopped
            } else {
                report.matched += 1;
                continue;
            };
            return false;
        }
        true
    };
    match start {
        Start::File(path) => {
            let name = path.file_name().map(Path::new).unwrap_or(&path);
            let is_hit = query.wanted != Wanted::Folders && matcher.is_match(name);
            walker.tally.files = 1;
            let hits = is_hit.then(|| Hit::of(path)).into_iter().collect();
            tell(hits, &walker, &mut report);
        }
        Start::Folder(root) => {
            let mut level = vec![root];
            while !level.is_empty() && watch.goes_on() {
                let (mut hits, below) = read_level(level, query, &matcher, &mut walker, &watch);
                hits.sort_unstable_by(|one, other| {
                    (one.modified, &one.path).cmp(&(other.modified, &other.path))
                });
                if !tell(hits, &walker, &mut report) {
                    break;
                }
                level = below;
            }
        }
    }
    if report.ended == Ended::Complete {
        report.ended = watch.ended();
    }
    report.tally = walker.tally;
    Ok(report)
}

/// Lists all folders of one depth: what matches in them, and the folders of the next depth.
fn read_level(
    level: Vec<Folder>,
    query: &FileQuery,
    matcher: &GlobMatcher,
    walker: &mut Walker<'_>,
    watch: &Watch,
) -> (Vec<Hit>, Vec<Folder>) {
    let (mut hits, mut below) = (Vec::new(), Vec::new());
    for folder in level {
        if !watch.goes_on() {
            break;
        }
        for found in walker.read(&folder) {
            match found {
                Found::File(path) => {
                    walker.tally.files += 1;
                    if query.wanted != Wanted::Folders
                        && matcher.is_match(walker.names.below(&path))
                    {
                        hits.push(Hit::of(path));
                    }
                }
                Found::Folder(folder) => {
                    if query.wanted != Wanted::Files
                        && matcher.is_match(walker.names.below(&folder.path))
                    {
                        hits.push(Hit::of(folder.path.clone()));
                    }
                    below.push(folder);
                }
            }
        }
    }
    (hits, below)
}

impl Hit {
    fn of(path: PathBuf) -> Self {
        let modified = path.symlink_metadata().as_ref().ok().and_then(modified);
        Self {
            path,
            modified: Reverse(modified),
        }
    }
}

fn modified(metadata: &Metadata) -> Option<SystemTime> {
    metadata.modified().ok()
}

fn matcher(query: &FileQuery) -> Result<GlobMatcher, SearchError> {
    let bad = |reason: String| SearchError::BadGlob {
        glob: query.pattern.chars().take(200).collect(),
        reason,
    };
    let bytes = query.pattern.len();
    if bytes > MAX_PATTERN_BYTES {
        return Err(bad(format!(
            "{bytes} bytes are too long; at most {MAX_PATTERN_BYTES} are allowed"
        )));
    }
    if query.pattern.is_empty() {
        return Err(bad("is empty".into()));
    }
    let glob = GlobBuilder::new(&query.pattern)
        .literal_separator(true)
        .case_insensitive(query.ignore_case)
        .build()
        .map_err(|error| bad(error.kind().to_string()))?;
    Ok(glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_widened_to_what_people_mean() {
        for (pattern, expanded) in [
            ("main", "**/*main*"),
            ("*.rs", "**/*.rs"),
            ("ma?n", "**/ma?n"),
            ("{a,b}", "**/{a,b}"),
            ("src/*.rs", "src/*.rs"),
            ("**/x", "**/x"),
        ] {
            assert_eq!(expand_pattern(pattern), expanded);
        }
    }
}
