//! What settings do, as sentences.

mod mistakes;
mod prefixes;
mod programs;
mod rules;

use super::Settings;
use crate::model::{Dialect, Os, Request, Review, Shell, ShellChoice, Verdict};
use crate::policy;

fn reviewed(settings: &str, dialect: Dialect, command: &str) -> Review {
    let settings = Settings::parse(settings).unwrap();
    let (os, shell) = match dialect {
        Dialect::Powershell => (Os::Windows, ShellChoice::Named("pwsh".into())),
        Dialect::Cmd => (Os::Windows, ShellChoice::Named("cmd".into())),
        _ => (Os::Linux, ShellChoice::Platform),
    };
    let shells = [
        (Dialect::Bash, "/bin/bash"),
        (Dialect::Powershell, "C:\\pwsh.exe"),
        (Dialect::Cmd, "C:\\cmd.exe"),
    ];
    let shells = shells.map(|(dialect, program)| Shell {
        dialect,
        program: program.into(),
    });
    let request = Request {
        command: command.into(),
        shell,
        os,
        shells: shells.into(),
        cwd: "/home/user/project".into(),
    };
    policy::review(&request, &settings).unwrap()
}

fn verdict(settings: &str, command: &str) -> Verdict {
    reviewed(settings, Dialect::Bash, command).verdict
}

#[track_caller]
fn refused(settings: &str, command: &str, words: &str) {
    match verdict(settings, command) {
        Verdict::Refuse(reason) => {
            assert!(reason.contains(words), "{command}: {reason}");
            assert!(!reason.contains('\n'), "{reason}");
        }
        other => panic!("{command}: {other:?}"),
    }
}

#[track_caller]
fn asked(settings: &str, command: &str, words: &str) {
    match verdict(settings, command) {
        Verdict::Ask(reason) => assert!(reason.contains(words), "{command}: {reason}"),
        other => panic!("{command}: {other:?}"),
    }
}

#[track_caller]
fn proceeds(settings: &str, command: &str) {
    assert_eq!(verdict(settings, command), Verdict::Proceed, "{command}");
}
