//! What a host can configure: what is done about the findings of a rule or of a family of rules.
//!
//! ```json
//! { "rules": { "fs.rm-root": "refuse", "git.*": "ask" } }
//! ```

use serde_json::Value;

use crate::rules;

/// What is done about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It is told and the command runs.
    Warn,
    /// A person is asked.
    Ask,
    /// The command does not run.
    Refuse,
}

/// The settings in force; by default every rule warns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Rule ids, or families as `family.*`, with what is done. A rule's own entry wins over its family's.
    rules: Vec<(String, Answer)>,
}

impl Settings {
    /// Reads settings from JSON.
    ///
    /// # Errors
    /// What is wrong, for a person: text that is no JSON, an unknown key, an unknown rule, an unknown answer.
    pub fn parse(json: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| format!("not valid JSON: {error}"))?;
        let Value::Object(fields) = value else {
            return Err(
                "expected an object such as {\"rules\": {\"fs.rm-root\": \"refuse\"}}".into(),
            );
        };
        let mut settings = Self::default();
        for (key, value) in fields {
            match (key.as_str(), value) {
                ("rules", Value::Object(entries)) => {
                    for (pattern, answer) in entries {
                        settings.rules.push((known(pattern)?, answer_of(&answer)?));
                    }
                }
                ("rules", _) => return Err("`rules` must be an object of rule ids".into()),
                _ => return Err(format!("unknown key `{key}`; the only one is `rules`")),
            }
        }
        Ok(settings)
    }

    /// What is done about findings of this rule.
    pub fn answer(&self, rule: &str) -> Answer {
        let entry = |name: &str| {
            self.rules
                .iter()
                .find(|(pattern, _)| pattern == name)
                .map(|(_, answer)| *answer)
        };
        entry(rule)
            .or_else(|| entry(&format!("{}.*", rule.split('.').next()?)))
            .unwrap_or(Answer::Warn)
    }
}

/// A pattern that names at least one rule: a mistyped one would switch a guard off in silence.
fn known(pattern: String) -> Result<String, String> {
    let catalogue = rules::catalogue();
    let family = |id: &'static str| id.split('.').next();
    let matches = match pattern.strip_suffix(".*") {
        Some(name) => catalogue.iter().any(|rule| family(rule.id) == Some(name)),
        None => catalogue.iter().any(|rule| rule.id == pattern),
    };
    if matches {
        Ok(pattern)
    } else {
        Err(format!("there is no rule `{pattern}`"))
    }
}

fn answer_of(value: &Value) -> Result<Answer, String> {
    match value.as_str() {
        Some("warn") => Ok(Answer::Warn),
        Some("ask") => Ok(Answer::Ask),
        Some("refuse") => Ok(Answer::Refuse),
        _ => Err(format!(
            "{value} is no answer; use \"warn\", \"ask\" or \"refuse\""
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_of_its_own_wins_over_its_family() {
        let json = r#"{"rules": {"git.*": "ask", "git.clean": "refuse"}}"#;
        let settings = Settings::parse(json).unwrap();
        assert_eq!(settings.answer("git.clean"), Answer::Refuse);
        assert_eq!(settings.answer("git.discard"), Answer::Ask);
        assert_eq!(settings.answer("fs.rm-root"), Answer::Warn);
    }

    #[test]
    fn a_mistake_is_told_in_words() {
        for (json, expected) in [
            ("{", "not valid JSON"),
            ("[]", "expected an object"),
            (r#"{"rule": {}}"#, "unknown key `rule`"),
            (r#"{"rules": {"fs.rm-rot": "ask"}}"#, "no rule `fs.rm-rot`"),
            (r#"{"rules": {"*": "ask"}}"#, "no rule `*`"),
            (r#"{"rules": {"fs.rm-*": "ask"}}"#, "no rule `fs.rm-*`"),
            (
                r#"{"rules": {"fs.rm-root": "deny"}}"#,
                "\"deny\" is no answer",
            ),
        ] {
            let error = Settings::parse(json).unwrap_err();
            assert!(error.contains(expected), "{json}: {error}");
        }
    }
}
