//! What the machine offers.

use std::io::Write as _;
use std::path::PathBuf;
use std::thread;

use nix::sys::resource::{Resource, getrlimit};
use nix::sys::statvfs::statvfs;
use ostler_terminal::discover_shells;
use ostler_terminal::process::capabilities;
use tokio::sync::oneshot;

use super::commands::REPORT;
use super::{Bench, Finding, either};

/// Descriptors below which many commands at once run out of them: each takes four.
const FEW_FILES: u64 = 1024;
/// Bytes of disk below which long output is soon dropped.
const LITTLE_DISK: u64 = 256 << 20;

/// What trees are owned with.
pub async fn kernel(_: &Bench<'_>) -> Finding {
    let found = capabilities();
    let needed = [
        ("pidfd_open", found.pidfd.err()),
        ("close_range", found.close_range.err()),
    ];
    for (call, error) in needed {
        if let Some(error) = error {
            let seen = format!("Linux {}: {call}: {}", found.kernel, error.desc());
            return Finding::broken(
                seen,
                "use Linux 5.10 or later, and a sandbox that lets this call through",
            );
        }
    }
    if !found.proc_is_ours {
        return Finding::broken(
            "/proc does not show this process",
            "mount /proc of this PID namespace",
        );
    }
    Finding::ok(format!(
        "Linux {}; each command is owned by a child subreaper; pidfd, close_range, /proc",
        found.kernel
    ))
}

/// Whether groups could be killed at once.
pub async fn cgroup() -> Finding {
    match capabilities().cgroup {
        Ok(group) => Finding::ok(format!(
            "cgroup.kill could be used at {}; trees are ended by their keepers, which need none",
            group.display()
        )),
        Err(reason) => Finding::ok(format!("not used, and not there: {reason}")),
    }
}

/// How many descriptors and processes there may be.
pub async fn limits(bench: &Bench<'_>) -> Finding {
    // The terminal raises its own limit as far as it goes; commands keep the one that it was started with. A check for
    // commands says why none runs.
    let given = bench.output("ulimit -Sn").await;
    let given = given.map_or_else(|_| "unknown".into(), |text| text.trim().to_owned());
    let limit = |resource| {
        getrlimit(resource).map_err(|error| Finding::broken(error.desc(), "see getrlimit(2)"))
    };
    either((|| {
        let (files, _) = limit(Resource::RLIMIT_NOFILE)?;
        let (processes, _) = limit(Resource::RLIMIT_NPROC)?;
        let count = |limit: u64| match limit {
            nix::libc::RLIM_INFINITY => "any number of".to_owned(),
            limit => limit.to_string(),
        };
        let seen = format!(
            "{} descriptors ({given} for a command), {} processes",
            count(files),
            count(processes)
        );
        if files < FEW_FILES {
            let advice = "raise the hard limit (LimitNOFILE= of a service, --ulimit nofile= of a container, \
                          /etc/security/limits.conf): each running command takes four";
            return Err(Finding::degraded(seen, advice));
        }
        Ok(Finding::ok(seen))
    })())
}

/// Which shells a policy can choose from.
pub async fn shells() -> Finding {
    let shells: Vec<_> = discover_shells()
        .iter()
        .map(|it| it.program.clone())
        .collect();
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|it| !it.is_empty()));
    let locale = locale.unwrap_or_else(|| "none, so commands get LC_CTYPE=C.UTF-8".into());
    if shells.is_empty() {
        let advice = "install bash: pipes, globs and && need a shell";
        return Finding::broken("no bash was found", advice);
    }
    Finding::ok(format!("{}; locale {locale}", shells.join(", ")))
}

/// Whether long output can be kept on disk.
pub async fn spilling(bench: &Bench<'_>) -> Finding {
    let settings = bench.config.settings();
    let Some(folder) = settings.spill_folder.filter(|_| settings.spill_bytes > 0) else {
        return Finding::degraded(
            "switched off",
            "set output.spill_folder to keep more of long output than fits in memory",
        );
    };
    // A dead network disk holds whoever touches it.
    let (tell, told) = oneshot::channel();
    let asked = thread::Builder::new().spawn(move || {
        // Nobody listens any more when patience is over.
        let _ = tell.send(folder_takes_output(folder));
    });
    if let Err(error) = asked {
        return Finding::broken(error.to_string(), "end some processes, and try again");
    }
    match told.await {
        Ok(finding) => finding,
        Err(_) => Finding::broken("the try broke off", REPORT),
    }
}

fn folder_takes_output(folder: PathBuf) -> Finding {
    let advice = "set output.spill_folder to a folder that can be written; until then long output is cut, with a count";
    let seen = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let written = tempfile::tempfile_in(&folder).and_then(|mut file| file.write_all(&[0; 4096]));
    if let Err(error) = written {
        return Finding::broken(seen(&error), advice);
    }
    match statvfs(&folder) {
        Ok(disk) => {
            let free = disk.blocks_available() * disk.fragment_size();
            let text = seen(&format!("{} MiB free", free >> 20));
            if free < LITTLE_DISK {
                Finding::degraded(
                    text,
                    "make room there, or set output.spill_folder to another disk",
                )
            } else {
                Finding::ok(text)
            }
        }
        Err(error) => Finding::degraded(seen(&error.desc()), advice),
    }
}
