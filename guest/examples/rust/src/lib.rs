//! A policy of an own house: runs everything in bash, warns of tables that are dropped, refuses what its settings name.

use std::sync::Mutex;

wit_bindgen::generate!({ path: "wit", world: "policy-guest" });

use exports::ostler::terminal::policy::{
    Description, Ending, Guest, Rejection, Request, ReviewResult, Rule, Verdict,
};
use ostler::terminal::types::{
    Classification, Dialect, Finding, Invocation, Severity, Span, Status,
};

const RULE: &str = "house.drop-table";

/// Texts that are refused; a fresh instance answers each question, so this is set anew each time.
static REFUSED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct House;

export!(House);

impl Guest for House {
    fn describe() -> Description {
        Description {
            name: "house".into(),
            version: "0.1.0".into(),
            rules: vec![Rule {
                id: RULE.into(),
                title: "A table is dropped".into(),
                severity: Severity::Danger,
                example: "psql -c 'DROP TABLE users'".into(),
                dialect: Dialect::Bash,
                counter_example: "psql -c 'SELECT 1'".into(),
            }],
        }
    }

    fn configure(settings: String) -> Result<(), String> {
        let given: serde_json::Value =
            serde_json::from_str(&settings).map_err(|_| "the settings are not JSON")?;
        let given = given
            .as_object()
            .filter(|given| given.keys().all(|key| key == "refuse"))
            .ok_or("the only setting is refuse, a list of texts")?;
        let texts = match given.get("refuse") {
            None => Vec::new(),
            Some(texts) => serde_json::from_value(texts.clone())
                .map_err(|_| "refuse: expected a list of texts")?,
        };
        *REFUSED.lock().map_err(|_| "the settings are in use")? = texts;
        Ok(())
    }

    fn review(request: Request) -> Result<ReviewResult, Rejection> {
        let text = request.command;
        if text.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            return Err(Rejection::EmptyCommand);
        }
        if text.contains('\0') {
            return Err(Rejection::NulCharacter);
        }
        let bash = request.shells.into_iter().find(|it| it.dialect == Dialect::Bash);
        let bash = bash.ok_or_else(|| Rejection::NoShell("bash".into()))?;
        let finding = text.to_ascii_lowercase().find("drop table").map(|at| Finding {
            rule: RULE.into(),
            severity: Severity::Danger,
            message: "drops a table with all its rows".into(),
            span: Span {
                start: at as u32,
                end: at as u32 + 10,
            },
        });
        let refused = REFUSED.lock().ok();
        let phrase = refused.iter().flat_map(|it| it.iter()).find(|it| text.contains(it.as_str()));
        let verdict = match phrase {
            Some(phrase) => Verdict::Refuse(format!("the house does not allow {phrase}")),
            None => Verdict::Proceed,
        };
        Ok(ReviewResult {
            invocation: Invocation {
                argv: vec![bash.program, "-c".into(), text],
                dialect: Dialect::Bash,
                auto_shell: true,
            },
            findings: finding.into_iter().collect(),
            opaque: Vec::new(),
            verdict,
            extra: Vec::new(),
        })
    }

    fn classify(_command: String, ending: Ending) -> Classification {
        let (status, message, rule) = match ending {
            Ending { timed_out: true, .. } => (Status::Error, Some("timed out".into()), "house.timeout"),
            Ending { signal: Some(signal), .. } => {
                (Status::Signal, Some(format!("ended by signal {signal}")), "house.signal")
            }
            Ending { exit_code: Some(0), .. } => (Status::Ok, None, "house.zero"),
            Ending { exit_code, .. } => {
                let code = exit_code.unwrap_or(-1);
                (Status::Error, Some(format!("exit code {code}")), "house.exit")
            }
        };
        Classification {
            status,
            message,
            rule: rule.into(),
            extra: Vec::new(),
        }
    }
}
