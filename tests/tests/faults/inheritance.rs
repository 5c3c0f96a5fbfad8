//! What a command inherits from the server and what it does not, whatever state the server was started in.

use std::time::{Duration, Instant};

use ostler_tests::binary;
use ostler_tests::server::Server;
use ostler_tests::sweep::eventually;
use serde_json::{Value, json};

/// Standard output of a command that must succeed, run as a call and as a job.
fn outputs(server: &mut Server, command: &str) -> [String; 2] {
    let result = server.exec(command);
    assert_eq!(result["exit_code"], 0, "{command}: {result}");
    let job = server.job(command);
    [
        result["stdout"].as_str().unwrap().to_owned(),
        server.whole(&job, "stdout"),
    ]
}

#[test]
fn commands_start_clean_whatever_state_the_server_was_started_in() {
    let wrapper = [
        "env",
        "--block-signal=TERM,INT,USR1",
        "--ignore-signal=HUP,CHLD,INT,QUIT,PIPE",
    ];
    let mut server = Server::start_with(binary::under(wrapper, &["mcp"]));
    for text in outputs(&mut server, "grep -E '^Sig(Blk|Ign)' /proc/self/status") {
        for line in text.lines() {
            let mask = u64::from_str_radix(line.split_whitespace().nth(1).unwrap(), 16).unwrap();
            // glibc keeps 32 and 33 for itself.
            assert_eq!(mask & !(0b11 << 31), 0, "{line}");
        }
    }
    assert_eq!(server.exec("exit 3")["exit_code"], 3);
    let job = server.job("sleep 86400");
    server.manage("signal_int", &job);
    assert_eq!(
        server.exited(&job)["exit_code"],
        -2,
        "it hears an interrupt"
    );
}

#[test]
fn a_reader_that_leaves_ends_the_writer_silently() {
    let mut server = Server::start();
    for (command, stdout) in [
        ("yes | head -n 3", "y\ny\ny\n"),
        ("seq 1 1000000 | (read x; echo $x)", "1\n"),
        ("yes | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}", "141\n"),
    ] {
        let result = server.exec(command);
        assert_eq!(
            (&result["stdout"], &result["stderr"]),
            (&json!(stdout), &json!("")),
            "{command}"
        );
        let job = server.job(command);
        assert_eq!(server.whole(&job, "stdout"), stdout);
        assert_eq!(server.pages(&job, "stderr", 1000), "", "{command}");
    }
}

#[test]
fn a_command_sees_exactly_three_descriptors() {
    let mut server = Server::start();
    let pending = server.begin("terminal_exec", json!({"command": "sleep 0.2"}));
    // The fourth is the folder that ls itself reads.
    assert_eq!(
        outputs(&mut server, "ls /proc/self/fd"),
        ["0\n1\n2\n3\n", "0\n1\n2\n3\n"]
    );
    server.structured(pending);
}

#[test]
fn a_command_cannot_touch_the_protocol() {
    let mut server = Server::start();
    let mut pending = Vec::new();
    for round in 0..20 {
        for command in [
            "cat",
            "read x; echo \"[$x]\"",
            "echo garbage >&1",
            "exec 3>&1; echo three >&3",
            "echo g > /proc/$PPID/fd/1",
        ] {
            pending.push(server.begin("terminal_exec", json!({"command": command})));
        }
        pending.push(server.request("ping", json!({"round": round})));
    }
    // Every line is looked at as it arrives, and every request is answered once.
    for request in pending {
        server.answer(request);
    }
    assert_eq!(server.exec("echo on")["stdout"], "on\n");
}

#[test]
fn a_server_started_without_standard_descriptors_ends_or_works() {
    let hello = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
        let script = format!("echo '{hello}' | (\"$@\" {closed})");
        let mut command = binary::under(["bash", "-c", &script, "bash"], &["mcp"]);
        let mut child = command.spawn().unwrap();
        eventually("the server ends", Duration::from_secs(20), || {
            child.try_wait().unwrap().is_some()
        });
    }
}

#[test]
fn a_command_that_asks_a_person_fails_instead_of_hanging() {
    let mut server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let started = Instant::now();
    for command in [
        "read x </dev/tty",
        "exec <>/dev/tty; read -s password",
        "sh -c ': </dev/tty'",
        "sh -c 'printf \"continue? \" >/dev/tty; read a </dev/tty'",
        "git init -q . && git -c user.name=a -c user.email=b commit --allow-empty",
    ] {
        let arguments = json!({
            "command": command, "cwd": folder.path(), "timeout_sec": 15, "auto_background_after_sec": 0,
        });
        let result = server.call("terminal_exec", arguments);
        assert_ne!(result["exit_code"], 0, "{command}: {result}");
        assert_eq!(result["timed_out"], false, "{command}: {result}");
    }
    assert!(started.elapsed() < Duration::from_secs(30));
    for program in ["/usr/bin/sudo", "/usr/bin/ssh"] {
        if !std::path::Path::new(program).exists() {
            println!("skipped: no {program}");
            continue;
        }
        let command = if program.ends_with("sudo") {
            "sudo -k; sudo -u nobody true </dev/null"
        } else {
            "ssh -o StrictHostKeyChecking=ask -o ConnectTimeout=5 -p 1 127.0.0.1 true"
        };
        let result = server.exec(command);
        assert_eq!(result["timed_out"], false, "{command}: {result}");
        assert_eq!(result["end_reason"], "exited", "{command}: {result}");
    }
}

