//! How long a command takes through warden and keeper, against a bare `posix_spawn` from this
//! process: `cargo bench -p ostler-terminal --bench spawn`.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![allow(
    clippy::disallowed_methods,
    reason = "the standard library is what is compared with"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use divan::Bencher;
use divan::counter::ItemsCount;
use ostler_terminal::process::{Event, Limits, Spawn, Tree, Warden, null, open_cwd, resolve};
use tokio::runtime::{Builder, Runtime};

/// Commands that run at the same time.
const AT_ONCE: usize = 200;

fn main() {
    divan::main();
}

/// One thread that also waits for events, as a worker of a server does.
fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn program() -> PathBuf {
    resolve("true".as_ref(), None, Path::new("/")).unwrap()
}

fn spawn(program: &Path) -> Spawn {
    Spawn {
        program: program.into(),
        argv: vec!["true".into()],
        env: std::env::vars_os().collect(),
        cwd: open_cwd(Path::new("/")).unwrap(),
        stdin: null().unwrap(),
        stdout: null().unwrap(),
        stderr: null().unwrap(),
        limits: Limits::default(),
    }
}

/// Waits until nothing of a command is left.
async fn end(mut tree: Tree) {
    loop {
        match tree.event().await {
            Event::Empty { .. } => return,
            Event::Failed(error) => panic!("{error}"),
            Event::Lost => panic!("the keeper was killed"),
            _ => {}
        }
    }
}

fn bare(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[divan::bench(sample_size = 1)]
fn warden_start(bencher: Bencher) {
    let runtime = runtime();
    let _entered = runtime.enter();
    bencher.bench_local(|| Warden::start().unwrap());
}

/// A warden's first command: no keeper waits for it yet.
#[divan::bench(sample_size = 1)]
fn first_command(bencher: Bencher) {
    let (runtime, program) = (runtime(), program());
    let _entered = runtime.enter();
    bencher
        .with_inputs(|| Warden::start().unwrap())
        .bench_local_refs(|warden| {
            runtime.block_on(end(warden.spawn(spawn(&program)).unwrap()));
        });
}

/// One after the other.
#[divan::bench_group(sample_count = 1000, sample_size = 1)]
mod in_turn {
    use super::*;

    #[divan::bench]
    fn posix_spawn(bencher: Bencher) {
        let program = program();
        bencher.bench_local(|| bare(&program).spawn().unwrap().wait().unwrap());
    }

    #[divan::bench]
    fn warden(bencher: Bencher) {
        let (runtime, program) = (runtime(), program());
        let _entered = runtime.enter();
        let warden = Warden::start().unwrap();
        bencher.bench_local(|| {
            runtime.block_on(end(warden.spawn(spawn(&program)).unwrap()));
        });
    }
}

/// Started together, until the last has ended.
#[divan::bench_group(sample_count = 20, sample_size = 1)]
mod at_once {
    use super::*;

    #[divan::bench]
    fn posix_spawn(bencher: Bencher) {
        let program = program();
        bencher.counter(ItemsCount::new(AT_ONCE)).bench_local(|| {
            let children: Vec<_> = (0..AT_ONCE)
                .map(|_| bare(&program).spawn().unwrap())
                .collect();
            for mut child in children {
                child.wait().unwrap();
            }
        });
    }

    /// Until the last request is on its way.
    #[divan::bench]
    fn warden_requests(bencher: Bencher) {
        let (runtime, program) = (runtime(), program());
        let _entered = runtime.enter();
        let warden = Warden::start().unwrap();
        bencher
            .counter(ItemsCount::new(AT_ONCE))
            .bench_local(|| start(&warden, &program));
    }

    #[divan::bench]
    fn warden(bencher: Bencher) {
        let (runtime, program) = (runtime(), program());
        let _entered = runtime.enter();
        let warden = Warden::start().unwrap();
        bencher.counter(ItemsCount::new(AT_ONCE)).bench_local(|| {
            let trees = start(&warden, &program);
            runtime.block_on(async {
                for tree in trees {
                    end(tree).await;
                }
            });
        });
    }

    fn start(warden: &Warden, program: &Path) -> Vec<Tree> {
        (0..AT_ONCE)
            .map(|_| warden.spawn(spawn(program)).unwrap())
            .collect()
    }
}
