//! A command that somebody waits for: its outcome, or its promotion to a job when patience ends.

use std::sync::Arc;

use tokio::time::{Instant, sleep_until};

use crate::exec::{Patience, Reply};
use crate::jobs::{Job, Jobs, Promotion, Standing};
use crate::outcome::{EndedBy, ExecError, Outcome};

/// A command in the foreground. Dropping it before its outcome is there ends the command.
#[derive(Debug)]
pub struct Foreground {
    job: Job,
    jobs: Arc<Jobs>,
    is_waited_for: bool,
}

impl Foreground {
    pub(crate) fn new(job: Job, jobs: Arc<Jobs>) -> Self {
        Self {
            job,
            jobs,
            is_waited_for: true,
        }
    }

    /// The command itself.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Nobody waits for it any more, and it goes on.
    pub(crate) fn let_go(mut self) -> Job {
        self.is_waited_for = false;
        self.job.clone()
    }

    /// Waits for what becomes of it.
    ///
    /// # Errors
    /// Where its program could not be started.
    pub async fn outcome(mut self) -> Result<Outcome, ExecError> {
        let standing = self.job.settled().await;
        self.finish(standing)
    }

    /// Waits for what becomes of it while patience lasts.
    ///
    /// # Errors
    /// Where its program could not be started.
    pub(crate) async fn within(mut self, patience: Patience) -> Result<Reply, ExecError> {
        let started = self.job.started();
        let promote_at = patience.promote_after.map(|after| started + after);
        let give_up_at = started + patience.at_most;
        let has_deadline = self.job.deadline().is_some_and(|it| it <= give_up_at);
        let standing = tokio::select! {
            biased;
            standing = self.job.settled() => standing,
            () = self.promoted(promote_at) => {
                self.is_waited_for = false;
                return Ok(Reply::Promoted(self.job.clone()));
            }
            () = sleep_until(give_up_at), if !has_deadline => {
                let _ = self.job.end(EndedBy::Quota, None);
                self.job.settled().await
            }
        };
        let mut outcome = self.finish(standing)?;
        if !outcome.survivors.is_empty() && !self.job.standing().is_ending {
            match self.jobs.promote(self.job.id()) {
                Promotion::Listed => outcome.job = Some(self.job.id()),
                Promotion::Ended => {}
                Promotion::Full => {
                    // It may have ended this moment.
                    let _ = self.job.end(EndedBy::Quota, None);
                }
            }
        }
        Ok(Reply::Ended(Box::new(outcome)))
    }

    /// Becomes a job at that time, or as soon after it as there is room for one.
    async fn promoted(&self, at: Option<Instant>) {
        let Some(at) = at else {
            return std::future::pending().await;
        };
        sleep_until(at).await;
        loop {
            let freed = self.jobs.freed();
            match self.jobs.promote(self.job.id()) {
                Promotion::Listed => return,
                Promotion::Ended => return std::future::pending().await,
                Promotion::Full => freed.await,
            }
        }
    }

    fn finish(&mut self, standing: Standing) -> Result<Outcome, ExecError> {
        self.is_waited_for = false;
        if let Some(failure) = standing.failure {
            return Err(failure.into());
        }
        let signal_is_ours = standing.signal_is_ours();
        let Some(classification) = standing.classification else {
            return Err(ExecError::KeeperLost);
        };
        let output = self.job.output();
        Ok(Outcome {
            exit: standing.exit,
            pid: standing.pid,
            ended_by: standing.ended_by,
            forced: standing.forced,
            unkillable: standing.unkillable,
            lost: standing.lost,
            signal_is_ours,
            survivors: standing.survivors,
            job: None,
            output_open: standing.output_open,
            classification,
            judged: Arc::clone(self.job.judged()),
            runtime: self.job.runtime(),
            output: output.clone(),
        })
    }
}

impl Drop for Foreground {
    fn drop(&mut self) {
        if self.is_waited_for {
            // One that has ended this moment needs nothing.
            let _ = self.job.end(EndedBy::Cancelled, None);
        }
    }
}
