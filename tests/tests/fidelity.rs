//! What goes in arrives as it was given, and what comes out is shown as it was written.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use ostler_tests::server::Server;
use serde_json::{Value, json};

#[test]
fn the_text_of_a_command_reaches_the_shell_unchanged() {
    let mut server = Server::start();
    for (command, stdout) in [
        ("printf '%s' ' != ' | xxd -p", "20213d20\n"),
        ("echo \"wow!\" '!x' !", "wow! !x !\n"),
        (
            "cat <<'E'\n$lines += 'hello world'\nE",
            "$lines += 'hello world'\n",
        ),
        ("cat <<'E'\ntwo: C:\\\\Users\nE", "two: C:\\\\Users\n"),
        (
            "printf '%s' 'C:\\\\x' | od -An -c | tr -d ' \\n'",
            "C:\\\\x",
        ),
        ("true | true; { echo in; }", "in\n"),
        ("bash <<'MY-MARK'\necho hi | cat\nMY-MARK", "hi\n"),
        ("true | true; [ $$ -gt 1 ] && echo a number", "a number\n"),
        ("seq 2 | wc -l", "2\n"),
        ("echo 'x $(y)' | cat", "x $(y)\n"),
        ("echo \"$(echo a; echo b)\"", "a\nb\n"),
        ("f=$(mktemp); echo hi >$f; cat < $f; rm $f", "hi\n"),
        ("awk 'BEGIN{printf \"%s\\n\",\"a\"}' <<< x", "a\n"),
        ("cat <<A; cat <<B\none\nA\ntwo\nB", "one\ntwo\n"),
        ("echo 'it'\\''s'", "it's\n"),
        ("echo a\\\nb", "ab\n"),
        ("echo a\\ \\ b", "a  b\n"),
        ("echo $'tab\\there'", "tab\there\n"),
        ("echo ~root | cut -c1-1", "/\n"),
        ("echo \"äöü € 你好 🦀\"", "äöü € 你好 🦀\n"),
        ("echo 'a\tb'", "a\tb\n"),
        ("  echo   led by blanks  ", "led by blanks\n"),
        ("\n\necho led by lines\n\n", "led by lines\n"),
        ("# a remark\necho after it # and before", "after it\n"),
        ("echo \"${x:-default}\" ${#x}", "default 0\n"),
        ("[[ abc =~ b ]] && echo matches", "matches\n"),
        ("printf '%s|' a 'b c' \"d  e\"", "a|b c|d  e|"),
        ("echo '%s %d' \\%", "%s %d %\n"),
        ("echo '*' \"?\"", "* ?\n"),
        ("bash -c 'echo \"$1\"' x '$(echo no)'", "$(echo no)\n"),
    ] {
        let result = server.exec(command);
        assert_eq!(result["stdout"], stdout, "{command}: {result}");
        assert_eq!(result["exit_code"], 0, "{command}");
        let job = server.job(command);
        assert_eq!(server.whole(&job, "stdout"), stdout, "as a job: {command}");
    }
}

#[test]
fn the_mistakes_of_a_command_are_told_by_the_shell_itself() {
    let mut server = Server::start();
    for command in [
        "echo $(",
        "if true",
        "echo \"a",
        "cat <<E",
        "for x in; do",
        "( echo",
        "done",
    ] {
        let result = server.exec(command);
        assert_eq!(result["error"], Value::Null, "{command}: {result}");
        let stderr = result["stderr"].as_str().unwrap();
        assert!(stderr.contains("bash:"), "{command}: {result}");
    }
    assert_eq!(server.exec("echo $(")["exit_code"], 2);
}

#[test]
fn a_search_for_processes_does_not_find_the_command_that_searches() {
    let mut server = Server::start();
    let job = server.job("read go");
    let result = server.exec("pkill -f 'zz-marker-123'");
    assert_eq!(
        (&result["exit_code"], &result["signal"]),
        (&json!(1), &Value::Null),
        "{result}"
    );
    assert_eq!(server.logs(json!({"job_id": job}))["status"], "running");
    server.manage("close_stdin", &job);
    server.ended(&job);
}

