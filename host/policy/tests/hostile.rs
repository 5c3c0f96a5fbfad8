//! Whatever a policy does, the host gets a typed failure that says what, within a bounded time, and the next policy works.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod fixture;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fixture::Fixture;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use ostler_policy_engine::{Engine, Limits, LoadError, LoadedPolicy, Source};
use ostler_terminal::policy::{Policy, Request, ReviewError, Shell, ShellChoice};

fn request(command: &str) -> Request {
    Request {
        command: command.into(),
        shell: ShellChoice::Auto,
        os: "linux".into(),
        shells: Arc::from([Shell {
            dialect: ostler_terminal::policy::Dialect::Bash,
            program: "/bin/bash".into(),
        }]),
        cwd: "/".into(),
    }
}

fn engine() -> Engine {
    Engine::new(Limits::default(), None).unwrap()
}

fn load(engine: &Engine, bytes: &[u8]) -> Result<LoadedPolicy, LoadError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    LoadedPolicy::load(engine, &Source::File(file.path().into()), None)
}

/// What the review of a policy with this body fails with; afterwards the same engine must still serve the default policy.
fn review_of(body: &str) -> String {
    let engine = engine();
    let policy = load(&engine, &Fixture::default().review(body).build()).unwrap();
    let started = Instant::now();
    let answer = policy.review(&request("ls"));
    let elapsed = started.elapsed();
    assert!(
        elapsed < Duration::from_secs(1),
        "refused only after {elapsed:?}"
    );
    let failure = match answer {
        Err(ReviewError::Failed(failure)) => failure,
        other => panic!("{other:?}"),
    };
    assert!(failure.policy.contains("sha256:"), "{failure:?}");
    assert_eq!(failure.call, "review");
    let default = LoadedPolicy::load(&engine, &Source::Embedded, None).unwrap();
    assert_eq!(
        default.review(&request("ls -l")).unwrap().invocation.argv,
        ["ls", "-l"]
    );
    failure.what
}

fn refusal(bytes: &[u8]) -> String {
    load(&engine(), bytes)
        .err()
        .expect("it was loaded")
        .to_string()
}

#[test]
fn an_endless_loop_is_stopped() {
    let what = review_of("(loop (br 0)) unreachable");
    assert!(what.contains("did not answer within"), "{what}");
}

#[test]
fn an_endless_loop_is_stopped_by_its_processor_time_where_fuel_is_plenty() {
    let limits = Limits {
        fuel: u64::MAX,
        ..Limits::default()
    };
    let engine = Engine::new(limits, None).unwrap();
    let bytes = Fixture::default()
        .review("(loop (br 0)) unreachable")
        .build();
    let policy = load(&engine, &bytes).unwrap();
    let error = policy.review(&request("ls")).unwrap_err().to_string();
    assert!(error.contains("within 50 ms of processor time"), "{error}");
}

