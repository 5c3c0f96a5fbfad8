//! Why a search could not be made.

use std::path::PathBuf;

/// Why a search could not be made. Nothing was looked at.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The pattern is not a regular expression.
    #[error("pattern: {0}")]
    BadPattern(String),
    /// The pattern is longer, or needs more memory, than it may.
    #[error("pattern: too big: {0}")]
    PatternTooBig(String),
    /// A glob is not valid.
    #[error("glob {glob:?}: {reason}")]
    BadGlob {
        /// Which.
        glob: String,
        /// Why.
        reason: String,
    },
    /// There is no such file type.
    #[error("there is no file type {name:?}{}", suggestion(.nearest.as_deref()))]
    UnknownType {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// The root does not exist or cannot be read.
    #[error("{}: {reason}", .root.display())]
    BadRoot {
        /// Which.
        root: PathBuf,
        /// Why.
        reason: String,
    },
    /// The system gives no thread.
    #[error("no thread to search on: {0}")]
    NoThread(std::io::Error),
}

fn suggestion(nearest: Option<&str>) -> String {
    match nearest {
        Some(name) => format!("; did you mean {name:?}?"),
        None => "; they are ripgrep's, such as rust, py, js, ts, go, c, cpp, java, md, json, yaml"
            .into(),
    }
}
