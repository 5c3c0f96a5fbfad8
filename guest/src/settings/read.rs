//! From JSON to settings; every mistake is an error of one line that says where.

use serde_json::{Map, Value};

use super::Settings;
use super::answers::Answer;
use super::commands::{Entry, Kind};
use super::nearest::hint;

const KEYS: [&str; 7] = [
    "warn",
    "ask",
    "refuse",
    "allow",
    "confirm",
    "deny",
    "protected_programs",
];

const ENTRY_KEYS: [&str; 4] = ["prefix", "reason", "match", "no_match"];

impl Settings {
    /// Reads settings from JSON.
    ///
    /// # Errors
    /// What is wrong and under which key, in one line for a person: text that is no JSON, an unknown key, rule,
    /// family, severity or preset, a value of the wrong type, an example that is matched or not against its list.
    pub fn parse(json: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| format!("not valid JSON: {error}"))?;
        let Value::Object(fields) = value else {
            return Err(format!(
                "expected an object such as {{\"refuse\": [\"severity:danger\"]}}, not {}",
                kind(&value)
            ));
        };
        let mut settings = Self::default();
        for (key, value) in &fields {
            match key.as_str() {
                "warn" => settings.answers(Answer::Warn, value)?,
                "ask" => settings.answers(Answer::Ask, value)?,
                "refuse" => settings.answers(Answer::Refuse, value)?,
                "allow" => settings.allow = entries(Kind::Allow, value)?,
                "confirm" => settings.confirm = entries(Kind::Confirm, value)?,
                "deny" => settings.deny = entries(Kind::Deny, value)?,
                "protected_programs" => {
                    for (index, name) in strings(key, value)?.into_iter().enumerate() {
                        let added = settings.protected.add(name);
                        added.map_err(|error| format!("{key}[{index}]: {error}"))?;
                    }
                }
                unknown => return Err(unknown_key("", unknown, &KEYS)),
            }
        }
        Ok(settings)
    }

    fn answers(&mut self, answer: Answer, value: &Value) -> Result<(), String> {
        let key = answer.key();
        let is_table = |item: &Value| matches!(item, Value::Object(_));
        if let Some(index) = value
            .as_array()
            .and_then(|items| items.iter().position(is_table))
        {
            let commands = match answer {
                Answer::Warn => Kind::Allow,
                Answer::Ask => Kind::Confirm,
                Answer::Refuse => Kind::Deny,
            };
            return Err(format!(
                "{key}[{index}]: expected a rule, a family or a severity; commands belong under {:?}",
                commands.key()
            ));
        }
        for (index, text) in strings(key, value)?.into_iter().enumerate() {
            self.answers.add(answer, index, text)?;
        }
        Ok(())
    }
}

fn entries(kind: Kind, value: &Value) -> Result<Vec<Entry>, String> {
    let list = list(kind.key(), value)?;
    list.iter()
        .enumerate()
        .map(|(index, value)| {
            let place = format!("{}[{index}]", kind.key());
            let Value::Object(fields) = value else {
                return Err(wrong(
                    &place,
                    "a table such as {\"prefix\": [\"git\", \"push\"]}",
                    value,
                ));
            };
            entry(kind, place, fields)
        })
        .collect()
}

fn entry(kind: Kind, place: String, fields: &Map<String, Value>) -> Result<Entry, String> {
    if let Some(unknown) = fields
        .keys()
        .find(|key| !ENTRY_KEYS.contains(&key.as_str()))
    {
        return Err(unknown_key(&format!("{place}."), unknown, &ENTRY_KEYS));
    }
    let Some(prefix) = fields.get("prefix") else {
        return Err(format!("{place}: there is no `prefix`"));
    };
    let prefix_place = format!("{place}.prefix");
    let words = list(&prefix_place, prefix)?;
    if words.is_empty() {
        return Err(format!(
            "{prefix_place} is empty: it would match every command"
        ));
    }
    let words = words
        .iter()
        .enumerate()
        .map(|(index, value)| alternatives(&format!("{prefix_place}[{index}]"), value))
        .collect::<Result<Vec<_>, _>>()?;
    let reason = match fields.get("reason") {
        None => None,
        Some(_) if kind == Kind::Allow => {
            return Err(format!(
                "{place}.reason: what is allowed needs no reason; only `confirm` and `deny` have one"
            ));
        }
        Some(Value::String(reason)) => Some(one_line(reason)),
        Some(other) => return Err(wrong(&format!("{place}.reason"), "a string", other)),
    };
    let entry = Entry::new(kind, place.clone(), words, reason);
    for (key, wanted) in [("match", true), ("no_match", false)] {
        let Some(examples) = fields.get(key) else {
            continue;
        };
        let key = format!("{place}.{key}");
        for (index, example) in strings(&key, examples)?.into_iter().enumerate() {
            if entry.matches_text(example) != wanted {
                let not = if wanted { "not " } else { "" };
                return Err(format!(
                    "{key}[{index}]: {example:?} is {not}matched by the prefix {:?}",
                    entry.shown()
                ));
            }
        }
    }
    Ok(entry)
}

/// A word of a prefix, or several of which one must stand there.
fn alternatives(place: &str, value: &Value) -> Result<Vec<String>, String> {
    let words = match value {
        Value::String(word) => vec![word.clone()],
        Value::Array(_) => strings(place, value)?
            .into_iter()
            .map(str::to_owned)
            .collect(),
        other => return Err(wrong(place, "a word or a list of words", other)),
    };
    match words.as_slice() {
        [] => Err(format!("{place} is empty: nothing could stand there")),
        words if words.iter().any(String::is_empty) => Err(format!("{place}: a word is empty")),
        _ => Ok(words),
    }
}

fn list<'a>(place: &str, value: &'a Value) -> Result<&'a [Value], String> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(wrong(place, "a list", other)),
    }
}

fn strings<'a>(place: &str, value: &'a Value) -> Result<Vec<&'a str>, String> {
    list(place, value)?
        .iter()
        .enumerate()
        .map(|(index, item)| match item {
            Value::String(text) => Ok(text.as_str()),
            other => Err(wrong(&format!("{place}[{index}]"), "a string", other)),
        })
        .collect()
}

fn wrong(place: &str, expected: &str, found: &Value) -> String {
    format!("{place}: expected {expected}, not {}", kind(found))
}

fn unknown_key(place: &str, key: &str, known: &[&str]) -> String {
    let hint = hint(key, known.iter().copied());
    let hint = if hint.is_empty() {
        format!("; the keys are {}", known.join(", "))
    } else {
        hint
    };
    format!("{place}{}: there is no such key{hint}", one_line(key))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}

/// The text with line ends and other control characters as blanks.
fn one_line(text: &str) -> String {
    text.trim().replace(char::is_control, " ")
}
