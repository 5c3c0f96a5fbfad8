//! `terminal_job_start`: what it takes, what it answers, what it refuses.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ostler_tests::binary;
use ostler_tests::jobs::id_of;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, eventually, is_alive, marker, sleepers};
use serde_json::{Value, json};

fn start(server: &mut Server, arguments: Value) -> Value {
    server.call("terminal_job_start", arguments)
}

#[test]
fn a_job_starts_and_the_answer_says_what_it_is() {
    let (mut server, marker) = (Server::start(), marker());
    let command = format!("sleep {marker}");
    let started = start(&mut server, json!({"command": command}));
    let id = id_of(&started);
    let digits = id.strip_prefix("job_").unwrap();
    assert!(digits.len() == 12 && digits.chars().all(|it| it.is_ascii_hexdigit()));
    assert!(is_alive(
        u32::try_from(started["pid"].as_u64().unwrap()).unwrap()
    ));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let age = now.as_secs_f64() - started["started_at"].as_f64().unwrap();
    assert!((-1.0..60.0).contains(&age), "{started}");
    let utc = started["started_at_utc"].as_str().unwrap();
    assert!(utc.starts_with("20") && utc.contains('T'), "{utc}");
    assert_eq!(started["name"], "sleep");
    assert_eq!(started["merged"], false);
    assert_eq!(started["auto_shell"], false);
    assert_eq!(started["shell_kind"], "direct");
    assert_eq!(started["warning"], Value::Null);
    let page = server.logs(json!({"job_id": id}));
    assert_eq!(
        (&page["status"], &page["state"]),
        (&json!("running"), &json!("running"))
    );
    assert_eq!(page["exit_code"], Value::Null);
    server.manage("signal_kill", &id);
    assert_gone(&marker);
}

#[test]
fn a_job_takes_any_command_that_a_call_takes() {
    let mut server = Server::start();
    for (command, stdout, kind) in [
        ("echo 'a   b'", "a   b\n", "direct"),
        ("echo \"x;y\"", "x;y\n", "direct"),
        ("echo a;echo b", "a\nb\n", "bash"),
        ("echo one | tr a-z A-Z", "ONE\n", "bash"),
        ("ls /nonexistent 2>/dev/null; echo $?", "2\n", "bash"),
        (
            "echo line1\necho line2\necho line3",
            "line1\nline2\nline3\n",
            "bash",
        ),
    ] {
        let started = start(&mut server, json!({"command": command}));
        assert_eq!(started["shell_kind"], kind, "{command}");
        assert_eq!(started["auto_shell"], kind == "bash", "{command}");
        assert_eq!(
            server.whole(&id_of(&started), "stdout"),
            stdout,
            "{command}"
        );
    }
    let asked = start(&mut server, json!({"command": "echo $0", "shell": true}));
    assert_eq!(
        (&asked["shell_kind"], &asked["auto_shell"]),
        (&json!("bash"), &json!(false))
    );
    assert_eq!(server.whole(&id_of(&asked), "stdout"), "/bin/bash\n");
}

#[test]
fn where_with_what_and_within_which_bounds_a_job_runs_can_be_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let shown = path.to_str().unwrap();
    let mut server = Server::start();
    let pwd = "pwd";
    for (arguments, stdout) in [
        (json!({"command": pwd, "cwd": shown}), format!("{shown}\n")),
        (
            json!({"command": pwd, "session_cwd": shown}),
            format!("{shown}\n"),
        ),
        (
            json!({"command": pwd, "cwd": "/usr", "session_cwd": shown}),
            "/usr\n".into(),
        ),
        (
            json!({"command": "echo \"$A\"", "env": {"A": "b c"}}),
            "b c\n".into(),
        ),
        (
            json!({"command": "ulimit -n", "limits": {"nofile": 44}}),
            "44\n".into(),
        ),
        (
            json!({"command": "true", "crm_principal": "somebody"}),
            String::new(),
        ),
    ] {
        let job = server.job_with(arguments.clone());
        assert_eq!(server.whole(&job, "stdout"), stdout, "{arguments}");
    }
}

#[test]
fn what_steers_zsh_is_not_passed_on_whether_or_not_variables_are_given() {
    let mut command = binary::ostler(["mcp"]);
    command
        .env("KEPT", "1")
        .env("ZDOTDIR", "/x")
        .env("ZSH_VERSION", "5");
    let mut server = Server::start_with(command);
    for env in [Value::Null, json!({})] {
        let command = "echo \"$KEPT.$ZDOTDIR.$ZSH_VERSION\"";
        let job = server.job_with(json!({"command": command, "env": env}));
        assert_eq!(server.whole(&job, "stdout"), "1..\n");
    }
}

#[test]
fn a_name_can_be_given_and_else_is_the_first_word() {
    let mut server = Server::start();
    let named = start(&mut server, json!({"command": "true", "name": "the build"}));
    assert_eq!(named["name"], "the build");
    assert_eq!(server.listed(&id_of(&named))["name"], "the build");
    let unnamed = start(&mut server, json!({"command": "echo a b"}));
    assert_eq!(unnamed["name"], "echo");
}

#[test]
fn a_destructive_job_runs_with_a_warning() {
    let mut server = Server::start();
    let started = start(
        &mut server,
        json!({"command": "rm -rf /tmp/ostler-nothing-of-this-name"}),
    );
    let warning = started["warning"].as_str().unwrap().to_lowercase();
    assert!(
        warning.contains("recursive") || warning.contains("force"),
        "{warning}"
    );
    assert!(!started["findings"].as_array().unwrap().is_empty());
    assert_eq!(server.exited(&id_of(&started))["exit_code"], 0);
}

