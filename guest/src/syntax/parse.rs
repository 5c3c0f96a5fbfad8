//! Bash text → syntax tree, within limits.

use std::fmt;

use brush_parser::{ParserOptions, ast};

use super::tokens;

/// Longest text that is analysed as a whole, in bytes; a longer one is said to be not analysed. The costliest shapes take
/// half of the instructions that a host gives a policy for one answer.
pub const MAX_BYTES: usize = 128 * 1024;
/// Most tokens of a text. The grammar's time goes by tokens: this many take half of the time that
/// a host gives a policy for one answer, and saying so beats no answer at all.
pub(super) const MAX_TOKENS: usize = 8 * 1024;

/// Why a text has no syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unparsable {
    /// It is longer than [`MAX_BYTES`], or has more tokens than are parsed.
    TooLong,
    /// It nests deeper than is followed.
    TooDeep,
    /// A quotation or substitution has no end.
    Unterminated,
    /// Bash would report a syntax error, or this parser does not know the form.
    Syntax,
}

impl fmt::Display for Unparsable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "too long to be analysed",
            Self::TooDeep => "nested too deeply to be analysed",
            Self::Unterminated => "a quotation or substitution is not closed",
            Self::Syntax => "not understood as shell syntax",
        })
    }
}

impl std::error::Error for Unparsable {}

/// Parses a bash text. Positions in the tree (`SourcePosition::index`) are byte offsets into it.
///
/// # Errors
/// Where the text is too long or too deep, or is no bash.
pub fn parse(text: &str) -> Result<ast::Program, Unparsable> {
    parse_within(text, MAX_TOKENS).map(|(program, _)| program)
}

/// The same with at most so many tokens; also how many there were.
pub(super) fn parse_within(
    text: &str,
    max_tokens: usize,
) -> Result<(ast::Program, usize), Unparsable> {
    if text.len() > MAX_BYTES {
        return Err(Unparsable::TooLong);
    }
    // Without `shopt -s extglob` a parenthesis ends a word; with it `!(keep)` is a pattern.
    let extended = text.contains("extglob");
    match attempt(text, extended, max_tokens) {
        Err(Unparsable::Syntax) if !extended && may_be_extended_glob(text) => {
            attempt(text, true, max_tokens)
        }
        other => other,
    }
}

fn attempt(
    text: &str,
    extended_globs: bool,
    max_tokens: usize,
) -> Result<(ast::Program, usize), Unparsable> {
    let tokens = tokens::tokenize(text, extended_globs, max_tokens)?;
    brush_parser::parse_tokens(&tokens, &ParserOptions::default())
        .map(|program| (program, tokens.len()))
        .map_err(|_| Unparsable::Syntax)
}

fn may_be_extended_glob(text: &str) -> bool {
    text.as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [b'?' | b'*' | b'+' | b'@' | b'!', b'(']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match parse(text) {
            Ok(program) => program
                .to_string()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn quotations_end_where_bash_ends_them() {
        // An escaped dollar does not make the apostrophe behind it ANSI-C.
        assert_eq!(shown(r"echo \$'\'; rm x #'"), r"echo \$'\'; rm x");
        assert_eq!(shown("echo a#b # c"), "echo a#b");
        assert_eq!(shown("ec\\\nho a\\\n b"), "echo a b");
    }

    #[test]
    fn a_nested_subshell_is_no_arithmetic() {
        assert!(shown("( (rm x) )").contains("rm x"));
        assert!(shown("((rm x); (rm y))").contains("rm y"));
        assert!(parse("((a<<2))").is_ok());
        assert!(parse("for ((i=0; i<3; i++)); do ls; done").is_ok());
        assert!(parse("for ((;;)); do ls; done").is_ok());
    }

    #[test]
    fn here_documents_are_read_as_bash_reads_them() {
        for text in [
            "cat <<A\nx\nA",
            "cat <<A <<-B; ls\na\nA\n\tb\n\tB\n",
            "cat <<A",
            "cat <<A\nno end",
            "cat <<'A B'\nx\nA B\nls",
            "(cat <<A\n)\nA\n)",
            "cat <<A | sh\nls\nA",
        ] {
            assert!(parse(text).is_ok(), "{text}");
        }
        let Ok(program) = parse("cat <<A; ls\nrm x\nA\npwd") else {
            panic!("does not parse")
        };
        assert_eq!(program.complete_commands.len(), 2);
    }

    #[test]
    fn what_bash_runs_is_parsed() {
        for text in [
            "[[ $x =~ ^(a|b)*$ && -f y ]] && ls",
            "[[ a < b ]]",
            "select x in a b; do ls; done",
            "case x in (a|b) ls;; *) pwd; esac",
            "case x in esac",
            "case x in a) case y in b) ls; esac; esac",
            "exec {fd}>file",
            "echo 99999999999>f",
            "a[$(ls)]=1",
            "a[1]=x b=(1 2 3) cmd",
            "rm !(keep)",
            "shopt -s extglob; rm @(a|b)",
            "! (ls)",
            "f() { ls; }; function g { ls; }; f",
            "time ls | wc",
            "diff <(ls) <(pwd)",
            "ls &>f 2>&1 >&- |& cat",
            "coproc ls",
            "if ls; then ls; elif ls; then ls; else ls; fi",
            "while read x; do ls; done < <(ls)",
            "",
            "# only a comment",
        ] {
            assert!(parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_bash_refuses_is_refused() {
        for text in [
            "if",
            "ls ;; pwd",
            "}",
            "echo \"a",
            "echo $(date",
            "ls |",
            "f() {",
            "fi",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_answer_with_an_error() {
        assert_eq!(
            parse(&"a".repeat(MAX_BYTES + 1)).err(),
            Some(Unparsable::TooLong)
        );
        for opener in [
            "(",
            "{ ",
            "$(",
            "${a:-",
            "if ",
            "case x in a) ",
            "<(",
            "\"$(",
        ] {
            assert!(parse(&opener.repeat(1000)).is_err(), "{opener}");
        }
    }
}
