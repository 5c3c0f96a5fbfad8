//! A policy that lets everything run.

use ostler_terminal::policy::{
    Classification, Dialect, Ending, Identity, Invocation, Policy, PolicyFailure, Request, Review,
    ReviewError, Status, Verdict,
};

/// Splits at blanks and starts directly.
pub struct Direct;

impl Policy for Direct {
    fn identity(&self) -> Identity {
        Identity::new("direct", "1", "sha256:0")
    }

    fn review(&self, request: &Request) -> Result<Review, ReviewError> {
        let argv = request.command.split(' ').map(Into::into).collect();
        let invocation = Invocation {
            argv,
            dialect: Dialect::Direct,
            auto_shell: false,
        };
        let (findings, opaque) = Default::default();
        Ok(Review {
            invocation,
            findings,
            opaque,
            verdict: Verdict::Proceed,
        })
    }

    fn classify(&self, _: &str, _: &Ending) -> Result<Classification, PolicyFailure> {
        Ok(Classification {
            status: Status::Ok,
            message: None,
            rule: "direct".into(),
        })
    }
}
