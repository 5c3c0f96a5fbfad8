//! From what a review has found to what is told and done.

use super::commands::{Command, Entry};
use super::protected::Searches;
use super::{Answer, Settings};
use crate::model::{Finding, Opaque, Verdict};
use crate::rules::{Inspection, Owner};
use crate::syntax::Unfolded;

/// How many wrappers may stand around a command for a prefix that begins with the outermost.
const MAX_WRAPPERS: usize = 16;

/// What is told and done about a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What was found and is not allowed, most severe first.
    pub findings: Vec<Finding>,
    /// Whether the command runs.
    pub verdict: Verdict,
}

/// An answer with its reason; the first of the strictest is kept.
struct Strictest(Answer, String);

impl Strictest {
    fn take(&mut self, answer: Answer, reason: impl FnOnce() -> String) {
        if answer > self.0 {
            *self = Self(answer, reason());
        }
    }
}

impl Settings {
    /// Decides about a command: `unfolded` is its text, `opaque` what could not be understood of it.
    pub fn decide(
        &self,
        unfolded: &Unfolded,
        inspection: Inspection,
        opaque: &[Opaque],
    ) -> Decision {
        let mut strictest = Strictest(Answer::Warn, String::new());
        let mut covered = Vec::new();
        if self.looks_at_commands() {
            let commands: Vec<Option<Command<'_>>> = inspection
                .seen
                .iter()
                .map(|seen| Command::of(seen, inspection.text_of(seen, unfolded)?))
                .collect();
            let searches = Searches::default();
            for command in commands.iter().flatten() {
                if let Some(entry) = first(&self.deny, command) {
                    strictest.take(Answer::Refuse, || entry.why());
                }
                if let Some(harm) = self.protected.harm(&searches, command) {
                    strictest.take(Answer::Refuse, || harm);
                }
                if let Some(entry) = first(&self.confirm, command) {
                    strictest.take(Answer::Ask, || entry.why());
                }
            }
            covered = self.covered(&commands);
        }
        let allowed = |owner: Owner| {
            covered
                .get(owner.seen)
                .is_some_and(|&words| words >= owner.words)
        };
        let findings = inspection.without(allowed);
        for finding in &findings {
            let (answer, place) = self.answers.about(finding);
            strictest.take(answer, || {
                format!("{} (rule {}, {place})", finding.message, finding.rule)
            });
        }
        if let Some(part) = opaque.first() {
            let (answer, place) = self.answers.about_opaque();
            strictest.take(answer, || format!("{} ({place})", part.reason));
        }
        let verdict = match strictest {
            Strictest(Answer::Warn, _) => Verdict::Proceed,
            Strictest(Answer::Ask, reason) => Verdict::Ask(reason),
            Strictest(Answer::Refuse, reason) => Verdict::Refuse(reason),
        };
        Decision { findings, verdict }
    }

    fn looks_at_commands(&self) -> bool {
        let listed = [&self.allow, &self.confirm, &self.deny];
        listed.iter().any(|entries| !entries.is_empty()) || !self.protected.is_empty()
    }

    /// How many words of each command `allow` covers.
    fn covered(&self, commands: &[Option<Command<'_>>]) -> Vec<usize> {
        let mut covered: Vec<usize> = Vec::with_capacity(commands.len());
        for (index, command) in commands.iter().enumerate() {
            let Some(command) = command else {
                covered.push(0);
                continue;
            };
            let own = self.allow.iter().map(|entry| entry.covers(command)).max();
            let start = index.saturating_sub(MAX_WRAPPERS);
            let before = commands.get(start..index).unwrap_or_default();
            let known = covered.get(start..index).unwrap_or_default();
            let through = before.iter().zip(known).filter_map(|(wrapper, &words)| {
                words
                    .saturating_sub(words_in_front(wrapper.as_ref()?, command)?)
                    .into()
            });
            covered.push(through.chain(own).max().unwrap_or_default());
        }
        covered
    }
}

fn first<'a>(entries: &'a [Entry], command: &Command<'_>) -> Option<&'a Entry> {
    entries.iter().find(|entry| entry.covers(command) > 0)
}

/// How many words a wrapper has in front of a command that it runs; none where it does not run it with exactly
/// the words that stand there.
fn words_in_front(wrapper: &Command<'_>, command: &Command<'_>) -> Option<usize> {
    if !std::ptr::eq(wrapper.text, command.text) {
        return None;
    }
    let before = wrapper.args.len().checked_sub(command.args.len() + 1)?;
    let (program, args) = wrapper.args.get(before..)?.split_first()?;
    (program == command.program && args == command.args).then_some(before + 1)
}
