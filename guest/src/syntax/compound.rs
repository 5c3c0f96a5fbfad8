//! Compound commands: groups, conditions, loops, branches.

use brush_parser::ast;

use super::Unparsable;
use super::expand::Site;
use super::scope::Scope;
use super::walk::{Output, Place, Walker, then};
use super::word::Word;

/// Most values of a loop that are walked one by one.
const MAX_ITERATIONS: usize = 16;

impl Walker {
    /// A compound command with its redirections, which apply to everything inside.
    pub(super) fn compound_with(
        &mut self,
        compound: &ast::CompoundCommand,
        redirects: Option<&ast::RedirectList>,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        let Some(redirects) = redirects else {
            return self.nested(compound, scope, place);
        };
        let span = place
            .span(ast::SourceLocation::location(compound).as_ref())
            .unwrap_or_default();
        let redirected = self.redirects(&redirects.0, None, Site { span, place }, scope);
        let mut inner = place.clone();
        redirected.apply(&mut inner);
        let start = self.out.invocations.len();
        let output = self.nested(compound, scope, &inner);
        if self.out.invocations.len() == start {
            self.out
                .bare_redirects
                .extend(redirected.redirects.iter().cloned());
        }
        self.written(output, &redirected.redirects)
    }

    fn nested(
        &mut self,
        compound: &ast::CompoundCommand,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        if !self.enter() {
            let span = place.span(ast::SourceLocation::location(compound).as_ref());
            self.opaque(&Unparsable::TooDeep.to_string(), span.unwrap_or_default());
            return None;
        }
        let output = self.compound(compound, scope, place);
        self.leave();
        output
    }

    fn compound(
        &mut self,
        compound: &ast::CompoundCommand,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        let span = place
            .span(ast::SourceLocation::location(compound).as_ref())
            .unwrap_or_default();
        let site = Site { span, place };
        match compound {
            ast::CompoundCommand::BraceGroup(group) => self.list(&group.list, scope, place),
            ast::CompoundCommand::Subshell(subshell) => {
                self.list(&subshell.list, &mut scope.clone(), place)
            }
            ast::CompoundCommand::Arithmetic(arithmetic) => {
                self.arithmetic(&arithmetic.expr.value, site, scope);
                Some(Word::default())
            }
            ast::CompoundCommand::ArithmeticForClause(clause) => {
                let parts = [&clause.initializer, &clause.condition, &clause.updater];
                for part in parts.into_iter().flatten() {
                    self.arithmetic(&part.value, site, scope);
                }
                self.repeated(&clause.body.list, scope, place);
                None
            }
            ast::CompoundCommand::ForClause(clause) => self.for_clause(clause, site, scope),
            ast::CompoundCommand::CaseClause(clause) => {
                self.expand_value(&clause.value.value, site, scope);
                let before = scope.clone();
                for branch in &clause.cases {
                    for pattern in &branch.patterns {
                        self.expand_value(&pattern.value, site, scope);
                    }
                    self.branch(branch.cmd.as_ref(), &before, scope, place);
                }
                None
            }
            ast::CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition, scope, place);
                let before = scope.clone();
                self.branch(Some(&clause.then), &before, scope, place);
                for alternative in clause.elses.iter().flatten() {
                    let mut before = before.clone();
                    if let Some(condition) = &alternative.condition {
                        self.list(condition, &mut before, place);
                    }
                    self.branch(Some(&alternative.body), &before, scope, place);
                }
                None
            }
            ast::CompoundCommand::WhileClause(clause)
            | ast::CompoundCommand::UntilClause(clause) => self.while_clause(clause, scope, place),
            ast::CompoundCommand::Coprocess(coprocess) => {
                self.command(&coprocess.body, &mut scope.clone(), place);
                None
            }
        }
    }

    /// Walks a branch that may or may not run.
    fn branch(
        &mut self,
        list: Option<&ast::CompoundList>,
        before: &Scope,
        scope: &mut Scope,
        place: &Place,
    ) {
        let Some(list) = list else { return };
        let mut branch = before.clone();
        self.list(list, &mut branch, place);
        scope.join(branch);
    }

    /// Walks a body that may run any number of times. Where a round changes what the next one sees,
    /// only what holds in every round counts.
    fn repeated(&mut self, list: &ast::CompoundList, scope: &mut Scope, place: &Place) {
        let mark = self.mark();
        let mut branch = scope.clone();
        self.list(list, &mut branch, place);
        if scope.join(branch) {
            self.rewind(mark);
            let mut branch = scope.clone();
            self.list(list, &mut branch, place);
            scope.join(branch);
        }
    }

    fn for_clause(
        &mut self,
        clause: &ast::ForClauseCommand,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Output {
        let values = match &clause.values {
            Some(words) => {
                let mut values = Vec::new();
                for word in words {
                    let span = site.place.span(word.loc.as_ref()).unwrap_or(site.span);
                    values.extend(self.expand(&word.value, Site { span, ..site }, scope));
                }
                Some(values)
            }
            None => scope.arguments.clone(),
        };
        self.each(
            &clause.variable_name,
            values,
            &clause.body.list,
            scope,
            site.place,
        )
    }

    /// Walks a body once for each value of a variable, or once for an unknown one.
    fn each(
        &mut self,
        variable: &str,
        values: Option<Vec<Word>>,
        body: &ast::CompoundList,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        let Some(values) = values.filter(|values| values.len() <= MAX_ITERATIONS) else {
            scope.set(variable, None);
            self.repeated(body, scope, place);
            return None;
        };
        let mut output = Some(Word::default());
        let mut branch = scope.clone();
        for value in values {
            if self.stopped() {
                return None;
            }
            branch.set_word(variable, value);
            output = then(output, self.list(body, &mut branch, place));
        }
        scope.join(branch);
        output
    }

    fn while_clause(
        &mut self,
        clause: &ast::WhileOrUntilClauseCommand,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        let ast::WhileOrUntilClauseCommand(condition, body, _) = clause;
        self.list(condition, scope, place);
        if always(condition) && only_background(&body.list) {
            let span = place.span(Some(&body.loc)).unwrap_or_default();
            self.out.fork_bombs.push(span);
        }
        let lines = place.input.as_ref().and_then(Word::literal);
        if let (Some(lines), Some(variable)) = (lines, line_variable(condition)) {
            let span = place.span(Some(&body.loc)).unwrap_or_default();
            let lines = lines.lines().map(|line| Word::text(line, span)).collect();
            return self.each(&variable, Some(lines), &body.list, scope, place);
        }
        self.repeated(&body.list, scope, place);
        None
    }
}

