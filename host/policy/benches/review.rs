//! What a question to the embedded policy costs through its sandbox, and what loading it costs:
//! `cargo bench -p ostler-policy-engine --bench review`.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

mod commands;

use std::sync::{Arc, LazyLock};
use std::thread::sleep;
use std::time::Duration;

use commands::{BASH, COMPLAINT, CWD, SAMPLES, Sample};
use divan::Bencher;
use ostler_policy_engine::{Engine, Limits, LoadedPolicy, Source};
use ostler_terminal::policy::{Dialect, Ending, Policy, Request, Shell, ShellChoice};

/// Time in which the processor turns to something else.
const REST: Duration = Duration::from_millis(50);

fn main() {
    divan::main();
}

fn load(engine: &Engine) -> LoadedPolicy {
    LoadedPolicy::load(engine, &Source::Embedded, None).unwrap()
}

static POLICY: LazyLock<LoadedPolicy> =
    LazyLock::new(|| load(&Engine::new(Limits::default(), None).unwrap()));

fn request(command: &str) -> Request {
    Request {
        command: command.into(),
        shell: ShellChoice::Auto,
        os: "linux".into(),
        shells: Arc::from([Shell {
            dialect: Dialect::Bash,
            program: BASH.into(),
        }]),
        cwd: CWD.into(),
    }
}

fn ending(exit_code: i32, stderr: &str) -> Ending {
    Ending {
        exit_code: Some(exit_code),
        signal: None,
        timed_out: false,
        dialect: Dialect::Bash,
        stderr_excerpt: stderr.into(),
    }
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn load_and_compile(bencher: Bencher) {
    let engine = Engine::new(Limits::default(), None).unwrap();
    bencher.bench_local(|| load(&engine));
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn load_from_cache(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::new(Limits::default(), Some(folder.path())).unwrap();
    load(&engine);
    bencher.bench_local(|| load(&engine));
}

#[divan::bench(args = SAMPLES)]
fn review(bencher: Bencher, sample: &Sample) {
    let request = request(sample.text);
    bencher.bench_local(|| POLICY.review(&request).unwrap());
}

/// As it is mostly asked: after a pause.
#[divan::bench(args = SAMPLES, sample_count = 20, sample_size = 1)]
fn review_after_a_rest(bencher: Bencher, sample: &Sample) {
    let request = request(sample.text);
    bencher
        .with_inputs(|| sleep(REST))
        .bench_local_values(|()| POLICY.review(&request).unwrap());
}

#[divan::bench(args = SAMPLES)]
fn classify_success(bencher: Bencher, sample: &Sample) {
    let ending = ending(0, "");
    bencher.bench_local(|| POLICY.classify(sample.text, &ending).unwrap());
}

#[divan::bench(args = SAMPLES)]
fn classify_failure(bencher: Bencher, sample: &Sample) {
    let ending = ending(1, COMPLAINT);
    bencher.bench_local(|| POLICY.classify(sample.text, &ending).unwrap());
}
