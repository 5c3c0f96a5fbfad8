//! The keeper: takes a request, starts its command, reaps whatever the command leaves behind, and
//! answers to the server until nothing is left. Then it is free for the next request.
//!
//! Free keepers wait on the socket that the server sends requests to, so a request reaches a keeper
//! without a detour, and no fork stands between a request and its program.

use libc::{c_int, pid_t};

use super::super::wire::{Order, Plain, REQUEST_DESCRIPTORS, Report, Request, order, report};
use super::super::{Step, Usage};
use super::board::{Board, Seat};
use super::leader::{self, Launch, Stack};
use super::memory::Block;
use super::oom::{OomScore, OomScores};
use super::stop::{self, Stage, signal_all};
use super::survivors;
use super::system::{
    ErrorNumber, Fd, FileIdentity, Packet, Wait, close, exit, own_pid, parent_pid, poll,
    poll_entry, receive, send, set_attribute, set_name, take_signals, wait_any,
};

/// What the warden gives to each keeper.
pub(super) struct Station {
    /// Where requests come in.
    pub requests: Fd,
    /// Written to when the warden should fork another keeper.
    pub bell: Fd,
    /// Gives SIGCHLD and SIGTERM to whoever reads it.
    pub signals: Fd,
    pub warden: pid_t,
    pub board: &'static Board,
    pub stack: Stack,
    /// Where inline requests are received.
    pub block: Block,
    pub oom_scores: OomScores,
}

type RequestPacket = Packet<{ REQUEST_DESCRIPTORS + 1 }>;

/// Lives as a keeper. Called in a fork of the warden, which has all signals blocked and at their
/// default actions.
pub(super) fn run(station: &mut Station, seat: Seat) -> ! {
    set_name(c"ostler-keeper");
    set_attribute(libc::PR_SET_CHILD_SUBREAPER, 1);
    let oom_score = OomScore::open();
    loop {
        // The command inherits it. Set while nobody waits, and taken back when the command runs.
        oom_score.set(&station.oom_scores.command);
        // A free keeper has nothing to end: it just dies with its warden.
        die_with_warden(station, libc::SIGKILL);
        let Some((request, packet)) = next_request(station) else {
            exit(0)
        };
        if station.board.work(seat) {
            ring(station.bell);
        }
        // A busy one ends its tree first. SIGTERM is blocked and read as a message.
        die_with_warden(station, libc::SIGTERM);
        take_signals(station.signals, 0);
        serve(station, &request, packet, oom_score);
        if !station.board.rest(seat) {
            exit(0);
        }
    }
}

/// Arms the signal that the kernel sends when the warden dies, and makes sure that it did not die
/// before.
fn die_with_warden(station: &Station, signal: c_int) {
    set_attribute(libc::PR_SET_PDEATHSIG, signal as u64);
    if parent_pid() != station.warden {
        exit(0);
    }
}

fn ring(bell: Fd) {
    let one = 1_u64;
    // SAFETY: eight bytes, as an eventfd wants them. It cannot fill up.
    unsafe { libc::write(bell, (&raw const one).cast(), size_of_val(&one)) };
}

/// Waits for a request; none when the server is gone.
fn next_request(station: &mut Station) -> Option<(Request, RequestPacket)> {
    loop {
        match receive(station.requests, station.block.as_mut_slice(), 0) {
            Ok(packet) if packet.bytes == 0 => return None,
            Ok(packet) => match Request::read_from(station.block.as_mut_slice()) {
                Some(request) if packet.whole && packet.fd_count >= REQUEST_DESCRIPTORS => {
                    return Some((request, packet));
                }
                _ => refuse(&packet, Step::Request, libc::EBADMSG),
            },
            Err(libc::EINTR) => {}
            Err(_) => return None,
        }
    }
}

/// Answers a request that cannot be served.
pub(super) fn refuse(packet: &RequestPacket, step: Step, error: ErrorNumber) {
    if let Some(control) = packet.descriptors().first() {
        let failure = Report {
            step: step as u32,
            errno: error,
            empty: 1,
            ..blank(report::FAILED, 0)
        };
        send(*control, failure.as_bytes());
    }
    packet.close();
}

