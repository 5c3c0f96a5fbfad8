//! What the rules look at and where they write what they found.

use crate::model::{Dialect, Finding, Severity, Span};
use crate::syntax::{Invocation, Stdin, Unfolded, Via, Word};

/// How deep texts inside texts (a shell command in a Perl program in a shell command) are followed.
const MAX_DEPTH: u8 = 4;
/// Most texts inside texts.
const MAX_TEXTS: usize = 128;

/// Most stages before a command that are looked back to.
const MAX_SOURCES: usize = 64;

/// One program with its words, as one rule family sees it.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    /// Everything the command reaches.
    pub all: &'a Unfolded,
    /// Index of the invocation in it.
    pub index: usize,
    /// The program's name.
    pub name: &'a str,
    /// Its arguments; fewer than the invocation's where a runner (`npx`, `bundle exec`) was taken
    /// off.
    pub args: &'a [Word],
}

impl<'a> Call<'a> {
    /// The invocation itself.
    pub fn invocation(&self) -> &'a Invocation {
        &self.all.invocations[self.index]
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.invocation().span
    }

    /// Working directory that the line has set.
    pub fn cwd(&self) -> Option<&'a str> {
        self.invocation().cwd.as_deref()
    }

    /// Whether the command line reaches it this way.
    pub fn via(&self, step: Via) -> bool {
        self.invocation().via.contains(&step)
    }

    /// The language it was written in.
    pub fn dialect(&self) -> Dialect {
        self.invocation().dialect
    }

    /// The invocations whose output it reads, directly or through other stages; nearest first.
    pub fn sources(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut next = vec![self.index];
        while let Some(index) = next.pop()
            && found.len() < MAX_SOURCES
        {
            let Some(invocation) = self.all.invocations.get(index) else {
                continue;
            };
            let Stdin::Pipe(sources) = &invocation.stdin else {
                continue;
            };
            for &source in sources {
                if !found.contains(&source) && source != self.index {
                    found.push(source);
                    next.push(source);
                }
            }
        }
        found
    }
}

/// A command that the rules have looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Which text it stands in: 0 is the command's own, others are [`super::Inspection::inner`] from 1.
    pub text: usize,
    /// Index of its invocation in the text.
    pub invocation: usize,
    /// How many words in front of it belong to runners (`npx`, `bundle exec`).
    pub runner_words: usize,
    /// The program that a runner runs, where there is one.
    pub run: Option<String>,
}

/// Whose a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// Index of the command among those seen.
    pub seen: usize,
    /// How many of its first words show what was found: 1 for the command as such, more where a word
    /// is a program text of its own.
    pub words: usize,
}

/// Collects findings.
pub(super) struct Report {
    /// What was found so far.
    pub findings: Vec<Finding>,
    /// Whose each finding is; none where it belongs to no command, such as a redirection.
    pub owners: Vec<Option<Owner>>,
    /// Every command that was looked at, a wrapper before what it runs.
    pub seen: Vec<Seen>,
    /// The texts that programs of other languages carry.
    pub texts: Vec<Unfolded>,
    /// Where texts are carried that were not looked at, being too many or too deep.
    pub left_out: Option<Span>,
    /// Which commands of the text that is looked at bring text from elsewhere.
    pub fetching: Vec<usize>,
    owner: Option<Owner>,
    text: usize,
    depth: u8,
}

impl Report {
    /// An empty report for a command line.
    pub fn new() -> Self {
        Self {
            findings: Vec::new(),
            owners: Vec::new(),
            seen: Vec::new(),
            texts: Vec::new(),
            left_out: None,
            fetching: Vec::new(),
            owner: None,
            text: 0,
            depth: 0,
        }
    }

    /// What is found from here on is the command's own.
    pub fn look_at(&mut self, call: &Call<'_>) {
        let runner_words = call.invocation().args.len().saturating_sub(call.args.len());
        self.owner = Some(Owner {
            seen: self.seen.len(),
            words: 1,
        });
        self.seen.push(Seen {
            text: self.text,
            invocation: call.index,
            runner_words,
            run: (runner_words > 0).then(|| call.name.to_owned()),
        });
    }

    /// What is found from here on is that owner's, or nobody's.
    pub fn look_for(&mut self, owner: Option<Owner>) {
        self.owner = owner;
    }

    /// Adds a finding.
    pub fn add(&mut self, rule: &str, severity: Severity, message: impl Into<String>, span: Span) {
        self.findings.push(Finding {
            rule: rule.to_owned(),
            severity,
            message: message.into(),
            span,
        });
        self.owners.push(self.owner);
    }

    /// Judges a shell text that a program of another language carries; its findings point at the
    /// carrier.
    pub fn shell_text(&mut self, text: &str, carrier: Span) {
        if self.has_room(carrier) {
            let unfolded = crate::syntax::unfold(text);
            self.inner(unfolded, carrier);
        }
    }

    /// Judges what a program prints into a shell. Where it ends in a blank, more follows that only
    /// running it would tell.
    pub fn printed_text(&mut self, text: &str, carrier: Span) {
        if text.ends_with(' ') {
            self.shell_text(&format!("{text}$PRINTED"), carrier);
        } else {
            self.shell_text(text, carrier);
        }
    }

    /// Judges one command given as words; its findings point at the carrier.
    pub fn command(&mut self, program: &str, args: Vec<Word>, carrier: Span) {
        if self.has_room(carrier) {
            let invocation = Invocation {
                program: Some(program.to_owned()),
                program_word: Word::text(program, carrier),
                args,
                assignments: Vec::new(),
                redirects: Vec::new(),
                stdin: Stdin::Inherited,
                pipes_into: None,
                via: vec![Via::Interpreter],
                dialect: Dialect::Bash,
                cwd: None,
                span: carrier,
            };
            let unfolded = Unfolded {
                invocations: vec![invocation],
                ..Unfolded::default()
            };
            self.inner(unfolded, carrier);
        }
    }

    /// Whether another text can be looked at; notes where not.
    fn has_room(&mut self, carrier: Span) -> bool {
        let has_room = self.depth < MAX_DEPTH && self.texts.len() < MAX_TEXTS;
        if !has_room {
            self.left_out.get_or_insert(carrier);
        }
        has_room
    }

    fn inner(&mut self, unfolded: Unfolded, carrier: Span) {
        let known = self.findings.len();
        let outer = (self.text, self.owner);
        self.texts.push(Unfolded::default());
        self.text = self.texts.len();
        self.depth += 1;
        let fetching = std::mem::take(&mut self.fetching);
        super::judge::examine(&unfolded, Dialect::Bash, self);
        self.fetching = fetching;
        self.depth -= 1;
        if let Some(place) = self.texts.get_mut(self.text - 1) {
            *place = unfolded;
        }
        (self.text, self.owner) = outer;
        for finding in &mut self.findings[known..] {
            finding.span = carrier;
        }
    }
}
