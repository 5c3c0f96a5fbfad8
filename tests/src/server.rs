//! `ostler mcp` at the other end of two pipes, driven line by line. For what a client library would hide: requests in
//! flight, cancellation, what exactly stands on stdout.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::binary;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
    answers: HashMap<u64, Value>,
    /// Every notification that arrived so far.
    pub notifications: Vec<Value>,
}

/// A request without its answer yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending(u64);

impl Server {
    /// Starts a server and shakes hands.
    pub fn start() -> Self {
        Self::start_with(binary::ostler(["mcp"]))
    }

    /// Starts a server by this command and shakes hands.
    pub fn start_with(command: Command) -> Self {
        let mut server = Self::spawn(command);
        assert!(server.shake_hands(), "the server ended before it answered");
        server
    }

    /// Shakes hands. False where the server ends instead.
    pub fn shake_hands(&mut self) -> bool {
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "ostler-tests", "version": "0"},
        });
        let hello = self.request("initialize", hello);
        let deadline = Instant::now() + PATIENCE;
        while !self.has_answer(hello) {
            if self.has_ended() {
                return false;
            }
            assert!(Instant::now() < deadline, "no answer to the first request");
            self.receive(Instant::now() + Duration::from_millis(20));
        }
        self.notify("notifications/initialized", json!({}));
        true
    }

    /// Starts a server and says nothing.
    pub fn spawn(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            stdin,
            lines,
            next_id: 0,
            answers: HashMap::new(),
            notifications: Vec::new(),
        }
    }

    /// Process id of the server.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request.
    pub fn request(&mut self, method: &str, params: Value) -> Pending {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        Pending(id)
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a message as it is.
    pub fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        // One that has ended reads nothing; whoever waits for its answer will see.
        let _ = self.stdin.as_mut().unwrap().write_all(line.as_bytes());
    }

    /// Calls a tool without waiting for it.
    pub fn begin(&mut self, tool: &str, arguments: Value) -> Pending {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Tells the server that nobody waits for this request any more.
    pub fn cancel(&mut self, request: Pending) {
        self.notify(
            "notifications/cancelled",
            json!({"requestId": request.0, "reason": "test"}),
        );
    }

    /// Waits for the answer to a request: the whole message.
    pub fn answer(&mut self, request: Pending) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = self.answers.remove(&request.0) {
                return answer;
            }
            assert!(self.receive(deadline), "no answer to request {}", request.0);
        }
    }

    /// Waits for a notification of this method.
    pub fn notification(&mut self, method: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = self
                .notifications
                .iter()
                .position(|it| it["method"] == method)
            {
                return self.notifications.remove(found);
            }
            assert!(self.receive(deadline), "no {method}");
        }
    }

    /// Whether an answer has arrived by now.
    pub fn has_answer(&mut self, request: Pending) -> bool {
        while self.receive(Instant::now()) {}
        self.answers.contains_key(&request.0)
    }

    /// Calls a tool and returns its structured content.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let request = self.begin(tool, arguments);
        self.structured(request)
    }

    /// Waits for a tool's structured content.
    pub fn structured(&mut self, request: Pending) -> Value {
        let answer = self.answer(request);
        let content = &answer["result"]["structuredContent"];
        assert!(content.is_object(), "no structured content in {answer}");
        content.clone()
    }

    /// Runs a command with `terminal_exec`.
    pub fn exec(&mut self, command: &str) -> Value {
        self.call("terminal_exec", json!({"command": command}))
    }

    /// Closes the server's stdin.
    pub fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Whether the server has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits for the server to end by itself.
    pub fn wait(&mut self) -> std::process::ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the server does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends the server a signal.
    pub fn signal(&self, signal: i32) {
        let sent = Command::new("kill")
            .args([format!("-{signal}"), self.pid().to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    /// Kills the server, as the kernel does when memory runs out.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn receive(&mut self, deadline: Instant) -> bool {
        let patience = deadline.saturating_duration_since(Instant::now());
        let Ok(line) = self.lines.recv_timeout(patience) else {
            return false;
        };
        let message: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("stdout carries {line:?}, which is no JSON: {error}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        match message["id"].as_u64() {
            Some(id) if message.get("method").is_none() => {
                self.answers.insert(id, message);
            }
            _ => self.notifications.push(message),
        }
        true
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
