//! Memory and disks filled without end.

use crate::model::Severity::Danger;
use crate::rules::report::{Call, Report};

/// `tail /dev/zero` fills the memory.
pub(in crate::rules) fn endless(call: &Call<'_>, report: &mut Report) {
    let fills = call.args.iter().any(|word| {
        matches!(
            word.literal().as_deref(),
            Some("/dev/zero" | "/dev/urandom")
        )
    });
    let bounded = call
        .args
        .iter()
        .any(|word| word.starts_with("-c") || word.starts_with("--bytes"));
    if fills && !bounded {
        report.add(
            "sys.resource",
            Danger,
            "reads without end until the memory is full",
            call.span(),
        );
    }
}
