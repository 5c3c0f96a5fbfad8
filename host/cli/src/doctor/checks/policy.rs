//! Whether the policy judges.

use std::sync::Arc;
use std::time::Instant;

use ostler_terminal::discover_shells;
use ostler_terminal::policy::{Policy as _, Request, Severity, ShellChoice, Verdict};

use super::commands::shown;
use super::{Bench, Finding, either};

/// Reviews of which the median is told.
const REVIEWS: usize = 9;
/// What to do about a policy that does not do its work.
pub const ADVICE: &str =
    "try it with `ostler policy check`; without --policy the built-in one judges";

/// It tells harm from none.
pub async fn judges(bench: &Bench<'_>) -> Finding {
    let shells = discover_shells();
    let review = |command: &str| {
        let request = Request {
            command: command.to_owned(),
            shell: ShellChoice::Auto,
            os: std::env::consts::OS.into(),
            shells: Arc::clone(&shells),
            cwd: "/".into(),
        };
        let broken = |error: &dyn std::fmt::Display| Finding::broken(error.to_string(), ADVICE);
        bench
            .policy
            .review(&request)
            .map_err(|error| broken(&error))
    };
    let attempt = || {
        let identity = bench.policy.identity();
        let mut times = Vec::new();
        for _ in 0..REVIEWS {
            let started = Instant::now();
            let harmless = review("ls")?;
            times.push(started.elapsed());
            if harmless.verdict != Verdict::Proceed {
                return Err(Finding::degraded(
                    format!("{identity} does not let `ls` run"),
                    ADVICE,
                ));
            }
        }
        times.sort_unstable();
        let harm = review("rm -rf ~")?;
        let is_seen = harm.verdict != Verdict::Proceed
            || harm.findings.iter().any(|it| it.severity > Severity::Note);
        if !is_seen {
            return Err(Finding::degraded(
                format!("{identity} sees no harm in `rm -rf ~`"),
                ADVICE,
            ));
        }
        Ok(Finding::ok(format!(
            "{identity} tells harm from none; loaded in {}, a review takes {:.0} µs",
            shown(bench.loading),
            times[REVIEWS / 2].as_secs_f64() * 1e6
        )))
    };
    either(attempt())
}
