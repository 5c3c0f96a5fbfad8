//! From a request to a running program: the vfork child and what it does before `execve`.
//!
//! The child borrows the keeper's memory and the keeper stands still until the program runs or the
//! child is gone. It has a stack of its own, and what went wrong is left in [`Launch::failure`],
//! where the keeper finds it.

use std::cell::Cell;
use std::mem::MaybeUninit;

use libc::{c_char, c_int, c_void, pid_t};

use super::super::Step;
use super::memory::Block;
use super::system::{ErrorNumber, Fd, checked, exit, sleep_ms, unblock_signals, wait_for};

/// Stack of the child before it executes its program.
const STACK_BYTES: usize = 64 * 1024;
/// Pauses before the program is tried again while somebody has it open for writing, in
/// milliseconds.
const TEXT_BUSY_PAUSES_MS: &[c_int] = &[1, 5, 20];
/// Which limits the four numbers of a request are.
const LIMITS: [libc::__rlimit_resource_t; 4] = [
    libc::RLIMIT_CPU,
    libc::RLIMIT_AS,
    libc::RLIMIT_FSIZE,
    libc::RLIMIT_NOFILE,
];

/// Where the child runs. Allocated once in the warden; every keeper has its own copy.
pub(super) struct Stack(Block);

impl Stack {
    pub fn map() -> Result<Self, ErrorNumber> {
        let block = Block::private(STACK_BYTES)?;
        block.guard_first_page();
        Ok(Self(block))
    }

    fn top(&self) -> *mut c_void {
        // SAFETY: one past the end of the mapping, page-aligned; stacks grow down from there.
        unsafe { self.0.start().add(STACK_BYTES).cast() }
    }
}

/// A program to run. The pointers are those that `execve` takes.
pub(super) struct Launch {
    pub program: *const c_char,
    pub arguments: *const *const c_char,
    pub environment: *const *const c_char,
    pub streams: [Fd; 3],
    pub cwd: Fd,
    pub limits: [u64; 4],
    /// The step that failed. Written by the child.
    pub failure: Cell<Option<(Step, ErrorNumber)>>,
}

/// Starts the program; returns the process that runs it. After an error, nothing is left.
pub(super) fn start(launch: &Launch, stack: &Stack) -> Result<pid_t, (Step, ErrorNumber)> {
    let mut pauses_ms = TEXT_BUSY_PAUSES_MS.iter();
    loop {
        match try_start(launch, stack) {
            Err((Step::Exec, libc::ETXTBSY)) => match pauses_ms.next() {
                Some(pause_ms) => sleep_ms(*pause_ms),
                None => return Err((Step::Exec, libc::ETXTBSY)),
            },
            result => return result,
        }
    }
}

fn try_start(launch: &Launch, stack: &Stack) -> Result<pid_t, (Step, ErrorNumber)> {
    launch.failure.set(None);
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the child runs `child` on a stack that nobody else uses, with a launch that outlives
    // it, because this call returns only after the child has executed its program or ended.
    let pid = checked(unsafe {
        libc::clone(
            child,
            stack.top(),
            flags,
            (&raw const *launch).cast_mut().cast(),
        )
    })
    .map_err(|error| (Step::Leader, error))?;
    match launch.failure.get() {
        None => Ok(pid),
        Some(failure) => {
            wait_for(pid);
            Err(failure)
        }
    }
}

extern "C" fn child(launch: *mut c_void) -> c_int {
    // SAFETY: `try_start` passes a launch that lives until this process has ended or executed its
    // program.
    let launch = unsafe { &*launch.cast::<Launch>() };
    let failure = launch.run();
    launch.failure.set(Some(failure));
    exit(127)
}

impl Launch {
    /// Every step in order. Returns only when one failed.
    fn run(&self) -> (Step, ErrorNumber) {
        match self.prepare() {
            Err(failure) => failure,
            // SAFETY: the three pointers are those of a request that was checked: NUL-terminated
            // strings, tables ended by a null pointer, all in memory that stays mapped.
            Ok(()) => unsafe {
                libc::execve(self.program, self.arguments, self.environment);
                (Step::Exec, super::system::last_error())
            },
        }
    }

    fn prepare(&self) -> Result<(), (Step, ErrorNumber)> {
        let at = |step: Step| move |error: ErrorNumber| (step, error);
        // A session of its own has no terminal: whoever asks for a password on /dev/tty fails at
        // once and does not hang.
        // SAFETY: a plain system call.
        checked(unsafe { libc::setsid() }).map_err(at(Step::Session))?;
        for (number, stream) in (0..).zip(self.streams) {
            // SAFETY: descriptors 0 to 2 are the keeper's null device, and no received descriptor
            // is among them.
            checked(unsafe { libc::dup2(stream, number) }).map_err(at(Step::Streams))?;
        }
        enter(self.cwd).map_err(at(Step::Cwd))?;
        for (resource, limit) in LIMITS.into_iter().zip(self.limits) {
            if limit != u64::MAX {
                limit_to(resource, limit).map_err(at(Step::Limits))?;
            }
        }
        set_limit(libc::RLIMIT_CORE, 0, 0).map_err(at(Step::Limits))?;
        // Everything is close-on-exec already; this holds even if something was forgotten.
        // SAFETY: nothing above 2 is needed any more.
        unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
        // The keeper has all signals at their default action and blocked.
        unblock_signals();
        Ok(())
    }
}

/// Enters a directory that still exists. The kernel would enter a deleted one.
fn enter(cwd: Fd) -> Result<(), ErrorNumber> {
    let mut status = MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: the kernel writes a stat structure.
    checked(unsafe { libc::fstat(cwd, status.as_mut_ptr()) })?;
    // SAFETY: zeroes are a valid stat, and the call succeeded.
    if unsafe { status.assume_init_ref() }.st_nlink == 0 {
        return Err(libc::ENOENT);
    }
    // SAFETY: a plain system call.
    checked(unsafe { libc::fchdir(cwd) }).map(|_| ())
}

/// Sets both limits, or, where that is above the hard limit and not permitted, the soft limit as
/// high as it goes.
fn limit_to(resource: libc::__rlimit_resource_t, wanted: u64) -> Result<(), ErrorNumber> {
    // The kernel looks at the hard CPU limit first: were they equal, the process would never get
    // the SIGXCPU that says why.
    let hard = if resource == libc::RLIMIT_CPU {
        wanted.saturating_add(1)
    } else {
        wanted
    };
    match set_limit(resource, wanted, hard) {
        Err(libc::EPERM) => {
            let mut current = libc::rlimit {
                rlim_cur: 0,
                rlim_max: 0,
            };
            // SAFETY: the kernel writes an rlimit structure.
            checked(unsafe { libc::getrlimit(resource, &raw mut current) })?;
            set_limit(resource, wanted.min(current.rlim_max), current.rlim_max)
        }
        result => result,
    }
}

fn set_limit(resource: libc::__rlimit_resource_t, soft: u64, hard: u64) -> Result<(), ErrorNumber> {
    let limit = libc::rlimit {
        rlim_cur: soft,
        rlim_max: hard,
    };
    // SAFETY: the structure lives through the call.
    checked(unsafe { libc::setrlimit(resource, &raw const limit) }).map(|_| ())
}
