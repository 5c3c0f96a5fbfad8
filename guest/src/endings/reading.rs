//! What a code means where it is known which commands can have produced it.

use super::options::Options;
use super::row::{Call, Kind, Row, Tool};
use super::suspect::{Suspect, Through, Who};
use super::{signals, table};
use crate::model::{Classification, Dialect, Ending, Status};

/// What the ending tells beside the code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence<'a> {
    /// The excerpt of stderr.
    pub stderr: &'a str,
    /// The language of the command text.
    pub dialect: Dialect,
}

impl<'a> Evidence<'a> {
    /// What an ending tells.
    pub fn of(ending: &'a Ending) -> Self {
        Self {
            stderr: &ending.stderr_excerpt,
            dialect: ending.dialect,
        }
    }
}

/// How well a suspect fits the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Its manual knows no such code.
    Foreign,
    /// It practically never fails.
    Unlikely,
    /// It can have returned it.
    Possible,
}

/// What the code means if one suspect returned it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    fit: Fit,
    /// Whether stderr names the suspect.
    accused: bool,
    /// Who, for a person: `git commit`.
    name: String,
    status: Status,
    /// A sentence where the status is ok or a signal, the reason of the failure otherwise.
    words: Option<String>,
    rule: String,
}

impl Reading {
    /// The reading in full, for the code that was seen.
    fn message(&self, code: i32) -> String {
        match (self.status, &self.words) {
            (Status::Error, Some(reason)) => {
                format!("{} failed with exit code {code}: {reason}", self.name)
            }
            (Status::Ok | Status::Signal, Some(words)) => words.clone(),
            (_, None) => format!("{} failed with exit code {code}", self.name),
        }
    }

    /// The reading as one of several.
    fn choice(&self) -> String {
        match (self.status, &self.words) {
            (Status::Error, Some(reason)) => format!("{} failed: {reason}", self.name),
            (Status::Ok | Status::Signal, Some(words)) => format!("{}: {words}", self.name),
            (_, None) => format!("{} failed", self.name),
        }
    }

    fn signal(&mut self, signal: u32) {
        self.status = Status::Signal;
        self.words = Some(signals::describe(signal));
        self.rule = "signal.reported".into();
    }
}

/// The entry and the row that speak about a call and a code, if the table knows the code.
pub(super) fn look_up(call: &Call<'_>, code: i32) -> Option<(&'static Tool, &'static Row)> {
    table::entries()
        .filter(|tool| tool.holds(call))
        .find_map(|tool| tool.row(code).map(|row| (tool, row)))
}

/// The name under which the table knows a program: `python3.12` is `python3`, `gcc-12` is `gcc`.
pub(super) fn known_name(name: &str) -> &str {
    if table::knows(name) {
        return name;
    }
    let mut rest = name;
    while let Some(shorter) = rest.strip_suffix(|end: char| end.is_ascii_digit()) {
        rest = shorter.trim_end_matches(|end: char| end.is_ascii_digit());
        rest = rest.strip_suffix(['.', '-']).unwrap_or(rest);
        if table::knows(rest) {
            return rest;
        }
    }
    name
}

/// Says what a nonzero code means; `suspects` are the commands that can have produced it.
pub(super) fn judge(suspects: &[Suspect], code: i32, evidence: &Evidence<'_>) -> Classification {
    let mut readings: Vec<Reading> = Vec::new();
    for suspect in suspects {
        let reading = read(suspect, evidence);
        // A child's failure under xargs is told by xargs' own code.
        let told_by_xargs = suspect.through == Through::Xargs && reading.status == Status::Error;
        let known = |known: &Reading| {
            (known.status, &known.words) == (reading.status, &reading.words)
                && (reading.status != Status::Error || known.name == reading.name)
        };
        if !told_by_xargs && !readings.iter().any(known) {
            readings.push(reading);
        }
    }
    if readings.len() > 1 && readings.iter().any(|reading| reading.accused) {
        readings.retain(|reading| reading.accused);
    }
    if let Some(best) = readings.iter().map(|reading| reading.fit).max() {
        readings.retain(|reading| reading.fit == best);
    }
    if readings.is_empty() {
        readings.push(nobody(code, evidence.dialect));
    }
    match readings.as_slice() {
        [only] => Classification {
            status: only.status,
            message: Some(only.message(code)),
            rule: only.rule.clone(),
        },
        several => ambiguous(several, code),
    }
}

/// Several commands can have produced the code, and it would mean different things.
fn ambiguous(readings: &[Reading], code: i32) -> Classification {
    let first = readings
        .first()
        .map_or(Status::Error, |reading| reading.status);
    let alike = readings.iter().all(|reading| reading.status == first);
    let choices: Vec<String> = readings.iter().map(Reading::choice).collect();
    let choices = choices.join("; or ");
    let (status, message) = match (alike, first) {
        (true, Status::Ok | Status::Signal) => (first, format!("ambiguous: {choices}")),
        _ => (
            Status::Error,
            format!("failed with exit code {code}, but it is ambiguous: {choices}"),
        ),
    };
    Classification {
        status,
        message: Some(message),
        rule: "ambiguous".into(),
    }
}

