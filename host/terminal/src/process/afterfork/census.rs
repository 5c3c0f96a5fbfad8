//! Counting every descendant of a process by reading `/proc`, without a heap.
//!
//! A list of children is not enough: processes that fork while it is read are missed for ever. A
//! census of the whole system, repeated until no child is left, converges even against programs
//! that fork as fast as they can.

use std::ffi::CStr;

use libc::{c_int, pid_t};

use super::memory::Block;
use super::system::{
    ErrorNumber, Fd, FileIdentity, checked, close, open_process, own_pid, signal_child,
    signal_process,
};

/// Processes for which the first table has room. It doubles as needed.
const FIRST_CAPACITY: usize = 4096;
/// Bytes of `/proc/<pid>/stat` that are read: the fields up to the start time fit even with the
/// longest name.
const STAT_BYTES: usize = 512;
/// Bytes of `/proc/<pid>/status` that are read; one is some 1,500 long, and longer with many groups.
const STATUS_BYTES: usize = 8192;
/// Bytes of directory entries read at once.
const LISTING_BYTES: usize = 16 * 1024;

/// A process as the census found it.
#[derive(Clone, Copy)]
pub(super) struct Person {
    pub pid: pid_t,
    pub parent: pid_t,
    pub group: pid_t,
    /// When it started, in ticks since boot. With the pid, this names a process for ever.
    pub start: u64,
    pub is_zombie: bool,
    is_counted: bool,
}

/// The descendants of one process at about one moment.
pub(super) struct Census {
    root: pid_t,
    proc_directory: Fd,
    table: Block,
    capacity: usize,
    len: usize,
}

impl Census {
    /// Counts the descendants of `root`, without those for which `is_foreign` holds and what
    /// descends from them.
    pub fn take(root: pid_t, is_foreign: impl Fn(pid_t) -> bool) -> Result<Self, ErrorNumber> {
        let table = Block::private(FIRST_CAPACITY.wrapping_mul(size_of::<Person>()))?;
        let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
        // SAFETY: the path is a NUL-terminated literal.
        let proc_directory = checked(unsafe { libc::open(c"/proc".as_ptr(), flags) })?;
        let mut census = Self {
            root,
            proc_directory,
            table,
            capacity: FIRST_CAPACITY,
            len: 0,
        };
        if census.own_number() != own_pid() {
            // Somebody else's /proc: its numbers mean other processes here.
            return Err(libc::ESRCH);
        }
        census.read_all()?;
        census.count(is_foreign);
        Ok(census)
    }

    /// Those that were counted, parents before children as a rule.
    pub fn descendants(&self) -> impl Iterator<Item = &Person> {
        self.people().iter().filter(|person| person.is_counted)
    }

    /// Those that can still do something.
    pub fn living(&self) -> impl Iterator<Item = &Person> {
        self.descendants().filter(|person| !person.is_zombie)
    }

    /// What was counted of this very process.
    pub fn get(&self, person: &Person) -> Option<&Person> {
        self.find(person.pid)
            .filter(|found| found.is_counted && found.start == person.start)
    }

    /// Whether a process neither blocks, ignores nor handles this signal.
    pub fn ends_by(&self, pid: pid_t, signal: c_int) -> bool {
        let mut buffer = [0_u8; STATUS_BYTES];
        does_nothing_about(self.read_file(pid, b"/status", &mut buffer), signal)
    }

    /// Sends a signal to a descendant, if it still is the process that was counted.
    ///
    /// Children of the counting process keep their number until it waits for them, so they are
    /// signalled directly.
    pub fn signal(&self, person: &Person, signal: c_int) -> bool {
        if person.parent == self.root {
            return signal_child(person.pid, signal);
        }
        let Ok(process) = open_process(person.pid) else {
            return false;
        };
        let is_same = self
            .read(person.pid)
            .is_some_and(|now| now.start == person.start);
        let sent = is_same && signal_process(process, signal);
        close(process);
        sent
    }

