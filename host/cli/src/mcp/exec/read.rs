//! From the arguments of a call to a command.

use std::time::Duration;

use ostler_terminal::{Command, Patience, Stdin};
use rmcp::model::JsonObject;

use super::parameters::{KNOWN, default_auto_background, default_max_output_kb, default_timeout};
use crate::envelope::View;
use crate::mcp::arguments::{Arguments, BadArgument};
use crate::mcp::command::{self, HIDDEN};
use crate::mcp::values::Seconds;

/// Longest wait for a command whose budgets set none. Agents' own limits on a call lie above it.
pub const MAX_INLINE_SEC: u64 = 220;

/// A call that can be run.
#[derive(Debug)]
pub struct Call {
    /// The command.
    pub command: Command,
    /// How long its caller waits.
    pub patience: Patience,
    /// How its output is shown.
    pub view: View,
}

impl Call {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// Names the field that is wrong.
    pub fn read(given: JsonObject) -> Result<Self, BadArgument> {
        let mut arguments = Arguments::of_call(given, KNOWN, HIDDEN)?;
        let mut command = command::read(&mut arguments)?;
        let timeout = arguments
            .optional("timeout_sec")?
            .unwrap_or_else(default_timeout);
        let auto_background = arguments
            .optional("auto_background_after_sec")?
            .unwrap_or_else(default_auto_background);
        let patience = patience(timeout, auto_background)?;
        command.deadline = command::deadline(timeout)?;
        if let Some(text) = arguments.optional::<String>("stdin")? {
            command.stdin = Stdin::Bytes(text.into_bytes());
        }
        let max_output_kb = arguments
            .optional("max_output_kb")?
            .unwrap_or_else(default_max_output_kb)
            .0
            .max(1);
        let max_output_bytes = usize::try_from(max_output_kb).unwrap_or(usize::MAX);
        let view = View {
            max_bytes: max_output_bytes.saturating_mul(1024),
            plain: arguments.optional("plain")?.unwrap_or_default(),
        };
        Ok(Self {
            command,
            patience,
            view,
        })
    }
}

/// How long the caller waits: until the command becomes a job, where that comes before its deadline.
fn patience(timeout: Seconds, auto_background: Seconds) -> Result<Patience, BadArgument> {
    let (deadline, promote_after) = (timeout.non_zero(), auto_background.non_zero());
    let at_most = Duration::from_secs(MAX_INLINE_SEC);
    let inline = [deadline, promote_after].into_iter().flatten().min();
    if inline.is_none_or(|inline| inline > at_most) {
        let problem = format!(
            "the smaller of the two that is not 0 bounds the wait for an answer: it must exist and be at most {MAX_INLINE_SEC}"
        );
        return Err(BadArgument::new(
            "timeout_sec, auto_background_after_sec",
            problem,
        ));
    }
    let promote_after =
        promote_after.filter(|after| deadline.is_none_or(|deadline| *after < deadline));
    Ok(Patience {
        promote_after,
        at_most,
    })
}

#[cfg(test)]
mod tests {
    use ostler_terminal::OnExit;
    use ostler_terminal::policy::ShellChoice;
    use serde_json::{Value, json};

    use super::super::parameters::Parameters;
    use super::*;

