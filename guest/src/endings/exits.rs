//! Scripts that choose their own code: `exit`, `return`, `$?` and what it stands for.

use brush_parser::ast;

use super::blame::{Before, Blame, MAX_DEPTH};
use super::suspect::Suspect;
use super::words;

impl<'a> Blame<'a> {
    /// `exit N`, `exit $?`, `exit $code`: who chose the code, if it can have been this one.
    pub(super) fn chosen(
        &mut self,
        argument: Option<&str>,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        let argument = argument.unwrap_or("$?").trim_matches('"');
        if let Ok(number) = argument.parse::<i64>() {
            let same = number.rem_euclid(256) == i64::from(code);
            return if same {
                vec![Suspect::script(code)]
            } else {
                Vec::new()
            };
        }
        if argument == "$?" {
            return self.status_of(before, code);
        }
        if let Some(stage) = pipe_status_index(argument) {
            let pipeline = match before {
                Before::Pipeline(pipeline) => Some(pipeline),
                Before::List(list) => list.iter().last().map(|(_, pipeline)| pipeline),
                Before::Nothing => None,
            };
            if let Some(command) = pipeline.and_then(|pipeline| pipeline.seq.get(stage)) {
                return self.command(command, code, Before::Nothing);
            }
        }
        let name = argument
            .strip_prefix('$')
            .map(|name| name.trim_matches(['{', '}']));
        match name.and_then(|name| self.captured.get(name)).copied() {
            Some(captured) => self.status_of(captured, code),
            None => vec![Suspect::script(code)],
        }
    }

    fn status_of(&mut self, before: Before<'a>, code: i32) -> Vec<Suspect> {
        if self.depth >= MAX_DEPTH {
            return vec![Suspect::unknown(code)];
        }
        self.depth += 1;
        let found = match before {
            Before::Nothing => vec![Suspect::script(code)],
            Before::List(list) => self.and_or(list, code, Before::Nothing),
            Before::Pipeline(pipeline) => self.pipeline(pipeline, code, Before::Nothing),
        };
        self.depth -= 1;
        found
    }

    /// The `exit` commands in a list that can have ended the script with this code.
    pub(super) fn exits(
        &mut self,
        list: &'a ast::AndOrList,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        let mut found = Vec::new();
        let mut before = before;
        for (_, pipeline) in list {
            found.extend(self.exits_of_pipeline(pipeline, code, before));
            before = Before::Pipeline(pipeline);
        }
        found
    }

    pub(super) fn exits_of_pipeline(
        &mut self,
        pipeline: &'a ast::Pipeline,
        code: i32,
        before: Before<'a>,
    ) -> Vec<Suspect> {
        use ast::CompoundCommand as C;
        // The stages of a longer pipeline are subshells: their `exit` ends only them.
        let [command] = pipeline.seq.as_slice() else {
            return Vec::new();
        };
        let lists: Vec<&'a ast::CompoundList> = match command {
            ast::Command::Simple(simple) if words::is_exit(simple) => {
                return self.chosen(words::first_argument(simple), code, before);
            }
            ast::Command::Compound(compound, _) => match compound {
                C::BraceGroup(group) => vec![&group.list],
                C::ForClause(clause) => vec![&clause.body.list],
                C::ArithmeticForClause(clause) => vec![&clause.body.list],
                C::WhileClause(clause) | C::UntilClause(clause) => vec![&clause.1.list],
                C::CaseClause(clause) => clause
                    .cases
                    .iter()
                    .filter_map(|case| case.cmd.as_ref())
                    .collect(),
                C::IfClause(clause) => {
                    let branches = clause.elses.iter().flatten().map(|branch| &branch.body);
                    std::iter::once(&clause.then).chain(branches).collect()
                }
                C::Arithmetic(_) | C::Subshell(_) | C::Coprocess(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        if self.depth >= MAX_DEPTH {
            return vec![Suspect::unknown(code)];
        }
        self.depth += 1;
        let mut found = Vec::new();
        for list in lists {
            let mut before = before;
            for item in &list.0 {
                found.extend(self.exits(&item.0, code, before));
                before = Before::List(&item.0);
            }
        }
        self.depth -= 1;
        found
    }
}

/// `${PIPESTATUS[N]}`.
fn pipe_status_index(argument: &str) -> Option<usize> {
    argument
        .strip_prefix("${PIPESTATUS[")?
        .strip_suffix("]}")?
        .parse()
        .ok()
}

/// Whether a list is nothing but an `exit`, so that what follows never runs.
pub(super) fn ends_the_script(list: &ast::AndOrList) -> bool {
    list.additional.is_empty()
        && matches!(
            list.first.seq.as_slice(),
            [ast::Command::Simple(simple)] if words::is_exit(simple)
        )
}

/// The code of a subshell that does nothing but fail: `(exit 7)`.
pub(super) fn chosen_failure(command: &ast::Command) -> Option<i64> {
    let ast::Command::Compound(ast::CompoundCommand::Subshell(group), _) = command else {
        return None;
    };
    let [item] = group.list.0.as_slice() else {
        return None;
    };
    let [ast::Command::Simple(simple)] = item.0.first.seq.as_slice() else {
        return None;
    };
    let code = words::first_argument(simple).filter(|_| words::is_exit(simple))?;
    code.parse().ok().filter(|&code| code != 0)
}
