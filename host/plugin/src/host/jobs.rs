//! `ostler:terminal/jobs`.

use std::time::Duration;

use ostler_terminal::jobs::{Job, JobEnded, Standing, State};
use ostler_terminal::process::Signal;
use ostler_terminal::stdin::StdinError;
use ostler_terminal::{EndedBy, MAX_GRACE, OnExit, Stdin};
use tokio::time::timeout;
use wasmtime::component::Resource;

use super::OutputState;
use super::exec::{exit, failure, granted, survivor, typed};
use super::types;
use crate::bindings::ostler::terminal::exec as wit_exec;
use crate::bindings::ostler::terminal::jobs as wit;
use crate::bindings::ostler::terminal::types as wit_types;
use crate::view::PluginCtxView;

/// Longest wait of one call: callers that wait longer ask again.
const MAX_WAIT: Duration = Duration::from_millis(45_000);

/// What a component holds of a job. The job ends with it, unless it was detached.
#[derive(Debug)]
pub struct JobState {
    job: Job,
    is_detached: bool,
}

impl Drop for JobState {
    fn drop(&mut self) {
        if !self.is_detached {
            // One that has ended needs nothing.
            let _ = self.job.end(EndedBy::Cancelled, None);
        }
    }
}

impl wit::Host for PluginCtxView<'_> {
    async fn start(
        &mut self,
        command: wit_exec::Command,
        options: wit::Options,
    ) -> wasmtime::Result<Result<Resource<JobState>, wit_exec::ExecError>> {
        let grant = self.ctx.grant;
        let typed = granted(grant.jobs, "starting jobs").and_then(|()| typed(command, grant));
        let mut command = match typed {
            Ok(command) => command,
            Err(error) => return Ok(Err(error)),
        };
        command.name = options.name;
        command.on_exit = match options.on_exit {
            wit::OnExit::Kill => OnExit::Kill,
            wit::OnExit::Linger => OnExit::Linger,
        };
        if options.keep_stdin_open {
            command.stdin = match command.stdin {
                Stdin::Bytes(bytes) => Stdin::Open(bytes),
                _ => Stdin::Open(Vec::new()),
            };
        }
        match self.ctx.terminal.start(command).await {
            Ok(job) => Ok(Ok(self.table.push(JobState {
                job,
                is_detached: false,
            })?)),
            Err(error) => Ok(Err(failure(error))),
        }
    }
}

impl PluginCtxView<'_> {
    fn job(&self, job: &Resource<JobState>) -> wasmtime::Result<&Job> {
        Ok(&self.table.get(job)?.job)
    }
}

