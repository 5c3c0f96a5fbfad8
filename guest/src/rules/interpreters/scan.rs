//! A scanner that fits many languages: names, strings, comments, marks. No grammar.

/// A part of a program text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name with its dots, arrows and colons: `os.path`, `FileUtils.rm_rf`, `File::Path`.
    Name(String),
    /// The contents of a string.
    Text(String),
    /// A string that the language runs as a command: backticks, `qx{…}`, `%x(…)`.
    Command(String),
    /// A line break, which ends a statement in most languages.
    Line,
    /// Any other character.
    Mark(char),
}

/// What differs between languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    /// Whether backticks run a command.
    pub backtick_runs: bool,
    /// Whether `qx` and `%x` run a command.
    pub quote_operators: bool,
    /// What begins a comment to the end of the line: `#`, `/` for `//`, `-` for `--`.
    pub comment: char,
}

impl Syntax {
    /// The syntax of an interpreter's language.
    pub fn of(interpreter: &str) -> Self {
        let runs = matches!(interpreter, "perl" | "ruby" | "php" | "julia");
        Self {
            backtick_runs: runs,
            quote_operators: matches!(interpreter, "perl" | "ruby"),
            comment: match interpreter {
                "node" | "nodejs" | "deno" | "bun" | "php" | "jshell" | "groovy" | "go" => '/',
                "lua" | "osascript" | "ghc" | "runghc" => '-',
                _ => '#',
            },
        }
    }
}

/// Takes a program text apart.
pub(super) fn scan(source: &str, syntax: Syntax) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                out.push(Token::Line);
                1
            }
            _ if first.is_whitespace() => first.len_utf8(),
            '#' if syntax.comment == '#' => line(rest),
            '/' if syntax.comment == '/' && rest.starts_with("//") => line(rest),
            '-' if syntax.comment == '-' && rest.starts_with("--") => line(rest),
            '/' if syntax.comment == '/' && rest.starts_with("/*") => {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            }
            '"' | '\'' | '`' => {
                let (text, length) = string(rest, first);
                let runs = first == '`' && syntax.backtick_runs;
                out.push(if runs {
                    Token::Command(text)
                } else {
                    Token::Text(text)
                });
                length
            }
            '%' if syntax.quote_operators && rest.starts_with("%x") => delimited(rest, 2, &mut out),
            _ if first.is_alphabetic() || first == '_' || first == '$' || first == '@' => {
                let length = name(rest);
                let text = &rest[..length];
                if text == "qx" && syntax.quote_operators {
                    delimited(rest, 2, &mut out)
                } else {
                    out.push(Token::Name(text.to_owned()));
                    length
                }
            }
            _ => {
                out.push(Token::Mark(first));
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// A name with the separators inside it.
fn name(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        let part = c.is_alphanumeric()
            || matches!(c, '_' | '$' | '@' | '!' if c != '!' || next == Some('('));
        let joint = matches!(c, '.' | ':')
            && next.is_some_and(|next| next.is_alphabetic() || matches!(next, ':' | '_' | '$'));
        if !part && !joint {
            break;
        }
        end = at + c.len_utf8();
    }
    end.max(text.chars().next().map_or(0, char::len_utf8))
}

/// A quoted string, tripled quotes included, and the length of its spelling.
fn string(text: &str, quote: char) -> (String, usize) {
    let triple = [quote; 3].iter().collect::<String>();
    if let Some(body) = text.strip_prefix(&triple) {
        let end = body.find(&triple).unwrap_or(body.len());
        return (body[..end].to_owned(), (end + 6).min(text.len()));
    }
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return (out, at + 1);
        }
        if c == '\\' {
            match chars.next() {
                Some((_, 'n')) => out.push('\n'),
                Some((_, 't')) => out.push('\t'),
                Some((_, escaped)) => out.push(escaped),
                None => {}
            }
        } else {
            out.push(c);
        }
    }
    (out, text.len())
}

/// `qx{…}`, `%x(…)`: pushes the command and tells the length.
fn delimited(text: &str, prefix: usize, out: &mut Vec<Token>) -> usize {
    let Some(open) = text[prefix..].chars().next() else {
        return prefix;
    };
    let close = match open {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        '<' => '>',
        '/' | '!' | '|' | '"' | '\'' => open,
        _ => return prefix,
    };
    let body = &text[prefix + open.len_utf8()..];
    let end = body.find(close).unwrap_or(body.len());
    out.push(Token::Command(body[..end].to_owned()));
    (prefix + open.len_utf8() + end + 1).min(text.len())
}

/// The part of a name after its last separator.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_inside_strings_are_text() {
        let tokens = scan(
            r#"print("os.system(\"rm -rf src\")")"#,
            Syntax::of("python"),
        );
        assert_eq!(
            tokens[2],
            Token::Text("os.system(\"rm -rf src\")".to_owned())
        );
    }

    #[test]
    fn comments_and_backticks_follow_the_language() {
        assert_eq!(
            scan("# rm\n`ls`", Syntax::of("perl")),
            [Token::Line, Token::Command("ls".to_owned())]
        );
        assert_eq!(
            scan("`ls`", Syntax::of("node")),
            [Token::Text("ls".to_owned())]
        );
        assert_eq!(
            scan("%x(ls)", Syntax::of("ruby")),
            [Token::Command("ls".to_owned())]
        );
    }

    #[test]
    fn names_keep_their_paths() {
        assert_eq!(
            scan("File::Path.x", Syntax::of("ruby")),
            [Token::Name("File::Path.x".to_owned())]
        );
    }
}
