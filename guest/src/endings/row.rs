//! The vocabulary of the table: a tool, the condition under which its entry holds, its codes.

use super::options::Options;
use crate::model::{Dialect, Status};

/// What a tool is for, as far as its exit code is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its code is an answer.
    Query,
    /// It builds or checks something; a failure that a pipe hides is worth a note.
    Gate,
    /// Anything else.
    Plain,
}

/// What a tool's exit codes mean, where the conditions hold.
#[derive(Debug)]
pub(super) struct Tool {
    /// The names that it is called by.
    pub names: &'static [&'static str],
    /// All of these must hold. Entries with more conditions stand before those with fewer.
    pub when: &'static [When],
    /// What it is for.
    pub kind: Kind,
    /// First part of the rule identifiers of its rows.
    pub family: &'static str,
    /// Whether it returns no other codes than its entries list.
    pub closed: bool,
    /// What code 0 says, where that is an answer too.
    pub zero: Option<&'static str>,
    /// Its codes.
    pub rows: &'static [Row],
}

/// A condition on how a tool was called or what it printed.
#[derive(Debug)]
pub(super) enum When {
    /// Its first operands, global options skipped.
    Sub(&'static [&'static str]),
    /// One of these options is given.
    Flag(&'static [&'static str]),
    /// None of these options is given.
    NoFlag(&'static [&'static str]),
    /// The last operand.
    LastOperand(&'static str),
    /// How many operands there are.
    OperandCount(usize),
    /// One of these operation letters stands in the first argument, dash or no dash (`tar cf`), or
    /// one of these options is given.
    Mode(&'static str, &'static [&'static str]),
    /// The command text is one of Windows' languages.
    Windows,
    /// Every line of stderr contains one of these, or there is none.
    StderrOnly(&'static [&'static str]),
    /// Stderr contains this.
    StderrHas(&'static str),
}

/// An exit code or a range of codes, and its meaning.
#[derive(Debug)]
pub(super) struct Row {
    low: i32,
    high: i32,
    /// What it means.
    pub status: Status,
    /// Second part of the rule identifier.
    pub name: &'static str,
    /// In words: a sentence where the status is ok, the reason of the failure otherwise.
    pub text: Text,
}

/// The words of a row.
#[derive(Debug)]
pub(super) enum Text {
    /// As it stands.
    Plain(&'static str),
    /// The names of the bits that are set in the code, after an introduction.
    Bits(&'static str, &'static [(i32, &'static str)]),
}

/// How a tool was called and what is known of its ending.
#[derive(Debug)]
pub(super) struct Call<'a> {
    /// The tool's name.
    pub program: &'a str,
    /// Its arguments, taken apart.
    pub options: &'a Options<'a>,
    /// The excerpt of stderr.
    pub stderr: &'a str,
    /// The language of the command text.
    pub dialect: Dialect,
}

impl Tool {
    const fn new(
        kind: Kind,
        names: &'static [&'static str],
        family: &'static str,
        rows: &'static [Row],
    ) -> Self {
        Self {
            names,
            when: &[],
            kind,
            family,
            closed: false,
            zero: None,
            rows,
        }
    }

    /// An entry of a tool whose code is an answer; `zero` is what code 0 says.
    pub const fn query(
        names: &'static [&'static str],
        family: &'static str,
        zero: &'static str,
        rows: &'static [Row],
    ) -> Self {
        let mut tool = Self::new(Kind::Query, names, family, rows);
        tool.zero = Some(zero);
        tool.closed = true;
        tool
    }

    /// An entry of a tool that builds or checks.
    pub const fn gate(
        names: &'static [&'static str],
        family: &'static str,
        rows: &'static [Row],
    ) -> Self {
        Self::new(Kind::Gate, names, family, rows)
    }

    /// An entry of any other tool.
    pub const fn plain(
        names: &'static [&'static str],
        family: &'static str,
        rows: &'static [Row],
    ) -> Self {
        Self::new(Kind::Plain, names, family, rows)
    }

    /// The same entry, of a tool whose manual lists all its codes.
    pub const fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// The same entry under conditions.
    pub const fn when(mut self, when: &'static [When]) -> Self {
        self.when = when;
        self
    }

    /// Whether the entry speaks about this call.
    pub fn holds(&self, call: &Call<'_>) -> bool {
        self.names.contains(&call.program) && self.when.iter().all(|when| when.holds(call))
    }

    /// The subcommand that the entry is about.
    pub fn subcommand(&self) -> Option<&'static [&'static str]> {
        self.when.iter().find_map(|when| match when {
            When::Sub(path) => Some(*path),
            _ => None,
        })
    }

    /// The row for a code.
    pub fn row(&self, code: i32) -> Option<&'static Row> {
        self.rows
            .iter()
            .find(|row| (row.low..=row.high).contains(&code))
    }
}

