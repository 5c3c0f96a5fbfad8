//! The kinds of values that tool parameters have: how they are read from JSON and how schemas tell them.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use ostler_terminal::policy::ShellChoice;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::wishes;

/// A time in seconds, 0 or more; fractions are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl Seconds {
    /// This many whole seconds.
    pub const fn whole(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The time, unless it is 0, which stands for none.
    pub fn non_zero(self) -> Option<Duration> {
        (!self.0.is_zero()).then_some(self.0)
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "a number of seconds, 0 or more";
        let seconds = deserializer.deserialize_any(Number(EXPECTED))?;
        Duration::try_from_secs_f64(seconds)
            .map(Self)
            .map_err(|_| Error::invalid_value(Unexpected::Float(seconds), &EXPECTED))
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.subsec_nanos() {
            0 => serializer.serialize_u64(self.0.as_secs()),
            _ => serializer.serialize_f64(self.0.as_secs_f64()),
        }
    }
}

impl JsonSchema for Seconds {
    fn schema_name() -> Cow<'static, str> {
        "Seconds".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

/// A whole number; `60.0` is one too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole(pub i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "a whole number";
        let number = deserializer.deserialize_any(Number(EXPECTED))?;
        // Beyond 2^53 a float has no fractions left but also no exact neighbours; nothing here counts that far.
        if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
            Ok(Self(number as i64))
        } else {
            Err(Error::invalid_value(Unexpected::Float(number), &EXPECTED))
        }
    }
}

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl JsonSchema for Whole {
    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer" })
    }
}

/// Reads any JSON number.
struct Number(&'static str);

impl Visitor<'_> for Number {
    type Value = f64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }
}

/// How bytes are written in an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum Encoding {
    /// As text.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// Exactly.
    #[serde(rename = "base64")]
    Base64,
}

/// Whether a shell is asked for, and which: a boolean, or the path or file name of an interpreter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShellArgument(pub ShellChoice);

impl<'de> Deserialize<'de> for ShellArgument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BoolOrName;

        impl Visitor<'_> for BoolOrName {
            type Value = ShellArgument;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("true, false, or the path or name of an interpreter")
            }

            fn visit_bool<E: Error>(self, shell: bool) -> Result<ShellArgument, E> {
                Ok(ShellArgument(if shell {
                    ShellChoice::Platform
                } else {
                    ShellChoice::Auto
                }))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ShellArgument, E> {
                Ok(ShellArgument(wishes::shell(text)))
            }
        }

        deserializer.deserialize_any(BoolOrName)
    }
}

impl Serialize for ShellArgument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            ShellChoice::Auto => serializer.serialize_bool(false),
            ShellChoice::Platform => serializer.serialize_bool(true),
            ShellChoice::Named(name) => serializer.serialize_str(name),
        }
    }
}

impl JsonSchema for ShellArgument {
    fn schema_name() -> Cow<'static, str> {
        "Shell".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["boolean", "string"] })
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Value, from_value, json};

    use super::*;

    fn error<T: DeserializeOwned + fmt::Debug>(value: Value) -> String {
        from_value::<T>(value).unwrap_err().to_string()
    }

    #[test]
    fn seconds_are_any_number_from_zero_on() {
        let read = |value| from_value::<Seconds>(value).unwrap().0;
        assert_eq!(read(json!(60)), Duration::from_secs(60));
        assert_eq!(read(json!(60.0)), Duration::from_secs(60));
        assert_eq!(read(json!(0.1)), Duration::from_millis(100));
        assert_eq!(read(json!(0)), Duration::ZERO);
        assert_eq!(
            error::<Seconds>(json!(-1)),
            "invalid value: floating point `-1.0`, expected a number of seconds, 0 or more"
        );
        assert_eq!(
            error::<Seconds>(json!("soon")),
            "invalid type: string \"soon\", expected a number of seconds, 0 or more"
        );
        assert!(from_value::<Seconds>(json!(1e300)).is_err());
    }

    #[test]
    fn whole_numbers_may_be_written_with_a_point() {
        assert_eq!(from_value::<Whole>(json!(256.0)).unwrap(), Whole(256));
        assert_eq!(from_value::<Whole>(json!(-1)).unwrap(), Whole(-1));
        assert_eq!(
            error::<Whole>(json!(0.5)),
            "invalid value: floating point `0.5`, expected a whole number"
        );
        assert!(from_value::<Whole>(json!(1e30)).is_err());
    }

    #[test]
    fn a_shell_is_a_boolean_or_a_name() {
        let read = |value| from_value::<ShellArgument>(value).unwrap().0;
        assert_eq!(read(json!(true)), ShellChoice::Platform);
        assert_eq!(read(json!("True")), ShellChoice::Platform);
        assert_eq!(read(json!("false")), ShellChoice::Auto);
        assert_eq!(
            read(json!("/bin/dash")),
            ShellChoice::Named("/bin/dash".into())
        );
        assert_eq!(
            error::<ShellArgument>(json!(3)),
            "invalid type: integer `3`, expected true, false, or the path or name of an interpreter"
        );
    }
}
