//! Reads the arguments of a tool call one by one, so that a mistake is told by the name of its field.

use std::fmt;

use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::nearest::nearest;

/// What is wrong with an argument; the text begins with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadArgument {
    field: String,
    problem: String,
}

impl fmt::Display for BadArgument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.field, self.problem)
    }
}

impl BadArgument {
    /// A mistake in this field.
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            problem: problem.into(),
        }
    }
}

/// The arguments of one call that have not been read yet.
#[derive(Debug)]
pub struct Arguments {
    given: JsonObject,
    /// Name of the object that they stand in, with a dot; empty at the top.
    prefix: &'static str,
}

impl Arguments {
    /// The arguments of a call. All must be known by name; `hidden` names are known but not told.
    ///
    /// # Errors
    /// Names the first unknown one, the one that was probably meant, and all known ones.
    pub fn of_call(
        given: JsonObject,
        known: &[&str],
        hidden: &[&str],
    ) -> Result<Self, BadArgument> {
        Self::new(given, "", known, hidden)
    }

    /// The members of an argument that is an object; `prefix` is its name with a dot.
    ///
    /// # Errors
    /// As [`Arguments::of_call`].
    pub fn of_object(
        given: JsonObject,
        prefix: &'static str,
        known: &[&str],
    ) -> Result<Self, BadArgument> {
        Self::new(given, prefix, known, &[])
    }

    fn new(
        given: JsonObject,
        prefix: &'static str,
        known: &[&str],
        hidden: &[&str],
    ) -> Result<Self, BadArgument> {
        let stranger = given
            .keys()
            .find(|name| !known.contains(&name.as_str()) && !hidden.contains(&name.as_str()));
        if let Some(name) = stranger {
            let meant = nearest(name, known)
                .map(|meant| format!("did you mean `{meant}`? "))
                .unwrap_or_default();
            let problem = format!("unknown argument; {meant}known are {}", known.join(", "));
            let shown: String = name.chars().take(100).collect();
            return Err(BadArgument::new(format!("{prefix}{shown}"), problem));
        }
        Ok(Self { given, prefix })
    }

    /// An argument that may be left out or null.
    ///
    /// # Errors
    /// Says what was found and what was expected.
    pub fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, BadArgument> {
        match self.given.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => serde_json::from_value(value).map(Some).map_err(|error| {
                BadArgument::new(format!("{}{name}", self.prefix), error.to_string())
            }),
        }
    }

    /// An argument that must be there.
    ///
    /// # Errors
    /// As [`Arguments::optional`], and where it is missing.
    pub fn required<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, BadArgument> {
        self.optional(name)?
            .ok_or_else(|| BadArgument::new(format!("{}{name}", self.prefix), "is required"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KNOWN: &[&str] = &["command", "timeout_sec"];

    fn arguments(value: Value) -> Result<Arguments, BadArgument> {
        Arguments::of_call(value.as_object().unwrap().clone(), KNOWN, &["session_cwd"])
    }

    #[test]
    fn an_unknown_argument_is_named_with_the_one_that_was_meant() {
        let error = arguments(json!({"command": "x", "timeout": 5})).unwrap_err();
        assert_eq!(
            error.to_string(),
            "timeout: unknown argument; did you mean `timeout_sec`? known are command, timeout_sec"
        );
        let error = arguments(json!({"zebra": 5})).unwrap_err();
        assert_eq!(
            error.to_string(),
            "zebra: unknown argument; known are command, timeout_sec"
        );
    }

    #[test]
    fn a_hidden_argument_is_taken_but_not_told() {
        let mut arguments = arguments(json!({"session_cwd": "/tmp"})).unwrap();
        assert_eq!(
            arguments
                .optional::<String>("session_cwd")
                .unwrap()
                .as_deref(),
            Some("/tmp")
        );
    }

    #[test]
    fn a_wrong_type_tells_what_was_found_and_what_was_expected() {
        let mut arguments = arguments(json!({"command": 5})).unwrap();
        let error = arguments.required::<String>("command").unwrap_err();
        assert_eq!(
            error.to_string(),
            "command: invalid type: integer `5`, expected a string"
        );
    }

    #[test]
    fn null_is_the_same_as_nothing() {
        let mut arguments = arguments(json!({"command": null})).unwrap();
        assert_eq!(arguments.optional::<String>("timeout_sec").unwrap(), None);
        let error = arguments.required::<String>("command").unwrap_err();
        assert_eq!(error.to_string(), "command: is required");
    }
}
