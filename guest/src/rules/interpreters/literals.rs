//! Calls whose result the text already tells: decoded, joined, reversed, added-up strings.

use super::scan::{Token, last_part};
use super::table::effect;
use crate::syntax::encoding as decoded;

/// Rounds of folding; each may make the next possible (a decoded text that is then joined).
const MAX_ROUNDS: usize = 6;

/// Replaces such calls by the text that they yield.
pub(super) fn fold(tokens: &mut Vec<Token>) {
    for _ in 0..MAX_ROUNDS {
        let mut out = Vec::with_capacity(tokens.len());
        let (mut at, mut changed) = (0, false);
        while at < tokens.len() {
            match folded(&tokens[at..]) {
                Some((text, length)) => {
                    out.push(text);
                    at += length;
                    changed = true;
                }
                None => {
                    out.push(tokens[at].clone());
                    at += 1;
                }
            }
        }
        *tokens = out;
        if !changed {
            return;
        }
    }
}

/// What the tokens at the beginning stand for, and how many they are.
fn folded(tokens: &[Token]) -> Option<(Token, usize)> {
    use Token::{Mark, Name, Text};
    let named = |text: String, length: usize| Some((Name(text), length));
    match tokens {
        // `getattr(os, "system")`
        [
            Name(call),
            Mark('('),
            Name(owner),
            Mark(','),
            Text(name),
            Mark(')'),
            ..,
        ] if call == "getattr" => {
            return named(format!("{owner}.{name}"), 6);
        }
        // `__import__("os").system`, `require("fs").rmSync`
        [
            Name(call),
            Mark('('),
            Text(module),
            Mark(')'),
            Mark('.'),
            Name(name),
            ..,
        ] if matches!(
            call.as_str(),
            "__import__" | "require" | "importlib.import_module"
        ) =>
        {
            let module = module.strip_prefix("node:").unwrap_or(module);
            return named(format!("{module}.{name}"), 6);
        }
        // `require("fs")["rmSync"](…)`
        [
            Name(call),
            Mark('('),
            Text(module),
            Mark(')'),
            Mark('['),
            Text(name),
            Mark(']'),
            ..,
        ] if matches!(call.as_str(), "__import__" | "require") => {
            let module = module.strip_prefix("node:").unwrap_or(module);
            return named(format!("{module}.{name}"), 7);
        }
        // `process["exec"](…)`
        [Name(owner), Mark('['), Text(name), Mark(']'), Mark('('), ..]
            if effect(name).is_some() =>
        {
            return named(format!("{owner}.{name}"), 4);
        }
        _ => {}
    }
    let found = match tokens {
        // `"a" + "b"`, `"a" . "b"`, `"a" "b"` is left alone: only some languages join them.
        [Text(left), Mark('+' | '.' | '~'), Text(right), ..] => (format!("{left}{right}"), 3),
        [Text(left), Mark('.'), Mark('.'), Text(right), ..] => (format!("{left}{right}"), 4),
        [Text(left), Mark('<'), Mark('>'), Text(right), ..] => (format!("{left}{right}"), 4),
        // `"txet"[::-1]`
        [
            Text(text),
            Mark('['),
            Mark(':'),
            Mark(':'),
            Mark('-'),
            Mark('1'),
            Mark(']'),
            ..,
        ] => (text.chars().rev().collect(), 7),
        // `" ".join(["rm", "x"])`
        [
            Text(glue),
            Mark('.'),
            Name(name),
            Mark('('),
            Mark('['),
            rest @ ..,
        ] if name == "join" => {
            let (texts, length) = list(rest)?;
            (texts.join(glue), 5 + length + 1)
        }
        // `["rm", "x"].join(" ")`
        [Mark('['), rest @ ..] => {
            let (texts, length) = list(rest)?;
            match rest.get(length..)? {
                [Mark('.'), Name(name), Mark('('), Text(glue), Mark(')'), ..] if name == "join" => {
                    (texts.join(glue), 1 + length + 5)
                }
                _ => return None,
            }
        }
        // `"rm x".split()`, `"x".decode()`, `"x".toString()`, `"x".strip()`
        [Text(text), Mark('.'), Name(name), Mark('('), Mark(')'), ..]
            if matches!(
                name.as_str(),
                "decode" | "encode" | "toString" | "strip" | "trim" | "to_s" | "split"
            ) =>
        {
            (text.clone(), 5)
        }
        [
            Text(text),
            Mark('.'),
            Name(name),
            Mark('('),
            Text(argument),
            Mark(')'),
            ..,
        ] if matches!(name.as_str(), "decode" | "encode" | "toString") => {
            let text = if argument == "rot13" {
                rot13(text)
            } else {
                text.clone()
            };
            (text, 6)
        }
        [Text(text), Mark('.'), Name(name), ..] if matches!(name.as_str(), "reverse") => {
            let length = 3 + 2 * usize::from(tokens.get(3) == Some(&Mark('(')));
            (text.chars().rev().collect(), length)
        }
        // `os.tmpdir()`, `tempfile.mkdtemp()`
        [Name(name), Mark('('), Mark(')'), ..] => (scratch(name)?.to_owned(), 3),
        [Name(name), Mark('('), Text(text), Mark(')'), ..] => (
            decoded_by(name, text).or_else(|| scratch(name).map(str::to_owned))?,
            4,
        ),
        [
            Name(name),
            Mark('('),
            Text(text),
            Mark(','),
            Text(how),
            Mark(')'),
            ..,
        ] => {
            let text = match (last_part(name), how.as_str()) {
                ("from", "base64") => String::from_utf8(decoded::base64(text)?).ok()?,
                ("from", "hex") => String::from_utf8(decoded::hexadecimal(text)?).ok()?,
                ("decode", "rot13" | "rot_13") => rot13(text),
                ("join", part) if name.contains("path") || name.contains("File") => {
                    format!("{}/{part}", text.trim_end_matches('/'))
                }
                _ => return None,
            };
            (text, 6)
        }
        // `chr(114)`
        [Name(name), Mark('('), rest @ ..]
            if matches!(last_part(name), "chr" | "fromCharCode" | "char") =>
        {
            let (text, length) = characters(rest)?;
            (text, 2 + length)
        }
        _ => return None,
    };
    Some((Token::Text(found.0), found.1))
}

