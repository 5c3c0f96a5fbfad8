//! The face for people and scripts: runs one command, passes its output through, ends as it ended.

use std::io::{self, IsTerminal as _, Write as _};
use std::os::fd::AsFd as _;
use std::pin::pin;

use anyhow::Context as _;
use ostler_terminal::policy::{Finding, Severity, Status};
use ostler_terminal::process::{SpawnError, Warden};
use ostler_terminal::{Command, EndedBy, Environment, ExecError, Exit, Outcome, Stdin, Terminal};

use tokio_util::sync::CancellationToken;

use crate::args::Exec;
use crate::audit::Writer;
use crate::config::Config;
use crate::envelope::{self, Envelope, View};
use crate::paint::{self, Tone};
use crate::policies::Loading;
use crate::printer::{self, Printed};
use crate::signals::{Request, Requests};
use crate::wishes;

/// The deadline ended it, as timeout(1) says it.
const TIMED_OUT: i32 = 124;
/// Ostler itself refused or failed, as timeout(1) and env(1) say it.
const OWN_FAILURE: i32 = 125;
/// The program is there but cannot be executed, as shells say it.
const NOT_EXECUTABLE: i32 = 126;
/// There is no such program, as shells say it.
const NOT_FOUND: i32 = 127;
/// Nobody reads our output: as if SIGPIPE had ended us.
const NO_READER: i32 = 141;
/// Ended in a hurry, as if SIGKILL had ended us.
const FORCED: i32 = 137;
/// What was asked for makes no sense.
const USAGE: i32 = 2;

/// KiB of each stream that are shown with `--json`, unless asked otherwise.
const DEFAULT_JSON_KB: u64 = 256;

/// Runs one command. Returns the exit status.
///
/// # Errors
/// Where the settings cannot be used or ostler itself cannot start.
pub async fn run(exec: Exec, config: &Config, warden: Warden) -> anyhow::Result<i32> {
    let (policy, failure) = Loading::begin(config)?;
    let audit = Writer::start(&config.audit)?;
    let mut settings = config.settings();
    settings.audit = audit.as_ref().map(Writer::teller);
    let terminal = Terminal::new(warden, policy, settings).context("no terminal")?;
    let mut requests = Requests::listen().context("signals cannot be received")?;
    let mut command = command(&exec)?;
    tokio::select! {
        failure = failure => if let Ok(reason) = failure {
            anyhow::bail!(reason);
        },
        request = requests.next() => return Ok(request.shell_status().into()),
    }
    let printing = if exec.json {
        None
    } else {
        Some(printer::start(exec.max_output_kb)?)
    };
    let (tap, printed) = printing.unzip();
    command.tap = tap;
    let stop = CancellationToken::new();
    let finish = async {
        let ran = run_until(&terminal, command, &stop).await;
        // The command has ended, so has the tap: what is left is what the reader has not taken yet.
        let printed = match printed {
            Some(printed) => printed.await.unwrap_or_default(),
            None => Printed::default(),
        };
        terminal.shut_down().await;
        if let Some(audit) = audit {
            audit.finish();
        }
        (ran, printed)
    };
    let Some(((ran, printed), request)) = unless_hurried(finish, &mut requests, &stop).await else {
        return Ok(FORCED);
    };
    let status = if exec.json {
        tell_programs(&exec, &ran)
    } else {
        tell_people(&ran, &printed);
        if printed.no_reader {
            NO_READER
        } else {
            status(&ran)
        }
    };
    Ok(request.map_or(status, |request| request.shell_status().into()))
}

/// Runs a command; once `stop` says so, it is asked to end and its outcome is what came until then.
async fn run_until(
    terminal: &Terminal,
    command: Command,
    stop: &CancellationToken,
) -> Result<Outcome, ExecError> {
    let running = terminal.foreground(command).await?;
    let job = running.job().clone();
    let mut outcome = pin!(running.outcome());
    tokio::select! {
        outcome = &mut outcome => return outcome,
        () = stop.cancelled() => {}
    }
    // It may have ended this moment.
    let _ = job.end(EndedBy::Request, None);
    outcome.await
}

/// Waits for the end of a run. The first request to end is passed on to the command and returned with the result; a
/// second one gives up waiting, and what still runs is killed with this process.
async fn unless_hurried<R>(
    finish: impl Future<Output = R>,
    requests: &mut Requests,
    stop: &CancellationToken,
) -> Option<(R, Option<Request>)> {
    let mut finish = pin!(finish);
    let request = tokio::select! {
        result = &mut finish => return Some((result, None)),
        request = requests.next() => request,
    };
    stop.cancel();
    tokio::select! {
        result = finish => Some((result, Some(request))),
        _ = requests.next() => None,
    }
}

