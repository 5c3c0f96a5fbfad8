//! Direct start or shell: a text is started directly only where bash would have run one program
//! with exactly that argv.

use crate::syntax::words::{self, Literal};

/// How a command text is to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// As this argv; never empty.
    Direct(Vec<String>),
    /// By a shell, the text unchanged.
    Shell,
}

/// Words that bash reserves where a command begins.
#[rustfmt::skip]
const RESERVED: [&str; 20] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "select",
    "then", "time", "until", "while", "{", "}",
];

/// Builtins of bash that no program stands in for. Not here: `echo`, `false`, `kill`, `printf`,
/// `test`, `true` and `[`, for which [`needs_builtin`] tells the forms that only the builtin has.
#[rustfmt::skip]
const BUILTINS: [&str; 54] = [
    ".", ":", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete",
    "compopt", "continue", "declare", "dirs", "disown", "enable", "eval", "exec", "exit", "export", "fc", "fg",
    "getopts", "hash", "help", "history", "jobs", "let", "local", "logout", "mapfile", "popd", "pushd", "pwd",
    "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "times", "trap",
    "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
];

/// Decides how a command text is started. A text that bash would refuse goes to the shell, so that
/// the caller sees the shell's own error; so does one that holds no command at all.
pub fn route(command: &str) -> Route {
    let Some(words) = words::simple(command) else {
        return Route::Shell;
    };
    let Some(argv) = words
        .iter()
        .map(|raw| literal(raw))
        .collect::<Option<Vec<_>>>()
    else {
        return Route::Shell;
    };
    let (Some(first), Some((program, args))) = (words.first(), argv.split_first()) else {
        return Route::Shell;
    };
    let by_shell = program.is_empty()
        || RESERVED.binary_search(&first.as_str()).is_ok()
        || words::is_assignment(first)
        || BUILTINS.contains(&program.as_str())
        || needs_builtin(program, args);
    if by_shell {
        Route::Shell
    } else {
        Route::Direct(argv)
    }
}

fn literal(raw: &str) -> Option<String> {
    match words::literal(raw) {
        Literal::Text(text) => Some(text),
        Literal::Expands => None,
    }
}

