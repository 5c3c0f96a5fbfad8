//! Custom sections of a component: where the committed guest carries the digest of its sources.

use sha2::{Digest as _, Sha256};

/// Name of the section that holds [`Stamp`] as text.
const SECTION: &str = "ostler:built-from";

/// What a built guest says of its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Digest of the sources, see [`crate::sources::digest`].
    pub sources: String,
    /// The compiler, as `rustc --version` calls itself.
    pub compiler: String,
}

/// The SHA-256 of the guest as sha256sum(1) prints it.
pub fn digest_line(component: &[u8]) -> String {
    let digest = Sha256::digest(component);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digest}  policy.wasm\n")
}

/// Appends a stamp to a component.
pub fn stamp(component: &[u8], stamp: &Stamp) -> Vec<u8> {
    let mut body = Vec::new();
    leb128(SECTION.len(), &mut body);
    body.extend_from_slice(SECTION.as_bytes());
    body.extend_from_slice(format!("{}\n{}", stamp.sources, stamp.compiler).as_bytes());
    let mut stamped = component.to_vec();
    stamped.push(0);
    leb128(body.len(), &mut stamped);
    stamped.extend_from_slice(&body);
    stamped
}

/// Splits a stamped component into the component and its stamp. None where it carries none.
pub fn unstamp(component: &[u8]) -> Option<(&[u8], Stamp)> {
    // The stamp is the last section: walk the sections from the header on.
    let mut at = 8;
    let mut last = at;
    while at < component.len() {
        last = at;
        let (length, bytes) = read_leb128(component.get(at + 1..)?)?;
        at = at + 1 + bytes + length;
    }
    let section = component.get(last..)?;
    if *section.first()? != 0 {
        return None;
    }
    let (_, bytes) = read_leb128(&section[1..])?;
    let body = &section[1 + bytes..];
    let (name_length, bytes) = read_leb128(body)?;
    let name = body.get(bytes..bytes + name_length)?;
    let text = std::str::from_utf8(&body[bytes + name_length..]).ok()?;
    let (sources, compiler) = text.split_once('\n')?;
    let stamp = Stamp {
        sources: sources.into(),
        compiler: compiler.into(),
    };
    (name == SECTION.as_bytes()).then_some((&component[..last], stamp))
}

fn leb128(mut value: usize, out: &mut Vec<u8>) {
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            return out.push(byte);
        }
        out.push(byte | 0x80);
    }
}

fn read_leb128(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
    }
    None
}
