//! From a command text and its ending to a classification.

use super::blame::{self, Known};
use super::reading::{Evidence, judge};
use super::{hidden, signals, windows};
use crate::model::{Classification, Dialect, Ending, Status};

/// Says what the ending of a command means. Never fails: what is not understood is judged by its code alone.
pub fn classify(command: &str, ending: &Ending) -> Classification {
    let answer = |status, message: Option<String>, rule: &str| Classification {
        status,
        message,
        rule: rule.to_owned(),
    };
    if ending.timed_out {
        return answer(Status::Error, Some("timed out".into()), "timeout");
    }
    if let Some(signal) = ending.signal {
        return answer(Status::Signal, Some(signals::describe(signal)), "signal");
    }
    let Some(code) = ending.exit_code else {
        return answer(Status::Ok, Some("still running".into()), "running");
    };
    let evidence = Evidence::of(ending);
    match ending.dialect {
        Dialect::Direct | Dialect::Bash => {
            // Some hosts report a signal as a negative code.
            if let Some(signal) = code.checked_neg().and_then(|code| u32::try_from(code).ok())
                && (1..=64).contains(&signal)
            {
                return answer(Status::Signal, Some(signals::describe(signal)), "signal");
            }
            let known = Known {
                evidence,
                stages: ending.stage_statuses.as_deref(),
            };
            if code == 0 {
                return match hidden::failure(command, &known) {
                    Some(note) => answer(Status::Ok, Some(note), "hidden.failure"),
                    None => answer(Status::Ok, None, "default.success"),
                };
            }
            let mut told = judge(&blame::suspects(command, code, &known), code, &evidence);
            if told.status == Status::Ok
                && let Some(note) = hidden::earlier_stage(command, &known)
            {
                told.message = told.message.map(|message| format!("{message}; {note}"));
            }
            told
        }
        dialect @ (Dialect::Powershell | Dialect::Cmd) => {
            if let Some(crash) = windows::crash(code) {
                let message = format!("the command crashed or was ended: {crash} (0x{code:08X})");
                return answer(Status::Error, Some(message), "windows.crash");
            }
            let suspect = windows::suspect(command, dialect, code);
            if code == 0 {
                return windows::success(suspect.as_ref(), &evidence)
                    .unwrap_or_else(|| answer(Status::Ok, None, "default.success"));
            }
            judge(suspect.as_slice(), code, &evidence)
        }
    }
}
