//! `ostler policy test`: how good a policy is, and where another one differs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ostler_terminal::policy::Policy as _;
use serde::Serialize;

use super::args::Test;
use super::check::Asker;
use super::corpus::{self, Label, Row};
use super::table::align;
use super::{DONE, FOUND, named, print};
use crate::config::Config;
use crate::envelope::PolicyView;

/// How good a policy is.
#[derive(Serialize)]
struct Score {
    policy: PolicyView,
    /// Rows that say whether something may be lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    destructive: Option<Findings>,
    /// Rows that say what an ending means.
    #[serde(skip_serializing_if = "Option::is_none")]
    endings: Option<Share>,
    /// Rows that say how a command is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    routing: Option<Share>,
    /// Rows that are judged otherwise than their label says.
    wrong: Vec<Miss>,
    /// Rows that the other policy judges otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<Change>>,
}

#[derive(Serialize)]
struct Findings {
    rows: u32,
    recall: f64,
    precision: f64,
    families: BTreeMap<String, Tally>,
}

#[derive(Default, Serialize)]
struct Share {
    rows: u32,
    right: u32,
}

/// How often something was found that is there, and so on.
#[derive(Clone, Copy, Default, Serialize)]
struct Tally {
    found: u32,
    missed: u32,
    false_alarms: u32,
    silent: u32,
}

#[derive(Serialize)]
struct Miss {
    id: String,
    command: String,
    expected: String,
    got: String,
}

#[derive(Serialize)]
struct Change {
    id: String,
    command: String,
    this: String,
    other: String,
    /// Whether this policy is the one that is right.
    right: bool,
}

/// Scores. Returns the exit status: 1 where a row is judged wrongly.
///
/// # Errors
/// Where a policy or a corpus cannot be used, or the answer cannot be printed.
pub fn run(test: &Test, config: &Config) -> anyhow::Result<i32> {
    let rows = corpus::read(&test.corpus)?;
    let policy = named(&test.file, config)?;
    let answers = ask(&Asker::new(&policy), &rows)?;
    let mut score = Score::of(PolicyView::of(&policy.identity()), &rows, &answers);
    if let Some(file) = &test.against {
        let other = named(file, config)?;
        let others = ask(&Asker::new(&other), &rows)?;
        score.changed = Some(changes(&rows, &answers, &others));
    }
    if test.json {
        print::json(&score)?;
    } else {
        print::text(&score.for_people())?;
    }
    Ok(if score.wrong.is_empty() { DONE } else { FOUND })
}

/// What a policy says to each row, as a label.
fn ask(asker: &Asker<'_>, rows: &[(Row, Label)]) -> anyhow::Result<Vec<Label>> {
    rows.iter()
        .map(|(row, label)| Ok(label.answered(&asker.ask(row.question())?)))
        .collect()
}

fn changes(rows: &[(Row, Label)], these: &[Label], others: &[Label]) -> Vec<Change> {
    rows.iter()
        .zip(these.iter().zip(others))
        .filter(|(_, (this, other))| this != other)
        .map(|((row, label), (this, other))| Change {
            id: row.id.clone(),
            command: row.command.clone(),
            this: this.words(),
            other: other.words(),
            right: this == label,
        })
        .collect()
}

impl Score {
    fn of(policy: PolicyView, rows: &[(Row, Label)], answers: &[Label]) -> Self {
        let mut score = Self {
            policy,
            destructive: None,
            endings: None,
            routing: None,
            wrong: Vec::new(),
            changed: None,
        };
        let mut families: BTreeMap<String, Tally> = BTreeMap::new();
        for ((row, label), answer) in rows.iter().zip(answers) {
            match (label, answer) {
                (Label::Destructive(is), Label::Destructive(said)) => {
                    let family = families.entry(row.family().to_owned()).or_default();
                    family.count(*is, *said);
                }
                (Label::Status(_), _) => {
                    score.endings.get_or_insert_default().count(label == answer)
                }
                _ => score.routing.get_or_insert_default().count(label == answer),
            }
            if label != answer {
                score.wrong.push(Miss {
                    id: row.id.clone(),
                    command: row.command.clone(),
                    expected: label.words(),
                    got: answer.words(),
                });
            }
        }
        if !families.is_empty() {
            let all = families
                .values()
                .fold(Tally::default(), |all, it| all.plus(*it));
            score.destructive = Some(Findings {
                rows: all.rows(),
                recall: all.recall(),
                precision: all.precision(),
                families,
            });
        }
        score
    }

