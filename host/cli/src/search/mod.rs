//! Searching as ripgrep's users know it: the flags, the form of what is found, and the faces `ostler rg` and `ostler glob`.

pub mod flags;
pub mod glob;
mod paint;
mod refused;
pub mod rg;
pub mod view;

use std::path::{Path, PathBuf};

/// A path that somebody typed, as the root of a search, and the way back to how it was typed.
#[derive(Debug, Clone)]
pub struct Root {
    /// The absolute path.
    pub path: PathBuf,
    typed: PathBuf,
}

impl Root {
    /// A typed path, relative to this folder.
    pub fn typed(typed: &Path, folder: &Path) -> Self {
        let path = folder.join(typed);
        // `.` and what stands for it: what is found is then called by its name alone.
        let is_here = typed
            .components()
            .all(|part| part == std::path::Component::CurDir);
        Self {
            path: if is_here { folder.to_owned() } else { path },
            typed: if is_here {
                PathBuf::new()
            } else {
                typed.to_owned()
            },
        }
    }

    /// A path that was found, called as the root was typed.
    pub fn shown(&self, found: &Path) -> PathBuf {
        match found.strip_prefix(&self.path) {
            Ok(rest) if rest.as_os_str().is_empty() && self.typed.as_os_str().is_empty() => {
                ".".into()
            }
            Ok(rest) if rest.as_os_str().is_empty() => self.typed.clone(),
            Ok(rest) => self.typed.join(rest),
            Err(_) => found.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_called_as_the_root_was_typed() {
        for (typed, found, shown) in [
            (".", "/w/a/b", "a/b"),
            ("", "/w/a/b", "a/b"),
            ("./.", "/w/a/b", "a/b"),
            ("a", "/w/a/b", "a/b"),
            ("./a", "/w/a/b", "./a/b"),
            ("/w/a", "/w/a/b", "/w/a/b"),
            ("a/b", "/w/a/b", "a/b"),
        ] {
            let root = Root::typed(Path::new(typed), Path::new("/w"));
            assert_eq!(root.shown(Path::new(found)), Path::new(shown), "{typed}");
        }
    }
}
