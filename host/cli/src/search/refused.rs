//! Flags of ripgrep that are not taken, and why.

/// A flag with its other spellings, and what to do instead.
const REFUSED: &[(&[&str], &str)] = &[
    (
        &["--pre", "--pre-glob"],
        "runs a program on every file; search the files themselves",
    ),
    (
        &["--hostname-bin"],
        "runs a program; there is nothing here that needs it",
    ),
    (
        &["-z", "--search-zip"],
        "runs decompressors; unpack the archive first",
    ),
    (
        &["-f", "--file"],
        "reads patterns from a file; give them with -e",
    ),
    (
        &["--ignore-file"],
        "reads rules from a file; give globs with -g '!…'",
    ),
    (
        &["-P", "--pcre2", "--engine", "--auto-hybrid-regex"],
        "PCRE2 is not built in; look-around and backreferences are not there",
    ),
    (
        &["--files", "--type-list"],
        "does not search; use glob to find files",
    ),
    (
        &[
            "-r",
            "--replace",
            "--passthru",
            "-0",
            "--null",
            "--vimgrep",
            "-b",
            "--byte-offset",
        ],
        "changes what is printed; the answer has every position",
    ),
    (
        &["-o", "--only-matching"],
        "changes what is printed; the answer has the spans of every match",
    ),
    (
        &["--type-add", "--type-clear"],
        "changes file types; use -g globs",
    ),
    (
        &["--stats", "--debug", "--trace", "--messages", "--config"],
        "is not needed; the answer tells what was searched",
    ),
    (
        &["-E", "--encoding"],
        "is not there; files with a byte order mark are read in their encoding",
    ),
    (
        &["--files-without-match", "--count-matches", "--include-zero"],
        "is not there; use -c or -l",
    ),
    (
        &[
            "--null-data",
            "--line-buffered",
            "--block-buffered",
            "--stop-on-nonmatch",
        ],
        "is not there",
    ),
];

/// Why this argument is not taken, if it is one of those.
pub fn reason(argument: &str) -> Option<String> {
    let flag = argument.split('=').next().unwrap_or(argument);
    let is_it = |known: &&str| {
        let is_short = known.len() == 2 && !flag.starts_with("--");
        *known == flag || (is_short && flag.starts_with(*known))
    };
    let (_, reason) = REFUSED.iter().find(|(names, _)| names.iter().any(is_it))?;
    Some(format!("{flag} {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_flag_is_known_in_every_spelling() {
        for argument in ["--pre", "--pre=cat", "-z", "-fpatterns", "-P", "-r$1", "-0"] {
            assert!(reason(argument).is_some(), "{argument}");
        }
        for argument in ["-w", "--word-regexp", "-C3", "pattern", "--pretty"] {
            assert_eq!(reason(argument), None, "{argument}");
        }
    }
}
