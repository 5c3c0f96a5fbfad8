//! The arguments that describe a command, the same for every tool that starts one.

use std::path::PathBuf;
use std::time::Duration;

use ostler_terminal::process::Limits;
use ostler_terminal::{Command, MAX_DEADLINE, OnExit};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::arguments::{Arguments, BadArgument};
use super::values::{Seconds, ShellArgument, Whole};
use crate::wishes;

/// Set by hosts of agents, not by agents: a base for `cwd`, and an identity, which is no business of a tool argument.
pub const HIDDEN: &[&str] = &["session_cwd", "crm_principal"];

/// What becomes of processes that outlive the command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum OnExitArgument {
    /// They live on as a job.
    #[default]
    Linger,
    /// They are ended.
    Kill,
}

impl From<OnExitArgument> for OnExit {
    fn from(argument: OnExitArgument) -> Self {
        match argument {
            OnExitArgument::Linger => Self::Linger,
            OnExitArgument::Kill => Self::Kill,
        }
    }
}

/// Bounds on each process of a command; what is left out is not bounded.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct LimitParameters {
    /// CPU time in seconds.
    #[schemars(range(min = 1))]
    cpu_sec: Option<Whole>,
    /// Address space in MiB.
    #[schemars(range(min = 1))]
    rss_mb: Option<Whole>,
    /// Size of each file written, in MiB.
    #[schemars(range(min = 1))]
    fsize_mb: Option<Whole>,
    /// Open file descriptors.
    #[schemars(range(min = 1))]
    nofile: Option<Whole>,
}

/// Reads `command`, `cwd`, `session_cwd`, `env`, `shell`, `limits` and `on_exit`.
///
/// # Errors
/// Names the field that is wrong.
pub fn read(arguments: &mut Arguments) -> Result<Command, BadArgument> {
    let mut command = Command::new(arguments.required::<String>("command")?);
    let cwd = arguments.optional::<String>("cwd")?;
    let session_cwd = arguments.optional::<String>("session_cwd")?;
    command.cwd = working_directory(cwd, session_cwd)?;
    for (name, value) in arguments.optional::<JsonObject>("env")?.unwrap_or_default() {
        let Value::String(value) = value else {
            let problem = format!("expected a string, found {value}");
            return Err(BadArgument::new(format!("env.{name}"), problem));
        };
        command.environment.set.push((name.into(), value.into()));
    }
    command.shell = arguments
        .optional::<ShellArgument>("shell")?
        .unwrap_or_default()
        .0;
    if let Some(given) = arguments.optional::<JsonObject>("limits")? {
        command.limits = limits(given)?;
    }
    command.on_exit = arguments
        .optional::<OnExitArgument>("on_exit")?
        .unwrap_or_default()
        .into();
    Ok(command)
}

/// The deadline that `timeout_sec` stands for; 0 = none.
///
/// # Errors
/// Where it is longer than can be meant.
pub fn deadline(timeout: Seconds) -> Result<Option<Duration>, BadArgument> {
    let deadline = timeout.non_zero();
    if deadline.is_some_and(|deadline| deadline > MAX_DEADLINE) {
        let problem = format!(
            "more than {} seconds cannot be meant",
            MAX_DEADLINE.as_secs()
        );
        return Err(BadArgument::new("timeout_sec", problem));
    }
    Ok(deadline)
}

/// An absolute `cwd` stands for itself, a relative one starts at the base, and without one it is the base.
fn working_directory(
    cwd: Option<String>,
    base: Option<String>,
) -> Result<Option<PathBuf>, BadArgument> {
    for (field, path) in [("cwd", &cwd), ("session_cwd", &base)] {
        let Some(path) = path else { continue };
        if path.is_empty() {
            return Err(BadArgument::new(
                field,
                "is empty; leave it out for the default, or give a path",
            ));
        }
        if path.contains('\0') {
            return Err(BadArgument::new(
                field,
                "holds a NUL character, which no path can",
            ));
        }
    }
    Ok(match (cwd, base) {
        (Some(cwd), Some(base)) => Some(PathBuf::from(base).join(cwd)),
        (cwd, base) => cwd.or(base).map(PathBuf::from),
    })
}

fn limits(given: JsonObject) -> Result<Limits, BadArgument> {
    let mut arguments = Arguments::of_object(given, "limits.", &wishes::LIMIT_NAMES)?;
    let mut limits = Limits::default();
    for name in wishes::LIMIT_NAMES {
        if let Some(Whole(value)) = arguments.optional(name)? {
            wishes::set_limit(&mut limits, name, value)
                .map_err(|problem| BadArgument::new(format!("limits.{name}"), problem))?;
        }
    }
    Ok(limits)
}
