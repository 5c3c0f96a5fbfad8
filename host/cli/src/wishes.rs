//! What callers of every face may ask for by name: shells and limits.

use ostler_terminal::policy::ShellChoice;
use ostler_terminal::process::Limits;

/// Reads `true`, `false` or the path or file name of an interpreter.
pub fn shell(text: &str) -> ShellChoice {
    match text.to_ascii_lowercase().as_str() {
        "true" => ShellChoice::Platform,
        "false" => ShellChoice::Auto,
        _ => ShellChoice::Named(text.to_owned()),
    }
}

/// One bound on each process of a command.
struct Limit {
    name: &'static str,
    /// Largest value that makes sense; more is a mistake in the unit.
    max: u64,
    /// What one step of it is in the terms of the terminal: bytes for sizes.
    unit: u64,
    field: fn(&mut Limits) -> &mut Option<u64>,
}

const MIB: u64 = 1 << 20;

const LIMITS: [Limit; 4] = [
    Limit {
        name: "cpu_sec",
        max: 7 * 24 * 3600,
        unit: 1,
        field: |limits| &mut limits.cpu_sec,
    },
    Limit {
        name: "rss_mb",
        max: 16 << 20,
        unit: MIB,
        field: |limits| &mut limits.address_space_bytes,
    },
    Limit {
        name: "fsize_mb",
        max: 16 << 20,
        unit: MIB,
        field: |limits| &mut limits.file_size_bytes,
    },
    Limit {
        name: "nofile",
        max: 1 << 20,
        unit: 1,
        field: |limits| &mut limits.open_files,
    },
];

/// The names of the limits.
pub const LIMIT_NAMES: [&str; 4] = [
    LIMITS[0].name,
    LIMITS[1].name,
    LIMITS[2].name,
    LIMITS[3].name,
];

/// Sets the limit of this name.
///
/// # Errors
/// Says what is wrong with the value, or which names there are.
pub fn set_limit(limits: &mut Limits, name: &str, value: i64) -> Result<(), String> {
    let Some(limit) = LIMITS.iter().find(|limit| limit.name == name) else {
        return Err(format!(
            "unknown limit; known are {}",
            LIMIT_NAMES.join(", ")
        ));
    };
    match u64::try_from(value) {
        Ok(value) if (1..=limit.max).contains(&value) => {
            *(limit.field)(limits) = Some(value * limit.unit);
            Ok(())
        }
        _ => Err(format!(
            "{value} is out of range; 1 to {} are possible, none = no limit",
            limit.max
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_in_the_units_of_the_terminal() {
        let mut limits = Limits::default();
        for name in LIMIT_NAMES {
            set_limit(&mut limits, name, 3).unwrap();
        }
        let expected = Limits {
            cpu_sec: Some(3),
            address_space_bytes: Some(3 << 20),
            file_size_bytes: Some(3 << 20),
            open_files: Some(3),
        };
        assert_eq!(limits, expected);
    }

    #[test]
    fn limits_that_cannot_be_meant_are_refused() {
        for (name, value) in [
            ("cpu_sec", 0),
            ("cpu_sec", -5),
            ("rss_mb", i64::MAX),
            ("nofile", 1 << 40),
        ] {
            let error = set_limit(&mut Limits::default(), name, value).unwrap_err();
            assert!(error.contains("out of range"), "{name}={value}: {error}");
        }
        let error = set_limit(&mut Limits::default(), "memory", 1).unwrap_err();
        assert_eq!(
            error,
            "unknown limit; known are cpu_sec, rss_mb, fsize_mb, nofile"
        );
    }

    #[test]
    fn a_shell_may_be_a_boolean_in_words() {
        assert_eq!(shell("TRUE"), ShellChoice::Platform);
        assert_eq!(shell("false"), ShellChoice::Auto);
        assert_eq!(shell("bash"), ShellChoice::Named("bash".into()));
    }
}