#[test]
fn stdin_ends_at_once_unless_it_is_given() {
    let mut server = Server::start();
    for command in ["cat", "wc -c", "bash -s", "read x; echo \"$?$x\""] {
        let result = server.exec(command);
        assert_eq!(result["timed_out"], false, "{command}");
        let stdout = result["stdout"].as_str().unwrap();
        assert!(["", "0\n", "1\n"].contains(&stdout), "{command}: {stdout}");
    }
    // Whatever stands on it, as much as it wants, and no harm if it wants less.
    let payload = "0123456789abcde\n".repeat(1 << 18);
    for (command, code, stdout) in [
        ("wc -c", 0, "4194304\n"),
        ("head -c 10", 0, "0123456789"),
        ("sh -c 'exit 7'", 7, ""),
    ] {
        let result = server.call(
            "terminal_exec",
            json!({"command": command, "stdin": payload}),
        );
        assert_eq!(result["exit_code"], code, "{command}: {}", result["stderr"]);
        assert_eq!(result["stdout"], stdout, "{command}");
    }
    let echoed = server.call(
        "terminal_exec",
        json!({
            "command": "cat", "stdin": payload, "max_output_kb": 8192,
        }),
    );
    assert!(
        echoed["stdout"] == payload,
        "cat gives back what it was given"
    );
}

#[test]
fn the_path_and_the_variables_of_the_server_reach_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let tool = folder.path().join("ostler-test-tool");
    std::fs::copy("/bin/true", &tool).unwrap();
    let mut command = binary::ostler(["mcp"]);
    let path = format!(
        "{}:{}",
        folder.path().display(),
        std::env::var("PATH").unwrap()
    );
    command.env("PATH", &path).env("FOO_T", "hello");
    command
        .env("BASH_ENV", "/nonexistent/zsh-things")
        .env("ENV", "/nonexistent/zsh-things");
    let mut server = Server::start_with(command);
    for text in outputs(&mut server, "echo $FOO_T; command -v ostler-test-tool") {
        assert_eq!(text, format!("hello\n{}\n", tool.display()));
    }
    let result = server.exec("echo ok; :");
    assert_eq!(
        (&result["stdout"], &result["stderr"]),
        (&json!("ok\n"), &json!("")),
        "{result}"
    );
}

#[test]
fn the_limits_are_those_that_the_server_was_started_with() {
    let wrapper = ["prlimit", "--nofile=777:888"];
    let mut server = Server::start_with(binary::under(wrapper, &["mcp"]));
    // The server itself takes what it may.
    let own = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
    let own = own
        .lines()
        .find(|line| line.starts_with("Max open files"))
        .unwrap();
    assert_eq!(own.split_whitespace().nth(3), Some("888"), "{own}");
    for text in outputs(&mut server, "ulimit -Sn; ulimit -Hn") {
        assert_eq!(text, "777\n888\n");
    }
    let warden = ostler_tests::procfs::descendants(server.pid())[0];
    send_kill(warden);
    eventually("a new warden", Duration::from_secs(20), || {
        server.exec("ulimit -Sn")["stdout"] == "777\n"
    });
    let arguments = json!({"command": "ulimit -Sn; ulimit -Hn", "limits": {"nofile": 64}});
    assert_eq!(
        server.call("terminal_exec", arguments)["stdout"],
        "64\n64\n"
    );
}

fn send_kill(pid: u32) {
    let status = std::process::Command::new("kill")
        .args(["-9", &pid.to_string()])
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn text_beyond_ascii_passes_without_a_locale() {
    let bare = [
        "env",
        "-i",
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "OSTLER_CONFIG=/dev/null",
    ];
    let mut server = Server::start_with(binary::under(bare, &["mcp"]));
    for text in outputs(
        &mut server,
        "printf %s 'ABC你好DEF' | od -An -tx1 | tr -d ' \\n'",
    ) {
        assert_eq!(text, "414243e4bda0e5a5bd444546");
    }
    for text in outputs(&mut server, "printf 'b\\nB\\na\\n' | sort") {
        assert_eq!(text, "B\na\nb\n", "the order of bytes");
    }
    let arguments = json!({"command": "echo \"$LANG\"", "env": {"LANG": "de_DE.UTF-8"}});
    assert_eq!(
        server.call("terminal_exec", arguments)["stdout"],
        "de_DE.UTF-8\n"
    );
}

#[test]
fn programs_see_that_nobody_watches_and_use_no_colour() {
    let mut server = Server::start();
    for text in outputs(
        &mut server,
        "ls --color=auto /; [ -t 1 ] || echo no terminal",
    ) {
        assert!(
            !text.contains('\x1b') && text.ends_with("no terminal\n"),
            "{text}"
        );
    }
}

#[test]
fn a_shell_reads_no_start_up_files_and_takes_no_part_of_a_terminal() {
    let home = tempfile::tempdir().unwrap();
    for name in [".bashrc", ".bash_profile", ".profile", ".zshrc"] {
        std::fs::write(
            home.path().join(name),
            "echo from a start-up file; exit 9\n",
        )
        .unwrap();
    }
    let mut command = binary::ostler(["mcp"]);
    command.env("HOME", home.path()).env("SHELL", "/bin/zsh");
    let mut server = Server::start_with(command);
    let result = server.exec("echo ok; case $- in *i*) echo interactive;; esac");
    assert_eq!(
        (&result["stdout"], &result["shell_kind"]),
        (&json!("ok\n"), &json!("bash"))
    );
    let result = server.exec("ps -o tty= -p $$; :");
    assert_eq!(result["stdout"].as_str().unwrap().trim(), "?", "{result}");
    assert_eq!(result["error"], Value::Null);
}
