//! Programs that are neither killed nor started.

use super::{proceeds, refused, reviewed};
use crate::model::{Dialect, Verdict};

const BROWSERS: &str = r#"{"protected_programs": ["browsers"]}"#;

#[test]
fn a_browser_is_not_killed() {
    for command in [
        "pkill chrome",
        "pkill -9 chrom",
        "pkill -i CHROME",
        "pkill -f chrome",
        "pkill -f 'chrom[e]'",
        "pkill -f 'chrome --headless'",
        "pkill -f remote-debugging-port=9222",
        "pkill -f /opt/google/chrome",
        "pkill -x firefox",
        "pkill -u bob",
        "sudo pkill -KILL -f chromium",
        "p=chrome; pkill $p",
        "killall chrome",
        "killall -9 'Google Chrome'",
        "killall -r 'chrom.*'",
        "killall electron",
        "killall chromium-browser",
        "kill -9 -1",
        "kill $(pgrep chrome)",
        "kill -9 `pidof chrome`",
        "kill $(ps aux | grep '[c]hrome' | awk '{print $2}')",
        "kill $(pidof chrome firefox)",
        "p=$(pgrep -f chrome); kill $p",
        "for p in $(pgrep chrome); do kill $p; done",
        "pgrep chrome | xargs kill",
        "pidof chrome | xargs kill",
        "pgrep -f chrome | while read p; do kill $p; done",
        "ps aux | grep chrome | awk '{print $2}' | xargs -r kill -9",
        "ps aux | awk '/chrome/ {print $2}' | sudo xargs kill",
        "ps aux | grep -i chrome | grep -v grep | awk '{print $2}' | xargs kill -9",
        "osascript -e 'quit app \"Google Chrome\"'",
        "osascript -e 'tell application \"Safari\" to quit'",
        "flatpak kill org.mozilla.firefox",
        "bash -c 'pkill chrome'",
        "echo cGtpbGwgY2hyb21l | base64 -d | sh",
        "python3 -c 'import os; os.system(\"pkill chrome\")'",
        "cmd.exe /c 'taskkill /IM chrome.exe'",
        "powershell -c 'Stop-Process -Name chrome'",
        "taskkill.exe /F /IM chrome.exe",
        "true && ( pkill chrome & )",
    ] {
        refused(BROWSERS, command, "kills ");
        refused(BROWSERS, command, "protected_programs");
    }
}

#[test]
fn a_browser_is_not_started() {
    for command in [
        "google-chrome",
        "sudo google-chrome",
        "timeout 5 google-chrome --headless https://example.org",
        "DISPLAY=:0 chromium &",
        "\"google-chrome-stable\" x",
        "bash -c 'google-chrome'",
        "(firefox &)",
        "google-chrome;ls",
        "ls\nbrave-browser",
        "nohup /opt/google/chrome/chrome",
        "'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'",
        "open -a 'Google Chrome'",
        "open -na 'Google Chrome' --args --incognito",
        "open -b com.google.Chrome",
        "open '/Applications/Google Chrome.app'",
        "xdg-open https://example.org",
        "open https://example.org",
        "snap run chromium",
        "flatpak run com.google.Chrome",
        "gtk-launch google-chrome.desktop",
        "osascript -e 'tell application \"Google Chrome\" to activate'",
        "cmd.exe /c 'start chrome'",
        "setsid chromium",
        "xvfb-run google-chrome",
    ] {
        refused(BROWSERS, command, "starts ");
    }
}

