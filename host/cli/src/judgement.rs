//! What a policy said, in JSON: the one form for checks, audits and replays.

use ostler_terminal::policy::{
    Classification, Invocation, Request, Review, ReviewError, ShellChoice, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::envelope::{FindingView, OpaqueView, SemanticStatus, ShellKind};

/// The answer to a command.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Judgement {
    /// What would be started; null where nothing can be.
    pub invocation: Option<InvocationView>,
    /// What the rules found, most severe first.
    pub findings: Vec<FindingView>,
    /// Parts that could not be understood.
    pub opaque: Vec<OpaqueView>,
    /// Whether it would run; null where it cannot be planned.
    pub verdict: Option<VerdictWord>,
    /// The reason of a verdict that does not let it run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What would be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvocationView {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The language that the text is read as.
    pub dialect: ShellKind,
    /// Whether a shell was chosen although none was asked for.
    pub auto_shell: bool,
}

/// Whether a command may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictWord {
    /// It runs.
    Proceed,
    /// It runs when a person agrees.
    Ask,
    /// It does not run.
    Refuse,
}

impl VerdictWord {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proceed => "proceed",
            Self::Ask => "ask",
            Self::Refuse => "refuse",
        }
    }
}

/// What an ending means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meaning {
    /// What it means.
    pub status: SemanticStatus,
    /// In words, where the code alone would mislead.
    pub message: Option<String>,
    /// Which row or rule said so.
    pub rule: String,
}

impl Judgement {
    /// As a policy gave it.
    pub fn of(review: &Review) -> Self {
        let (verdict, reason) = match &review.verdict {
            Verdict::Proceed => (VerdictWord::Proceed, None),
            Verdict::Ask(reason) => (VerdictWord::Ask, Some(reason.clone())),
            Verdict::Refuse(reason) => (VerdictWord::Refuse, Some(reason.clone())),
        };
        Self {
            invocation: Some((&review.invocation).into()),
            findings: review.findings.iter().map(FindingView::of).collect(),
            opaque: review.opaque.iter().map(OpaqueView::of).collect(),
            verdict: Some(verdict),
            reason,
            error: None,
        }
    }

    /// There is none, for this reason.
    pub fn without_plan(error: String) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }

    /// The answer to a request, whatever it is.
    pub fn answer(answer: &Result<Review, ReviewError>) -> Self {
        match answer {
            Ok(review) => Self::of(review),
            Err(error) => Self::without_plan(error.to_string()),
        }
    }

    /// Whether it reports that something may be lost: a finding above a mere note.
    pub fn is_destructive(&self) -> bool {
        self.findings.iter().any(|it| it.severity != "note")
    }

    /// Where the other one decides differently. Words for people do not count.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let found = |it: &Self| -> Vec<_> {
            it.findings
                .iter()
                .map(|it| (it.rule.clone(), it.severity.clone(), it.span))
                .collect()
        };
        let unseen = |it: &Self| -> Vec<_> { it.opaque.iter().map(|it| it.span).collect() };
        [
            ("invocation", self.invocation != other.invocation),
            ("findings", found(self) != found(other)),
            ("opaque", unseen(self) != unseen(other)),
            ("verdict", self.verdict != other.verdict),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect()
    }
}

impl From<&Invocation> for InvocationView {
    fn from(invocation: &Invocation) -> Self {
        Self {
            argv: invocation.argv.clone(),
            dialect: invocation.dialect.into(),
            auto_shell: invocation.auto_shell,
        }
    }
}

impl From<&Classification> for Meaning {
    fn from(classification: &Classification) -> Self {
        Self {
            status: classification.status.into(),
            message: classification.message.clone(),
            rule: classification.rule.clone(),
        }
    }
}

/// The interpreter that a request asks for, as a word: `auto`, `shell`, or its path or name.
pub fn shell_word(request: &Request) -> &str {
    match &request.shell {
        ShellChoice::Auto => "auto",
        ShellChoice::Platform => "shell",
        ShellChoice::Named(name) => name,
    }
}

/// The request that such a word stands for; a language stands for the program that reads it.
pub fn shell_choice(word: &str) -> ShellChoice {
    match word {
        "" | "auto" | "direct" => ShellChoice::Auto,
        "shell" => ShellChoice::Platform,
        "bash" => ShellChoice::Named("/bin/bash".into()),
        "powershell" => ShellChoice::Named("pwsh".into()),
        "cmd" => ShellChoice::Named("cmd.exe".into()),
        name => ShellChoice::Named(name.into()),
    }
}
