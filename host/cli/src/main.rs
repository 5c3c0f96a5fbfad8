//! `ostler`: a native terminal for AI agents, at a shell and over MCP.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod args;
mod audit;
mod config;
mod doctor;
mod envelope;
mod exec;
mod judgement;
mod logging;
mod mcp;
mod nearest;
mod paint;
mod policies;
mod policy;
mod printer;
mod quote;
mod search;
mod signals;
mod wishes;

use std::io;
use std::panic;
use std::process::exit;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::Parser as _;
use tokio::runtime::{Builder, Runtime};

use args::{Args, Face};
use config::Config;
use ostler_terminal::process::{Warden, survive_file_size_limit};
use paint::Tone;

/// Exit status for wrong usage and settings that cannot be used.
const USAGE: i32 = 2;

/// Most threads for long answers at one time. More than there are cores, for some wait for a disk.
const THREADS_ASIDE: usize = 4;

fn main() {
    let args = Args::parse();
    let status = run(args).unwrap_or_else(|error| {
        paint::note(Tone::Error, &format!("{error:#}"));
        USAGE
    });
    // Not a return: threads that wait for standard input would hold the process.
    exit(status);
}

/// Reads the settings, then lets the face that was asked for do the rest. Returns the exit status.
fn run(args: Args) -> anyhow::Result<i32> {
    let config = Config::load(&args.common)?;
    logging::start(config.log.as_deref())?;
    match args.face {
        Face::Exec(exec) => with_warden(async |warden| exec::run(*exec, &config, warden).await),
        Face::Mcp(mcp) => with_warden(async |warden| {
            let served = mcp::run(mcp, args.common, config, warden).await;
            served.map(|()| 0)
        }),
        Face::Policy(policy) => policy::run(policy, &config),
        Face::Doctor(doctor) => {
            with_warden(async |warden| doctor::run(doctor, &config, warden).await)
        }
        Face::Rg(rg) => search::rg::run(*rg),
        Face::Glob(glob) => search::glob::run(&glob),
    }
}

/// Runs a face that runs commands.
fn with_warden(face: impl AsyncFnOnce(Warden) -> anyhow::Result<i32>) -> anyhow::Result<i32> {
    // Before anything else starts threads or takes memory: the warden is a fork of this process as it is now.
    let warden = Warden::start()?;
    if let Err(error) = warden.raise_descriptor_limit() {
        tracing::debug!(%error, "the limit on descriptors stays as it is");
    }
    survive_file_size_limit().context("signals cannot be set up")?;
    let runtime = runtime().context("no asynchronous runtime")?;
    runtime.block_on(face(warden))
}

/// One thread for events: nothing there computes for long, and on two cores a second one costs every call the time to wake
/// it. Long answers are made on threads aside.
fn runtime() -> anyhow::Result<Runtime> {
    let make = || -> io::Result<Runtime> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS_ASIDE)
            .thread_keep_alive(Duration::MAX)
            .build()?;
        // Without any thread aside tokio panics when the system has none to give; with one it waits for that. So the first
        // is made now, and stays.
        runtime.spawn_blocking(|| ());
        Ok(runtime)
    };
    // What the system refuses is a panic of tokio here and there; for a person it is an error like others.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let made = panic::catch_unwind(make);
    panic::set_hook(hook);
    match made {
        Ok(made) => Ok(made?),
        Err(panic) => Err(anyhow!(
            panic
                .downcast::<String>()
                .map_or_else(|_| "it panicked".to_owned(), |text| *text)
        )),
    }
}
