//! What a command line is found to reach.

use super::{Stdin, Unfolded, Via, unfold};

/// Each invocation as `via>via program arguments`, in text order.
pub(in crate::syntax) fn shown(unfolded: &Unfolded) -> Vec<String> {
    let line = |invocation: &super::Invocation| {
        let mut words = vec![invocation.program.clone().unwrap_or_else(|| "?".to_owned())];
        // A blank in a program's name must not look like an argument.
        words[0] = words[0].replace(' ', "_");
        words.extend(invocation.args.iter().map(super::Word::shown));
        words.join(" ")
    };
    unfolded.invocations.iter().map(line).collect()
}

/// The commands that a text reaches, wrappers and harmless printers left out.
fn reached(text: &str) -> Vec<String> {
    shown(&unfold(text))
}

pub(in crate::syntax) fn reaches(text: &str, command: &str) {
    let reached = reached(text);
    assert!(
        reached.iter().any(|line| line == command),
        "{text}\n  reaches {reached:#?}\n  not {command}"
    );
}

fn does_not_reach(text: &str, program: &str) {
    let reached = reached(text);
    let found = reached
        .iter()
        .any(|line| line.split(' ').next() == Some(program));
    assert!(!found, "{text}\n  reaches {reached:#?}");
}

#[test]
fn plain_commands_lists_and_pipelines_are_flat() {
    assert_eq!(reached("a b; c && d | e &\nf"), ["a b", "c", "d", "e", "f"]);
    let unfolded = unfold("a | sudo b | c");
    assert_eq!(shown(&unfolded), ["a", "sudo b", "b", "c"]);
    let stdins = unfolded
        .invocations
        .iter()
        .map(|one| one.stdin.clone())
        .collect::<Vec<_>>();
    assert_eq!(
        stdins[1..],
        [
            Stdin::Pipe(vec![0]),
            Stdin::Pipe(vec![0]),
            Stdin::Pipe(vec![1, 2])
        ]
    );
    let next = unfolded
        .invocations
        .iter()
        .map(|one| one.pipes_into)
        .collect::<Vec<_>>();
    assert_eq!(next, [Some(1), Some(3), Some(3), None]);
}

#[test]
fn compound_commands_are_entered() {
    for text in [
        "if a; then rm x; fi",
        "for i in 1; do rm x; done",
        "while a; do rm x; done",
        "case y in a) rm x;; esac",
        "{ rm x; }",
        "(rm x)",
        "( (rm x) )",
        "! rm x",
        "time rm x",
        "[[ $(rm x) ]]",
        "echo $(rm x) `b`",
        "diff <(rm x) y",
        "tee >(rm x)",
        "echo > >(rm x)",
        "((a=$(rm x)))",
        "a=$(rm x)",
        "coproc rm x",
        "select i in a; do rm x; done",
        "cat <<E\n$(rm x)\nE",
        "a[$(rm x)]=1",
        "echo ${a:-$(rm x)}",
        "echo \"${a[$(rm x)]}\"",
        "true &\nrm x",
        "rm x\n)",
        "for ((i=$(rm x); i; i++)); do :; done",
    ] {
        reaches(text, "rm x");
    }
}

#[test]
fn data_stays_data() {
    for text in [
        "echo rm x",
        "cat <<E\nrm x\nE",
        "cat <<'E'\n$(rm x)\nE",
        "git commit -m 'rm x; rm y'",
        "f() { rm x; }",
        "alias a='rm x'; a",
        "bash -n -c 'rm x'",
        "echo 'rm x' | bash -n",
        "# rm x",
        "echo '$(rm x)'",
        "find . -ok rm x ';'",
        "trap - EXIT",
        "sudo -l rm x",
        "command -v rm",
        "\"rm x\"",
        "xargs --help rm",
        "git config alias.z '!rm x'",
    ] {
        does_not_reach(text, "rm");
    }
}

#[test]
fn words_are_read_as_bash_reads_them() {
    for text in [
        "r''m x",
        r"r\m x",
        "'rm' \"x\"",
        "$'\\x72m' x",
        "{rm,x}",
        "rm$IFS$'x'",
        "rm${IFS}x",
        "rm${IFS:0:1}x",
        "c='rm x'; $c",
        "x=x; rm ${x}",
        "a=(rm x); \"${a[@]}\"",
        "s=RM; ${s,,} x",
        "s=xrmx; ${s:1:2} x",
        "$(echo rm) x",
        "$(echo rm x)",
        "$(printf '\\x72\\x6d') x",
        "$(which rm) x",
        "$(tr xy rm <<< xy) x",
        "${a:-rm} x",
        "r$*m x",
        "r${z}m x",
        "r`true`m x",
        "/bin/rm x",
        "./rm x",
        "rm.exe x",
        "/???/r[m] x",
        "printf -v a rm; $a x",
        "read a <<< rm; $a x",
        "set -- rm x; \"$@\"",
        "a=r; a+=m; $a x",
        "a=b b=rm; ${!a} x",
        "declare a=rm; $a x",
        ": ${a:=rm}; $a x",
        "$SUDO rm x",
        "cd /tmp; rm x",
        "x=y; x=${x/y/x}; rm $x",
        "rm $(basename /a/x)",
        "\\rm x",
    ] {
        reaches(text, "rm x");
    }
}

