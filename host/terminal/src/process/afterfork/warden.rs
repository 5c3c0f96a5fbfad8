//! The warden: forks keepers ahead of need, continues those that were stopped, and ends what a
//! killed keeper left behind.

use super::super::Step;
use super::super::wire::{INLINE_BLOCK_BYTES, REQUEST_DESCRIPTORS, Request};
use super::board::{Board, Seat};
use super::keeper::{self, Station};
use super::leader::Stack;
use super::memory::Block;
use super::oom::OomScores;
use super::shed::shed_memory;
use super::stop::Hunt;
use super::system::{
    ErrorNumber, Fd, Wait, block_signals, checked, exit, fork, own_pid, poll, poll_entry, receive,
    reset_signal_actions, set_attribute, set_name, signal_child, signal_descriptor, take_signals,
    wait_any,
};

/// Where the request socket is put: the first number behind the standard streams.
const REQUESTS: Fd = 3;
/// Time between attempts to fork a keeper after one failed, in milliseconds.
const RETRY_MS: i32 = 20;

/// What the server prepares before the fork. Lives in the server's memory, of which the warden has
/// a copy.
pub(in super::super) struct Seed {
    /// The warden's end of the request socket.
    pub requests: Fd,
    /// `/dev/null`.
    pub null: Fd,
    pub oom_scores: OomScores,
    /// Soft limit on open descriptors of the commands.
    pub open_files: u64,
}

/// Lives as the warden. Called in a fork of the server that was made with all signals blocked.
pub(in super::super) extern "C" fn run(seed: &Seed) -> ! {
    match settle(seed) {
        Ok(station) => Warden {
            station,
            server_is_there: true,
            strays: None,
            shortage: 0,
        }
        .live(),
        Err(_) => exit(1),
    }
}

/// Takes the soft limit back that the server may have raised for itself. Keepers and commands inherit it.
fn limit_open_files(soft: u64) {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: plain system calls on a struct of this function; where they fail the limit stays as it is.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) == 0 {
            limit.rlim_cur = soft.min(limit.rlim_max);
            libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
        }
    }
}

/// Cuts every tie to the server but the request socket.
fn settle(seed: &Seed) -> Result<Station, ErrorNumber> {
    block_signals();
    reset_signal_actions();
    set_name(c"ostler-warden");
    set_attribute(libc::PR_SET_CHILD_SUBREAPER, 1);
    // SAFETY: plain system calls on descriptors that only this process has. The two that are needed
    // are moved out of the way first, because they may have any number, 0 to 3 included.
    unsafe {
        libc::setsid();
        libc::chdir(c"/".as_ptr());
        let requests = checked(libc::fcntl(seed.requests, libc::F_DUPFD, REQUESTS + 1))?;
        let null = checked(libc::fcntl(seed.null, libc::F_DUPFD, REQUESTS + 1))?;
        for number in 0..REQUESTS {
            checked(libc::dup2(null, number))?;
        }
        checked(libc::dup3(requests, REQUESTS, libc::O_CLOEXEC))?;
        checked(libc::syscall(
            libc::SYS_close_range,
            REQUESTS + 1,
            u32::MAX,
            0,
        ))?;
    }
    limit_open_files(seed.open_files);
    shed_memory();
    Ok(Station {
        requests: REQUESTS,
        // SAFETY: a plain system call.
        bell: checked(unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) })?,
        signals: signal_descriptor(&[libc::SIGCHLD, libc::SIGTERM])?,
        warden: own_pid(),
        board: Board::map()?,
        stack: Stack::map()?,
        block: Block::private(size_of::<Request>().wrapping_add(INLINE_BLOCK_BYTES))?,
        oom_scores: seed.oom_scores,
    })
}

struct Warden {
    station: Station,
    server_is_there: bool,
    /// What a killed keeper may have left behind.
    strays: Option<Hunt>,
    /// Why the last keeper could not be forked; 0 = it could.
    shortage: ErrorNumber,
}

