//! Where compiled policies are kept between runs.

use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use wasmtime::{Cache, CacheConfig};

/// Opens the cache in this folder, which is made if need be. None where it cannot be used or belongs to somebody else:
/// what lies in it becomes native code.
pub(crate) fn open(folder: &Path) -> Option<Cache> {
    let attempt = || -> Result<Cache, String> {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| error.to_string())?;
        let metadata = std::fs::metadata(folder).map_err(|error| error.to_string())?;
        let ours = std::fs::metadata("/proc/self").map_err(|error| error.to_string())?;
        if metadata.uid() != ours.uid() {
            return Err("it belongs to somebody else".into());
        }
        if metadata.mode() & 0o022 != 0 {
            return Err("others may write to it".into());
        }
        let mut config = CacheConfig::new();
        config.with_directory(folder);
        Cache::new(config).map_err(|error| format!("{error:#}"))
    };
    match attempt() {
        Ok(cache) => Some(cache),
        Err(reason) => {
            tracing::warn!(folder = %folder.display(), reason, "no cache for compiled policies");
            None
        }
    }
}
