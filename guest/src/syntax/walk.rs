//! The walk over the syntax tree: lists, pipelines and compound commands, down to simple ones.

use std::rc::Rc;

use brush_parser::{SourceSpan, ast};

use super::expand::Site;
use super::files::{Files, size};
use super::invocation::{InlineProgram, Invocation, Redirect, RedirectKind, Stdin, Unfolded, Via};
use super::long;
use super::parse::{MAX_TOKENS, Unparsable, parse, parse_within};
use super::scope::Scope;
use super::word::{Piece, Word};
use crate::model::{Opaque, Span};

/// How deep scripts in scripts are followed.
const MAX_SCRIPTS: u32 = 16;
/// How deep compound commands, scripts and function calls together are followed; bounds the stack.
const MAX_DEPTH: u32 = 40;
/// Most parts that are told as not understood.
const MAX_OPAQUE: usize = 256;
/// Most commands that are looked at, all loops and calls together.
const MAX_STEPS: u32 = 1000;
/// How many bytes all programs in other languages together may take.
const MAX_PROGRAM_BYTES: usize = 64 * 1024;
/// How many bytes all words together may take.
const MAX_WORD_BYTES: usize = 512 * 1024;
/// What a word counts beside its text.
const WORD_BYTES: usize = 16;

/// What a command is known to print, or `None`.
pub(super) type Output = Option<Word>;

/// Everything that a bash text reaches.
pub fn unfold(text: &str) -> Unfolded {
    let mut walker = Walker::default();
    let span = Span {
        start: 0,
        end: u32::try_from(text.len()).unwrap_or(u32::MAX),
    };
    walker.script(text, &mut Scope::default(), &Place::default(), span);
    walker.out
}

/// How the command line reaches a command.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub via: Vec<Via>,
    pub stdin: Stdin,
    /// The text on standard input, if it is known.
    pub input: Output,
    /// Redirections of the groups around.
    pub redirects: Vec<Redirect>,
    /// The part of the command text that carries the script being walked; `None` for the text
    /// itself.
    pub carrier: Option<Span>,
    /// Whether a pipe or `&` has started a process since the outermost function call.
    pub forked: bool,
}

impl Place {
    /// One step further.
    pub(super) fn by(&self, via: Via) -> Self {
        let mut place = self.clone();
        place.via.push(via);
        place
    }

    /// The span of something in the script being walked.
    pub(super) fn span(&self, location: Option<&SourceSpan>) -> Option<Span> {
        let position = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        self.carrier.or_else(|| {
            let location = location?;
            Some(Span {
                start: position(location.start.index),
                end: position(location.end.index),
            })
        })
    }
}

/// A function that is being walked.
#[derive(Debug, Default)]
pub(super) struct FunctionCall {
    pub name: String,
    /// How often it calls itself, and how many of these calls start processes.
    pub recursions: u32,
    pub forks: u32,
}

/// Walks a script and collects what it reaches.
#[derive(Debug, Default)]
pub(super) struct Walker {
    pub out: Unfolded,
    pub files: Files,
    pub calls: Vec<FunctionCall>,
    /// Names of aliases that are being expanded.
    pub aliases: Vec<String>,
    /// Aliases that `git config` has set.
    pub git_aliases: Vec<(String, String)>,
    /// Paths of copied programs, and which program each is.
    pub programs: Vec<(String, String)>,
    scripts: u32,
    depth: u32,
    steps: u32,
    word_bytes: usize,
    tokens: usize,
    program_bytes: usize,
}

/// The output of one command and then another.
pub(super) fn then(first: Output, second: Output) -> Output {
    let (mut first, second) = (first?, second?);
    for piece in second.pieces {
        match piece {
            Piece::Text { value, .. } => first.push_text(&value),
            other => first.pieces.push(other),
        }
    }
    Some(first)
}

