//! How long a job that has ended is remembered.

use ostler_tests::server::Server;
use serde_json::json;

#[test]
fn the_last_fifty_that_ended_can_be_read_and_older_ones_are_told_how_they_ended() {
    let mut server = Server::start();
    let jobs: Vec<_> = (0..60)
        .map(|index| {
            let job = server.job(&format!("echo {index}; exit {index}"));
            server.ended(&job);
            job
        })
        .collect();
    let listed: Vec<_> = server
        .jobs()
        .iter()
        .map(|it| it["job_id"].clone())
        .collect();
    let newest: Vec<_> = jobs[10..].iter().rev().map(|id| json!(id)).collect();
    assert_eq!(listed, newest);
    for (index, job) in jobs.iter().enumerate() {
        let page = server.logs(json!({"job_id": job}));
        if index >= 10 {
            assert_eq!(page["data"], format!("{index}\n"), "{page}");
            assert_eq!(
                (&page["exit_code"], &page["eof"]),
                (&json!(index), &json!(true)),
                "{page}"
            );
            continue;
        }
        assert_eq!(page["code"], "evicted_job", "{page}");
        let error = page["error"].as_str().unwrap();
        assert!(error.contains(&index.to_string()), "how it ended: {error}");
        let answer = server.manage("signal_term", job);
        assert_eq!(
            (&answer["ok"], &answer["code"]),
            (&json!(false), &json!("evicted_job"))
        );
    }
}

#[test]
fn what_runs_is_never_forgotten() {
    let mut server = Server::start();
    let running = server.job("echo first; read go; echo last");
    for _ in 0..60 {
        let job = server.job("true");
        server.ended(&job);
    }
    server.type_in(&running, "go\n");
    assert_eq!(server.whole(&running, "stdout"), "first\nlast\n");
}

#[test]
fn a_call_that_ends_in_the_foreground_is_no_job() {
    let mut server = Server::start();
    let result = server.exec("echo done");
    assert_eq!(result["job_id"], json!(null));
    assert!(server.jobs().is_empty());
}
