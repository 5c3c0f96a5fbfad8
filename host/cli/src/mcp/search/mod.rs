//! The tools that search files.

pub mod glob;
pub mod rg;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ostler_search::{Limits, SearchError, Stop};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{Semaphore, oneshot};

use super::arguments::{Arguments, BadArgument};
use super::jobs::answer::Failure;
use super::values::{Seconds, Whole};
use crate::search::Root;

/// Searches at the same time; more wait for their turn. Each has one thread to walk and one for each core.
const AT_ONCE: usize = 8;
/// Longest that a search may take, in seconds.
const MAX_SECONDS: u64 = 220;
/// KiB of an answer, unless asked otherwise.
const DEFAULT_KB: i64 = 256;
/// Most KiB that can be asked for.
const MAX_KB: i64 = 65_536;

/// Runs searches on threads of their own.
pub struct Searches(Arc<Semaphore>);

impl Searches {
    /// None yet.
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }

    /// Runs a search aside. One whose caller does not wait any more is stopped.
    async fn run<R: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        search: impl FnOnce(&Stop) -> Result<R, SearchError> + Send + 'static,
    ) -> Result<R, Failure> {
        let permit = Arc::clone(&self.0).acquire_owned().await;
        let stop = Stop::default();
        let searched = stop.clone();
        let (sender, mut result) = oneshot::channel();
        thread::Builder::new()
            .name("search".into())
            .spawn(move || {
                // Nobody waits for the result of one that was cancelled.
                let _ = sender.send(search(&searched));
                drop(permit);
            })
            .map_err(|error| failure(&SearchError::NoThread(error)))?;
        let result = tokio::select! {
            result = &mut result => result,
            () = context.ct.cancelled() => {
                stop.stop();
                result.await
            }
        };
        result
            .map_err(|_| Failure::new("internal", "the search broke off"))?
            .map_err(|error| failure(&error))
    }
}

/// Why a search could not be made, with its word.
fn failure(error: &SearchError) -> Failure {
    let code = match error {
        SearchError::BadPattern(_) => "bad_pattern",
        SearchError::PatternTooBig(_) => "pattern_too_big",
        SearchError::BadGlob { .. } => "bad_glob",
        SearchError::UnknownType { .. } => "unknown_type",
        SearchError::BadRoot { .. } => "bad_path",
        SearchError::NoThread(_) => "exhausted",
    };
    Failure::new(code, error.to_string())
}

/// Reads `path` and `session_cwd`.
fn root(arguments: &mut Arguments) -> Result<Root, BadArgument> {
    let typed = arguments
        .optional::<String>("path")?
        .unwrap_or_else(|| ".".into());
    let base = arguments.optional::<String>("session_cwd")?;
    for (field, path) in [("path", Some(&typed)), ("session_cwd", base.as_ref())] {
        if path.is_some_and(|path| path.contains('\0')) {
            return Err(BadArgument::new(
                field,
                "holds a NUL character, which no path can",
            ));
        }
    }
    let here = || {
        std::env::current_dir().map_err(|error| {
            BadArgument::new(
                "path",
                format!("the server has no working directory: {error}"),
            )
        })
    };
    let folder = match base.filter(|base| !base.is_empty()) {
        Some(base) => {
            let base = PathBuf::from(base);
            if base.is_absolute() {
                base
            } else {
                here()?.join(base)
            }
        }
        None => here()?,
    };
    Ok(Root::typed(typed.as_ref(), &folder))
}

/// Reads `max_results`, `max_output_kb` and `timeout_sec`.
fn limits(arguments: &mut Arguments, max_results: i64) -> Result<Limits, BadArgument> {
    let number = |field: &str, value: Option<Whole>, default: i64, max: i64| match value {
        None => Ok(default),
        Some(Whole(value)) if (1..=max).contains(&value) => Ok(value),
        Some(Whole(value)) => Err(BadArgument::new(
            field,
            format!("{value} is not between 1 and {max}"),
        )),
    };
    let results = number(
        "max_results",
        arguments.optional("max_results")?,
        max_results,
        10_000_000,
    )?;
    let kb = number(
        "max_output_kb",
        arguments.optional("max_output_kb")?,
        DEFAULT_KB,
        MAX_KB,
    )?;
    let time = arguments
        .optional::<Seconds>("timeout_sec")?
        .unwrap_or_else(default_timeout)
        .0;
    if time > Duration::from_secs(MAX_SECONDS) || time.is_zero() {
        let problem = format!("expected more than 0 and at most {MAX_SECONDS} seconds");
        return Err(BadArgument::new("timeout_sec", problem));
    }
    Ok(Limits {
        max_results: results.unsigned_abs(),
        max_bytes: kb.unsigned_abs() << 10,
        time: Some(time),
    })
}

fn default_timeout() -> Seconds {
    Seconds::whole(30)
}

fn default_max_output_kb() -> Whole {
    Whole(DEFAULT_KB)
}

fn default_path() -> String {
    ".".into()
}
