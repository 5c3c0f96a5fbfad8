//! Which policy judges, and getting it ready while the face already talks.

use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use ostler_policy_engine::{Engine, Limits, LoadError, LoadedPolicy, Source};
use ostler_terminal::policy::{
    Classification, Ending, Policy, PolicyFailure, Request, Review, ReviewError,
};
use tokio::sync::oneshot;

use crate::config::Config;

/// A policy that is being loaded on a thread of its own. Whoever asks it waits until it is there: commands never run
/// unjudged.
pub struct Loading {
    loaded: OnceLock<Result<LoadedPolicy, LoadError>>,
}

impl Loading {
    /// A policy whose loading has not begun.
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            loaded: OnceLock::new(),
        })
    }

    /// Begins to load the policy of this configuration. The receiver learns when that failed; it is closed when it
    /// succeeded.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub fn begin(self: &Arc<Self>, config: &Config) -> anyhow::Result<oneshot::Receiver<String>> {
        let (failed, failure) = oneshot::channel();
        let shared = Arc::clone(self);
        let source = config.policy.clone().map_or(Source::Embedded, Source::File);
        let settings = config.policy_settings.clone();
        std::thread::Builder::new()
            .name("policy-loader".into())
            .spawn(move || {
                // A compiler that panics on a hostile file is a policy that cannot be used, not a wait without end.
                let result = catch_unwind(|| load(&source, settings)).unwrap_or_else(|_| {
                    Err(LoadError::Engine("it panicked over this policy".into()))
                });
                if let Err(error) = &result {
                    // Nobody listens any more when the process is about to end; that is fine.
                    let _ = failed.send(error.to_string());
                }
                let _ = shared.loaded.set(result);
            })
            .context("no thread to load the policy on")?;
        Ok(failure)
    }

    fn wait(&self, call: &'static str) -> Result<&LoadedPolicy, PolicyFailure> {
        self.loaded.wait().as_ref().map_err(|error| PolicyFailure {
            policy: "that was to be loaded".into(),
            call,
            what: error.to_string(),
            output: String::new(),
        })
    }
}

impl Policy for Loading {
    fn identity(&self) -> String {
        match self.loaded.wait() {
            Ok(policy) => policy.identity(),
            Err(error) => format!("not loaded: {error}"),
        }
    }

    fn review(&self, request: &Request) -> Result<Review, ReviewError> {
        self.wait("review")?.review(request)
    }

    fn classify(&self, command: &str, ending: &Ending) -> Result<Classification, PolicyFailure> {
        self.wait("classify")?.classify(command, ending)
    }
}

fn load(source: &Source, settings: Option<String>) -> Result<LoadedPolicy, LoadError> {
    let engine = Engine::new(Limits::default(), cache_folder().as_deref())?;
    LoadedPolicy::load(&engine, source, settings)
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
