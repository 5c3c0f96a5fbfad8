//! Tables of questions with the answers that every host and language must give.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use ostler_tests::binary::ostler;
use serde_json::Value;

use super::toolbox::root;

/// One table.
pub struct Cases {
    name: &'static str,
    /// The questions, as they stand in the file.
    pub questions: Vec<Value>,
    expected: Vec<Value>,
}

impl Cases {
    /// Reads a table.
    pub fn read(name: &'static str) -> Self {
        let text = std::fs::read_to_string(root().join("tests/cases").join(name)).unwrap();
        let mut questions: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let expected = questions
            .iter_mut()
            .map(|it| {
                it.as_object_mut()
                    .unwrap()
                    .remove("expect")
                    .unwrap_or_default()
            })
            .collect();
        Self {
            name,
            questions,
            expected,
        }
    }

    /// Holds answers against the table.
    pub fn assert(&self, who: &str, answers: Vec<Value>) {
        let answers: Vec<Value> = answers.into_iter().map(plain).collect();
        if std::env::var_os("OSTLER_BLESS").is_some() {
            return self.bless(&answers);
        }
        assert_eq!(answers.len(), self.expected.len(), "{who}");
        for ((question, expected), answer) in
            self.questions.iter().zip(&self.expected).zip(&answers)
        {
            assert_eq!(answer, expected, "{who}: {question}");
        }
    }

    fn bless(&self, answers: &[Value]) {
        let lines = self
            .questions
            .iter()
            .zip(answers)
            .map(|(question, answer)| {
                let mut case = question.clone();
                case["expect"] = answer.clone();
                format!("{case}\n")
            });
        std::fs::write(
            root().join("tests/cases").join(self.name),
            lines.collect::<String>(),
        )
        .unwrap();
    }

    /// Asks a program that answers lines of JSON.
    pub fn ask(&self, command: &mut Command) -> Vec<Value> {
        let questions = self
            .questions
            .iter()
            .map(|it| format!("{it}\n"))
            .collect::<String>();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(questions.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        assert!(output.status.success(), "{command:?}: {}", output.status);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Asks a component in our own host; none = the built-in one.
    pub fn ask_here(&self, policy: Option<&Path>) -> Vec<Value> {
        let mut command = ostler(["policy", "check", "--batch"]);
        if let Some(policy) = policy {
            command.arg("--policy").arg(policy);
        }
        self.ask(&mut command)
    }
}

/// An answer in the form of the table: that there is no plan is what counts, not how it is worded.
fn plain(mut answer: Value) -> Value {
    if answer.get("error").is_some() {
        answer["error"] = true.into();
    }
    answer
}

#[test]
fn the_built_in_component_answers_the_table() {
    let cases = Cases::read("default.jsonl");
    assert!(cases.questions.len() >= 60);
    cases.assert("the built-in component", cases.ask_here(None));
}

#[test]
fn a_component_of_an_earlier_release_is_still_loaded_and_asked() {
    let cases = Cases::read("house.jsonl");
    let fixture = root().join("tests/fixtures/policy-0.1.0.wasm");
    cases.assert("the component of 0.1.0", cases.ask_here(Some(&fixture)));
}
