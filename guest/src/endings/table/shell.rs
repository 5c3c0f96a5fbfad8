//! Conditions, look-ups and other builtins of the shell, and the programs of the same kind.

use crate::endings::row::When::{Flag, NoFlag, StderrHas, Windows};
use crate::endings::row::{Row, Tool, fail, fail_in, ok};

const FALSE: Row = ok(1, "false", "Condition is false");

const ABSENT: &[Row] = &[ok(1, "absent", "There is no such command")];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["test", "["],
        "test",
        "the condition is true",
        &[FALSE, fail(2, "syntax", "the expression is not valid")],
    ),
    Tool::query(
        &["[["],
        "test.extended",
        "the condition is true",
        &[
            FALSE,
            fail(
                2,
                "syntax",
                "the expression or the regular expression is not valid",
            ),
        ],
    ),
    // An arithmetic error is reported with the same code, but in words.
    Tool::query(
        &["((", "let"],
        "arithmetic",
        "the result is not zero",
        &[fail(1, "error", "the arithmetic expression is not valid")],
    )
    .when(&[StderrHas("error token is")]),
    Tool::query(
        &["((", "let"],
        "arithmetic",
        "the result is not zero",
        &[ok(
            1,
            "zero",
            "Condition is false: the arithmetic result is zero",
        )],
    ),
    Tool::query(
        &["which", "gwhich"],
        "which",
        "the command is on the path",
        ABSENT,
    ),
    // On Windows it prints a file.
    Tool::plain(
        &["type"],
        "type.windows",
        &[fail(1, "missing", "a file could not be read")],
    )
    .when(&[Windows]),
    Tool::query(
        &["type", "whence"],
        "type",
        "there is such a command",
        ABSENT,
    ),
    Tool::query(&["hash"], "hash", "there is such a command", ABSENT),
    Tool::query(&["command"], "command", "there is such a command", ABSENT)
        .when(&[Flag(&["-v", "-V"])]),
    Tool::query(
        &["declare", "typeset"],
        "declare",
        "the name is declared",
        &[ok(1, "unset", "The name is not declared")],
    )
    .when(&[Flag(&["-p", "-F", "-f"])]),
    Tool::query(
        &["shopt"],
        "shopt",
        "the option is set",
        &[ok(1, "unset", "The option is not set")],
    )
    .when(&[NoFlag(&["-s", "-u"])]),
    Tool::query(
        &["compgen"],
        "compgen",
        "there are completions",
        &[ok(1, "none", "No matches found: there is no completion")],
    ),
    Tool::query(
        &["getopts"],
        "getopts",
        "there was an option",
        &[ok(1, "end", "There are no more options")],
    ),
    Tool::query(
        &["printenv"],
        "printenv",
        "the variable is set",
        &[
            ok(1, "unset", "The variable is not set"),
            fail(2, "usage", "wrong use"),
        ],
    ),
    Tool::query(
        &["tty"],
        "tty",
        "standard input is a terminal",
        &[
            ok(1, "none", "Standard input is not a terminal"),
            fail(2, "usage", "wrong use"),
            fail(3, "io", "writing failed"),
        ],
    ),
    Tool::query(
        &["kill"],
        "kill.probe",
        "there is such a process",
        &[ok(
            1,
            "none",
            "There is no such process, or it may not be signalled",
        )],
    )
    .when(&[Flag(&["-0"])]),
    Tool::plain(
        &["kill"],
        "kill",
        &[fail(
            1,
            "unsignalled",
            "no such process, or it may not be signalled",
        )],
    ),
    Tool::plain(
        &["cd", "pushd"],
        "cd",
        &[fail(
            1,
            "missing",
            "no such directory, or it may not be entered",
        )],
    ),
    Tool::plain(
        &["source", "."],
        "source",
        &[fail(1, "script", "the script failed or could not be read")],
    ),
    Tool::plain(
        &["read"],
        "read",
        &[
            fail(1, "end", "there was no more input"),
            fail_in(129, 255, "timeout", "no input within the time limit"),
        ],
    ),
    Tool::plain(
        &["false", "gfalse"],
        "false",
        &[fail(1, "always", "false always reports failure")],
    ),
    Tool::plain(
        &["bash", "sh", "dash", "zsh", "ksh", "ash"],
        "shell",
        &[fail(
            2,
            "syntax",
            "a syntax error in the script, or wrong use of a builtin",
        )],
    ),
];
