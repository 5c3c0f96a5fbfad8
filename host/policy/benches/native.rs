//! What the default policy costs without a sandbox around it, to compare with `review`:
//! `cargo bench -p ostler-policy-engine --bench native`.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

mod commands;

use commands::{BASH, COMPLAINT, CWD, SAMPLES, Sample};
use divan::Bencher;
use ostler_policy::model::{Dialect, Ending, Os, Request, Shell, ShellChoice};
use ostler_policy::settings::Settings;
use ostler_policy::{endings, policy};

fn main() {
    divan::main();
}

#[divan::bench(args = SAMPLES)]
fn review(bencher: Bencher, sample: &Sample) {
    let settings = Settings::default();
    let request = Request {
        command: sample.text.into(),
        shell: ShellChoice::Auto,
        os: Os::Linux,
        shells: vec![Shell {
            dialect: Dialect::Bash,
            program: BASH.into(),
        }],
        cwd: CWD.into(),
    };
    bencher.bench(|| policy::review(&request, &settings).unwrap());
}

#[divan::bench(args = SAMPLES)]
fn classify_success(bencher: Bencher, sample: &Sample) {
    let ending = ending(0, "");
    bencher.bench(|| endings::classify(sample.text, &ending));
}

#[divan::bench(args = SAMPLES)]
fn classify_failure(bencher: Bencher, sample: &Sample) {
    let ending = ending(1, COMPLAINT);
    bencher.bench(|| endings::classify(sample.text, &ending));
}

fn ending(exit_code: i32, stderr: &str) -> Ending {
    Ending {
        exit_code: Some(exit_code),
        signal: None,
        timed_out: false,
        dialect: Dialect::Bash,
        stderr_excerpt: stderr.into(),
        stage_statuses: None,
    }
}