    fn for_people(&self) -> String {
        let mut text = String::new();
        for miss in &self.wrong {
            // A string takes everything.
            let _ = writeln!(
                text,
                "wrong    {}: {:?}\n         is {}, judged {}",
                miss.id, miss.command, miss.expected, miss.got
            );
        }
        for change in self.changed.iter().flatten() {
            let right = if change.right { "right" } else { "wrong" };
            let _ = writeln!(
                text,
                "changed  {}: {:?}\n         {} ({right}), the other policy: {}",
                change.id, change.command, change.this, change.other
            );
        }
        let mut table = Vec::new();
        if let Some(findings) = &self.destructive {
            let header = [
                "family",
                "recall",
                "precision",
                "found",
                "missed",
                "false",
                "silent",
            ];
            table.push(header.map(str::to_owned));
            table.extend(
                findings
                    .families
                    .iter()
                    .map(|(name, tally)| tally.line(name)),
            );
            let all = findings
                .families
                .values()
                .fold(Tally::default(), |all, it| all.plus(*it));
            table.push(all.line("all"));
        }
        text += &align(&table);
        for (name, share) in [("endings", &self.endings), ("routing", &self.routing)] {
            if let Some(Share { rows, right }) = share {
                let percent = f64::from(*right) * 100.0 / f64::from(*rows);
                let _ = writeln!(text, "{name}: {right} of {rows} right, {percent:.1} %");
            }
        }
        if let Some(changed) = &self.changed {
            let better = changed.iter().filter(|it| it.right).count();
            let worse = changed.len() - better;
            let _ = writeln!(
                text,
                "against the other policy: {better} rows better, {worse} worse"
            );
        }
        let PolicyView {
            name,
            version,
            digest,
        } = &self.policy;
        let _ = writeln!(text, "policy: {name} {version} ({digest})");
        text
    }
}

impl Share {
    fn count(&mut self, right: bool) {
        self.rows += 1;
        self.right += u32::from(right);
    }
}

impl Tally {
    fn count(&mut self, is: bool, said: bool) {
        let number = match (is, said) {
            (true, true) => &mut self.found,
            (true, false) => &mut self.missed,
            (false, true) => &mut self.false_alarms,
            (false, false) => &mut self.silent,
        };
        *number += 1;
    }

    fn plus(self, other: Self) -> Self {
        Self {
            found: self.found + other.found,
            missed: self.missed + other.missed,
            false_alarms: self.false_alarms + other.false_alarms,
            silent: self.silent + other.silent,
        }
    }

    fn rows(self) -> u32 {
        self.found + self.missed + self.false_alarms + self.silent
    }

    /// The share of what is destructive that was found; of nothing all.
    fn recall(self) -> f64 {
        share(self.found, self.found + self.missed)
    }

    /// The share of what was found that is destructive; of nothing all.
    fn precision(self) -> f64 {
        share(self.found, self.found + self.false_alarms)
    }

    fn line(self, name: &str) -> [String; 7] {
        [
            name.to_owned(),
            format!("{:.3}", self.recall()),
            format!("{:.3}", self.precision()),
            self.found.to_string(),
            self.missed.to_string(),
            self.false_alarms.to_string(),
            self.silent.to_string(),
        ]
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        1.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}