#[test]
fn a_job_that_cannot_start_says_why_and_is_not_listed() {
    let mut server = Server::start();
    for (arguments, code, text) in [
        (
            json!({"command": "nosuchprogram --x"}),
            "spawn_failed",
            "command not found",
        ),
        (json!({"command": "/etc"}), "spawn_failed", "directory"),
        (
            json!({"command": "/etc/passwd"}),
            "spawn_failed",
            "permission",
        ),
        (json!({"command": ""}), "rejected", "empty"),
        (json!({"command": "  "}), "rejected", "empty"),
        (
            json!({"command": "echo a", "shell": "/bin/zsh"}),
            "rejected",
            "zsh",
        ),
        (json!({}), "invalid", "command"),
        (json!({"command": 5}), "invalid", "command"),
        (json!({"command": "true", "cwd": ""}), "invalid", "cwd"),
        (
            json!({"command": "true", "env": {"A": 1}}),
            "invalid",
            "env",
        ),
        (
            json!({"command": "true", "limits": {"cpus": 1}}),
            "invalid",
            "cpus",
        ),
        (
            json!({"command": "true", "timeout_sec": -1}),
            "invalid",
            "timeout_sec",
        ),
        (
            json!({"command": "true", "on_exit": "maybe"}),
            "invalid",
            "on_exit",
        ),
        (
            json!({"command": "true", "merge": true}),
            "invalid",
            "merge",
        ),
        (json!({"command": "true", "stdin": 5}), "invalid", "stdin"),
    ] {
        let request = server.begin("terminal_job_start", arguments.clone());
        let answer = server.answer(request);
        assert_eq!(answer["result"]["isError"], true, "{arguments}: {answer}");
        let result = &answer["result"]["structuredContent"];
        assert_eq!(result["code"], code, "{arguments}: {result}");
        let error = result["error"].as_str().unwrap().to_lowercase();
        assert!(error.contains(text), "{arguments}: {error}");
    }
    let result = start(
        &mut server,
        json!({"command": "true", "cwd": "/nonexistent/folder"}),
    );
    assert!(
        result["error"]
            .as_str()
            .unwrap()
            .contains("/nonexistent/folder"),
        "{result}"
    );
    assert!(result["code"].is_string());
    assert_eq!(server.jobs(), Vec::<Value>::new());
}

#[test]
fn a_refused_job_is_blocked_and_nothing_is_started() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kept"), "x").unwrap();
    let command = binary::configured(folder.path(), "[policy.settings]\nrefuse = ['fs.*']\n");
    let mut server = Server::start_with(command);
    let text = format!("rm -rf {}", folder.path().display());
    for tool in ["terminal_job_start", "terminal_exec"] {
        let result = server.call(tool, json!({"command": text}));
        assert_eq!(result["blocked"], true, "{tool}: {result}");
        assert_eq!(result["code"], "refused", "{tool}: {result}");
        assert!(
            result["error"].as_str().unwrap().contains("fs."),
            "{tool}: {result}"
        );
    }
    assert!(folder.path().join("kept").exists());
    assert_eq!(server.jobs(), Vec::<Value>::new());
}

#[test]
fn the_table_has_room_for_thirty_two() {
    let (mut server, marker) = (Server::start(), marker());
    let jobs: Vec<_> = (0..32)
        .map(|_| server.job(&format!("sleep {marker}")))
        .collect();
    let refused = start(&mut server, json!({"command": format!("sleep {marker}")}));
    assert_eq!(refused["code"], "job_limit", "{refused}");
    let error = refused["error"].as_str().unwrap();
    assert!(
        error.contains("32") && error.contains("TERMINAL_TOOLS_MAX_JOBS"),
        "{error}"
    );
    eventually("all sleep", Duration::from_secs(20), || {
        sleepers(&marker).len() == 32
    });
    // One that ends makes room.
    server.manage("signal_kill", &jobs[0]);
    server.ended(&jobs[0]);
    server.job(&format!("sleep {marker}"));
    server.hang_up();
    server.wait();
    assert_gone(&marker);
}

#[test]
fn starts_at_the_same_time_do_not_exceed_the_room_in_the_table() {
    let mut command = binary::ostler(["mcp"]);
    command.env("TERMINAL_TOOLS_MAX_JOBS", "2");
    let (mut server, marker) = (Server::start_with(command), marker());
    let arguments = json!({"command": format!("sleep {marker}")});
    let pending: Vec<_> = (0..20)
        .map(|_| server.begin("terminal_job_start", arguments.clone()))
        .collect();
    let answers: Vec<_> = pending
        .into_iter()
        .map(|it| server.structured(it))
        .collect();
    let accepted = answers.iter().filter(|it| it["job_id"].is_string()).count();
    let refused = answers
        .iter()
        .filter(|it| it["code"] == "job_limit")
        .count();
    assert_eq!((accepted, refused), (2, 18), "{answers:?}");
    assert_eq!(server.jobs().len(), 2);
    // What failed to start holds no place.
    for job in server.jobs() {
        server.manage("signal_kill", job["job_id"].as_str().unwrap());
    }
    assert_gone(&marker);
    eventually("their places are free", Duration::from_secs(20), || {
        server.jobs().iter().all(|job| job["state"] == "ended")
    });
    for _ in 0..5 {
        let failed = start(&mut server, json!({"command": "nosuchprogram"}));
        assert_eq!(failed["code"], "spawn_failed");
    }
    let job = server.job("echo room");
    assert_eq!(server.whole(&job, "stdout"), "room\n");
}

#[test]
fn no_two_jobs_share_an_id() {
    let mut server = Server::start();
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let job = server.job("true");
        server.ended(&job);
        assert!(ids.insert(job.clone()), "{job} twice");
    }
}
