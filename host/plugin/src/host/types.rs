//! The shared vocabulary.

use ostler_terminal::policy;

use crate::bindings::ostler::terminal::types as wit;

pub(super) fn invocation(invocation: policy::Invocation) -> wit::Invocation {
    wit::Invocation {
        argv: invocation.argv,
        dialect: match invocation.dialect {
            policy::Dialect::Direct => wit::Dialect::Direct,
            policy::Dialect::Bash => wit::Dialect::Bash,
            policy::Dialect::Powershell => wit::Dialect::Powershell,
            policy::Dialect::Cmd => wit::Dialect::Cmd,
        },
        auto_shell: invocation.auto_shell,
    }
}

pub(super) fn finding(finding: policy::Finding) -> wit::Finding {
    wit::Finding {
        rule: finding.rule,
        severity: match finding.severity {
            policy::Severity::Note => wit::Severity::Note,
            policy::Severity::Caution => wit::Severity::Caution,
            policy::Severity::Danger => wit::Severity::Danger,
        },
        message: finding.message,
        span: span(finding.span),
    }
}

pub(super) fn opaque(part: policy::Opaque) -> wit::Opaque {
    wit::Opaque {
        reason: part.reason,
        span: span(part.span),
    }
}

pub(super) fn classification(classification: policy::Classification) -> wit::Classification {
    wit::Classification {
        status: match classification.status {
            policy::Status::Ok => wit::Status::Ok,
            policy::Status::Signal => wit::Status::Signal,
            policy::Status::Error => wit::Status::Error,
        },
        message: classification.message,
        rule: classification.rule,
        extra: Vec::new(),
    }
}

fn span(span: std::ops::Range<u32>) -> wit::Span {
    wit::Span {
        start: span.start,
        end: span.end,
    }
}
