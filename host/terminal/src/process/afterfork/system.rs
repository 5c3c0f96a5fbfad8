//! System calls in the form that this room needs: error numbers as values, descriptors as numbers.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use libc::{c_int, pid_t};

/// A descriptor by its number. Nobody closes it by itself: what must be closed stands in the code.
pub(super) type Fd = c_int;
/// An error number of the kernel.
pub(super) type ErrorNumber = c_int;

/// The error of the last system call of this process.
pub(super) fn last_error() -> ErrorNumber {
    // SAFETY: the C library returns a valid pointer to this thread's error number.
    unsafe { *libc::__errno_location() }
}

/// Addresses in the data of this thread: its error number and its descriptor.
pub(super) fn thread_addresses() -> [usize; 2] {
    // SAFETY: no arguments, cannot fail; the descriptor is only a number here.
    unsafe {
        [
            libc::__errno_location().addr(),
            libc::pthread_self() as usize,
        ]
    }
}

/// Turns −1 into the error number.
pub(super) fn checked<T: From<i8> + PartialEq>(result: T) -> Result<T, ErrorNumber> {
    if result == T::from(-1) {
        Err(last_error())
    } else {
        Ok(result)
    }
}

/// Forks with the given clone flags, without the C library's fork handlers. With `CLONE_PIDFD`, a
/// descriptor of the child is stored in `pidfd`. The child gets 0.
///
/// # Safety
///
/// The child must keep to the rule of this room and never return into code that does not.
pub(in super::super) unsafe fn fork(flags: c_int, pidfd: &mut Fd) -> Result<pid_t, ErrorNumber> {
    // SAFETY: no new stack and no shared memory make this a plain fork; `pidfd` is writable.
    let pid = unsafe {
        libc::syscall(
            libc::SYS_clone,
            i64::from(flags),
            null_mut::<u8>(),
            pidfd,
            0_i64,
            0_i64,
        )
    };
    checked(pid).map(|pid| pid as pid_t)
}

/// Ends this process at once.
pub(super) fn exit(code: c_int) -> ! {
    // SAFETY: always sound; runs no handlers.
    unsafe { libc::_exit(code) }
}

pub(super) fn close(fd: Fd) {
    // SAFETY: descriptors are plain numbers here and belong to this process alone.
    unsafe { libc::close(fd) };
}

pub(super) fn own_pid() -> pid_t {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::getpid() }
}

pub(super) fn parent_pid() -> pid_t {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::getppid() }
}

/// Sets an attribute of this process. Those used here exist on every supported kernel.
pub(super) fn set_attribute(option: c_int, value: u64) {
    // SAFETY: only options that take a number are passed.
    unsafe { libc::prctl(option, value, 0_u64, 0_u64, 0_u64) };
}

/// Sets the name that `ps` and `/proc` show.
pub(super) fn set_name(name: &std::ffi::CStr) {
    // SAFETY: the name is NUL-terminated and outlives the call.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr(), 0_u64, 0_u64, 0_u64) };
}

/// Blocks all signals, those that the C library keeps for itself included.
pub(super) fn block_signals() {
    set_signal_mask(u64::MAX);
}

/// Lets all signals through.
pub(super) fn unblock_signals() {
    set_signal_mask(0);
}

fn set_signal_mask(mask: u64) {
    // SAFETY: the mask is as long as the kernel expects. The C library's own function would spare
    // two signals.
    unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_SETMASK,
            &raw const mask,
            null_mut::<u64>(),
            size_of::<u64>(),
        )
    };
}

/// Gives every signal its default action.
pub(super) fn reset_signal_actions() {
    // Zeroes are SIG_DFL without flags on every architecture; 64 bytes are more than the kernel's
    // structure has on any.
    let default_action = [0_u64; 8];
    for signal in 1..=64 {
        // SAFETY: the structure is large enough. SIGKILL and SIGSTOP are refused, which is as well.
        unsafe {
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default_action.as_ptr(),
                null_mut::<u64>(),
                size_of::<u64>(),
            )
        };
    }
}

/// A descriptor from which pending signals are read.
pub(super) fn signal_descriptor(signals: &[c_int]) -> Result<Fd, ErrorNumber> {
    let mut set = MaybeUninit::zeroed();
    // SAFETY: the set is initialised by sigemptyset before it is used.
    checked(unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in signals {
            libc::sigaddset(set.as_mut_ptr(), *signal);
        }
        libc::signalfd(-1, set.as_ptr(), libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    })
}

