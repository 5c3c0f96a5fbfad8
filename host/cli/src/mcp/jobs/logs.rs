//! The tool `terminal_job_logs`: what a job has printed, from any offset, and how it stands.

use std::time::Duration;

use ostler_terminal::Terminal;
use ostler_terminal::jobs::{Job, State};
use ostler_terminal::output::{ByteOffset, Stream};
use regex::bytes::Regex;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::time::timeout;

use super::answer::{Answer, Failure, find};
use super::pattern;
use super::view::{self, StandingView, Status};
use crate::envelope::SurvivorView;
use crate::mcp::arguments::{Arguments, BadArgument};
use crate::mcp::rendered::Rendered;
use crate::mcp::values::{Encoding, Seconds, Whole};

/// The name of the tool.
pub const NAME: &str = "terminal_job_logs";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Read what a job has printed and how it stands. Offsets count bytes of a stream from its start: go on with `since_offset` = \
`next_offset`; reading changes nothing, so a lost answer can be asked for again. `tail: true` gives the end. To wait, up to \
`wait_timeout_sec`: `wait_until_exit`, or `wait_for` with a regular expression (\"listening on\", or \"\\\\n\" for the next \
line). `status` tells whether the command runs; `state` \"lingering\" that it has exited and left processes behind. \
`truncated_bytes_dropped` counts bytes that were asked for and are no longer kept.";

/// Wait in seconds, unless asked otherwise.
const DEFAULT_WAIT_SEC: u64 = 30;
/// Longest wait in seconds. Agents' own limits on a call lie above it.
const MAX_WAIT_SEC: f64 = 45.0;
/// Most bytes in one answer.
const MAX_BYTES: usize = 4 << 20;
/// Pages larger than this are made by a thread of their own.
const LONG_BYTES: usize = 256 << 10;

/// Parameters of `terminal_job_logs`.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[expect(
    dead_code,
    reason = "the schema is made from it; the fields are read by name, to tell mistakes by name"
)]
pub struct Parameters {
    /// From terminal_job_start, or from terminal_exec where something went on.
    job_id: String,
    /// "stdout", "stderr", or "merged" for a job that was started with merge_stderr.
    #[schemars(default = "default_stream")]
    stream: StreamArgument,
    /// Byte to begin at.
    #[schemars(default = "default_since_offset", range(min = 0))]
    since_offset: Whole,
    /// Most bytes to return, at most 4 MiB.
    #[schemars(default = "default_max_bytes", range(min = 1))]
    max_bytes: Whole,
    /// Whether to wait until the command has exited.
    #[schemars(default)]
    wait_until_exit: bool,
    /// Longest wait in seconds, at most 45.
    #[schemars(default = "default_wait_timeout")]
    wait_timeout_sec: Seconds,
    /// Whether to return the last max_bytes, whatever since_offset says.
    #[schemars(default)]
    tail: bool,
    /// Wait until this regular expression matches in the stream from since_offset on, or the command has exited.
    #[schemars(default)]
    wait_for: Option<String>,
    /// "base64" gives the exact bytes.
    #[schemars(default)]
    encoding: Encoding,
    /// Whether escape sequences and overwritten progress lines are left out. Offsets still count raw bytes.
    #[schemars(default)]
    plain: bool,
}

const KNOWN: &[&str] = &[
    "job_id",
    "stream",
    "since_offset",
    "max_bytes",
    "wait_until_exit",
    "wait_timeout_sec",
    "tail",
    "wait_for",
    "encoding",
    "plain",
];

/// Which output of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum StreamArgument {
    Stdout,
    Stderr,
    Merged,
}

fn default_stream() -> StreamArgument {
    StreamArgument::Stdout
}

fn default_since_offset() -> Whole {
    Whole(0)
}

fn default_max_bytes() -> Whole {
    Whole(64_000)
}

fn default_wait_timeout() -> Seconds {
    Seconds::whole(DEFAULT_WAIT_SEC)
}

