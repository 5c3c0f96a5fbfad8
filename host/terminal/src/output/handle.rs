//! The names under which finished output is asked for.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::str::FromStr;

const PREFIX: &str = "out_";
const HEX_DIGITS: usize = 16;

/// Name of retained output: `out_` and 16 lower-case hexadecimal digits, 64 bits from the kernel's
/// random source, because whoever knows it may read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle(u64);

/// What was given is no handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an output handle is `out_` and 16 hexadecimal digits")]
pub struct InvalidHandle;

impl Handle {
    /// A new one. `random` is `/dev/urandom`.
    pub(super) fn draw(mut random: &File) -> io::Result<Self> {
        let mut bytes = [0; size_of::<u64>()];
        random.read_exact(&mut bytes)?;
        Ok(Self(u64::from_ne_bytes(bytes)))
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{:0HEX_DIGITS$x}", self.0)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Handle {
    type Err = InvalidHandle;

    fn from_str(text: &str) -> Result<Self, InvalidHandle> {
        let digits = text.strip_prefix(PREFIX).ok_or(InvalidHandle)?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != HEX_DIGITS || !digits.bytes().all(is_digit) {
            return Err(InvalidHandle);
        }
        u64::from_str_radix(digits, 16)
            .map(Self)
            .map_err(|_| InvalidHandle)
    }
}
