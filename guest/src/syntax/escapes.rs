//! Backslash escapes of `$'…'`, `echo -e` and `printf`.

/// Which backslash escapes apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// `$'…'`
    AnsiC,
    /// `echo -e`: octal numbers need a zero in front.
    Echo,
    /// `printf %b`: octal numbers may have one.
    PrintfArgument,
    /// The format of `printf`.
    Printf,
}

/// Text after its escapes were decoded.
pub(super) struct Decoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether `\c` ended all output.
    pub stopped: bool,
}

/// Decodes backslash escapes.
pub(super) fn escapes(text: &[u8], kind: Escapes) -> Decoded {
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte != b'\\' {
            bytes.push(byte);
            at += 1;
            continue;
        }
        let Some(&next) = text.get(at + 1) else {
            bytes.push(b'\\');
            break;
        };
        at += 2;
        match next {
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'e' | b'E' => bytes.push(27),
            b'f' => bytes.push(12),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'v' => bytes.push(11),
            b'\\' => bytes.push(b'\\'),
            b'\'' | b'"' | b'?' if kind != Escapes::Echo => bytes.push(next),
            b'c' if kind != Escapes::AnsiC => {
                return Decoded {
                    bytes,
                    stopped: true,
                };
            }
            b'c' => {
                bytes.extend(text.get(at).map(|control| control & 0x1f));
                at += 1;
            }
            b'x' => at += number(text, at, 16, 2, &mut bytes, next),
            b'u' => at += number(text, at, 16, 4, &mut bytes, next),
            b'U' => at += number(text, at, 16, 8, &mut bytes, next),
            b'0' if matches!(kind, Escapes::Echo | Escapes::PrintfArgument) => {
                at += number(text, at, 8, 3, &mut bytes, next)
            }
            b'0'..=b'7' if kind != Escapes::Echo => {
                at -= 1;
                at += number(text, at, 8, 3, &mut bytes, next);
            }
            _ => bytes.extend([b'\\', next]),
        }
        if kind == Escapes::AnsiC && bytes.last() == Some(&0) {
            bytes.pop();
            break;
        }
    }
    Decoded {
        bytes,
        stopped: false,
    }
}

/// Appends the character whose number stands at this index; how many digits it has. Without digits
/// the escape stays.
fn number(text: &[u8], at: usize, radix: u32, most: usize, out: &mut Vec<u8>, letter: u8) -> usize {
    let digits = text.get(at..).unwrap_or_default().iter().take(most);
    let values = digits
        .map_while(|&digit| char::from(digit).to_digit(radix))
        .collect::<Vec<_>>();
    let value = values
        .iter()
        .fold(0_u32, |sum, digit| sum.wrapping_mul(radix) | digit);
    if values.is_empty() && letter != b'0' {
        out.extend([b'\\', letter]);
    } else if matches!(letter, b'u' | b'U') {
        let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        out.push((value & 0xff) as u8);
    }
    values.len()
}
