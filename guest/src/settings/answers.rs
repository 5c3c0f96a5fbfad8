//! What is done about findings: by rule, by family, by severity.

use super::nearest::hint;
use crate::model::{Finding, Severity};
use crate::rules;

/// What is done about a finding, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// It is told and the command runs.
    Warn,
    /// A person is asked.
    Ask,
    /// The command does not run.
    Refuse,
}

impl Answer {
    /// The key under which settings list what gets this answer.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Ask => "ask",
            Self::Refuse => "refuse",
        }
    }
}

/// What an entry names; the most specific comes last.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Selector {
    Opaque,
    Severity(Severity),
    Family(String),
    Rule(String),
}

const SEVERITIES: [(&str, Severity); 3] = [
    ("severity:note", Severity::Note),
    ("severity:caution", Severity::Caution),
    ("severity:danger", Severity::Danger),
];

impl Selector {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "opaque" {
            return Ok(Self::Opaque);
        }
        if text.starts_with("severity:") {
            let named = SEVERITIES.iter().find(|(name, _)| *name == text);
            return named
                .map(|(_, severity)| Self::Severity(*severity))
                .ok_or_else(|| {
                    let known = SEVERITIES.map(|(name, _)| format!("{name:?}"));
                    format!("there is no {text:?}; there are {}", known.join(", "))
                });
        }
        let catalogue = rules::catalogue();
        if let Some(family) = text.strip_suffix(".*") {
            let families = || {
                catalogue
                    .iter()
                    .filter_map(|rule| rule.id.split('.').next())
            };
            if families().any(|known| known == family) {
                return Ok(Self::Family(family.to_owned()));
            }
            let spelled: Vec<String> = families().map(|known| format!("{known}.*")).collect();
            let hint = hint(text, spelled.iter().map(String::as_str));
            return Err(format!("there is no family {text:?}{hint}"));
        }
        if catalogue.iter().any(|rule| rule.id == text) {
            return Ok(Self::Rule(text.to_owned()));
        }
        let family = catalogue
            .iter()
            .any(|rule| rule.id.split('.').next() == Some(text));
        let hint = if family {
            format!("; did you mean \"{text}.*\"?")
        } else {
            let severities = SEVERITIES.iter().map(|(name, _)| *name);
            let ids = catalogue.iter().map(|rule| rule.id);
            hint(text, ids.chain(severities).chain(["opaque"]))
        };
        Err(format!("there is no rule {text:?}{hint}"))
    }

    /// How closely it names a finding; none where it does not.
    fn closeness(&self, finding: &Finding) -> Option<u8> {
        let (family, _) = finding.rule.split_once('.')?;
        match self {
            Self::Rule(id) => (*id == finding.rule).then_some(3),
            Self::Family(name) => (name == family).then_some(2),
            Self::Severity(severity) => (*severity == finding.severity).then_some(1),
            Self::Opaque => None,
        }
    }
}

/// One entry of `warn`, `ask` or `refuse`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Named {
    selector: Selector,
    answer: Answer,
    /// Where it stands: `refuse[0] "git.*"`.
    place: String,
}

/// The entries of `warn`, `ask` and `refuse`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answers(Vec<Named>);

impl Answers {
    /// Adds an entry; `index` is its place in the list of this answer.
    pub fn add(&mut self, answer: Answer, index: usize, text: &str) -> Result<(), String> {
        let place = format!("{}[{index}]", answer.key());
        let selector = Selector::parse(text).map_err(|error| format!("{place}: {error}"))?;
        self.0.push(Named {
            selector,
            answer,
            place: format!("{place} {text:?}"),
        });
        Ok(())
    }

    /// What is done about a finding, and the entry that says so.
    pub fn about(&self, finding: &Finding) -> (Answer, &str) {
        let close = self
            .0
            .iter()
            .filter_map(|named| Some((named.selector.closeness(finding)?, named)));
        close
            .max_by_key(|(closeness, named)| (*closeness, named.answer))
            .map_or((Answer::Warn, ""), |(_, named)| {
                (named.answer, &named.place)
            })
    }

    /// What is done about parts that could not be understood, and the entry that says so.
    pub fn about_opaque(&self) -> (Answer, &str) {
        self.0
            .iter()
            .filter(|named| named.selector == Selector::Opaque)
            .max_by_key(|named| named.answer)
            .map_or((Answer::Warn, ""), |named| (named.answer, &named.place))
    }
}
