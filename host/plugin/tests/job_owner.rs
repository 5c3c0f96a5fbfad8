//! A component that starts jobs owns them: it waits for them, reads, signals and ends them, nobody else can, and they end
//! with it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod component;
mod direct;

use std::path::Path;
use std::time::{Duration, Instant};

use ostler_plugin::Grant;
use wasmtime::Store;
use wasmtime::component::{ComponentNamedList, Instance, Lift, Lower};

use component::{Host, MEMORY, World, instance, store};

/// A job, as the number under which its component knows it.
type Handle = u32;

/// Starts a process that leaves the session of the job, and tells its id.
const WITH_A_RUNAWAY: &str = "/bin/sh -c setsid\tsleep\t86400&\necho\t$!\nexec\tsleep\t86400";

/// A component that does with jobs what it is told to.
fn steward() -> Vec<u8> {
    let world = World::new(
        "package test:steward;
        world probe {
            import ostler:terminal/jobs@0.1.0;
            import ostler:terminal/outputs@0.1.0;
            export start: func(text: string) -> u32;
            export pid: func(job: u32) -> u32;
            export read-line: func(job: u32) -> string;
            export hang-up: func(job: u32) -> u32;
            export end: func(job: u32, grace-ms: u64) -> u32;
            export detach: func(job: u32);
            export let-go: func(job: u32);
            export wait: func(job: u32) -> string;
        }",
    );
    // All zeros are the defaults of a command, as in the probe, and of a job's options. Answers lie at 4096; a job follows
    // the discriminant of its result at the alignment of a string.
    let pid = 4096 + world.offset("jobs", "snapshot", "pid");
    let reason = 4096 + world.offset("jobs", "snapshot", "end-reason");
    let bytes = 4096 + 8 + world.offset("outputs", "chunk", "bytes");
    world.component(&format!(
        r#"(module
        (import "ostler:terminal/jobs@0.1.0" "start" (func $start (param i32 i32)))
        (import "ostler:terminal/jobs@0.1.0" "[method]job.snapshot" (func $snapshot (param i32 i32)))
        (import "ostler:terminal/jobs@0.1.0" "[method]job.wait" (func $wait (param i32 i64 i32)))
        (import "ostler:terminal/jobs@0.1.0" "[method]job.output" (func $output (param i32) (result i32)))
        (import "ostler:terminal/jobs@0.1.0" "[method]job.signal" (func $signal (param i32 i32 i32)))
        (import "ostler:terminal/jobs@0.1.0" "[method]job.end" (func $end (param i32 i64 i32)))
        (import "ostler:terminal/jobs@0.1.0" "[method]job.detach" (func $detach (param i32)))
        (import "ostler:terminal/jobs@0.1.0" "[resource-drop]job" (func $drop (param i32)))
        (import "ostler:terminal/outputs@0.1.0" "[method]output.read"
            (func $read (param i32 i32 i64 i32 i64 i32)))
        (import "ostler:terminal/outputs@0.1.0" "[resource-drop]output" (func $forget (param i32)))
        {MEMORY}
        (func (export "start") (param $text i32) (param $length i32) (result i32)
            (i32.store (i32.const 0) (local.get $text))
            (i32.store (i32.const 4) (local.get $length))
            (call $start (i32.const 0) (i32.const 4096))
            (if (i32.load8_u (i32.const 4096)) (then unreachable))
            (i32.load (i32.const 4100)))
        (func (export "pid") (param $job i32) (result i32)
            (call $snapshot (local.get $job) (i32.const 4096))
            (i32.load (i32.const {pid})))
        (func (export "read-line") (param $job i32) (result i32) (local $output i32)
            (local.set $output (call $output (local.get $job)))
            (call $read (local.get $output) (i32.const 0) (i64.const 0) (i32.const 64)
                (i64.const 45000) (i32.const 4096))
            (call $forget (local.get $output))
            (i32.const {bytes}))
        (func (export "hang-up") (param $job i32) (result i32)
            (call $signal (local.get $job) (i32.const 3) (i32.const 4096))
            (i32.load8_u (i32.const 4096)))
        (func (export "end") (param $job i32) (param $grace_ms i64) (result i32)
            (call $end (local.get $job) (local.get $grace_ms) (i32.const 4096))
            (i32.load8_u (i32.const 4096)))
        (func (export "detach") (param $job i32) (call $detach (local.get $job)))
        (func (export "let-go") (param $job i32) (call $drop (local.get $job)))
        (func (export "wait") (param $job i32) (result i32)
            (call $wait (local.get $job) (i64.const 45000) (i32.const 4096))
            (if (i32.eqz (i32.load8_u (i32.const {reason}))) (then unreachable))
            (i32.add (i32.const {reason}) (i32.const 4))))"#
    ))
}

