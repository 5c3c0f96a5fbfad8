//! MCP's stdio framing: one JSON-RPC message a line, each answered even where it cannot be understood.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::ending::Ending;
use super::in_flight::{self, InFlight};
use super::result::line;
use super::stdio::{Sink, Source};

/// Longest message. A client that never ends its line must not fill the memory.
const MAX_LINE_BYTES: usize = 32 << 20;
/// Bytes asked for at a time.
const READ_BYTES: usize = 64 << 10;
/// A buffer larger than this is given back once its message has been handled.
const KEPT_BUFFER_BYTES: usize = 1 << 20;
/// How long a request may wait for room before it is refused. What comes behind it waits too, cancellations as well.
const PATIENCE: Duration = Duration::from_millis(500);

type Incoming = RxJsonRpcMessage<RoleServer>;
type Outgoing = TxJsonRpcMessage<RoleServer>;

/// Messages over standard input and output.
pub struct Lines {
    source: Source,
    sink: Arc<Mutex<Sink>>,
    ending: Ending,
    buffer: Vec<u8>,
    /// Bytes at the front of `buffer` whose messages have been handed over.
    taken: usize,
    /// Bytes at the front of `buffer` that hold no further end of line.
    searched: usize,
    /// The rest of a line that was too long is being thrown away.
    discarding: bool,
    /// An answer to something that was no message. The next message is read after it is written: a flood of nonsense is
    /// slowed to the pace at which its sender reads.
    complaint: Option<JoinHandle<()>>,
    in_flight: Arc<InFlight>,
    /// A request that finds no room, and until when it waits for some.
    waiting: Option<(Box<Incoming>, Instant)>,
}

/// What was found on the way to the next message.
#[derive(Debug, PartialEq)]
enum Found {
    /// A line; where it stands in the buffer.
    Line(Range<usize>),
    /// A line that is longer than a message may be.
    TooLong,
    /// The client will send nothing more.
    End,
}

impl Lines {
    /// A transport that tells `ending` when either side is gone.
    pub fn new(source: Source, sink: Sink, ending: Ending) -> Self {
        Self {
            source,
            sink: Arc::new(Mutex::new(sink)),
            ending,
            buffer: Vec::new(),
            taken: 0,
            searched: 0,
            discarding: false,
            complaint: None,
            in_flight: Arc::default(),
            waiting: None,
        }
    }

    /// Reads up to the end of a line. Cancel-safe: what has been read stays in the buffer.
    async fn line(&mut self) -> Found {
        loop {
            let end = self.buffer[self.searched..]
                .iter()
                .position(|byte| *byte == b'\n');
            if let Some(end) = end.map(|at| self.searched + at) {
                let line = self.taken..end;
                self.taken = end + 1;
                self.searched = self.taken;
                if !std::mem::take(&mut self.discarding) {
                    return Found::Line(line);
                }
                continue;
            }
            self.make_room();
            if self.buffer.len() > MAX_LINE_BYTES {
                self.discarding = true;
                return Found::TooLong;
            }
            match self.source.read_buf(&mut self.buffer).await {
                Ok(0) | Err(_) => {
                    // A last line may lack its end.
                    let line = self.taken..self.buffer.len();
                    self.taken = line.end;
                    self.searched = line.end;
                    let nothing = self.discarding || line.is_empty();
                    return if nothing {
                        Found::End
                    } else {
                        Found::Line(line)
                    };
                }
                Ok(_) => {}
            }
        }
    }

    /// Forgets what has been handed over, or is not wanted, and makes room for the next read.
    fn make_room(&mut self) {
        let unwanted = if self.discarding {
            self.buffer.len()
        } else {
            self.taken
        };
        self.buffer.drain(..unwanted);
        self.taken = 0;
        self.searched = self.buffer.len();
        if self.buffer.is_empty() && self.buffer.capacity() > KEPT_BUFFER_BYTES {
            self.buffer = Vec::new();
        }
        self.buffer.reserve(READ_BYTES);
    }

    /// Answers a request that found no room.
    fn refuse(&mut self, message: &Incoming) {
        if let Incoming::Request(request) = message {
            let text =
                "busy: too many requests are without an answer; wait for some and send it again";
            let error = ErrorData::internal_error(text, None);
            self.complain(error, Some(request.id.clone()));
        }
    }

