//! The server's handle on its warden.

use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use nix::sys::socket::{
    AddressFamily, SockFlag, SockType, setsockopt, socketpair,
    sockopt::{SndBuf, SndBufForce},
};

use super::afterfork::{OomScores, Seed, fork, run_warden};
use super::request::Packet;
use super::tree::{Start, Tree};
use super::{Pid, Spawn, SpawnError, StartError, Step, pipe};

/// How long dropping the last handle waits for the warden to end its trees, in milliseconds.
const FAREWELL_MS: u16 = 500;
/// Room for requests that no keeper has taken yet, in bytes. Without privileges the system's
/// `wmem_max` bounds it.
const REQUEST_QUEUE_BYTES: usize = 1 << 20;
/// How much sooner than the server a command is to be chosen when memory runs out (`proc(5)`,
/// `oom_score_adj`).
const OOM_SCORE_ABOVE_SERVER: i32 = 500;
/// The largest score.
const MAX_OOM_SCORE: i32 = 1000;

/// The process that owns all commands of this server. Dropping it ends every tree, then the warden.
///
/// A warden that somebody killed is replaced at the next [`Warden::spawn`]; its trees end with it.
#[derive(Debug)]
pub struct Warden {
    link: Mutex<Arc<Link>>,
    /// How many descriptors a command may have open: the soft limit of the server as it was at the start.
    open_files: u64,
}

impl Warden {
    /// Forks the warden. Possible at any time on any thread, but best at the very beginning; see
    /// [the module](super).
    ///
    /// # Errors
    ///
    /// When descriptors, memory or processes ran out.
    pub fn start() -> Result<Self, StartError> {
        let failed = |source| StartError {
            step: Step::Limits,
            source,
        };
        let (open_files, _) = getrlimit(Resource::RLIMIT_NOFILE).map_err(failed)?;
        Ok(Self {
            link: Mutex::new(Arc::new(Link::open(open_files)?)),
            open_files,
        })
    }

    /// Lets this process have as many descriptors open as it may: each running command takes four. Commands keep the limit
    /// that was there before, because some programs misbehave with a high one. Returns how many that is.
    ///
    /// # Errors
    ///
    /// When the system refuses, which it does where a sandbox forbids it.
    pub fn raise_descriptor_limit(&self) -> nix::Result<u64> {
        let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
        setrlimit(Resource::RLIMIT_NOFILE, most, most)?;
        Ok(most)
    }

    /// Starts a command. Returns when the request is on its way; whether the program came to run
    /// says the first event.
    ///
    /// Does not block, except for room in the socket when hundreds of requests are under way. Must
    /// be called inside a tokio runtime with I/O enabled.
    ///
    /// # Errors
    ///
    /// Whatever can be known in advance, such as arguments that are too long. Nothing was started
    /// then.
    pub fn spawn(&self, spawn: Spawn) -> Result<Tree, SpawnError> {
        let mut packet = Packet::new(&spawn)?;
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(SpawnError::NoRuntime);
        }
        let (server, keeper) = socket_pair(SockFlag::SOCK_NONBLOCK)
            .map_err(|errno| SpawnError::at(Step::Socket, errno))?;
        let tree = Tree::new(server).map_err(|error| SpawnError::at_io(Step::Watch, &error))?;
        // Everything that can fail here has succeeded. From now on there is something to end.
        let link = self.link()?;
        packet
            .send(link.requests.as_fd(), &keeper, &spawn)
            .map_err(|errno| SpawnError::at(Step::Send, errno))?;
        Ok(tree.with_start(Start {
            program: spawn.program,
            cwd: spawn.cwd,
        }))
    }

    /// The warden's process id.
    pub fn pid(&self) -> Pid {
        self.link.lock().unwrap_or_else(PoisonError::into_inner).pid
    }

    /// The link to a living warden.
    fn link(&self) -> Result<Arc<Link>, SpawnError> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        if link.has_ended(PollTimeout::ZERO) {
            let error = |error: StartError| SpawnError::at(error.step, error.source);
            *link = Arc::new(Link::open(self.open_files).map_err(error)?);
            tracing::warn!(
                pid = link.pid.get(),
                "the warden was killed; a new one was started"
            );
        }
        Ok(Arc::clone(&link))
    }
}

