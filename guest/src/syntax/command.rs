//! Simple commands: assignments, words, the program that they name, and what that program runs in
//! turn.

use brush_parser::ast;

use super::expand::{Site, assigned_name};
use super::invocation::{Assignment, Via};
use super::scope::{Scope, Value};
use super::walk::{Output, Place, Walker, then};
use super::word::{Piece, Word};
use crate::model::Span;

/// Builtins whose arguments may be assignments.
const DECLARATIONS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

/// The words of one command.
#[derive(Debug, Clone, Default)]
pub(super) struct Argv {
    pub words: Vec<Word>,
    pub processes: Vec<Process>,
    /// Whether something else than the shell starts it, which knows no functions of the shell.
    pub started_elsewhere: bool,
}

/// A process substitution among the words.
#[derive(Debug, Clone)]
pub(super) struct Process {
    /// Index in the words.
    pub word: usize,
    pub stages: Vec<usize>,
    pub text: Output,
}

impl Walker {
    pub(super) fn simple(
        &mut self,
        command: &ast::SimpleCommand,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        let span = span_of(command, place);
        if !self.step(span) {
            return None;
        }
        let site = Site { span, place };
        let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0);
        let suffix = command.suffix.iter().flat_map(|suffix| &suffix.0);
        let Some(name) = &command.word_or_name else {
            return self.assignments_only(prefix, site, scope);
        };
        if let Some(text) = scope.alias(&name.value).map(str::to_owned)
            && !self.aliases.contains(&name.value)
        {
            return self.alias(&name.value, &text, command, site, scope);
        }
        let slot = self.reserve();
        let mut assignments = Vec::new();
        for item in prefix.clone() {
            if let ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) = item {
                let value = match &assignment.value {
                    ast::AssignmentValue::Scalar(word) => {
                        self.expand_value(&word.value, site, scope)
                    }
                    ast::AssignmentValue::Array(_) => Word::default(),
                };
                let name = assigned(assignment).to_owned();
                assignments.push(Assignment { name, value });
            }
        }
        let argv = self.argv(name, suffix.clone(), slot, site, scope);
        let items = prefix.chain(suffix);
        let redirects = items.filter_map(|item| match item {
            ast::CommandPrefixOrSuffixItem::IoRedirect(redirect) => Some(redirect),
            _ => None,
        });
        let redirected = self.redirects(redirects, Some(slot), site, scope);
        let mut place = place.clone();
        redirected.apply(&mut place);
        let output = if argv.words.is_empty() {
            self.remove(slot);
            if self.out.invocations.len() == slot {
                self.out
                    .bare_redirects
                    .extend(redirected.redirects.iter().cloned());
            }
            Some(Word::default())
        } else {
            self.run(slot, argv, assignments, scope, &place, span)
        };
        self.written(output, &redirected.redirects)
    }

    fn assignments_only<'r>(
        &mut self,
        items: impl Iterator<Item = &'r ast::CommandPrefixOrSuffixItem> + Clone,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Output {
        for item in items.clone() {
            if let ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) = item {
                self.assign(assignment, site, scope);
            }
        }
        let redirects = items.filter_map(|item| match item {
            ast::CommandPrefixOrSuffixItem::IoRedirect(redirect) => Some(redirect),
            _ => None,
        });
        let redirected = self.redirects(redirects, None, site, scope);
        self.out
            .bare_redirects
            .extend(redirected.redirects.iter().cloned());
        // `$(< file)` yields the file.
        let output = match redirected.stdin {
            Some((_, input)) => input,
            None => Some(Word::default()),
        };
        self.written(output, &redirected.redirects)
    }

    /// Assigns a variable of this shell.
    pub(super) fn assign(
        &mut self,
        assignment: &ast::Assignment,
        site: Site<'_>,
        scope: &mut Scope,
    ) {
        let value = match &assignment.value {
            ast::AssignmentValue::Scalar(word) => {
                Some(Value::Scalar(self.expand_value(&word.value, site, scope)))
            }
            ast::AssignmentValue::Array(elements) => {
                let mut words = Vec::new();
                let mut indexed = true;
                for (key, word) in elements {
                    indexed &= key.is_none();
                    words.extend(self.expand(&word.value, site, scope));
                }
                indexed.then_some(Value::Array(words))
            }
        };
        match &assignment.name {
            ast::AssignmentName::VariableName(name) => {
                let value = match (assignment.append, scope.get(name), value) {
                    (false, _, value) => value,
                    (true, Some(Value::Scalar(before)), Some(Value::Scalar(more))) => {
                        then(Some(before.clone()), Some(more)).map(Value::Scalar)
                    }
                    (true, Some(Value::Array(before)), Some(Value::Array(more))) => {
                        Some(Value::Array([before.as_slice(), &more].concat()))
                    }
                    (true, _, _) => None,
                };
                scope.set(name, value);
            }
            ast::AssignmentName::ArrayElementName(name, index) => {
                let mut elements = match scope.get(name) {
                    Some(Value::Array(elements)) => elements.clone(),
                    _ => Vec::new(),
                };
                let index = index.parse::<usize>().ok();
                let array = match (index, value) {
                    (Some(index), Some(Value::Scalar(word))) if index < elements.len() => {
                        if let Some(element) = elements.get_mut(index) {
                            *element = word;
                        }
                        Some(Value::Array(elements))
                    }
                    (Some(index), Some(Value::Scalar(word))) if index == elements.len() => {
                        elements.push(word);
                        Some(Value::Array(elements))
                    }
                    _ => None,
                };
                scope.set(name, array);
            }
        }
    }

    fn argv<'r>(
        &mut self,
        name: &ast::Word,
        suffix: impl Iterator<Item = &'r ast::CommandPrefixOrSuffixItem>,
        slot: usize,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Argv {
        let mut argv = Argv::default();
        let at = |word: &ast::Word| site.place.span(word.loc.as_ref()).unwrap_or(site.span);
        argv.words = self.expand(
            &name.value,
            Site {
                span: at(name),
                ..site
            },
            scope,
        );
        let program = argv.words.first().and_then(Word::literal);
        let declares = program.is_some_and(|program| DECLARATIONS.contains(&program.as_str()));
        for item in suffix {
            match item {
                ast::CommandPrefixOrSuffixItem::Word(word) => {
                    argv.words.extend(self.expand(
                        &word.value,
                        Site {
                            span: at(word),
                            ..site
                        },
                        scope,
                    ));
                }
                ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                    let site = Site {
                        span: at(word),
                        ..site
                    };
                    if declares {
                        self.assign(assignment, site, scope);
                        argv.words.push(self.expand_value(&word.value, site, scope));
                    } else {
                        argv.words.extend(self.expand(&word.value, site, scope));
                    }
                }
                ast::CommandPrefixOrSuffixItem::ProcessSubstitution(direction, subshell) => {
                    let span = site.place.span(Some(&subshell.loc)).unwrap_or(site.span);
                    let (stages, text) = self.process(
                        direction,
                        subshell,
                        Some(slot),
                        Site { span, ..site },
                        scope,
                    );
                    argv.processes.push(Process {
                        word: argv.words.len(),
                        stages,
                        text,
                    });
                    argv.words.push(Word {
                        pieces: vec![Piece::Substitution],
                        span,
                    });
                }
                ast::CommandPrefixOrSuffixItem::IoRedirect(_) => {}
            }
        }
        argv
    }

    /// Puts an alias in front of the rest of its command and reads that again.
    fn alias(
        &mut self,
        name: &str,
        text: &str,
        command: &ast::SimpleCommand,
        site: Site<'_>,
        scope: &mut Scope,
    ) -> Output {
        let mut text = text.to_owned();
        for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
            if let ast::CommandPrefixOrSuffixItem::Word(word)
            | ast::CommandPrefixOrSuffixItem::AssignmentWord(_, word) = item
            {
                text.push(' ');
                text.push_str(&word.value);
            }
        }
        self.aliases.push(name.to_owned());
        let mut place = site.place.by(Via::Alias);
        place.carrier = Some(site.span);
        let output = self.script(&text, scope, &place, site.span);
        self.aliases.pop();
        output
    }
}