#[test]
fn both_streams_are_shown_whatever_the_exit() {
    let mut server = Server::start();
    for (command, code, stdout, stderr) in [
        (
            "echo E501 line too long; exit 1",
            1,
            "E501 line too long\n",
            "",
        ),
        ("echo out; echo err >&2; exit 42", 42, "out\n", "err\n"),
        ("true", 0, "", ""),
        ("printf test; pwd", 0, "test/usr\n", ""),
        ("echo >&2 only stderr", 0, "", "only stderr\n"),
        ("printf 'no newline'", 0, "no newline", ""),
        ("kill -9 $$", -9, "", ""),
    ] {
        let result = server.call("terminal_exec", json!({"command": command, "cwd": "/usr"}));
        assert_eq!(result["exit_code"], code, "{command}: {result}");
        assert_eq!(
            (&result["stdout"], &result["stderr"]),
            (&json!(stdout), &json!(stderr)),
            "{command}"
        );
        assert_eq!(result["error"], Value::Null, "{command}: {result}");
    }
}

#[test]
fn silence_is_success_every_time() {
    let mut server = Server::start();
    for _ in 0..500 {
        let result = server.exec("true");
        assert_eq!(
            (&result["exit_code"], &result["stdout"]),
            (&json!(0), &json!("")),
            "{result}"
        );
        assert_eq!(
            (&result["semantic_status"], &result["error"]),
            (&json!("ok"), &Value::Null),
            "{result}"
        );
    }
}

#[test]
fn a_long_output_is_the_same_every_time() {
    let mut server = Server::start();
    let expected: String = (1..=100_000).map(|number| format!("{number}\n")).collect();
    assert_eq!(expected.len(), 588_895);
    for _ in 0..40 {
        let arguments = json!({"command": "seq 1 100000", "max_output_kb": 1024});
        let result = server.call("terminal_exec", arguments);
        assert!(
            result["stdout"] == expected,
            "{} bytes",
            result["stdout"].as_str().unwrap().len()
        );
        assert_eq!(result["stdout_truncated_bytes"], 0);
    }
}

#[test]
fn the_last_line_of_a_long_output_is_not_lost() {
    let mut server = Server::start();
    let command = "head -c 600000 /dev/zero | tr '\\0' x; echo; echo RESULT=42";
    let result = server.call(
        "terminal_exec",
        json!({"command": command, "max_output_kb": 1}),
    );
    let handle = result["output_handle"].as_str().unwrap();
    let omitted = result["stdout_truncated_bytes"].as_u64().unwrap();
    assert_eq!(
        omitted + result["stdout"].as_str().unwrap().len() as u64,
        600_011
    );
    let (mut text, mut offset) = (String::new(), json!(0));
    loop {
        let page = server.call(
            "terminal_output_get",
            json!({
                "output_handle": handle, "since_offset": offset, "max_kb": 256,
            }),
        );
        text.push_str(page["data"].as_str().unwrap());
        offset = page["next_offset"].clone();
        if page["eof"] == true {
            break;
        }
    }
    assert!(text.contains("RESULT=42\n"));
}

#[test]
fn characters_are_whole_however_they_are_written() {
    let mut server = Server::start();
    let wide = "yes 你 | tr -d '\\n' | head -c 150000";
    let result = server.call(
        "terminal_exec",
        json!({"command": wide, "max_output_kb": 1024}),
    );
    assert_eq!(result["stdout"], "你".repeat(50_000));
    let bytewise = "for b in f0 9f a6 80; do printf \"\\\\x$b\"; sleep 0.05; done";
    assert_eq!(server.exec(bytewise)["stdout"], "🦀");
    // The cap falls into the middle of a character.
    let cut = "head -c 1023 /dev/zero | tr '\\0' x; for i in $(seq 600); do printf é; done";
    let result = server.call("terminal_exec", json!({"command": cut, "max_output_kb": 1}));
    let shown = result["stdout"].as_str().unwrap();
    assert!(!shown.contains('\u{fffd}'), "{shown}");
    assert_eq!(
        shown.len() as u64 + result["stdout_truncated_bytes"].as_u64().unwrap(),
        2223
    );
}

#[test]
fn every_byte_value_arrives_as_valid_json() {
    let mut server = Server::start();
    let command = "for i in $(seq 0 255); do printf \"\\\\x$(printf %02x $i)\"; done";
    let result = server.exec(command);
    let text = result["stdout"].as_str().unwrap();
    let ascii: String = (1..128_u8).map(char::from).collect();
    let rest = text.strip_prefix(&format!("␀{ascii}")).unwrap();
    assert!(rest.chars().all(|it| it == '\u{fffd}'));
    let result = server.exec("printf 'a\\0b\\n'; head -c 4096 /bin/sh");
    assert!(
        result["stdout"].as_str().unwrap().starts_with("a␀b\n"),
        "{result}"
    );
    // Characters of three bytes across the edges of 64 KiB reads.
    let result = server.exec("yes '€' | tr -d '\\n' | head -c 240000");
    assert_eq!(result["stdout"].as_str().unwrap(), "€".repeat(80_000));
}