/// One warden process. It ends when this is dropped.
#[derive(Debug)]
struct Link {
    requests: OwnedFd,
    /// Stays with the warden when its number is reused.
    process: OwnedFd,
    pid: Pid,
}

impl Link {
    fn open(open_files: u64) -> Result<Self, StartError> {
        let failed = |step: Step| move |source: Errno| StartError { step, source };
        let null = pipe::null().map_err(|error| failed(Step::Null)(errno(&error)))?;
        let (server, warden) = socket_pair(SockFlag::empty()).map_err(failed(Step::Socket))?;
        // Best effort: the usual size has room for some fifty commands in a burst, and a full
        // socket only costs time.
        let _ = setsockopt(&server, SndBufForce, &REQUEST_QUEUE_BYTES)
            .or_else(|_| setsockopt(&server, SndBuf, &REQUEST_QUEUE_BYTES));
        let seed = Seed {
            requests: warden.as_raw_fd(),
            null: null.as_raw_fd(),
            oom_scores: oom_scores(),
            open_files,
        };
        let (pid, process) = fork_warden(&seed).map_err(failed(Step::Warden))?;
        Ok(Self {
            requests: server,
            process,
            pid,
        })
    }

    fn has_ended(&self, patience: PollTimeout) -> bool {
        let mut wanted = [PollFd::new(self.process.as_fd(), PollFlags::POLLIN)];
        poll(&mut wanted, patience).is_ok_and(|ready| ready > 0)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Ends the conversation for every copy of the descriptor at once.
        // SAFETY: a plain system call on a socket that is still open.
        unsafe { libc::shutdown(self.requests.as_raw_fd(), libc::SHUT_RDWR) };
        let pid = self.pid;
        if self.has_ended(PollTimeout::from(FAREWELL_MS)) {
            reap(pid);
        } else {
            // A process that not even SIGKILL ends at once. Somebody must wait for the warden, but
            // not the caller.
            let waiting = thread::Builder::new().spawn(move || reap(pid));
            if let Err(error) = waiting {
                tracing::warn!(%error, "nobody waits for the warden");
            }
        }
    }
}

fn reap(pid: Pid) {
    // SAFETY: no status is wanted. The number is the warden's until this call: it is our child, and
    // of a kind that ordinary waits do not see.
    while unsafe { libc::waitpid(pid.get(), std::ptr::null_mut(), libc::__WALL) } == -1
        && Errno::last() == Errno::EINTR
    {}
}

fn fork_warden(seed: &Seed) -> Result<(Pid, OwnedFd), Errno> {
    let mut before = SigSet::empty();
    // No handler of the server may run in the warden.
    pthread_sigmask(
        SigmaskHow::SIG_SETMASK,
        Some(&SigSet::all()),
        Some(&mut before),
    )?;
    let mut process = -1;
    // No exit signal: the host process neither gets a SIGCHLD for the warden nor finds it when it
    // waits for any child.
    // SAFETY: the child goes straight into the warden's life, which keeps to the rule and never
    // returns.
    let forked = unsafe { fork(libc::CLONE_PIDFD, &mut process) };
    if forked == Ok(0) {
        run_warden(seed);
    }
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&before), None)?;
    let pid = forked.map_err(Errno::from_raw)?;
    // SAFETY: the kernel has just opened it; nobody else knows it.
    Ok((Pid::new(pid), unsafe { OwnedFd::from_raw_fd(process) }))
}

fn socket_pair(flags: SockFlag) -> Result<(OwnedFd, OwnedFd), Errno> {
    let flags = flags | SockFlag::SOCK_CLOEXEC;
    socketpair(AddressFamily::Unix, SockType::SeqPacket, None, flags)
}

fn oom_scores() -> OomScores {
    let server: i32 = std::fs::read_to_string("/proc/self/oom_score_adj")
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0);
    let command = server
        .saturating_add(OOM_SCORE_ABOVE_SERVER)
        .min(MAX_OOM_SCORE);
    let text = |score: i32| {
        let mut text = [b' '; 5];
        text.iter_mut()
            .zip(score.to_string().bytes())
            .for_each(|(place, digit)| *place = digit);
        text
    };
    OomScores {
        server: text(server),
        command: text(command),
    }
}

fn errno(error: &std::io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(0))
}