    /// Whether a process has one of these files open.
    pub fn has_open(&self, pid: pid_t, files: &[FileIdentity]) -> bool {
        let Some(directory) = self.open(pid, b"/fd", libc::O_DIRECTORY) else {
            return false;
        };
        let mut has_one = false;
        let _ = each_entry(directory, |number| {
            let mut name = [0_u8; 16];
            let Some(number) = number else { return Ok(()) };
            write_number(number, &mut name);
            if let Ok(name) = CStr::from_bytes_until_nul(&name) {
                let file = FileIdentity::at(directory, name);
                has_one |= file.is_known() && files.contains(&file);
            }
            Ok(())
        });
        close(directory);
        has_one
    }

    /// Opens a file of a process; `name` begins with a slash.
    fn open(&self, pid: pid_t, name: &[u8], flags: c_int) -> Option<Fd> {
        let mut path = [0_u8; 32];
        let digits = write_number(pid, &mut path);
        path.get_mut(digits..digits.saturating_add(name.len()))?
            .copy_from_slice(name);
        let path = CStr::from_bytes_until_nul(&path).ok()?;
        let flags = libc::O_RDONLY | libc::O_CLOEXEC | flags;
        // SAFETY: the path ends with NUL.
        let file = unsafe { libc::openat(self.proc_directory, path.as_ptr(), flags) };
        (file >= 0).then_some(file)
    }

    /// Reads a file of a process into `buffer`.
    pub fn read_file<'b>(&self, pid: pid_t, name: &[u8], buffer: &'b mut [u8]) -> &'b [u8] {
        let Some(file) = self.open(pid, name, 0) else {
            return &[];
        };
        // SAFETY: the slice is valid for its length.
        let read = unsafe { libc::read(file, buffer.as_mut_ptr().cast(), buffer.len()) };
        close(file);
        buffer.get(..read.max(0) as usize).unwrap_or(&[])
    }

    /// The number of this process in the `/proc` that is mounted.
    fn own_number(&self) -> pid_t {
        let mut digits = [0_u8; 16];
        // SAFETY: the path is a NUL-terminated literal; the array is valid for its length.
        let bytes = unsafe {
            libc::readlinkat(
                self.proc_directory,
                c"self".as_ptr(),
                digits.as_mut_ptr().cast(),
                digits.len(),
            )
        };
        let digits = digits.get(..bytes.max(0) as usize).unwrap_or(&[]);
        parse_number(digits)
            .and_then(|number| number.try_into().ok())
            .unwrap_or(0)
    }

    fn people(&self) -> &[Person] {
        // SAFETY: the first `len` entries of the table were written by `push`; the block is
        // page-aligned.
        unsafe { std::slice::from_raw_parts(self.table.start().cast(), self.len) }
    }

    fn people_mut(&mut self) -> &mut [Person] {
        // SAFETY: as in `people`, and self is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.table.start().cast(), self.len) }
    }

    fn push(&mut self, person: Person) -> Result<(), ErrorNumber> {
        if self.len == self.capacity {
            let capacity = self.capacity.saturating_mul(2);
            let larger = Block::private(capacity.saturating_mul(size_of::<Person>()))?;
            // SAFETY: both blocks have room for `len` entries and do not overlap.
            unsafe {
                larger
                    .start()
                    .cast::<Person>()
                    .copy_from(self.table.start().cast(), self.len);
            }
            self.table = larger;
            self.capacity = capacity;
        }
        // SAFETY: there is room for one more.
        unsafe {
            self.table
                .start()
                .cast::<Person>()
                .add(self.len)
                .write(person)
        };
        self.len = self.len.wrapping_add(1);
        Ok(())
    }

    fn read_all(&mut self) -> Result<(), ErrorNumber> {
        each_entry(self.proc_directory, |pid| {
            match pid.and_then(|pid| self.read(pid)) {
                Some(person) => self.push(person),
                None => Ok(()),
            }
        })
    }

    fn read(&self, pid: pid_t) -> Option<Person> {
        let mut buffer = [0_u8; STAT_BYTES];
        parse_stat(pid, self.read_file(pid, b"/stat", &mut buffer))
    }

    /// Marks everybody whose line of parents leads to the root. Repeated until nobody is added,
    /// because a child may have a smaller number than its parent.
    fn count(&mut self, is_foreign: impl Fn(pid_t) -> bool) {
        let root = self.root;
        loop {
            let mut added = false;
            for index in 0..self.len {
                let Some(person) = self.people().get(index).copied() else {
                    break;
                };
                let belongs = !person.is_counted
                    && (person.parent == root || self.is_counted(person.parent))
                    && !is_foreign(person.pid);
                if belongs && let Some(person) = self.people_mut().get_mut(index) {
                    person.is_counted = true;
                    added = true;
                }
            }
            if !added {
                return;
            }
        }
    }

    fn is_counted(&self, pid: pid_t) -> bool {
        self.find(pid).is_some_and(|person| person.is_counted)
    }

    fn find(&self, pid: pid_t) -> Option<&Person> {
        let people = self.people();
        // The kernel lists processes by ascending number.
        people
            .binary_search_by_key(&pid, |person| person.pid)
            .ok()
            .and_then(|index| people.get(index))
    }
}

