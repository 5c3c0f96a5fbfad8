//! How a leader ended and what it used.

use std::time::Duration;

/// The end of a leader, exactly as the kernel reported it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    raw: i32,
    /// What the leader, and those of its descendants that it waited for, used.
    pub usage: Usage,
}

impl Exit {
    pub(super) fn new(raw: i32, usage: Usage) -> Self {
        Self { raw, usage }
    }

    /// The wait status as `wait4` gave it.
    pub fn raw(&self) -> i32 {
        self.raw
    }

    /// The wait status, understood.
    pub fn kind(&self) -> ExitKind {
        if libc::WIFSIGNALED(self.raw) {
            ExitKind::Signal {
                number: libc::WTERMSIG(self.raw),
                core_dumped: libc::WCOREDUMP(self.raw),
            }
        } else {
            ExitKind::Code(libc::WEXITSTATUS(self.raw))
        }
    }
}

/// The two ways for a process to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitKind {
    /// By itself, with this code (0 to 255).
    Code(i32),
    /// By a signal.
    Signal {
        /// Its number (1 to 64).
        number: i32,
        /// Whether the kernel wrote a core dump.
        core_dumped: bool,
    },
}

/// Resources used, from the kernel's `rusage`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Usage {
    /// CPU time in user mode, in microseconds.
    pub user_us: u64,
    /// CPU time in kernel mode, in microseconds.
    pub system_us: u64,
    /// Largest resident set, in KiB.
    pub max_rss_kib: u64,
    /// Page faults that needed a disk.
    pub major_faults: u64,
    /// 512-byte blocks read from a disk.
    pub blocks_in: u64,
    /// 512-byte blocks written to a disk.
    pub blocks_out: u64,
}

impl Usage {
    /// CPU time in both modes.
    pub fn cpu(&self) -> Duration {
        Duration::from_micros(self.user_us.saturating_add(self.system_us))
    }

    pub(super) fn from_raw(raw: &libc::rusage) -> Self {
        let microseconds = |time: libc::timeval| {
            (time.tv_sec as u64)
                .wrapping_mul(1_000_000)
                .wrapping_add(time.tv_usec as u64)
        };
        Self {
            user_us: microseconds(raw.ru_utime),
            system_us: microseconds(raw.ru_stime),
            max_rss_kib: raw.ru_maxrss as u64,
            major_faults: raw.ru_majflt as u64,
            blocks_in: raw.ru_inblock as u64,
            blocks_out: raw.ru_oublock as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_signals_and_the_core_flag_are_told_apart() {
        let kind = |raw| Exit::new(raw, Usage::default()).kind();
        assert_eq!(kind(0), ExitKind::Code(0));
        assert_eq!(kind(255 << 8), ExitKind::Code(255));
        assert_eq!(
            kind(9),
            ExitKind::Signal {
                number: 9,
                core_dumped: false
            }
        );
        assert_eq!(
            kind(11 | 0x80),
            ExitKind::Signal {
                number: 11,
                core_dumped: true
            }
        );
        assert_eq!(
            kind(64),
            ExitKind::Signal {
                number: 64,
                core_dumped: false
            }
        );
    }
}
