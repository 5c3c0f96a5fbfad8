//! Commands whose words are known: the program, and what it runs in turn.

use super::command::Argv;
use super::invocation::{Assignment, Invocation, PipedText, ProcessArgument, Stdin, Via};
use super::names;
use super::output;
use super::scope::Scope;
use super::walk::{FunctionCall, Output, Place, Walker, then};
use super::word::Word;
use super::wrappers::{self, is_command_variable, may_vanish};
use crate::model::{Dialect, Span};

impl Walker {
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
    pub(super) fn remove(&mut self, slot: usize) {
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
            && !argv.started_elsewhere
            && let Some(body) = scope.function(name)
        {
            let args = args.to_vec();
            self.remove(slot);
            return self.call(name, &body, args, scope, place, span);
        }
        let mut named = names::of(program_word);
        if let Some((_, program)) = self
            .programs
            .iter()
            .rev()
            .find(|(path, _)| Some(path) == literal.as_ref())
        {
            named.name = Some(program.clone());
        }
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
            // `LESSOPEN='|command'`
            let value = &assignment.value;
            let value = value.without(usize::from(value.starts_with("|")));
            self.carried_text(&value, Via::Wrapper, scope, place, span);
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
        let separators = assignments
            .iter()
            .find(|assignment| assignment.name == "IFS");
        let separators = match separators {
            Some(assignment) => assignment.value.literal(),
            None => scope.literal("IFS"),
        };
        self.effects(&program, args, separators.as_deref(), scope, place, span);
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
        self.git_alias(&program, args, scope, place, span);
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
                    .or_else(|| self.prints(&program, &argv, place))
            }
            _ => {
                self.written_script(literal.as_deref(), args, scope, place, span);
                self.prints(&program, &argv, place)
            }
        };
        self.leave();
        output
    }

    /// `git name`, where the same text has configured an alias of that name.
    fn git_alias(
        &mut self,
        program: &str,
        args: &[Word],
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) {
        let Some(name) = args
            .first()
            .filter(|_| program == "git")
            .and_then(Word::literal)
        else {
            return;
        };
        let Some((_, text)) = self
            .git_aliases
            .iter()
            .rev()
            .find(|(alias, _)| *alias == name)
        else {
            return;
        };
        let text = match text.strip_prefix('!') {
            Some(script) => script.to_owned(),
            None => format!("git {text}"),
        };
        if !self.aliases.contains(&name) {
            self.aliases.push(name);
            self.carried_text(&Word::text(&text, span), Via::Alias, scope, place, span);
            self.aliases.pop();
        }
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
                    ..Argv::default()
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
    fn prints(&self, program: &str, argv: &Argv, place: &Place) -> Output {
        let args = argv.words.get(1..).unwrap_or_default();
        if program == "cat" && !args.is_empty() {
            let file = |(index, word): (usize, &Word)| {
                let process = argv
                    .processes
                    .iter()
                    .find(|process| process.word == index + 1);
                match process {
                    Some(process) => process.text.clone(),
                    None => self.files.get(&word.literal()?).cloned(),
                }
            };
            let files = args.iter().enumerate().map(file);
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