/// A piece of a job's output. The keys up to `timed_out` are the contract, in its order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Page {
    /// The text, or the bytes in base64 where that was asked for.
    pub data: String,
    /// Where it begins.
    pub offset: u64,
    /// Where to go on.
    pub next_offset: u64,
    /// Bytes between since_offset and offset that are no longer kept.
    pub truncated_bytes_dropped: u64,
    /// Whether the stream has ended and nothing comes after this.
    pub eof: bool,
    /// Whether the command runs: "running" or "exited".
    pub status: Status,
    /// Its exit code, -N for signal N; null while it runs.
    pub exit_code: Option<i32>,
    /// From the start to the exit, or until now, in milliseconds.
    pub runtime_ms: u64,
    /// Whether its deadline ended it.
    pub timed_out: bool,
    /// How it stands and how it ended.
    #[serde(flatten)]
    pub standing: StandingView,
    /// Bytes of this stream so far.
    pub total_bytes: u64,
    /// Whether wait_for matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<bool>,
    /// Where its match begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_offset: Option<u64>,
    /// "utf-8-lossy" where signs stand for bytes that are no text; "base64" where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// What was asked for in max_bytes was more than one answer holds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clamped: bool,
    /// Processes that outlived the command and run on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub survivors: Vec<SurvivorView>,
    /// Whether such a process holds the output open, so that more may come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub output_open: bool,
    /// Whether older output is kept on disk: "off" (there was no need, or it is switched off), "on", or why not any more.
    pub spill: String,
}

/// A call that can be answered.
#[derive(Debug)]
struct Call {
    job_id: String,
    stream: String,
    wait: Duration,
    wait_until_exit: bool,
    wait_for: Option<Regex>,
    window: Window,
}

/// Which bytes, and how they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    since: ByteOffset,
    max_bytes: usize,
    clamped: bool,
    tail: bool,
    encoding: Encoding,
    plain: bool,
}

impl Call {
    fn read(given: JsonObject) -> Result<Self, BadArgument> {
        let mut arguments = Arguments::of_call(given, KNOWN, &[])?;
        let job_id = arguments.required("job_id")?;
        let stream = arguments
            .optional("stream")?
            .unwrap_or_else(|| "stdout".into());
        let since = arguments
            .optional("since_offset")?
            .unwrap_or_else(default_since_offset)
            .0;
        let asked = arguments
            .optional("max_bytes")?
            .unwrap_or_else(default_max_bytes)
            .0
            .max(0);
        let asked = usize::try_from(asked).unwrap_or(usize::MAX);
        let wait = arguments
            .optional::<f64>("wait_timeout_sec")?
            .unwrap_or(DEFAULT_WAIT_SEC as f64)
            .clamp(0.0, MAX_WAIT_SEC);
        let wait_for: Option<String> = arguments.optional("wait_for")?;
        let wait_for = wait_for.map(|text| pattern::compile(&text)).transpose();
        Ok(Self {
            job_id,
            stream,
            wait: Duration::from_secs_f64(wait),
            wait_until_exit: arguments.optional("wait_until_exit")?.unwrap_or_default(),
            wait_for: wait_for.map_err(|problem| BadArgument::new("wait_for", problem))?,
            window: Window {
                since: ByteOffset(since.max(0).unsigned_abs()),
                max_bytes: asked.min(MAX_BYTES),
                clamped: asked > MAX_BYTES,
                tail: arguments.optional("tail")?.unwrap_or_default(),
                encoding: arguments.optional("encoding")?.unwrap_or_default(),
                plain: arguments.optional("plain")?.unwrap_or_default(),
            },
        })
    }
}

/// Answers one call.
pub async fn call(terminal: &Terminal, arguments: JsonObject) -> Answer<Page> {
    answer(terminal, arguments).await.into()
}

async fn answer(terminal: &Terminal, arguments: JsonObject) -> Result<Page, Failure> {
    let call = Call::read(arguments)?;
    let job = find(terminal, &call.job_id)?;
    let which = which(&call.stream)?;
    let window = call.window;
    check_offset(stream(&job, which)?, window)?;
    let mut found = None;
    if let Some(pattern) = &call.wait_for {
        let search = pattern::first_match(&job, stream(&job, which)?, window.since, pattern);
        found = timeout(call.wait, search).await.unwrap_or_default();
    } else if call.wait_until_exit {
        // What is shown then is how it stands at the end of the wait.
        let _ = timeout(call.wait, job.exited()).await;
    }
    let survivors = if job.standing().state == State::Lingering {
        job.survivors().await
    } else {
        Vec::new()
    };
    let reader = job.clone();
    let read = move || page(&reader, which, window);
    let mut page = if window.max_bytes > LONG_BYTES {
        tokio::task::spawn_blocking(read)
            .await
            .map_err(|error| Failure::new("internal", error.to_string()))?
    } else {
        read()
    }?;
    page.survivors = survivors.iter().map(SurvivorView::of).collect();
    if call.wait_for.is_some() {
        page.matched = Some(found.is_some());
        page.match_offset = found.map(|offset| offset.0);
    }
    Ok(page)
}

