//! Shapes that are no single call.

use super::scan::{Token, last_part};
use crate::model::Severity::{Caution, Danger};
use crate::model::Span;
use crate::rules::report::Report;

/// Shapes that are no single call: loops that delete what they find, processes without end,
/// scripting of the desktop.
pub(super) fn shapes(
    interpreter: &str,
    tokens: &[Token],
    source: &str,
    span: Span,
    report: &mut Report,
) {
    let names = |wanted: &[&str]| {
        tokens.iter().any(|token| match token {
            Token::Name(name) => wanted
                .iter()
                .any(|wanted| last_part(name) == *wanted || name == wanted),
            _ => false,
        })
    };
    let lists = names(&[
        "glob",
        "iglob",
        "rglob",
        "walk",
        "listdir",
        "scandir",
        "readdirSync",
        "readdir",
        "Dir.glob",
        "list.files",
        "find",
        "globSync",
    ]) || interpreter == "perl" && source.contains("unlink <")
        || interpreter == "ruby" && source.contains("Dir[");
    let deletes = names(&[
        "os.remove",
        "os.unlink",
        "unlink",
        "unlinkSync",
        "File.delete",
        "File.unlink",
        "file.remove",
        "rm_f",
    ]) || interpreter == "php" && source.contains("unlink");
    if lists && deletes {
        report.add(
            "fs.rm-glob",
            Caution,
            "deletes every file that a listing yields",
            span,
        );
    }
    // `open("x", "w").close()` only empties the file.
    let empties = tokens.windows(8).any(|window| match window {
        [
            Token::Name(open),
            Token::Mark('('),
            Token::Text(_),
            Token::Mark(','),
            Token::Text(mode),
            Token::Mark(')'),
            Token::Mark('.'),
            Token::Name(close),
        ] => open == "open" && mode.starts_with('w') && close == "close",
        _ => false,
    });
    if empties {
        report.add("fs.truncate", Caution, "truncates a file to nothing", span);
    }
    let forks = tokens
        .iter()
        .filter(|token| matches!(token, Token::Name(name) if last_part(name) == "fork"))
        .count();
    if forks > 0
        && (forks > 1 || names(&["while", "loop", "for", "until"]))
        && names(&["while", "loop", "until", "True"])
    {
        report.add(
            "sys.resource",
            Danger,
            "starts processes without end until the machine stops",
            span,
        );
    }
    if interpreter == "osascript" {
        let spoken = source.to_ascii_lowercase();
        let orders = ["shut down", "restart", "log out"];
        if spoken.contains("system events")
            | spoken.contains("finder")
            | spoken.contains("loginwindow")
            && orders.iter().any(|order| spoken.contains(order))
        {
            report.add("sys.power", Danger, "stops or restarts the machine", span);
        } else if spoken.contains("finder")
            && (spoken.contains("empty trash") || spoken.contains("empty the trash"))
        {
            report.add(
                "fs.rm-recursive",
                Caution,
                "empties the trash: everything in it is removed",
                span,
            );
        }
    }
    // A shell whose input and output are a connection.
    let connects = names(&[
        "socket",
        "TCPSocket",
        "fsockopen",
        "Socket",
        "create_connection",
        "createConnection",
        "connect",
    ]);
    let shell = tokens.iter().any(|token| {
        matches!(token, Token::Text(text) if matches!(text.as_str(), "/bin/sh" | "/bin/bash" | "sh" | "bash" | "/bin/sh -i" | "/bin/bash -i" | "sh -i" | "bash -i" | "cmd.exe"))
    });
    if connects && (names(&["dup2", "pty.spawn"]) || shell) {
        report.add(
            "exec.remote",
            Danger,
            "gives a shell to whoever is at the other end of a connection",
            span,
        );
    }
    if matches!(interpreter, "tclsh" | "expect") {
        tcl(source, span, report);
    }
}

/// Tcl has no quotes around the words of what it runs.
fn tcl(source: &str, span: Span, report: &mut Report) {
    for line in source.split(['\n', ';']) {
        let line = line.trim();
        let run = ["exec ", "spawn ", "system "]
            .iter()
            .find_map(|verb| line.strip_prefix(verb));
        if let Some(command) = run {
            report.shell_text(command, span);
        } else if let Some(paths) = line.strip_prefix("file delete -force ") {
            report.shell_text(&format!("rm -rf {}", paths.trim_start_matches("-- ")), span);
        }
    }
}
