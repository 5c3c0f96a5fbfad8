//! A few words to start commands with and to wait for what becomes of them.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ostler_terminal::process::{
    Event, Exit, ExitKind, Limits, Spawn, SpawnError, Survivor, Tree, Warden, from_child, null,
    open_cwd, resolve,
};
use tokio::time::timeout;

/// Longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// One warden for all cases that do not harm it.
pub fn warden() -> &'static Warden {
    static WARDEN: OnceLock<Warden> = OnceLock::new();
    WARDEN.get_or_init(|| Warden::start().unwrap())
}

/// A program with arguments, in `/`, with the environment of this process and nothing to read.
pub fn command(words: &[&str]) -> Spawn {
    let path = std::env::var_os("PATH");
    Spawn {
        program: resolve(words[0].as_ref(), path.as_deref(), Path::new("/")).unwrap(),
        argv: words.iter().map(Into::into).collect(),
        env: std::env::vars_os().collect(),
        cwd: open_cwd(Path::new("/")).unwrap(),
        stdin: null().unwrap(),
        stdout: null().unwrap(),
        stderr: null().unwrap(),
        limits: Limits::default(),
    }
}

/// A script for `bash`.
pub fn script(text: &str) -> Spawn {
    command(&["bash", "-c", text])
}

/// The reading end of what a command prints on both streams.
pub fn capture(spawn: &mut Spawn) -> Capture {
    let (read, write) = from_child().unwrap();
    spawn.stderr = write.try_clone().unwrap();
    spawn.stdout = write;
    Capture(read.into())
}

pub struct Capture(File);

impl Capture {
    /// What is there now, and whether the stream ended.
    pub fn take(&mut self) -> (String, bool) {
        let mut bytes = Vec::new();
        let ended = match self.0.read_to_end(&mut bytes) {
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            Err(error) => panic!("{error}"),
        };
        (String::from_utf8(bytes).unwrap(), ended)
    }

    /// Everything up to the end of the stream.
    pub fn take_all(&mut self) -> String {
        let mut text = String::new();
        let give_up = Instant::now() + PATIENCE;
        loop {
            let (more, ended) = self.take();
            text += &more;
            if ended {
                return text;
            }
            assert!(Instant::now() < give_up, "the stream did not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A started tree.
pub struct Running {
    pub tree: Tree,
    pub leader: i32,
}

/// How a tree ended.
#[derive(Debug)]
pub struct Ended {
    pub exit: Exit,
    pub forced: bool,
}

impl Ended {
    pub fn kind(&self) -> ExitKind {
        self.exit.kind()
    }
}

/// Starts a command that must start.
pub async fn start(spawn: Spawn) -> Running {
    start_with(warden(), spawn).await
}

pub async fn start_with(warden: &Warden, spawn: Spawn) -> Running {
    let mut tree = warden.spawn(spawn).unwrap();
    match next(&mut tree).await {
        Event::Started { leader, .. } => Running {
            tree,
            leader: leader.get(),
        },
        other => panic!("{other:?}"),
    }
}

/// Starts a command that must not start.
pub async fn fail(spawn: Spawn) -> SpawnError {
    let mut tree = match warden().spawn(spawn) {
        Ok(tree) => tree,
        Err(error) => return error,
    };
    match next(&mut tree).await {
        Event::Failed(error) => error,
        other => panic!("{other:?}"),
    }
}

/// Starts a command, waits for its end, returns that and what it printed.
pub async fn finish(mut spawn: Spawn) -> (Ended, String) {
    let mut output = capture(&mut spawn);
    let ended = start(spawn).await.ended().await;
    (ended, output.take_all())
}

pub async fn next(tree: &mut Tree) -> Event {
    timeout(PATIENCE, tree.event())
        .await
        .expect("an event in time")
}

impl Running {
    pub async fn next(&mut self) -> Event {
        next(&mut self.tree).await
    }

    /// Waits for the exit of the leader, whatever stopped it before.
    pub async fn exited(&mut self) -> Exit {
        loop {
            match self.next().await {
                Event::Exited(exit) => return exit,
                Event::Stopped { .. } | Event::Continued => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Waits for the last event after the exit.
    pub async fn emptied(&mut self) -> bool {
        match self.next().await {
            Event::Empty { forced } => forced,
            other => panic!("{other:?}"),
        }
    }

    /// Waits for both.
    pub async fn ended(mut self) -> Ended {
        let exit = self.exited().await;
        let forced = self.emptied().await;
        Ended { exit, forced }
    }

    pub async fn survivors(&mut self) -> (Vec<Survivor>, usize) {
        self.tree.ask_survivors();
        match self.next().await {
            Event::Survivors { listed, total } => (listed, total),
            other => panic!("{other:?}"),
        }
    }
}
