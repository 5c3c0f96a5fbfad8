//! What the kernel tells about a process.

use std::fs;

/// Resident memory, in KiB; 0 for a process that is gone.
pub fn resident_kib(pid: u32) -> u64 {
    status(pid, "VmRSS").unwrap_or(0)
}

/// Number of threads; 0 for a process that is gone.
pub fn threads(pid: u32) -> u64 {
    status(pid, "Threads").unwrap_or(0)
}

/// Number of open descriptors.
pub fn descriptors(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd"))
        .map(Iterator::count)
        .unwrap_or(0)
}

/// Processor time used so far, in clock ticks (100 a second).
pub fn cpu_ticks(pid: u32) -> u64 {
    let (user, system) = (stat(pid, 11), stat(pid, 12));
    user.unwrap_or(0) + system.unwrap_or(0)
}

/// Every process below this one, zombies too.
pub fn descendants(root: u32) -> Vec<u32> {
    let parents: Vec<(u32, u64)> = pids()
        .into_iter()
        .filter_map(|pid| Some((pid, stat(pid, 1)?)))
        .collect();
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() {
        let parent = u64::from(found[next]);
        let children = parents.iter().filter(|(_, it)| *it == parent);
        found.extend(children.map(|(pid, _)| *pid));
        next += 1;
    }
    found.remove(0);
    found
}

/// Processes below this one that are dead and were not looked at.
pub fn zombies(root: u32) -> Vec<u32> {
    let below = descendants(root).into_iter();
    below.filter(|pid| state(*pid) == Some('Z')).collect()
}

/// The letter of a process's state, as in `ps`. None for one that is gone.
pub fn state(pid: u32) -> Option<char> {
    field(pid, 0)?.chars().next()
}

/// The arguments of a process, joined by spaces.
pub fn command_line(pid: u32) -> String {
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&arguments).replace('\0', " ")
}

/// Every process on the machine.
pub fn pids() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

fn status(pid: u32, key: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

fn stat(pid: u32, index: usize) -> Option<u64> {
    field(pid, index)?.parse().ok()
}

/// A field of `/proc/PID/stat`, counted from the state on.
fn field(pid: u32, index: usize) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything; the state follows the last one.
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(index).map(ToOwned::to_owned)
}
