//! The tool `terminal_job_manage`: lists jobs, signals them, writes to them.

use std::time::Duration;

use ostler_terminal::jobs::{Job, State};
use ostler_terminal::process::Signal;
use ostler_terminal::stdin::{StdinError, StdinState};
use ostler_terminal::{EndedBy, MAX_GRACE, Terminal};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{Failure, find};
use super::view::{self, Moment, StandingView, Status};
use crate::envelope::SurvivorView;
use crate::mcp::arguments::{Arguments, BadArgument};
use crate::mcp::values::Seconds;
use crate::nearest::nearest;

/// The name of the tool.
pub const NAME: &str = "terminal_job_manage";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Act on jobs. `action`: \"list\" shows all of them, running ones first; \"signal_term\" asks a job and everything it started to \
end and kills what is left after `grace_sec`; \"signal_kill\" kills at once; \"signal_int\" (Ctrl-C), \"signal_hup\", \
\"signal_usr1\" and \"signal_usr2\" are sent to every process of the job; \"stdin\" writes `data` to its standard input \
(end a line with \\n) without waiting for it to be read; \"close_stdin\" ends that input; \"capabilities\" tells what this \
platform can do. An action on a job that has ended or never was says which.";

/// Time between asking a job to end and forcing it.
const DEFAULT_GRACE_SEC: u64 = 2;

/// Parameters of `terminal_job_manage`.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[expect(
    dead_code,
    reason = "the schema is made from it; the fields are read by name, to tell mistakes by name"
)]
pub struct Parameters {
    /// "list", "signal_term", "signal_kill", "signal_int", "signal_hup", "signal_usr1", "signal_usr2", "stdin", "close_stdin"
    /// or "capabilities".
    action: String,
    /// Which job; not for "list" and "capabilities".
    #[schemars(default)]
    job_id: Option<String>,
    /// For "stdin": the text to write.
    #[schemars(default)]
    data: Option<String>,
    /// For "signal_term": seconds between asking and killing, at most 30.
    #[schemars(default = "default_grace")]
    grace_sec: Seconds,
}

const KNOWN: &[&str] = &["action", "job_id", "data", "grace_sec"];

fn default_grace() -> Seconds {
    Seconds::whole(DEFAULT_GRACE_SEC)
}

/// What a signal action sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    /// SIGTERM and SIGCONT, then SIGKILL after the grace.
    End,
    /// SIGKILL.
    Kill,
    /// That signal alone.
    Signal(Signal),
}

struct SignalAction {
    name: &'static str,
    signal: &'static str,
    sent: Sent,
    semantics: &'static str,
}

const SIGNAL_ACTIONS: [SignalAction; 6] = [
    SignalAction {
        name: "signal_term",
        signal: "TERM",
        sent: Sent::End,
        semantics: "every process of the job is asked to end and woken if it is stopped; what is left after grace_sec is \
                    killed; a second request kills at once",
    },
    SignalAction {
        name: "signal_kill",
        signal: "KILL",
        sent: Sent::Kill,
        semantics: "every process of the job is killed",
    },
    SignalAction {
        name: "signal_int",
        signal: "INT",
        sent: Sent::Signal(Signal::Interrupt),
        semantics: "sent to every process of the job, which may ignore it; the job runs on unless it ends by itself",
    },
    SignalAction {
        name: "signal_hup",
        signal: "HUP",
        sent: Sent::Signal(Signal::Hangup),
        semantics: "sent to every process of the job, which may ignore it; the job runs on unless it ends by itself",
    },
    SignalAction {
        name: "signal_usr1",
        signal: "USR1",
        sent: Sent::Signal(Signal::User1),
        semantics: "sent to every process of the job; one that does not handle it ends",
    },
    SignalAction {
        name: "signal_usr2",
        signal: "USR2",
        sent: Sent::Signal(Signal::User2),
        semantics: "sent to every process of the job; one that does not handle it ends",
    },
];

const OTHER_ACTIONS: [&str; 4] = ["list", "stdin", "close_stdin", "capabilities"];

fn actions() -> Vec<&'static str> {
    let [list, others @ ..] = OTHER_ACTIONS;
    let signals = SIGNAL_ACTIONS.iter().map(|action| action.name);
    std::iter::once(list).chain(signals).chain(others).collect()
}

/// What this platform can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Capabilities {
    /// The operating system.
    platform: &'static str,
    /// The actions.
    supported_actions: Vec<&'static str>,
    /// The signals.
    signals: Vec<&'static str>,
    /// What signals mean here.
    note: &'static str,
}

impl Capabilities {
    fn of_this_platform() -> Self {
        Self {
            platform: std::env::consts::OS,
            supported_actions: actions(),
            signals: SIGNAL_ACTIONS.iter().map(|action| action.signal).collect(),
            note: "signals reach every process that a job started, whatever group or session it moved to",
        }
    }
}

