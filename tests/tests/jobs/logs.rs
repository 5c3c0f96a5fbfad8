//! `terminal_job_logs`: pages by offset, in text or in bytes, and what is wrong with an offset.

use ostler_tests::binary;
use ostler_tests::server::Server;
use ostler_tests::sweep::{assert_gone, marker};
use serde_json::{Value, json};

#[test]
fn output_is_read_with_the_ending() {
    let mut server = Server::start();
    let job = server.job("echo line1; echo line2; echo line3");
    let page = server.exited(&job);
    assert_eq!(page["data"], "line1\nline2\nline3\n");
    assert_eq!(
        (&page["status"], &page["exit_code"]),
        (&json!("exited"), &json!(0))
    );
    assert_eq!(
        (&page["offset"], &page["next_offset"]),
        (&json!(0), &json!(18))
    );
    assert_eq!(
        (&page["eof"], &page["total_bytes"]),
        (&json!(true), &json!(18))
    );
    assert_eq!(page["truncated_bytes_dropped"], 0);
    assert!(page["runtime_ms"].is_u64(), "{page}");
}

#[test]
fn offsets_collect_every_line_while_it_is_written() {
    let mut server = Server::start();
    let job = server.job("for i in 1 2 3 4 5; do echo line$i; sleep 0.1; done");
    let (mut text, mut offset) = (String::new(), json!(0));
    loop {
        let page = server.logs(json!({"job_id": job, "since_offset": offset}));
        assert_eq!(page["offset"], offset);
        text.push_str(page["data"].as_str().unwrap());
        offset = page["next_offset"].clone();
        if page["eof"] == true {
            break;
        }
        // Waiting is the server's business.
        server.logs(json!({
            "job_id": job, "since_offset": offset, "wait_for": "line", "wait_timeout_sec": 5,
        }));
    }
    assert_eq!(text, "line1\nline2\nline3\nline4\nline5\n");
}

#[test]
fn reading_changes_nothing() {
    let (mut server, marker) = (Server::start(), marker());
    let job = server.job(&format!("echo abc; sleep {marker}"));
    server.shows(&job, "stdout", "abc");
    let part = json!({"job_id": job, "since_offset": 1, "max_bytes": 100});
    let page = server.logs(part.clone());
    assert_eq!(page["data"], "bc\n");
    for _ in 0..3 {
        let again = server.logs(part.clone());
        for key in [
            "data",
            "offset",
            "next_offset",
            "eof",
            "status",
            "total_bytes",
        ] {
            assert_eq!(again[key], page[key], "{key}");
        }
    }
    server.manage("signal_kill", &job);
    assert_gone(&marker);
}

#[test]
fn streams_are_kept_apart_unless_they_were_merged() {
    let mut server = Server::start();
    let command = "echo out; echo err >&2";
    let apart = server.job(command);
    assert_eq!(server.whole(&apart, "stdout"), "out\n");
    assert_eq!(server.whole(&apart, "stderr"), "err\n");
    let merged = server.job_with(json!({"command": command, "merge_stderr": true}));
    assert_eq!(server.whole(&merged, "merged"), "out\nerr\n");
    assert_eq!(server.listed(&merged)["merged"], true);
    for (job, stream) in [(&apart, "merged"), (&merged, "stderr"), (&apart, "stdlog")] {
        let page = server.logs(json!({"job_id": job, "stream": stream}));
        assert_eq!(page["code"], "no_such_stream", "{stream}: {page}");
        assert!(
            page["error"].as_str().unwrap().contains(stream),
            "{stream}: {page}"
        );
    }
}

#[test]
fn the_tail_is_the_end_of_the_stream_cut_between_characters() {
    let mut server = Server::start();
    let job = server.job("seq 1 1000; printf '€€€€'");
    server.exited(&job);
    for (max_bytes, tail) in [(12, "€€€€"), (13, "\n€€€€"), (11, "€€€"), (4, "€")]
    {
        let page = server.logs(json!({"job_id": job, "tail": true, "max_bytes": max_bytes}));
        assert_eq!(page["data"], tail, "{max_bytes}: {page}");
        assert_eq!(page["next_offset"], page["total_bytes"]);
        let begin = page["total_bytes"].as_u64().unwrap() - tail.len() as u64;
        assert_eq!(page["offset"], begin, "{max_bytes}: {page}");
        assert_eq!(page["eof"], true);
    }
    // What was asked for as an offset does not count then.
    let page = server.logs(json!({
        "job_id": job, "tail": true, "max_bytes": 12, "since_offset": 5,
    }));
    assert_eq!(page["data"], "€€€€");
}

#[test]
fn a_page_never_splits_a_character() {
    let mut server = Server::start();
    let text = "aé€𝄞".repeat(40);
    let job = server.job(&format!("printf %s '{text}'"));
    server.exited(&job);
    for max_bytes in 1..=9 {
        assert_eq!(server.pages(&job, "stdout", max_bytes), text, "{max_bytes}");
    }
}

