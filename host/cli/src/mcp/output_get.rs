//! The tool `terminal_output_get`: reads output that was too long to be returned at once.

use ostler_terminal::output::{
    ByteOffset, Chunk, Handle, Handles, LookupError, ReadError, Retained,
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::{Arguments, BadArgument};
use super::rendered::Rendered;
use super::values::{Encoding, Whole};
use crate::envelope::MAX_INLINE_BYTES;

/// The name of the tool.
pub const NAME: &str = "terminal_output_get";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Read output that terminal_exec did not return whole, by its `output_handle`. The text holds both streams: a line \
`----- stdout -----`, standard output, a line `----- stderr -----`, standard error. Offsets count bytes of this text: \
go on with `since_offset` = `next_offset` until `eof`. Output is kept for 5 minutes after it was last read.";

/// Parameters of `terminal_output_get`.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[expect(
    dead_code,
    reason = "the schema is made from it; the fields are read by name, to tell mistakes by name"
)]
pub struct Parameters {
    /// The `output_handle` of an earlier result: `out_` and 16 hexadecimal digits.
    output_handle: String,
    /// Byte to begin at.
    #[schemars(default = "default_since_offset", range(min = 0))]
    since_offset: Whole,
    /// Most KiB to return.
    #[schemars(default = "default_max_kb", range(min = 1))]
    max_kb: Whole,
    /// "both", or "stdout" or "stderr" alone, without the marker lines; offsets then count bytes of that stream.
    #[schemars(default)]
    stream: StreamArgument,
    /// "base64" gives the exact bytes.
    #[schemars(default)]
    encoding: Encoding,
}

const KNOWN: &[&str] = &[
    "output_handle",
    "since_offset",
    "max_kb",
    "stream",
    "encoding",
];

/// Which output of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum StreamArgument {
    /// Both in one text.
    #[default]
    Both,
    Stdout,
    Stderr,
}

fn default_since_offset() -> Whole {
    Whole(0)
}

fn default_max_kb() -> Whole {
    Whole(64)
}

/// A piece of retained output. The keys up to `expired` are the contract, in its order; later ones are additions and stand
/// only where they say something.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Page {
    /// The text.
    pub data: String,
    /// Where it begins.
    pub offset: u64,
    /// Where to go on.
    pub next_offset: u64,
    /// Whether nothing comes after it.
    pub eof: bool,
    /// Whether the output cannot be had any more; `reason` tells why.
    pub expired: bool,
    /// "unknown", "expired" (not read for 5 minutes) or "evicted" (made room for newer output).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Bytes between since_offset and offset that are not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_bytes: Option<u64>,
    /// "utf-8-lossy" where signs stand for bytes that are no text; "base64" where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// What was wrong with the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Page {
    fn failed(error: String) -> Self {
        Self {
            eof: true,
            error: Some(error),
            ..Self::default()
        }
    }

    fn gone(since_offset: u64, reason: LookupError) -> Self {
        let reason = match reason {
            LookupError::Unknown => "unknown",
            LookupError::Expired => "expired",
            LookupError::Evicted => "evicted",
        };
        Self {
            offset: since_offset,
            next_offset: since_offset,
            eof: true,
            expired: true,
            reason: Some(reason),
            ..Self::default()
        }
    }
}

/// A call that can be answered.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    handle: String,
    since_offset: u64,
    max_bytes: usize,
    stream: StreamArgument,
    encoding: Encoding,
}

impl Call {
    fn read(given: JsonObject) -> Result<Self, BadArgument> {
        let mut arguments = Arguments::of_call(given, KNOWN, &[])?;
        let handle = arguments.required("output_handle")?;
        let since_offset = arguments
            .optional("since_offset")?
            .unwrap_or_else(default_since_offset)
            .0
            .max(0);
        let max_kb = arguments
            .optional("max_kb")?
            .unwrap_or_else(default_max_kb)
            .0
            .max(0);
        let max_bytes = usize::try_from(max_kb)
            .unwrap_or(usize::MAX)
            .saturating_mul(1024);
        Ok(Self {
            handle,
            since_offset: since_offset.unsigned_abs(),
            max_bytes: max_bytes.min(MAX_INLINE_BYTES),
            stream: arguments.optional("stream")?.unwrap_or_default(),
            encoding: arguments.optional("encoding")?.unwrap_or_default(),
        })
    }
}

/// Answers one call. May wait for the disk.
pub fn call(handles: &Handles, arguments: JsonObject) -> Page {
    let call = match Call::read(arguments) {
        Ok(call) => call,
        Err(error) => return Page::failed(error.to_string()),
    };
    // What has not the form of a handle was never one.
    let retained = call
        .handle
        .parse::<Handle>()
        .map_err(|_| LookupError::Unknown)
        .and_then(|handle| handles.get(handle));
    let retained = match retained {
        Ok(retained) => retained,
        Err(reason) => return Page::gone(call.since_offset, reason),
    };
    let total = total_bytes(&retained, call.stream);
    if call.since_offset >= total || call.max_bytes == 0 {
        let (offset, next_offset) = (call.since_offset, call.since_offset.min(total));
        return Page {
            offset,
            next_offset,
            eof: next_offset == total,
            ..Page::default()
        };
    }
    match read(&retained, &call) {
        Ok(chunk) => {
            let rendered = Rendered::of(chunk, call.encoding, false);
            Page {
                data: rendered.data,
                offset: rendered.offset,
                next_offset: rendered.next_offset,
                eof: rendered.eof,
                skipped_bytes: (rendered.skipped_bytes > 0).then_some(rendered.skipped_bytes),
                encoding: rendered.encoding,
                ..Page::default()
            }
        }
        Err(error) => Page {
            offset: call.since_offset,
            next_offset: call.since_offset,
            error: Some(error.to_string()),
            ..Page::default()
        },
    }
}

