//! Searching as agents and people do it, and as ripgrep does it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod cli;
mod parity;
mod tools;

use std::fs;
use std::path::Path;

/// Writes files with their content below a folder.
fn write(folder: &Path, files: &[(&str, &[u8])]) {
    for (name, content) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}