/// `:` or `true`: the loop has no end of its own.
fn always(condition: &ast::CompoundList) -> bool {
    let [ast::CompoundListItem(and_or, _)] = condition.0.as_slice() else {
        return false;
    };
    let [ast::Command::Simple(simple)] = and_or.first.seq.as_slice() else {
        return false;
    };
    let name = simple.word_or_name.as_ref().map(|word| word.value.as_str());
    and_or.additional.is_empty() && matches!(name, Some(":" | "true"))
}

/// Whether every command of a body is sent to the background, so that nothing slows the loop.
fn only_background(list: &ast::CompoundList) -> bool {
    list.0.iter().all(|ast::CompoundListItem(_, separator)| {
        matches!(separator, ast::SeparatorOperator::Async)
    })
}

/// The variable of `while read -r line`.
fn line_variable(condition: &ast::CompoundList) -> Option<String> {
    let [ast::CompoundListItem(and_or, _)] = condition.0.as_slice() else {
        return None;
    };
    let [ast::Command::Simple(simple)] = and_or.first.seq.as_slice() else {
        return None;
    };
    if simple.word_or_name.as_ref()?.value != "read" {
        return None;
    }
    let words = simple
        .suffix
        .iter()
        .flat_map(|suffix| &suffix.0)
        .filter_map(|item| match item {
            ast::CommandPrefixOrSuffixItem::Word(word) => Some(word.value.as_str()),
            _ => None,
        });
    let names = words
        .filter(|word| !word.starts_with('-'))
        .collect::<Vec<_>>();
    match names.as_slice() {
        [] => Some("REPLY".to_owned()),
        [name] => Some((*name).to_owned()),
        _ => None,
    }
}