/// A job in the list. The keys up to `timed_out` are the contract.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Entry {
    job_id: String,
    pid: Option<i32>,
    name: String,
    command: String,
    /// Seconds since 1970.
    started_at: f64,
    /// "running" or "exited".
    status: Status,
    exit_code: Option<i32>,
    runtime_ms: u64,
    /// Whether standard error goes into standard output.
    merged: bool,
    stdout_bytes: u64,
    stderr_bytes: u64,
    /// Whether it began as a call of terminal_exec.
    adopted: bool,
    /// Whether its deadline ended it.
    timed_out: bool,
    /// As RFC 3339 says it.
    started_at_utc: String,
    #[serde(flatten)]
    standing: StandingView,
    /// "open", "closed" (from here), "broken" (the command closed it) or "none".
    stdin: &'static str,
    /// Processes that outlived the command and run on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    survivors: Vec<SurvivorView>,
}

impl Entry {
    async fn of(job: &Job) -> Self {
        let standing = job.standing();
        let survivors = if standing.state == State::Lingering {
            job.survivors().await
        } else {
            Vec::new()
        };
        let moment = Moment::of(job.started_at());
        Self {
            job_id: job.id().to_string(),
            pid: standing.pid.map(|pid| pid.get()),
            name: job.name().to_owned(),
            command: job.command().to_owned(),
            started_at: moment.unix_seconds,
            status: view::status(&standing),
            exit_code: view::exit_code(&standing),
            runtime_ms: view::runtime_ms(job),
            merged: job.is_merged(),
            stdout_bytes: job.output().stdout.totals().produced,
            stderr_bytes: job.output().stderr.totals().produced,
            adopted: job.is_adopted(),
            timed_out: standing.timed_out(),
            started_at_utc: moment.rfc3339,
            standing: StandingView::of(&standing),
            stdin: match job.stdin().map(|stdin| stdin.state()) {
                None => "none",
                Some(StdinState::Open) => "open",
                Some(StdinState::Closed) => "closed",
                Some(StdinState::Broken) => "broken",
            },
            survivors: survivors.iter().map(SurvivorView::of).collect(),
        }
    }
}

/// What an action gives; which keys depends on the action.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Managed {
    /// For "list".
    #[serde(skip_serializing_if = "Option::is_none")]
    jobs: Option<Vec<Entry>>,
    /// Whether it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    /// Which signal was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<&'static str>,
    /// What that means.
    #[serde(skip_serializing_if = "Option::is_none")]
    semantics: Option<&'static str>,
    /// Bytes of data that were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<usize>,
    /// Bytes that wait for the job to read them.
    #[serde(skip_serializing_if = "Option::is_none")]
    queued_bytes: Option<usize>,
    /// Whether data did not fit: go on with the rest when the job has read some.
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_full: Option<bool>,
    /// For "list".
    #[serde(skip_serializing_if = "Option::is_none")]
    capabilities: Option<Capabilities>,
    /// For "capabilities".
    #[serde(flatten)]
    own_capabilities: Option<Capabilities>,
    /// Why it was not done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why it was not done, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

impl Managed {
    fn failed(failure: Failure) -> Self {
        Self {
            error: Some(failure.error),
            code: Some(failure.code),
            ..Self::default()
        }
    }
}

/// Answers one call.
pub async fn call(terminal: &Terminal, arguments: JsonObject) -> Managed {
    match Call::read(arguments) {
        Ok(call) => call.carry_out(terminal).await,
        Err(error) => Managed::failed(error.into()),
    }
}

#[derive(Debug)]
struct Call {
    action: String,
    job_id: Option<String>,
    data: Option<String>,
    grace: Duration,
}

impl Call {
    fn read(given: JsonObject) -> Result<Self, BadArgument> {
        let mut arguments = Arguments::of_call(given, KNOWN, &[])?;
        let action = arguments.required("action")?;
        let job_id = arguments.optional("job_id")?;
        let data = arguments.optional("data")?;
        let grace = arguments
            .optional("grace_sec")?
            .unwrap_or_else(default_grace)
            .0;
        if grace > MAX_GRACE {
            let problem = format!("at most {} seconds", MAX_GRACE.as_secs());
            return Err(BadArgument::new("grace_sec", problem));
        }
        Ok(Self {
            action,
            job_id,
            data,
            grace,
        })
    }

    async fn carry_out(self, terminal: &Terminal) -> Managed {
        let signal = SIGNAL_ACTIONS
            .iter()
            .find(|action| action.name == self.action);
        match (self.action.as_str(), signal) {
            (_, Some(action)) => self.signal(terminal, action),
            ("list", _) => list(terminal).await,
            ("capabilities", _) => Managed {
                own_capabilities: Some(Capabilities::of_this_platform()),
                ..Managed::default()
            },
            ("stdin", _) => self.write(terminal),
            ("close_stdin", _) => self.close_stdin(terminal),
            (unknown, _) => unsupported(unknown),
        }
    }

