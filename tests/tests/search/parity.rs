//! The same answers as the program `rg`, flag by flag; what differs is meant, and named here.
//!
//! - A glob of `-g` chooses among what is not ignored or hidden, where in ripgrep it brings that back.
//! - `--no-ignore-dot` is about `.rgignore` too, as in ripgrep 14 and later.
//! - With `-L` a folder that can be reached by several ways is searched by the first one only.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use ostler_tests::binary::ostler;
use ostler_tests::tools;
use serde_json::Value;

use super::write;

/// Where a line matches: the bytes of the path and the number.
type Places = BTreeSet<(Vec<u8>, u64)>;

const PATTERNS: &[&str] = &[
    "needle",
    "Needle",
    "n[e]+dle\\b",
    "^needle",
    "needle$",
    "le;",
    "a.b",
    "\\d{3}",
];

/// Flags that are combined with every pattern.
const FLAGS: &[&[&str]] = &[
    &[],
    &["-i"],
    &["-S"],
    &["-w"],
    &["-x"],
    &["-F"],
    &["-v"],
    &["-m", "1"],
    &["-a"],
    &["--binary"],
    &["-u"],
    &["-uu"],
    &["-uuu"],
    &["--hidden"],
    &["--no-ignore"],
    &["--no-ignore-dot"],
    &["--no-ignore-vcs"],
    &["--no-ignore-parent"],
    &["--no-require-git"],
    &["-t", "rust"],
    &["-T", "rust"],
    &["-t", "rust", "--hidden"],
    &["--max-depth", "1"],
    &["--max-depth", "2"],
    &["--max-filesize", "100"],
    &["--crlf"],
    &["-U"],
    &["-g", "*.rs"],
    &["-g", "!*.rs"],
    &["-g", "sub/**"],
    &["-g", "!sub/", "-i"],
    &["--iglob", "*.RS"],
    &["-e", "other"],
    &["-i", "-w", "-F"],
];

fn tree(folder: &Path) {
    write(
        folder,
        &[
            (".git/HEAD", b"needle"),
            (".git/info/exclude", b"*.excluded\n"),
            (".gitignore", b"*.log\n/build/\n!keep.log\nsub/deep/*.tmp\n"),
            (".ignore", b"*.dot\n"),
            (".rgignore", b"*.rgi\n!x.dot\n"),
            ("a.rs", b"needle 123\nNeedle\nother\nxneedlex\n"),
            ("b.txt", b"needle\r\nNEEDLE\r\na.b\r\naxb\r\n"),
            ("c.rs", b"fn needle();\n    needle;\nneedle"),
            ("x.log", b"needle\n"),
            ("keep.log", b"needle\n"),
            ("x.dot", b"needle\n"),
            ("y.dot", b"needle\n"),
            ("x.rgi", b"needle\n"),
            ("x.excluded", b"needle\n"),
            ("build/out.rs", b"needle\n"),
            (".hidden.rs", b"needle\n"),
            (".hidden/inner.rs", b"needle 456\n"),
            ("binary", b"needle\nab\0cd needle\n"),
            (
                "late-binary",
                &[
                    b"needle\n".as_slice(),
                    &b"x\n".repeat(50_000),
                    b"\0needle\n",
                ]
                .concat(),
            ),
            ("latin1.txt", b"caf\xe9 needle\n"),
            ("empty.rs", b""),
            (
                "long.txt",
                &[
                    b"y".repeat(5000).as_slice(),
                    b" needle ",
                    &b"z".repeat(5000),
                ]
                .concat(),
            ),
            ("sub/.gitignore", b"*.rs\n!x.log\n"),
            ("sub/a.rs", b"needle\n"),
            ("sub/a.txt", b"needle\nneedle\nneedle\n"),
            ("sub/x.log", b"needle\n"),
            ("sub/deep/a.tmp", b"needle\n"),
            ("sub/deep/a.txt", b"other needle\n"),
            ("sub/deep/.ignore", b"b.*\n"),
            ("sub/deep/b.txt", b"needle\n"),
            ("sub/repo/.git/HEAD", b"x"),
            ("sub/repo/a.rs", b"needle\n"),
            ("sub/repo/a.log", b"needle\n"),
        ],
    );
    let utf16: Vec<u8> = "\u{feff}needle\nother\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    fs::write(folder.join("utf16.txt"), utf16).unwrap();
    fs::write(folder.join(OsStr::from_bytes(b"n\xff.rs")), "needle\n").unwrap();
    symlink("a.rs", folder.join("link.rs")).unwrap();
    symlink("..", folder.join("sub/loop")).unwrap();
}

