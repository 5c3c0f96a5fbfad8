//! The tool `terminal_job_start`: starts a command and returns at once.

use std::collections::BTreeMap;

use ostler_terminal::jobs::Job;
use ostler_terminal::{Command, Stdin, Terminal};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{Answer, Failure};
use super::view::Moment;
use crate::envelope::{FindingView, OpaqueView, PolicyView, ShellKind, gravest};
use crate::mcp::arguments::{Arguments, BadArgument};
use crate::mcp::command::{self, HIDDEN, LimitParameters, OnExitArgument};
use crate::mcp::values::{Seconds, ShellArgument};

/// The name of the tool.
pub const NAME: &str = "terminal_job_start";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Start a command that goes on while you do something else: a server, a watcher, a long build. Returns a `job_id` as soon as \
it runs. The text is read as terminal_exec reads it: pipes, quotes and variables work. Follow it with terminal_job_logs \
(`wait_for` returns when a line such as \"listening on\" appears, `wait_until_exit` when it has ended), write to it and end \
it with terminal_job_manage. Its standard input stays open until you close it: programs that read until end of file need \
`keep_stdin_open: false`. Without `timeout_sec` it runs until it is ended, at the latest with this server.";

/// Parameters of `terminal_job_start`.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[expect(
    dead_code,
    reason = "the schema is made from it; the fields are read by name, to tell mistakes by name"
)]
pub struct Parameters {
    /// The command line, as in a shell. At most 1 MiB.
    command: String,
    /// Working directory. Default: that of the server.
    #[schemars(default)]
    cwd: Option<String>,
    /// Variables to set in addition to those of the server.
    #[schemars(default)]
    env: Option<BTreeMap<String, String>>,
    /// Whether standard error goes into standard output, in the order in which both were written; read it as "merged".
    #[schemars(default)]
    merge_stderr: bool,
    /// true = use the platform's shell (bash) whatever the text; or the path or name of an interpreter, not zsh.
    #[schemars(default)]
    shell: ShellArgument,
    /// A name for the list. Default: the first word of the command.
    #[schemars(default)]
    name: Option<String>,
    /// Bounds on each process of the command.
    #[schemars(default)]
    limits: Option<LimitParameters>,
    /// Deadline in seconds from the start, after which it and everything it started is ended; 0 = none.
    #[schemars(default = "default_timeout")]
    timeout_sec: Seconds,
    /// Text to begin standard input with.
    #[schemars(default)]
    stdin: Option<String>,
    /// Whether standard input stays open for the action "stdin" of terminal_job_manage.
    #[schemars(default = "default_keep_stdin_open")]
    keep_stdin_open: bool,
    /// What becomes of processes that outlive the command: "linger" = they live on as this job, "kill" = they are ended.
    #[schemars(default)]
    on_exit: OnExitArgument,
}

const KNOWN: &[&str] = &[
    "command",
    "cwd",
    "env",
    "merge_stderr",
    "shell",
    "name",
    "limits",
    "timeout_sec",
    "stdin",
    "keep_stdin_open",
    "on_exit",
];

fn default_timeout() -> Seconds {
    Seconds::whole(0)
}

fn default_keep_stdin_open() -> bool {
    true
}

/// A job that was started. The keys up to `merged` are the contract.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Started {
    /// For terminal_job_logs and terminal_job_manage.
    pub job_id: String,
    /// Process id.
    pub pid: Option<i32>,
    /// When it was started, in seconds since 1970.
    pub started_at: f64,
    /// Its name in the list.
    pub name: String,
    /// Whether standard error goes into standard output.
    pub merged: bool,
    /// When it was started, as RFC 3339 says it.
    pub started_at_utc: String,
    /// Whether a shell was used although none was asked for, because the text needs one.
    pub auto_shell: bool,
    /// What reads the text; "direct" = no shell.
    pub shell_kind: ShellKind,
    /// What the command may destroy; it runs all the same.
    pub warning: Option<String>,
    /// Everything the policy found, most severe first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingView>,
    /// Parts of the command that the policy could not see into.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<OpaqueView>,
    /// Which policy judged it.
    pub policy: PolicyView,
}

