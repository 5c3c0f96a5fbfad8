//! Calls that run commands or delete files, in whatever language they are written.

use super::awk::prints_into_shell;
use super::names;
use super::scan::{Syntax, Token, last_part, scan};
use super::shapes;
use crate::model::Span;
use crate::rules::report::{Call, Report};
use crate::syntax::{InlineProgram, Piece, Word};

/// What a call does with its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Runs its first text as a shell command, or its texts as one command's words.
    Runs,
    /// Deletes the tree named by its argument.
    RemovesTree,
    /// Deletes the tree if its options say so, the file otherwise.
    RemovesIfTold,
    /// Deletes the file named by its argument.
    Removes,
}

/// Names of calls by their last part (after `.`, `::` or `->`), with what must stand before it,
/// if anything must.
#[rustfmt::skip]
const CALLS: &[(&str, &str, Effect)] = &[
    // Python
    ("system", "", Effect::Runs),
    ("popen", "", Effect::Runs),
    ("run", "subprocess", Effect::Runs),
    ("call", "subprocess", Effect::Runs),
    ("check_call", "", Effect::Runs),
    ("check_output", "", Effect::Runs),
    ("Popen", "", Effect::Runs),
    ("getoutput", "", Effect::Runs),
    ("getstatusoutput", "", Effect::Runs),
    ("create_subprocess_shell", "", Effect::Runs),
    ("create_subprocess_exec", "", Effect::Runs),
    ("execv", "os", Effect::Runs),
    ("execvp", "os", Effect::Runs),
    ("execl", "os", Effect::Runs),
    ("execlp", "os", Effect::Runs),
    ("spawn", "", Effect::Runs),
    ("rmtree", "", Effect::RemovesTree),
    ("remove", "os", Effect::Removes),
    ("unlink", "", Effect::RemovesIfTold),
    // JavaScript
    ("exec", "", Effect::Runs),
    ("execSync", "", Effect::Runs),
    ("execFile", "", Effect::Runs),
    ("execFileSync", "", Effect::Runs),
    ("spawnSync", "", Effect::Runs),
    ("rmSync", "", Effect::RemovesIfTold),
    ("rmdirSync", "", Effect::RemovesIfTold),
    ("rm", "", Effect::RemovesIfTold),
    ("rmdir", "fs", Effect::RemovesIfTold),
    ("rmdir", "promises", Effect::RemovesIfTold),
    ("unlinkSync", "", Effect::Removes),
    ("emptyDirSync", "", Effect::RemovesTree),
    ("emptyDir", "", Effect::RemovesTree),
    ("rimraf", "", Effect::RemovesTree),
    ("rimrafSync", "", Effect::RemovesTree),
    ("removeSync", "", Effect::RemovesIfTold),
    ("remove", "Deno", Effect::RemovesIfTold),
    ("remove", "fs", Effect::RemovesTree),
    // Ruby
    ("rm_rf", "", Effect::RemovesTree),
    ("rm_r", "", Effect::RemovesTree),
    ("rmtree", "", Effect::RemovesTree),
    ("remove_dir", "", Effect::RemovesTree),
    ("remove_entry", "", Effect::RemovesTree),
    ("remove_entry_secure", "", Effect::RemovesTree),
    ("rm_f", "", Effect::Removes),
    ("delete", "File", Effect::Removes),
    ("capture2", "", Effect::Runs),
    ("capture2e", "", Effect::Runs),
    ("capture3", "", Effect::Runs),
    ("popen3", "", Effect::Runs),
    ("rm_rf!", "", Effect::RemovesTree),
    // Perl
    ("remove_tree", "", Effect::RemovesTree),
    // PHP
    ("shell_exec", "", Effect::Runs),
    ("passthru", "", Effect::Runs),
    ("proc_open", "", Effect::Runs),
    // Lua, R, Java, Julia, Elixir, AppleScript, Tcl
    ("execute", "os", Effect::Runs),
    ("file.remove", "", Effect::Removes),
    ("ProcessBuilder", "", Effect::Runs),
    ("cmd", "System", Effect::Runs),
    ("cmd", "os", Effect::Runs),
    ("deleteDir", "", Effect::RemovesTree),
    ("$", "", Effect::Runs),
    ("script", "", Effect::Runs),
];

/// How far the arguments of one call are read.
const MAX_ARGUMENT_TOKENS: usize = 256;

/// Judges an inline program.
pub(in crate::rules) fn program(inline: &InlineProgram, call: &Call<'_>, report: &mut Report) {
    let source = inline.source.shown();
    let mut tokens = scan(&source, Syntax::of(&inline.interpreter));
    let scanned = Program {
        interpreter: &inline.interpreter,
        span: call.span(),
    };
    names::resolve(&mut tokens);
    let before = report.findings.len();
    for at in 0..tokens.len() {
        scanned.look(&tokens, at, report);
    }
    shapes::shapes(&inline.interpreter, &tokens, &source, call.span(), report);
    if report.findings.len() == before && prints_into_shell(call) {
        for token in &tokens {
            if let Token::Text(text) = token {
                report.printed_text(text, call.span());
            }
        }
    }
}