#[test]
fn a_policy_on_a_busy_machine_is_not_cut_short() {
    // All on one processor: the question gets a sixteenth of it, and takes several times 50 ms by any clock on a wall.
    const OTHERS: usize = 15;
    let all = sched_getaffinity(Pid::from_raw(0)).unwrap();
    let first = (0..CpuSet::count()).find(|it| all.is_set(*it).unwrap());
    let mut one = CpuSet::new();
    one.set(first.unwrap()).unwrap();
    let limits = Limits {
        fuel: u64::MAX,
        ..Limits::default()
    };
    let engine = Engine::new(limits, None).unwrap();
    let work = "(local $left i32) (local.set $left (i32.const 10000000))
        (loop (br_if 0 (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))";
    let answer = fixture::reject_with("(i32.const 2000)", "(i32.const 7)");
    let bytes = Fixture::default()
        .review(&(work.to_owned() + &answer))
        .build();
    let policy = load(&engine, &bytes).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..OTHERS {
            scope.spawn(|| {
                sched_setaffinity(Pid::from_raw(0), &one).unwrap();
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let answer = scope.spawn(|| {
            sched_setaffinity(Pid::from_raw(0), &one).unwrap();
            policy.review(&request("ls"))
        });
        let answer = answer.join();
        is_over.store(true, Ordering::Relaxed);
        match answer.unwrap() {
            Err(ReviewError::Rejected(_)) => {}
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn endless_recursion_is_stopped() {
    let what = review_of("(call $deep)");
    assert!(what.contains("stack overflowed"), "{what}");
}

#[test]
fn memory_growth_is_bounded() {
    let what = review_of(
        "(loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable",
    );
    assert!(what.contains("bytes of memory"), "{what}");
}

#[test]
fn a_trap_is_told() {
    assert!(review_of("unreachable").contains("panicked"));
    let what = review_of("(i32.div_s (i32.const 1) (i32.const 0))");
    assert!(what.contains("divide by zero"), "{what}");
    let what = review_of("(i32.load (i32.const 0x7fffffff))");
    assert!(what.contains("out of bounds"), "{what}");
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let what = review_of(&fixture::reject_with("(i32.const 3000)", "(i32.const 4)"));
    assert!(
        what.contains("malformed") && what.contains("utf-8"),
        "{what}"
    );
}

#[test]
fn a_string_of_one_gib_is_refused() {
    let what = review_of(&fixture::reject_with(
        "(i32.const 0)",
        "(i32.const 0x40000000)",
    ));
    assert!(what.contains("malformed"), "{what}");
}

#[test]
fn an_answer_beyond_the_bound_is_refused_before_it_is_copied() {
    let body = format!(
        "(drop (memory.grow (i32.const 512))) {}",
        fixture::reject_with("(i32.const 4096)", "(i32.const 0x01000000)")
    );
    let what = review_of(&body);
    assert!(what.contains("larger than 4194304 bytes"), "{what}");
}

#[test]
fn a_hostile_start_is_stopped() {
    let bytes = Fixture::default().start("(loop (br 0))").build();
    let text = refusal(&bytes);
    assert!(
        text.contains("`instantiate`") && text.contains("did not answer"),
        "{text}"
    );
}

#[test]
fn more_initial_memory_than_allowed_is_refused() {
    let text = refusal(&Fixture::default().pages(2000).build());
    assert!(text.contains("memory"), "{text}");
}

#[test]
fn a_description_that_is_no_text_is_refused() {
    let text = refusal(
        &Fixture::default()
            .describe_name("(i32.const 3000)", 4)
            .build(),
    );
    assert!(
        text.contains("`describe`") && text.contains("utf-8"),
        "{text}"
    );
}

#[test]
fn what_is_no_component_is_refused_with_what_it_is() {
    assert!(refusal(b"").contains("empty"));
    assert!(refusal(b"#!/bin/sh\n").contains("not WebAssembly"));
    assert!(refusal(b"\0asm\x01\0\0\0").contains("core WebAssembly module"));
    assert!(refusal(b"\x7fELF\x02\x01").contains("precompiled"));
}

#[test]
fn a_corrupt_component_is_refused() {
    let bytes = Fixture::default().build();
    let text = refusal(&bytes[..bytes.len() / 2]);
    assert!(text.contains("not a valid component"), "{text}");
    let mut bytes = bytes;
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0xff);
    assert!(load(&engine(), &bytes).is_err());
}

#[test]
fn a_component_without_the_contract_is_refused() {
    let text = refusal(&wat::parse_str("(component)").unwrap());
    assert!(
        text.contains("does not export `ostler:terminal/policy@0.1.0`"),
        "{text}"
    );
}

#[test]
fn another_version_of_the_contract_is_refused_by_name() {
    let text = refusal(&Fixture::default().version("0.2.0").build());
    assert!(text.contains("ostler:terminal/policy@0.2.0"), "{text}");
}

#[test]
fn an_import_that_a_policy_does_not_get_is_refused_by_name() {
    let component = r#"(component
        (import "wasi:sockets/tcp@0.2.6" (instance (export "connect" (func)))))"#;
    let text = refusal(&wat::parse_str(component).unwrap());
    assert!(
        text.contains("`wasi:sockets/tcp@0.2.6`") && text.contains("no network"),
        "{text}"
    );
}

#[test]
fn a_filter_alone_is_refused_with_what_to_do() {
    let component = r#"(component
        (import "ostler:terminal/policy@0.1.0" (instance (export "describe" (func)))))"#;
    let text = refusal(&wat::parse_str(component).unwrap());
    assert!(text.contains("compose it"), "{text}");
}

#[test]
fn a_huge_file_is_refused_without_reading_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(1 << 30).unwrap();
    let loaded = LoadedPolicy::load(&engine(), &Source::File(file.path().into()), None);
    assert!(matches!(loaded.err().unwrap(), LoadError::TooLarge { bytes, .. } if bytes == 1 << 30));
}

#[test]
fn a_missing_file_is_told_by_its_path() {
    let loaded = LoadedPolicy::load(
        &engine(),
        &Source::File("/nowhere/policy.wasm".into()),
        None,
    );
    assert!(
        loaded
            .err()
            .unwrap()
            .to_string()
            .contains("/nowhere/policy.wasm")
    );
}

#[test]
fn settings_that_a_policy_does_not_take_are_refused_in_its_own_words() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), Fixture::default().refuse_settings().build()).unwrap();
    let source = Source::File(file.path().into());
    let error = LoadedPolicy::load(&engine(), &source, Some("{}".into()))
        .err()
        .unwrap();
    assert!(
        error.to_string().contains("not accepted: hostile"),
        "{error}"
    );
    assert!(LoadedPolicy::load(&engine(), &source, None).is_ok());
}

#[test]
fn a_script_with_more_findings_than_a_review_holds_is_judged_all_the_same() {
    let policy = LoadedPolicy::load(&engine(), &Source::Embedded, None).unwrap();
    let review = policy
        .review(&request(&"rm -rf old\n".repeat(600)))
        .unwrap();
    assert_eq!(review.findings.len(), 256);
}

#[test]
fn nothing_is_remembered_between_questions() {
    let body = format!(
        "(i32.store (i32.const 500) (i32.add (i32.load (i32.const 500)) (i32.const 1))) {}",
        fixture::reject_with("(i32.const 2000)", "(i32.load (i32.const 500))")
    );
    let policy = load(&engine(), &Fixture::default().review(&body).build()).unwrap();
    for _ in 0..100 {
        let error = policy.review(&request("ls")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "h",
            "a counter in the policy's memory says so"
        );
    }
}

#[test]
fn questions_at_once_beyond_the_pool_wait_their_turn() {
    let policy = Arc::new(LoadedPolicy::load(&engine(), &Source::Embedded, None).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| policy.review(&request("ls -l")).unwrap());
        }
    });
}

#[test]
fn the_built_in_policy_is_who_it_says_it_is_when_it_is_asked() {
    let engine = engine();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../guest/policy.wasm");
    let asked = LoadedPolicy::load(&engine, &Source::File(file.into()), None).unwrap();
    let built_in = LoadedPolicy::load(&engine, &Source::Embedded, None).unwrap();
    assert_eq!(built_in.identity(), asked.identity());
    assert_eq!(built_in.rules().unwrap(), asked.rules().unwrap());
}
