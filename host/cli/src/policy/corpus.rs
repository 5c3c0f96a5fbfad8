//! Labelled commands, as files of JSON lines, and whether an answer is what a label says.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Deserialize;

use super::check::{Question, Reply};
use crate::envelope::ShellKind;

/// A labelled command.
#[derive(Debug, Deserialize)]
pub struct Row {
    /// Its name in reports; else its place in the file.
    #[serde(default)]
    pub id: String,
    /// The command text.
    pub command: String,
    #[serde(default)]
    shell: Option<String>,
    #[serde(default)]
    destructive: Option<bool>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    exit_code: Option<i32>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    stderr: Option<String>,
    #[serde(default)]
    route: Option<String>,
    #[serde(default)]
    argv: Option<Vec<String>>,
}

/// What a label says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// Whether something may be lost.
    Destructive(bool),
    /// What an ending means.
    Status(String),
    /// The argv of a direct start; none where a shell is needed.
    Argv(Option<Vec<String>>),
}

impl Row {
    /// What it says.
    pub fn label(&self) -> Option<Label> {
        if let Some(destructive) = self.destructive {
            return Some(Label::Destructive(destructive));
        }
        if let (Some(status), Some(_)) = (&self.status, self.exit_code) {
            return Some(Label::Status(status.clone()));
        }
        match self.route.as_deref() {
            Some("direct") => Some(Label::Argv(self.argv.clone())),
            Some("shell") => Some(Label::Argv(None)),
            _ => None,
        }
    }

    /// The family of commands that it belongs to: the first part of its first category that is not about safety.
    pub fn family(&self) -> &str {
        let names = self
            .categories
            .iter()
            .map(|name| name.trim_start_matches("like."));
        let name = names.into_iter().find(|name| !name.starts_with("safe."));
        name.and_then(|name| name.split('.').next())
            .unwrap_or("other")
    }

    /// What is asked. A text that is labelled as bash is what an agent sends without naming a shell.
    pub fn question(&self) -> Question {
        Question {
            command: self.command.clone(),
            shell: self.shell.clone().filter(|shell| shell != "bash"),
            exit_code: self.exit_code,
            stderr: self.stderr.clone(),
            ..Question::default()
        }
    }
}

impl Label {
    /// What an answer says to the same.
    pub fn answered(&self, reply: &Reply) -> Self {
        match self {
            Self::Destructive(_) => Self::Destructive(reply.judgement.is_destructive()),
            Self::Status(_) => {
                let meaning = reply.classification.as_ref();
                Self::Status(meaning.map_or("none", |it| it.status.word()).into())
            }
            Self::Argv(_) => {
                let invocation = reply.judgement.invocation.as_ref();
                let direct = invocation.filter(|it| it.dialect == ShellKind::Direct);
                Self::Argv(direct.map(|it| it.argv.clone()))
            }
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::Destructive(true) => "destructive".into(),
            Self::Destructive(false) => "harmless".into(),
            Self::Status(status) => status.clone(),
            Self::Argv(Some(argv)) => format!("direct {argv:?}"),
            Self::Argv(None) => "shell".into(),
        }
    }
}

/// Reads labelled commands. Every row must have a label.
///
/// # Errors
/// Where a file cannot be read or a row is not understood.
pub fn read(files: &[PathBuf]) -> anyhow::Result<Vec<(Row, Label)>> {
    let mut rows = Vec::new();
    for file in files {
        read_one(file, &mut rows).with_context(|| file.display().to_string())?;
    }
    Ok(rows)
}

fn read_one(file: &Path, rows: &mut Vec<(Row, Label)>) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file)?;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let mut row: Row = serde_json::from_str(line).with_context(|| format!("line {number}"))?;
        let Some(label) = row.label() else {
            bail!(
                "line {number}: has no label: \"destructive\", \"status\" with \"exit_code\", or \"route\""
            );
        };
        if row.id.is_empty() {
            row.id = format!("line {number}");
        }
        rows.push((row, label));
    }
    Ok(())
}