fn assigned(assignment: &ast::Assignment) -> &str {
    match &assignment.name {
        ast::AssignmentName::VariableName(name)
        | ast::AssignmentName::ArrayElementName(name, _) => name,
    }
}

/// From the first to the last word of a command, redirection targets included.
fn span_of(command: &ast::SimpleCommand, place: &Place) -> Span {
    if let Some(carrier) = place.carrier {
        return carrier;
    }
    let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0);
    let suffix = command.suffix.iter().flat_map(|suffix| &suffix.0);
    let name = command
        .word_or_name
        .iter()
        .filter_map(|word| place.span(word.loc.as_ref()));
    let spans = prefix.chain(suffix).filter_map(|item| match item {
        ast::CommandPrefixOrSuffixItem::Word(word) => place.span(word.loc.as_ref()),
        ast::CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => {
            place.span(Some(&assignment.loc))
        }
        ast::CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
            place.span(Some(&subshell.loc))
        }
        ast::CommandPrefixOrSuffixItem::IoRedirect(redirect) => match redirect {
            ast::IoRedirect::File(
                _,
                _,
                ast::IoFileRedirectTarget::Filename(word)
                | ast::IoFileRedirectTarget::Duplicate(word),
            )
            | ast::IoRedirect::OutputAndError(word, _)
            | ast::IoRedirect::HereString(_, word) => place.span(word.loc.as_ref()),
            _ => None,
        },
    });
    let join = |one: Span, other: Span| Span {
        start: one.start.min(other.start),
        end: one.end.max(other.end),
    };
    name.chain(spans).reduce(join).unwrap_or_default()
}

/// The name that an argument of `declare` assigns or names.
pub(super) fn declared_name(text: &str) -> &str {
    assigned_name(text).unwrap_or(text)
}
