//! Asking the policy: about commands, and about endings, where the bare facts speak if it does not.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::audit::{Audit, End, Record};
use crate::jobs::Facts;
use crate::outcome::{EndedBy, ExecError, Exit};
use crate::pace::Pace;
use crate::policy::{
    Classification, Ending, Judged, Policy, PolicyFailure, Request, Status, Verdict,
};

/// Bytes of stderr that a policy sees when it classifies an ending.
const STDERR_EXCERPT_BYTES: usize = 4 << 10;

/// A policy as the terminal asks it, and who is told. What a policy reviewed it also classifies, whichever has become
/// current since.
#[derive(Clone)]
pub(crate) struct Judge {
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) pace: Pace,
    pub(crate) audit: Option<Arc<dyn Audit>>,
}

/// What is known about an ending.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    /// None where it is not known.
    pub(crate) exit: Option<Exit>,
    pub(crate) ended_by: Option<EndedBy>,
    /// From the start.
    pub(crate) runtime: Duration,
    /// The process that owned the command was killed.
    pub(crate) lost: bool,
}

impl Judge {
    pub(crate) fn new(policy: Arc<dyn Policy>, audit: Option<Arc<dyn Audit>>) -> Self {
        Self {
            policy,
            pace: Pace::default(),
            audit,
        }
    }

    /// Asks what an ending means. The command has run by now, so a policy that breaks on it is told in the answer, and the
    /// status is what the bare facts say.
    pub(crate) async fn classify(&self, facts: &Facts, known: Known) -> Classification {
        let ending = ending(facts, known);
        let classification = match ending.clone() {
            Some(ending) => self.ask(facts, ending).await,
            None => Classification {
                status: Status::Error,
                message: Some(unknown_ending(known).into()),
                rule: "terminal.unknown-ending".into(),
            },
        };
        self.tell(
            &facts.judged,
            End::Ended {
                runtime: known.runtime,
                exit: known.exit,
                ending: ending.as_ref(),
                ended_by: known.ended_by,
                classification: &classification,
            },
        );
        classification
    }

    async fn ask(&self, facts: &Facts, ending: Ending) -> Classification {
        let policy = Arc::clone(&self.policy);
        let text = facts.judged.request.command.clone();
        let answer = self
            .pace
            .ask(move || match policy.classify(&text, &ending) {
                Ok(classification) => classification,
                Err(failure) => bare_facts(&ending, &failure),
            });
        answer.await
    }

    /// Asks about a command that somebody wants to run.
    ///
    /// # Errors
    /// Where there is no plan, or a plan that may not be followed.
    pub(crate) async fn review(
        &self,
        request: Request,
        approved: bool,
    ) -> Result<Arc<Judged>, ExecError> {
        let at = SystemTime::now();
        let policy = Arc::clone(&self.policy);
        let question = move || (policy.review(&request), policy.identity(), request);
        let (answer, policy, request) = self.pace.ask(question).await;
        let review = answer.map_err(ExecError::from).inspect_err(|error| {
            if let Some(audit) = &self.audit {
                audit.record(Record {
                    request: &request,
                    policy: &policy,
                    review: None,
                    at,
                    end: End::NotRun(error),
                });
            }
        })?;
        let judged = Arc::new(Judged {
            request,
            at,
            policy,
            review,
        });
        let (reason, asks) = match &judged.review.verdict {
            Verdict::Refuse(reason) => (reason, false),
            Verdict::Ask(reason) if !approved => (reason, true),
            _ => return Ok(judged),
        };
        let refusal = ExecError::Refused {
            policy: judged.policy.clone(),
            reason: reason.clone(),
            findings: judged.review.findings.clone(),
            asks,
        };
        self.tell(&judged, End::NotRun(&refusal));
        Err(refusal)
    }

    /// Tells what became of a command.
    pub(crate) fn tell(&self, judged: &Judged, end: End<'_>) {
        if let Some(audit) = &self.audit {
            audit.record(Record {
                request: &judged.request,
                policy: &judged.policy,
                review: Some(&judged.review),
                at: judged.at,
                end,
            });
        }
    }
}

/// How a command ended, as a policy is told; none where that is not known.
fn ending(facts: &Facts, known: Known) -> Option<Ending> {
    let (exit_code, signal) = match known.exit? {
        Exit::Code(code) => (Some(code), None),
        Exit::Signal(signal) => (None, u32::try_from(signal).ok()),
    };
    let errors = if facts.merged {
        &facts.output.stdout
    } else {
        &facts.output.stderr
    };
    let excerpt = errors.tail(STDERR_EXCERPT_BYTES).map(|chunk| chunk.bytes);
    Some(Ending {
        exit_code,
        signal,
        timed_out: known.ended_by == Some(EndedBy::Deadline),
        dialect: facts.judged.review.invocation.dialect,
        stderr_excerpt: String::from_utf8_lossy(&excerpt.unwrap_or_default()).into_owned(),
    })
}

fn unknown_ending(known: Known) -> &'static str {
    if known.lost {
        "how it ended is not known: the process that owned it was killed"
    } else {
        "how it ended is not known: it could not be ended in time"
    }
}

/// What can be said without a policy.
fn bare_facts(ending: &Ending, failure: &PolicyFailure) -> Classification {
    let (status, fact) = match ending {
        Ending {
            timed_out: true, ..
        } => (Status::Error, "timed out".to_owned()),
        Ending {
            signal: Some(signal),
            ..
        } => (Status::Signal, format!("killed by signal {signal}")),
        Ending {
            exit_code: Some(0), ..
        } => (Status::Ok, "exit code 0".to_owned()),
        Ending { exit_code, .. } => (
            Status::Error,
            format!("failed with exit code {}", exit_code.unwrap_or(-1)),
        ),
    };
    let message = Some(format!("{fact}; not classified: {failure}"));
    Classification {
        status,
        message,
        rule: "terminal.policy-failed".into(),
    }
}