impl When {
    fn holds(&self, call: &Call<'_>) -> bool {
        let options = call.options;
        match self {
            Self::Sub(path) => options.begins_with(path),
            Self::Flag(names) => options.has_any(names),
            Self::NoFlag(names) => !options.has_any(names),
            Self::LastOperand(word) => options.operands.last() == Some(word),
            Self::OperandCount(count) => options.operands.len() == *count,
            Self::Mode(letters, names) => options.has_mode(letters) || options.has_any(names),
            Self::Windows => matches!(call.dialect, Dialect::Cmd | Dialect::Powershell),
            Self::StderrOnly(texts) => call
                .stderr
                .lines()
                .filter(|line| !line.trim().is_empty())
                .all(|line| texts.iter().any(|text| line.contains(text))),
            Self::StderrHas(text) => call.stderr.contains(text),
        }
    }
}

impl Row {
    /// The words for a code that the row covers.
    pub fn words(&self, code: i32) -> String {
        match self.text {
            Text::Plain(text) => text.to_owned(),
            Text::Bits(lead, bits) => {
                let set: Vec<&str> = bits
                    .iter()
                    .filter(|(bit, _)| code & bit != 0)
                    .map(|(_, name)| *name)
                    .collect();
                format!("{lead}: {}", set.join(", "))
            }
        }
    }
}

const fn row(low: i32, high: i32, status: Status, name: &'static str, text: Text) -> Row {
    Row {
        low,
        high,
        status,
        name,
        text,
    }
}

/// A code that is no failure.
pub(super) const fn ok(code: i32, name: &'static str, text: &'static str) -> Row {
    row(code, code, Status::Ok, name, Text::Plain(text))
}

/// A range of codes that are no failure.
pub(super) const fn ok_in(low: i32, high: i32, name: &'static str, text: &'static str) -> Row {
    row(low, high, Status::Ok, name, Text::Plain(text))
}

/// A bit mask that is no failure.
pub(super) const fn ok_bits(
    (low, high): (i32, i32),
    name: &'static str,
    lead: &'static str,
    bits: &'static [(i32, &'static str)],
) -> Row {
    row(low, high, Status::Ok, name, Text::Bits(lead, bits))
}

/// A code that is a failure.
pub(super) const fn fail(code: i32, name: &'static str, text: &'static str) -> Row {
    row(code, code, Status::Error, name, Text::Plain(text))
}

/// A range of codes that are a failure.
pub(super) const fn fail_in(low: i32, high: i32, name: &'static str, text: &'static str) -> Row {
    row(low, high, Status::Error, name, Text::Plain(text))
}

/// A bit mask that is a failure.
pub(super) const fn fail_bits(
    (low, high): (i32, i32),
    name: &'static str,
    lead: &'static str,
    bits: &'static [(i32, &'static str)],
) -> Row {
    row(low, high, Status::Error, name, Text::Bits(lead, bits))
}

/// A code by which the tool reports that a signal ended something.
pub(super) const fn killed(code: i32, name: &'static str, text: &'static str) -> Row {
    row(code, code, Status::Signal, name, Text::Plain(text))
}
