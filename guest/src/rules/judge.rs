//! From everything that a command reaches to its findings.

use std::collections::BTreeSet;

use super::report::{Call, Owner, Report, Seen};
use super::{database, dispatch, filesystem, interpreters, remote};
use crate::model::Severity::Danger;
use crate::model::{Dialect, Finding, Opaque};
use crate::syntax::Unfolded;

/// What the rules found, and the commands that they looked at.
#[derive(Debug)]
pub struct Inspection {
    /// The findings and whose they are: most severe first, then by position.
    pub findings: Vec<(Finding, Option<Owner>)>,
    /// The commands, a wrapper before what it runs.
    pub seen: Vec<Seen>,
    /// The shell texts that programs of other languages carry.
    pub inner: Vec<Unfolded>,
    /// What was carried and not looked at.
    pub opaque: Option<Opaque>,
}

/// Looks at everything that a command reaches.
pub fn inspect(unfolded: &Unfolded, dialect: Dialect) -> Inspection {
    let mut report = Report::new();
    examine(unfolded, dialect, &mut report);
    let mut findings: Vec<_> = report.findings.into_iter().zip(report.owners).collect();
    findings.sort_by(|(a, _), (b, _)| {
        b.severity
            .cmp(&a.severity)
            .then(a.span.start.cmp(&b.span.start))
            .then_with(|| a.rule.cmp(&b.rule))
    });
    Inspection {
        findings,
        seen: report.seen,
        inner: report.texts,
        opaque: report.left_out.map(|span| Opaque {
            reason: "carries too many commands to be analysed".into(),
            span,
        }),
    }
}

impl Inspection {
    /// The text that a command stands in; `own` is the command's own text.
    pub fn text_of<'a>(&'a self, seen: &Seen, own: &'a Unfolded) -> Option<&'a Unfolded> {
        match seen.text.checked_sub(1) {
            None => Some(own),
            Some(index) => self.inner.get(index),
        }
    }

    /// The findings whose owner is not left out, each rule once for a place.
    pub fn without(self, left_out: impl Fn(Owner) -> bool) -> Vec<Finding> {
        let mut places = BTreeSet::new();
        self.findings
            .into_iter()
            .filter(|(_, owner)| !owner.is_some_and(&left_out))
            .map(|(finding, _)| finding)
            .filter(|finding| places.insert((finding.rule.clone(), finding.span)))
            .collect()
    }
}

/// Judges everything that a command reaches: most severe first, then by position, each rule once
/// for a place.
pub fn judge(unfolded: &Unfolded, dialect: Dialect) -> Vec<Finding> {
    inspect(unfolded, dialect).without(|_| false)
}

/// Lets every rule look at everything reached.
pub(super) fn examine(unfolded: &Unfolded, dialect: Dialect, report: &mut Report) {
    report.fetching = remote::fetching(unfolded);
    let mut own = Vec::with_capacity(unfolded.invocations.len());
    for (index, invocation) in unfolded.invocations.iter().enumerate() {
        report.look_for(None);
        own.push(report.seen.len());
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
    report.look_for(None);
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
            let source = invocation
                .args
                .iter()
                .position(|word| *word == inline.source);
            report.look_for(source.and_then(|at| {
                Some(Owner {
                    seen: *own.get(inline.invocation)?,
                    words: at + 2,
                })
            }));
            interpreters::program(inline, &call, report);
        }
    }
    report.look_for(None);
    for span in &unfolded.fork_bombs {
        report.add(
            "sys.resource",
            Danger,
            "starts copies of itself without end until the machine stops",
            *span,
        );
    }
}
