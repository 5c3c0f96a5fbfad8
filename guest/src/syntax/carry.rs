//! Following what wrappers carry: commands, scripts, programs.

use super::command::Argv;
use super::invocation::{Assignment, Stdin, Via};
use super::scope::Scope;
use super::walk::{Output, Place, Walker};
use super::word::{Guard, Piece, Word};
use super::wrappers::{
    Carried, CarriedCommand, Operands, Reader, Script, interpreter, is_shell, replace,
};
use crate::model::Span;

/// Most lines of known input that `xargs -I` is followed through.
const MAX_LINES: usize = 16;
/// Most lines of recipes of a makefile that are followed.
const MAX_RECIPES: usize = 128;
/// Most words of known input that `xargs` appends.
const MAX_OPERANDS: usize = 64;

impl Walker {
    #[expect(
        clippy::too_many_arguments,
        reason = "a wrapper's call and what it carries"
    )]
    pub(super) fn carry(
        &mut self,
        program: &str,
        carried: Carried,
        via: Via,
        slot: usize,
        argv: &Argv,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        match carried {
            Carried::Command(command) => {
                self.carried_command(program, command, via, argv, scope, place, span)
            }
            Carried::Script(script) => {
                let text = script.text.clone();
                self.carried_script(&script, &text, via, scope, place, span)
            }
            Carried::InputScript(script) => self.input_script(&script, via, scope, place, span),
            Carried::ScriptFile { operand, script } => {
                let process = argv
                    .processes
                    .iter()
                    .find(|process| process.word == operand + 1);
                if let Some(process) = process {
                    match &process.text {
                        Some(text) => {
                            return self.carried_script(&script, text, via, scope, place, span);
                        }
                        None => self.opaque("a shell reads what another command prints", span),
                    }
                    return None;
                }
                let path = argv.words.get(operand + 1)?.literal()?;
                if is_standard_input(&path) {
                    return self.input_script(&script, via, scope, place, span);
                }
                let text = self.files.get(&path)?.clone();
                self.carried_script(&script, &text, via, scope, place, span)
            }
            Carried::Program {
                interpreter,
                source,
            } => {
                self.note_program(interpreter, source, slot);
                None
            }
            Carried::KnownFile { path, script } => {
                let text = self.files.get(&path)?.clone();
                self.carried_script(&script, &text, via, scope, place, span)
            }
            Carried::ProgramFile {
                interpreter,
                path,
                operand,
            } => {
                let process = argv
                    .processes
                    .iter()
                    .find(|process| operand.is_some_and(|at| process.word == at + 1));
                let source = match process {
                    Some(process) => process.text.clone(),
                    None => {
                        let path = path.literal()?;
                        if is_standard_input(&path) {
                            place.input.clone()
                        } else {
                            self.files.get(&path).cloned()
                        }
                    }
                };
                self.note_program(interpreter, source?, slot);
                None
            }
            Carried::InputProgram { interpreter } => {
                match (&place.input, &place.stdin) {
                    (Some(source), _) => {
                        let source = source.clone();
                        self.note_program(interpreter, source, slot);
                    }
                    (None, Stdin::Pipe(_)) => {
                        self.opaque("an interpreter reads what another command prints", span);
                    }
                    _ => {}
                }
                None
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a wrapper's call and what it carries"
    )]
    fn carried_command(
        &mut self,
        program: &str,
        command: CarriedCommand,
        via: Via,
        argv: &Argv,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        let mut inner = place.by(via);
        let mut commands = Vec::new();
        match &command.operands {
            Operands::Complete => commands.push(command.words.clone()),
            Operands::Appended => {
                let mut words = command.words.clone();
                words.extend(input_words(place, span));
                commands.push(words);
            }
            Operands::Replaced(mark) => {
                let fill = |value: &[Piece]| {
                    command
                        .words
                        .iter()
                        .map(|word| replace(word, mark, value))
                        .collect::<Vec<_>>()
                };
                match place.input.as_ref().and_then(Word::literal) {
                    Some(text) if text.lines().count() <= MAX_LINES => {
                        for line in text
                            .lines()
                            .map(str::trim_start)
                            .filter(|line| !line.is_empty())
                        {
                            commands.push(fill(&Word::text(line, span).pieces));
                        }
                    }
                    _ => commands.push(fill(&[Piece::Unknown])),
                }
            }
        }
        if via == Via::Xargs {
            (inner.stdin, inner.input) = (Stdin::Inherited, None);
        }
        let mut own;
        // Only a builtin acts on this very shell; any other program starts a process of its own.
        let target = if matches!(program, "command" | "builtin" | "exec") {
            scope
        } else {
            own = if command.elsewhere {
                Scope::default()
            } else {
                scope.clone()
            };
            for assignment in &command.environment {
                own.set_word(&assignment.name, assignment.value.clone());
                own.export(&assignment.name);
            }
            if let Some(directory) = &command.directory {
                own.change_directory(directory.literal());
            }
            &mut own
        };
        let mut output = None;
        for words in commands {
            let shift = command.tail.map(|tail| tail + 1);
            let processes = argv.processes.iter().filter_map(|process| {
                let word = process.word.checked_sub(shift?)?;
                Some(super::command::Process {
                    word,
                    ..process.clone()
                })
            });
            let inner_argv = Argv {
                words,
                processes: processes.collect(),
                // `time` and `coproc` are words of the shell's own.
                started_elsewhere: !matches!(program, "time" | "coproc"),
            };
            let slot = self.reserve();
            let environment = command.environment.clone();
            output = self.run(slot, inner_argv, environment, target, &inner, span);
        }
        output
    }

    fn carried_script(
        &mut self,
        script: &Script,
        text: &Word,
        via: Via,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        let mut inner = place.by(via);
        let carrier = if text.span == Span::default() {
            span
        } else {
            text.span
        };
        inner.carrier = Some(place.carrier.unwrap_or(carrier));
        let Some(source) = script_text(text) else {
            if !text.pieces.is_empty() {
                self.opaque("the script is computed while the command runs", span);
            }
            return None;
        };
        match script.reader {
            Reader::Shell => {
                let mut child = scope.child(script.arguments.clone());
                child.name = script.name.clone();
                child.aliases_wanted = script.interactive;
                export_all(&mut child, &script.environment);
                self.script(&source, &mut child, &inner, carrier)
            }
            Reader::SameShell if via == Via::Trap => {
                self.script(&source, &mut scope.clone(), &inner, carrier)
            }
            Reader::SameShell => {
                let outer = scope.arguments.clone();
                if !script.arguments.is_empty() {
                    scope.arguments = Some(script.arguments.clone());
                }
                let output = self.script(&source, scope, &inner, carrier);
                scope.arguments = outer;
                output
            }
            Reader::Elsewhere => {
                let mut child = Scope::default();
                child.arguments = Some(script.arguments.clone());
                self.script(&source, &mut child, &inner, carrier)
            }
            Reader::Make => {
                let recipes = source.lines().filter_map(|line| {
                    line.strip_prefix(['\t', '!']).or_else(|| {
                        // `target: ; command`
                        line.split_once(':')?
                            .1
                            .split_once(';')
                            .map(|(_, recipe)| recipe)
                    })
                });
                let recipes = recipes.map(|line| line.trim_start_matches(['@', '-', '+', ' ']));
                let recipes = recipes
                    .take(MAX_RECIPES + 1)
                    .map(|line| line.replace("$$", "$"))
                    .collect::<Vec<_>>();
                if recipes.len() > MAX_RECIPES {
                    self.opaque("too many recipes to be analysed", span);
                }
                for recipe in recipes {
                    self.script(&recipe, &mut scope.child(Vec::new()), &inner, carrier);
                }
                None
            }
            Reader::Powershell => {
                self.windows(super::windows::Shell::Powershell, &source, &inner, carrier)
            }
            Reader::Cmd => self.windows(super::windows::Shell::Cmd, &source, &inner, carrier),
        }
    }

    fn input_script(
        &mut self,
        script: &Script,
        via: Via,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) -> Output {
        let step = match &place.stdin {
            Stdin::Text(_) => Via::HereDocument,
            _ => Via::PipeToShell,
        };
        match (&place.input, &place.stdin) {
            (Some(text), _) => {
                let outer = if via == Via::ShellScript {
                    place.clone()
                } else {
                    place.by(via)
                };
                // The script has used the input up.
                let inner = Place {
                    stdin: Stdin::Inherited,
                    input: None,
                    ..outer
                };
                self.carried_script(script, text, step, scope, &inner, span)
            }
            (None, Stdin::Pipe(_)) if script.reader == Reader::Make => None,
            (None, Stdin::Pipe(_)) => {
                self.opaque("a shell reads what another command prints", span);
                None
            }
            _ => None,
        }
    }

    /// Follows a text that some program runs as a command.
    pub(super) fn carried_text(
        &mut self,
        text: &Word,
        via: Via,
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) {
        self.carried_script(&Script::default(), text, via, scope, place, span);
    }

    /// A script file that the same text has written before, started by its path.
    pub(super) fn written_script(
        &mut self,
        path: Option<&str>,
        args: &[Word],
        scope: &mut Scope,
        place: &Place,
        span: Span,
    ) {
        let Some(path) = path.filter(|path| path.contains('/')) else {
            return;
        };
        let Some(text) = self.files.get(path).cloned() else {
            return;
        };
        let shown = text.shown();
        let first = shown.lines().next().unwrap_or_default();
        let reader = first.strip_prefix("#!").map(|line| {
            let program = line
                .split_whitespace()
                .find(|word| !word.ends_with("/env"))
                .unwrap_or(line);
            program.rsplit('/').next().unwrap_or(program).to_owned()
        });
        match reader {
            Some(program) if !is_shell(&program) => {
                let invocation = self.out.invocations.len().saturating_sub(1);
                let interpreter = interpreter(&program).to_owned();
                self.note_program(interpreter, text, invocation);
            }
            _ => {
                let script = Script {
                    arguments: args.to_vec(),
                    ..Script::default()
                };
                self.carried_script(&script, &text, Via::ShellScript, scope, place, span);
            }
        }
    }
}

