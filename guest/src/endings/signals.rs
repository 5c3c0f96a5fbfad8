//! Names of signals, and which exit codes a shell uses to report them.

/// Number, name, and what it usually stands for (signal(7), the numbers of x86 and ARM Linux).
const SIGNALS: &[(u32, &str, &str)] = &[
    (1, "SIGHUP", "hang-up"),
    (2, "SIGINT", "interrupted"),
    (3, "SIGQUIT", "quit"),
    (4, "SIGILL", "illegal instruction"),
    (5, "SIGTRAP", "trap"),
    (6, "SIGABRT", "aborted"),
    (7, "SIGBUS", "bus error"),
    (8, "SIGFPE", "arithmetic error"),
    (
        9,
        "SIGKILL",
        "often sent by the kernel when memory runs out",
    ),
    (10, "SIGUSR1", "user-defined"),
    (11, "SIGSEGV", "segmentation fault"),
    (12, "SIGUSR2", "user-defined"),
    (
        13,
        "SIGPIPE",
        "broken pipe: the reader stopped early, usually harmless",
    ),
    (14, "SIGALRM", "alarm clock"),
    (15, "SIGTERM", "terminated"),
    (16, "SIGSTKFLT", "stack fault"),
    (17, "SIGCHLD", "child stopped"),
    (18, "SIGCONT", "continued"),
    (19, "SIGSTOP", "stopped"),
    (20, "SIGTSTP", "stopped at the terminal"),
    (21, "SIGTTIN", "terminal input in the background"),
    (22, "SIGTTOU", "terminal output in the background"),
    (23, "SIGURG", "urgent data"),
    (24, "SIGXCPU", "CPU time limit"),
    (25, "SIGXFSZ", "file size limit"),
    (26, "SIGVTALRM", "virtual alarm clock"),
    (27, "SIGPROF", "profiling timer"),
    (28, "SIGWINCH", "window changed"),
    (29, "SIGIO", "input or output possible"),
    (30, "SIGPWR", "power failure"),
    (31, "SIGSYS", "bad system call"),
];

/// The real-time signals of Linux with the C library's two reserved ones left out.
const REAL_TIME: std::ops::RangeInclusive<u32> = 34..=64;

/// The signal that an exit code of 128+N reports, if N is one. 255 and its like are none.
pub(super) fn reported_by(code: i32) -> Option<u32> {
    let number = u32::try_from(code).ok()?.checked_sub(128)?;
    let known = SIGNALS.iter().any(|(signal, ..)| *signal == number);
    (known || REAL_TIME.contains(&number)).then_some(number)
}

/// A sentence that names the signal.
pub(super) fn describe(number: u32) -> String {
    match SIGNALS.iter().find(|(signal, ..)| *signal == number) {
        Some((_, name, meaning)) => format!("killed by signal {number} ({name}): {meaning}"),
        None if REAL_TIME.contains(&number) => {
            format!(
                "killed by signal {number} (SIGRTMIN+{})",
                number - REAL_TIME.start()
            )
        }
        None => format!("killed by signal {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_signals_are_read_out_of_a_code() {
        assert_eq!(reported_by(139), Some(11));
        assert_eq!(reported_by(162), Some(34));
        for code in [-1, 0, 1, 127, 128, 160, 161, 193, 255] {
            assert_eq!(reported_by(code), None, "{code}");
        }
    }

    #[test]
    fn a_signal_is_named_with_its_number() {
        assert!(describe(9).starts_with("killed by signal 9 (SIGKILL)"));
        assert_eq!(describe(36), "killed by signal 36 (SIGRTMIN+2)");
        assert_eq!(describe(99), "killed by signal 99");
    }
}
