//! What `terminal_exec` takes, as agents are told.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::mcp::values::{Seconds, ShellArgument, Whole};

/// The name of the tool.
pub const NAME: &str = "terminal_exec";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Run one command and return its output, exit code and what that means. Pipes, globs, `&&`, quotes and variables \
work: a shell is used when the text needs one, else the program is started directly. Every call starts afresh: `cd` \
and variables do not last, so use `cwd` and `env`. The command stays in the foreground until it ends or `timeout_sec` \
is over; then it and everything it started is ended, and what it printed so far is returned. Processes left behind with \
`&` or nohup are ended too. Long output is cut at `max_output_kb` per stream; read the rest with terminal_output_get. \
Look at `semantic_status`, not at `exit_code` alone: grep without a match exits with 1 and is \"ok\". `warning` tells \
that the command may have destroyed something; `blocked` that a policy refused it: do not rephrase it to get through, \
tell the person.";

/// Parameters of `terminal_exec`.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[expect(
    dead_code,
    reason = "the schema is made from it; the fields are read by name, to tell mistakes by name"
)]
pub struct Parameters {
    /// The command line, as in a shell. At most 1 MiB; longer scripts go to stdin (`command: "bash -s"`).
    command: String,
    /// Working directory. Default: that of the server.
    #[schemars(default)]
    cwd: Option<String>,
    /// Variables to set in addition to those of the server.
    #[schemars(default)]
    env: Option<BTreeMap<String, String>>,
    /// Deadline in seconds from the start; 0 = none, then the command is ended after 220 s.
    #[schemars(default = "default_timeout")]
    timeout_sec: Seconds,
    /// No effect: commands stay in the foreground. The smaller of this and timeout_sec (0 apart) is at most 220.
    #[schemars(default = "default_auto_background")]
    auto_background_after_sec: Seconds,
    /// true = use the platform's shell (bash) whatever the text; or the path or name of an interpreter, not zsh.
    #[schemars(default)]
    shell: ShellArgument,
    /// Text for standard input, which then ends. Without it the command reads end of file at once.
    #[schemars(default)]
    stdin: Option<String>,
    /// Bounds on each process of the command.
    #[schemars(default)]
    limits: Option<LimitParameters>,
    /// Most KiB to return of each stream.
    #[schemars(default = "default_max_output_kb", range(min = 1))]
    max_output_kb: Whole,
}

/// Bounds on each process of a command; what is left out is not bounded.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct LimitParameters {
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

/// The names of the parameters that agents are told.
pub const KNOWN: &[&str] = &[
    "command",
    "cwd",
    "env",
    "timeout_sec",
    "auto_background_after_sec",
    "shell",
    "stdin",
    "limits",
    "max_output_kb",
];

/// Set by hosts of agents, not by agents: a base for `cwd`, and an identity, which is no business of a tool argument.
pub const HIDDEN: &[&str] = &["session_cwd", "crm_principal"];

pub fn default_timeout() -> Seconds {
    Seconds::whole(60)
}

pub fn default_auto_background() -> Seconds {
    Seconds::whole(30)
}

pub fn default_max_output_kb() -> Whole {
    Whole(256)
}
