//! A file that a command writes over: is it a disk, the machine's kill switch, or a file that
//! must not be lost?

use crate::model::Severity::Danger;
use crate::model::Span;
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};

/// Who writes.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Writer<'a> {
    /// What is written, for the message.
    what: &'a str,
    /// Where the write stands.
    span: Span,
    /// Whether it adds at the end instead of replacing.
    appends: bool,
}

impl<'a> Writer<'a> {
    /// A command that replaces its destination.
    pub fn new(call: &Call<'_>, what: &'a str) -> Self {
        Self {
            what,
            span: call.span(),
            appends: false,
        }
    }

    /// A write at a place of its own.
    pub fn at(span: Span, what: &'a str) -> Self {
        Self {
            what,
            span,
            appends: false,
        }
    }

    /// The same, adding at the end.
    pub fn appending(mut self, appends: bool) -> Self {
        self.appends = appends;
        self
    }
}

/// Reports a write that loses something; tells whether it did.
pub(in crate::rules) fn check(
    writer: Writer<'_>,
    target: &Target,
    shown: &str,
    report: &mut Report,
) -> bool {
    let what = writer.what;
    if target
        .known_path()
        .is_some_and(|path| path == "/proc/sysrq-trigger")
    {
        report.add(
            "sys.power",
            Danger,
            "triggers the kernel: the machine stops or crashes at once",
            writer.span,
        );
        return true;
    }
    if target.place == Place::Device {
        report.add(
            "disk.raw-write",
            Danger,
            format!("overwrites the disk {shown} with {what}"),
            writer.span,
        );
        return true;
    }
    if target.is_guarded_from_writes() && !writer.appends {
        report.add(
            "fs.redirect-protected",
            Danger,
            format!("overwrites {shown} with {what}; its contents are lost"),
            writer.span,
        );
        return true;
    }
    false
}
