//! Calls that run commands, delete files or empty databases, in whatever language they are
//! written.

use super::arguments::arguments;
use super::awk::prints_into_shell;
use super::scan::{Syntax, Token, last_part, scan};
use super::table::{Effect, LOSSES, effect};
use super::{literals, losses, names, shapes};
use crate::rules::database;
use crate::rules::filesystem::{Writer, check_written};
use crate::rules::place::Target;
use crate::rules::report::{Call, Report};
use crate::syntax::wrappers::is_shell;
use crate::syntax::{InlineProgram, Piece, Word, script_text};

/// How deep programs in strings of programs are followed.
const MAX_DEPTH: u8 = 3;

/// Judges an inline program.
pub(in crate::rules) fn program(inline: &InlineProgram, call: &Call<'_>, report: &mut Report) {
    let source = inline.source.shown();
    if inline.interpreter == "sql" {
        database::script(&source, call, report);
        return;
    }
    let program = Program {
        interpreter: &inline.interpreter,
        call,
        depth: 0,
    };
    let before = report.findings.len();
    let tokens = program.judge(&source, report);
    shapes::shapes(&inline.interpreter, &tokens, &source, call.span(), report);
    if report.findings.len() == before && prints_into_shell(call) {
        for token in &tokens {
            if let Token::Text(text) = token {
                report.printed_text(text, call.span());
            }
        }
    }
}

/// The program that is judged.
pub(super) struct Program<'a> {
    pub interpreter: &'a str,
    pub call: &'a Call<'a>,
    depth: u8,
}