/// A component and the store that it runs in.
struct Steward {
    store: Store<Host>,
    instance: Instance,
}

impl Steward {
    async fn new() -> Self {
        let mut store = store(Grant {
            jobs: true,
            ..Grant::default()
        });
        let instance = instance(&mut store, &steward()).await;
        Self { store, instance }
    }

    async fn ask<P, R>(&mut self, name: &str, parameters: P) -> wasmtime::Result<R>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Send + Sync + 'static,
        (R,): ComponentNamedList + Lift,
    {
        let function = self
            .instance
            .get_typed_func::<P, (R,)>(&mut self.store, name)?;
        let (answer,) = function.call_async(&mut self.store, parameters).await?;
        Ok(answer)
    }

    async fn tell(&mut self, name: &str, job: Handle) {
        let function = self
            .instance
            .get_typed_func::<(Handle,), ()>(&mut self.store, name)
            .unwrap();
        function.call_async(&mut self.store, (job,)).await.unwrap();
    }

    async fn start(&mut self, text: &str) -> Handle {
        self.ask("start", (text,)).await.unwrap()
    }

    async fn read_line(&mut self, job: Handle) -> String {
        self.ask("read-line", (job,)).await.unwrap()
    }

    async fn end_reason(&mut self, job: Handle) -> String {
        self.ask("wait", (job,)).await.unwrap()
    }

    /// Starts a job with a runaway, and gives the process ids of both.
    async fn start_with_a_runaway(&mut self) -> (Handle, [u32; 2]) {
        let job = self.start(WITH_A_RUNAWAY).await;
        let runaway = self.read_line(job).await.trim().parse().unwrap();
        (job, [self.ask("pid", (job,)).await.unwrap(), runaway])
    }
}

fn is_alive(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

async fn gone(pids: [u32; 2]) {
    while pids.into_iter().any(is_alive) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_component_reads_signals_and_waits_for_its_job() {
    let mut steward = Steward::new().await;
    let text = "/bin/sh -c echo\tready;exec\tsleep\t86400";
    let job = steward.start(text).await;
    assert_eq!(steward.read_line(job).await, "ready\n");
    let failed: u32 = steward.ask("hang-up", (job,)).await.unwrap();
    assert_eq!(failed, 0);
    assert_eq!(steward.end_reason(job).await, "signalled");
    steward.tell("let-go", job).await;
    assert!(
        steward.store.data().table.is_empty(),
        "nothing is kept of it"
    );
}

#[tokio::test]
async fn a_second_call_to_end_does_not_wait_for_the_grace() {
    let mut steward = Steward::new().await;
    let text = "/bin/sh -c trap\t''\tTERM;echo\tready;while\t:;do\tsleep\t86400;done";
    let job = steward.start(text).await;
    assert_eq!(steward.read_line(job).await, "ready\n");
    let begun = Instant::now();
    for _ in 0..2 {
        let failed: u32 = steward.ask("end", (job, 30_000_u64)).await.unwrap();
        assert_eq!(failed, 0);
    }
    assert_eq!(steward.end_reason(job).await, "stopped");
    assert!(begun.elapsed() < Duration::from_secs(25), "it was waited");
}

#[tokio::test]
async fn who_drops_a_job_ends_all_that_it_started_unless_it_is_detached() {
    let mut steward = Steward::new().await;
    let (job, pids) = steward.start_with_a_runaway().await;
    steward.tell("let-go", job).await;
    gone(pids).await;

    let (job, pids) = steward.start_with_a_runaway().await;
    steward.tell("detach", job).await;
    steward.tell("let-go", job).await;
    assert!(pids.into_iter().all(is_alive));
    // The host that ends takes it along.
    drop(steward);
    gone(pids).await;
}

#[tokio::test]
async fn a_job_of_another_component_cannot_be_reached() {
    let mut steward = Steward::new().await;
    let (job, pids) = steward.start_with_a_runaway().await;
    // In the same store, so that nothing but the handle stands between them.
    steward.instance = instance(&mut steward.store, &self::steward()).await;
    let reached: wasmtime::Result<u32> = steward.ask("end", (job, 0_u64)).await;
    let error = format!("{:?}", reached.unwrap_err());
    assert!(error.contains("unknown handle"), "{error}");
    assert!(pids.into_iter().all(is_alive));
    drop(steward);
    gone(pids).await;
}
