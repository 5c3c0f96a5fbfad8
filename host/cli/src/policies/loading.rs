//! The first policy, getting ready while the face already talks.

use std::sync::{Arc, OnceLock};
use std::thread;

use anyhow::Context as _;
use ostler_policy_engine::{LoadError, LoadedPolicy};
use ostler_terminal::policy::{
    Classification, Ending, Identity, Policy, PolicyFailure, Request, Review, ReviewError,
};
use tokio::sync::oneshot;

use super::source::load;
use crate::config::Config;

/// A policy that is being loaded on a thread of its own. Whoever asks it waits until it is there: commands never run
/// unjudged.
pub struct Loading {
    loaded: OnceLock<Result<LoadedPolicy, LoadError>>,
}

impl Loading {
    /// Begins to load the policy of this configuration. The receiver learns when that failed; it is closed when it
    /// succeeded.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub fn begin(config: &Config) -> anyhow::Result<(Arc<Self>, oneshot::Receiver<String>)> {
        let loading = Arc::new(Self {
            loaded: OnceLock::new(),
        });
        let (failed, failure) = oneshot::channel();
        let shared = Arc::clone(&loading);
        let (file, settings) = (config.policy.clone(), config.policy_settings.clone());
        thread::Builder::new()
            .name("policy-loader".into())
            .spawn(move || {
                let result = load(file.as_deref(), settings.as_deref());
                if let Err(error) = &result {
                    // Nobody listens any more when the process is about to end; that is fine.
                    let _ = failed.send(error.to_string());
                }
                let _ = shared.loaded.set(result);
            })
            .context("no thread to load the policy on")?;
        Ok((loading, failure))
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
    fn identity(&self) -> Identity {
        match self.loaded.wait() {
            Ok(policy) => policy.identity(),
            Err(_) => Identity::new("none", "", ""),
        }
    }

    fn review(&self, request: &Request) -> Result<Review, ReviewError> {
        self.wait("review")?.review(request)
    }

    fn classify(&self, command: &str, ending: &Ending) -> Result<Classification, PolicyFailure> {
        self.wait("classify")?.classify(command, ending)
    }
}