impl Program<'_> {
    /// Judges every call of a text; gives its tokens back.
    fn judge(&self, source: &str, report: &mut Report) -> Vec<Token> {
        let mut tokens = scan(source, Syntax::of(self.interpreter));
        literals::fold(&mut tokens);
        names::resolve(&mut tokens);
        literals::fold(&mut tokens);
        for at in 0..tokens.len() {
            self.look(&tokens, at, report);
        }
        tokens
    }

    fn look(&self, tokens: &[Token], at: usize, report: &mut Report) {
        let span = self.call.span();
        match &tokens[at] {
            Token::Command(shell) => report.shell_text(shell, span),
            Token::Name(name) => {
                let effect = match (self.interpreter, name.as_str()) {
                    ("vim", "delete") => Some(Effect::RemovesIfTold),
                    _ => effect(name).filter(|_| !self.is_pattern_match(tokens, at, name)),
                };
                if let Some(effect) = effect {
                    self.apply(effect, tokens, at, report);
                }
                if LOSSES.iter().any(|(loss, ..)| name.ends_with(loss)) {
                    losses::named(tokens, at, span, report);
                }
                losses::shaped(tokens, at, span, report);
            }
            // `"rm -rf x".execute()` of Groovy, `"rm -rf x".!` of Scala.
            Token::Text(shell) if matches!(self.interpreter, "groovy" | "scala") => {
                let runs = match tokens.get(at + 2) {
                    Some(Token::Name(name)) => name == "execute",
                    Some(Token::Mark(mark)) => *mark == '!',
                    _ => false,
                };
                if runs && tokens.get(at + 1) == Some(&Token::Mark('.')) {
                    report.shell_text(shell, span);
                }
            }
            Token::Text(_) | Token::Line | Token::Mark(_) => {}
        }
    }

    /// Whether `exec` is that of a JavaScript regular expression.
    fn is_pattern_match(&self, tokens: &[Token], at: usize, name: &str) -> bool {
        let script = matches!(self.interpreter, "node" | "nodejs" | "deno" | "bun");
        if !script || last_part(name) != "exec" {
            return false;
        }
        let owner = name.strip_suffix("exec").unwrap_or_default();
        let after_call =
            at >= 2 && tokens[at - 1] == Token::Mark('.') && tokens[at - 2] == Token::Mark(')');
        let alone = owner.is_empty() && (at == 0 || tokens[at - 1] != Token::Mark('.'));
        !(alone || after_call || matches!(owner, "child_process." | "childProcess." | "cp."))
    }

    fn apply(&self, effect: Effect, tokens: &[Token], at: usize, report: &mut Report) {
        let rest = &tokens[at + 1..];
        let parenthesised = rest.first() == Some(&Token::Mark('('));
        // Some languages call without parentheses, but then the argument follows at once.
        let bare = match rest.first() {
            Some(Token::Text(_) | Token::Command(_)) => true,
            // `system *%w[rm x]`, `unlink -r`: no argument that is known.
            Some(Token::Mark('*')) => matches!(rest.get(1), Some(Token::Text(_))),
            // `rm_r Dir.glob("*")` of Ruby.
            Some(Token::Name(_)) => effect == Effect::RemovesTree && self.interpreter == "ruby",
            _ => false,
        };
        let empty = parenthesised && rest.get(1) == Some(&Token::Mark(')'));
        // `eval get($url)`, `.then(eval)`
        if effect == Effect::Evaluates
            && !parenthesised
            && !bare
            && rest.first() != Some(&Token::Mark('{'))
            && losses::brings_anything(tokens)
        {
            losses::remote(self.call.span(), report);
            return;
        }
        if empty || !parenthesised && !bare {
            self.on_itself(effect, tokens, at, empty, report);
            return;
        }
        let arguments = arguments(&rest[usize::from(parenthesised)..], parenthesised);
        let texts: Vec<&str> = arguments
            .iter()
            .filter_map(|token| match token {
                Token::Text(text) | Token::Command(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let span = self.call.span();
        if losses::runs_fetched(effect, tokens, arguments, &texts) {
            losses::remote(span, report);
            return;
        }
        let name = match &tokens[at] {
            Token::Name(name) => name.as_str(),
            _ => "",
        };
        match effect {
            Effect::Runs => self.run(last_part(name), arguments, &texts, report),
            Effect::Evaluates => self.nested(&texts, report),
            Effect::Loads if self.interpreter == "lua" => self.nested(&texts, report),
            Effect::Loads => {}
            Effect::Opens => self.open(&texts, report),
            Effect::Writes => self.write(texts.first(), report),
            Effect::Moves => {
                let words = texts.iter().map(|word| Word::text(word, span));
                report.command("mv", words.collect(), span);
            }
            Effect::Cuts => {
                let sized = arguments
                    .iter()
                    .any(|token| matches!(token, Token::Mark('1'..='9')));
                if let Some(file) = texts.first().filter(|_| !sized) {
                    let words = ["-s", "0", file].map(|word| Word::text(word, span));
                    report.command("truncate", words.to_vec(), span);
                }
            }
            Effect::Queries => self.query(&texts, report),
            Effect::RemovesTree | Effect::RemovesIfTold | Effect::Removes => {
                self.remove(effect, arguments, &texts, report);
            }
        }
    }

    /// `Pathname("x").rmtree`: what goes is the object itself.
    fn on_itself(
        &self,
        effect: Effect,
        tokens: &[Token],
        at: usize,
        called: bool,
        report: &mut Report,
    ) {
        if effect != Effect::RemovesTree || at < 2 || tokens[at - 1] != Token::Mark('.') && !called
        {
            return;
        }
        match tokens.get(at - 2) {
            Some(Token::Text(path)) if tokens[at - 1] == Token::Mark('.') => {
                let path = Word::text(path, self.call.span());
                self.remove_word(path, true, report);
            }
            _ if called => self.remove_word(self.unknown(), true, report),
            _ => {}
        }
    }

    fn remove(&self, effect: Effect, arguments: &[Token], texts: &[&str], report: &mut Report) {
        // `rm("-rf", "x")` of shelljs is the command itself.
        if texts.first().is_some_and(|text| text.starts_with('-')) {
            let span = self.call.span();
            let words = texts.iter().map(|word| Word::text(word, span));
            report.command("rm", words.collect(), span);
            return;
        }
        let lisp = Syntax::of(self.interpreter).lisp;
        let told = arguments.iter().any(|token| {
            matches!(token, Token::Name(name) if name.contains("recursive") || lisp && name == "t")
        }) || texts.contains(&"recursive")
            || self.interpreter == "vim" && texts.get(1).is_some_and(|flags| flags.contains('r'));
        let recursive = effect == Effect::RemovesTree || effect == Effect::RemovesIfTold && told;
        let first = arguments
            .iter()
            .position(|token| !matches!(token, Token::Mark('[' | '{' | '*')));
        let Some(first) = first else { return };
        match &arguments[first] {
            // A name or a call as the argument: known only at run time.
            Token::Name(_) | Token::Mark(_) | Token::Line if recursive => {
                self.remove_word(self.unknown(), true, report);
            }
            Token::Text(_) | Token::Command(_) => {
                // In Lisp only blanks stand between arguments.
                let end = if lisp { first + 1 } else { arguments.len() };
                let path = self.spelled(&arguments[first..end]);
                self.remove_word(path, recursive, report);
            }
            _ => {}
        }
    }

    fn remove_word(&self, path: Word, recursive: bool, report: &mut Report) {
        let span = self.call.span();
        let mut args = vec![path];
        if recursive {
            args.insert(0, Word::text("-r", span));
        }
        report.command("rm", args, span);
    }

    /// A path that shows only when the program runs.
    fn unknown(&self) -> Word {
        Word {
            pieces: vec![Piece::Substitution],
            span: self.call.span(),
        }
    }

    /// A program in a string of the program.
    fn nested(&self, texts: &[&str], report: &mut Report) {
        let [source, ..] = texts else { return };
        if self.depth < MAX_DEPTH {
            let inner = Program {
                depth: self.depth + 1,
                ..*self
            };
            inner.judge(source, report);
        }
    }

    /// A command given as one text, or as its words.
    fn run(&self, called: &str, arguments: &[Token], texts: &[&str], report: &mut Report) {
        let span = self.call.span();
        let Some(&text) = texts.first() else { return };
        let at = arguments
            .iter()
            .position(|token| matches!(token, Token::Text(_)));
        let behind = at.and_then(|at| arguments.get(at + 1));
        let in_list = matches!(arguments.first(), Some(Token::Mark('[' | '{')));
        let comma = behind == Some(&Token::Mark(','))
            || self.call.name == "emacs" && matches!(behind, Some(Token::Text(_) | Token::Name(_)));
        // Only one word can be the program of a command given as words.
        let words = texts.len() > 1 && (in_list || comma) && !text.contains(' ');
        if words {
            let program = text.rsplit('/').next().unwrap_or(text);
            if is_shell(program) {
                texts
                    .iter()
                    .skip(2)
                    .for_each(|shell| report.shell_text(shell, span));
                return;
            }
            let words = self.words(&arguments[at.unwrap_or_default()..]);
            report.command(program, words, span);
            return;
        }
        if called == "exec" && matches!(self.interpreter, "python" | "pypy" | "ipython") {
            self.nested(texts, report);
            return;
        }
        let line = match at {
            Some(at) => self.spelled(&arguments[at..]),
            None => Word::text(text, span),
        };
        match script_text(&line) {
            Some(shell) => report.shell_text(&shell, span),
            None => report.shell_text(text, span),
        }
        self.query(texts, report);
    }

    /// `open("file", "w")`, Perl's `open(F, "|command")` and `open(F, ">", "file")`.
    fn open(&self, texts: &[&str], report: &mut Report) {
        let span = self.call.span();
        if self.interpreter == "perl" {
            match texts {
                [pipe, program, words @ ..] if matches!(*pipe, "-|" | "|-") => {
                    let words = words.iter().map(|word| Word::text(word, span)).collect();
                    if program.contains(' ') {
                        report.shell_text(program, span);
                    } else {
                        report.command(program, words, span);
                    }
                }
                [mode, file, ..] if mode.trim() == ">" => self.write(Some(file), report),
                [text, ..] => {
                    let text = text.trim();
                    if let Some(shell) = text.strip_prefix('|').or(text.strip_suffix('|')) {
                        report.shell_text(shell, span);
                    } else if let Some(file) = text.strip_prefix('>') {
                        self.write(Some(&file.trim()), report);
                    }
                }
                [] => {}
            }
            return;
        }
        if texts.get(1).is_some_and(|mode| mode.starts_with('w')) {
            self.write(texts.first(), report);
        }
        // Ruby's `open("|command")`.
        if let Some(shell) = texts.first().and_then(|text| text.strip_prefix('|')) {
            report.shell_text(shell, span);
        }
    }

    fn write(&self, file: Option<&&str>, report: &mut Report) {
        if let Some(file) = file.filter(|file| !file.is_empty()) {
            let target = Target::of_text(file, self.call.cwd());
            let writer = Writer::new(self.call, "what the program writes");
            check_written(writer, &target, file, report);
        }
    }

    fn query(&self, texts: &[&str], report: &mut Report) {
        if let Some(text) = texts.first() {
            database::statements(text, self.call, report);
        }
    }
}
