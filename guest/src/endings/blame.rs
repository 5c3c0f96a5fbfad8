//! Which commands of a bash text can have produced its exit code, as bash computes it.

use std::collections::BTreeMap;

use brush_parser::ast;

use super::exits::ends_the_script;
use super::reading::Evidence;
use super::suspect::{Suspect, base_name};
use super::words;
use crate::syntax::{self, Unparsable};

/// How deep scripts, functions and look-ups of `$?` are followed.
pub(super) const MAX_DEPTH: u32 = 12;

/// How many commands are looked at: functions that call each other often would never end.
const MAX_COMMANDS: u32 = 2000;

/// How many suspects are worth telling apart.
const MAX_SUSPECTS: usize = 12;

/// What is known of an ending beside the code.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Stderr and the language.
    pub evidence: Evidence<'a>,
    /// The statuses of the last pipeline's stages.
    pub stages: Option<&'a [i32]>,
}

/// Finds out which commands can have produced a code.
pub(super) struct Blame<'a> {
    pub(super) evidence: Evidence<'a>,
    pub(super) functions: BTreeMap<&'a str, &'a ast::FunctionBody>,
    /// `code=$?`: whose status a variable holds.
    pub(super) captured: BTreeMap<&'a str, Before<'a>>,
    /// Variables with a value that is known from the text.
    pub(super) variables: BTreeMap<&'a str, String>,
    pub(super) background: Option<&'a ast::AndOrList>,
    pub(super) pipefail: bool,
    pub(super) errexit: bool,
    /// The here-document or here-string of the command that is looked at.
    pub(super) input: Option<String>,
    pub(super) depth: u32,
    /// How many more commands may be looked at.
    pub(super) budget: u32,
    /// The pipeline whose stages' statuses are known, and the statuses.
    pub(super) stages: Option<(&'a ast::Pipeline, &'a [i32])>,
}

