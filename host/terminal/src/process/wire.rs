//! Messages between server, warden and keepers: one packet each, fixed layouts, native byte order.
//!
//! Both ends are the same program, so a layout is a `repr(C)` struct without padding. Reading and
//! writing need no heap.

/// Longest request that travels inside its packet, in bytes. Longer ones go through a sealed memory
/// file, because a packet must fit into the socket's send buffer (208 KiB by default) together with
/// those that wait.
pub(super) const MAX_INLINE_BYTES: usize = 32 * 1024;
/// Size of the block that holds the strings of an inline request and, behind them, the pointer
/// tables for `execve`.
pub(super) const INLINE_BLOCK_BYTES: usize = 64 * 1024;
/// Survivors named in one report. All are counted.
pub(super) const MAX_SURVIVORS: usize = 64;
/// Bytes of a survivor's command line that are reported.
pub(super) const MAX_COMMAND_LINE_BYTES: usize = 120;
/// Largest report.
pub(super) const MAX_REPORT_BYTES: usize =
    size_of::<Report>() + MAX_SURVIVORS * size_of::<SurvivorRecord>();
/// Descriptors that go with every request, in this order: control socket, standard input, output,
/// error, working directory. A request in a memory file adds that file as the sixth.
pub(super) const REQUEST_DESCRIPTORS: usize = 5;

/// Plain data that may be read from and written as bytes.
///
/// # Safety
///
/// Implementors are `repr(C)`, have no padding, and any bit pattern is a valid value.
pub(super) unsafe trait Plain: Copy {
    /// The value as bytes.
    fn as_bytes(&self) -> &[u8] {
        // SAFETY: the implementor has no padding, so every byte is initialised; u8 has no
        // alignment.
        unsafe { std::slice::from_raw_parts((&raw const *self).cast(), size_of::<Self>()) }
    }

    /// The value at the beginning of `bytes`; none when they are too few.
    fn read_from(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..size_of::<Self>())?;
        // SAFETY: the slice is as long as the value, any bit pattern is valid, and alignment is not
        // assumed.
        Some(unsafe { bytes.as_ptr().cast::<Self>().read_unaligned() })
    }
}

/// Server to keeper: start a command. Followed by the strings, or accompanied by a memory file that
/// holds them.
///
/// The strings are, each ended by NUL: the program, the arguments, the environment.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Request {
    /// Length of the strings.
    pub strings_bytes: u64,
    /// Length of the memory file, with room for the pointer tables behind the strings; 0 = the
    /// strings are inline.
    pub block_bytes: u64,
    /// Number of arguments.
    pub arguments: u64,
    /// Number of environment strings.
    pub variables: u64,
    /// Wanted limits: CPU seconds, address space, file size, open files. `u64::MAX` = as inherited.
    pub limits: [u64; 4],
}

// SAFETY: eight u64.
unsafe impl Plain for Request {}

impl Request {
    /// Where the pointer tables begin: behind the strings, aligned for pointers.
    pub fn pointers_offset(&self) -> usize {
        (self.strings_bytes as usize).next_multiple_of(size_of::<usize>())
    }

    /// Bytes that the strings and both pointer tables with their terminators take.
    pub fn needed_bytes(&self) -> usize {
        let pointers = (self.arguments as usize)
            .saturating_add(self.variables as usize)
            .saturating_add(2);
        self.pointers_offset()
            .saturating_add(pointers.saturating_mul(size_of::<usize>()))
    }
}

/// Server to keeper: what to do with the running tree.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Order {
    /// One of the `order` constants.
    pub kind: u32,
    /// For [`order::STOP`]: milliseconds between asking and forcing. For [`order::SIGNAL`]: the signal's number.
    pub argument: u32,
}

// SAFETY: two u32.
unsafe impl Plain for Order {}

pub(super) mod order {
    //! Kinds of [`super::Order`].

    /// Ask the tree to end, then force it.
    pub const STOP: u32 = 1;
    /// Force it now.
    pub const KILL: u32 = 2;
    /// List what is alive.
    pub const SURVIVORS: u32 = 3;
    /// Send a signal to everybody.
    pub const SIGNAL: u32 = 4;
}

/// Keeper to server: something happened. Survivors follow as [`SurvivorRecord`]s.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Report {
    /// One of the `report` constants.
    pub kind: u32,
    /// Process id of the keeper.
    pub keeper: i32,
    /// Process id of the leader.
    pub leader: i32,
    /// Raw wait status of the leader, for [`report::EXITED`] and [`report::PAUSED`].
    pub status: i32,
    /// For [`report::FAILED`]: the step, as its number in [`super::Step`].
    pub step: u32,
    /// For [`report::FAILED`]: the error number.
    pub errno: i32,
    /// 1 when nothing of the tree is left.
    pub empty: u32,
    /// 1 when SIGKILL was needed.
    pub forced: u32,
    /// For [`report::SURVIVORS`]: how many are alive, listed or not.
    pub total: u64,
    /// For [`report::EXITED`]: what the leader used.
    pub usage: super::Usage,
}

// SAFETY: eight 32-bit fields, then 64-bit fields only.
unsafe impl Plain for Report {}

pub(super) mod report {
    //! Kinds of [`super::Report`].

    /// The leader runs its program.
    pub const STARTED: u32 = 1;
    /// There is no leader; nothing is left.
    pub const FAILED: u32 = 2;
    /// The leader ended.
    pub const EXITED: u32 = 3;
    /// What is alive.
    pub const SURVIVORS: u32 = 4;
    /// Nothing is left.
    pub const EMPTY: u32 = 5;
    /// The leader was stopped, or continued; the wait status says which.
    pub const PAUSED: u32 = 6;
}

/// One living process of a tree.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct SurvivorRecord {
    /// Process id.
    pub pid: i32,
    /// Bytes of `command` that are used.
    pub command_bytes: u32,
    /// 1 when it has an output pipe of the command open.
    pub holds_output: u32,
    /// Its command line, arguments separated by spaces.
    pub command: [u8; MAX_COMMAND_LINE_BYTES],
}

// SAFETY: three 32-bit fields and bytes whose number is a multiple of four.
unsafe impl Plain for SurvivorRecord {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_have_no_padding() {
        assert_eq!(size_of::<Request>(), 8 * 8);
        assert_eq!(size_of::<Order>(), 8);
        assert_eq!(
            size_of::<Report>(),
            8 * 4 + 8 + size_of::<super::super::Usage>()
        );
        assert_eq!(size_of::<super::super::Usage>() % 8, 0);
        assert_eq!(size_of::<SurvivorRecord>(), 12 + MAX_COMMAND_LINE_BYTES);
    }

    #[test]
    fn a_value_survives_the_way_through_bytes() {
        let order = Order {
            kind: order::STOP,
            argument: 1234,
        };
        let read = Order::read_from(order.as_bytes()).unwrap();
        assert_eq!((read.kind, read.argument), (order::STOP, 1234));
        assert!(Order::read_from(&order.as_bytes()[..7]).is_none());
    }

    #[test]
    fn pointer_tables_stand_aligned_behind_the_strings() {
        let request = Request {
            strings_bytes: 9,
            block_bytes: 0,
            arguments: 1,
            variables: 2,
            limits: [u64::MAX; 4],
        };
        assert_eq!(request.pointers_offset(), 16);
        assert_eq!(request.needed_bytes(), 16 + 5 * size_of::<usize>());
    }
}
