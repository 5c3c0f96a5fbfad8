//! A policy that has been loaded and proved, ready to be asked.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ostler_terminal::policy::{
    Classification, Dialect, Ending, Identity, Policy, PolicyFailure, Request, Review, ReviewError,
    Severity,
};
use sha2::{Digest, Sha256};

use crate::ask::{Question, Unanswered};
use crate::bindings::{PolicyGuestPre, policy as wit};
use crate::engine::Engine;
use crate::error::LoadError;
use crate::sandbox::Sandbox;
use crate::{convert, imports, prove};

/// The policy that this program carries: `guest/policy.wasm`.
const EMBEDDED: &[u8] = include_bytes!("../../../guest/policy.wasm");
/// Its SHA-256, as sha256sum(1) prints it. A test of the project compares it.
const EMBEDDED_DIGEST: &str = include_str!("../../../guest/policy.sha256");

/// Where a policy comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The default policy, built into the program. The project's tests prove it; it is not proved again at each start.
    Embedded,
    /// A component file.
    File(PathBuf),
}

/// One rule that a policy knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleDescription {
    /// Identifier, `family.name`.
    pub id: String,
    /// What it is about, a few words.
    pub title: String,
    /// The severity of its plain form.
    pub severity: Severity,
    /// A command that it finds.
    pub example: String,
    /// The language of both examples.
    pub dialect: Dialect,
    /// A similar command that it must not find.
    pub counter_example: String,
}

/// A policy that has been loaded and proved. Each question gets a fresh instance.
pub struct LoadedPolicy {
    engine: Engine,
    pre: PolicyGuestPre<Sandbox>,
    settings: Option<String>,
    description: OnceLock<wit::Description>,
    identity: Identity,
}

impl LoadedPolicy {
    /// Loads a policy: validates it, checks what it imports and exports, instantiates and describes it, hands it its
    /// settings (JSON, if any) and asks it its own examples.
    ///
    /// # Errors
    /// [`LoadError`] with the step that failed and what to do about it.
    pub fn load(
        engine: &Engine,
        source: &Source,
        settings: Option<String>,
    ) -> Result<Self, LoadError> {
        let (name, bytes) = match source {
            Source::Embedded => ("default".to_owned(), Cow::Borrowed(EMBEDDED)),
            Source::File(path) => (path.display().to_string(), Cow::Owned(read(path, engine)?)),
        };
        let sha256 = match source {
            Source::Embedded => EMBEDDED_DIGEST
                .split(' ')
                .next()
                .unwrap_or_default()
                .to_owned(),
            Source::File(_) => sha256(&bytes),
        };
        let mut policy = Self {
            engine: engine.clone(),
            pre: compile(engine, &name, &bytes, &sha256)?,
            settings,
            identity: Identity::new("default", env!("CARGO_PKG_VERSION"), &digest(&sha256)),
            description: OnceLock::new(),
        };
        if *source == Source::Embedded {
            policy.configure(&name)?;
            return Ok(policy);
        }
        policy.identity = Identity::new(&name, "", &digest(&sha256));
        let description = policy.describe()?;
        prove::description(description, &name)?;
        let identity = Identity::new(
            &description.name,
            &description.version,
            &policy.identity.digest,
        );
        policy.identity = identity;
        policy.configure(&name)?;
        prove::own_examples(&policy, &policy.describe()?.rules, &name)?;
        Ok(policy)
    }

    /// The rules that it can report, as it describes them.
    ///
    /// # Errors
    /// Where it breaks on the question.
    pub fn rules(&self) -> Result<Vec<RuleDescription>, PolicyFailure> {
        Ok(self.describe()?.rules.iter().map(convert::rule).collect())
    }

    /// What it says of itself: always the same, so it is asked once.
    fn describe(&self) -> Result<&wit::Description, PolicyFailure> {
        if let Some(description) = self.description.get() {
            return Ok(description);
        }
        let description = self
            .ask("describe", None, async |guest, store| {
                guest.call_describe(store).await
            })
            .map_err(|unanswered| unanswered.of(self.identity.to_string()))?;
        Ok(self.description.get_or_init(|| description))
    }

    /// Makes an instance, as each question gets one, and asks it nothing.
    ///
    /// # Errors
    /// Where it breaks on that.
    pub fn instantiate(&self) -> Result<(), PolicyFailure> {
        self.ask("instantiate", self.settings.as_deref(), async |_, _| Ok(()))
            .map_err(|unanswered| unanswered.of(self.identity.to_string()))
    }

