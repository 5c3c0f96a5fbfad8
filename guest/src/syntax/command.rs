//! Simple commands: assignments, words, the program that they name, and what that program runs in turn.

use brush_parser::ast;

use super::expand::{Site, assigned_name};
use super::invocation::{Assignment, Invocation, PipedText, ProcessArgument, Stdin, Via};
use super::names;
use super::output;
use super::scope::{Scope, Value};
use super::walk::{FunctionCall, Output, Place, Walker, then};
use super::word::{Piece, Word};
use super::wrappers::{self, is_command_variable, may_vanish};
use crate::model::{Dialect, Span};

/// Builtins whose arguments may be assignments.
const DECLARATIONS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

/// The words of one command.
#[derive(Debug, Clone, Default)]
pub(super) struct Argv {
    pub words: Vec<Word>,
    pub processes: Vec<Process>,
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

    /// Takes a place among the invocations, so that a command comes before what its words run.
    pub(super) fn reserve(&mut self) -> usize {
        self.out.invocations.push(Invocation {
            program: None,
            program_word: Word::default(),
            args: Vec::new(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            stdin: Stdin::Inherited,
            pipes_into: None,
            via: Vec::new(),
            dialect: Dialect::Bash,
            cwd: None,
            span: Span::default(),
        });
        self.out.invocations.len() - 1
    }

    /// Gives a place back; what came behind it moves up.
    fn remove(&mut self, slot: usize) {
        self.out.invocations.remove(slot);
        let up = |index: &mut usize| *index -= usize::from(*index > slot);
        for invocation in self.out.invocations.iter_mut().skip(slot) {
            if let Stdin::Pipe(stages) = &mut invocation.stdin {
                stages.retain(|index| *index != slot);
                stages.iter_mut().for_each(up);
            }
            if let Some(next) = &mut invocation.pipes_into {
                up(next);
            }
        }
        self.out
            .programs
            .iter_mut()
            .for_each(|program| up(&mut program.invocation));
        self.out
            .piped_texts
            .iter_mut()
            .for_each(|piped| up(&mut piped.invocation));
        for process in &mut self.out.processes {
            up(&mut process.invocation);
            process.stages.iter_mut().for_each(up);
        }
    }

    /// Runs a command whose words are known: notes the invocation, then follows what it runs.
    pub(super) fn run(
        &mut self,
        slot: usize,
        argv: Argv,
        assignments: Vec<Assignment>,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        let (program_word, args) = argv.words.split_first()?;
        if !self.room_for(&argv.words, span) {
            return None;
        }
        let literal = program_word.literal();
        if let Some(name) = &literal
            && let Some(body) = scope.function(name)
        {
            let args = args.to_vec();
            self.remove(slot);
            return self.call(name, &body, args, scope, place, span);
        }
        let named = names::of(program_word);
        for process in &argv.processes {
            if let Some(argument) = process.word.checked_sub(1) {
                self.out.processes.push(ProcessArgument {
                    invocation: slot,
                    argument,
                    stages: process.stages.clone(),
                    text: process.text.clone(),
                });
            }
        }
        if let (Stdin::Pipe(_) | Stdin::File(_), Some(text)) = (&place.stdin, &place.input) {
            self.out.piped_texts.push(PipedText {
                invocation: slot,
                text: text.clone(),
            });
        }
        if let Some(invocation) = self.out.invocations.get_mut(slot) {
            *invocation = Invocation {
                program: named.name.clone(),
                program_word: program_word.clone(),
                args: args.to_vec(),
                assignments: assignments.clone(),
                redirects: place.redirects.clone(),
                stdin: place.stdin.clone(),
                pipes_into: None,
                via: place.via.clone(),
                dialect: Dialect::Bash,
                cwd: scope.cwd.clone(),
                span,
            };
        }
        for assignment in assignments
            .iter()
            .filter(|assignment| is_command_variable(assignment))
        {
            self.carried_text(&assignment.value, Via::Wrapper, scope, place, span);
        }
        let Some(program) = named.name else {
            self.opaque(
                "only running the command tells which program this is",
                program_word.span,
            );
            return self.behind_vanishing(&argv, scope, place, span);
        };
        if !named.certain {
            self.opaque("part of the program's name is computed", program_word.span);
        }
        if !self.enter() {
            self.opaque(&super::Unparsable::TooDeep.to_string(), span);
            return None;
        }
        self.effects(&program, args, scope, place, span);
        // Assignments in front hold for what the command runs.
        let mut own;
        let scope = if assignments.is_empty() {
            scope
        } else {
            own = scope.clone();
            for assignment in &assignments {
                own.set_word(&assignment.name, assignment.value.clone());
                own.export(&assignment.name);
            }
            &mut own
        };
        let output = match wrappers::peel(&program, args) {
            Some(peeled) if !peeled.carried.is_empty() => {
                let mut last = None;
                for carried in peeled.carried {
                    last = self.carry(
                        &program, carried, peeled.via, slot, &argv, scope, place, span,
                    );
                }
                let passes =
                    peeled.passes_status && !matches!(peeled.via, Via::Ssh | Via::Container);
                last.filter(|_| passes)
                    .or_else(|| self.prints(&program, args, place))
            }
            _ => {
                self.written_script(literal.as_deref(), args, scope, place, span);
                self.prints(&program, args, place)
            }
        };
        self.leave();
        output
    }

    /// `$SUDO rm x`: where the variable is empty, the next word is the program.
    fn behind_vanishing(
        &mut self,
        argv: &Argv,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        let vanishes = argv.words.first().is_some_and(may_vanish);
        let option = argv.words.get(1).is_none_or(|word| word.starts_with("-"));
        if vanishes && !option && self.enter() {
            let words = argv.words.get(1..).unwrap_or_default().to_vec();
            let slot = self.reserve();
            let place = place.by(Via::Wrapper);
            self.run(
                slot,
                Argv {
                    words,
                    processes: Vec::new(),
                },
                Vec::new(),
                scope,
                &place,
                span,
            );
            self.leave();
        }
        None
    }

    /// What a command is known to print; `cat` of files that were written before is known too.
    fn prints(&self, program: &str, args: &[Word], place: &Place) -> Output {
        if program == "cat" && !args.is_empty() {
            let file = |word: &Word| {
                word.literal()
                    .and_then(|path| self.files.get(&path).cloned())
            };
            let files = args.iter().map(file);
            if let Some(text) = files.reduce(then).flatten() {
                return Some(text);
            }
        }
        output::known(program, args, place.input.as_ref())
    }

    /// Walks a function's body with its arguments.
    fn call(
        &mut self,
        name: &str,
        body: &super::scope::Body,
        args: Vec<Word>,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        if let Some(call) = self.calls.iter_mut().find(|call| call.name == name) {
            call.recursions += 1;
            call.forks += u32::from(place.forked);
            return None;
        }
        if !self.enter() {
            self.opaque(&super::Unparsable::TooDeep.to_string(), span);
            return None;
        }
        let mut place = place.by(Via::Function);
        place.forked &= !self.calls.is_empty();
        self.calls.push(FunctionCall {
            name: name.to_owned(),
            ..FunctionCall::default()
        });
        let outer = scope.arguments.replace(args);
        let output = self.compound_with(&body.0, body.1.as_ref(), scope, &place);
        scope.arguments = outer;
        self.leave();
        if let Some(call) = self.calls.pop()
            && call.recursions >= 2
            && call.forks >= 1
        {
            self.out.fork_bombs.push(span);
        }
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