/// Takes all pending signals; returns whether `wanted` was among them.
pub(super) fn take_signals(descriptor: Fd, wanted: c_int) -> bool {
    let mut found = false;
    let mut info = MaybeUninit::<libc::signalfd_siginfo>::uninit();
    loop {
        // SAFETY: the kernel writes at most one structure.
        let read = unsafe { libc::read(descriptor, info.as_mut_ptr().cast(), size_of_val(&info)) };
        if read < size_of_val(&info) as isize {
            return found;
        }
        // SAFETY: the kernel filled the whole structure.
        found |= unsafe { info.assume_init_ref() }.ssi_signo == wanted as u32;
    }
}

/// Waits for something to happen on the descriptors. Errors count as nothing happened.
pub(super) fn poll(wanted: &mut [libc::pollfd], timeout_ms: c_int) {
    for entry in wanted.iter_mut() {
        entry.revents = 0;
    }
    // SAFETY: the slice is valid for as many entries as it has.
    unsafe { libc::poll(wanted.as_mut_ptr(), wanted.len() as _, timeout_ms) };
}

/// An entry for [`poll`].
pub(super) fn poll_entry(fd: Fd, events: libc::c_short) -> libc::pollfd {
    libc::pollfd {
        fd,
        events,
        revents: 0,
    }
}

/// What happened to a child.
pub(super) enum Wait {
    /// One changed its state.
    Changed {
        pid: pid_t,
        status: c_int,
        usage: libc::rusage,
    },
    /// There are children, and none changed.
    Alive,
    /// There are no children.
    Childless,
}

/// Which file a descriptor stands for, whatever its number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct FileIdentity {
    device: u64,
    /// 0 when it is not known: no file has it.
    inode: u64,
}

impl FileIdentity {
    pub fn of(fd: Fd) -> Self {
        let mut status = MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: the kernel writes a stat structure.
        let result = unsafe { libc::fstat(fd, status.as_mut_ptr()) };
        Self::read(result, &status)
    }

    /// Of a file below a directory; links are followed.
    pub fn at(directory: Fd, name: &CStr) -> Self {
        let mut status = MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: the name ends with NUL; the kernel writes a stat structure.
        let result = unsafe { libc::fstatat(directory, name.as_ptr(), status.as_mut_ptr(), 0) };
        Self::read(result, &status)
    }

    fn read(result: c_int, status: &MaybeUninit<libc::stat>) -> Self {
        if result != 0 {
            return Self {
                device: 0,
                inode: 0,
            };
        }
        // SAFETY: zeroes are valid, and what the kernel wrote is too.
        let status = unsafe { status.assume_init_ref() };
        Self {
            device: status.st_dev,
            inode: status.st_ino,
        }
    }

    pub fn is_known(self) -> bool {
        self.inode != 0
    }
}

/// Takes the next news of a child, if there is any.
pub(super) fn wait_any(options: c_int) -> Wait {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let options = options | libc::WNOHANG | libc::__WALL;
    // SAFETY: both results are written to places of the right type.
    let pid = unsafe { libc::wait4(-1, &raw mut status, options, usage.as_mut_ptr()) };
    // SAFETY: zeroes are valid, and what the kernel wrote is too.
    let usage = unsafe { usage.assume_init() };
    match pid {
        -1 if last_error() == libc::ECHILD => Wait::Childless,
        ..=0 => Wait::Alive,
        _ => Wait::Changed { pid, status, usage },
    }
}

/// Waits until this child has ended and takes its status.
pub(super) fn wait_for(pid: pid_t) {
    // SAFETY: no result is wanted.
    while unsafe { libc::wait4(pid, null_mut(), libc::__WALL, null_mut()) } == -1
        && last_error() == libc::EINTR
    {}
}

/// Signals a child that has not been waited for, or, by its negative number, the group that it
/// leads. Nobody else can have that number before it is waited for.
pub(super) fn signal_child(pid: pid_t, signal: c_int) -> bool {
    // SAFETY: a plain system call.
    unsafe { libc::kill(pid, signal) == 0 }
}