/// `"a", "b"]`: the texts, and how many tokens they are with the bracket.
fn list(tokens: &[Token]) -> Option<(Vec<String>, usize)> {
    let mut texts = Vec::new();
    let mut at = 0;
    loop {
        match tokens.get(at)? {
            Token::Text(text) => texts.push(text.clone()),
            Token::Mark(',') | Token::Line => {}
            Token::Mark(']') if !texts.is_empty() => return Some((texts, at + 1)),
            _ => return None,
        }
        at += 1;
    }
}

fn decoded_by(name: &str, text: &str) -> Option<String> {
    let bytes = match last_part(name) {
        "b64decode" | "standard_b64decode" | "urlsafe_b64decode" | "atob" | "decode_base64"
        | "base64_decode" | "decode64" | "strict_decode64" => decoded::base64(text)?,
        "fromhex" | "unhexlify" | "hex2bin" | "a2b_hex" => decoded::hexadecimal(text)?,
        "str_rot13" => rot13(text).into_bytes(),
        "strrev" | "reverse" => text.chars().rev().collect::<String>().into_bytes(),
        "String" | "str" | "Path" | "Pathname" | "File" | "expanduser" | "abspath" | "realpath"
        | "resolve" | "expand_path" => text.as_bytes().to_vec(),
        _ => return None,
    };
    String::from_utf8(bytes).ok()
}

/// Where temporary files and folders are made.
fn scratch(name: &str) -> Option<&'static str> {
    match last_part(name) {
        "tmpdir" | "gettempdir" => Some("/tmp"),
        "mkdtemp" | "mktmpdir" | "mkdtempSync" => Some("/tmp/made"),
        _ => None,
    }
}

/// `114, 109)`: the characters of the codes, and how many tokens they are with the parenthesis.
fn characters(tokens: &[Token]) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut code: Option<u32> = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark(digit) if digit.is_ascii_digit() => {
                let value = code.unwrap_or(0).checked_mul(10)?;
                code = value.checked_add(digit.to_digit(10)?);
            }
            Token::Mark(',') => text.push(char::from_u32(code.take()?)?),
            Token::Mark(')') => {
                text.push(char::from_u32(code?)?);
                return Some((text, at + 1));
            }
            _ => return None,
        }
    }
    None
}

fn rot13(text: &str) -> String {
    let turn = |first: u8, letter: u8| (first + (letter - first + 13) % 26) as char;
    text.chars()
        .map(|letter| match letter {
            'a'..='z' => turn(b'a', letter as u8),
            'A'..='Z' => turn(b'A', letter as u8),
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::scan::{Syntax, scan};
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let mut tokens = scan(source, Syntax::of("python"));
        fold(&mut tokens);
        tokens
            .into_iter()
            .filter_map(|token| match token {
                Token::Text(text) => Some(text),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn what_a_call_yields_is_its_text() {
        for source in [
            "'l' + 's'",
            "'sl'[::-1]",
            "''.join(['l', 's'])",
            "['l', 's'].join('')",
            "chr(108) + chr(115)",
            "String.fromCharCode(108, 115)",
            "base64.b64decode('bHM=').decode()",
            "Buffer.from('bHM=', 'base64').toString()",
            "bytes.fromhex('6c73').decode()",
            "codecs.decode('yf', 'rot13')",
        ] {
            assert_eq!(texts(source), ["ls"], "{source}");
        }
    }

    #[test]
    fn what_only_running_tells_stays_as_it_is() {
        assert_eq!(texts("'l' + x"), ["l"]);
        assert_eq!(texts("f('l', 's')"), ["l", "s"]);
    }
}
