//! Encodings that scripts are hidden in: base64 and hexadecimal.

/// Decodes base64 (either alphabet); blanks and line breaks are skipped, as `base64 -d` skips line
/// breaks.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => continue,
            _ if byte.is_ascii_whitespace() => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

/// Decodes base64 of UTF-16 in little-endian order, as `powershell -EncodedCommand` takes it.
pub(super) fn utf16_base64(text: &str) -> Option<String> {
    let bytes = base64(text)?;
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    });
    String::from_utf16(&units.collect::<Vec<_>>()).ok()
}

/// Decodes pairs of hexadecimal digits; anything between them is skipped, as `xxd -r -p` skips
/// blanks.
pub(crate) fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits = text
        .chars()
        .filter(|character| !character.is_ascii_whitespace());
    let values = digits
        .map(|digit| digit.to_digit(16))
        .collect::<Option<Vec<_>>>()?;
    let pairs = values.chunks_exact(2).filter_map(|pair| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    });
    Some(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_decoded() {
        assert_eq!(base64("bHMgLWxh\nCg=="), Some(b"ls -la\n".to_vec()));
        assert_eq!(base64("a!"), None);
        assert_eq!(utf16_base64("bABzAA=="), Some("ls".to_owned()));
        assert_eq!(hexadecimal("6c 73"), Some(b"ls".to_vec()));
        assert_eq!(hexadecimal("zz"), None);
    }
}
