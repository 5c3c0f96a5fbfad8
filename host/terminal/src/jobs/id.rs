//! The names under which jobs are asked for.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::str::FromStr;

const PREFIX: &str = "job_";
const HEX_DIGITS: usize = 12;

/// Name of a job: `job_` and 12 lower-case hexadecimal digits from the kernel's random source. Never a process id, which
/// the kernel gives to others later.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct JobId(u64);

/// What was given is no name of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a job id is `job_` and 12 hexadecimal digits")]
pub struct InvalidJobId;

impl JobId {
    /// A new one. `random` is `/dev/urandom`.
    pub(super) fn draw(mut random: &File) -> io::Result<Self> {
        let mut bytes = [0; size_of::<u64>()];
        random.read_exact(&mut bytes)?;
        Ok(Self(u64::from_ne_bytes(bytes) >> (64 - 4 * HEX_DIGITS)))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{:0HEX_DIGITS$x}", self.0)
    }
}

impl fmt::Debug for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for JobId {
    type Err = InvalidJobId;

    fn from_str(text: &str) -> Result<Self, InvalidJobId> {
        let digits = text.strip_prefix(PREFIX).ok_or(InvalidJobId)?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != HEX_DIGITS || !digits.bytes().all(is_digit) {
            return Err(InvalidJobId);
        }
        u64::from_str_radix(digits, 16)
            .map(Self)
            .map_err(|_| InvalidJobId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written() {
        let random = File::open("/dev/urandom").unwrap();
        for _ in 0..100 {
            let id = JobId::draw(&random).unwrap();
            assert_eq!(id.to_string().len(), PREFIX.len() + HEX_DIGITS);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for wrong in [
            "",
            "job_",
            "job_0123456789AB",
            "out_0123456789ab",
            "job_0123456789abc",
        ] {
            assert_eq!(wrong.parse::<JobId>(), Err(InvalidJobId), "{wrong}");
        }
    }
}
