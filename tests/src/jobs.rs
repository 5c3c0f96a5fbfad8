//! Background jobs, in the few words that most tests need.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::Server;

/// Longest wait for something to happen to a job.
const PATIENCE: Duration = Duration::from_secs(60);

impl Server {
    /// Starts a job and returns its id.
    pub fn job(&mut self, command: &str) -> String {
        self.job_with(json!({"command": command}))
    }

    /// Starts a job with these arguments and returns its id.
    pub fn job_with(&mut self, arguments: Value) -> String {
        let started = self.call("terminal_job_start", arguments);
        id_of(&started)
    }

    /// Reads a page of a job's log.
    pub fn logs(&mut self, arguments: Value) -> Value {
        self.call("terminal_job_logs", arguments)
    }

    /// Waits until the leader of a job has exited, and returns a page that says how.
    pub fn exited(&mut self, job: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let page =
                self.logs(json!({"job_id": job, "wait_until_exit": true, "wait_timeout_sec": 20}));
            if page["status"] == "exited" {
                return page;
            }
            assert!(Instant::now() < deadline, "{job} does not exit: {page}");
        }
    }

    /// Waits until a job is in this state: `running`, `stopped`, `lingering` or `ended`.
    pub fn in_state(&mut self, job: &str, state: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let page = self.logs(json!({"job_id": job}));
            if page["state"] == state {
                return page;
            }
            assert!(Instant::now() < deadline, "{job} is not {state}: {page}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until nothing of a job is alive.
    pub fn ended(&mut self, job: &str) -> Value {
        self.in_state(job, "ended")
    }

    /// Waits until a text stands in a stream of a job.
    pub fn shows(&mut self, job: &str, stream: &str, text: &str) -> Value {
        let page = self.logs(json!({
            "job_id": job, "stream": stream, "wait_for": literal(text), "wait_timeout_sec": 45,
        }));
        assert_eq!(page["matched"], true, "{job} does not print {text}: {page}");
        page
    }

    /// Reads all that a stream holds by now, in pages of this many bytes, and checks that they join.
    pub fn pages(&mut self, job: &str, stream: &str, max_bytes: usize) -> String {
        let (mut text, mut offset) = (String::new(), 0);
        loop {
            let page = self.logs(json!({
                "job_id": job, "stream": stream, "since_offset": offset, "max_bytes": max_bytes,
            }));
            assert_eq!(page["offset"], offset, "{page}");
            assert_eq!(page["truncated_bytes_dropped"], 0, "{page}");
            let data = page["data"].as_str().unwrap();
            let next = page["next_offset"].as_u64().unwrap();
            assert!(next >= offset);
            text.push_str(data);
            if page["eof"] == true || next == offset {
                return text;
            }
            offset = next;
        }
    }

    /// Waits for a job's exit and reads the whole of a stream.
    pub fn whole(&mut self, job: &str, stream: &str) -> String {
        self.exited(job);
        self.pages(job, stream, 60_000)
    }

    /// Does something to a job.
    pub fn manage(&mut self, action: &str, job: &str) -> Value {
        self.call(
            "terminal_job_manage",
            json!({"action": action, "job_id": job}),
        )
    }

    /// Writes to the standard input of a job.
    pub fn type_in(&mut self, job: &str, data: &str) -> Value {
        self.call(
            "terminal_job_manage",
            json!({"action": "stdin", "job_id": job, "data": data}),
        )
    }

    /// Every job that is remembered.
    pub fn jobs(&mut self) -> Vec<Value> {
        let list = self.call("terminal_job_manage", json!({"action": "list"}));
        list["jobs"].as_array().unwrap().clone()
    }

    /// What the list says of a job.
    pub fn listed(&mut self, job: &str) -> Value {
        let jobs = self.jobs();
        let found = jobs.into_iter().find(|it| it["job_id"] == job);
        found.unwrap_or_else(|| panic!("{job} is not listed"))
    }
}

/// The job that an answer names.
///
/// # Panics
/// Where it names none.
pub fn id_of(answer: &Value) -> String {
    let id = answer["job_id"].as_str();
    id.unwrap_or_else(|| panic!("no job in {answer}"))
        .to_owned()
}

/// A regular expression that matches this text and nothing else.
fn literal(text: &str) -> String {
    let mut pattern = String::new();
    for character in text.chars() {
        if r".^$*+?()[]{}|\".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}