fn is_standard_input(path: &str) -> bool {
    matches!(path, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

fn export_all(scope: &mut Scope, assignments: &[Assignment]) {
    for assignment in assignments {
        scope.set_word(&assignment.name, assignment.value.clone());
        scope.export(&assignment.name);
    }
}

/// The words that `xargs` appends: those of a known input, or one that nobody knows.
fn input_words(place: &Place, span: Span) -> Vec<Word> {
    let known = place.input.as_ref().and_then(Word::literal);
    let words = known.as_ref().map(|text| {
        text.split(|character: char| character.is_whitespace() || character == '\0')
            .filter(|word| !word.is_empty())
            .map(|word| Word::text(word.trim_matches(['"', '\'']), span))
            .collect::<Vec<_>>()
    });
    match words {
        Some(words) if words.len() <= MAX_OPERANDS => words,
        _ => vec![Word {
            pieces: vec![Piece::Unknown],
            span,
        }],
    }
}

/// The text of a script, unknown parts spelled so that the inner parse finds them again; `None`
/// where nothing is known.
pub(crate) fn script_text(word: &Word) -> Option<String> {
    let known = |piece: &Piece| {
        matches!(piece, Piece::Text { .. })
            || matches!(
                piece,
                Piece::Variable {
                    guard: Guard::Default(_),
                    ..
                }
            )
    };
    if !word.pieces.iter().any(known) {
        return None;
    }
    let mut out = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text { value, .. } => out.push_str(value),
            Piece::Glob(pattern) => out.push_str(pattern),
            Piece::Tilde(user) => {
                out.push('~');
                out.push_str(user);
            }
            Piece::Variable { name, guard, .. } => {
                out.push_str("${");
                out.push_str(name);
                match guard {
                    Guard::None => {}
                    Guard::Required => out.push_str(":?"),
                    Guard::Default(value) => {
                        out.push_str(":-");
                        out.push_str(value);
                    }
                }
                out.push('}');
            }
            // `$_` is a parameter that nobody knows the value of.
            Piece::Substitution | Piece::Unknown => out.push_str("${_}"),
        }
    }
    Some(out)
}
