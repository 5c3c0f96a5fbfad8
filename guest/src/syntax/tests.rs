//! What a command line is found to reach.

use super::{Stdin, Unfolded, Via, unfold, unfold_as};
use crate::model::Dialect;

/// Each invocation as `via>via program arguments`, in text order.
fn shown(unfolded: &Unfolded) -> Vec<String> {
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

fn reaches(text: &str, command: &str) {
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
fn wrappers_are_taken_off() {
    for text in [
        "sudo rm x",
        "sudo -u bob -E A=1 rm x",
        "sudo --user=bob -- rm x",
        "sudo -ubob rm x",
        "doas -u bob rm x",
        "su -c 'rm x'",
        "su - bob -c 'rm x'",
        "su bob -- -c 'rm x'",
        "runuser -u bob -- rm x",
        "env rm x",
        "env -i -u B A=1 rm x",
        "env -S 'rm x'",
        "env -S 'A=1 rm' x",
        "env - rm x",
        "nice -n 10 rm x",
        "nice -10 rm x",
        "ionice -c 3 rm x",
        "nohup rm x",
        "/usr/bin/time -f %e rm x",
        "timeout -k 5 -s KILL 60s rm x",
        "timeout --signal KILL 5 rm x",
        "command rm x",
        "builtin command rm x",
        "exec -a ls rm x",
        "stdbuf -oL rm x",
        "setsid -f rm x",
        "flock /tmp/l rm x",
        "flock -n /tmp/l -c 'rm x'",
        "flock l -c 'rm x'",
        "watch -n 1 rm x",
        "watch 'rm x'",
        "watch -x rm x",
        "strace -f -o log rm x",
        "chroot /mnt rm x",
        "unshare -r rm x",
        "nsenter -t 1 -m rm x",
        "systemd-run --user -p A=b rm x",
        "taskset -c 0 rm x",
        "chrt -f 10 rm x",
        "setarch x86_64 -R rm x",
        "setarch -R rm x",
        "caffeinate -t 5 rm x",
        "busybox rm x",
        "script -q -c 'rm x' /dev/null",
        "script -q /dev/null rm x",
        "ls | entr rm x",
        "find . -exec rm x ';'",
        "find . -exec ls '{}' + -exec rm x ';'",
        "find . -execdir rm x \\;",
        "echo x | xargs rm",
        "echo x | xargs -I{} rm {}",
        "echo x | xargs -n1 -P 4 rm",
        "parallel rm ::: x",
        "parallel ::: 'rm x'",
        "ssh host rm x",
        "ssh -p 22 -i k user@host 'rm x'",
        "ssh host -- sudo rm x",
        "ssh -o ProxyCommand='rm x' host",
        "docker exec -it box rm x",
        "docker run --rm -v a:b image rm x",
        "docker run --entrypoint rm image x",
        "docker compose -f a.yml exec -T web rm x",
        "kubectl exec -n n pod -c app -- rm x",
        "kubectl exec pod -- sh -c 'rm x'",
        "bash -c 'rm x'",
        "bash -xc 'rm x'",
        "bash -o pipefail -c 'rm x'",
        "sh -c -- 'rm x'",
        "bash -c '\"$@\"' _ rm x",
        "bash -c '$0 x' rm",
        "eval 'rm x'",
        "eval rm x",
        "trap 'rm x' EXIT",
        "trap -- 'rm x' DEBUG",
        "git -c alias.z='!rm x' z",
        "git bisect run rm x",
        "git submodule foreach 'rm x'",
        "git submodule foreach --recursive rm x",
        "git rebase -i --exec 'rm x' main",
        "git filter-branch --tree-filter 'rm x' HEAD",
        "tmux send-keys -t 0 'rm x' Enter",
        "tmux new-session -d 'rm x'",
        "screen -dmS name rm x",
        "sqlite3 :memory: '.shell rm x'",
        "vim -c ':!rm x' y",
        "tar cf a --checkpoint-action=exec='rm x' b",
        "zip a b -T -TT 'rm x'",
        "EDITOR='rm x' crontab -e",
        "make -f - <<< $'all:\\n\\trm x'",
        "nix-shell --run 'rm x'",
        "sudo env nice -n 5 timeout 5 bash -c 'sudo rm x'",
        "coproc sudo rm x",
        "$(which sudo) rm x",
    ] {
        reaches(text, "rm x");
    }
}

#[test]
fn operands_that_a_wrapper_adds_are_unknown_unless_the_text_tells_them() {
    reaches("fd -x rm", "rm $(…)");
    reaches("find src -exec rm -rf '{}' +", "rm -rf src$(…)");
    reaches("cat list | xargs rm", "rm $(…)");
    reaches("echo a b | xargs rm", "rm a b");
    reaches("printf 'a\\nb\\n' | xargs -I{} rm {}.o", "rm b.o");
}

#[test]
fn carried_texts_are_unfolded() {
    for text in [
        "bash <<E\nrm x\nE",
        "bash <<'E'\nrm x\nE",
        "bash <<E",
        "bash <<E\nrm x",
        "bash -s <<< 'rm x'",
        "sudo -u x bash <<< 'rm x'",
        "echo 'rm x' | sh",
        "echo rm x | sudo sh",
        "printf 'rm %s\\n' x | bash",
        "echo 'rm x' | tee log | bash --norc",
        "echo cm0geA== | base64 -d | sh",
        "base64 -d <<< cm0geA== | bash",
        "echo 'x mr' | rev | sh",
        "(echo rm x) | sh",
        "{ echo a; echo rm x; } | sh",
        "for w in rm; do echo $w x; done | sh",
        "cat <<E | bash\nrm x\nE",
        "eval \"$(echo rm x)\"",
        "eval \"$(echo cm0geA== | base64 -d)\"",
        "bash -c \"$(printf 'rm x')\"",
        "source <(echo 'rm x')",
        ". <(echo 'rm x')",
        "bash <(echo 'rm x')",
        "bash --rcfile <(echo 'rm x') -i",
        "bash < <(echo 'rm x')",
        "echo 'rm x' > a; . ./a",
        "echo 'rm x' > a.sh && bash a.sh",
        "cat > a.sh <<E\nrm x\nE\nchmod +x a.sh; ./a.sh",
        "echo 'rm x' | tee a.sh; sh a.sh",
        "echo 'rm x' | while read -r l; do eval \"$l\"; done",
        "echo 'rm x' | at now",
        "echo 'rm x' | ssh host",
        "ssh host bash <<E\nrm x\nE",
        "docker exec -i box sh <<E\nrm x\nE",
        "echo 'rm x' | parallel",
        "python3 -c 'print(\"rm x\")' | bash",
        "awk 'BEGIN{print \"rm x\"}' | sh",
        "f() { rm \"$@\"; }; f x",
        "f() { $@; }; f rm x",
        "f() { eval \"$1\"; }; f 'rm x'",
        "function g { rm \"$1\"; }; g x",
        "shopt -s expand_aliases\nalias a='rm'\na x",
        "bash -i -c $'alias a=rm\\na x'",
        "x=rm; export x; bash -c '$x x'",
        "x=rm bash -c '$x x'",
        "yes 'rm x' | sh",
        "trap \"$(echo cm0geA== | base64 -d)\" EXIT",
        "sed 's/X/rm/' <<< 'X x' | sh",
    ] {
        if text != "bash <<E" {
            reaches(text, "rm x");
        }
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

#[test]
fn powershell_is_unfolded() {
    let reached = |text: &str| shown(&unfold_as(Dialect::Powershell, text));
    assert_eq!(
        reached("Remove-Item –Recurse C:\\x"),
        ["Remove-Item –Recurse C:\\x"]
    );
    assert_eq!(reached("Re`move-Item x"), ["Remove-Item x"]);
    for text in [
        "& Remove-Item x",
        "& 'Remove-Item' x",
        "$c = 'Remove-Item'; & $c x",
        "if (Test-Path x) { Remove-Item x }",
        "foreach ($i in 1..3) { Remove-Item x }",
        "Start-Job { Remove-Item x }",
        "Invoke-Command -ScriptBlock { Remove-Item x }",
        "Invoke-Expression 'Remove-Item x'",
        "'Remove-Item x' | iex",
        "powershell -NoProfile -Command \"Remove-Item x\"",
        "pwsh -c 'Remove-Item x'",
        "try { a } finally { Remove-Item x }",
        "function f { Remove-Item x }; f",
        "Set-Alias z Remove-Item; z x",
        "$sb = { Remove-Item x }; & $sb",
        "echo (Remove-Item x)",
        "a; Remove-Item x; b",
        "a && Remove-Item x",
        "@(Remove-Item x)",
        "$y = Remove-Item x",
        "powershell -EncodedCommand UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAeAA=",
    ] {
        let reached = reached(text);
        assert!(
            reached.iter().any(|line| line == "Remove-Item x"),
            "{text}: {reached:?}"
        );
    }
    for text in [
        "# Remove-Item x",
        "<# Remove-Item x #> Get-Date",
        "$x = 'Remove-Item x'",
        "$sb = { Remove-Item x }",
        "function f { Remove-Item x }",
        "Write-Output \u{201c}Remove-Item x\u{201d}",
        "'Remove-Item x' | Out-File y",
    ] {
        let reached = reached(text);
        assert!(
            !reached.iter().any(|line| line.starts_with("Remove-Item")),
            "{text}: {reached:?}"
        );
    }
    assert_eq!(
        reached("bash -c 'rm x'").last().map(String::as_str),
        Some("rm x")
    );
}

#[test]
fn cmd_is_unfolded() {
    let reached = |text: &str| shown(&unfold_as(Dialect::Cmd, text));
    assert_eq!(
        reached("cd .. && rd /s /q src & dir"),
        ["cd ..", "rd /s /q src", "dir"]
    );
    for text in [
        "r^d /s /q src",
        "rd/s/q src",
        "cmd /c \"rd /s /q src\"",
        "cmd.exe /d /c rd /s /q src",
        "if exist src rd /s /q src",
        "if not \"%a%\"==\"b\" (rd /s /q src) else dir",
        "if a==b (dir) else (rd /s /q src)",
        "for %i in (a b) do rd /s /q src",
        "for /d %%i in (*) do @rd /s /q src",
        "echo rd /s /q src | cmd",
        "set c=rd& call %c% /s /q src",
        "(dir & rd /s /q src)",
        "call rd /s /q src",
        "start \"\" /wait rd /s /q src",
        "forfiles /c \"rd /s /q src\"",
        "dir\nrd /s /q src",
        "powershell -c \"cmd /c rd /s /q src\"",
    ] {
        let reached = reached(text);
        assert!(
            reached.iter().any(|line| line == "rd /s /q src"),
            "{text}: {reached:?}"
        );
    }
    for text in [
        "echo rd /s /q src",
        ":: rd /s /q src",
        "rem rd /s /q src",
        "set CMD=rd /s /q src",
    ] {
        let reached = reached(text);
        assert!(
            !reached.iter().any(|line| line.starts_with("rd")),
            "{text}: {reached:?}"
        );
    }
    assert_eq!(
        reached("bash -c \"rm x\"").last().map(String::as_str),
        Some("rm x")
    );
}
