//! Why a policy was not loaded.

use std::path::PathBuf;

use ostler_terminal::policy::PolicyFailure;

/// Why a policy was not loaded. The one that was current before stays current.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("policy {path}: cannot be read: {source}", path = .path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is larger than a policy may be.
    #[error("policy {name}: {bytes} bytes are more than the {max_bytes} that a policy may have")]
    TooLarge {
        /// Which policy.
        name: String,
        /// Its size.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
    },
    /// It is no component.
    #[error("policy {name}: {what}")]
    NotAComponent {
        /// Which policy.
        name: String,
        /// What it is instead, and what to do.
        what: String,
    },
    /// It cannot be compiled.
    #[error("policy {name}: not a valid component: {reason}")]
    Invalid {
        /// Which policy.
        name: String,
        /// The validator's message.
        reason: String,
    },
    /// It asks for something that a policy does not get.
    #[error("policy {name}: it imports `{import}`, which a policy does not get; {advice}")]
    ForbiddenImport {
        /// Which policy.
        name: String,
        /// What it imports.
        import: String,
        /// What to do.
        advice: &'static str,
    },
    /// It does not export the contract, or another version of it.
    #[error("policy {name}: {what}")]
    WrongContract {
        /// Which policy.
        name: String,
        /// What is missing and what was found.
        what: String,
    },
    /// It broke while it was tried.
    #[error("{0}")]
    Broke(#[from] PolicyFailure),
    /// It does not take its settings.
    #[error("policy {name}: its settings are not accepted: {reason}")]
    Settings {
        /// Which policy.
        name: String,
        /// Its own words.
        reason: String,
    },
    /// It contradicts its own description.
    #[error("policy {name}: rule {rule}: {what}")]
    OwnExample {
        /// Which policy.
        name: String,
        /// Which rule.
        rule: String,
        /// How.
        what: String,
    },
    /// The WebAssembly engine cannot be set up on this machine.
    #[error("the WebAssembly engine cannot be set up: {0}")]
    Engine(String),
}
