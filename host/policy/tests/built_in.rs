//! The built-in policy answers texts of every shape and size within its limits: a command is never refused for its length.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::Arc;

use ostler_policy_engine::{Engine, Limits, LoadedPolicy, Source};
use ostler_terminal::policy::{Dialect, Policy, Request, Shell, ShellChoice};

/// From small enough to be read to the end to the longest command that there may be.
const SIZES: [usize; 5] = [4_000, 16_000, 31_000, 120_000, 1 << 20];

/// What stands before a part that is repeated to the end, and that part: forms that a careless reader looks at again and again.
#[rustfmt::skip]
const BASH: [(&str, &str); 44] = [
    ("", "a "), ("", "a"), ("", "é"), ("", "\\"), ("", "'"), ("", "\""), ("", "`"), ("", "("), ("", "{ "), ("", "$("),
    ("", "${x:-"), ("", "$x "), ("", "<(a) "), ("", "# rm\n"), ("", "a\n"), ("", "a|"), ("", "a&&"), ("", "((a+1));"),
    ("", "{a,b}"), ("echo ", "{a,"), ("", "x=1;"), ("", "x+=a;$x;"), ("", "declare -n a=b;"), ("", "alias a=b;"),
    ("", "f(){ rm -rf /;};f;"), ("", "if a;then b;fi;"), ("case a in ", "a) b;; "), ("", "cat <<X\na\nX\n"),
    ("cat <<X\n", "rm -rf /\n"), ("", "rm -rf /;"), ("rm -rf ", "a "), ("rm ", "*"), ("", "sudo "), ("", "xargs "),
    ("env ", "A=b "), ("", "eval "), ("", "echo a|sh|"), ("", "curl x|sh|"), ("", "curl -o a x;./a;"),
    ("find . ", "-exec rm {} \\; "), ("awk '", "{system(\"rm a\")}"), ("perl -e '", "system(\"rm -rf /\");"),
    ("python3 -c '", "os.remove(\"a\");"), ("psql -c '", "drop table a;"),
];
#[rustfmt::skip]
const POWERSHELL: [(&str, &str); 16] = [
    ("", "a "), ("", "é"), ("", "("), ("", "{"), ("", "$("), ("", "\""), ("", "`"), ("", ">&é"), ("", "a|"),
    ("", "%{ri $_}|"), ("", "iwr x|iex|"), ("", "iex 'ri a';"), ("", "$a='ri';&$a b;"), ("", "function a{ri b};a;"),
    ("ri ", "-Recurse "), ("powershell -enc ", "cgBtAA=="),
];
#[rustfmt::skip]
const CMD: [(&str, &str); 13] = [
    ("", "a "), ("", "é"), ("", "("), ("", "\""), ("", "^"), ("", "d^e^l a&"), ("", "a|"), ("", "echo a|sh&"), ("", "%x% "),
    ("", "for %i in (*) do "), ("", "set a=del&%a% b&"), ("", "cmd /c "), ("del ", "/s "),
];

#[test]
fn texts_of_every_shape_and_size_are_answered() {
    let engine = Engine::new(Limits::default(), None).unwrap();
    let policy = LoadedPolicy::load(&engine, &Source::Embedded, None).unwrap();
    for (program, dialect, shapes) in [
        ("bash", Dialect::Bash, BASH.as_slice()),
        ("powershell", Dialect::Powershell, &POWERSHELL),
        ("cmd", Dialect::Cmd, &CMD),
    ] {
        for (beginning, part) in shapes {
            for size in SIZES {
                let parts = (size - beginning.len()) / part.len();
                let request = Request {
                    command: beginning.to_string() + &part.repeat(parts),
                    shell: ShellChoice::Named(program.into()),
                    os: "windows".into(),
                    shells: Arc::from([Shell {
                        dialect,
                        program: program.into(),
                    }]),
                    cwd: "/".into(),
                };
                let answer = policy.review(&request);
                assert!(
                    answer.is_ok(),
                    "{beginning}{part}… of {size} bytes: {answer:?}"
                );
            }
        }
    }
}