impl Drop for Census {
    fn drop(&mut self) {
        close(self.proc_directory);
    }
}

/// Calls `visit` with every entry of an open directory: its number, where its name is one.
fn each_entry(
    directory: Fd,
    mut visit: impl FnMut(Option<pid_t>) -> Result<(), ErrorNumber>,
) -> Result<(), ErrorNumber> {
    let mut listing = [0_u64; LISTING_BYTES / size_of::<u64>()];
    loop {
        // SAFETY: the array is valid for its length.
        let bytes = checked(unsafe {
            libc::syscall(
                libc::SYS_getdents64,
                directory,
                listing.as_mut_ptr(),
                size_of_val(&listing),
            )
        })?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the kernel has written that many bytes.
        let mut entries: &[u8] =
            unsafe { std::slice::from_raw_parts(listing.as_ptr().cast(), bytes as usize) };
        while let Some((number, rest)) = next_entry(entries) {
            entries = rest;
            visit(number)?;
        }
    }
}

/// The next entry of a listing by `getdents64`: its number, if its name is one, and what follows.
fn next_entry(entries: &[u8]) -> Option<(Option<pid_t>, &[u8])> {
    const LENGTH_AT: usize = 16;
    const NAME_AT: usize = 19;
    let length = entries.get(LENGTH_AT..LENGTH_AT + 2)?;
    let length = u16::from_ne_bytes(length.try_into().ok()?);
    let (entry, rest) = entries.split_at_checked(length.into())?;
    let name = entry.get(NAME_AT..)?.split(|byte| *byte == 0).next()?;
    Some((parse_number(name).and_then(|pid| pid.try_into().ok()), rest))
}

/// Reads what is needed of `/proc/<pid>/stat`. The name stands in parentheses and may contain more
/// of them.
fn parse_stat(pid: pid_t, stat: &[u8]) -> Option<Person> {
    /// Fields after the name: parent, group, start time, counted from the state.
    const PARENT: usize = 1;
    const GROUP: usize = 2;
    const START: usize = 19;
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let fields = stat.get(name_end.wrapping_add(2)..)?;
    let mut person = Person {
        pid,
        parent: 0,
        group: 0,
        start: 0,
        is_zombie: matches!(fields.first()?, b'Z' | b'X'),
        is_counted: false,
    };
    for (index, field) in fields.split(|byte| *byte == b' ').enumerate() {
        match index {
            PARENT => person.parent = parse_number(field)?.try_into().ok()?,
            GROUP => person.group = parse_number(field)?.try_into().ok()?,
            START => {
                person.start = parse_number(field)?;
                return Some(person);
            }
            _ => {}
        }
    }
    None
}

/// Whether no mask of a `/proc/<pid>/status` holds this signal (`proc_pid_status(5)`).
fn does_nothing_about(status: &[u8], signal: c_int) -> bool {
    let bit = 1_u64.wrapping_shl(signal.wrapping_sub(1) as u32);
    let masks: [&[u8]; 3] = [b"SigBlk:", b"SigIgn:", b"SigCgt:"];
    masks.iter().all(|name| {
        status
            .split(|byte| *byte == b'\n')
            .find_map(|line| line.strip_prefix(*name))
            .and_then(parse_mask)
            .is_some_and(|mask| mask & bit == 0)
    })
}

