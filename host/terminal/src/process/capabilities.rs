//! What this kernel and this place in it offer for owning processes.

use std::io;
use std::path::PathBuf;

use nix::errno::Errno;

/// What is there, found by trying it.
#[derive(Debug)]
pub struct Capabilities {
    /// The kernel's release, such as `6.1.0`.
    pub kernel: String,
    /// Whether processes can be watched without a race (`pidfd_open(2)`, Linux 5.3). Needed.
    pub pidfd: Result<(), Errno>,
    /// Whether descriptors can be closed in one go (`close_range(2)`, Linux 5.9). Needed.
    pub close_range: Result<(), Errno>,
    /// Whether `/proc` shows this process: trees are searched through it. Needed.
    pub proc_is_ours: bool,
    /// A cgroup v2 in which groups with `cgroup.kill` (Linux 5.14) can be made; why not, where there is none.
    pub cgroup: Result<PathBuf, String>,
}

/// Tries what there is. Leaves nothing behind.
pub fn capabilities() -> Capabilities {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Capabilities {
        kernel: kernel.trim().to_owned(),
        pidfd: pidfd(),
        close_range: close_range(),
        proc_is_ours: std::fs::read_link("/proc/self")
            .is_ok_and(|link| link.as_os_str() == std::process::id().to_string().as_str()),
        cgroup: cgroup(),
    }
}

fn pidfd() -> Result<(), Errno> {
    // SAFETY: a plain system call on this process.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, std::process::id(), 0) };
    let fd = Errno::result(fd)?;
    // SAFETY: it was opened here and is known to nobody else.
    unsafe { libc::close(fd as i32) };
    Ok(())
}

fn close_range() -> Result<(), Errno> {
    // SAFETY: no descriptor has such a number, so nothing is closed.
    let result = unsafe { libc::syscall(libc::SYS_close_range, u32::MAX, u32::MAX, 0) };
    Errno::result(result).map(drop)
}

/// Makes a group below our own and removes it.
fn cgroup() -> Result<PathBuf, String> {
    let own = std::fs::read_to_string("/proc/self/cgroup").map_err(told)?;
    let path = own
        .lines()
        .find_map(|line| line.strip_prefix("0::/"))
        .ok_or("this process is in no cgroup v2")?;
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").map_err(told)?;
    let mount = mounts
        .lines()
        .find(|line| line.contains(" - cgroup2 "))
        .and_then(|line| line.split(' ').nth(4))
        .ok_or("no cgroup v2 is mounted")?;
    let group = PathBuf::from(mount).join(path);
    let probe = group.join(format!("ostler-probe-{}", std::process::id()));
    std::fs::create_dir(&probe).map_err(|error| format!("{}: {error}", group.display()))?;
    let has_kill = probe.join("cgroup.kill").exists();
    std::fs::remove_dir(&probe).map_err(told)?;
    if has_kill {
        Ok(group)
    } else {
        Err("this kernel has no cgroup.kill (Linux 5.14)".into())
    }
}

fn told(error: io::Error) -> String {
    error.to_string()
}
