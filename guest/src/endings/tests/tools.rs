//! Tools and the sample table.

use super::{each, ending, expect, told, told_in, told_with_stderr};
use crate::endings::classify;
use crate::model::{Dialect, Ending, Status};

#[test]
fn a_failed_search_is_told_by_stderr() {
    let denied = "find: './a': Permission denied\nfind: './b': Permission denied\n";
    expect(
        &told_with_stderr("find .", 1, denied),
        Status::Ok,
        "inaccessible",
    );
    let missing = "find: 'x': No such file or directory\n";
    expect(
        &told_with_stderr("find x", 1, missing),
        Status::Error,
        "does not exist",
    );
    let wrong = "find: unknown predicate `-bad'\n";
    expect(
        &told_with_stderr("find . -bad", 1, wrong),
        Status::Error,
        "expression",
    );
}

#[test]
fn a_missing_input_file_is_no_empty_answer() {
    let stderr = "bash: line 1: f.txt: No such file or directory\n";
    expect(
        &told_with_stderr("grep x < f.txt", 1, stderr),
        Status::Error,
        "could not be opened",
    );
    expect(&told("grep x < f.txt", 1), Status::Ok, "No matches found");
}

#[test]
fn the_meaning_needs_the_flag() {
    each(
        Status::Error,
        "failed with exit code",
        &[
            ("git diff", 1),
            ("terraform plan", 2),
            ("make all", 1),
            ("jq . f", 1),
            ("sort f", 1),
            ("openssl x509 -in c", 1),
        ],
    );
    each(
        Status::Ok,
        "",
        &[
            ("git -C repo diff --quiet", 1),
            ("terraform -chdir=x plan -detailed-exitcode -out=p", 2),
            ("make -sq", 1),
            ("jq -re .a f", 4),
            ("sort -t: -c f", 1),
            ("openssl x509 -checkend 9 -in c", 1),
        ],
    );
}

#[test]
fn problems_found_differ_from_could_not_run() {
    expect(
        &told("npx eslint .", 1),
        Status::Error,
        "the linter itself ran",
    );
    expect(&told("npx eslint .", 2), Status::Error, "could not run");
    expect(
        &told("python -m pytest", 5),
        Status::Error,
        "no tests were collected",
    );
    expect(
        &told("pylint src", 20),
        Status::Error,
        "warning, convention",
    );
}

#[test]
fn windows_tools_have_their_own_codes() {
    expect(
        &told_in(Dialect::Cmd, "findstr x f.txt", 1),
        Status::Ok,
        "No matches found",
    );
    expect(
        &told_in(Dialect::Cmd, "robocopy a b /E", 3),
        Status::Ok,
        "files were copied",
    );
    expect(
        &told_in(Dialect::Cmd, "robocopy a b /E", 8),
        Status::Error,
        "could not be copied",
    );
    expect(
        &told_in(Dialect::Cmd, "find \"x\" f.txt", 1),
        Status::Ok,
        "No matches found",
    );
    expect(
        &told_in(Dialect::Powershell, "where.exe x", 1),
        Status::Ok,
        "PowerShell",
    );
    for command in [
        "dir & findstr x f",
        "cd a && findstr x f",
        "type f | findstr x",
        "cmd /c \"findstr x f\"",
    ] {
        expect(
            &told_in(Dialect::Cmd, command, 1),
            Status::Ok,
            "No matches found",
        );
    }
    for command in [
        "cd a; findstr x f",
        "Get-Content f | findstr x",
        "& findstr.exe x f",
    ] {
        expect(
            &told_in(Dialect::Powershell, command, 1),
            Status::Ok,
            "No matches found",
        );
    }
    expect(
        &told_in(Dialect::Cmd, "dir x & exit /b 3", 3),
        Status::Error,
        "exit code 3",
    );
    let crash = -1_073_741_819;
    expect(
        &told_in(Dialect::Cmd, "app", crash),
        Status::Error,
        "access violation",
    );
}

/// How many rows of the sample table are judged as it says. Set `OSTLER_SHOW_MISSES` to see the others.
#[test]
fn the_sample_table_is_met() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/exits.jsonl");
    let table = std::fs::read_to_string(path).unwrap();
    let show = std::env::var_os("OSTLER_SHOW_MISSES").is_some();
    let (mut met, mut rows) = (0, 0);
    for line in table.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let command = row["command"].as_str().unwrap();
        let code = i32::try_from(row["exit_code"].as_i64().unwrap()).unwrap();
        let signal = u32::try_from(-i64::from(code))
            .ok()
            .filter(|&signal| signal > 0);
        let told = classify(
            command,
            &Ending {
                exit_code: signal.is_none().then_some(code),
                signal,
                stderr_excerpt: row["stderr"].as_str().unwrap_or_default().to_owned(),
                ..ending(0)
            },
        );
        let status = match told.status {
            Status::Ok => "ok",
            Status::Signal => "signal",
            Status::Error => "error",
        };
        rows += 1;
        if row["status"] == status {
            met += 1;
            if show {
                println!(
                    "      {command:?} {code}: {:?} [{}]",
                    told.message, told.rule
                );
            }
        } else if show {
            println!(
                "MISS  {command:?} {code}: {} expected, {told:?}",
                row["status"]
            );
        }
    }
    println!("{met} of {rows} rows");
    assert!(met * 100 >= rows * 98, "{met} of {rows} rows");
}