/// Forms of a builtin that the program of the same name does not have.
fn needs_builtin(program: &str, args: &[String]) -> bool {
    let first = args.first().map(String::as_str).unwrap_or_default();
    match program {
        // `-v name`, and formats for times and for quoting.
        "printf" => {
            let format = args
                .iter()
                .find(|arg| *arg != "--")
                .map(String::as_str)
                .unwrap_or_default();
            first.starts_with("-v") || format.contains("%(") || format.contains("%Q")
        }
        // Shell variables, name references and options.
        "test" | "[" => args.iter().any(|arg| arg == "-v" || arg == "-R") || first == "-o",
        // Job specifications.
        "kill" => first == "-n" || args.iter().any(|arg| arg.starts_with('%')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direct(command: &str, argv: &[&str]) {
        let argv = argv.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(route(command), Route::Direct(argv), "{command:?}");
    }

    fn by_shell(command: &str) {
        assert_eq!(route(command), Route::Shell, "{command:?}");
    }

    #[derive(serde::Deserialize)]
    struct Row {
        command: String,
        route: String,
        argv: Option<Vec<String>>,
    }

    #[test]
    fn the_sample_table_is_routed_as_labelled() {
        let table = include_str!("../../tests/corpus/routing.jsonl");
        for line in table.lines().filter(|line| !line.is_empty()) {
            let row: Row = serde_json::from_str(line).unwrap();
            let expected = match row.argv {
                Some(argv) if row.route == "direct" => Route::Direct(argv),
                _ => Route::Shell,
            };
            assert_eq!(route(&row.command), expected, "{:?}", row.command);
        }
    }

    #[test]
    fn quoted_metacharacters_stay_direct() {
        direct("grep 'a|b' \"c;d\" e\\&f", &["grep", "a|b", "c;d", "e&f"]);
        direct(
            "find . -name '*.txt' -o -name \\?",
            &["find", ".", "-name", "*.txt", "-o", "-name", "?"],
        );
        direct(
            "echo '~' \"{a,b}\" '$x' \\$x \\`",
            &["echo", "~", "{a,b}", "$x", "$x", "`"],
        );
        direct("awk '$3 > 4' f", &["awk", "$3 > 4", "f"]);
        direct("'if' x", &["if", "x"]);
    }

    #[test]
    fn literal_look_alikes_stay_direct() {
        for word in [
            "{}",
            "HEAD@{1}",
            "{a}",
            "{1..x}",
            "$",
            "foo$",
            "a#b",
            "file~",
            "host:~/x",
            "--opt=~/x",
            "[",
            "]",
            "!",
            "a]b",
            "x=1",
            "-I{}",
            "a=b:c",
            "%",
            "^",
            "a:b",
            "{a,b",
            "a,b}",
            "[a",
            "a[",
            "@",
            "+(",
            "in",
        ] {
            if word == "+(" {
                by_shell("echo +(");
            } else {
                direct(&format!("echo {word}"), &["echo", word]);
            }
        }
        direct("./x=1", &["./x=1"]);
        direct("1a=2", &["1a=2"]);
        direct("in x", &["in", "x"]);
    }

    #[test]
    fn whatever_the_shell_would_change_goes_to_the_shell() {
        for command in [
            "ls 2>/dev/null",
            "echo a;echo b",
            "a&b",
            "a&&b",
            "ls|wc",
            "echo $HOME",
            "echo \"$x\"",
            "echo `x`",
            "echo \"`x`\"",
            "echo $(x)",
            "echo ~",
            "echo ~/x",
            "dd if=~/x",
            "make P=a:~/y",
            "echo {a,b}",
            "echo {1..3}",
            "ls *",
            "ls a?b",
            "ls [ab]",
            "pip install x[y]",
            "echo [\"a\"]",
            "echo $'a'",
            "echo $\"a\"",
            "FOO=1 cmd",
            "a[1]=x",
            "a[$x]=y cmd",
            "a+=b",
            "cat <<E\nE",
            "cat <<<x",
            "x() { :; }",
            "ls\npwd",
            "! ls",
            "time ls",
            "{ ls; }",
            "(ls)",
            "if",
            "done",
            "echo \"a",
            "echo 'a",
            "> f",
            "ls;",
            "ls &",
            "\"\" x",
            "cd /",
            "\"cd\" /",
            "\\cd /",
            "printf -v a b",
            "printf '%(%F)T'",
            "test -v a",
            "[ -v a ]",
            "kill %1",
            "",
            "   ",
            "\n",
            "# only",
            "echo ((",
            "echo $[1]",
            "echo ${a}",
            "exec {fd}>f",
            "echo <(a)",
        ] {
            by_shell(command);
        }
    }

    #[test]
    fn comments_and_line_ends_do_not_force_the_shell() {
        direct("ls # list", &["ls"]);
        direct("\n ls -l \n\n# end\n", &["ls", "-l"]);
        direct("l\\\ns a\\\n b", &["ls", "a", "b"]);
        by_shell("ls # a\npwd");
    }

    #[test]
    fn programs_that_share_a_builtins_name_are_direct() {
        direct("echo -n a", &["echo", "-n", "a"]);
        direct("kill -9 12", &["kill", "-9", "12"]);
        direct("printf '%s\\n' a", &["printf", "%s\\n", "a"]);
        direct("[ a = b ]", &["[", "a", "=", "b", "]"]);
        direct("/usr/bin/time ls", &["/usr/bin/time", "ls"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_direct_argv_is_what_a_program_sees_through_bash() {
        use crate::stand_in::{Sequence, StandIn};

        #[rustfmt::skip]
        const PARTS: [&str; 40] = [
            "a", "b", "ab", "é", " ", " ", "\t", "'", "'", "\"", "\"", "\\", "\\", "$", "{", "}", ",", "..", "1", "~",
            "=", "[", "]", "*", "?", "!", "#", "@", "^", "-", "+", ":", "/", "%", "\n", "\\\n", "a=", "'a b'", "\"a b\"", "$a",
        ];
        let Some(stand_in) = StandIn::new() else {
            return;
        };
        let mut sequence = Sequence::new(7);
        let mut compared = 0;
        while compared < 300 {
            let text = format!("./seen {}", sequence.soup(&PARTS, 9));
            let Route::Direct(argv) = route(&text) else {
                continue;
            };
            compared += 1;
            assert_eq!(stand_in.sees(&text), argv[1..], "{text:?}");
        }
    }
}