impl Warden {
    fn live(mut self) -> ! {
        loop {
            self.reap();
            self.kill_strays();
            while self.server_is_there && self.station.board.wants_keeper() && self.fork_keeper() {}
            if !self.server_is_there && self.strays.is_none() && self.station.board.is_deserted() {
                exit(0);
            }
            self.wait();
        }
    }

    fn wait(&mut self) {
        // Requests are for keepers. Only when there is none, the warden takes them, to say so.
        let must_refuse = self.shortage != 0 && self.station.board.has_no_free_keeper();
        let requests = if self.server_is_there {
            self.station.requests
        } else {
            -1
        };
        let mut waits = [
            poll_entry(requests, if must_refuse { libc::POLLIN } else { 0 }),
            poll_entry(self.station.signals, libc::POLLIN),
            poll_entry(self.station.bell, libc::POLLIN),
        ];
        let timeout_ms = match &self.strays {
            Some(hunt) => hunt.timeout_ms(),
            None if self.shortage != 0 => RETRY_MS,
            None => -1,
        };
        poll(&mut waits, timeout_ms);
        let [requests, signals, bell] = waits;
        if signals.revents != 0 {
            take_signals(self.station.signals, 0);
        }
        if bell.revents != 0 {
            let mut rings = 0_u64;
            // SAFETY: eight bytes, as an eventfd gives them.
            unsafe { libc::read(bell.fd, (&raw mut rings).cast(), size_of_val(&rings)) };
        }
        if requests.revents & libc::POLLIN != 0 {
            self.refuse();
        } else if requests.revents != 0 {
            self.server_is_there = false;
        }
    }

    /// Returns whether it could.
    fn fork_keeper(&mut self) -> bool {
        let Some(seat) = self.station.board.reserve() else {
            self.shortage = libc::EAGAIN;
            return false;
        };
        // SAFETY: the child goes straight into the keeper's life, which is in this room and never
        // returns.
        match unsafe { fork(libc::SIGCHLD, &mut -1) } {
            Ok(0) => keeper::run(&mut self.station, seat),
            Ok(pid) => {
                self.station.board.assign(seat, pid);
                self.shortage = 0;
                true
            }
            Err(error) => {
                self.station.board.clear(seat);
                self.shortage = error;
                false
            }
        }
    }

    fn refuse(&mut self) {
        let received = receive::<{ REQUEST_DESCRIPTORS + 1 }>(
            self.station.requests,
            self.station.block.as_mut_slice(),
            libc::MSG_DONTWAIT,
        );
        match received {
            Ok(packet) if packet.bytes == 0 => self.server_is_there = false,
            Ok(packet) => keeper::refuse(&packet, Step::Keeper, self.shortage),
            Err(_) => {}
        }
    }

    /// Takes the news of all children.
    fn reap(&mut self) {
        loop {
            match wait_any(libc::WUNTRACED) {
                Wait::Changed { pid, status, .. } if libc::WIFSTOPPED(status) => {
                    // A command may stop its keeper. Its deadline must hold all the same.
                    signal_child(pid, libc::SIGCONT);
                }
                Wait::Changed { pid, status, .. } => {
                    if let Some(seat) = self.station.board.seat_of(pid) {
                        self.keeper_ended(seat, status);
                    }
                }
                Wait::Alive | Wait::Childless => return,
            }
        }
    }

    fn keeper_ended(&mut self, seat: Seat, status: i32) {
        self.station.board.clear(seat);
        // A keeper that ends by itself has no children.
        if !(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0) {
            self.strays = Some(Hunt::after(0));
        }
    }

    /// Ends everything below that is neither a keeper nor kept by one.
    fn kill_strays(&mut self) {
        let (board, root) = (self.station.board, self.station.warden);
        let is_over = self
            .strays
            .as_mut()
            .is_some_and(|hunt| hunt.is_due() && !hunt.round(root, |pid| board.has(pid)));
        if is_over {
            self.strays = None;
        }
    }
}
