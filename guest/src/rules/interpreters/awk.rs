//! awk: `system()`, output and input pipes, output files.

use super::scan::{Syntax, Token, scan};
use crate::rules::filesystem::{Writer, check_written};
use crate::rules::options::{Grammar, Options};
use crate::rules::place::Target;
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::wrappers::is_shell;

/// The programs of an `awk` command line.
pub(in crate::rules) fn awk(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "Ffvei",
        long_values: "source assign field-separator file include",
        permutes: false,
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    let mut programs: Vec<String> = options.values('e', "source").map(str::to_owned).collect();
    if programs.is_empty() && !options.has('f', "file") {
        programs.extend(options.operand(0));
    }
    for source in &programs {
        judge(source, call, report);
    }
}

fn judge(source: &str, call: &Call<'_>, report: &mut Report) {
    let tokens = scan(source, Syntax::of("awk"));
    for (at, token) in tokens.iter().enumerate() {
        let next = |offset: usize| tokens.get(at + offset);
        match (token, next(1), next(2)) {
            (Token::Name(name), Some(Token::Mark('(')), Some(Token::Text(_)))
                if name == "system" =>
            {
                report.shell_text(&added_up(&tokens[at + 2..]), call.span());
            }
            // `print "rm " $1 | "sh"`: what is printed is run.
            (Token::Name(name), Some(Token::Text(_)), _)
                if name == "print" && feeds_shell(&tokens[at + 1..]) =>
            {
                report.shell_text(&added_up(&tokens[at + 1..]), call.span());
            }
            // `print | "sh"`: what is read is run.
            (Token::Name(name), Some(Token::Mark('|')), Some(Token::Text(_)))
                if name == "print" && feeds_shell(&tokens[at + 1..]) =>
            {
                if let Some(text) = stdin::text(call) {
                    report.shell_text(&text, call.span());
                }
            }
            // `print "x" | "command"`
            (Token::Mark('|'), Some(Token::Text(shell)), _) => {
                report.shell_text(shell, call.span())
            }
            // `"command" | getline`
            (Token::Text(shell), Some(Token::Mark('|' | ')')), Some(after)) => {
                let reads = |token: &Token| matches!(token, Token::Name(name) if name == "getline");
                let bracketed = *after == Token::Mark('|') && next(3).is_some_and(reads);
                if reads(after) || bracketed {
                    report.shell_text(shell, call.span());
                }
            }
            (Token::Mark('>'), Some(Token::Text(file)), _)
                if tokens.get(at.wrapping_sub(1)) != Some(&Token::Mark('>')) =>
            {
                check_written(
                    Writer::new(call, "lines"),
                    &Target::of_text(file, call.cwd()),
                    file,
                    report,
                );
            }
            _ => {}
        }
    }
    // What awk prints into a shell is run there.
    if prints_into_shell(call) {
        for (at, token) in tokens.iter().enumerate() {
            let behind_print =
                at > 0 && matches!(&tokens[at - 1], Token::Name(name) if name == "print");
            match token {
                Token::Text(_) if behind_print => {
                    report.shell_text(&added_up(&tokens[at..]), call.span());
                }
                Token::Text(text) => report.printed_text(text, call.span()),
                _ => {}
            }
        }
    }
}

/// Texts and values that awk writes one behind the other.
fn added_up(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Text(part) => text.push_str(part),
            Token::Mark(')' | '|' | ';' | '}') | Token::Line => break,
            Token::Mark(',') => text.push(' '),
            _ if text.ends_with("${_}") => {}
            _ => text.push_str("${_}"),
        }
    }
    text
}

/// Whether what is printed goes into a shell.
fn feeds_shell(tokens: &[Token]) -> bool {
    let pipe = tokens
        .iter()
        .take_while(|token| !matches!(token, Token::Mark(';' | '}') | Token::Line))
        .position(|token| *token == Token::Mark('|'));
    let into = pipe.and_then(|pipe| tokens.get(pipe + 1));
    matches!(into, Some(Token::Text(shell))
        if is_shell(shell.split_whitespace().next().unwrap_or_default().rsplit('/').next().unwrap_or_default()))
}

/// Whether the command's output is piped into a shell.
pub(in crate::rules) fn prints_into_shell(call: &Call<'_>) -> bool {
    let mut next = call.invocation().pipes_into;
    let mut steps = 0;
    while let Some(invocation) = next.and_then(|index| call.all.invocations.get(index)) {
        let name = invocation.program.as_deref().unwrap_or_default();
        if matches!(
            name,
            "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "fish"
        ) {
            let reads_input = !invocation
                .args
                .iter()
                .any(|word| word.starts_with("-c") || word.starts_with("-n"));
            return reads_input;
        }
        // Wrappers such as sudo stand before the shell that they start.
        next = match name {
            "sudo" | "doas" | "env" | "nohup" | "time" | "nice" => next.map(|index| index + 1),
            "cat" | "tee" => invocation.pipes_into,
            _ => None,
        };
        steps += 1;
        if steps > 8 {
            return false;
        }
    }
    false
}
