//! awk: `system()`, output and input pipes, output files.

use super::scan::{Syntax, Token, scan};
use crate::rules::filesystem::{Writer, check_written};
use crate::rules::options::{Grammar, Options};
use crate::rules::place::Target;
use crate::rules::report::{Call, Report};

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
            (Token::Name(name), Some(Token::Mark('(')), Some(Token::Text(shell)))
                if name == "system" =>
            {
                report.shell_text(shell, call.span());
            }
            // `print "x" | "command"`
            (Token::Mark('|'), Some(Token::Text(shell)), _) => {
                report.shell_text(shell, call.span())
            }
            // `"command" | getline`
            (Token::Text(shell), Some(Token::Mark('|')), Some(Token::Name(name)))
                if name == "getline" =>
            {
                report.shell_text(shell, call.span());
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
        for token in &tokens {
            if let Token::Text(text) = token {
                report.printed_text(text, call.span());
            }
        }
    }
}

/// Whether the command's output is piped into a shell.
pub(super) fn prints_into_shell(call: &Call<'_>) -> bool {
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
