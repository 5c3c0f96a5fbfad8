//! What a question to the embedded policy costs: median and 99th percentile of `review` and `classify`, in microseconds.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use ostler_policy_engine::{Engine, Limits, LoadedPolicy, Source};
use ostler_terminal::policy::{Dialect, Ending, Policy, Request, Shell, ShellChoice};

const ROUNDS: usize = 2000;
const COMMANDS: &[&str] = &[
    "true",
    "ls -la src",
    "grep -rn 'fn main' src --include '*.rs' | head -20",
    "cd /srv/app && git pull --rebase && cargo build --release 2>&1 | tail -5",
    "for f in $(git ls-files '*.rs'); do wc -l \"$f\"; done | sort -n | tail",
];

fn main() {
    let engine = Engine::new(Limits::default(), None).unwrap();
    let started = Instant::now();
    let policy = LoadedPolicy::load(&engine, &Source::Embedded, None).unwrap();
    println!(
        "load without cache {:>9.1} ms",
        started.elapsed().as_secs_f64() * 1e3
    );
    for command in COMMANDS {
        let request = Request {
            command: (*command).into(),
            shell: ShellChoice::Auto,
            shells: Arc::from([Shell {
                dialect: Dialect::Bash,
                program: "/bin/bash".into(),
            }]),
            cwd: "/srv/app".into(),
        };
        let ending = Ending {
            exit_code: Some(0),
            signal: None,
            timed_out: false,
            dialect: Dialect::Bash,
            stderr_excerpt: String::new(),
        };
        let review = measure(ROUNDS, Duration::ZERO, || drop(policy.review(&request)));
        let classify = measure(ROUNDS, Duration::ZERO, || {
            drop(policy.classify(command, &ending));
        });
        let rested = measure(20, Duration::from_millis(50), || {
            drop(policy.review(&request))
        });
        println!("review {review}   classify {classify}   rested review {rested}   {command}");
    }
}

fn measure(rounds: usize, rest: Duration, question: impl Fn()) -> String {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            std::thread::sleep(rest);
            let started = Instant::now();
            question();
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    let micros = |at: usize| times[at].as_secs_f64() * 1e6;
    format!(
        "{:>6.1} p99 {:>6.1}",
        micros(rounds / 2),
        micros(rounds * 99 / 100)
    )
}
