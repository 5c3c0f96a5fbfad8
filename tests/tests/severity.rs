//! What is lost decides how grave a finding is: a root, a home or an unknown place ranks above a folder of a build.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use ostler_policy::model::{Dialect, Os, Request, Severity, Shell, ShellChoice};
use ostler_policy::policy::review;
use ostler_policy::settings::Settings;

/// How grave the gravest finding is; none = nothing was found.
fn gravest(shell: &str, command: &str) -> Option<Severity> {
    let request = Request {
        command: command.to_owned(),
        shell: match shell {
            "bash" => ShellChoice::Auto,
            name => ShellChoice::Named(name.to_owned()),
        },
        os: Os::Linux,
        shells: vec![Shell {
            dialect: Dialect::Bash,
            program: "/bin/bash".into(),
        }],
        cwd: "/srv/project".into(),
    };
    let review = review(&request, &Settings::default()).unwrap();
    review.findings.iter().map(|it| it.severity).max()
}

/// Commands with `@` where the place stands, with grave places and with harmless ones.
const SHAPES: &[(&str, &[&str], &[&str])] = &[
    (
        "rm -rf @",
        &[
            "/",
            "~",
            "\"$HOME\"",
            "..",
            "../..",
            "/etc",
            "/usr",
            "\"$UNSET\"/*",
            "~/",
            "/home/*",
            ".",
            "*",
        ],
        &["build/", "./target/debug", "out/x"],
    ),
    ("sudo rm -r @", &["/", "~root", "/var"], &["build"]),
    ("find @ -delete", &["/", "~", ".."], &["build"]),
    ("chmod -R 777 @", &["/", "/etc", "~"], &["build"]),
    ("chown -R nobody @", &["/", "/usr"], &["build"]),
    ("mv @ /tmp/x", &["/etc", "/usr"], &["build"]),
    ("rsync -a --delete empty/ @", &["/", "~/"], &["build/"]),
    ("bash -c 'rm -rf @'", &["/", "~", ".."], &["build"]),
    ("cd /; rm -rf @", &["etc", "usr"], &["tmp/build"]),
    (
        "python3 -c \"import shutil; shutil.rmtree('@')\"",
        &["/", "/etc"],
        &["build"],
    ),
    ("xargs rm -rf @ < l", &["/", "~"], &["build"]),
];

/// The same for PowerShell and cmd.
const WINDOWS: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "pwsh",
        "Remove-Item -Recurse -Force @",
        &["C:\\", "~", "$HOME", "C:\\Windows"],
        &["build", ".\\out"],
    ),
    (
        "cmd.exe",
        "rd /s /q @",
        &["C:\\", "%USERPROFILE%", "C:\\Windows"],
        &["build", "out\\x"],
    ),
];

#[test]
fn grave_places_rank_above_folders_of_a_build() {
    let posix = SHAPES
        .iter()
        .map(|(shape, grave, light)| ("bash", *shape, *grave, *light));
    let windows = WINDOWS.iter().copied();
    let (mut pairs, mut wrong) = (0, Vec::new());
    for (shell, shape, grave, light) in posix.chain(windows) {
        for place in grave {
            for other in light {
                pairs += 1;
                let (grave, light) = (shape.replace('@', place), shape.replace('@', other));
                let (above, below) = (gravest(shell, &grave), gravest(shell, &light));
                if above <= below || above < Some(Severity::Caution) {
                    wrong.push(format!("{grave:?} is {above:?}, {light:?} is {below:?}"));
                }
            }
        }
    }
    assert!(pairs >= 60, "{pairs}");
    assert!(
        wrong.is_empty(),
        "{} of {pairs}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
