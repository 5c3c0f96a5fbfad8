//! Bounds on what each process of a tree may use.

/// Resource limits of a command. They hold for each of its processes, not for the tree as a whole;
/// none = as inherited.
///
/// Soft and hard limit are both set. Where the system does not allow that (the wanted value is
/// above the hard limit), the soft limit becomes the smaller of the two. Core dumps are always off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// CPU time in seconds. Beyond it a process gets SIGXCPU; one second later, if it still runs,
    /// SIGKILL.
    pub cpu_sec: Option<u64>,
    /// Address space in bytes. Beyond it allocations fail; too little for the program itself fails
    /// the start.
    pub address_space_bytes: Option<u64>,
    /// Size in bytes up to which a file may be written. Beyond it a process gets SIGXFSZ.
    pub file_size_bytes: Option<u64>,
    /// Highest number of open file descriptors.
    pub open_files: Option<u64>,
}

impl Limits {
    pub(super) fn to_wire(self) -> [u64; 4] {
        [
            self.cpu_sec,
            self.address_space_bytes,
            self.file_size_bytes,
            self.open_files,
        ]
        .map(|limit| limit.unwrap_or(u64::MAX))
    }
}
