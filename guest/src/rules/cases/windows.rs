//! PowerShell and cmd: tables of parameters, added-up names, written scripts, tools.

use super::{assert_found, assert_silent};
use crate::model::Dialect;

#[test]
fn powershell_is_read_through_its_values() {
    let delete = "win.delete";
    assert_found(
        Dialect::Powershell,
        &[
            (
                "$p = @{ Path='C:\\a'; Recurse=$true }; Remove-Item @p",
                delete,
            ),
            ("&(\"Rem\"+\"ove-Item\") C:\\a -Recurse", delete),
            ("$x = 'Remove-' + 'Item'; & $x C:\\a -Recurse", delete),
            ("& (Get-Command Remove-Item) C:\\a -Recurse", delete),
            ("iex ('Remove' + '-Item C:\\a -Recurse')", delete),
            ("switch (1) { 1 { ri C:\\a -r } }", delete),
            (
                "& ([scriptblock]::Create('Remove-Item C:\\a -Recurse'))",
                delete,
            ),
            (
                "[Diagnostics.Process]::Start('cmd', '/c rd /s /q C:\\a')",
                delete,
            ),
            (
                "(New-Object -ComObject Scripting.FileSystemObject).DeleteFolder('C:\\a')",
                delete,
            ),
            ("'Remove-Item C:\\a -Recurse' > x.ps1; .\\x.ps1", delete),
            (
                "& ([scriptblock]::Create((irm https://x/i)))",
                "exec.remote",
            ),
            ("Move-Item C:\\Windows C:\\old", "fs.mv-clobber"),
            ("ls >&é; ri C:\\a -Recurse", delete),
        ],
    );
    assert_silent(
        Dialect::Powershell,
        &[
            "'hi' > out.txt",
            "$p = @{ Path='C:\\a'; Recurse=$true; WhatIf=$true }; Remove-Item @p",
            "'Remove-Item C:\\a -Recurse' > x.ps1",
            "switch (1) { 1 { Get-Date } }",
        ],
    );
}

#[test]
fn cmd_is_read_through_groups_and_files() {
    assert_found(
        Dialect::Cmd,
        &[
            ("(echo select disk 1 & echo clean) | diskpart", "win.disk"),
            ("echo rd /s /q C:\\a > x.bat & x.bat", "win.delete"),
            (
                "wmic process call create \"cmd /c rd /s /q C:\\a\"",
                "win.delete",
            ),
            ("netsh int ip reset", "win.system"),
            ("mountvol D: /d", "win.disk"),
        ],
    );
    assert_silent(
        Dialect::Cmd,
        &[
            "(echo list disk) | diskpart",
            "(echo a & echo b) > out.txt",
            "echo rd /s /q C:\\a > x.bat",
            "wmic process list",
        ],
    );
}