#[test]
fn a_character_that_is_not_complete_yet_waits_for_its_rest() {
    let mut server = Server::start();
    let job = server.job("printf 'x\\xe2\\x82'; read go; printf '\\xac'; read go; printf '\\xe2'");
    let page = server.shows(&job, "stdout", "x");
    assert_eq!(
        (&page["data"], &page["next_offset"]),
        (&json!("x"), &json!(1)),
        "{page}"
    );
    let page = server.logs(json!({"job_id": job, "since_offset": 1}));
    assert_eq!(
        (&page["data"], &page["next_offset"]),
        (&json!(""), &json!(1)),
        "{page}"
    );
    assert_eq!(page["eof"], false);
    server.type_in(&job, "go\n");
    let page = server.logs(json!({
        "job_id": job, "since_offset": 1, "wait_for": "€", "wait_timeout_sec": 45,
    }));
    assert_eq!(
        (&page["data"], &page["next_offset"]),
        (&json!("€"), &json!(4)),
        "{page}"
    );
    assert_eq!(page["encoding"], Value::Null, "{page}");
    server.type_in(&job, "go\n");
    server.exited(&job);
    // The rest of this one never comes.
    let page = server.logs(json!({"job_id": job, "since_offset": 4}));
    assert_eq!(
        (&page["data"], &page["next_offset"]),
        (&json!("\u{fffd}"), &json!(5)),
        "{page}"
    );
    assert_eq!(
        (&page["eof"], &page["encoding"]),
        (&json!(true), &json!("utf-8-lossy")),
        "{page}"
    );
}

#[test]
fn bytes_that_are_no_text_can_be_had_exactly() {
    let mut server = Server::start();
    let bytes = "for i in $(seq 0 255); do printf \"\\\\x$(printf %02x $i)\"; done";
    let expected = server.exec(&format!("({bytes}) | base64 -w 0"));
    let job = server.job(bytes);
    server.exited(&job);
    let page = server.logs(json!({"job_id": job, "encoding": "base64"}));
    assert_eq!(page["data"], expected["stdout"]);
    assert_eq!(
        (&page["encoding"], &page["next_offset"]),
        (&json!("base64"), &json!(256))
    );
    let page = server.logs(json!({"job_id": job}));
    assert_eq!(page["encoding"], "utf-8-lossy");
    assert!(page["data"].as_str().unwrap().starts_with('␀'));
    let page = server.logs(json!({"job_id": job, "encoding": "utf-7"}));
    assert_eq!(page["code"], "invalid", "{page}");
}

#[test]
fn every_offset_of_a_file_of_any_bytes_adds_up() {
    let mut server = Server::start();
    let job = server.job("head -c 100000 /bin/bash");
    let whole = server.exec("head -c 100000 /bin/bash | base64 -w 0");
    server.exited(&job);
    let (mut offset, mut text) = (0, String::new());
    // A multiple of three, so that the pieces of base64 join.
    while offset < 100_000 {
        let page = server.logs(json!({
            "job_id": job, "since_offset": offset, "max_bytes": 9999, "encoding": "base64",
        }));
        assert_eq!(page["offset"], offset);
        text.push_str(page["data"].as_str().unwrap());
        offset = page["next_offset"].as_u64().unwrap();
    }
    assert_eq!(text, whole["stdout"].as_str().unwrap());
}

#[test]
fn an_offset_beyond_the_end_is_an_error_that_tells_the_end() {
    let mut server = Server::start();
    let job = server.job("echo abc");
    server.exited(&job);
    let page = server.logs(json!({"job_id": job, "since_offset": 4}));
    assert_eq!(
        (&page["data"], &page["eof"]),
        (&json!(""), &json!(true)),
        "the end: {page}"
    );
    let page = server.logs(json!({"job_id": job, "since_offset": 999_999}));
    assert_eq!(page["code"], "out_of_range", "{page}");
    assert!(
        page["error"].as_str().unwrap().contains("4 bytes"),
        "{page}"
    );
    assert!(page["error"].is_string());
}

#[test]
fn a_job_that_nobody_knows_is_told() {
    let mut server = Server::start();
    let request = server.begin("terminal_job_logs", json!({"job_id": "job_000000000000"}));
    let answer = server.answer(request);
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(
        answer["result"]["structuredContent"]["code"], "unknown_job",
        "{answer}"
    );
    for (arguments, field) in [
        (json!({}), "job_id"),
        (json!({"job_id": 7}), "job_id"),
        (
            json!({"job_id": "job_000000000000", "max_bytes": "all"}),
            "max_bytes",
        ),
        (json!({"job_id": "job_000000000000", "wait": true}), "wait"),
    ] {
        let page = server.logs(arguments.clone());
        assert_eq!(page["code"], "invalid", "{arguments}: {page}");
        assert!(
            page["error"].as_str().unwrap().contains(field),
            "{arguments}: {page}"
        );
    }
}