fn blank(kind: u32, leader: pid_t) -> Report {
    Report {
        kind,
        keeper: own_pid(),
        leader,
        status: 0,
        step: 0,
        errno: 0,
        empty: 0,
        forced: 0,
        total: 0,
        usage: Usage::default(),
    }
}

/// Starts the command and keeps it until nothing of it is left.
fn serve(station: &mut Station, request: &Request, packet: RequestPacket, oom_score: OomScore) {
    let [control, streams @ .., cwd, memory] = packet.fds;
    let mut waits = [poll_entry(control, 0)];
    poll(&mut waits, 0);
    if waits.iter().any(|wait| wait.revents != 0) {
        // Nobody waits for it any more.
        return packet.close();
    }
    let started = start(station, request, streams, cwd, memory);
    let [_, stdout, stderr] = streams;
    let output = [FileIdentity::of(stdout), FileIdentity::of(stderr)];
    // The pipes end when the last process of the tree closes them, so the keeper must not hold
    // them.
    packet
        .descriptors()
        .iter()
        .skip(1)
        .for_each(|fd| close(*fd));
    match started {
        Ok(leader) => {
            send(control, blank(report::STARTED, leader).as_bytes());
            oom_score.set(&station.oom_scores.server);
            Tree {
                control,
                leader,
                pid: leader,
                stage: Stage::Running,
                forced: false,
                output,
            }
            .keep(station);
        }
        Err((step, errno)) => {
            let failure = Report {
                step: step as u32,
                errno,
                empty: 1,
                ..blank(report::FAILED, 0)
            };
            send(control, failure.as_bytes());
        }
    }
    close(control);
}

fn start(
    station: &mut Station,
    request: &Request,
    streams: [Fd; 3],
    cwd: Fd,
    memory: Fd,
) -> Result<pid_t, (Step, ErrorNumber)> {
    let broken = (Step::Request, libc::EBADMSG);
    let mut mapped;
    let block = match request.block_bytes {
        0 => station
            .block
            .as_mut_slice()
            .get_mut(size_of::<Request>()..)
            .ok_or(broken)?,
        bytes => {
            mapped =
                Block::of_file(memory, bytes as usize).map_err(|error| (Step::Request, error))?;
            mapped.as_mut_slice()
        }
    };
    let tables = build_tables(block, request).ok_or(broken)?;
    let launch = Launch {
        program: tables.program,
        arguments: tables.arguments,
        environment: tables.environment,
        streams,
        cwd,
        limits: request.limits,
        failure: None.into(),
    };
    leader::start(&launch, &station.stack)
}

struct Tables {
    program: *const libc::c_char,
    arguments: *const *const libc::c_char,
    environment: *const *const libc::c_char,
}

/// Builds the pointer tables behind the strings of a request. None when the numbers of the request
/// do not fit its block.
fn build_tables(block: &mut [u8], request: &Request) -> Option<Tables> {
    if request.needed_bytes() > block.len() {
        return None;
    }
    let (strings, rest) = block.split_at_mut_checked(request.pointers_offset())?;
    let strings = strings.get(..request.strings_bytes as usize)?;
    let (unaligned, table) = {
        // SAFETY: any bytes are valid pointers as long as nobody follows them, and null is valid
        // for sure.
        let (unaligned, table, _) = unsafe { rest.align_to_mut::<*const libc::c_char>() };
        (unaligned.len(), table)
    };
    if unaligned != 0 || strings.last() != Some(&0) {
        return None;
    }
    let mut starts = strings
        .split_inclusive(|byte| *byte == 0)
        .map(|string| string.as_ptr().cast());
    let program = starts.next()?;
    let (arguments, environment) = table.split_at_mut_checked(request.arguments as usize + 1)?;
    for (part, count) in [
        (&mut *arguments, request.arguments),
        (&mut *environment, request.variables),
    ] {
        let (end, slots) = part.get_mut(..=count as usize)?.split_last_mut()?;
        *end = std::ptr::null();
        for slot in slots {
            *slot = starts.next()?;
        }
    }
    Some(Tables {
        program,
        arguments: arguments.as_ptr(),
        environment: environment.as_ptr(),
    })
}