impl Started {
    fn of(job: &Job) -> Self {
        let moment = Moment::of(job.started_at());
        let review = &job.judged().review;
        Self {
            job_id: job.id().to_string(),
            pid: job.standing().pid.map(|pid| pid.get()),
            started_at: moment.unix_seconds,
            name: job.name().to_owned(),
            merged: job.is_merged(),
            started_at_utc: moment.rfc3339,
            auto_shell: review.invocation.auto_shell,
            shell_kind: review.invocation.dialect.into(),
            warning: gravest(&review.findings).map(|finding| finding.message.clone()),
            findings: review.findings.iter().map(FindingView::of).collect(),
            opaque: review.opaque.iter().map(OpaqueView::of).collect(),
            policy: PolicyView::of(&job.judged().policy),
        }
    }
}

/// Answers one call.
pub async fn call(terminal: &Terminal, arguments: JsonObject) -> Answer<Started> {
    let started = async {
        let command = read(arguments)?;
        let job = terminal.start(command).await;
        job.map(|job| Started::of(&job))
            .map_err(|error| Failure::of_start(&error))
    };
    started.await.into()
}

fn read(given: JsonObject) -> Result<Command, BadArgument> {
    let mut arguments = Arguments::of_call(given, KNOWN, HIDDEN)?;
    let mut command = command::read(&mut arguments)?;
    let timeout = arguments
        .optional("timeout_sec")?
        .unwrap_or_else(default_timeout);
    command.deadline = command::deadline(timeout)?;
    command.merge_stderr = arguments.optional("merge_stderr")?.unwrap_or_default();
    command.name = arguments
        .optional::<String>("name")?
        .filter(|name| !name.is_empty());
    let first = arguments
        .optional::<String>("stdin")?
        .unwrap_or_default()
        .into_bytes();
    let keep_open = arguments
        .optional("keep_stdin_open")?
        .unwrap_or_else(default_keep_stdin_open);
    command.stdin = match (keep_open, first.is_empty()) {
        (true, _) => Stdin::Open(first),
        (false, true) => Stdin::Empty,
        (false, false) => Stdin::Bytes(first),
    };
    Ok(command)
}

#[cfg(test)]
mod tests {
    use ostler_terminal::OnExit;
    use serde_json::{Value, json};

    use super::*;

    fn read_json(value: Value) -> Result<Command, String> {
        read(value.as_object().unwrap().clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_defaults_are_those_of_the_contract() {
        let command = read_json(json!({"command": "ls"})).unwrap();
        assert!(matches!(command.stdin, Stdin::Open(first) if first.is_empty()));
        assert_eq!((command.deadline, command.merge_stderr), (None, false));
        assert_eq!((command.on_exit, command.name), (OnExit::Linger, None));
    }

    #[test]
    fn standard_input_ends_where_it_is_not_kept_open() {
        let stdin = |value| read_json(value).unwrap().stdin;
        assert!(matches!(
            stdin(json!({"command": "cat", "keep_stdin_open": false})),
            Stdin::Empty
        ));
        assert!(matches!(
            stdin(json!({"command": "cat", "keep_stdin_open": false, "stdin": "x"})),
            Stdin::Bytes(bytes) if bytes == b"x"
        ));
    }

    #[test]
    fn every_known_argument_is_in_the_schema_and_no_other() {
        let schema = schemars::schema_for!(Parameters);
        let properties = schema.as_object().unwrap()["properties"]
            .as_object()
            .unwrap();
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(names, KNOWN);
        assert_eq!(properties["keep_stdin_open"]["default"], json!(true));
        assert_eq!(properties["on_exit"]["default"], json!("linger"));
    }

    #[test]
    fn mistakes_are_told_by_the_name_of_their_field() {
        for (arguments, expected) in [
            (json!({}), "command: is required"),
            (
                json!({"command": "x", "merge_stderr": 1}),
                "merge_stderr: invalid type",
            ),
            (
                json!({"command": "x", "on_exit": "stay"}),
                "on_exit: unknown variant `stay`, expected `linger` or `kill`",
            ),
            (
                json!({"command": "x", "timeout": 1}),
                "timeout: unknown argument; did you mean `timeout_sec`?",
            ),
        ] {
            let error = read_json(arguments).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
