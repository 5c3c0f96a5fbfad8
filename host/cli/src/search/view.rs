//! What a search found, as agents and programs get it.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ostler_search::{Ended, FileLines, Line, Skipped, Tally};
use schemars::JsonSchema;
use serde::Serialize;

use super::Root;

/// A path as text, and exactly where text cannot say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct PathView {
    /// The path; U+FFFD stands for what is not UTF-8.
    pub path: String,
    /// The exact bytes in base64, where the path is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_base64: Option<String>,
}

impl PathView {
    /// This path.
    pub fn of(path: &Path) -> Self {
        let (text, exact) = text(path.as_os_str().as_bytes());
        Self {
            path: text,
            path_base64: exact,
        }
    }
}

/// A line that matches, or that stands near one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct LineView {
    /// The file.
    #[serde(flatten)]
    pub path: PathView,
    /// Number of the line, from 1.
    pub line: u64,
    /// Byte in the line at which the first match begins, from 1; only of matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The line without its end; of a long one the part around the first match.
    pub text: String,
    /// The exact bytes in base64, where the line is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_base64: Option<String>,
    /// From which to which byte of the shown part the pattern matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub submatches: Vec<[u32; 2]>,
    /// Bytes of the line before the shown part.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut_before: u64,
    /// Bytes of the line behind the shown part.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut_after: u64,
}

impl LineView {
    /// A line of this file.
    pub fn of(path: &PathView, line: &Line) -> Self {
        let (text, text_base64) = text(&line.bytes);
        Self {
            path: path.clone(),
            line: line.number,
            column: line.is_match.then(|| line.column()),
            text,
            text_base64,
            submatches: line.spans.iter().map(|it| [it.start, it.end]).collect(),
            cut_before: line.cut_before,
            cut_after: line.cut_after,
        }
    }
}

/// How many lines match in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct CountView {
    /// The file.
    #[serde(flatten)]
    pub path: PathView,
    /// Matching lines.
    pub count: u64,
}

impl CountView {
    /// What was found in a file.
    pub fn of(found: &FileLines, root: &Root) -> Self {
        Self {
            path: PathView::of(&root.shown(&found.path)),
            count: found.matched,
        }
    }
}

/// What was not looked at. A folder counts as one, whatever is in it. What is 0 is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SkippedView {
    /// Hidden files and folders.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: u64,
    /// Ruled out by .gitignore and its like.
    #[serde(skip_serializing_if = "is_zero")]
    pub ignored: u64,
    /// Binary files, which are left at their first NUL byte.
    #[serde(skip_serializing_if = "is_zero")]
    pub binary: u64,
    /// Larger than --max-filesize.
    #[serde(skip_serializing_if = "is_zero")]
    pub too_large: u64,
    /// Could not be read, or not to the end.
    #[serde(skip_serializing_if = "is_zero")]
    pub unreadable: u64,
    /// FIFOs, sockets and devices, which are never opened.
    #[serde(skip_serializing_if = "is_zero")]
    pub special: u64,
    /// Symbolic links that were not followed.
    #[serde(skip_serializing_if = "is_zero")]
    pub links: u64,
    /// Folders that had been seen by another way.
    #[serde(skip_serializing_if = "is_zero")]
    pub looped: u64,
    /// Pseudo file systems such as /proc.
    #[serde(skip_serializing_if = "is_zero")]
    pub pseudo: u64,
}

impl From<Skipped> for SkippedView {
    fn from(skipped: Skipped) -> Self {
        let Skipped {
            hidden,
            ignored,
            binary,
            too_large,
            unreadable,
            special,
            links,
            looped,
            pseudo,
        } = skipped;
        Self {
            hidden,
            ignored,
            binary,
            too_large,
            unreadable,
            special,
            links,
            looped,
            pseudo,
        }
    }
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct UnreadableView {
    /// What.
    #[serde(flatten)]
    pub path: PathView,
    /// Why.
    pub error: String,
}

/// How far a search got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct AccountView {
    /// Whether there is, or may be, more than what was told.
    pub truncated: bool,
    /// What ended the search early: "results", "bytes", "time" or "cancelled".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Files that were looked at.
    pub files_searched: u64,
    /// What was not looked at.
    pub skipped: SkippedView,
    /// Binary files, the first ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub binary_files: Vec<PathView>,
    /// What could not be read and why, the first ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<UnreadableView>,
    /// What may help where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl AccountView {
    /// How a search that found this much ended.
    pub fn of(ended: Ended, tally: &Tally, root: &Root, found: u64) -> Self {
        let limit = limit_word(ended);
        Self {
            truncated: limit.is_some(),
            limit,
            files_searched: tally.files,
            skipped: tally.skipped.into(),
            binary_files: tally
                .binary
                .iter()
                .map(|it| PathView::of(&root.shown(it)))
                .collect(),
            errors: tally
                .errors
                .iter()
                .map(|(path, error)| UnreadableView {
                    path: PathView::of(&root.shown(path)),
                    error: error.clone(),
                })
                .collect(),
            hint: (found == 0 && ended == Ended::Complete)
                .then(|| hint(tally))
                .flatten(),
        }
    }

    /// Its soft errors as ripgrep prints them, one a line.
    pub fn stderr(&self) -> String {
        let line = |it: &UnreadableView| format!("{}: {}\n", it.path.path, it.error);
        self.errors.iter().map(line).collect()
    }
}

/// What ended a search early, in a word.
pub fn limit_word(ended: Ended) -> Option<&'static str> {
    match ended {
        Ended::Complete => None,
        Ended::Results => Some("results"),
        Ended::Bytes => Some("bytes"),
        Ended::Time => Some("time"),
        Ended::Stopped => Some("cancelled"),
    }
}

/// Why nothing may have been found.
fn hint(tally: &Tally) -> Option<String> {
    let Skipped {
        hidden,
        ignored,
        binary,
        ..
    } = tally.skipped;
    if tally.wanted == 0 && tally.unwanted > 0 {
        return Some(format!(
            "no file matches the globs and types ({} do not): a glob with a slash is anchored at the path, \
             `**/` in front of it matches at any depth",
            tally.unwanted
        ));
    }
    let parts: Vec<String> = [
        (hidden, "hidden (hidden: true)"),
        (ignored, "ruled out by ignore files (no_ignore: true)"),
        (binary, "binary (extra_args: [\"-a\"])"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    (!parts.is_empty()).then(|| format!("not searched: {}", parts.join(", ")))
}

/// Bytes as text, and exactly where text cannot say them.
fn text(bytes: &[u8]) -> (String, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        Err(_) => (
            String::from_utf8_lossy(bytes).into_owned(),
            Some(BASE64.encode(bytes)),
        ),
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