    fn job(&self, terminal: &Terminal) -> Result<Job, Failure> {
        match &self.job_id {
            Some(id) => find(terminal, id),
            None => {
                let text = format!("job_id: the action {:?} needs it", self.action);
                Err(Failure::new("invalid", text))
            }
        }
    }

    fn signal(&self, terminal: &Terminal, action: &SignalAction) -> Managed {
        let sent = self.job(terminal).and_then(|job| {
            let sent = match action.sent {
                Sent::End => job.end(EndedBy::Request, Some(self.grace)),
                Sent::Kill => job.kill(EndedBy::Request),
                Sent::Signal(signal) => job.signal(signal),
            };
            sent.map_err(|_| Failure::ended(&job))
        });
        match sent {
            Ok(()) => Managed {
                ok: Some(true),
                signal: Some(action.signal),
                semantics: Some(action.semantics),
                ..Managed::default()
            },
            Err(failure) => Managed {
                ok: Some(false),
                signal: Some(action.signal),
                ..Managed::failed(failure)
            },
        }
    }

    fn write(&self, terminal: &Terminal) -> Managed {
        let written = self.job(terminal).and_then(|job| {
            let data = self
                .data
                .as_deref()
                .ok_or_else(|| Failure::new("invalid", "data: the action \"stdin\" needs it"))?;
            if job.standing().has_exited() {
                return Err(Failure::ended(&job));
            }
            let stdin = job.stdin().ok_or_else(stdin_closed)?;
            let taken = stdin.write(data.as_bytes()).map_err(|error| match error {
                StdinError::Closed => stdin_closed(),
                StdinError::Broken => Failure::new(
                    "stdin_broken",
                    "the command has closed its standard input and reads no more",
                ),
            })?;
            Ok((taken, stdin.queued_bytes(), taken < data.len()))
        });
        match written {
            Ok((taken, queued, is_full)) => Managed {
                bytes_written: Some(taken),
                queued_bytes: Some(queued),
                queue_full: is_full.then_some(true),
                ..Managed::default()
            },
            Err(failure) => Managed {
                bytes_written: Some(0),
                ..Managed::failed(failure)
            },
        }
    }

    fn close_stdin(&self, terminal: &Terminal) -> Managed {
        let closed = self.job(terminal).and_then(|job| {
            job.stdin().ok_or_else(stdin_closed)?.close();
            Ok(())
        });
        match closed {
            Ok(()) => Managed {
                ok: Some(true),
                ..Managed::default()
            },
            Err(failure) => Managed {
                ok: Some(false),
                ..Managed::failed(failure)
            },
        }
    }
}

fn stdin_closed() -> Failure {
    Failure::new(
        "stdin_closed",
        "the standard input of this job is closed, or it was started without one that can be written to",
    )
}

async fn list(terminal: &Terminal) -> Managed {
    let mut jobs = Vec::new();
    for job in terminal.jobs().list() {
        jobs.push(Entry::of(&job).await);
    }
    Managed {
        jobs: Some(jobs),
        capabilities: Some(Capabilities::of_this_platform()),
        ..Managed::default()
    }
}

fn unsupported(action: &str) -> Managed {
    let meant = nearest(action, &actions())
        .map(|meant| format!("; did you mean {meant:?}?"))
        .unwrap_or_default();
    let text = format!("unknown action {action:?}{meant}");
    Managed {
        capabilities: Some(Capabilities::of_this_platform()),
        ..Managed::failed(Failure::new("unsupported_action", text))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_known_argument_is_in_the_schema_and_no_other() {
        let schema = schemars::schema_for!(Parameters);
        let properties = schema.as_object().unwrap()["properties"]
            .as_object()
            .unwrap();
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(names, KNOWN);
    }

    #[test]
    fn the_description_names_every_action() {
        for action in actions() {
            assert!(DESCRIPTION.contains(action), "{action}");
        }
    }

    #[test]
    fn an_unknown_action_is_answered_with_the_known_ones() {
        let answer = serde_json::to_value(unsupported("signal_trem")).unwrap();
        assert_eq!(answer["code"], json!("unsupported_action"));
        assert!(answer["error"].as_str().unwrap().contains("signal_term"));
        assert_eq!(
            answer["capabilities"]["signals"],
            json!(["TERM", "KILL", "INT", "HUP", "USR1", "USR2"])
        );
    }

    #[test]
    fn capabilities_stand_at_the_top_where_they_were_asked_for() {
        let managed = Managed {
            own_capabilities: Some(Capabilities::of_this_platform()),
            ..Managed::default()
        };
        let answer = serde_json::to_value(managed).unwrap();
        assert_eq!(answer["platform"], json!("linux"));
        assert_eq!(
            answer["supported_actions"],
            json!([
                "list",
                "signal_term",
                "signal_kill",
                "signal_int",
                "signal_hup",
                "signal_usr1",
                "signal_usr2",
                "stdin",
                "close_stdin",
                "capabilities"
            ])
        );
    }
}