#[test]
fn a_page_is_bounded_whatever_was_asked_for() {
    let mut server = Server::start();
    let job = server.job("head -c 20000000 /dev/zero | tr '\\0' a");
    server.exited(&job);
    let page = server.logs(json!({"job_id": job, "max_bytes": 1 << 30}));
    let bytes = page["data"].as_str().unwrap().len();
    assert!(bytes > 0 && bytes <= 16 << 20, "{bytes}");
    assert_eq!(page["next_offset"], bytes);
    assert_eq!(
        (&page["eof"], &page["total_bytes"]),
        (&json!(false), &json!(20_000_000))
    );
}

#[test]
fn empty_lines_and_endless_lines_are_lines_like_others() {
    let mut server = Server::start();
    let job = server
        .job("printf '\\n\\n\\n'; head -c 1048576 /dev/zero | tr '\\0' x; printf '\\n\\nend\\n'");
    let text = server.whole(&job, "stdout");
    assert_eq!(text, format!("\n\n\n{}\n\nend\n", "x".repeat(1 << 20)));
}

#[test]
fn what_is_gone_is_counted_and_the_rest_joins() {
    let folder = tempfile::tempdir().unwrap();
    let command = binary::configured(
        folder.path(),
        "[output]\nhead_kb = 64\nring_kb = 256\nspill_mb = 0\n",
    );
    let mut server = Server::start_with(command);
    let job = server.job("seq 1000000 1999999");
    let total = server.exited(&job)["total_bytes"].as_u64().unwrap();
    assert_eq!(total, 8_000_000);
    let (mut offset, mut shown, mut dropped) = (0, 0, 0);
    let mut last = String::new();
    loop {
        let page = server.logs(json!({"job_id": job, "since_offset": offset}));
        let data = page["data"].as_str().unwrap();
        let gone = page["truncated_bytes_dropped"].as_u64().unwrap();
        assert_eq!(page["offset"], offset + gone, "{page}");
        shown += data.len() as u64;
        dropped += gone;
        // Every line is eight bytes, so what stands at an offset is known.
        let at = page["offset"].as_u64().unwrap();
        if at.is_multiple_of(8) && data.len() >= 8 {
            assert!(
                data.starts_with(&format!("{}\n", 1_000_000 + at / 8)),
                "at {at}"
            );
        }
        data.clone_into(&mut last);
        offset = page["next_offset"].as_u64().unwrap();
        assert_eq!(page["spill"], "off", "{}", page["spill"]);
        if page["eof"] == true {
            break;
        }
    }
    assert_eq!(shown + dropped, total);
    assert!(
        dropped > 0 && shown >= 256 << 10,
        "{shown} shown, {dropped} dropped"
    );
    assert!(last.ends_with("1999999\n"), "the newest is always kept");
}

#[test]
fn the_whole_of_a_long_log_is_kept_on_disk() {
    let mut server = Server::start();
    let job = server.job("seq 1000000 2999999");
    let page = server.exited(&job);
    assert_eq!(
        (&page["spill"], &page["total_bytes"]),
        (&json!("on"), &json!(16_000_000))
    );
    // In the middle, which neither the head nor the ring holds.
    let page = server.logs(json!({"job_id": job, "since_offset": 8_000_000, "max_bytes": 16}));
    assert_eq!(page["data"], "2000000\n2000001\n", "{page}");
    assert_eq!(page["truncated_bytes_dropped"], 0);
}

#[test]
fn a_plain_view_shows_what_a_person_would_see_and_the_bytes_are_kept() {
    let mut server = Server::start();
    let bar = "for i in $(seq 100); do printf '\\rProgress %d%%' $i; done; echo";
    for (command, plain, raw) in [
        (bar, "Progress 100%\n", "\rProgress 1%\rProgress 2%"),
        (
            "printf '\\033[?1049h\\033[?1003hX\\n'",
            "X\n",
            "\u{1b}[?1049h\u{1b}[?1003hX\n",
        ),
        (
            "printf '\\033[1;31mred\\033[0m and \\033]0;title\\007plain\\n'",
            "red and plain\n",
            "\u{1b}[1;31mred",
        ),
    ] {
        let job = server.job(command);
        server.exited(&job);
        let page = server.logs(json!({"job_id": job, "plain": true}));
        assert_eq!(page["data"], plain, "{command}");
        assert_eq!(
            page["next_offset"], page["total_bytes"],
            "offsets are those of the bytes"
        );
        let page = server.logs(json!({"job_id": job}));
        assert!(
            page["data"].as_str().unwrap().starts_with(raw),
            "{command}: {page}"
        );
        let result = server.call("terminal_exec", json!({"command": command, "plain": true}));
        assert_eq!(result["stdout"], plain, "{command}");
        assert!(
            server.exec(command)["stdout"]
                .as_str()
                .unwrap()
                .starts_with(raw),
            "{command}"
        );
    }
    let steps = "for i in $(seq 40000); do printf 'step %d\\r' $i; done";
    let result = server.call("terminal_exec", json!({"command": steps, "plain": true}));
    let view = result["stdout"].as_str().unwrap();
    assert!(
        view.trim_end().ends_with("step 40000") && view.len() < 1 << 10,
        "{} bytes",
        view.len()
    );
}