/// A code that no known command can be blamed for.
fn nobody(code: i32, dialect: Dialect) -> Reading {
    let mut reading = Reading {
        fit: Fit::Possible,
        accused: false,
        name: "the command".into(),
        status: Status::Error,
        words: general(code).map(|(_, reason)| reason.to_owned()),
        rule: general(code)
            .map_or("default.nonzero", |(rule, _)| rule)
            .into(),
    };
    if let Some(signal) = signal_of(code, dialect) {
        reading.signal(signal);
    }
    reading
}

fn read(suspect: &Suspect, evidence: &Evidence<'_>) -> Reading {
    let (shown, args) = match &suspect.who {
        Who::Program { name, args } => (name, args),
        Who::Script => return script(suspect.code, evidence),
        Who::Unknown => return nobody(suspect.code, evidence.dialect),
    };
    let name = known_name(shown);
    let options = Options::of(name, args);
    let call = Call {
        program: name,
        options: &options,
        stderr: evidence.stderr,
        dialect: evidence.dialect,
    };
    let code = suspect.code;
    let mut reading = Reading {
        fit: if suspect.unlikely {
            Fit::Unlikely
        } else {
            Fit::Possible
        },
        accused: mentions(evidence.stderr, shown),
        name: shown.clone(),
        status: Status::Error,
        words: None,
        rule: "default.nonzero".into(),
    };
    if suspect.negated {
        negated(&mut reading, &call);
    } else if let Some((rule, reason)) = general(code) {
        if !suspect.word.is_empty() {
            reading.name.clone_from(&suspect.word);
        }
        reading.words = Some(reason.to_owned());
        reading.rule = rule.into();
    } else if code == 1 && could_not_open(suspect, evidence.stderr) {
        reading.accused = true;
        reading.words = Some("a file could not be opened".into());
        reading.rule = "shell.file".into();
    } else if let Some((tool, row)) = look_up(&call, code) {
        reading.status = row.status;
        reading.words = Some(row.words(code));
        reading.rule = format!("{}.{}", tool.family, row.name);
        if let Some(path) = tool.subcommand() {
            reading.name = format!("{shown} {}", path.join(" "));
        }
        hedge(&mut reading, suspect, evidence.dialect);
    } else if let Some(signal) = signal_of(code, evidence.dialect) {
        reading.signal(signal);
    } else if table::entries().any(|tool| tool.closed && tool.holds(&call)) {
        reading.fit = Fit::Foreign;
        reading.rule = "default.unlisted".into();
    }
    reading
}

/// `exit N` and its like.
fn script(code: i32, evidence: &Evidence<'_>) -> Reading {
    let mut reading = Reading {
        fit: Fit::Possible,
        accused: false,
        name: "the script".into(),
        status: Status::Error,
        words: Some("it chose the code itself".into()),
        rule: "script.exit".into(),
    };
    if let Some(signal) = signal_of(code, evidence.dialect) {
        reading.signal(signal);
    }
    reading
}

/// `! cmd` ended with 1 because `cmd` succeeded, which is an answer where `cmd` asks something.
fn negated(reading: &mut Reading, call: &Call<'_>) {
    let answer = table::entries()
        .find(|tool| tool.kind == Kind::Query && tool.holds(call))
        .and_then(|tool| tool.zero);
    match answer {
        Some(answer) => {
            reading.status = Status::Ok;
            reading.words = Some(format!("The negated command succeeded: {answer}"));
            reading.rule = "negation.answer".into();
        }
        None => {
            reading.words = Some("it succeeded, which ! turns round".into());
            reading.rule = "negation.success".into();
        }
    }
}

/// Says where a code does not tell everything.
fn hedge(reading: &mut Reading, suspect: &Suspect, dialect: Dialect) {
    let Some(words) = reading
        .words
        .as_mut()
        .filter(|_| reading.status == Status::Ok)
    else {
        return;
    };
    if suspect.through != Through::Nothing {
        words.push_str(", in at least one of the calls; others may have failed");
    }
    if dialect == Dialect::Powershell && suspect.code == 1 {
        words.push_str(
            "; PowerShell may turn every nonzero code into 1, so it can be a failure too",
        );
    }
}

/// The signal that a code stands for. Windows has none.
fn signal_of(code: i32, dialect: Dialect) -> Option<u32> {
    match dialect {
        Dialect::Direct | Dialect::Bash => signals::reported_by(code),
        Dialect::Powershell | Dialect::Cmd => None,
    }
}

/// Rule and reason of the codes that mean the same for every command.
fn general(code: i32) -> Option<(&'static str, &'static str)> {
    match code {
        126 => Some(("shell.not-executable", "found, but it cannot be executed")),
        127 => Some(("shell.not-found", "command not found")),
        _ => None,
    }
}

/// Whether a line of stderr comes from this program: `grep: x: …`, `bash: line 1: cd: x: …`.
fn mentions(stderr: &str, name: &str) -> bool {
    stderr.lines().any(|line| {
        line.split(": ")
            .take(3)
            .any(|part| part.rsplit('/').next() == Some(name))
    })
}

/// Whether the shell could not open a file for the command.
fn could_not_open(suspect: &Suspect, stderr: &str) -> bool {
    let from_a_shell = |line: &&str| {
        let start = line
            .split(": ")
            .next()
            .and_then(|start| start.rsplit('/').next());
        matches!(start, Some("bash" | "sh" | "dash"))
    };
    suspect.files.iter().any(|file| {
        let file = format!(": {file}: ");
        stderr
            .lines()
            .filter(from_a_shell)
            .any(|line| line.contains(&file))
    })
}