#[test]
fn windows_spellings_are_known() {
    for (dialect, command) in [
        (Dialect::Powershell, "Stop-Process -Name chrome -Force"),
        (Dialect::Powershell, "stop-process -n:chrome"),
        (Dialect::Powershell, "spps -ProcessName chrome,notepad"),
        (Dialect::Powershell, "Stop-Process -Name chr*"),
        (Dialect::Powershell, "Get-Process chrome | Stop-Process"),
        (Dialect::Powershell, "gps chrome | kill"),
        (
            Dialect::Powershell,
            "ps | ? {$_.Name -like '*chrome*'} | kill -Force",
        ),
        (
            Dialect::Powershell,
            "Stop-Process -Id (Get-Process chrome).Id",
        ),
        (Dialect::Powershell, "(Get-Process chrome).Kill()"),
        (Dialect::Powershell, "Get-Process chrome | % { $_.Kill() }"),
        (
            Dialect::Powershell,
            "$p = Get-Process chrome; $p | Stop-Process",
        ),
        (Dialect::Powershell, "$p = Get-Process chrome; $p.Kill()"),
        (
            Dialect::Powershell,
            "foreach ($p in Get-Process chrome) { Stop-Process $p }",
        ),
        (
            Dialect::Powershell,
            "wmic process where \"name='chrome.exe'\" delete",
        ),
        (
            Dialect::Powershell,
            "Get-CimInstance Win32_Process -Filter \"Name='chrome.exe'\" | Invoke-CimMethod -MethodName Terminate",
        ),
        (Dialect::Powershell, "Start-Process chrome"),
        (Dialect::Powershell, "saps 'chrome.exe' https://example.org"),
        (Dialect::Powershell, "Start-Process https://example.org"),
        (
            Dialect::Powershell,
            "& 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'",
        ),
        (Dialect::Cmd, "taskkill /F /IM chrome.exe"),
        (Dialect::Cmd, "taskkill /im chr* /t"),
        (Dialect::Cmd, "taskkill /fi \"IMAGENAME eq chrome.exe\""),
        (
            Dialect::Cmd,
            "wmic process where name=\"chrome.exe\" call terminate",
        ),
        (Dialect::Cmd, "start \"\" chrome https://example.org"),
        (Dialect::Cmd, "start msedge"),
    ] {
        let verdict = reviewed(BROWSERS, dialect, command).verdict;
        assert!(
            matches!(verdict, Verdict::Refuse(_)),
            "{command}: {verdict:?}"
        );
    }
    for (dialect, command) in [
        (Dialect::Cmd, "taskkill /PID 1 & echo chrome"),
        (Dialect::Powershell, "Stop-Process -Id 1; Write-Host chrome"),
        (Dialect::Powershell, "Stop-Process -Name notepad"),
        (Dialect::Powershell, "Get-Process chrome"),
        (
            Dialect::Powershell,
            "Get-Process chrome | Select-Object Id; Stop-Process -Id 5",
        ),
        (Dialect::Powershell, "Get-Process notepad | Stop-Process"),
        (Dialect::Powershell, "Start-Process notepad chrome.txt"),
        (Dialect::Cmd, "tasklist | findstr chrome"),
        (Dialect::Cmd, "echo start chrome"),
    ] {
        let verdict = reviewed(BROWSERS, dialect, command).verdict;
        assert_eq!(verdict, Verdict::Proceed, "{command}");
    }
}

#[test]
fn what_only_speaks_of_a_browser_runs() {
    for command in [
        "echo start chrome",
        "npm start chrome",
        "docker start my-chrome",
        "systemctl start chrome-remote",
        "./start-chrome.sh",
        "curl https://start.chrome.com",
        "git commit -m 'start chrome support'",
        "echo 'pkill chrome'",
        "grep -r 'pkill chrome' .",
        "cat > x.sh <<'EOF'\npkill chrome\nEOF",
        "google-chrome --version",
        "firefox --help",
        "which google-chrome",
        "killall electron-builder",
        "pkill -f electron-vite",
        "pkill -f 'node server.js'",
        "pkill -f chrome-devtools-mcp",
        "pkill -0 chrome",
        "pkill node",
        "kill 1234",
        "kill $PID",
        "kill $(cat server.pid)",
        "kill $(pgrep node)",
        "pgrep node | xargs kill",
        "pgrep chrome",
        "ps aux | grep chrome",
        "ps aux | grep chrome; kill 1234",
        "grep -c chrome f || killall sleep",
        "grep chrome log | kill",
        "ps aux | grep -v chrome | grep node | awk '{print $2}' | xargs kill",
        "npx playwright install chromium",
        "apt-get install -y chromium",
        "ls /opt/google/chrome",
        "python3 chrome.py",
        "open report.pdf",
        "xdg-open .",
        "snap list chromium",
        "lsof -ti:3000 | xargs kill",
        "cd chrome && make",
    ] {
        proceeds(BROWSERS, command);
    }
}

#[test]
fn any_program_can_be_protected() {
    let settings = r#"{"protected_programs": ["postgres", "my-agent.exe"]}"#;
    for command in [
        "pkill postgres",
        "pkill post",
        "killall -9 postgres",
        "kill $(pgrep postgres)",
        "sudo systemctl stop postgres",
        "postgres -D data",
        "pkill -f my-agent",
        "kill $(pidof my-agent)",
    ] {
        refused(settings, command, "left to their owner");
    }
    for command in [
        "pkill chrome",
        "postgres --version",
        "psql -l",
        "pkill -f postgres-exporter",
    ] {
        proceeds(settings, command);
    }
    proceeds("{}", "pkill chrome");
}

#[test]
fn a_text_made_of_kills_and_searches_is_answered() {
    for unit in [
        "kill $x; ",
        "kill $(ps); ",
        "kill $(cat f) | ",
        "ps aux | grep node | xargs kill; ",
        "pkill -f 'a*a*a*zz'; ",
    ] {
        let text = unit.repeat(24 * 1024 / unit.len());
        proceeds(BROWSERS, &format!("{text} true"));
        refused(
            BROWSERS,
            &format!("pkill chrome; {text} true"),
            "kills chrome",
        );
    }
}
