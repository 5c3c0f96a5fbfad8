//! The face for those who write policies, and for those who wonder what one says: nothing is run here.

mod args;
mod bench;
mod catalogue;
mod check;
mod corpus;
mod excerpt;
mod inspect;
mod print;
mod replay;
mod scaffold;

mod score;
mod table;

pub use args::Policy;

use std::path::Path;

use anyhow::Context as _;
use ostler_policy_engine::LoadedPolicy;

use crate::config::Config;
use crate::policies::load;
use args::Action;

/// Exit status where everything asked for was done.
const DONE: i32 = 0;
/// Exit status where something was found that the caller wanted to know about.
const FOUND: i32 = 1;

/// Does what was asked. Returns the exit status.
///
/// # Errors
/// Where a policy or a file cannot be used, or the answer cannot be printed.
pub fn run(policy: Policy, config: &Config) -> anyhow::Result<i32> {
    match policy.action {
        Action::Check(check) => check::run(check, config),
        Action::Rules(rules) => catalogue::run(&rules, config),
        Action::Inspect(inspect) => inspect::run(&inspect),
        Action::Test(test) => score::run(&test, config),

        Action::New(new) => scaffold::run(&new),
        Action::Replay(replay) => replay::run(&replay, config),
        Action::Bench(bench) => bench::run(&bench, config),
    }
}

/// The policy of this configuration.
fn current(config: &Config) -> anyhow::Result<LoadedPolicy> {
    Ok(load(
        config.policy.as_deref(),
        config.policy_settings.as_deref(),
    )?)
}

/// The policy in this file; the word `default` stands for the built-in one. Settings are those of the configuration where
/// it is the policy of the configuration, else none.
fn named(file: &Path, config: &Config) -> anyhow::Result<LoadedPolicy> {
    let is_default = file == Path::new("default");
    let file = (!is_default).then_some(file);
    let settings = (file == config.policy.as_deref())
        .then_some(config.policy_settings.as_deref())
        .flatten();
    load(file, settings).context("the policy cannot be used")
}