/// A running command as its keeper sees it.
struct Tree {
    control: Fd,
    /// 0 once it has been waited for: its number may then belong to somebody else.
    leader: pid_t,
    /// Its number, for reports.
    pid: pid_t,
    stage: Stage,
    forced: bool,
    /// The pipes that it writes to.
    output: [FileIdentity; 2],
}

impl Tree {
    /// Everything between the start and the end.
    fn keep(mut self, station: &Station) {
        let mut waits = [
            poll_entry(self.control, libc::POLLIN),
            poll_entry(station.signals, libc::POLLIN),
            poll_entry(station.requests, 0),
        ];
        loop {
            if self.reap() {
                return;
            }
            self.stage.advance(self.leader);
            self.forced |= self.stage.is_forcing();
            poll(&mut waits, self.stage.timeout_ms());
            let [control, signals, requests] = &mut waits;
            if control.revents != 0 && !self.obey() {
                control.fd = -1;
                self.force();
            }
            if requests.revents != 0 {
                requests.fd = -1;
                self.force();
            }
            if signals.revents != 0
                && take_signals(station.signals, libc::SIGTERM)
                && parent_pid() != station.warden
            {
                self.force();
            }
        }
    }

    fn force(&mut self) {
        if !self.stage.is_forcing() {
            self.stage = Stage::ForcingGroup;
        }
    }

    /// Takes the news of all children. Returns whether none is left; the server knows by then.
    fn reap(&mut self) -> bool {
        let mut exited = None;
        loop {
            match wait_any(libc::WUNTRACED | libc::WCONTINUED) {
                Wait::Changed { pid, status, .. }
                    if libc::WIFSTOPPED(status) || libc::WIFCONTINUED(status) =>
                {
                    // Of others it is nobody's business: their parents may know.
                    if pid == self.leader {
                        let paused = Report {
                            status,
                            ..blank(report::PAUSED, self.pid)
                        };
                        send(self.control, paused.as_bytes());
                    }
                }
                Wait::Changed { pid, status, usage } if pid == self.leader => {
                    self.leader = 0;
                    let usage = Usage::from_raw(&usage);
                    exited = Some(Report {
                        status,
                        usage,
                        ..blank(report::EXITED, self.pid)
                    });
                }
                Wait::Changed { .. } => {}
                Wait::Alive => {
                    if let Some(exited) = exited {
                        send(self.control, exited.as_bytes());
                    }
                    return false;
                }
                Wait::Childless => {
                    let last = exited.unwrap_or(blank(report::EMPTY, self.pid));
                    let forced = self.forced.into();
                    send(
                        self.control,
                        Report {
                            empty: 1,
                            forced,
                            ..last
                        }
                        .as_bytes(),
                    );
                    return true;
                }
            }
        }
    }

    /// Carries out the orders that have come. Returns false when the server is gone.
    fn obey(&mut self) -> bool {
        let mut bytes = [0_u8; size_of::<Order>()];
        loop {
            match receive::<0>(self.control, &mut bytes, libc::MSG_DONTWAIT) {
                Ok(packet) if packet.bytes == 0 => return false,
                Ok(_) => {
                    if let Some(given) = Order::read_from(&bytes) {
                        self.carry_out(given);
                    }
                }
                Err(libc::EINTR) => {}
                Err(libc::EAGAIN) => return true,
                Err(_) => return false,
            }
        }
    }

    fn carry_out(&mut self, given: Order) {
        match (given.kind, &self.stage) {
            (order::STOP, Stage::Running) => {
                self.stage = Stage::Asked(stop::Request::send(self.leader, given.argument.into()));
            }
            (order::KILL, _) => self.force(),
            (order::SURVIVORS, _) => {
                let head = blank(report::SURVIVORS, self.pid);
                survivors::report(self.control, head, &self.output);
            }
            (order::SIGNAL, _) => {
                signal_all(self.leader, &[given.argument as libc::c_int]);
            }
            _ => {}
        }
    }
}