/// What ran directly before a command, and so is what `$?` stands for.
#[derive(Clone, Copy)]
pub(super) enum Before<'a> {
    Nothing,
    List(&'a ast::AndOrList),
    Pipeline(&'a ast::Pipeline),
}

/// The suspects of a text, none where it cannot be parsed.
pub(super) fn suspects(text: &str, code: i32, known: &Known<'_>) -> Vec<Suspect> {
    match syntax::parse(text) {
        Ok(program) => Blame::new(known.evidence).program(&program, code, known.stages),
        Err(Unparsable::Syntax | Unparsable::Unterminated) if code == 2 => {
            vec![Suspect::program("bash", Vec::new(), code)]
        }
        Err(_) => Vec::new(),
    }
}

/// The pipeline that ends a text.
pub(super) fn last_pipeline(program: &ast::Program) -> Option<&ast::Pipeline> {
    let item = program.complete_commands.last()?.0.last()?;
    item.0.iter().last().map(|(_, pipeline)| pipeline)
}

impl<'a> Blame<'a> {
    /// Before the first command of a text.
    pub fn new(evidence: Evidence<'a>) -> Self {
        Self {
            evidence,
            functions: BTreeMap::new(),
            captured: BTreeMap::new(),
            variables: BTreeMap::new(),
            background: None,
            pipefail: false,
            errexit: false,
            input: None,
            depth: 0,
            budget: MAX_COMMANDS,
            stages: None,
        }
    }

    /// Takes in the shell options that a list sets.
    pub fn pass(&mut self, list: &'a ast::AndOrList) {
        self.remember(list, Before::Nothing);
    }

    /// Whether a failing stage makes its pipeline fail.
    pub fn sees_every_stage(&self) -> bool {
        self.pipefail
    }

    /// Whether the script ends at the first failure.
    pub fn stops_at_failures(&self) -> bool {
        self.errexit
    }

    /// The same settings for an inner script.
    pub fn inherit<'b>(&self) -> Blame<'b>
    where
        'a: 'b,
    {
        Blame {
            pipefail: self.pipefail,
            errexit: self.errexit,
            depth: self.depth + 1,
            budget: self.budget,
            ..Blame::new(self.evidence)
        }
    }

    /// The suspects of one command.
    pub fn of_command(&mut self, command: &'a ast::Command, code: i32) -> Vec<Suspect> {
        self.command(command, code, Before::Nothing)
    }

    pub(super) fn program(
        &mut self,
        program: &'a ast::Program,
        code: i32,
        stages: Option<&'a [i32]>,
    ) -> Vec<Suspect> {
        self.stages = stages.and_then(|stages| {
            let pipeline = last_pipeline(program)?;
            (pipeline.seq.len() == stages.len()).then_some((pipeline, stages))
        });
        let items: Vec<_> = program
            .complete_commands
            .iter()
            .flat_map(|list| &list.0)
            .collect();
        let mut found = self.items(&items, code, Before::Nothing);
        found.truncate(MAX_SUSPECTS);
        found
    }

    fn list(&mut self, list: &'a ast::CompoundList, code: i32, before: Before<'a>) -> Vec<Suspect> {
        let items: Vec<_> = list.0.iter().collect();
        self.items(&items, code, before)
    }

    fn items(
        &mut self,
        items: &[&'a ast::CompoundListItem],
        code: i32,
        mut before: Before<'a>,
    ) -> Vec<Suspect> {
        let mut found = Vec::new();
        let Some((last, earlier)) = items.split_last() else {
            return found;
        };
        for item in earlier {
            let list = &item.0;
            if matches!(item.1, ast::SeparatorOperator::Async) {
                self.background = Some(list);
                continue;
            }
            self.remember(list, before);
            found.extend(self.exits(list, code, before));
            if ends_the_script(list) {
                return found;
            }
            let decider = list.iter().last().map(|(_, pipeline)| pipeline);
            if let Some(pipeline) = decider.filter(|pipeline| self.errexit && !pipeline.bang) {
                found.extend(self.pipeline(pipeline, code, before));
            }
            before = Before::List(list);
        }
        self.remember(&last.0, before);
        found.extend(self.and_or(&last.0, code, before));
        found
    }

    /// `a && b` returns what `a` returned where that stops the chain; `a || b` returns what `b` returned.
    pub(super) fn and_or(
        &mut self,
        list: &'a ast::AndOrList,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        let chain: Vec<_> = list.iter().collect();
        let goes_on = if code == 0 {
            ast::PipelineOperator::And
        } else {
            ast::PipelineOperator::Or
        };
        let first = chain
            .iter()
            .skip(1)
            .rposition(|(operator, _)| *operator == goes_on);
        let first = first.map_or(0, |index| index + 1);
        let mut found = Vec::new();
        for (index, (_, pipeline)) in chain.iter().enumerate() {
            let before = match index.checked_sub(1).and_then(|index| chain.get(index)) {
                Some((_, previous)) => Before::Pipeline(previous),
                None => before,
            };
            if index < first {
                found.extend(self.exits_of_pipeline(pipeline, code, before));
            } else {
                found.extend(self.pipeline(pipeline, code, before));
            }
        }
        found
    }

    pub(super) fn pipeline(
        &mut self,
        pipeline: &'a ast::Pipeline,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        if !pipeline.bang {
            return self.stages(pipeline, code, before);
        }
        // `!` makes 0 of every failure and 1 of success.
        let mut found = self.stages(pipeline, i32::from(code == 0), before);
        for suspect in &mut found {
            suspect.negated = !suspect.negated;
        }
        found
    }

    fn stages(
        &mut self,
        pipeline: &'a ast::Pipeline,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        let Some((last, earlier)) = pipeline.seq.split_last() else {
            return Vec::new();
        };
        if earlier.is_empty() || !self.pipefail {
            return self.command(last, code, before);
        }
        if let Some((_, statuses)) = self
            .stages
            .filter(|(known, _)| std::ptr::eq(*known, pipeline))
        {
            let failing = statuses.iter().rposition(|&status| status != 0);
            return match failing.and_then(|stage| pipeline.seq.get(stage)) {
                Some(stage) => self.command(stage, code, before),
                None => Vec::new(),
            };
        }
        let mut found = Vec::new();
        for stage in &pipeline.seq {
            let mut suspects = self.command(stage, code, before);
            for suspect in &mut suspects {
                suspect.unlikely |= suspect.is_filter();
            }
            found.extend(suspects);
        }
        found
    }

    pub(super) fn command(
        &mut self,
        command: &'a ast::Command,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        if self.depth >= MAX_DEPTH || self.budget == 0 {
            return vec![Suspect::unknown(code)];
        }
        self.depth += 1;
        self.budget -= 1;
        let found = match command {
            ast::Command::Simple(simple) => self.simple(simple, code, before),
            ast::Command::Compound(compound, redirects) => {
                let mut found = self.compound(compound, code, before);
                let files = words::files(redirects.iter().flat_map(|list| &list.0));
                for suspect in &mut found {
                    suspect.files.extend(files.iter().cloned());
                }
                found
            }
            ast::Command::Function(_) => Vec::new(),
            ast::Command::ExtendedTest(..) => vec![Suspect::program("[[", Vec::new(), code)],
        };
        self.depth -= 1;
        found
    }

    fn compound(
        &mut self,
        compound: &'a ast::CompoundCommand,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        use ast::CompoundCommand as C;
        match compound {
            C::Arithmetic(_) => vec![Suspect::program("((", Vec::new(), code)],
            C::BraceGroup(group) => self.list(&group.list, code, before),
            C::Subshell(group) => {
                let settings = (self.pipefail, self.errexit);
                let found = self.list(&group.list, code, before);
                (self.pipefail, self.errexit) = settings;
                found
            }
            C::ArithmeticForClause(clause) => self.list(&clause.body.list, code, before),
            C::ForClause(clause) => self.list(&clause.body.list, code, before),
            C::WhileClause(clause) | C::UntilClause(clause) => {
                self.list(&clause.1.list, code, before)
            }
            C::CaseClause(clause) => {
                let mut found = Vec::new();
                for list in clause.cases.iter().filter_map(|case| case.cmd.as_ref()) {
                    found.extend(self.list(list, code, before));
                }
                found
            }
            C::IfClause(clause) => {
                let mut found = self.list(&clause.then, code, before);
                for branch in clause.elses.iter().flatten() {
                    found.extend(self.list(&branch.body, code, before));
                }
                found
            }
            C::Coprocess(_) => Vec::new(),
        }
    }

    fn simple(
        &mut self,
        simple: &'a ast::SimpleCommand,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        let Some(word) = &simple.word_or_name else {
            // `x=$(cmd)` returns what the substitution returned.
            return match words::assigned_substitution(simple) {
                Some(script) => self.script(&script, code, "bash"),
                None => vec![Suspect::program(":", Vec::new(), code)],
            };
        };
        let name = match words::variable(&word.value).and_then(|name| self.variables.get(name)) {
            Some(value) => value.clone(),
            None => words::literal(word),
        };
        let args = words::arguments(simple);
        let mut found = match base_name(&name) {
            "exit" | "return" => return self.chosen(words::first_argument(simple), code, before),
            "wait" if !args.is_empty() => match self.background {
                Some(list) => self.and_or(list, code, Before::Nothing),
                None => vec![Suspect::program("wait", args, code)],
            },
            "eval" => self.script(&args.join(" "), code, "bash"),
            called => match self.functions.get(called).copied() {
                Some(body) => self.compound(&body.0, code, before),
                None => {
                    self.input = words::input(simple);
                    self.argv(&name, args, code)
                }
            },
        };
        let mut files = words::files_of(simple);
        if matches!(name.as_str(), "source" | ".") {
            files.extend(words::first_argument(simple).map(str::to_owned));
        }
        for suspect in &mut found {
            suspect.files.extend(files.iter().cloned());
        }
        found
    }
}