    /// Tries the settings, where there are any.
    fn configure(&self, name: &str) -> Result<(), LoadError> {
        let Some(settings) = self.settings.as_deref() else {
            return Ok(());
        };
        self.ask("configure", Some(settings), async |_, _| Ok(()))
            .map_err(|unanswered| match unanswered {
                Unanswered::Settings(reason) => LoadError::Settings {
                    name: name.to_owned(),
                    reason,
                },
                broke => LoadError::Broke(broke.of(name.to_owned())),
            })
    }

    fn ask<R>(
        &self,
        call: &'static str,
        settings: Option<&str>,
        question: impl AsyncFnOnce(&wit::Guest, &mut wasmtime::Store<Sandbox>) -> wasmtime::Result<R>,
    ) -> Result<R, Unanswered> {
        Question {
            engine: &self.engine,
            pre: &self.pre,
            settings,
            call,
        }
        .ask(question)
    }

    fn malformed(&self, call: &'static str, what: String) -> PolicyFailure {
        let what = format!("its answer is malformed: {what}");
        PolicyFailure {
            policy: self.identity.to_string(),
            call,
            what,
            output: String::new(),
        }
    }
}

impl Policy for LoadedPolicy {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn review(&self, request: &Request) -> Result<Review, ReviewError> {
        const CALL: &str = "review";
        let question = convert::request(request);
        let answer = self
            .ask(CALL, self.settings.as_deref(), async |guest, store| {
                guest.call_review(store, &question).await
            })
            .map_err(|unanswered| unanswered.of(self.identity.to_string()))?;
        let answer = match answer {
            Ok(review) => convert::review(review, &request.command).map(Ok),
            Err(rejection) => convert::rejection(rejection).map(Err),
        };
        match answer {
            Ok(Ok(review)) => Ok(review),
            Ok(Err(rejection)) => Err(rejection.into()),
            Err(what) => Err(self.malformed(CALL, what).into()),
        }
    }

    fn classify(&self, command: &str, ending: &Ending) -> Result<Classification, PolicyFailure> {
        const CALL: &str = "classify";
        let ending = convert::ending(ending);
        let answer = self
            .ask(CALL, self.settings.as_deref(), async |guest, store| {
                guest.call_classify(store, command, &ending).await
            })
            .map_err(|unanswered| unanswered.of(self.identity.to_string()))?;
        convert::classification(answer).map_err(|what| self.malformed(CALL, what))
    }
}

/// Makes code of a component that asks for nothing it may not have and exports the contract.
fn compile(
    engine: &Engine,
    name: &str,
    bytes: &[u8],
    sha256: &str,
) -> Result<PolicyGuestPre<Sandbox>, LoadError> {
    prove::is_component(bytes, name)?;
    let component = engine
        .compile(bytes, sha256)
        .map_err(|error| LoadError::Invalid {
            name: name.to_owned(),
            reason: error.root_cause().to_string(),
        })?;
    imports::check(engine.wasmtime(), &component, name)?;
    prove::exports_contract(engine.wasmtime(), &component, name)?;
    engine
        .linker()
        .instantiate_pre(&component)
        .and_then(PolicyGuestPre::new)
        .map_err(|error| LoadError::WrongContract {
            name: name.to_owned(),
            what: format!("it does not fit the contract: {error:#}"),
        })
}

/// Enough of a SHA-256 in hexadecimal to tell two policies apart.
fn digest(sha256: &str) -> String {
    format!("sha256:{}", sha256.get(..12).unwrap_or(sha256))
}

/// SHA-256 in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let mut digest = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}

/// Reads a component file, unless it is larger than a policy may be.
fn read(path: &Path, engine: &Engine) -> Result<Vec<u8>, LoadError> {
    let unreadable = |source| LoadError::Read {
        path: path.to_owned(),
        source,
    };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    let max_bytes = engine.limits().component_bytes;
    if metadata.is_file() && metadata.len() > max_bytes {
        let name = path.display().to_string();
        return Err(LoadError::TooLarge {
            name,
            bytes: metadata.len(),
            max_bytes,
        });
    }
    if !metadata.is_file() {
        let problem = std::io::Error::other("it is not a file");
        return Err(unreadable(problem));
    }
    std::fs::read(path).map_err(unreadable)
}
