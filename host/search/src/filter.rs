//! The globs and types of a scope, ready to be asked.

use std::path::Path;

use ignore::Match;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use crate::error::SearchError;
use crate::scope::Scope;

/// Longest globs together, in bytes.
const MAX_GLOB_BYTES: usize = 64 << 10;
/// Most names of file types that differ from a mistyped one in this many characters.
const SLIP: usize = 2;

/// What globs and types say to a path.
pub(crate) struct Filter {
    globs: Override,
    types: Types,
}

impl Filter {
    /// Compiles globs, which are anchored at this folder, and types.
    pub(crate) fn of(scope: &Scope, folder: &Path) -> Result<Self, SearchError> {
        Ok(Self {
            globs: globs(scope, folder)?,
            types: types(scope)?,
        })
    }

    /// Whether a file is wanted.
    pub(crate) fn wants_file(&self, path: &Path) -> bool {
        !self.globs.matched(path, false).is_ignore() && !self.types.matched(path, false).is_ignore()
    }

    /// Whether a type asks for this file by name, which brings it back from being hidden.
    pub(crate) fn unhides(&self, path: &Path) -> bool {
        matches!(self.types.matched(path, false), Match::Whitelist(_))
    }

    /// Whether something wanted may be in a folder.
    pub(crate) fn wants_folder(&self, path: &Path) -> bool {
        !self.globs.matched(path, true).is_ignore()
    }
}

fn globs(scope: &Scope, folder: &Path) -> Result<Override, SearchError> {
    let all = || scope.globs.iter().chain(&scope.case_insensitive_globs);
    let bytes: usize = all().map(String::len).sum();
    if bytes > MAX_GLOB_BYTES {
        return Err(SearchError::BadGlob {
            glob: all().next().map(|glob| beginning(glob)).unwrap_or_default(),
            reason: format!(
                "globs of {bytes} bytes are too long; at most {MAX_GLOB_BYTES} are allowed"
            ),
        });
    }
    let mut builder = OverrideBuilder::new(folder);
    let bad = |glob: &str, error: &ignore::Error| SearchError::BadGlob {
        glob: beginning(glob),
        reason: reason(error),
    };
    for glob in &scope.globs {
        builder.add(glob).map_err(|error| bad(glob, &error))?;
    }
    builder
        .case_insensitive(true)
        .map_err(|error| bad("", &error))?;
    for glob in &scope.case_insensitive_globs {
        builder.add(glob).map_err(|error| bad(glob, &error))?;
    }
    builder.build().map_err(|error| bad("", &error))
}

/// The words of the engine without the glob, which is told apart.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        ignore::Error::WithLineNumber { err, .. } | ignore::Error::WithPath { err, .. } => {
            reason(err)
        }
        error => error.to_string(),
    }
}

fn beginning(glob: &str) -> String {
    glob.chars().take(200).collect()
}

fn types(scope: &Scope) -> Result<Types, SearchError> {
    let mut builder = TypesBuilder::new();
    if scope.types.is_empty() && scope.types_not.is_empty() {
        return Ok(Types::empty());
    }
    builder.add_defaults();
    for name in &scope.types {
        builder.select(name);
    }
    for name in &scope.types_not {
        builder.negate(name);
    }
    builder.build().map_err(|error| match error {
        ignore::Error::UnrecognizedFileType(name) => SearchError::UnknownType {
            nearest: nearest(&name, &builder),
            name,
        },
        error => SearchError::UnknownType {
            name: error.to_string(),
            nearest: None,
        },
    })
}

/// The type that is spelled most like this one, or that has such an extension.
fn nearest(name: &str, builder: &TypesBuilder) -> Option<String> {
    let definitions = builder.definitions();
    let by_extension = definitions
        .iter()
        .find(|it| it.globs().iter().any(|glob| *glob == format!("*.{name}")));
    let by_spelling = || {
        definitions
            .iter()
            .map(|it| (strsim::levenshtein(name, it.name()), it))
            .filter(|(edits, _)| *edits <= SLIP.min(name.len() / 2))
            .min_by_key(|(edits, _)| *edits)
            .map(|(_, it)| it)
    };
    by_extension
        .or_else(by_spelling)
        .map(|it| it.name().to_owned())
}
