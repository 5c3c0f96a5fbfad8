//! A digest of everything that the guest is built from, so that a stale `policy.wasm` shows.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Folders and files whose content decides what the guest does.
const SOURCES: &[&str] = &[
    "guest/src",
    "guest/Cargo.toml",
    "guest/build",
    "guest/cargo",
    "wit",
];
/// The guest's package name in the lock file.
const PACKAGE: &str = "ostler-policy";

/// Hexadecimal SHA-256 over the guest's sources and over the lock file's entries for its dependencies, in path order.
///
/// # Errors
/// Where a source cannot be read or the lock file is not understood.
pub fn digest(root: &Path) -> io::Result<String> {
    let mut files = BTreeSet::new();
    for source in SOURCES {
        collect(&root.join(source), &mut files)?;
    }
    let mut hash = Sha256::new();
    for file in &files {
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
        let content = std::fs::read(file)?;
        // Lengths keep two different trees from looking alike.
        hash.update(format!("{name}\0{}\0", content.len()));
        hash.update(content);
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))?;
    for entry in lock_entries(&lock).map_err(io::Error::other)? {
        hash.update(entry);
        hash.update(b"\n");
    }
    Ok(hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

fn collect(path: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else {
        files.insert(path.to_owned());
    }
    Ok(())
}

/// `name version checksum` of every package that the guest depends on, sorted.
fn lock_entries(lock: &str) -> Result<BTreeSet<String>, String> {
    let lock: toml::Table = lock
        .parse()
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let packages = packages.ok_or("Cargo.lock: has no packages")?;
    let text = |package: &toml::Value, key: &str| {
        package
            .get(key)
            .and_then(toml::Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let mut entries = BTreeSet::new();
    // A dependency is written as `name`, or as `name version` where several versions exist.
    let mut wanted = vec![PACKAGE.to_owned()];
    while let Some(dependency) = wanted.pop() {
        let (name, version) = dependency.split_once(' ').unwrap_or((&dependency, ""));
        for package in packages {
            let found = (text(package, "name"), text(package, "version"));
            if found.0 != name || !(version.is_empty() || version == found.1) {
                continue;
            }
            let entry = format!("{} {} {}", found.0, found.1, text(package, "checksum"));
            if entries.insert(entry) {
                let dependencies = package.get("dependencies").and_then(toml::Value::as_array);
                wanted.extend(
                    dependencies
                        .into_iter()
                        .flatten()
                        .filter_map(|dependency| dependency.as_str().map(ToOwned::to_owned)),
                );
            }
        }
    }
    Ok(entries)
}