struct Program<'a> {
    interpreter: &'a str,
    span: Span,
}

impl Program<'_> {
    fn look(&self, tokens: &[Token], at: usize, report: &mut Report) {
        match &tokens[at] {
            Token::Command(shell) => report.shell_text(shell, self.span),
            Token::Name(name) => {
                let effect = effect(name).filter(|_| !self.is_pattern_match(tokens, at, name));
                if let Some(effect) = effect {
                    self.apply(last_part(name), effect, &tokens[at + 1..], report);
                }
            }
            // `"rm -rf x".execute()` of Groovy.
            Token::Text(shell) if self.interpreter == "groovy" => {
                if matches!(tokens.get(at + 2), Some(Token::Name(name)) if name == "execute") {
                    report.shell_text(shell, self.span);
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

    fn apply(&self, called: &str, effect: Effect, rest: &[Token], report: &mut Report) {
        let parenthesised = rest.first() == Some(&Token::Mark('('));
        // Some languages call without parentheses, but then the argument follows at once.
        let bare = matches!(rest.first(), Some(Token::Text(_) | Token::Command(_)));
        if !parenthesised && !bare {
            return;
        }
        if parenthesised && rest.get(1) == Some(&Token::Mark(')')) {
            // The object itself is what goes.
            if called == "deleteDir" {
                self.remove_unknown(report);
            }
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
        if effect == Effect::Runs {
            self.run(called, arguments, &texts, report);
            return;
        }
        let told = arguments
            .iter()
            .any(|token| matches!(token, Token::Name(name) if name.contains("recursive")))
            || texts.contains(&"recursive");
        let recursive = effect == Effect::RemovesTree || effect == Effect::RemovesIfTold && told;
        // A name or a call as the argument: known only at run time.
        let literal = matches!(
            arguments
                .iter()
                .find(|token| !matches!(token, Token::Mark('[' | '{'))),
            Some(Token::Text(_))
        );
        if literal {
            let path = Word::text(texts.first().copied().unwrap_or_default(), self.span);
            let args = if recursive {
                vec![Word::text("-r", self.span), path]
            } else {
                vec![path]
            };
            report.command("rm", args, self.span);
        } else if recursive && !arguments.is_empty() {
            self.remove_unknown(report);
        }
    }

    /// A tree whose path shows only when the program runs.
    fn remove_unknown(&self, report: &mut Report) {
        let path = Word {
            pieces: vec![Piece::Substitution],
            span: self.span,
        };
        report.command("rm", vec![Word::text("-r", self.span), path], self.span);
    }

    /// A program in a string of the program.
    fn nested(&self, source: &str, report: &mut Report) {
        let mut tokens = scan(source, Syntax::of(self.interpreter));
        names::resolve(&mut tokens);
        // One level is what people write; deeper ones hide more than they say.
        tokens.retain(|token| !matches!(token, Token::Name(name) if last_part(name) == "exec"));
        for at in 0..tokens.len() {
            self.look(&tokens, at, report);
        }
    }

    /// A command given as one text, or as its words.
    fn run(&self, called: &str, arguments: &[Token], texts: &[&str], report: &mut Report) {
        let in_list = matches!(arguments.first(), Some(Token::Mark('[' | '{')));
        let several = texts.len() > 1 && matches!(arguments.get(1), Some(Token::Mark(',')));
        match texts {
            [] => {}
            [program, words @ ..] if in_list || several => {
                let words = words
                    .iter()
                    .map(|word| Word::text(word, self.span))
                    .collect();
                let program = program.rsplit('/').next().unwrap_or(program);
                if matches!(program, "sh" | "bash") {
                    texts
                        .iter()
                        .skip(2)
                        .for_each(|shell| report.shell_text(shell, self.span));
                } else {
                    report.command(program, words, self.span);
                }
            }
            // `exec` and `eval` of Python take Python.
            [code, ..] if self.interpreter == "python" && called == "exec" => {
                self.nested(code, report);
            }
            [shell, ..] => report.shell_text(shell, self.span),
        }
    }
}

/// The effect of a called name.
fn effect(name: &str) -> Option<Effect> {
    let last = last_part(name);
    let before = name.strip_suffix(last).unwrap_or_default();
    CALLS
        .iter()
        .find(|(call, owner, _)| {
            (*call == last || *call == name) && (owner.is_empty() || before.contains(owner))
        })
        .map(|(_, _, effect)| *effect)
}

/// The tokens up to the closing parenthesis, or to the end of the statement.
fn arguments(rest: &[Token], parenthesised: bool) -> &[Token] {
    let rest = &rest[..rest.len().min(MAX_ARGUMENT_TOKENS)];
    let mut depth = i32::from(parenthesised);
    for (at, token) in rest.iter().enumerate() {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth -= 1,
            Token::Mark(';' | '}') | Token::Line if !parenthesised => return &rest[..at],
            _ => {}
        }
        if parenthesised && depth == 0 {
            return &rest[..at];
        }
    }
    rest
}
