//! From everything that a command reaches to its findings.

use std::collections::BTreeSet;

use super::report::{Call, Report};
use super::{database, dispatch, filesystem, interpreters};
use crate::model::Severity::Danger;
use crate::model::{Dialect, Finding};
use crate::syntax::Unfolded;

/// Judges everything that a command reaches: most severe first, then by position, each rule once
/// for a place.
pub fn judge(unfolded: &Unfolded, dialect: Dialect) -> Vec<Finding> {
    let mut report = Report::new();
    examine(unfolded, dialect, &mut report);
    let mut findings = report.findings;
    findings.sort_by(|a, b| {
        b.severity
            .cmp(&a.severity)
            .then(a.span.start.cmp(&b.span.start))
            .then_with(|| a.rule.cmp(&b.rule))
    });
    let mut seen = BTreeSet::new();
    findings.retain(|finding| seen.insert((finding.rule.clone(), finding.span)));
    findings
}

/// Lets every rule look at everything reached.
pub(super) fn examine(unfolded: &Unfolded, dialect: Dialect, report: &mut Report) {
    for (index, invocation) in unfolded.invocations.iter().enumerate() {
        let windows = matches!(invocation.dialect, Dialect::Powershell | Dialect::Cmd);
        let lower;
        let name = match invocation.program.as_deref() {
            Some(name) if windows => {
                lower = name.to_lowercase();
                lower.as_str()
            }
            Some(name) => name,
            None => "",
        };
        let call = Call {
            all: unfolded,
            index,
            name,
            args: &invocation.args,
        };
        if !invocation.redirects.is_empty() {
            filesystem::redirects(&call, report);
        }
        let known = report.findings.len();
        dispatch::by_name(&call, windows, report);
        if report.findings.len() == known {
            database::sql_text(&call, report);
        }
    }
    for redirect in &unfolded.bare_redirects {
        filesystem::bare(redirect, dialect, report);
    }
    for inline in &unfolded.programs {
        if let Some(invocation) = unfolded.invocations.get(inline.invocation) {
            let name = invocation.program.as_deref().unwrap_or_default();
            let call = Call {
                all: unfolded,
                index: inline.invocation,
                name,
                args: &invocation.args,
            };
            interpreters::program(inline, &call, report);
        }
    }
    for span in &unfolded.fork_bombs {
        report.add(
            "sys.resource",
            Danger,
            "starts copies of itself without end until the machine stops",
            *span,
        );
    }
}
