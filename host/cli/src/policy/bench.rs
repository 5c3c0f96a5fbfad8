//! `ostler policy bench`: what a policy costs.

use std::time::{Duration, Instant};

use ostler_policy_engine::{Engine, Limits, LoadedPolicy, Source};
use ostler_terminal::policy::Policy as _;
use serde::Serialize;

use super::args::Bench;
use super::check::{Asker, Question};
use super::table::align;
use super::{DONE, corpus, current, print};
use crate::config::Config;
use crate::envelope::PolicyView;

/// How often each question is asked; of the times the quickest counts, which is what the policy costs and not the machine.
const ROUNDS: usize = 7;
/// Instances that are made to measure one.
const INSTANCES: usize = 200;

/// What a policy costs, in microseconds.
#[derive(Serialize)]
struct Costs {
    policy: PolicyView,
    /// To compile it and prove it, without any cache.
    compile_us: f64,
    /// To load it when it has been compiled before.
    load_us: f64,
    /// To make an instance, as every question needs one.
    instantiate: Times,
    /// To judge a command, with the instance.
    review: Times,
    /// To classify an ending, with the instance.
    classify: Times,
}

#[derive(Serialize)]
struct Times {
    median_us: f64,
    p99_us: f64,
    max_us: f64,
    calls: usize,
}

/// Measures. Returns the exit status.
///
/// # Errors
/// Where the policy or a corpus cannot be used, or the answer cannot be printed.
pub fn run(bench: &Bench, config: &Config) -> anyhow::Result<i32> {
    let source = config.policy.clone().map_or(Source::Embedded, Source::File);
    let uncached = Engine::new(Limits::default(), None)?;
    let (compile, _) =
        timed(|| LoadedPolicy::load(&uncached, &source, config.policy_settings.clone()));
    // Once for the cache, once for the measure.
    current(config)?;
    let (load, policy) = timed(|| current(config));
    let policy = policy?;
    let questions = questions(bench, &policy)?;
    let asker = Asker::new(&policy);
    let requests: Vec<_> = questions.iter().map(|it| asker.request(it)).collect();
    let ending = ostler_terminal::policy::Ending {
        exit_code: Some(1),
        signal: None,
        timed_out: false,
        dialect: ostler_terminal::policy::Dialect::Bash,
        stderr_excerpt: String::new(),
    };
    let costs = Costs {
        policy: PolicyView::of(&policy.identity()),
        compile_us: us(compile),
        load_us: us(load),
        instantiate: Times::of(&[(); INSTANCES], |()| drop(policy.instantiate())),
        review: Times::of(&requests, |request| drop(policy.review(request))),
        classify: Times::of(&requests, |request| {
            drop(policy.classify(&request.command, &ending));
        }),
    };
    if bench.json {
        print::json(&costs)?;
    } else {
        print::text(&costs.for_people())?;
    }
    Ok(DONE)
}

fn questions(bench: &Bench, policy: &LoadedPolicy) -> anyhow::Result<Vec<Question>> {
    if !bench.corpus.is_empty() {
        let rows = corpus::read(&bench.corpus)?;
        return Ok(rows.iter().map(|(row, _)| row.question()).collect());
    }
    let question = |command: String| Question {
        command,
        ..Question::default()
    };
    let examples = policy
        .rules()?
        .into_iter()
        .flat_map(|rule| [rule.example, rule.counter_example]);
    // A policy that describes no rule is asked something all the same.
    Ok(examples
        .chain(["ls -la".to_owned()])
        .map(question)
        .collect())
}

impl Times {
    fn of<T>(cases: &[T], mut call: impl FnMut(&T)) -> Self {
        let mut times: Vec<Duration> = cases
            .iter()
            .map(|case| {
                let rounds = (0..ROUNDS).map(|_| timed(|| call(case)).0);
                rounds.min().unwrap_or_default()
            })
            .collect();
        times.sort_unstable();
        let at = |share: f64| {
            let last = times.len().saturating_sub(1);
            times
                .get((last as f64 * share) as usize)
                .copied()
                .unwrap_or_default()
        };
        Self {
            median_us: us(at(0.5)),
            p99_us: us(at(0.99)),
            max_us: us(at(1.0)),
            calls: times.len(),
        }
    }

    fn line(&self, name: &str) -> [String; 5] {
        let us = |time: f64| format!("{time:.1}");
        [
            name.to_owned(),
            us(self.median_us),
            us(self.p99_us),
            us(self.max_us),
            self.calls.to_string(),
        ]
    }
}

impl Costs {
    fn for_people(&self) -> String {
        let PolicyView {
            name,
            version,
            digest,
        } = &self.policy;
        let mut text = format!(
            "policy {name} {version} ({digest})\ncompile and prove {:.0} µs, load when compiled before {:.0} µs\n\n",
            self.compile_us, self.load_us
        );
        text += &align(&[
            ["µs", "median", "99 %", "longest", "calls"].map(str::to_owned),
            self.instantiate.line("instantiate"),
            self.review.line("review"),
            self.classify.line("classify"),
        ]);
        text
    }
}

fn timed<R>(work: impl FnOnce() -> R) -> (Duration, R) {
    let started = Instant::now();
    let result = work();
    (started.elapsed(), result)
}

fn us(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}