/// What was typed, as the terminal takes it.
fn command(exec: &Exec) -> anyhow::Result<Command> {
    let mut command = Command::new(exec.command());
    command.cwd = exec.cwd.clone();
    command.environment = Environment {
        inherit: !exec.clear_env,
        set: exec.env.clone(),
        unset: exec.unset.clone(),
    };
    command.approved = exec.yes;
    command.deadline = exec.timeout;
    command.grace = exec.grace;
    command.shell = exec.shell.as_deref().map(wishes::shell).unwrap_or_default();
    for (name, value) in &exec.limit {
        wishes::set_limit(&mut command.limits, name, *value)
            .map_err(|problem| anyhow::anyhow!("--limit {name}: {problem}"))?;
    }
    command.stdin = match &exec.stdin {
        Some(text) => Stdin::Bytes(text.clone().into_bytes()),
        None => {
            let ours = io::stdin().as_fd().try_clone_to_owned();
            Stdin::File(ours.context("standard input cannot be passed on")?)
        }
    };
    Ok(command)
}

/// The exit status, as a shell would report it.
fn status(ran: &Result<Outcome, ExecError>) -> i32 {
    match ran {
        Ok(outcome) if outcome.timed_out() => TIMED_OUT,
        Ok(outcome) => outcome.exit.map_or(OWN_FAILURE, Exit::shell_status),
        Err(ExecError::Invalid { .. }) => USAGE,
        Err(ExecError::Spawn(SpawnError::NotFound { .. })) => NOT_FOUND,
        Err(ExecError::Spawn(
            SpawnError::NotExecutable { .. }
            | SpawnError::IsDirectory { .. }
            | SpawnError::NotExecutableFormat { .. }
            | SpawnError::InterpreterMissing { .. }
            | SpawnError::TextBusy { .. },
        )) => NOT_EXECUTABLE,
        Err(_) => OWN_FAILURE,
    }
}

/// Prints the envelope: in one line for a program, laid out for a person. Returns the exit status.
fn tell_programs(exec: &Exec, ran: &Result<Outcome, ExecError>) -> i32 {
    let max_kb = exec.max_output_kb.unwrap_or(DEFAULT_JSON_KB);
    let max_bytes = usize::try_from(max_kb).unwrap_or(usize::MAX);
    let view = View {
        max_bytes: max_bytes.saturating_mul(1024),
        plain: false,
    };
    let envelope = match ran {
        // The handle ends with this process, so none is told.
        Ok(outcome) => Envelope::of_outcome(outcome, view, |_| None),
        Err(error) => Envelope::of_error(error),
    };
    let mut out = io::stdout().lock();
    let written = if out.is_terminal() {
        serde_json::to_writer_pretty(&mut out, &envelope)
    } else {
        serde_json::to_writer(&mut out, &envelope)
    };
    match written
        .map_err(io::Error::from)
        .and_then(|()| out.write_all(b"\n"))
    {
        Ok(()) => status(ran),
        Err(_) => NO_READER,
    }
}

/// Says on stderr what the output and the exit status do not say by themselves.
fn tell_people(ran: &Result<Outcome, ExecError>, printed: &Printed) {
    let outcome = match ran {
        Ok(outcome) => outcome,
        Err(error) => {
            if let ExecError::Refused { findings, .. } = error {
                tell_findings(findings);
            }
            let advice = match error {
                ExecError::Refused { asks: true, .. } => "; --yes agrees",
                _ => "",
            };
            return paint::note(Tone::Error, &(envelope::message(error) + advice));
        }
    };
    tell_findings(&outcome.judged.review.findings);
    if let Some((tone, text)) = ending(outcome) {
        paint::note(tone, &text);
    }
    for process in &outcome.survivors {
        let text = format!(
            "left behind and ended: {} (pid {})",
            process.command, process.pid
        );
        paint::note(Tone::Note, &text);
    }
    if outcome.forced {
        paint::note(Tone::Note, "it did not end when asked and was killed");
    }
    for (name, bytes) in [
        ("stdout", printed.stdout.withheld),
        ("stderr", printed.stderr.withheld),
    ] {
        if bytes > 0 {
            let text = format!("{bytes} more bytes of {name} are not shown (--max-output-kb)");
            paint::note(Tone::Note, &text);
        }
    }
}

fn tell_findings(findings: &[Finding]) {
    for finding in findings {
        let tone = match finding.severity {
            Severity::Note => Tone::Note,
            Severity::Caution => Tone::Warning,
            Severity::Danger => Tone::Error,
        };
        paint::note(tone, &format!("{} [{}]", finding.message, finding.rule));
    }
}

/// The meaning of an ending where it is not obvious. That a command failed is: its exit status says so.
fn ending(outcome: &Outcome) -> Option<(Tone, String)> {
    let classification = &outcome.classification;
    let message = classification.message.as_ref()?;
    match (classification.status, outcome.exit) {
        (Status::Ok, Some(Exit::Code(code))) if code != 0 => Some((
            Tone::Note,
            format!("{message} (exit {code} is not an error here)"),
        )),
        (Status::Ok, _) => Some((Tone::Note, message.clone())),
        (Status::Signal, _) => Some((Tone::Warning, message.clone())),
        (Status::Error, Some(Exit::Code(_)))
            if !outcome.timed_out() && classification.rule.starts_with("default") =>
        {
            None
        }
        (Status::Error, _) => Some((Tone::Warning, message.clone())),
    }
}
