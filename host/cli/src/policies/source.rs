//! Loading a policy: the engine that all of them share, and where compiled ones are kept.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ostler_policy_engine::{Engine, Limits, LoadError, LoadedPolicy, Source};

/// The engine of this process, once it is needed.
static ENGINE: Mutex<Option<Engine>> = Mutex::new(None);

/// The engine of this process.
///
/// # Errors
/// Where this machine cannot run WebAssembly.
pub fn engine() -> Result<Engine, LoadError> {
    let mut shared = ENGINE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(engine) = &*shared {
        return Ok(engine.clone());
    }
    let engine = Engine::new(Limits::default(), cache_folder().as_deref())?;
    *shared = Some(engine.clone());
    Ok(engine)
}

/// Loads and proves a policy: the component in this file, or the built-in one.
///
/// # Errors
/// [`LoadError`] says what is wrong with it.
pub fn load(file: Option<&Path>, settings: Option<&str>) -> Result<LoadedPolicy, LoadError> {
    let source = file.map_or(Source::Embedded, |path| Source::File(path.to_owned()));
    // A compiler that panics on a hostile file is a policy that cannot be used, not a wait without end.
    catch_unwind(|| LoadedPolicy::load(&engine()?, &source, settings.map(str::to_owned)))
        .unwrap_or_else(|_| Err(LoadError::Engine("it panicked over this policy".into())))
}

/// Compiled policies are kept in `$XDG_CACHE_HOME/ostler/policies`, else in `~/.cache/ostler/policies`.
fn cache_folder() -> Option<PathBuf> {
    let absolute = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(folder.join("ostler/policies"))
}
