//! Which interpreter runs a command, on every system.

use crate::model::{Dialect, Os, Plan, Rejection, Request, Shell, ShellChoice};
use crate::routing::{Route, route};

/// What stands between an interpreter and the text, by its language.
fn switches(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Direct => &[],
        Dialect::Bash => &["-c"],
        Dialect::Powershell => &["-NoProfile", "-NonInteractive", "-Command"],
        Dialect::Cmd => &["/c"],
    }
}

/// Plans how a request is started.
///
/// # Errors
/// Where there is nothing to run, or nothing may or can run it.
pub fn choose(request: &Request) -> Result<Plan, Rejection> {
    if request.command.contains('\0') {
        return Err(Rejection::NulByte);
    }
    if request
        .command
        .trim_matches([' ', '\t', '\n', '\r'])
        .is_empty()
    {
        return Err(Rejection::EmptyCommand);
    }
    match &request.shell {
        ShellChoice::Named(program) => {
            let dialect = language(program)?;
            Ok(plan(program, dialect, &request.command, false))
        }
        ShellChoice::Platform => {
            let shell = platform(request)?;
            Ok(plan(&shell.program, shell.dialect, &request.command, false))
        }
        ShellChoice::Auto => automatic(request),
    }
}

/// On Windows a text always goes to a shell, for what is a program there and what a builtin differs
/// from bash.
fn automatic(request: &Request) -> Result<Plan, Rejection> {
    let direct = |argv| Plan {
        argv,
        dialect: Dialect::Direct,
        auto_shell: false,
    };
    let shell = || platform(request);
    match (route(&request.command), request.os) {
        (Route::Direct(argv), Os::Linux | Os::Macos) => Ok(direct(argv)),
        (Route::Direct(argv), Os::Windows) => match shell() {
            Ok(shell) => Ok(plan(&shell.program, shell.dialect, &request.command, true)),
            Err(_) => Ok(direct(argv)),
        },
        (Route::Shell, _) => {
            let shell = shell()?;
            Ok(plan(&shell.program, shell.dialect, &request.command, true))
        }
    }
}

/// The text reaches the interpreter byte for byte.
fn plan(program: &str, dialect: Dialect, command: &str, auto_shell: bool) -> Plan {
    let mut argv = vec![program.to_owned()];
    argv.extend(switches(dialect).iter().map(|switch| (*switch).to_owned()));
    argv.push(command.to_owned());
    Plan {
        argv,
        dialect,
        auto_shell,
    }
}

/// The last part of a path, in lower case; both kinds of slashes separate.
fn file_name(program: &str) -> String {
    program
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(program)
        .to_ascii_lowercase()
}

/// The language of an interpreter, by its file name.
fn language(program: &str) -> Result<Dialect, Rejection> {
    let name = file_name(program);
    if name.trim().is_empty() {
        return Err(Rejection::NoShell(format!(
            "an interpreter called {program:?}"
        )));
    }
    // Its builtins and expansions differ from what a bash text is checked for.
    if name.contains("zsh") {
        return Err(Rejection::ShellRefused(program.to_owned()));
    }
    Ok(if name.contains("pwsh") || name.contains("powershell") {
        Dialect::Powershell
    } else if matches!(name.as_str(), "cmd" | "cmd.exe") {
        Dialect::Cmd
    } else {
        Dialect::Bash
    })
}

/// The platform's shell among those that the host found.
fn platform(request: &Request) -> Result<&Shell, Rejection> {
    let (wanted, what): (&[Dialect], _) = match request.os {
        Os::Linux | Os::Macos => (&[Dialect::Bash], "bash"),
        Os::Windows => (
            &[Dialect::Bash, Dialect::Powershell, Dialect::Cmd],
            "Git Bash, PowerShell or cmd",
        ),
    };
    let usable = |shell: &&Shell| {
        !file_name(&shell.program).contains("zsh")
            && (request.os != Os::Windows || !starts_linux(&shell.program))
    };
    let of = |dialect: &Dialect| {
        request
            .shells
            .iter()
            .filter(usable)
            .find(|shell| shell.dialect == *dialect)
    };
    wanted
        .iter()
        .find_map(of)
        .ok_or_else(|| Rejection::NoShell(what.to_owned()))
}