impl wit::HostJob for PluginCtxView<'_> {
    fn id(&mut self, job: Resource<JobState>) -> wasmtime::Result<String> {
        Ok(self.job(&job)?.id().to_string())
    }

    fn invocation(&mut self, job: Resource<JobState>) -> wasmtime::Result<wit_types::Invocation> {
        let review = &self.job(&job)?.judged().review;
        Ok(types::invocation(review.invocation.clone()))
    }

    fn findings(&mut self, job: Resource<JobState>) -> wasmtime::Result<Vec<wit_types::Finding>> {
        let findings = self.job(&job)?.judged().review.findings.iter();
        Ok(findings.cloned().map(types::finding).collect())
    }

    fn snapshot(&mut self, job: Resource<JobState>) -> wasmtime::Result<wit::Snapshot> {
        let job = self.job(&job)?;
        Ok(snapshot(job, job.standing()))
    }

    fn output(&mut self, job: Resource<JobState>) -> wasmtime::Result<Resource<OutputState>> {
        let output = self.job(&job)?.output().clone();
        Ok(self.table.push(OutputState(output))?)
    }

    async fn survivors(
        &mut self,
        job: Resource<JobState>,
    ) -> wasmtime::Result<Vec<wit_exec::Survivor>> {
        let job = self.job(&job)?.clone();
        Ok(job.survivors().await.into_iter().map(survivor).collect())
    }

    async fn wait(
        &mut self,
        job: Resource<JobState>,
        wait_ms: u64,
    ) -> wasmtime::Result<wit::Snapshot> {
        let job = self.job(&job)?.clone();
        let longest = Duration::from_millis(wait_ms).min(MAX_WAIT);
        // A wait that is over is no error: the snapshot says how it stands.
        let _ = timeout(longest, job.exited()).await;
        Ok(snapshot(&job, job.standing()))
    }

    fn signal(
        &mut self,
        job: Resource<JobState>,
        signal: wit::Signal,
    ) -> wasmtime::Result<Result<(), wit::JobError>> {
        let job = self.job(&job)?;
        let sent = match signal {
            wit::Signal::Interrupt => job.signal(Signal::Interrupt),
            wit::Signal::Terminate => job.signal(Signal::Terminate),
            wit::Signal::Kill => job.kill(EndedBy::Request),
            wit::Signal::Hangup => job.signal(Signal::Hangup),
            wit::Signal::User1 => job.signal(Signal::User1),
            wit::Signal::User2 => job.signal(Signal::User2),
            wit::Signal::Stop => job.signal(Signal::Stop),
            wit::Signal::Continue => job.signal(Signal::Continue),
        };
        Ok(sent.map_err(|JobEnded| wit::JobError::Ended))
    }

    fn end(
        &mut self,
        job: Resource<JobState>,
        grace_ms: u64,
    ) -> wasmtime::Result<Result<(), wit::JobError>> {
        let grace = Duration::from_millis(grace_ms).min(MAX_GRACE);
        let ended = self.job(&job)?.end(EndedBy::Request, Some(grace));
        Ok(ended.map_err(|JobEnded| wit::JobError::Ended))
    }

    fn write_stdin(
        &mut self,
        job: Resource<JobState>,
        bytes: Vec<u8>,
    ) -> wasmtime::Result<Result<u64, wit::JobError>> {
        let job = self.job(&job)?;
        let Some(stdin) = job.stdin() else {
            return Ok(Err(wit::JobError::StdinClosed));
        };
        Ok(match stdin.write(&bytes) {
            Ok(taken) if taken == bytes.len() => Ok(taken as u64),
            Ok(taken) => Err(wit::JobError::StdinFull(taken as u64)),
            Err(StdinError::Closed) => Err(wit::JobError::StdinClosed),
            Err(StdinError::Broken) => Err(wit::JobError::StdinBroken),
        })
    }

    fn close_stdin(
        &mut self,
        job: Resource<JobState>,
    ) -> wasmtime::Result<Result<(), wit::JobError>> {
        let Some(stdin) = self.job(&job)?.stdin() else {
            return Ok(Err(wit::JobError::StdinClosed));
        };
        stdin.close();
        Ok(Ok(()))
    }

    fn detach(&mut self, job: Resource<JobState>) -> wasmtime::Result<()> {
        self.table.get_mut(&job)?.is_detached = true;
        Ok(())
    }

    fn drop(&mut self, job: Resource<JobState>) -> wasmtime::Result<()> {
        self.table.delete(job)?;
        Ok(())
    }
}

fn snapshot(job: &Job, standing: Standing) -> wit::Snapshot {
    wit::Snapshot {
        state: match standing.state {
            State::Starting | State::Running => wit::State::Running,
            State::Stopped(_) => wit::State::Stopped,
            State::Lingering => wit::State::Lingering,
            State::Ended => wit::State::Ended,
        },
        exit: standing.exit.map(exit),
        end_reason: standing.end_cause().map(|it| it.word().to_owned()),
        signal_is_ours: standing.signal_is_ours(),
        timed_out: standing.timed_out(),
        forced: standing.forced,
        unkillable: standing.unkillable,
        pid: standing.pid.map_or(0, |pid| pid.get().unsigned_abs()),
        runtime_ms: u64::try_from(job.runtime().as_millis()).unwrap_or(u64::MAX),
        classification: standing.classification.map(types::classification),
        survivors: standing.survivors.into_iter().map(survivor).collect(),
    }
}
