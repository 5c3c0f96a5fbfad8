//! Refuses what cannot be meant, before anything is asked or spawned.

use crate::command::{Command, MAX_COMMAND_BYTES, MAX_DEADLINE, MAX_GRACE};
use crate::outcome::ExecError;
use crate::policy::ShellChoice;

/// Checks every field whose value alone can be wrong.
pub(crate) fn check(command: &Command) -> Result<(), ExecError> {
    let invalid = |field, problem: String| Err(ExecError::Invalid { field, problem });
    let text = command.text.len();
    if text > MAX_COMMAND_BYTES {
        return invalid(
            "command",
            format!(
                "{text} bytes are more than {MAX_COMMAND_BYTES}; pass a long script by stdin or as a file"
            ),
        );
    }
    if let ShellChoice::Named(name) = &command.shell
        && (name.trim().is_empty() || name.contains('\0'))
    {
        return invalid("shell", format!("{name:?} names no interpreter"));
    }
    if let Some(problem) = command.environment.problem() {
        return invalid("environment", problem);
    }
    if let Some(cwd) = &command.cwd
        && cwd.as_os_str().is_empty()
    {
        return invalid(
            "cwd",
            "is empty; leave it out for the default, or give a path".into(),
        );
    }
    let limits = [
        ("limits.cpu_sec", command.limits.cpu_sec),
        (
            "limits.address_space_bytes",
            command.limits.address_space_bytes,
        ),
        ("limits.file_size_bytes", command.limits.file_size_bytes),
        ("limits.open_files", command.limits.open_files),
    ];
    for (field, limit) in limits {
        if limit == Some(0) {
            return invalid(
                field,
                "0 would let nothing run; leave it out for no limit".into(),
            );
        }
    }
    for (field, value, max) in [
        (
            "deadline",
            command.deadline.unwrap_or_default(),
            MAX_DEADLINE,
        ),
        ("grace", command.grace, MAX_GRACE),
    ] {
        if value > max {
            let (value, max) = (value.as_secs_f64(), max.as_secs());
            return invalid(
                field,
                format!("{value} s is more than the {max} s that are allowed"),
            );
        }
    }
    Ok(())
}