impl Walker {
    /// Goes one level deeper, if there is room; every success needs a [`Walker::leave`].
    pub(super) fn enter(&mut self) -> bool {
        let room = self.depth < MAX_DEPTH;
        self.depth += u32::from(room);
        room
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts a command; false where the walk has to stop.
    pub(super) fn step(&mut self, span: Span) -> bool {
        self.steps = self.steps.saturating_add(1);
        if self.steps == MAX_STEPS {
            self.opaque("too many commands to be analysed", span);
        }
        self.steps < MAX_STEPS
    }

    /// Makes room for some more commands where a limit has ended the walk.
    pub(super) fn allow(&mut self, commands: u32) {
        self.steps = self.steps.min(MAX_STEPS - 2 * commands);
    }

    /// Whether a limit has ended the walk.
    pub(super) fn stopped(&self) -> bool {
        self.steps >= MAX_STEPS
    }

    /// Counts the words of a command; false where the walk has to stop.
    pub(super) fn room_for(&mut self, words: &[Word], span: Span) -> bool {
        let word_bytes = |word: &Word| WORD_BYTES + size(word);
        self.word_bytes += words.iter().map(word_bytes).sum::<usize>();
        let room = self.word_bytes <= MAX_WORD_BYTES;
        if !room {
            self.steps = MAX_STEPS;
            self.opaque("too much text to be analysed", span);
        }
        room
    }

    /// Counts the tokens of a text; false where they are more than are parsed.
    pub(super) fn room_for_tokens(&mut self, tokens: usize) -> bool {
        let room = self.tokens.saturating_add(tokens) <= MAX_TOKENS;
        if room {
            self.tokens += tokens;
        }
        room
    }

    pub(super) fn opaque(&mut self, reason: &str, span: Span) {
        if self.out.opaque.len() >= MAX_OPAQUE {
            return;
        }
        let opaque = Opaque {
            reason: reason.to_owned(),
            span,
        };
        if !self.out.opaque.contains(&opaque) {
            self.out.opaque.push(opaque);
        }
    }

    /// Walks the text of a script.
    pub(super) fn script(
        &mut self,
        text: &str,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        if !self.enter_script(span) {
            return None;
        }
        let parsed = parse_within(text, MAX_TOKENS.saturating_sub(self.tokens));
        let output = match parsed {
            Ok((program, tokens)) => {
                self.tokens += tokens;
                self.program(&program, scope, place)
            }
            Err(error) => {
                self.opaque(&error.to_string(), span);
                if error == Unparsable::TooLong && self.tokens < MAX_TOKENS {
                    // Once is enough: what is read of it takes its time too.
                    self.tokens = MAX_TOKENS;
                    long::walk(self, text, scope, place);
                } else if let Some(program) = lines_before_error(text, error) {
                    self.program(&program, scope, place);
                }
                None
            }
        };
        self.leave_script();
        output
    }

    /// Goes into a text inside a text, if there is room; every success needs a [`Walker::leave_script`].
    pub(super) fn enter_script(&mut self, span: Span) -> bool {
        let room = self.scripts < MAX_SCRIPTS && self.enter();
        self.scripts += u32::from(room);
        if !room {
            self.opaque(&Unparsable::TooDeep.to_string(), span);
        }
        room
    }

    pub(super) fn leave_script(&mut self) {
        self.scripts -= 1;
        self.leave();
    }

    /// Notes a program text in another language.
    pub(super) fn note_program(&mut self, interpreter: String, source: Word, invocation: usize) {
        self.program_bytes += size(&source);
        if self.program_bytes > MAX_PROGRAM_BYTES {
            self.opaque(&long::reason(), source.span);
            return;
        }
        self.out.programs.push(InlineProgram {
            interpreter,
            source,
            invocation,
        });
    }

    pub(super) fn program(
        &mut self,
        program: &ast::Program,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        let mut output = Some(Word::default());
        for line in &program.complete_commands {
            scope.begin_line();
            output = then(output, self.list(line, scope, place));
        }
        output
    }

    pub(super) fn list(
        &mut self,
        list: &ast::CompoundList,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        if self.stopped() {
            return None;
        }
        let mut output = Some(Word::default());
        for ast::CompoundListItem(and_or, separator) in &list.0 {
            let next = match separator {
                ast::SeparatorOperator::Sequence => self.and_or(and_or, scope, place),
                ast::SeparatorOperator::Async => {
                    let place = Place {
                        forked: true,
                        ..place.clone()
                    };
                    self.and_or(and_or, &mut scope.clone(), &place)
                }
            };
            output = then(output, next);
        }
        output
    }

    fn and_or(&mut self, list: &ast::AndOrList, scope: &mut Scope, place: &Place) -> Output {
        let mut output = self.pipeline(&list.first, scope, place);
        if list.additional.is_empty() {
            return output;
        }
        // What follows may or may not run; within the chain each sees what ran before it.
        let mut branch = scope.clone();
        for next in &list.additional {
            match next {
                ast::AndOr::And(pipeline) => {
                    output = then(output, self.pipeline(pipeline, &mut branch, place));
                }
                ast::AndOr::Or(pipeline) => {
                    let other = self.pipeline(pipeline, &mut branch, place);
                    let silent = output
                        .as_ref()
                        .is_some_and(|output| output.pieces.is_empty());
                    if silent {
                        output = other;
                    }
                }
            }
        }
        scope.join(branch);
        output
    }

    fn pipeline(&mut self, pipeline: &ast::Pipeline, scope: &mut Scope, place: &Place) -> Output {
        let mut output = Some(Word::default());
        let [only] = pipeline.seq.as_slice() else {
            let mut before: Option<Vec<usize>> = None;
            for command in &pipeline.seq {
                let mut place = Place {
                    forked: true,
                    ..place.clone()
                };
                if let Some(before) = &before {
                    place.stdin = Stdin::Pipe(before.clone());
                    place.input = output;
                }
                let start = self.out.invocations.len();
                output = self.command(command, &mut scope.clone(), &place);
                let stage = self.stage(start, place.via.len());
                for index in before.unwrap_or_default() {
                    if let Some(invocation) = self.out.invocations.get_mut(index) {
                        invocation.pipes_into = invocation.pipes_into.or(stage.first().copied());
                    }
                }
                before = Some(stage);
            }
            return output;
        };
        self.command(only, scope, place)
    }

    /// The invocations since an index that write to the stage's own output: not those of
    /// substitutions.
    pub(super) fn stage(&self, start: usize, depth: usize) -> Vec<usize> {
        let inside = |invocation: &Invocation| {
            let steps = invocation.via.get(depth..).unwrap_or_default();
            steps
                .iter()
                .any(|step| matches!(step, Via::CommandSubstitution | Via::ProcessSubstitution))
        };
        let recent = self.out.invocations.iter().enumerate().skip(start);
        recent
            .filter(|(_, invocation)| !inside(invocation))
            .map(|(index, _)| index)
            .collect()
    }

    pub(super) fn command(
        &mut self,
        command: &ast::Command,
        scope: &mut Scope,
        place: &Place,
    ) -> Output {
        match command {
            ast::Command::Simple(simple) => self.simple(simple, scope, place),
            ast::Command::Compound(compound, redirects) => self.compound_with(
                compound,
                redirects.as_ref(),
                scope,
                &place.by(Via::Compound),
            ),
            ast::Command::Function(definition) => {
                scope.define(&definition.fname.value, Rc::new(definition.body.clone()));
                Some(Word::default())
            }
            ast::Command::ExtendedTest(test, redirects) => {
                let span = place.span(Some(&test.loc)).unwrap_or_default();
                let site = Site { span, place };
                if let ast::ExtendedTestExpr::UnaryTest(_, condition) = &test.expr {
                    self.expand_value(&condition.value, site, scope);
                }
                if let Some(redirects) = redirects {
                    let redirected = self.redirects(&redirects.0, None, site, scope);
                    self.out.bare_redirects.extend(redirected.redirects);
                }
                Some(Word::default())
            }
        }
    }

    /// Runs the script of `$(…)`; what it is known to print, without the newlines at its end.
    pub(super) fn substitute(&mut self, script: &str, site: Site<'_>, scope: &Scope) -> Output {
        let place = Place {
            redirects: Vec::new(),
            carrier: Some(site.span),
            ..site.place.by(Via::CommandSubstitution)
        };
        let mut output = self.script(script, &mut scope.clone(), &place, site.span)?;
        while let Some(Piece::Text { value, .. }) = output.pieces.last_mut() {
            let length = value.trim_end_matches('\n').len();
            value.truncate(length);
            if length > 0 {
                break;
            }
            output.pieces.pop();
        }
        Some(output)
    }

    /// What is left of an output behind redirections; files that it goes to are remembered.
    pub(super) fn written(&mut self, output: Output, redirects: &[Redirect]) -> Output {
        let of_stdout = |redirect: &&Redirect| {
            matches!(redirect.fd, None | Some(1))
                && matches!(
                    redirect.kind,
                    RedirectKind::Write | RedirectKind::Append | RedirectKind::Duplicate
                )
        };
        let Some(last) = redirects.iter().rev().find(of_stdout) else {
            return output;
        };
        if last.kind == RedirectKind::Duplicate {
            let to_itself = last.fd.is_none() || last.target.literal().as_deref() == Some("1");
            return if to_itself {
                output
            } else {
                Some(Word::default())
            };
        }
        if let Some(path) = last.target.literal() {
            self.files
                .write(&path, output, last.kind == RedirectKind::Append);
        }
        Some(Word::default())
    }

    pub(super) fn mark(&self) -> [usize; 7] {
        let out = &self.out;
        [
            out.invocations.len(),
            out.bare_redirects.len(),
            out.programs.len(),
            out.opaque.len(),
            out.fork_bombs.len(),
            out.piped_texts.len(),
            out.processes.len(),
        ]
    }

    pub(super) fn rewind(&mut self, mark: [usize; 7]) {
        let out = &mut self.out;
        let [
            invocations,
            bare_redirects,
            programs,
            opaque,
            fork_bombs,
            piped_texts,
            processes,
        ] = mark;
        out.invocations.truncate(invocations);
        out.bare_redirects.truncate(bare_redirects);
        out.programs.truncate(programs);
        out.opaque.truncate(opaque);
        out.fork_bombs.truncate(fork_bombs);
        out.piped_texts.truncate(piped_texts);
        out.processes.truncate(processes);
    }
}

/// The longest run of whole lines that parses: bash has run them by the time it meets the error.
fn lines_before_error(text: &str, error: Unparsable) -> Option<ast::Program> {
    /// Tries for a short text, and how many bytes all tries together may read.
    const MAX_TRIES: usize = 32;
    const MAX_TRIED_BYTES: usize = 64 * 1024;
    if matches!(error, Unparsable::TooLong | Unparsable::TooDeep) {
        return None;
    }
    let tries = MAX_TRIES.min(MAX_TRIED_BYTES / text.len().max(1));
    let ends = text
        .rmatch_indices('\n')
        .map(|(index, _)| index)
        .take(tries);
    ends.filter_map(|end| text.get(..end))
        .find_map(|lines| parse(lines).ok())
}
