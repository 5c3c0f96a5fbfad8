//! Ending a tree: asking everybody, then forcing everybody until nobody is left.

use libc::{c_int, pid_t};

use super::census::Census;
use super::system::{now_ms, own_pid, signal_child};

/// How long the leader's group has to die before the rest is looked for, in milliseconds. Cut short
/// by the end of the tree, it spares most trees a census.
const GROUP_HEAD_START_MS: u64 = 1;
/// Pauses after rounds that found nobody new, in milliseconds; the last one repeats.
const PAUSES_MS: &[u64] = &[0, 0, 1, 2, 4, 8, 16, 32, 50];
/// When those that a request missed are looked for, counted from the request and then from the look before, in
/// milliseconds.
const LATE_PAUSES_MS: [u64; 3] = [1, 4, 15];
/// Sweeps in one round, at most: the keeper has others to listen to.
const MAX_SWEEPS: usize = 16;

/// Where the end of a tree stands.
pub(super) enum Stage {
    /// Nobody wants it to end.
    Running,
    /// All were asked; force follows.
    Asked(Request),
    /// The leader's group is to be killed next.
    ForcingGroup,
    /// Everybody is being killed.
    Forcing(Hunt),
}

impl Stage {
    pub fn is_forcing(&self) -> bool {
        matches!(self, Self::ForcingGroup | Self::Forcing(_))
    }

    /// How long to wait for news before [`Stage::advance`] has something to do; −1 = for ever.
    pub fn timeout_ms(&self) -> c_int {
        let until_ms = match self {
            Self::Running => return -1,
            Self::Asked(request) => request.due_ms(),
            Self::ForcingGroup => return 0,
            Self::Forcing(hunt) => return hunt.timeout_ms(),
        };
        until_ms
            .saturating_sub(now_ms())
            .try_into()
            .unwrap_or(c_int::MAX)
    }

    /// Does what is due. `leader` is 0 once it has been waited for.
    pub fn advance(&mut self, leader: pid_t) {
        match self {
            Self::Asked(request) if now_ms() >= request.force_at_ms => {
                *self = Self::ForcingGroup;
                self.advance(leader);
            }
            Self::Asked(request) if now_ms() >= request.due_ms() => request.ask_late(),
            Self::ForcingGroup => {
                // Most trees are nothing else, and what remains loses its parents and becomes the
                // keeper's own.
                let was_reached = leader != 0 && signal_child(leader.wrapping_neg(), libc::SIGKILL);
                *self = Self::Forcing(Hunt::after(if was_reached {
                    GROUP_HEAD_START_MS
                } else {
                    0
                }));
                self.advance(leader);
            }
            Self::Forcing(hunt) if hunt.is_due() => {
                hunt.round(own_pid(), |_| false);
            }
            _ => {}
        }
    }
}

/// Killing every descendant, round after round.
pub(super) struct Hunt {
    due_ms: u64,
    /// Rounds since somebody new was found.
    idle_rounds: usize,
    /// Everybody who was there at the last sweep. They have their signal.
    known: Option<Census>,
}

impl Hunt {
    /// The first round comes after a pause.
    pub fn after(pause_ms: u64) -> Self {
        Self {
            due_ms: now_ms().saturating_add(pause_ms),
            idle_rounds: 0,
            known: None,
        }
    }

    pub fn is_due(&self) -> bool {
        now_ms() >= self.due_ms
    }

