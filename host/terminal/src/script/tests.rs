//! A text that is handed over must do what it does after `-c`: tried on real shells.

use std::process::{Output, Stdio};

use super::*;

/// What bash must run alike, with what each of them tries.
const ALIKE: &[(&str, &str)] = &[
    ("one line", "echo hi"),
    ("two lines", "echo a\necho b\n"),
    ("nothing", ""),
    ("blank lines", "  \n\n"),
    ("only a comment", "# hi"),
    ("a comment at the end", "echo a # c"),
    ("a quote in a comment", "echo a # it's\necho b"),
    ("quotes", "echo 'a b' \"c  d\" $'e\\tf' $\"g\""),
    ("leading and trailing space", "\t  echo  a  \t\n"),
    ("history characters", "! false; echo $?; echo \"a!b\" !x"),
    ("backslashes", "echo a\\\\b \\a 'c\\' \"\\$d\""),
    ("a line continued", "echo a\\\nb"),
    ("a backslash at the end", "echo a\\"),
    ("an escaped newline at the end", "echo a \\\n"),
    ("newlines at the end", "printf '%s|' 'a\n\n'\n\n\n"),
    ("a here-document", "cat <<EOF\n$((1+1)) \\$x\nEOF\n"),
    (
        "a here-document that ends with the text",
        "cat <<EOF\nx\nEOF",
    ),
    ("a here-document without an end", "cat <<EOF\nx\ny"),
    ("one with blank lines at its end", "cat <<EOF\nx  \n\n\n"),
    ("a quoted here-document", "cat <<'E'\n$x\\\nE"),
    ("two here-documents", "cat <<A <<B\n1\nA\n2\nB"),
    ("an indented one", "cat <<-E\n\ta\n\tE"),
    (
        "control characters",
        "printf %s '\u{1}\u{7f}\u{1b}\u{1}\u{1}' | od -An -tx1",
    ),
    (
        "them unquoted",
        "x=\u{1}a\u{7f}; printf %s \"$x\" | od -An -tx1",
    ),
    ("other letters", "x='äöü你\u{1F980}'; echo \"$x ${#x}\""),
    ("CRLF", "echo a\r\necho b\r\n"),
    ("an exit code", "exit 3"),
    ("a failure", "(exit 6)"),
    ("a bad exit", "exit abc"),
    (
        "the name and the arguments",
        "echo $0 $# \"$@\" \"${1-unset}\" $-",
    ),
    ("process ids", "[ $$ = $BASHPID ] && echo same $!"),
    (
        "line numbers",
        "echo $LINENO\n\nf() { echo $LINENO\n echo $LINENO; }\nf",
    ),
    ("lines of errors", "\n\n\nnope_y"),
    (
        "the call stack",
        "f() { caller; echo ${#FUNCNAME[@]} \"${BASH_LINENO[@]}\"; }; f; caller",
    ),
    ("an exit trap", "trap 'echo bye $?' EXIT; exit 4"),
    (
        "an exit trap in a function",
        "f() { exit 4; }; trap 'echo t' EXIT; f",
    ),
    (
        "an error trap",
        "trap 'echo E $LINENO' ERR\nfalse\necho x\nfalse",
    ),
    (
        "an inherited error trap",
        "set -E; trap 'echo E' ERR; f() { false; }; f",
    ),
    (
        "a debug trap",
        "trap 'echo D $BASH_COMMAND' DEBUG; echo a; false",
    ),
    (
        "a trapped signal",
        "trap 'echo T; exit 2' TERM; kill $$; echo no",
    ),
    ("a signal to itself", "kill -TERM $$; echo no"),
    ("exec", "exec echo hi"),
    ("exec at the end", "echo a; exec sh -c 'exit 7'"),
    ("errexit", "set -e\nfalse\necho no"),
    (
        "errexit in a function",
        "set -e; f() { false; echo in; }; f || echo or; f; echo no",
    ),
    ("errexit and a trap", "set -e; trap 'echo X $?' EXIT; false"),
    ("nounset", "set -u\necho $nope_var\necho no"),
    ("pipefail", "set -o pipefail; false | true"),
    ("noexec", "set -n\necho a"),
    ("verbose", "set -v\necho a"),
    ("the status before", "echo $?"),
    ("the last argument before", "echo $_"),
    ("its environment", "env | grep -E '^(_|SHLVL)='"),
    (
        "its variables",
        "echo \"[$REPLY][$MAPFILE]\"; printf '[%q]' \"$IFS\"",
    ),
    ("its own text", "declare -p BASH_EXECUTION_STRING"),
    ("a return that is none", "echo a; return 3; echo b"),
    ("a function", "f() { return 5; }; f"),
    (
        "an alias",
        "shopt -s expand_aliases\nalias q='echo al'\nq 1",
    ),
    (
        "an alias on its own line",
        "shopt -s expand_aliases; alias q='echo al'; q 1",
    ),
    (
        "a grammar that is switched on",
        "shopt -s extglob\necho @(a|b)",
    ),
    ("a quote without an end", "echo a\necho 'b"),
    ("a quote without an end over lines", "echo \"a\\\n\n"),
    ("a syntax error", "if; then"),
    (
        "a syntax error after output",
        "echo one\necho two\nif; then",
    ),
    ("a syntax error and a trap", "trap 'echo X' EXIT\n)"),
    ("an unknown command", "nope_x 1"),
    ("an expansion error", "echo $((1/0)); echo after\necho next"),
    ("a bad substitution", "echo ${a b}; echo after"),
    ("a background job", "sleep 0.01 & wait; echo done $?"),
    (
        "a co-process",
        "coproc cat; echo hi >&${COPROC[1]}; read -u ${COPROC[0]} v; echo $v",
    ),
    ("nothing to read", "read a; echo \"[$a]$?\""),
    ("a pipeline", "yes | head -n 1; echo ${#PIPESTATUS[@]}"),
    ("open files", "ls /proc/self/fd | wc -l"),
];

