//! What `terminal_exec` takes, as agents are told.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use crate::mcp::command::{LimitParameters, OnExitArgument};
use crate::mcp::values::{Seconds, ShellArgument, Whole};

/// The name of the tool.
pub const NAME: &str = "terminal_exec";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Run one command and return its output, exit code and what that means. Pipes, globs, `&&`, quotes and variables \
work: a shell is used when the text needs one, else the program is started directly. Every call starts afresh: `cd` \
and variables do not last, so use `cwd` and `env`. A command that takes longer than `auto_background_after_sec` goes on as a \
job: the answer has `auto_backgrounded`, a `job_id` and offsets to read on from with terminal_job_logs. At `timeout_sec` \
from the start, job or not, it and everything it started is ended. Processes left behind with `&` or nohup are told as \
`survivors` and live on as `job_id` under the same deadline; start servers with terminal_job_start. Long output is cut at `max_output_kb` per stream; read the rest with terminal_output_get. \
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
    /// Deadline in seconds from the start, also for a job; 0 = none.
    #[schemars(default = "default_timeout")]
    timeout_sec: Seconds,
    /// Seconds after which a running command becomes a job; 0 = never. The smaller of this and timeout_sec (0 apart) is at most 220.
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
    /// Whether escape sequences and overwritten progress lines are left out of the output.
    #[schemars(default)]
    plain: bool,
    /// What becomes of processes that outlive the command: "linger" = they live on as a job, "kill" = they are ended.
    #[schemars(default)]
    on_exit: OnExitArgument,
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
    "plain",
    "on_exit",
];

pub fn default_timeout() -> Seconds {
    Seconds::whole(60)
}

pub fn default_auto_background() -> Seconds {
    Seconds::whole(30)
}

pub fn default_max_output_kb() -> Whole {
    Whole(256)
}
