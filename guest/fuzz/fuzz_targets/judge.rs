//! Any text, in any language, with any ending: the default policy answers, soon, and within the contract.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ostler_policy::model::{Dialect, Ending, Os, Request, Shell, ShellChoice, Span};
use ostler_policy::settings::Settings;
use ostler_policy::{endings, policy};

fuzz_target!(|input: (u8, i16, &str)| {
    let (kind, code, text) = input;
    let shell = match kind % 4 {
        0 => ShellChoice::Auto,
        1 => ShellChoice::Platform,
        2 => ShellChoice::Named("pwsh".into()),
        _ => ShellChoice::Named("cmd.exe".into()),
    };
    let request = Request {
        command: text.to_owned(),
        shell,
        os: if kind & 4 == 0 { Os::Linux } else { Os::Windows },
        shells: vec![Shell {
            dialect: Dialect::Bash,
            program: "/bin/bash".into(),
        }],
        cwd: "/srv/project".into(),
    };
    let Ok(review) = policy::review(&request, &Settings::default()) else {
        return;
    };
    let is_sound = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        start <= end && text.is_char_boundary(start) && text.is_char_boundary(end)
    };
    assert!(!review.invocation.argv.is_empty());
    assert!(review.findings.len() <= 256 && review.findings.iter().all(|it| is_sound(it.span)));
    assert!(review.opaque.len() <= 256 && review.opaque.iter().all(|it| is_sound(it.span)));
    let ending = Ending {
        exit_code: (code >= 0).then_some(code.into()),
        signal: (code < 0).then_some(u32::from(code.unsigned_abs()) % 65),
        timed_out: kind & 8 != 0,
        dialect: review.invocation.dialect,
        stderr_excerpt: text.chars().rev().take(200).collect(),
        stage_statuses: None,
    };
    let meaning = endings::classify(text, &ending);
    assert!(!meaning.rule.is_empty());
});
