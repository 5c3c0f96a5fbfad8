//! What texts of PowerShell and `cmd.exe` are found to reach.

use super::super::tests::shown;
use super::super::unfold_as;
use crate::model::Dialect;

#[test]
fn powershell_is_unfolded() {
    let reached = |text: &str| shown(&unfold_as(Dialect::Powershell, text));
    assert_eq!(
        reached("Remove-Item –Recurse C:\\x"),
        ["Remove-Item –Recurse C:\\x"]
    );
    assert_eq!(reached("Re`move-Item x"), ["Remove-Item x"]);
    for text in [
        "& Remove-Item x",
        "& 'Remove-Item' x",
        "$c = 'Remove-Item'; & $c x",
        "if (Test-Path x) { Remove-Item x }",
        "foreach ($i in 1..3) { Remove-Item x }",
        "Start-Job { Remove-Item x }",
        "Invoke-Command -ScriptBlock { Remove-Item x }",
        "Invoke-Expression 'Remove-Item x'",
        "'Remove-Item x' | iex",
        "powershell -NoProfile -Command \"Remove-Item x\"",
        "pwsh -c 'Remove-Item x'",
        "try { a } finally { Remove-Item x }",
        "function f { Remove-Item x }; f",
        "Set-Alias z Remove-Item; z x",
        "$sb = { Remove-Item x }; & $sb",
        "echo (Remove-Item x)",
        "a; Remove-Item x; b",
        "a && Remove-Item x",
        "@(Remove-Item x)",
        "$y = Remove-Item x",
        "Start-Process powershell -ArgumentList '-Command Remove-Item x'",
        "Start-Process powershell -Verb RunAs -ArgumentList '-NoProfile','-Command','Remove-Item x'",
        "return Remove-Item x",
        "\"a $(Remove-Item x) b\"",
        "powershell -EncodedCommand UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAeAA=",
    ] {
        let reached = reached(text);
        assert!(
            reached.iter().any(|line| line == "Remove-Item x"),
            "{text}: {reached:?}"
        );
    }
    for text in [
        "# Remove-Item x",
        "<# Remove-Item x #> Get-Date",
        "$x = 'Remove-Item x'",
        "$sb = { Remove-Item x }",
        "function f { Remove-Item x }",
        "Write-Output \u{201c}Remove-Item x\u{201d}",
        "'Remove-Item x' | Out-File y",
    ] {
        let reached = reached(text);
        assert!(
            !reached.iter().any(|line| line.starts_with("Remove-Item")),
            "{text}: {reached:?}"
        );
    }
    assert_eq!(
        reached("bash -c 'rm x'").last().map(String::as_str),
        Some("rm x")
    );
}

#[test]
fn cmd_is_unfolded() {
    let reached = |text: &str| shown(&unfold_as(Dialect::Cmd, text));
    assert_eq!(
        reached("cd .. && rd /s /q src & dir"),
        ["cd ..", "rd /s /q src", "dir"]
    );
    for text in [
        "r^d /s /q src",
        "rd/s/q src",
        "cmd /c \"rd /s /q src\"",
        "cmd.exe /d /c rd /s /q src",
        "if exist src rd /s /q src",
        "if not \"%a%\"==\"b\" (rd /s /q src) else dir",
        "if a==b (dir) else (rd /s /q src)",
        "for %i in (a b) do rd /s /q src",
        "for /d %%i in (*) do @rd /s /q src",
        "echo rd /s /q src | cmd",
        "set c=rd& call %c% /s /q src",
        "(dir & rd /s /q src)",
        "call rd /s /q src",
        "set x=rd /s /q & call %x% src",
        "> log rd /s /q src",
        "start \"\" /wait rd /s /q src",
        "forfiles /c \"rd /s /q src\"",
        "dir\nrd /s /q src",
        "powershell -c \"cmd /c rd /s /q src\"",
    ] {
        let reached = reached(text);
        assert!(
            reached.iter().any(|line| line == "rd /s /q src"),
            "{text}: {reached:?}"
        );
    }
    for text in [
        "echo rd /s /q src",
        ":: rd /s /q src",
        "rem rd /s /q src",
        "set CMD=rd /s /q src",
    ] {
        let reached = reached(text);
        assert!(
            !reached.iter().any(|line| line.starts_with("rd")),
            "{text}: {reached:?}"
        );
    }
    assert_eq!(
        reached("bash -c \"rm x\"").last().map(String::as_str),
        Some("rm x")
    );
}

#[test]
fn redirections_without_a_program_are_kept() {
    for (dialect, text) in [
        (Dialect::Powershell, "$null > x.txt"),
        (Dialect::Cmd, "> x.txt"),
    ] {
        let redirects = unfold_as(dialect, text).bare_redirects;
        let targets = redirects.iter().map(|redirect| redirect.target.shown());
        assert_eq!(targets.collect::<Vec<_>>(), ["x.txt"], "{text}");
    }
}
