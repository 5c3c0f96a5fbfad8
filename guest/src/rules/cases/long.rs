//! Texts of a megabyte: what loses something at their end is found, or they are said to be not
//! analysed.

use super::warnings;
use crate::model::Dialect;
use crate::rules::inspect;
use crate::syntax::unfold_as;

const BYTES: usize = 1024 * 1024 - 64;

/// Parts that fill a text; behind it stands a command that loses something.
#[rustfmt::skip]
const FILLINGS: [&str; 28] = [
    "a;", ";", "a|", "a&&", "ls\n", "# x\n", "x=1;", "x=$x$x;", "f() { g; };", "alias a=b;\n", "(a);",
    "if a; then b; fi;", "case x in a) b;; esac;", "for i in 1 2; do ls; done;", "a'b'", "$a", "`a`", "${a:-b}",
    "{a,b}", "*", "é", "env ", "sudo ", "bash -c 'a';", "echo a | sh;", "cat <<E\nx\nE\n", "python3 -c 'x';", "a ",
];

#[test]
fn a_long_text_is_never_wrongly_clean() {
    for filling in FILLINGS {
        for (dialect, loses) in [
            (Dialect::Bash, "rm -rf /"),
            (Dialect::Powershell, "ri C:\\ -Recurse"),
            (Dialect::Cmd, "rd /s /q C:\\"),
        ] {
            let text = format!("{}\n{loses}\n", filling.repeat(BYTES / filling.len()));
            let said = !unfold_as(dialect, &text).opaque.is_empty();
            assert!(
                said || !warnings(dialect, &text).is_empty(),
                "{filling:?} in {dialect:?}"
            );
        }
    }
}

#[test]
fn much_data_does_not_hide_what_stands_beside_it() {
    let data = "a line of data, rm -rf / and all\n".repeat(3_000);
    let text = format!("cat <<'E' > notes\n{data}E\nrm -rf src");
    assert_eq!(warnings(Dialect::Bash, &text), ["fs.rm-recursive"]);
    assert!(unfold_as(Dialect::Bash, &text).opaque.is_empty());
}

#[test]
fn many_actions_and_programs_are_told_apart_from_none() {
    for text in [
        format!("find . {}", "-exec ls {} \\; ".repeat(2_000)),
        format!("make -f - <<'E'\n{}E", "a:\n\tls\n".repeat(2_000)),
        format!("python3 -c '{}'", "x = 1\n".repeat(20_000)),
    ] {
        assert!(!unfold_as(Dialect::Bash, &text).opaque.is_empty());
    }
}

#[test]
fn what_programs_carry_beyond_count_or_depth_is_told() {
    let deep = (0..6).fold("rm -rf src".to_owned(), |text, _| {
        let string = text.replace('\\', "\\\\").replace('"', "\\\"");
        let program = format!("BEGIN{{system(\"{string}\")}}");
        format!("awk '{}'", program.replace('\'', "'\\''"))
    });
    for text in [format!("awk '{}'", "{system(\"rm a\")}".repeat(200)), deep] {
        let unfolded = unfold_as(Dialect::Bash, &text);
        let told = inspect(&unfolded, Dialect::Bash).opaque.is_some();
        assert!(told || !unfolded.opaque.is_empty(), "{text}");
    }
}