/// Whether a `bash` on Windows is the launcher of the Linux subsystem, which runs the text on
/// another system.
fn starts_linux(program: &str) -> bool {
    let path = program.to_ascii_lowercase();
    let places = ["system32", "sysnative", "windowsapps"];
    file_name(program).starts_with("bash")
        && path.split(['/', '\\']).any(|part| places.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIT_BASH: &str = r"C:\Program Files\Git\bin\bash.exe";
    const POWERSHELL: &str = r"C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe";
    const CMD: &str = r"C:\Windows\System32\cmd.exe";
    const LINUX_LAUNCHER: &str = r"C:\Windows\System32\bash.exe";

    fn request(command: &str, shell: ShellChoice, os: Os, shells: &[(Dialect, &str)]) -> Request {
        let shell_of = |(dialect, program): &(Dialect, &str)| Shell {
            dialect: *dialect,
            program: (*program).to_owned(),
        };
        Request {
            command: command.to_owned(),
            shell,
            os,
            shells: shells.iter().map(shell_of).collect(),
            cwd: "/".to_owned(),
        }
    }

    fn argv(result: Result<Plan, Rejection>) -> Vec<String> {
        result.map(|plan| plan.argv).unwrap_or_default()
    }

    fn named(program: &str) -> Result<Plan, Rejection> {
        choose(&request(
            "x y",
            ShellChoice::Named(program.to_owned()),
            Os::Linux,
            &[],
        ))
    }

    #[test]
    fn the_platform_shell_of_posix_is_bash_whatever_the_text() {
        for os in [Os::Linux, Os::Macos] {
            let request = request(
                "ls",
                ShellChoice::Platform,
                os,
                &[(Dialect::Bash, "/bin/bash")],
            );
            let plan = choose(&request);
            let expected = Plan {
                argv: ["/bin/bash", "-c", "ls"].map(str::to_owned).to_vec(),
                dialect: Dialect::Bash,
                auto_shell: false,
            };
            assert_eq!(plan, Ok(expected));
        }
    }

    #[test]
    fn without_bash_a_posix_system_has_no_shell() {
        let shells = [
            (Dialect::Powershell, "/usr/bin/pwsh"),
            (Dialect::Bash, "/bin/zsh"),
        ];
        let request = request("a | b", ShellChoice::Auto, Os::Linux, &shells);
        assert_eq!(choose(&request), Err(Rejection::NoShell("bash".to_owned())));
    }

    #[test]
    fn a_plain_command_starts_directly() {
        let shells = [(Dialect::Bash, "/bin/bash")];
        let plan = choose(&request("ls 'a b'", ShellChoice::Auto, Os::Macos, &shells));
        let expected = Plan {
            argv: ["ls", "a b"].map(str::to_owned).to_vec(),
            dialect: Dialect::Direct,
            auto_shell: false,
        };
        assert_eq!(plan, Ok(expected));
    }

    #[test]
    fn a_text_that_needs_a_shell_gets_one_unchanged() {
        let text = "  echo \"$x\" | wc # é\n";
        let shells = [(Dialect::Bash, "/bin/bash")];
        let plan = choose(&request(text, ShellChoice::Auto, Os::Linux, &shells));
        let expected = Plan {
            argv: vec!["/bin/bash".to_owned(), "-c".to_owned(), text.to_owned()],
            dialect: Dialect::Bash,
            auto_shell: true,
        };
        assert_eq!(plan, Ok(expected));
        assert_eq!(
            argv(choose(&request(
                "# note",
                ShellChoice::Auto,
                Os::Linux,
                &shells
            )))
            .len(),
            3
        );
    }

    #[test]
    fn windows_prefers_git_bash_then_powershell_then_cmd() {
        let all = [
            (Dialect::Cmd, CMD),
            (Dialect::Powershell, POWERSHELL),
            (Dialect::Bash, GIT_BASH),
        ];
        for choice in [ShellChoice::Auto, ShellChoice::Platform] {
            let first = |shells: &[(Dialect, &str)]| {
                argv(choose(&request(
                    "dir x",
                    choice.clone(),
                    Os::Windows,
                    shells,
                )))
            };
            assert_eq!(first(&all), [GIT_BASH, "-c", "dir x"]);
            assert_eq!(
                first(&all[..2]),
                [
                    POWERSHELL,
                    "-NoProfile",
                    "-NonInteractive",
                    "-Command",
                    "dir x"
                ]
            );
            assert_eq!(first(&all[..1]), [CMD, "/c", "dir x"]);
        }
    }

    #[test]
    fn the_launcher_of_the_linux_subsystem_is_never_taken() {
        let store = r"C:\Users\x\AppData\Local\Microsoft\WindowsApps\bash.exe";
        let other = r"D:\tools\bash.exe";
        let shells = [
            (Dialect::Bash, LINUX_LAUNCHER),
            (Dialect::Bash, store),
            (Dialect::Cmd, CMD),
        ];
        let plan = choose(&request("dir", ShellChoice::Platform, Os::Windows, &shells));
        assert_eq!(argv(plan), [CMD, "/c", "dir"]);
        let shells = [(Dialect::Bash, LINUX_LAUNCHER), (Dialect::Bash, other)];
        let plan = choose(&request("dir", ShellChoice::Platform, Os::Windows, &shells));
        assert_eq!(argv(plan), [other, "-c", "dir"]);
    }

    #[test]
    fn windows_without_any_shell_starts_plain_commands_and_nothing_else() {
        let auto = |text| choose(&request(text, ShellChoice::Auto, Os::Windows, &[]));
        assert_eq!(argv(auto("git status")), ["git", "status"]);
        assert!(matches!(auto("a | b"), Err(Rejection::NoShell(_))));
    }

    #[test]
    fn a_named_interpreter_is_read_by_its_file_name() {
        let dialect = |program| named(program).map(|plan| plan.dialect);
        assert_eq!(dialect(GIT_BASH), Ok(Dialect::Bash));
        assert_eq!(dialect(POWERSHELL), Ok(Dialect::Powershell));
        assert_eq!(
            dialect(r"C:\Program Files\PowerShell\7\pwsh.exe"),
            Ok(Dialect::Powershell)
        );
        assert_eq!(dialect(CMD), Ok(Dialect::Cmd));
        assert_eq!(dialect("CMD.EXE"), Ok(Dialect::Cmd));
        assert_eq!(dialect("/opt/pwsh/bin/bash"), Ok(Dialect::Bash));
        assert_eq!(dialect("/usr/bin/dash"), Ok(Dialect::Bash));
        assert_eq!(argv(named("/usr/bin/bash")), ["/usr/bin/bash", "-c", "x y"]);
        assert_eq!(
            argv(named("pwsh-preview"))[1..4],
            ["-NoProfile", "-NonInteractive", "-Command"]
        );
    }

    #[test]
    fn zsh_is_refused_by_its_file_name_alone() {
        for program in [
            "/bin/zsh",
            "/usr/local/bin/zsh",
            "ZSH",
            "zsh-5.9",
            "/bin/rzsh",
            r"C:\x\zsh.exe",
        ] {
            assert_eq!(
                named(program),
                Err(Rejection::ShellRefused(program.to_owned())),
                "{program}"
            );
        }
        for program in ["/home/zshuser/bin/bash", r"C:\zsh\bash.exe", "/zsh/pwsh"] {
            assert!(named(program).is_ok(), "{program}");
        }
    }

    #[test]
    fn nothing_to_run_is_rejected() {
        for text in ["", "  ", "\n\t\r\n"] {
            let request = request(
                text,
                ShellChoice::Auto,
                Os::Linux,
                &[(Dialect::Bash, "/bin/bash")],
            );
            assert_eq!(choose(&request), Err(Rejection::EmptyCommand), "{text:?}");
        }
        let request = request("echo a\0b", ShellChoice::Platform, Os::Linux, &[]);
        assert_eq!(choose(&request), Err(Rejection::NulByte));
        assert!(matches!(named(" "), Err(Rejection::NoShell(_))));
    }
}