#[test]
fn what_was_never_run_gives_its_exit_no_harmless_meaning() {
    let mut server = Server::start();
    for command in [
        "sh -c 'exit 1' && rg needle /dev/null",
        "false && grep needle /etc/passwd",
        "sh -c 'exit 1' && diff /etc/passwd /etc/group",
        "false && test -e /nonexistent",
        "(exit 1) && find / -maxdepth 0",
        "cd /nonexistent && grep needle x",
    ] {
        let result = server.exec(command);
        assert_ne!(result["semantic_status"], "ok", "{command}: {result}");
    }
}

#[test]
fn a_wrapper_does_not_hide_what_an_exit_means() {
    let mut server = Server::start();
    for command in [
        "timeout 5 grep zzz-no-such /etc/passwd",
        "LC_ALL=C grep zzz-no-such /etc/passwd",
        "env LC_ALL=C nice grep zzz-no-such /etc/passwd",
        "nohup grep zzz-no-such /etc/passwd",
        "stdbuf -o0 grep zzz-no-such /etc/passwd",
        "command grep zzz-no-such /etc/passwd",
        "time grep zzz-no-such /etc/passwd",
    ] {
        let result = server.exec(command);
        assert_eq!(
            (&result["exit_code"], &result["semantic_status"]),
            (&json!(1), &json!("ok")),
            "{command}: {result}"
        );
        let message = result["semantic_message"].as_str().unwrap();
        assert!(message.contains("No matches found"), "{command}: {message}");
    }
}

#[test]
fn the_tools_are_those_of_the_system() {
    let mut server = Server::start();
    let result = server.exec("grep -c zz /etc/hostname; echo alive rc=$?");
    assert_eq!(result["stdout"], "0\nalive rc=1\n");
    assert_eq!(server.exec("type -t grep; alias")["stdout"], "file\n");
}

#[test]
fn a_death_by_signal_is_told_apart_from_an_exit_that_looks_like_one() {
    let mut server = Server::start();
    for (name, number) in [("KILL", 9), ("USR1", 10), ("SEGV", 11)] {
        let result = server.exec(&format!("kill -{name} $$"));
        assert_eq!(
            (&result["exit_code"], &result["signal"]),
            (&json!(-number), &json!(format!("SIG{name}")))
        );
        assert_eq!(
            (&result["end_reason"], &result["semantic_status"]),
            (&json!("signalled"), &json!("signal"))
        );
        assert_eq!(result["signal_sender"], Value::Null, "{result}");
    }
    let result = server.exec("sh -c 'sh -c \"kill -9 \\$\\$\"; exit $?'");
    assert_eq!(
        (&result["exit_code"], &result["signal"]),
        (&json!(137), &Value::Null),
        "{result}"
    );
    assert_eq!(result["end_reason"], "exited");
}

#[test]
fn every_exit_code_is_reported_exactly() {
    let mut server = Server::start();
    let pending: Vec<_> = (0..=255)
        .map(|code| server.begin("terminal_exec", json!({"command": format!("exit {code}")})))
        .collect();
    for (code, request) in pending.into_iter().enumerate() {
        assert_eq!(server.structured(request)["exit_code"], code);
    }
}

#[test]
fn every_deadly_signal_is_reported_exactly() {
    let mut server = Server::start();
    // CHLD, CONT, URG and WINCH are ignored by default; STOP, TSTP, TTIN and TTOU stop.
    let harmless = [17, 18, 19, 20, 21, 22, 23, 28];
    for signal in (1..=31).filter(|signal| !harmless.contains(signal)) {
        // A shell ignores some signals for itself; what it becomes by exec does not.
        let killer = format!("(while kill -{signal} $$ 2>/dev/null; do sleep 0.01; done) &");
        let result = server.exec(&format!("{killer} exec sleep 86400"));
        assert_eq!(result["exit_code"], -signal, "{result}");
        assert_eq!(result["semantic_status"], "signal", "{result}");
    }
}