/// What a name of a stream stands for.
fn which(name: &str) -> Result<StreamArgument, Failure> {
    match name {
        "stdout" => Ok(StreamArgument::Stdout),
        "stderr" => Ok(StreamArgument::Stderr),
        "merged" => Ok(StreamArgument::Merged),
        unknown => Err(Failure::new(
            "no_such_stream",
            format!("there is no stream {unknown:?}; known are \"stdout\", \"stderr\", \"merged\""),
        )),
    }
}

/// The stream of that name.
fn stream(job: &Job, which: StreamArgument) -> Result<&Stream, Failure> {
    let output = job.output();
    match (which, job.is_merged()) {
        (StreamArgument::Stderr, true) => Err(Failure::new(
            "no_such_stream",
            "the stderr of this job goes into \"merged\", in order; there is no stream of its own",
        )),
        (StreamArgument::Merged, false) => Err(Failure::new(
            "no_such_stream",
            "this job has no \"merged\" stream: it has \"stdout\" and \"stderr\" apart, and what came first of two pipes nobody \
             can tell; start it with merge_stderr: true for one stream in order",
        )),
        (StreamArgument::Stderr, false) => Ok(&output.stderr),
        _ => Ok(&output.stdout),
    }
}

fn check_offset(stream: &Stream, window: Window) -> Result<(), Failure> {
    let produced = stream.totals().produced;
    if window.tail || window.since.0 <= produced {
        return Ok(());
    }
    Err(Failure::new(
        "out_of_range",
        format!(
            "since_offset {} lies beyond the end of the stream, which has {produced} bytes so far",
            window.since
        ),
    ))
}

/// Reads what is asked for. May wait for the disk.
fn page(job: &Job, which: StreamArgument, window: Window) -> Result<Page, Failure> {
    let stream = stream(job, which)?;
    // The standing first: what is told as exited has all of its output here.
    let standing = job.standing();
    let chunk = if window.tail {
        stream.tail(window.max_bytes)
    } else {
        let least = Rendered::least_bytes(window.encoding);
        stream.read(window.since, window.max_bytes.max(least))
    };
    let chunk = chunk.map_err(|error| Failure::new("storage", error.to_string()))?;
    let totals = stream.totals();
    let rendered = Rendered::of(chunk, window.encoding, window.plain);
    Ok(Page {
        data: rendered.data,
        offset: rendered.offset,
        next_offset: rendered.next_offset,
        truncated_bytes_dropped: rendered.skipped_bytes,
        eof: rendered.eof,
        status: view::status(&standing),
        exit_code: view::exit_code(&standing),
        runtime_ms: view::runtime_ms(job),
        timed_out: standing.timed_out(),
        standing: StandingView::of(&standing),
        total_bytes: totals.produced,
        matched: None,
        match_offset: None,
        encoding: rendered.encoding,
        clamped: window.clamped,
        survivors: Vec::new(),
        output_open: standing.state == State::Lingering && !totals.ended,
        spill: view::spill(stream),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(value: Value) -> Result<Call, String> {
        Call::read(value.as_object().unwrap().clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_defaults_are_those_of_the_contract() {
        let call = read(json!({"job_id": "job_1"})).unwrap();
        assert_eq!(which(&call.stream), Ok(StreamArgument::Stdout));
        assert_eq!(call.wait, Duration::from_secs(30));
        assert!(!call.wait_until_exit && call.wait_for.is_none());
        assert_eq!((call.window.since.0, call.window.max_bytes), (0, 64_000));
        assert_eq!(call.window.encoding, Encoding::Utf8);
    }

    #[test]
    fn what_is_too_much_is_clamped() {
        let call = read(json!({
            "job_id": "x", "wait_timeout_sec": 600, "max_bytes": 1 << 30, "since_offset": -4,
        }))
        .unwrap();
        assert_eq!(call.wait, Duration::from_secs(45));
        assert_eq!(
            (call.window.max_bytes, call.window.clamped),
            (MAX_BYTES, true)
        );
        assert_eq!(call.window.since.0, 0);
    }

    #[test]
    fn every_known_argument_is_in_the_schema_and_no_other() {
        let schema = schemars::schema_for!(Parameters);
        let properties = schema.as_object().unwrap()["properties"]
            .as_object()
            .unwrap();
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(names, KNOWN);
        assert_eq!(properties["encoding"]["default"], json!("utf-8"));
    }

    #[test]
    fn mistakes_are_told_by_the_name_of_their_field() {
        for (arguments, expected) in [
            (json!({}), "job_id: is required"),
            (
                json!({"job_id": "x", "wait_for": "("}),
                "wait_for: regex parse error",
            ),
            (
                json!({"job_id": "x", "encoding": "hex"}),
                "encoding: unknown variant `hex`",
            ),
        ] {
            let error = read(arguments).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