/// What every shell must run alike.
const ALIKE_EVERYWHERE: &[&str] = &[
    "echo 'a b' \"c  d\"",
    "echo a \\\n",
    "cat <<EOF\nx  \n\n\n",
    "cat <<'E'\n$x\\\nE",
    "printf %s '\u{1}\u{7f}äö\u{1b}' | od -An -tx1",
    "exit 3",
    "echo $0 $#; [ -n \"$$\" ]",
    "trap 'echo bye $?' EXIT; exit 4",
    "set -e\nfalse\necho no",
    "f() { return 5; }; f",
    "echo one\necho two\nif; then",
    "echo a\necho 'b",
    "alias q='echo al'\nq 1",
    "nope_x 1",
    "echo a; exec sh -c 'exit 7'",
    "",
];

fn invocation(argv: &[&str], dialect: Dialect) -> Invocation {
    Invocation {
        argv: argv.iter().map(ToString::to_string).collect(),
        dialect,
        auto_shell: false,
    }
}

fn shell(program: &str, text: &str) -> HandedOver {
    hand_over(&invocation(&[program, "-c", text], Dialect::Bash)).unwrap()
}

#[expect(
    clippy::disallowed_methods,
    reason = "compares shells, not the terminal"
)]
fn run(argv: &[OsString]) -> Output {
    std::process::Command::new(&argv[0])
        .args(&argv[1..])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Runs a text both ways: exit status and stdout, and stderr without what names the way or a process.
fn both(program: &str, text: &str) -> [(String, String, String); 2] {
    let after_c = [program, "-c", text].map(OsString::from).to_vec();
    let handed = shell(program, text);
    assert!(handed.file.is_some(), "{program} is handed its text");
    [after_c, handed.argv].map(|argv| {
        let output = run(&argv);
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let stderr = text(&output.stderr)
            .replace("-c: ", "")
            .replace("eval: ", "");
        let words = stderr.split_inclusive(char::is_whitespace);
        let stderr = words.filter(|word| !word.starts_with("/proc/")).collect();
        (output.status.to_string(), text(&output.stdout), stderr)
    })
}

#[test]
fn bash_runs_a_text_that_is_handed_over_as_after_c() {
    for (what, text) in ALIKE {
        let [after_c, handed] = both("/bin/bash", text);
        if *what == "its own text" {
            assert!(handed.1.contains(text), "{handed:?}");
        }
        assert_eq!(handed, after_c, "{what}: {text:?}");
    }
}

#[test]
fn other_shells_do_too() {
    for program in ["/bin/sh", "/bin/dash", "/bin/ash"] {
        if Path::new(program).exists() {
            for text in ALIKE_EVERYWHERE {
                let [after_c, handed] = both(program, text);
                assert_eq!(handed, after_c, "{program}: {text:?}");
            }
        }
    }
}

#[test]
fn only_traces_and_programs_that_a_signal_ends_look_different() {
    let [after_c, handed] = both("/bin/bash", "set -x; echo a");
    assert_eq!((after_c.1, after_c.2.as_str()), (handed.1, "+ echo a\n"));
    assert_eq!(handed.2, "++ echo a\n", "one level of evaluation more");
    let [after_c, handed] = both("/bin/bash", "true && sh -c 'kill -KILL $$'");
    assert_eq!(
        after_c.0, "signal: 9 (SIGKILL)",
        "the shell becomes the last program"
    );
    assert_eq!(handed.0, "exit status: 137", "the shell waits for it");
}

#[test]
fn the_text_is_not_in_the_argument_list() {
    for program in ["/bin/bash", "/bin/dash"] {
        let argv = shell(program, "echo a_rare_word").argv;
        assert!(
            argv.iter()
                .all(|argument| !argument.to_string_lossy().contains("a_rare_word"))
        );
    }
}

#[test]
fn a_text_longer_than_an_argument_runs() {
    let long = format!("x='{}'; echo ${{#x}}", "x".repeat(1 << 20));
    for program in ["/bin/bash", "/bin/dash"] {
        let handed = shell(program, &long);
        assert_eq!(run(&handed.argv).stdout, b"1048576\n", "{program}");
    }
}

#[test]
fn nobody_can_change_the_text() {
    let handed = shell("/bin/bash", "echo a");
    let mut file = File::from(handed.file.unwrap());
    assert!(file.write_all(b"x").is_err());
    assert!(file.set_len(0).is_err());
}

#[test]
fn a_text_that_cannot_be_read_is_not_run() {
    for (program, code) in [("/bin/bash", 126), ("/bin/dash", 2)] {
        let HandedOver { argv, file } = shell(program, "echo a");
        // A path that is never valid, whichever files other tests open.
        let gone = format!("/fd/{}", file.as_ref().unwrap().as_raw_fd());
        let argv: Vec<OsString> = argv
            .iter()
            .map(|argument| argument.to_string_lossy().replace(&gone, "/fd/none").into())
            .collect();
        let output = run(&argv);
        assert_eq!((output.stdout, output.status.code()), (vec![], Some(code)));
        assert!(!output.stderr.is_empty(), "{program} says why");
    }
}

#[test]
fn what_is_no_shell_with_a_text_stays_as_it_is() {
    for (argv, dialect) in [
        (&["/bin/bash", "-c", "ls"][..], Dialect::Direct),
        (&["/bin/bash", "-lc", "ls"], Dialect::Bash),
        (&["/bin/bash", "-c", "ls", "name"], Dialect::Bash),
        (&["/bin/bash", "file"], Dialect::Bash),
        (&["/bin/ksh", "-c", "ls"], Dialect::Bash),
        (&["fish", "-c", "ls"], Dialect::Bash),
        (&["pwsh", "-c", "ls"], Dialect::Powershell),
    ] {
        let handed = hand_over(&invocation(argv, dialect)).unwrap();
        assert!(handed.file.is_none());
        assert_eq!(handed.argv, argv);
    }
}