/// What a text or its base64 stands for.
fn bytes(value: &Value, text: &str, exact: &str) -> Vec<u8> {
    match value[exact].as_str() {
        Some(exact) => decode(exact),
        None => value[text].as_str().unwrap().as_bytes().to_vec(),
    }
}

fn decode(base64: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for byte in base64.bytes().filter(|byte| *byte != b'=') {
        bits = bits << 6 | u32::from(digit(byte));
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn rg(folder: &Path, flags: &[&str], pattern: &str) -> Places {
    let output = Command::new("rg")
        .args(["--json", "--no-config"])
        .args(flags)
        .args(["-e", pattern])
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .arg(".")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let events = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    events
        .filter(|event| event["type"] == "match")
        .map(|event| {
            let path = bytes(&event["data"]["path"], "text", "bytes");
            let path = path.strip_prefix(b"./").unwrap_or(&path).to_vec();
            (path, event["data"]["line_number"].as_u64().unwrap())
        })
        .collect()
}

/// The files that rg would search.
fn rg_files(folder: &Path, flags: &[&str]) -> BTreeSet<Vec<u8>> {
    let output = Command::new("rg")
        .args(["--files", "-0", "--no-config"])
        .args(flags)
        .current_dir(folder)
        .output()
        .unwrap();
    output
        .stdout
        .split(|byte| *byte == 0)
        .map(<[u8]>::to_vec)
        .collect()
}

fn ours(folder: &Path, flags: &[&str], pattern: &str) -> Places {
    let output = ostler(["rg", "--json"])
        .args(flags)
        .args(["-e", pattern])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.code() != Some(2),
        "{flags:?} {pattern}: {output:?}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let events = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    events
        .filter(|event| event["match"].is_object())
        .map(|event| {
            let found = &event["match"];
            (
                bytes(found, "path", "path_base64"),
                found["line"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn the_same_lines_are_found_as_ripgrep_finds() {
    if !tools::is_there("rg") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    tree(folder.path());
    let mut compared = 0;
    let mut wrong = Vec::new();
    for flags in FLAGS {
        let globs: Vec<usize> = (0..flags.len())
            .filter(|at| ["-g", "--iglob"].contains(&flags[*at]) && !flags[at + 1].starts_with('!'))
            .collect();
        for pattern in PATTERNS {
            let mut expected = rg(folder.path(), flags, pattern);
            if !globs.is_empty() {
                // Meant: a glob brings back nothing that is ignored or hidden.
                let others: Vec<&str> = (0..flags.len())
                    .filter(|at| !globs.contains(at) && !globs.iter().any(|glob| glob + 1 == *at))
                    .map(|at| flags[at])
                    .collect();
                let visible = rg_files(folder.path(), &others);
                expected.retain(|(path, _)| visible.contains(path));
            }
            let mut found = ours(folder.path(), flags, pattern);
            if flags.contains(&"--no-ignore-dot") {
                found.retain(|(path, _)| !path.ends_with(b".rgi"));
            }
            compared += 1;
            if found != expected {
                let name = |(path, line): &(Vec<u8>, u64)| {
                    format!("{}:{line}", String::from_utf8_lossy(path))
                };
                let only = |one: &Places, other: &Places| {
                    one.difference(other).map(name).collect::<Vec<_>>()
                };
                wrong.push(format!(
                    "{flags:?} {pattern}: only ours {:?}, only rg's {:?}",
                    only(&found, &expected),
                    only(&expected, &found)
                ));
            }
        }
    }
    assert!(compared >= 200, "{compared}");
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn with_links_each_folder_is_searched_once() {
    if !tools::is_there("rg") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    tree(folder.path());
    let real = |places: Places| -> BTreeSet<(PathBuf, u64)> {
        let path = |path: &[u8]| {
            folder
                .path()
                .join(OsStr::from_bytes(path))
                .canonicalize()
                .unwrap()
        };
        places
            .into_iter()
            .map(|(name, line)| (path(&name), line))
            .collect()
    };
    let found = ours(folder.path(), &["-L"], "needle");
    let count = found.len();
    assert_eq!(real(found), real(rg(folder.path(), &["-L"], "needle")));
    // A file and a link to it are two names; a folder is one.
    assert!(count <= real(ours(folder.path(), &[], "needle")).len() + 3);
}