#[test]
fn steps_on_the_way_are_named() {
    let via = |text: &str| {
        unfold(text)
            .invocations
            .last()
            .map(|last| last.via.clone())
            .unwrap_or_default()
    };
    assert_eq!(
        via("sudo bash -c 'rm x'"),
        [Via::Privilege, Via::ShellScript]
    );
    assert_eq!(
        via("sudo bash <<< 'rm x'"),
        [Via::Privilege, Via::HereDocument]
    );
    assert_eq!(via("echo ls | sh"), [Via::PipeToShell]);
    assert_eq!(via("find . -exec ls ';'"), [Via::FindExec]);
    assert_eq!(via("echo $(ls)"), [Via::CommandSubstitution]);
    assert_eq!(via("cat <(ls)"), [Via::ProcessSubstitution]);
    assert_eq!(via("f() { ls; }; f"), [Via::Function,]);
    assert_eq!(via("{ ls; }"), [Via::Compound]);
    assert_eq!(via("eval ls"), [Via::Eval]);
    assert_eq!(via("ssh h ls"), [Via::Ssh]);
}

#[test]
fn unknown_parts_are_said_to_be_unknown() {
    for text in [
        "$x",
        "\"$cmd\" -rf y",
        "bash -c \"$x\"",
        "eval \"$x\"",
        "cat f | sh",
        "base64 -d f | bash",
        "echo \"a",
        "$(cat f) x",
        "bash <(cat f)",
    ] {
        assert!(!unfold(text).opaque.is_empty(), "{text}");
    }
    for text in [
        "ls",
        "bash script.sh",
        "echo $x",
        "cat f | jq .",
        "rm \"$x\"",
        "python3 a.py",
    ] {
        assert!(
            unfold(text).opaque.is_empty(),
            "{text}: {:?}",
            unfold(text).opaque
        );
    }
}

#[test]
fn variables_that_may_have_changed_are_not_known() {
    let operand = |text: &str| reached(text).pop().unwrap_or_default();
    assert_eq!(operand("d=/tmp/a; rm $d"), "rm /tmp/a");
    assert_eq!(operand("d=/tmp/a; if b; then d=/; fi; rm $d"), "rm $d");
    assert_eq!(operand("d=/tmp/a; b && d=/; rm $d"), "rm $d");
    assert_eq!(operand("d=/tmp/a; (d=/); rm $d"), "rm /tmp/a");
    assert_eq!(
        operand("TMPDIR=/home/u rm -rf $TMPDIR/x"),
        "rm -rf $TMPDIR/x"
    );
    assert_eq!(operand("d=$(mktemp -d) && rm $d"), "rm /tmp/tmp.XXXXXXXXXX");
    assert_eq!(operand("p=/tmp/x; printf -v p /; rm \"$p\""), "rm /");
    let twice = reached("d=/tmp/a; while b; do rm $d; d=/; done");
    assert!(twice.contains(&"rm $d".to_owned()), "{twice:?}");
    assert!(!twice.contains(&"rm /tmp/a".to_owned()), "{twice:?}");
}

#[test]
fn directories_are_followed() {
    let directory = |text: &str| {
        unfold(text)
            .invocations
            .last()
            .and_then(|last| last.cwd.clone())
    };
    assert_eq!(directory("cd /tmp/x && rm y").as_deref(), Some("/tmp/x"));
    assert_eq!(directory("cd /tmp; cd x; rm y").as_deref(), Some("/tmp/x"));
    assert_eq!(
        directory("cd /tmp/x && true; rm y").as_deref(),
        Some("/tmp/x")
    );
    assert_eq!(directory("true && cd /tmp/x; rm y"), None);
    assert_eq!(directory("cd /tmp/x; cd \"$d\"; rm y"), None);
    assert_eq!(directory("(cd /tmp/x); rm y"), None);
    assert_eq!(
        directory("env -C /tmp/x rm y"),
        None.or(Some("/tmp/x".to_owned()))
    );
}

#[test]
fn the_shape_of_a_fork_bomb_is_seen_only_where_it_runs() {
    for text in [
        ":(){ :|:& };:",
        "f(){ f|f& };f",
        "b() { b & b; }; b",
        "bash -c ':(){ :|:& };:'",
    ] {
        assert_eq!(unfold(text).fork_bombs.len(), 1, "{text}");
    }
    for text in ["f() { a | b; }; f", "f(){ f|f& }", "f() { f; }; f"] {
        assert!(unfold(text).fork_bombs.is_empty(), "{text}");
    }
}

#[test]
fn spans_point_into_the_command() {
    let text = "echo é; sudo rm -rf \"$HOME\" > log";
    let unfolded = unfold(text);
    let slice = |index: usize| {
        let span = unfolded.invocations[index].span;
        &text[span.start as usize..span.end as usize]
    };
    assert_eq!(slice(0), "echo é");
    assert_eq!(slice(1), "sudo rm -rf \"$HOME\" > log");
    let word = unfolded.invocations[2].args[1].span;
    assert_eq!(&text[word.start as usize..word.end as usize], "\"$HOME\"");
}

#[test]
fn texts_on_standard_input_are_known() {
    let unfolded = unfold("echo 'drop table x' | sudo psql");
    assert_eq!(
        unfolded.input(2).map(super::Word::shown).as_deref(),
        Some("drop table x\n")
    );
    let unfolded = unfold("psql -f <(echo 'drop table x')");
    let text = unfolded
        .process(0, 1)
        .and_then(|process| process.text.clone());
    assert_eq!(
        text.map(|text| text.shown()).as_deref(),
        Some("drop table x\n")
    );
    let unfolded = unfold("python3 - <<'E'\nprint(1)\nE");
    assert_eq!(unfolded.programs[0].interpreter, "python");
    assert_eq!(unfolded.programs[0].source.shown(), "print(1)\n");
}
