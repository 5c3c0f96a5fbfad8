//! Jobs as components get them: what they can do with one, and what becomes of it when they let go.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod direct;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ostler_plugin::bindings::ostler::terminal::exec::{
    Command, Environment, ExecError, Exit, Limits, StandardInput,
};
use ostler_plugin::bindings::ostler::terminal::jobs::{
    Host, HostJob, JobError, OnExit, Options, Signal, State,
};
use ostler_plugin::bindings::ostler::terminal::outputs::HostOutput;
use ostler_plugin::bindings::ostler::terminal::policy::ShellChoice;
use ostler_plugin::bindings::ostler::terminal::types::StreamName;
use ostler_plugin::{Grant, JobState, PluginCtx, PluginCtxView};
use ostler_terminal::process::Warden;
use ostler_terminal::{Settings, Terminal};
use wasmtime::component::{Resource, ResourceTable};

use direct::Direct;

/// What a store keeps for a component.
struct Store {
    ctx: PluginCtx,
    table: ResourceTable,
}

impl Store {
    fn new(grant: Grant) -> Self {
        let terminal = Terminal::new(
            Warden::start().unwrap(),
            Arc::new(Direct),
            Settings::default(),
        );
        Self {
            ctx: PluginCtx::new(Arc::new(terminal.unwrap()), grant),
            table: ResourceTable::new(),
        }
    }

    fn granted() -> Self {
        Self::new(Grant {
            jobs: true,
            ..Grant::default()
        })
    }

    fn view(&mut self) -> PluginCtxView<'_> {
        PluginCtxView {
            ctx: &mut self.ctx,
            table: &mut self.table,
        }
    }

    async fn start(&mut self, text: &str) -> Resource<JobState> {
        self.view()
            .start(command(text), options())
            .await
            .unwrap()
            .unwrap()
    }
}

fn command(text: &str) -> Command {
    Command {
        text: text.into(),
        shell: ShellChoice::Auto,
        cwd: None,
        environment: Environment {
            inherit: false,
            set: Vec::new(),
            unset: Vec::new(),
        },
        stdin: StandardInput::Empty,
        limits: Limits {
            cpu_seconds: None,
            address_space_bytes: None,
            file_size_bytes: None,
            open_files: None,
        },
        merge_stderr: false,
        deadline_ms: 0,
        grace_ms: 2000,
        extra: Vec::new(),
    }
}

fn options() -> Options {
    Options {
        name: None,
        keep_stdin_open: true,
        on_exit: OnExit::Kill,
    }
}

/// The same resource again: calls take it by value.
fn again(job: &Resource<JobState>) -> Resource<JobState> {
    Resource::new_borrow(job.rep())
}

async fn gone(pid: u32) {
    while Path::new(&format!("/proc/{pid}")).exists() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_job_reads_what_is_written_and_its_output_is_read() {
    let mut store = Store::granted();
    let job = store.start("/bin/cat").await;
    let mut view = store.view();
    assert!(view.id(again(&job)).unwrap().starts_with("job_"));
    let taken = view.write_stdin(again(&job), b"hello".to_vec()).unwrap();
    assert_eq!(taken.ok(), Some(5));
    assert!(view.close_stdin(again(&job)).unwrap().is_ok());
    let snapshot = view.wait(again(&job), 45_000).await.unwrap();
    assert!(matches!(snapshot.exit, Some(Exit::Code(0))), "{snapshot:?}");
    assert_eq!(snapshot.end_reason.as_deref(), Some("exited"));
    let output = view.output(again(&job)).unwrap();
    let chunk = view
        .read(output, StreamName::Stdout, 0, 64, 1000)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(chunk.bytes, b"hello");
    let late = view.write_stdin(again(&job), b"x".to_vec()).unwrap();
    assert!(matches!(late, Err(JobError::StdinClosed)), "{late:?}");
}

#[tokio::test]
async fn signals_and_the_end_are_told_apart() {
    let mut store = Store::granted();
    let job = store.start("/bin/sleep 86400").await;
    let mut view = store.view();
    assert_eq!(
        view.wait(again(&job), 1).await.unwrap().state,
        State::Running
    );
    assert!(view.signal(again(&job), Signal::Hangup).unwrap().is_ok());
    let snapshot = view.wait(again(&job), 45_000).await.unwrap();
    assert!(
        matches!(snapshot.exit, Some(Exit::Signal(1))),
        "{snapshot:?}"
    );
    assert_eq!(snapshot.end_reason.as_deref(), Some("signalled"));
    assert!(snapshot.signal_is_ours);
    let job = store.start("/bin/sleep 86400").await;
    let mut view = store.view();
    assert!(view.end(again(&job), 2000).unwrap().is_ok());
    let snapshot = view.wait(again(&job), 45_000).await.unwrap();
    assert_eq!(snapshot.end_reason.as_deref(), Some("stopped"));
}

#[tokio::test]
async fn a_store_that_is_dropped_ends_its_jobs() {
    let mut store = Store::granted();
    let job = store.start("/bin/sleep 86400").await;
    let pid = store.view().snapshot(again(&job)).unwrap().pid;
    let Store { ctx, table } = store;
    drop(table);
    gone(pid).await;
    drop(ctx);
}

#[tokio::test]
async fn nothing_is_started_without_a_grant() {
    let mut store = Store::new(Grant {
        exec: true,
        ..Grant::default()
    });
    let error = store
        .view()
        .start(command("/bin/true"), options())
        .await
        .unwrap();
    assert!(matches!(error, Err(ExecError::NotGranted(_))), "{error:?}");
}
