//! Where pseudo file systems are mounted: what looks like a file there may block, act, or never end.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// Types of file systems that hold no files of anybody (filesystems(5), `nodev` in /proc/filesystems).
const PSEUDO: &[&str] = &[
    "autofs",
    "binder",
    "binfmt_misc",
    "bpf",
    "cgroup",
    "cgroup2",
    "configfs",
    "debugfs",
    "devpts",
    "devtmpfs",
    "efivarfs",
    "functionfs",
    "fusectl",
    "mqueue",
    "nfsd",
    "nsfs",
    "proc",
    "pstore",
    "resctrl",
    "rpc_pipefs",
    "securityfs",
    "selinuxfs",
    "smackfs",
    "sysfs",
    "tracefs",
    "xenfs",
];

/// Places where such file systems are mounted.
#[derive(Debug, Default)]
pub(crate) struct PseudoMounts(HashSet<PathBuf>);

impl PseudoMounts {
    /// As /proc/self/mountinfo tells them now; none where that cannot be read.
    pub(crate) fn read() -> Self {
        let table = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
        Self(
            table
                .split(|byte| *byte == b'\n')
                .filter_map(pseudo)
                .collect(),
        )
    }

    /// Whether one is mounted exactly here.
    pub(crate) fn is_at(&self, folder: &Path) -> bool {
        self.0.contains(folder)
    }

    /// Whether this lies in one.
    pub(crate) fn is_in(&self, path: &Path) -> bool {
        path.ancestors().any(|folder| self.is_at(folder))
    }
}

/// The mount point of a line of mountinfo, if it is one of those (proc_pid_mountinfo(5)).
fn pseudo(line: &[u8]) -> Option<PathBuf> {
    let mut fields = line.split(|byte| *byte == b' ');
    let place = fields.nth(4)?;
    let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
    let kind = std::str::from_utf8(kind).ok()?;
    PSEUDO
        .contains(&kind)
        .then(|| PathBuf::from(OsString::from_vec(unescape(place))))
}

/// Blank, tab, newline and backslash stand there as three octal digits.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let octal = |digit: &u8| (b'0'..=b'7').contains(digit);
        if *first == b'\\' && after.len() >= 3 && after[..3].iter().all(octal) {
            let value = after[..3].iter().fold(0u8, |value, digit| {
                value.wrapping_mul(8).wrapping_add(digit - b'0')
            });
            bytes.push(value);
            rest = &after[3..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudo_file_systems_are_known_by_type() {
        let line = b"36 35 98:0 / /a\\040b rw,noatime master:1 shared:2 - proc proc rw";
        assert_eq!(pseudo(line), Some("/a b".into()));
        let line = b"36 35 98:0 /x /mnt rw - ext4 /dev/sda1 rw";
        assert_eq!(pseudo(line), None);
        assert_eq!(pseudo(b""), None);
        assert!(PseudoMounts::read().is_in(Path::new("/proc/self/fd")));
        assert!(!PseudoMounts::read().is_in(Path::new("/usr")));
    }
}
