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

/// How values are put into strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interpolation {
    /// `{x}` behind the prefix `f`.
    Formatted,
    /// `#{x}`.
    Hash,
    /// `${x}` between backticks.
    Template,
    /// As the shell does.
    None,
}

/// What stands for a value that only running the program tells.
pub(super) const UNKNOWN: &str = "${_}";

/// What differs between languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    /// Whether backticks run a command.
    pub backtick_runs: bool,
    /// Whether `qx` and `%x` run a command.
    pub quote_operators: bool,
    /// What begins a comment to the end of the line: `#`, `/` for `//`, `-` for `--`, `;`.
    pub comment: char,
    /// Whether names hold dashes and calls stand behind their parenthesis.
    pub lisp: bool,
    /// Where the language puts values into strings.
    interpolation: Interpolation,
}

impl Syntax {
    /// The syntax of an interpreter's language.
    pub fn of(interpreter: &str) -> Self {
        let runs = matches!(interpreter, "perl" | "ruby" | "php" | "julia");
        let lisp = matches!(
            interpreter,
            "emacs" | "guile" | "sbcl" | "clojure" | "racket"
        );
        Self {
            backtick_runs: runs,
            quote_operators: matches!(interpreter, "perl" | "ruby"),
            comment: match interpreter {
                "node" | "nodejs" | "deno" | "bun" | "php" | "jshell" | "groovy" | "go"
                | "scala" | "swift" | "kotlin" | "java" | "rust" | "dotnet" => '/',
                "lua" | "osascript" | "ghc" | "runghc" => '-',
                _ if lisp => ';',
                _ => '#',
            },
            lisp,
            interpolation: match interpreter {
                "python" | "pypy" | "ipython" => Interpolation::Formatted,
                "ruby" | "elixir" | "crystal" => Interpolation::Hash,
                "node" | "nodejs" | "deno" | "bun" => Interpolation::Template,
                _ => Interpolation::None,
            },
        }
    }
}

/// Takes a program text apart.
pub(super) fn scan(source: &str, syntax: Syntax) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = source;
    let mut behind_name = false;
    while let Some(first) = rest.chars().next() {
        let glued = std::mem::take(&mut behind_name);
        let length = match first {
            '\n' => {
                out.push(Token::Line);
                1
            }
            _ if first.is_whitespace() => first.len_utf8(),
            '#' if syntax.comment == '#' => line(rest),
            '/' if syntax.comment == '/' && rest.starts_with("//") => line(rest),
            '-' if syntax.comment == '-' && rest.starts_with("--") => line(rest),
            ';' if syntax.comment == ';' => line(rest),
            '/' if syntax.comment == '/' && rest.starts_with("/*") => {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            }
            // A quote in Lisp.
            '\'' | '`' if syntax.lisp => 1,
            '"' | '\'' | '`' => {
                let value = match syntax.interpolation {
                    Interpolation::Hash if first != '\'' => Some("#{"),
                    Interpolation::Template if first == '`' => Some("${"),
                    _ => None,
                };
                let (text, length) = string(rest, first, value);
                // A prefix such as `f` or `rb` belongs to the string.
                let prefix = match out.last() {
                    Some(Token::Name(name))
                        if glued
                            && syntax.interpolation == Interpolation::Formatted
                            && name.len() <= 2
                            && name.chars().all(|letter| "bBfFrRuU".contains(letter)) =>
                    {
                        name.to_ascii_lowercase()
                    }
                    _ => String::new(),
                };
                if !prefix.is_empty() {
                    out.pop();
                }
                let text = match syntax.interpolation {
                    Interpolation::Formatted if prefix.contains('f') => filled(&text),
                    _ => text,
                };
                let runs = first == '`' && syntax.backtick_runs;
                out.push(if runs {
                    Token::Command(text)
                } else {
                    Token::Text(text)
                });
                length
            }
            '%' if syntax.quote_operators
                && ["%x", "%w", "%q", "%Q"]
                    .iter()
                    .any(|it| rest.starts_with(it)) =>
            {
                let quoted = match rest.as_bytes().get(1) {
                    Some(b'x') => Quoted::Command,
                    Some(b'w') => Quoted::Words,
                    _ => Quoted::Text,
                };
                delimited(rest, 2, quoted, &mut out)
            }
            _ if first.is_alphabetic() || first == '_' || first == '$' || first == '@' => {
                let length = name(rest, syntax.lisp);
                let text = &rest[..length];
                let quoted = match text {
                    "qx" => Some(Quoted::Command),
                    "qw" => Some(Quoted::Words),
                    "q" | "qq" => Some(Quoted::Text),
                    _ => None,
                };
                match quoted.filter(|_| syntax.quote_operators) {
                    Some(quoted) => delimited(rest, length, quoted, &mut out),
                    None => {
                        out.push(Token::Name(text.to_owned()));
                        behind_name = true;
                        length
                    }
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
fn name(text: &str, dashes: bool) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        let part = c.is_alphanumeric()
            || matches!(c, '_' | '$' | '@' | '!' if c != '!' || next == Some('('));
        let joint = (matches!(c, '.' | ':') || dashes && c == '-')
            && next.is_some_and(|next| next.is_alphabetic() || matches!(next, ':' | '_' | '$'));
        if !part && !joint {
            break;
        }
        end = at + c.len_utf8();
    }
    end.max(text.chars().next().map_or(0, char::len_utf8))
}

/// A formatted string with its values replaced by what nobody knows.
fn filled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, value) = rest.split_at(at);
        let Some(end) = value_end(value) else { break };
        out.push_str(before);
        out.push_str(UNKNOWN);
        rest = &value[end..];
    }
    out.push_str(rest);
    out
}

/// One past the brace that closes the first one.
fn value_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    let end = text.find(|character| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        character == '}' && depth == 0
    });
    end.map(|end| end + 1)
}

/// A quoted string, tripled quotes included, and the length of its spelling. `value` opens a value
/// that is put into the string.
fn string(text: &str, quote: char, value: Option<&str>) -> (String, usize) {
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
        let behind = &text[at..];
        if value.is_some_and(|open| behind.starts_with(open))
            && let Some(length) = value_end(behind)
        {
            out.push_str(UNKNOWN);
            while chars
                .next()
                .is_some_and(|(index, _)| index + 1 < at + length)
            {}
            continue;
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

/// What quote operators quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Command,
    Text,
    Words,
}

/// `qx{…}`, `%x(…)`, `qw(…)`: pushes what is quoted and tells the length.
fn delimited(text: &str, prefix: usize, quoted: Quoted, out: &mut Vec<Token>) -> usize {
    let behind = &text[prefix..];
    let blanks = behind.len() - behind.trim_start_matches(' ').len();
    let start = prefix + blanks;
    let Some(open) = text[start..].chars().next() else {
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
    let body = &text[start + open.len_utf8()..];
    let end = body.find(close).unwrap_or(body.len());
    let body = &body[..end];
    match quoted {
        Quoted::Command => out.push(Token::Command(body.to_owned())),
        Quoted::Text => out.push(Token::Text(body.to_owned())),
        Quoted::Words => {
            for (index, word) in body.split_whitespace().enumerate() {
                if index > 0 {
                    out.push(Token::Mark(','));
                }
                out.push(Token::Text(word.to_owned()));
            }
        }
    }
    (start + open.len_utf8() + end + 1).min(text.len())
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