/// A descriptor that stays with this very process when its number is reused.
pub(super) fn open_process(pid: pid_t) -> Result<Fd, ErrorNumber> {
    // SAFETY: a plain system call.
    checked(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) }).map(|fd| fd as Fd)
}

/// Signals the process behind a descriptor of [`open_process`].
pub(super) fn signal_process(process: Fd, signal: c_int) -> bool {
    // SAFETY: a plain system call; no extra information is attached.
    unsafe {
        libc::syscall(
            libc::SYS_pidfd_send_signal,
            process,
            signal,
            null::<libc::siginfo_t>(),
            0,
        ) == 0
    }
}

/// Milliseconds on the monotonic clock.
pub(super) fn now_ms() -> u64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the kernel writes a timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    (now.tv_sec as u64)
        .wrapping_mul(1000)
        .wrapping_add(now.tv_nsec as u64 / 1_000_000)
}

/// Sleeps.
pub(super) fn sleep_ms(duration_ms: c_int) {
    poll(&mut [], duration_ms);
}

/// Sends one packet. Waits for room, which the few and small packets of a tree find at once. Errors
/// mean that the server is gone, and its absence is noticed elsewhere.
pub(super) fn send(socket: Fd, bytes: &[u8]) {
    loop {
        // SAFETY: the slice is valid for its length.
        let sent = unsafe {
            libc::send(
                socket,
                bytes.as_ptr().cast(),
                bytes.len(),
                libc::MSG_NOSIGNAL,
            )
        };
        match checked(sent) {
            Err(libc::EINTR) => {}
            Err(libc::EAGAIN) => poll(&mut [poll_entry(socket, libc::POLLOUT)], -1),
            _ => return,
        }
    }
}

/// A packet as it came in.
pub(super) struct Packet<const FDS: usize> {
    /// Its length in bytes; 0 = the other side is gone.
    pub bytes: usize,
    /// The descriptors that came with it.
    pub fds: [Fd; FDS],
    /// How many.
    pub fd_count: usize,
    /// Whether all of it found room.
    pub whole: bool,
}

/// Receives one packet and the descriptors in it.
pub(super) fn receive<const FDS: usize>(
    socket: Fd,
    buffer: &mut [u8],
    flags: c_int,
) -> Result<Packet<FDS>, ErrorNumber> {
    let mut part = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    let mut control = [0_u64; 16];
    let mut packet = Packet {
        bytes: 0,
        fds: [-1; FDS],
        fd_count: 0,
        whole: true,
    };
    // SAFETY: zeroes are a valid msghdr; the pointers put into it outlive the call; the CMSG
    // functions stay within the length that the kernel wrote back, and descriptors are read only as
    // far as the header says.
    unsafe {
        let mut message: libc::msghdr = MaybeUninit::zeroed().assume_init();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&control) as _;
        let received = libc::recvmsg(socket, &raw mut message, flags | libc::MSG_CMSG_CLOEXEC);
        packet.bytes = checked(received)? as usize;
        let mut header = libc::CMSG_FIRSTHDR(&raw const message);
        while !header.is_null() {
            if (*header).cmsg_level == libc::SOL_SOCKET && (*header).cmsg_type == libc::SCM_RIGHTS {
                let bytes = (*header).cmsg_len.saturating_sub(libc::CMSG_LEN(0) as _);
                let fds = libc::CMSG_DATA(header).cast::<Fd>();
                for index in 0..bytes as usize / size_of::<Fd>() {
                    let fd = fds.add(index).read_unaligned();
                    match packet.fds.get_mut(packet.fd_count) {
                        Some(place) => {
                            *place = fd;
                            packet.fd_count = packet.fd_count.wrapping_add(1);
                        }
                        None => {
                            close(fd);
                            packet.whole = false;
                        }
                    }
                }
            }
            header = libc::CMSG_NXTHDR(&raw const message, header);
        }
        packet.whole &= message.msg_flags & (libc::MSG_TRUNC | libc::MSG_CTRUNC) == 0;
    }
    Ok(packet)
}

impl<const FDS: usize> Packet<FDS> {
    /// The descriptors that came.
    pub fn descriptors(&self) -> &[Fd] {
        self.fds.get(..self.fd_count).unwrap_or(&[])
    }

    /// Closes the descriptors that came.
    pub fn close(&self) {
        self.descriptors().iter().for_each(|fd| close(*fd));
    }
}
