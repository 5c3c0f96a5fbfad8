//! `ostler:terminal/exec`.

use std::time::Duration;

use ostler_terminal::policy::{Rejection, ShellChoice};
use ostler_terminal::process::{Limits, SpawnError, Survivor};
use ostler_terminal::{Command, Environment, ExecError, Exit, Outcome, Stdin};

use super::OutputState;
use super::types;
use crate::bindings::ostler::terminal::{exec as wit, policy as wit_policy};
use crate::view::{Grant, PluginCtxView};

impl wit::Host for PluginCtxView<'_> {
    async fn run(
        &mut self,
        command: wit::Command,
    ) -> wasmtime::Result<Result<wit::Outcome, wit::ExecError>> {
        let grant = self.ctx.grant;
        let command =
            match granted(grant.exec, "running commands").and_then(|()| typed(command, grant)) {
                Ok(command) => command,
                Err(error) => return Ok(Err(error)),
            };
        match self.ctx.terminal.exec(command).await {
            Ok(outcome) => self.outcome(outcome),
            Err(error) => Ok(Err(failure(error))),
        }
    }
}

impl PluginCtxView<'_> {
    fn outcome(
        &mut self,
        outcome: Outcome,
    ) -> wasmtime::Result<Result<wit::Outcome, wit::ExecError>> {
        let review = &outcome.judged.review;
        Ok(Ok(wit::Outcome {
            exit: outcome.exit.map(exit),
            end_reason: outcome.end_cause().word().to_owned(),
            timed_out: outcome.timed_out(),
            forced: outcome.forced,
            unkillable: outcome.unkillable,
            output_open: outcome.output_open,
            survivors: outcome.survivors.into_iter().map(survivor).collect(),
            classification: types::classification(outcome.classification),
            invocation: types::invocation(review.invocation.clone()),
            findings: review
                .findings
                .iter()
                .cloned()
                .map(types::finding)
                .collect(),
            opaque: review.opaque.iter().cloned().map(types::opaque).collect(),
            runtime_ms: u64::try_from(outcome.runtime.as_millis()).unwrap_or(u64::MAX),
            output: self.table.push(OutputState(outcome.output))?,
            extra: Vec::new(),
        }))
    }
}

/// Whether something is granted.
pub(super) fn granted(is_granted: bool, what: &str) -> Result<(), wit::ExecError> {
    if is_granted {
        Ok(())
    } else {
        Err(wit::ExecError::NotGranted(what.to_owned()))
    }
}

/// How a leader ended.
pub(super) fn exit(exit: Exit) -> wit::Exit {
    match exit {
        Exit::Code(code) => wit::Exit::Code(code),
        Exit::Signal(signal) => wit::Exit::Signal(signal.unsigned_abs()),
    }
}

/// A command as the terminal takes it, within what is granted.
pub(super) fn typed(command: wit::Command, grant: Grant) -> Result<Command, wit::ExecError> {
    let inherits = command.environment.inherit;
    granted(
        grant.inherit_environment || !inherits,
        "inheriting the environment",
    )?;
    let pair = |(name, value): (String, String)| (name.into(), value.into());
    Ok(Command {
        shell: match command.shell {
            wit_policy::ShellChoice::Auto => ShellChoice::Auto,
            wit_policy::ShellChoice::Shell => ShellChoice::Platform,
            wit_policy::ShellChoice::Named(name) => ShellChoice::Named(name),
        },
        cwd: command.cwd.map(Into::into),
        environment: Environment {
            inherit: command.environment.inherit,
            set: command.environment.set.into_iter().map(pair).collect(),
            unset: command
                .environment
                .unset
                .into_iter()
                .map(Into::into)
                .collect(),
        },
        stdin: match command.stdin {
            wit::StandardInput::Empty => Stdin::Empty,
            wit::StandardInput::Bytes(bytes) => Stdin::Bytes(bytes),
        },
        limits: Limits {
            cpu_sec: command.limits.cpu_seconds,
            address_space_bytes: command.limits.address_space_bytes,
            file_size_bytes: command.limits.file_size_bytes,
            open_files: command.limits.open_files,
        },
        merge_stderr: command.merge_stderr,
        deadline: (command.deadline_ms > 0).then(|| Duration::from_millis(command.deadline_ms)),
        grace: Duration::from_millis(command.grace_ms),
        ..Command::new(command.text)
    })
}

pub(super) fn survivor(survivor: Survivor) -> wit::Survivor {
    wit::Survivor {
        pid: survivor.pid.get().unsigned_abs(),
        command_line: survivor.command,
        holds_output: survivor.holds_output,
    }
}

pub(super) fn failure(error: ExecError) -> wit::ExecError {
    let text = error.to_string();
    match error {
        ExecError::Invalid {
            field: "cwd",
            problem,
        } => wit::ExecError::BadCwd(problem),
        ExecError::Invalid { field, problem } => wit::ExecError::Invalid((field.into(), problem)),
        ExecError::Rejected(rejection) => wit::ExecError::Rejected(match rejection {
            Rejection::EmptyCommand => wit_policy::Rejection::EmptyCommand,
            Rejection::NulCharacter => wit_policy::Rejection::NulCharacter,
            Rejection::ShellRefused(name) => wit_policy::Rejection::ShellRefused(name),
            Rejection::NoShell(what) => wit_policy::Rejection::NoShell(what),
            Rejection::Other(reason) => wit_policy::Rejection::Other(reason),
        }),
        ExecError::Refused { .. } => wit::ExecError::Refused(text),
        ExecError::PolicyFailed(_) => wit::ExecError::PolicyFailed(text),
        ExecError::ShuttingDown | ExecError::KeeperLost => wit::ExecError::Other(text),
        ExecError::JobLimit { .. } | ExecError::Exhausted { .. } => wit::ExecError::Exhausted(text),
        ExecError::Spawn(error) => match error {
            SpawnError::NotFound { .. } => wit::ExecError::NotFound(text),
            SpawnError::InterpreterMissing {
                script,
                interpreter,
            } => {
                let shown = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
                wit::ExecError::InterpreterMissing((shown(script), shown(interpreter)))
            }
            SpawnError::NotExecutable { .. }
            | SpawnError::IsDirectory { .. }
            | SpawnError::NotExecutableFormat { .. } => wit::ExecError::NotExecutable(text),
            SpawnError::CwdMissing { .. }
            | SpawnError::CwdNotDirectory { .. }
            | SpawnError::CwdDenied { .. } => wit::ExecError::BadCwd(text),
            SpawnError::ArgumentListTooLong { .. } => wit::ExecError::TooLarge(text),
            SpawnError::ResourceExhausted { .. } => wit::ExecError::Exhausted(text),
            _ => wit::ExecError::Other(text),
        },
    }
}
