//! Turning a command into a packet for a keeper.

use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

use nix::errno::Errno;

use super::wire::{INLINE_BLOCK_BYTES, MAX_INLINE_BYTES, Plain, REQUEST_DESCRIPTORS, Request};
use super::{Spawn, SpawnError, Step, argument_space};

/// How long a request may wait for room in the socket before the system counts as exhausted.
/// Keepers take thousands a second, so only a stuck machine reaches it.
const SEND_PATIENCE: Duration = Duration::from_secs(5);

/// A command, checked and serialised.
#[derive(Debug)]
pub(super) struct Packet {
    request: Request,
    strings: Vec<u8>,
    memory: Option<OwnedFd>,
}

impl Packet {
    pub fn new(spawn: &Spawn) -> Result<Self, SpawnError> {
        argument_space::check(spawn)?;
        let mut strings = Vec::with_capacity(MAX_INLINE_BYTES);
        let mut push = |parts: &[&OsStr]| {
            parts
                .iter()
                .for_each(|part| strings.extend_from_slice(part.as_bytes()));
            strings.push(0);
        };
        push(&[spawn.program.as_os_str()]);
        spawn.argv.iter().for_each(|argument| push(&[argument]));
        spawn
            .env
            .iter()
            .for_each(|(name, value)| push(&[name, OsStr::new("="), value]));
        let request = Request {
            strings_bytes: strings.len() as u64,
            block_bytes: 0,
            arguments: spawn.argv.len() as u64,
            variables: spawn.env.len() as u64,
            limits: spawn.limits.to_wire(),
        };
        let mut packet = Self {
            request,
            strings,
            memory: None,
        };
        if packet.strings.len() > MAX_INLINE_BYTES || request.needed_bytes() > INLINE_BLOCK_BYTES {
            packet
                .move_to_memory()
                .map_err(|error| SpawnError::at_io(Step::MemoryFile, &error))?;
        }
        Ok(packet)
    }

    fn move_to_memory(&mut self) -> io::Result<()> {
        self.request.block_bytes = self.request.needed_bytes() as u64;
        self.memory = Some(memory_file(&self.strings, self.request.block_bytes)?);
        self.strings = Vec::new();
        Ok(())
    }

    /// Sends it. When the socket is full of requests, only the smallest possible packet waits for
    /// room.
    pub fn send(
        &mut self,
        socket: BorrowedFd<'_>,
        control: &OwnedFd,
        spawn: &Spawn,
    ) -> Result<(), Errno> {
        let mut descriptors = Vec::with_capacity(REQUEST_DESCRIPTORS + 1);
        descriptors.extend(
            [
                control,
                &spawn.stdin,
                &spawn.stdout,
                &spawn.stderr,
                &spawn.cwd,
            ]
            .map(AsRawFd::as_raw_fd),
        );
        descriptors.extend(self.memory.as_ref().map(AsRawFd::as_raw_fd));
        let give_up = Instant::now() + SEND_PATIENCE;
        loop {
            match self.try_send(socket, &descriptors) {
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) if self.memory.is_none() => {
                    self.move_to_memory().map_err(|error| errno(&error))?;
                    descriptors.extend(self.memory.as_ref().map(AsRawFd::as_raw_fd));
                }
                Err(Errno::EAGAIN) => {
                    let left = give_up.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(Errno::ENOBUFS);
                    }
                    wait_for_room(socket, left);
                }
                other => return other,
            }
        }
    }

    fn try_send(&self, socket: BorrowedFd<'_>, descriptors: &[RawFd]) -> Result<(), Errno> {
        let header = self.request.as_bytes();
        let mut parts = [
            libc::iovec {
                iov_base: header.as_ptr().cast_mut().cast(),
                iov_len: header.len(),
            },
            libc::iovec {
                iov_base: self.strings.as_ptr().cast_mut().cast(),
                iov_len: self.strings.len(),
            },
        ];
        let payload_bytes = size_of_val(descriptors);
        let mut control = [0_u64; 16];
        // SAFETY: zeroes are a valid msghdr; every pointer put into it outlives the call; `control`
        // has room for the one control message of at most six descriptors (CMSG_SPACE(24) is 40
        // bytes of its 128).
        let sent = unsafe {
            let mut message: libc::msghdr = MaybeUninit::zeroed().assume_init();
            message.msg_iov = parts.as_mut_ptr();
            message.msg_iovlen = parts.len() as _;
            message.msg_control = control.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(payload_bytes as u32) as _;
            let first = libc::CMSG_FIRSTHDR(&raw const message);
            (*first).cmsg_level = libc::SOL_SOCKET;
            (*first).cmsg_type = libc::SCM_RIGHTS;
            (*first).cmsg_len = libc::CMSG_LEN(payload_bytes as u32) as _;
            libc::CMSG_DATA(first).copy_from(descriptors.as_ptr().cast(), payload_bytes);
            libc::sendmsg(
                socket.as_raw_fd(),
                &raw const message,
                libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT,
            )
        };
        if sent < 0 { Err(Errno::last()) } else { Ok(()) }
    }
}

fn wait_for_room(socket: BorrowedFd<'_>, left: Duration) {
    let mut wanted = libc::pollfd {
        fd: socket.as_raw_fd(),
        events: libc::POLLOUT,
        revents: 0,
    };
    let timeout_ms = left.as_millis().clamp(1, 1000) as i32;
    // SAFETY: one pollfd that lives through the call. Whatever comes of it, the caller tries again.
    unsafe { libc::poll(&raw mut wanted, 1, timeout_ms) };
}

/// A file in memory that nobody can change any more, `block_bytes` long, beginning with `strings`.
fn memory_file(strings: &[u8], block_bytes: u64) -> io::Result<OwnedFd> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: the name is a NUL-terminated literal.
    let fd = unsafe { libc::memfd_create(c"ostler-request".as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just opened it; nobody else knows it.
    let mut file = std::fs::File::from(unsafe { OwnedFd::from_raw_fd(fd) });
    io::Write::write_all(&mut file, strings)?;
    file.set_len(block_bytes)?;
    let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_WRITE | libc::F_SEAL_SEAL;
    // SAFETY: sets flags of a file that we own.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(file.into())
}

fn errno(error: &io::Error) -> Errno {
    Errno::from_raw(error.raw_os_error().unwrap_or(0))
}
