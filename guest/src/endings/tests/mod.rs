//! The meaning of endings, as sentences, and the score on the sample table.

mod composition;
mod order;
mod tools;
mod wrapped;

use super::classify;
use crate::model::{Classification, Dialect, Ending, Status};

fn ending(code: i32) -> Ending {
    Ending {
        exit_code: Some(code),
        signal: None,
        timed_out: false,
        dialect: Dialect::Bash,
        stderr_excerpt: String::new(),
        stage_statuses: None,
    }
}

fn told(command: &str, code: i32) -> Classification {
    classify(command, &ending(code))
}

fn told_with_stderr(command: &str, code: i32, stderr: &str) -> Classification {
    classify(
        command,
        &Ending {
            stderr_excerpt: stderr.to_owned(),
            ..ending(code)
        },
    )
}

fn told_in(dialect: Dialect, command: &str, code: i32) -> Classification {
    classify(
        command,
        &Ending {
            dialect,
            ..ending(code)
        },
    )
}

#[track_caller]
fn expect(told: &Classification, status: Status, words: &str) {
    let message = told.message.as_deref().unwrap_or_default();
    assert!(
        told.status == status && message.contains(words),
        "expected {status:?} with {words:?}: {told:?}"
    );
}

#[track_caller]
fn each(status: Status, words: &str, cases: &[(&str, i32)]) {
    for (command, code) in cases {
        let told = told(command, *code);
        let message = told.message.as_deref().unwrap_or_default();
        assert!(
            told.status == status && message.contains(words),
            "{command:?} {code}: expected {status:?} with {words:?}: {told:?}"
        );
    }
}
