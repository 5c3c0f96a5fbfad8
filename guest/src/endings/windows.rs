//! Endings of Windows command texts: the last command's program decides.

use super::options::Options;
use super::reading::{Evidence, known_name, look_up};
use super::row::Call;
use super::suspect::{Suspect, Who, base_name};
use crate::model::{Classification, Dialect, Status};
use crate::syntax::{self, Via};

/// Codes with which Windows ends a program (NTSTATUS).
const CRASHES: &[(u32, &str)] = &[
    (0x8000_0003, "breakpoint"),
    (0xC000_0005, "access violation"),
    (0xC000_0017, "out of memory"),
    (0xC000_001D, "illegal instruction"),
    (0xC000_0022, "access denied"),
    (0xC000_0094, "integer division by zero"),
    (0xC000_00FD, "stack overflow"),
    (0xC000_0135, "a DLL was not found"),
    (0xC000_0139, "an entry point was not found in a DLL"),
    (0xC000_013A, "interrupted with Ctrl-C"),
    (0xC000_0142, "a DLL could not be initialized"),
    (0xC000_0374, "heap corruption"),
    (0xC000_0409, "stack buffer overrun"),
];

/// The reason, if the code is one with which Windows ends a program.
pub(super) fn crash(code: i32) -> Option<&'static str> {
    let status = code.cast_unsigned();
    CRASHES
        .iter()
        .find(|(known, _)| *known == status)
        .map(|(_, reason)| *reason)
}

/// The command that decides the code.
pub(super) fn suspect(text: &str, dialect: Dialect, code: i32) -> Option<Suspect> {
    let unfolded = syntax::unfold_as(dialect, text);
    let last = unfolded.invocations.iter().rfind(|invocation| {
        !invocation.via.iter().any(|via| {
            matches!(
                via,
                Via::CommandSubstitution | Via::ProcessSubstitution | Via::Trap
            )
        })
    })?;
    let name = last.program.as_deref()?.to_ascii_lowercase();
    if name == "exit" {
        return Some(Suspect::script(code));
    }
    let args = last.args.iter().map(syntax::Word::shown).collect();
    Some(Suspect::program(base_name(&name), args, code))
}

/// What success means where the table says something about it.
pub(super) fn success(
    suspect: Option<&Suspect>,
    evidence: &Evidence<'_>,
) -> Option<Classification> {
    let Who::Program { name, args } = &suspect?.who else {
        return None;
    };
    let program = known_name(name);
    let options = Options::of(program, args);
    let call = Call {
        program,
        options: &options,
        stderr: evidence.stderr,
        dialect: evidence.dialect,
    };
    let (tool, row) = look_up(&call, 0)?;
    Some(Classification {
        status: Status::Ok,
        message: Some(row.words(0)),
        rule: format!("{}.{}", tool.family, row.name),
    })
}
