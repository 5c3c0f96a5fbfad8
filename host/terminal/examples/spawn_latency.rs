//! How long a command takes through warden and keeper, against a bare `posix_spawn` from this
//! process.
//!
//! ```console
//! $ cargo run --release -p ostler-terminal --example spawn_latency
//! ```
#![allow(
    clippy::disallowed_methods,
    reason = "the standard library is what is compared with"
)]

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ostler_terminal::process::{Event, Limits, Spawn, SpawnError, Warden, null, open_cwd, resolve};

const SEQUENTIAL: usize = 1000;
const PARALLEL: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    // On a worker, where a server's calls run.
    tokio::spawn(measure()).await?
}

async fn measure() -> Result<(), Box<dyn Error + Send + Sync>> {
    let started = Instant::now();
    let warden = Warden::start()?;
    println!(
        "{:24} {:>8} µs",
        "warden start",
        started.elapsed().as_micros()
    );
    let program = resolve("true".as_ref(), None, Path::new("/"))?;

    print_row(
        "first command",
        &mut [through_warden(&warden, &program).await?],
    );
    let (mut bare, mut kept) = (Vec::new(), Vec::new());
    // In turns, so that a busy moment of the machine hits both.
    for _ in 0..SEQUENTIAL {
        bare.push(posix_spawn(&program)?);
        kept.push(through_warden(&warden, &program).await?);
    }
    print_row("posix_spawn, in turn", &mut bare);
    print_row("warden, in turn", &mut kept);

    let mut alone = Vec::new();
    for _ in 0..SEQUENTIAL {
        alone.push(posix_spawn(&program)?);
    }
    print_row("posix_spawn, alone", &mut alone);
    let mut alone = Vec::new();
    for _ in 0..SEQUENTIAL {
        alone.push(through_warden(&warden, &program).await?);
    }
    print_row("warden, alone", &mut alone);

    let started = Instant::now();
    let mut children = Vec::new();
    for _ in 0..PARALLEL {
        children.push(bare_command(&program).spawn()?);
    }
    for child in &mut children {
        child.wait()?;
    }
    println!(
        "{:24} {:>8} µs for {PARALLEL}",
        "posix_spawn, at once",
        started.elapsed().as_micros()
    );

    let started = Instant::now();
    let mut trees = Vec::new();
    for _ in 0..PARALLEL {
        trees.push(warden.spawn(command(&program)?)?);
    }
    let sent = started.elapsed();
    for tree in &mut trees {
        while !matches!(tree.event().await, Event::Empty { .. }) {}
    }
    println!(
        "{:24} {:>8} µs for {PARALLEL} ({} µs to send)",
        "warden, at once",
        started.elapsed().as_micros(),
        sent.as_micros()
    );
    Ok(())
}

async fn through_warden(
    warden: &Warden,
    program: &Path,
) -> Result<Duration, Box<dyn Error + Send + Sync>> {
    let started = Instant::now();
    let mut tree = warden.spawn(command(program)?)?;
    loop {
        match tree.event().await {
            Event::Empty { .. } => return Ok(started.elapsed()),
            Event::Failed(error) => return Err(error.into()),
            Event::Lost => return Err("the keeper was killed".into()),
            _ => {}
        }
    }
}

fn command(program: &Path) -> Result<Spawn, SpawnError> {
    let nothing = || null().map_err(|_| SpawnError::EmptyArgv);
    Ok(Spawn {
        program: PathBuf::from(program),
        argv: vec!["true".into()],
        env: std::env::vars_os().collect(),
        cwd: open_cwd(Path::new("/"))?,
        stdin: nothing()?,
        stdout: nothing()?,
        stderr: nothing()?,
        limits: Limits::default(),
    })
}

fn bare_command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn posix_spawn(program: &Path) -> io::Result<Duration> {
    let started = Instant::now();
    bare_command(program).spawn()?.wait()?;
    Ok(started.elapsed())
}

fn print_row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_micros();
    println!(
        "{name:24} {:>8} µs   p90 {:>6}   p99 {:>6}",
        at(50),
        at(90),
        at(99)
    );
}
