//! The policy's answers: a plan from the shells, findings from the rules, a verdict from the settings.

use crate::model::{Dialect, Rejection, Request, Review};
use crate::settings::{Decision, Settings};
use crate::{rules, shells, syntax};

/// The name under which the policy describes itself.
pub const NAME: &str = "default";

/// Most findings, and most opaque parts, of one review.
const MAX_ITEMS: usize = 256;

/// Judges a command before it runs.
///
/// # Errors
/// Where no plan can be made: an empty command, a NUL, a refused shell, no shell.
pub fn review(request: &Request, settings: &Settings) -> Result<Review, Rejection> {
    let invocation = shells::choose(request)?;
    // What is started without a shell was parsed as bash, and means the same there.
    let language = match invocation.dialect {
        Dialect::Direct => Dialect::Bash,
        other => other,
    };
    let mut unfolded = syntax::unfold_as(language, &request.command);
    let mut inspection = rules::inspect(&unfolded, language);
    unfolded.opaque.extend(inspection.opaque.take());
    let Decision {
        mut findings,
        verdict,
    } = settings.decide(&unfolded, inspection, &unfolded.opaque);
    // The contract bounds both lists; the most severe findings come first.
    findings.truncate(MAX_ITEMS);
    let mut opaque = unfolded.opaque;
    opaque.truncate(MAX_ITEMS);
    Ok(Review {
        invocation,
        findings,
        opaque,
        verdict,
    })
}