    fn read(value: Value) -> Result<Call, String> {
        Call::read(value.as_object().unwrap().clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_defaults_are_those_of_the_contract() {
        let call = read(json!({"command": "ls"})).unwrap();
        assert_eq!(call.command.text, "ls");
        assert_eq!(call.command.deadline, Some(Duration::from_secs(60)));
        assert_eq!(call.command.shell, ShellChoice::Auto);
        assert_eq!(call.command.cwd, None);
        assert!(matches!(call.command.stdin, Stdin::Empty));
        assert_eq!(call.command.on_exit, OnExit::Linger);
        assert_eq!(call.patience.promote_after, Some(Duration::from_secs(30)));
        assert_eq!((call.view.max_bytes, call.view.plain), (256 << 10, false));
    }

    #[test]
    fn every_known_argument_is_in_the_schema_and_no_other() {
        let schema = schemars::schema_for!(Parameters);
        let properties = schema.as_object().unwrap()["properties"]
            .as_object()
            .unwrap();
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(names, KNOWN);
        assert_eq!(schema.as_object().unwrap()["required"], json!(["command"]));
        assert_eq!(properties["timeout_sec"]["default"], json!(60));
        assert_eq!(
            properties["auto_background_after_sec"]["default"],
            json!(30)
        );
        assert_eq!(properties["shell"]["default"], json!(false));
        assert_eq!(properties["max_output_kb"]["default"], json!(256));
    }

    #[test]
    fn mistakes_are_told_by_the_name_of_their_field() {
        let cases = [
            (json!({}), "command: is required"),
            (
                json!({"command": ["ls"]}),
                "command: invalid type: sequence, expected a string",
            ),
            (
                json!({"command": "x", "cmd": "y"}),
                "cmd: unknown argument; did you mean",
            ),
            (json!({"command": "x", "cwd": ""}), "cwd: is empty"),
            (
                json!({"command": "x", "cwd": "a\0b"}),
                "cwd: holds a NUL character",
            ),
            (
                json!({"command": "x", "env": {"A": 1}}),
                "env.A: expected a string, found 1",
            ),
            (
                json!({"command": "x", "env": "A=1"}),
                "env: invalid type: string",
            ),
            (
                json!({"command": "x", "timeout_sec": -1}),
                "timeout_sec: invalid value",
            ),
            (
                json!({"command": "x", "timeout_sec": "soon"}),
                "timeout_sec: invalid type: string",
            ),
            (
                json!({"command": "x", "timeout_sec": 1e9}),
                "timeout_sec: more than",
            ),
            (json!({"command": "x", "shell": 1}), "shell: invalid type"),
            (
                json!({"command": "x", "limits": {"cpu_sec": -1}}),
                "limits.cpu_sec: -1 is out of range",
            ),
            (
                json!({"command": "x", "limits": {"rss_mb": 0}}),
                "limits.rss_mb: 0 is out of range",
            ),
            (
                json!({"command": "x", "limits": {"memory": 1}}),
                "limits.memory: unknown argument",
            ),
            (
                json!({"command": "x", "max_output_kb": 0.5}),
                "max_output_kb: invalid value",
            ),
        ];
        for (arguments, expected) in cases {
            let error = read(arguments.clone()).unwrap_err();
            assert!(error.starts_with(expected), "{arguments}: {error}");
        }
    }

    #[test]
    fn the_wait_for_an_answer_is_bounded_by_the_smaller_budget() {
        let budgets = |timeout: f64, auto: f64| {
            read(json!({"command": "x", "timeout_sec": timeout, "auto_background_after_sec": auto}))
        };
        let seconds = Duration::from_secs_f64;
        for (timeout, auto, deadline, promote_after) in [
            (600.0, 30.0, Some(600.0), Some(30.0)),
            (0.1, 0.0, Some(0.1), None),
            (0.0, 30.0, None, Some(30.0)),
            (5.0, 30.0, Some(5.0), None),
            (30.0, 30.0, Some(30.0), None),
        ] {
            let call = budgets(timeout, auto).unwrap();
            assert_eq!(call.command.deadline, deadline.map(seconds));
            assert_eq!(call.patience.promote_after, promote_after.map(seconds));
        }
        for (timeout, auto) in [(0.0, 0.0), (221.0, 0.0), (0.0, 221.0), (300.0, 300.0)] {
            let error = budgets(timeout, auto).unwrap_err();
            assert!(
                error.starts_with("timeout_sec, auto_background_after_sec:"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_relative_directory_starts_at_the_session() {
        let cwd = |cwd: Value, base: Value| {
            read(json!({"command": "x", "cwd": cwd, "session_cwd": base}))
                .unwrap()
                .command
                .cwd
        };
        assert_eq!(cwd(json!("/a"), json!("/s")), Some("/a".into()));
        assert_eq!(cwd(json!("a"), json!("/s")), Some("/s/a".into()));
        assert_eq!(cwd(Value::Null, json!("/s")), Some("/s".into()));
        assert_eq!(cwd(Value::Null, Value::Null), None);
    }

    #[test]
    fn an_identity_is_taken_without_effect() {
        let call = read(json!({"command": "x", "crm_principal": "someone"})).unwrap();
        assert!(call.command.environment.set.is_empty());
    }

    #[test]
    fn the_output_cap_has_a_floor() {
        for kb in [0, -7, 1] {
            let call = read(json!({"command": "x", "max_output_kb": kb})).unwrap();
            assert_eq!(call.view.max_bytes, 1024);
        }
    }

    #[test]
    fn text_for_stdin_is_passed_as_it_is() {
        let call = read(json!({"command": "cat", "stdin": "{\"a\":1}"})).unwrap();
        assert!(matches!(call.command.stdin, Stdin::Bytes(bytes) if bytes == b"{\"a\":1}"));
    }
}