    fn complain(&mut self, error: ErrorData, id: Option<RequestId>) {
        let answer = self.send(Outgoing::error(error, id));
        self.complaint = Some(tokio::spawn(async move {
            // A client that is gone is noticed by `send` itself.
            let _ = answer.await;
        }));
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: Outgoing,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let sink = Arc::clone(&self.sink);
        let ending = self.ending.clone();
        let in_flight = Arc::clone(&self.in_flight);
        async move {
            let line = line(&message)?;
            let written = sink.lock().await.write(line).await;
            if let Some(id) = in_flight::answered(&message) {
                in_flight.done(&id);
            }
            if written.is_err() {
                ending.stop();
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<Incoming> {
        loop {
            if let Some(complaint) = &mut self.complaint {
                let _ = complaint.await;
                self.complaint = None;
            }
            let ending = self.ending.clone();
            if let Some((message, until)) = self.waiting.take() {
                if self.in_flight.admits(&message) {
                    return Some(*message);
                }
                if Instant::now() >= until {
                    self.refuse(&message);
                    continue;
                }
                self.waiting = Some((message, until));
                tokio::select! {
                    () = self.in_flight.room() => {}
                    () = tokio::time::sleep_until(until) => {}
                    () = ending.no_more_requests() => return None,
                }
                continue;
            }
            let found = tokio::select! {
                found = self.line() => found,
                () = ending.no_more_requests() => return None,
            };
            match found {
                Found::Line(line) => match read(&self.buffer[line]) {
                    Read::Message(message) => {
                        self.waiting = Some((message, Instant::now() + PATIENCE));
                    }
                    Read::Nothing => {}
                    Read::Nonsense(error, id) => self.complain(error, id),
                },
                Found::TooLong => {
                    let text = format!("the message is longer than {MAX_LINE_BYTES} bytes");
                    self.complain(ErrorData::invalid_request(text, None), None);
                }
                Found::End => {
                    self.ending.input_ended();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        // Whoever still writes finishes its line first.
        drop(self.sink.lock().await);
        Ok(())
    }
}

/// What a line is.
#[derive(Debug)]
enum Read {
    Message(Box<Incoming>),
    /// Nothing that wants an answer.
    Nothing,
    Nonsense(ErrorData, Option<RequestId>),
}

fn read(line: &[u8]) -> Read {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Read::Nothing;
    }
    match serde_json::from_slice(line) {
        Ok(message) => Read::Message(Box::new(message)),
        Err(error) => nonsense(line, &error),
    }
}

/// Says what is wrong with a line that is no message, to whom it concerns.
fn nonsense(line: &[u8], error: &serde_json::Error) -> Read {
    let value = match serde_json::from_slice::<Value>(line) {
        Ok(value) => value,
        Err(error) => {
            let text = format!("not JSON: {error}");
            return Read::Nonsense(ErrorData::new(ErrorCode::PARSE_ERROR, text, None), None);
        }
    };
    if value.is_array() {
        let text = "batches are not part of this protocol; send one message a line";
        return Read::Nonsense(ErrorData::invalid_request(text, None), None);
    }
    let id = value
        .get("id")
        .and_then(|id| serde_json::from_value(id.clone()).ok());
    if id.is_none() && value.get("method").is_some() {
        return Read::Nothing;
    }
    let text = format!("not a valid JSON-RPC 2.0 request: {error}");
    Read::Nonsense(ErrorData::invalid_request(text, None), id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &'static [u8]) -> Lines {
        let nowhere = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/null")
            .unwrap();
        let (source, mut client) = tokio::io::duplex(16);
        tokio::spawn(async move {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut client, input).await;
        });
        Lines::new(
            Box::new(source),
            Sink::Blocking(Arc::new(nowhere)),
            Ending::new(),
        )
    }

    async fn all(mut lines: Lines) -> Vec<String> {
        let mut texts = Vec::new();
        loop {
            match lines.line().await {
                Found::Line(line) => {
                    texts.push(String::from_utf8(lines.buffer[line].to_vec()).unwrap());
                }
                Found::TooLong => texts.push("too long".into()),
                Found::End => return texts,
            }
        }
    }

    #[tokio::test]
    async fn lines_are_found_wherever_reads_end() {
        let input = b"one\n\nthree is longer than a single read of this pipe\nlast";
        let expected = [
            "one",
            "",
            "three is longer than a single read of this pipe",
            "last",
        ];
        assert_eq!(all(lines(input)).await, expected);
    }

    #[tokio::test]
    async fn a_line_without_end_is_dropped_and_the_next_one_is_read() {
        let input: &'static [u8] = [vec![b'x'; 3 * MAX_LINE_BYTES].as_slice(), b"\nnext\n"]
            .concat()
            .leak();
        let (source, mut client) = tokio::io::duplex(READ_BYTES);
        tokio::spawn(async move {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut client, input).await;
        });
        let lines = Lines {
            source: Box::new(source),
            ..lines(b"")
        };
        assert_eq!(all(lines).await, ["too long", "next"]);
    }

    #[tokio::test]
    async fn a_read_that_is_dropped_loses_nothing() {
        let mut lines = lines(b"");
        let (source, mut client) = tokio::io::duplex(16);
        lines.source = Box::new(source);
        tokio::io::AsyncWriteExt::write_all(&mut client, b"half ")
            .await
            .unwrap();
        tokio::select! {
            biased;
            _ = lines.line() => panic!("there is no whole line yet"),
            () = tokio::task::yield_now() => {}
        }
        tokio::io::AsyncWriteExt::write_all(&mut client, b"a line\n")
            .await
            .unwrap();
        let Found::Line(line) = lines.line().await else {
            panic!("a line was sent")
        };
        assert_eq!(lines.buffer[line], *b"half a line");
    }

    #[test]
    fn nonsense_is_answered_by_what_it_is() {
        let code = |line: &[u8]| match read(line) {
            Read::Nonsense(error, id) => Some((error.code.0, id.is_some())),
            Read::Message(_) | Read::Nothing => None,
        };
        assert_eq!(code(b"{oops"), Some((-32700, false)));
        assert_eq!(code(b"[]"), Some((-32600, false)));
        assert_eq!(code(b"{\"id\":1}"), Some((-32600, true)));
        assert_eq!(code(b"  \r"), None);
        assert_eq!(
            code(b"{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\"}"),
            None
        );
        assert_eq!(
            code(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
            None
        );
    }
}
