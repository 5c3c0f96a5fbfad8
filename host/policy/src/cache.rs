//! Where compiled policies are kept between runs: one file each, mapped into memory as it is.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use wasmtime::Engine;
use wasmtime::component::Component;

/// Files that are kept, the ones that were written last. One is some 5 MiB.
const MAX_FILES: usize = 32;

/// A folder of compiled policies.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache in this folder, which is made if need be. None where it cannot be used or others may write there: what lies
    /// in it becomes native code.
    pub(crate) fn open(folder: &Path) -> Option<Self> {
        match usable(folder) {
            Ok(()) => Some(Self {
                folder: folder.to_owned(),
            }),
            Err(reason) => {
                tracing::warn!(folder = %folder.display(), reason, "no cache for compiled policies");
                None
            }
        }
    }

    /// The compiled form of the component with this digest, if it is there and was made by this engine's like.
    pub(crate) fn load(&self, engine: &Engine, sha256: &str) -> Option<Component> {
        let file = self.file(engine, sha256);
        let metadata = file.symlink_metadata().ok()?;
        if !metadata.is_file() || metadata.uid() != own_uid().ok()? {
            return None;
        }
        #[expect(
            unsafe_code,
            reason = "the one call that loads a precompiled component"
        )]
        // SAFETY: files of this name are written by `store` alone, from what this version of the engine has serialized, into a
        // folder that nobody else may write to; they are replaced by renaming and never changed in place.
        let loaded = unsafe { Component::deserialize_file(engine, &file) };
        loaded
            .inspect_err(|error| tracing::debug!(file = %file.display(), %error, "compiled anew"))
            .ok()
    }

    /// Keeps a compiled component. One that cannot be kept costs time at the next start, not function.
    pub(crate) fn store(&self, engine: &Engine, sha256: &str, component: &Component) {
        let attempt = || -> wasmtime::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            file.write_all(&component.serialize()?)?;
            // After a crash of the machine it is whole or not there.
            file.as_file().sync_all()?;
            file.persist(self.file(engine, sha256))?;
            self.forget_oldest()?;
            Ok(())
        };
        if let Err(error) = attempt() {
            tracing::debug!(folder = %self.folder.display(), %error, "a compiled policy was not kept");
        }
    }

    fn file(&self, engine: &Engine, sha256: &str) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        self.folder
            .join(format!("{sha256}-{:016x}.cwasm", hasher.finish()))
    }

    fn forget_oldest(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, PathBuf)> = std::fs::read_dir(&self.folder)?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let is_ours = entry.path().extension().is_some_and(|it| it == "cwasm");
                let modified = entry.metadata().ok()?.modified().ok()?;
                is_ours.then(|| (modified, entry.path()))
            })
            .collect();
        files.sort_unstable();
        let surplus = files.len().saturating_sub(MAX_FILES);
        for (_, file) in files.drain(..surplus) {
            std::fs::remove_file(file)?;
        }
        Ok(())
    }
}

fn usable(folder: &Path) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(told)?;
    let metadata = std::fs::metadata(folder).map_err(told)?;
    if metadata.uid() != own_uid().map_err(told)? {
        return Err("it belongs to somebody else".into());
    }
    if metadata.mode() & 0o022 != 0 {
        return Err("others may write to it".into());
    }
    Ok(())
}

fn own_uid() -> io::Result<u32> {
    Ok(std::fs::metadata("/proc/self")?.uid())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn component(engine: &Engine) -> Component {
        // The magic number, version and layer of an empty one.
        Component::from_binary(engine, b"\0asm\x0d\0\x01\0").unwrap()
    }

    #[test]
    fn what_was_kept_is_loaded_and_what_is_damaged_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (engine, cache) = (Engine::default(), Cache::open(folder.path()).unwrap());
        assert!(cache.load(&engine, "a").is_none());
        cache.store(&engine, "a", &component(&engine));
        assert!(cache.load(&engine, "a").is_some());
        std::fs::write(cache.file(&engine, "a"), "garbage").unwrap();
        assert!(cache.load(&engine, "a").is_none());
    }

    #[test]
    fn another_engine_does_not_see_it() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let engine = Engine::default();
        let other = Engine::new(wasmtime::Config::new().consume_fuel(true)).unwrap();
        cache.store(&engine, "a", &component(&engine));
        assert!(cache.load(&other, "a").is_none());
    }

    #[test]
    fn only_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (engine, cache) = (Engine::default(), Cache::open(folder.path()).unwrap());
        let component = component(&engine);
        for number in 0..MAX_FILES + 3 {
            cache.store(&engine, &number.to_string(), &component);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), MAX_FILES);
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        assert!(Cache::open(folder.path()).is_none());
        assert!(Cache::open(Path::new("/proc/nowhere")).is_none());
    }
}