fn total_bytes(retained: &Retained, stream: StreamArgument) -> u64 {
    match stream {
        StreamArgument::Both => retained.combined().total_bytes(),
        StreamArgument::Stdout => retained.stdout.totals().produced,
        StreamArgument::Stderr => retained.stderr.totals().produced,
    }
}

fn read(retained: &Retained, call: &Call) -> Result<Chunk, ReadError> {
    let from = ByteOffset(call.since_offset);
    let max_bytes = call.max_bytes.max(Rendered::least_bytes(call.encoding));
    match call.stream {
        StreamArgument::Both => retained.combined().read(from, max_bytes),
        StreamArgument::Stdout => retained.stdout.read(from, max_bytes),
        StreamArgument::Stderr => retained.stderr.read(from, max_bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ostler_terminal::output::{Capacity, HandleLimits, Stream};
    use serde_json::{Value, json};

    use super::*;

    fn get(handles: &Handles, arguments: Value) -> Page {
        call(handles, arguments.as_object().unwrap().clone())
    }

    fn store(stdout: &[u8], stderr: &[u8]) -> (Handles, String) {
        let handles = Handles::new(HandleLimits::default()).unwrap();
        let stream = |bytes: &[u8]| {
            let stream = Stream::new(Capacity::default(), None);
            stream.append(bytes);
            Arc::new(stream)
        };
        let output = Retained {
            stdout: stream(stdout),
            stderr: stream(stderr),
        };
        let handle = handles.retain(output).unwrap().to_string();
        (handles, handle)
    }

    #[test]
    fn pages_add_up_to_both_streams() {
        let (handles, handle) = store("ä".repeat(3000).as_bytes(), b"oops\n");
        let mut whole = String::new();
        let mut offset = 0;
        loop {
            let page = get(
                &handles,
                json!({"output_handle": handle, "since_offset": offset, "max_kb": 1}),
            );
            assert_eq!(
                (page.offset, page.expired, page.encoding),
                (offset, false, None)
            );
            whole.push_str(&page.data);
            offset = page.next_offset;
            if page.eof {
                break;
            }
        }
        let expected = format!(
            "----- stdout -----\n{}\n----- stderr -----\noops\n",
            "ä".repeat(3000)
        );
        assert_eq!(whole, expected);
    }

    #[test]
    fn an_unknown_handle_says_so() {
        let (handles, _) = store(b"", b"");
        for handle in ["out_0123456789abcdef", "nonsense", ""] {
            let page = get(
                &handles,
                json!({"output_handle": handle, "since_offset": 7}),
            );
            assert_eq!((page.offset, page.next_offset), (7, 7));
            assert!(page.eof && page.expired && page.data.is_empty());
            assert_eq!(page.reason, Some("unknown"));
        }
    }

    #[test]
    fn a_stream_alone_can_be_had_exactly() {
        let (handles, handle) = store(b"a\0\xff", b"oops");
        let exact = get(
            &handles,
            json!({"output_handle": handle, "stream": "stdout", "encoding": "base64"}),
        );
        assert_eq!(
            (exact.data.as_str(), exact.encoding),
            ("YQD/", Some("base64"))
        );
        assert_eq!((exact.next_offset, exact.eof), (3, true));
        let stderr = get(
            &handles,
            json!({"output_handle": handle, "stream": "stderr", "since_offset": 2}),
        );
        assert_eq!((stderr.data.as_str(), stderr.encoding), ("ps", None));
    }

    #[test]
    fn offsets_outside_are_what_the_contract_says() {
        let (handles, handle) = store(b"abc", b"");
        let total = get(&handles, json!({"output_handle": handle})).next_offset;
        let page = get(
            &handles,
            json!({"output_handle": handle, "since_offset": 9999}),
        );
        assert_eq!(
            (page.offset, page.next_offset, page.eof),
            (9999, total, true)
        );
        let page = get(
            &handles,
            json!({"output_handle": handle, "since_offset": -5}),
        );
        assert_eq!(page.offset, 0);
        let page = get(&handles, json!({"output_handle": handle, "max_kb": 0}));
        assert_eq!(
            (page.data.as_str(), page.next_offset, page.eof),
            ("", 0, false)
        );
    }

    #[test]
    fn mistakes_are_told_by_the_name_of_their_field() {
        let (handles, handle) = store(b"", b"");
        let cases = [
            (json!({}), "output_handle: is required"),
            (json!({"output_handle": 5}), "output_handle: invalid type"),
            (
                json!({"output_handle": handle, "offset": 5}),
                "offset: unknown argument; did you mean",
            ),
            (
                json!({"output_handle": handle, "max_kb": 0.5}),
                "max_kb: invalid value",
            ),
        ];
        for (arguments, expected) in cases {
            let error = get(&handles, arguments).error.unwrap();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn every_known_argument_is_in_the_schema_and_no_other() {
        let schema = schemars::schema_for!(Parameters);
        let properties = schema.as_object().unwrap()["properties"]
            .as_object()
            .unwrap();
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(names, KNOWN);
        assert_eq!(
            schema.as_object().unwrap()["required"],
            json!(["output_handle"])
        );
    }
}
