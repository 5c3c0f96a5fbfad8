//! The policy's answers: a plan from the shells, findings from the rules, a verdict from the settings.

use crate::model::{Dialect, Finding, Rejection, Request, Review, Verdict};
use crate::settings::Settings;
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
    let unfolded = syntax::unfold_as(language, &request.command);
    let mut findings = rules::judge(&unfolded, language);
    let verdict = verdict(&findings, settings);
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

/// Warnings let a command run, unless the settings say otherwise for a rule. Refusing wins over asking.
fn verdict(findings: &[Finding], settings: &Settings) -> Verdict {
    let with = |answer| {
        findings
            .iter()
            .find(|finding| settings.answer(&finding.rule) == answer)
    };
    let reason = |finding: &Finding| format!("{} (rule {})", finding.message, finding.rule);
    if let Some(finding) = with(crate::settings::Answer::Refuse) {
        Verdict::Refuse(reason(finding))
    } else if let Some(finding) = with(crate::settings::Answer::Ask) {
        Verdict::Ask(reason(finding))
    } else {
        Verdict::Proceed
    }
}