/// A mask of signals, as hexadecimal digits.
fn parse_mask(digits: &[u8]) -> Option<u64> {
    digits.trim_ascii().iter().try_fold(0_u64, |mask, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(mask.wrapping_shl(4) | u64::from(value))
    })
}

fn parse_number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, digit| {
        let value = digit.wrapping_sub(b'0');
        (value <= 9).then(|| number.wrapping_mul(10).wrapping_add(value.into()))
    })
}

/// Writes a number in decimal; returns how many digits.
fn write_number(number: pid_t, place: &mut [u8]) -> usize {
    let mut digits = 1_usize;
    let mut rest = number / 10;
    while rest > 0 {
        digits = digits.wrapping_add(1);
        rest /= 10;
    }
    rest = number;
    for slot in place.iter_mut().take(digits).rev() {
        *slot = b'0'.wrapping_add((rest % 10) as u8);
        rest /= 10;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces_does_not_confuse() {
        let stat = b"42 (a) b (c) S 7 8 9 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 1 1";
        let person = parse_stat(42, stat).unwrap();
        assert_eq!((person.parent, person.group, person.start), (7, 8, 12345));
        assert!(!person.is_zombie);
        assert!(parse_stat(42, b"42 (a").is_none());
        assert!(parse_stat(42, b"42 (a) S 1").is_none());
        assert!(parse_stat(42, b"").is_none());
    }

    #[test]
    fn what_a_process_does_about_a_signal_is_read_from_its_masks() {
        let status = |blocked: &str, ignored: &str, handled: &str| {
            let masks = format!("SigBlk:\t{blocked}\nSigIgn:\t{ignored}\nSigCgt:\t{handled}\n");
            format!("Name:\tSigBlk: x\nSigQ:\t0/1\n{masks}CapInh:\t0\n").into_bytes()
        };
        let (none, term, others) = ("0000000000000000", "0000000000004000", "ffffffffffffbfff");
        let does_nothing = |masks: &[u8]| does_nothing_about(masks, libc::SIGTERM);
        assert!(does_nothing(&status(none, none, none)));
        assert!(does_nothing(&status(others, others, others)));
        assert!(!does_nothing(&status(term, none, none)));
        assert!(!does_nothing(&status(none, term, none)));
        assert!(!does_nothing(&status(none, none, term)));
        assert!(!does_nothing(b"Name:\tx\nSigBlk:\t0\nSigIgn:\t0\n"));
        assert!(!does_nothing(b""));
    }

    #[test]
    fn numbers_are_written_and_read() {
        for number in [0, 7, 10, 4_194_304, pid_t::MAX] {
            let mut place = [0; 16];
            let digits = write_number(number, &mut place);
            assert_eq!(place[..digits], *number.to_string().as_bytes());
            assert_eq!(parse_number(&place[..digits]), Some(number as u64));
        }
        assert_eq!(parse_number(b"self"), None);
        assert_eq!(parse_number(b""), None);
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "children that nobody owns are the point"
    )]
    fn a_census_finds_children_and_grandchildren_and_nobody_else() {
        let mut child = std::process::Command::new("sh")
            .args(["-c", "sleep 86400.5 & echo; wait"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        let shell = child.id() as pid_t;
        let census = Census::take(std::process::id() as pid_t, |_| false).unwrap();
        assert!(census.living().any(|person| person.pid == shell));
        let sleeper = census
            .living()
            .find(|person| person.parent == shell)
            .copied()
            .unwrap();
        assert!(!census.descendants().any(|person| person.pid == 1));
        let without = Census::take(std::process::id() as pid_t, |pid| pid == shell).unwrap();
        assert!(
            !without
                .descendants()
                .any(|person| [shell, sleeper.pid].contains(&person.pid))
        );
        assert!(census.signal(&sleeper, libc::SIGKILL));
        child.wait().unwrap();
        assert!(!census.signal(&sleeper, libc::SIGKILL));
    }
}