    /// Sweeps until one finds nobody new: whoever forks as fast as it can is outrun before the dead
    /// are buried, as long as a sweep is faster than a generation. Those who were found before get
    /// their signal again once a round, should it have failed. Returns whether there was anybody,
    /// dead or alive.
    pub fn round(&mut self, root: pid_t, is_foreign: impl Fn(pid_t) -> bool) -> bool {
        let mut found_new = false;
        let mut found_any = true;
        for sweep in 0..MAX_SWEEPS {
            let Ok(census) = Census::take(root, &is_foreign) else {
                break;
            };
            let mut is_settled = true;
            for person in census.living() {
                let is_known = self
                    .known
                    .as_ref()
                    .is_some_and(|known| known.get(person).is_some());
                is_settled &= is_known;
                if !is_known || sweep == 0 {
                    census.signal(person, libc::SIGKILL);
                }
            }
            found_any = census.descendants().next().is_some();
            found_new |= !is_settled;
            self.known = Some(census);
            if is_settled {
                break;
            }
        }
        self.idle_rounds = if found_new {
            0
        } else {
            self.idle_rounds.saturating_add(1)
        };
        let pause_ms = PAUSES_MS
            .get(self.idle_rounds)
            .or(PAUSES_MS.last())
            .copied()
            .unwrap_or(1);
        self.due_ms = now_ms().saturating_add(pause_ms);
        found_any
    }

    /// How long until the next round is due.
    pub fn timeout_ms(&self) -> c_int {
        self.due_ms
            .saturating_sub(now_ms())
            .try_into()
            .unwrap_or(c_int::MAX)
    }
}

/// The request to end, once it was sent: SIGTERM, then SIGCONT, because a stopped process acts on
/// nothing before it continues.
pub(super) struct Request {
    force_at_ms: u64,
    leader: pid_t,
    /// Who was there then.
    asked: Option<Census>,
    /// Who was there at the last look since.
    seen: Option<Census>,
    looks: usize,
    look_at_ms: u64,
}

impl Request {
    const SIGNALS: [c_int; 2] = [libc::SIGTERM, libc::SIGCONT];

    /// Asks everybody.
    pub fn send(leader: pid_t, grace_ms: u64) -> Self {
        let asked = signal_all(leader, &Self::SIGNALS);
        let now_ms = now_ms();
        Self {
            force_at_ms: now_ms.saturating_add(grace_ms),
            leader,
            asked,
            seen: None,
            looks: 0,
            look_at_ms: now_ms.saturating_add(LATE_PAUSES_MS[0]),
        }
    }

    fn due_ms(&self) -> u64 {
        self.look_at_ms.min(self.force_at_ms)
    }

    /// Asks those that the request missed. Of those that were there then, that is who would have ended by it and lives:
    /// it changed its group meanwhile, or was a fork of a shell that notes signals and was replaced by a program before it
    /// acted on them. Of the others, it is who has no parent any more; whoever has may be what a program does to clean up.
    fn ask_late(&mut self) {
        self.looks = self.looks.wrapping_add(1);
        let pause_ms = LATE_PAUSES_MS.get(self.looks).copied();
        self.look_at_ms = pause_ms.map_or(u64::MAX, |pause_ms| now_ms().saturating_add(pause_ms));
        let root = own_pid();
        let (Some(asked), Ok(census)) = (&self.asked, Census::take(root, |_| false)) else {
            return;
        };
        for person in census.living() {
            let was_missed = match asked.get(person) {
                Some(_) => person.pid != self.leader && census.ends_by(person.pid, libc::SIGTERM),
                None => {
                    let before = self.seen.as_ref().and_then(|seen| seen.get(person));
                    let is_new_here = before.is_none_or(|before| before.parent != root);
                    person.parent == root && is_new_here && person.group != self.leader
                }
            };
            if was_missed {
                for signal in Self::SIGNALS {
                    census.signal(person, signal);
                }
            }
        }
        self.seen = Some(census);
    }
}

/// Sends signals to everybody, one after the other. Each process gets each of them once: many
/// programs take a second SIGTERM for impatience. `leader` is 0 once it has been waited for. Returns
/// who was there.
pub(super) fn signal_all(leader: pid_t, signals: &[c_int]) -> Option<Census> {
    let census = Census::take(own_pid(), |_| false).ok();
    for signal in signals.iter().copied() {
        // The group first: one call reaches all of its members, even those that were born since the
        // census.
        let group_was_reached = leader != 0 && signal_child(leader.wrapping_neg(), signal);
        let Some(census) = &census else { continue };
        for person in census.living() {
            if !(group_was_reached && person.group == leader) {
                census.signal(person, signal);
            }
        }
    }
    census
}
