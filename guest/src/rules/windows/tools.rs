//! Programs of Windows that both shells start: `format`, `diskpart`, `vssadmin`, `reg`, `sc`,
//! `taskkill`, `robocopy`.

use super::parameters::{explains, slashed};
use super::{DELETE, DISK, RECOVERY, SYSTEM};
use crate::model::Severity::{self, Caution, Danger};
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::Word;

/// One losing use of a tool: its first words, a switch that must be there, what it means.
struct Use {
    program: &'static str,
    /// Leading words, blanks between, `|` between spellings, `*` for any.
    words: &'static str,
    /// Switches without their slash, `|` between spellings; one must be there. A colon at the end
    /// allows a value.
    switches: &'static str,
    rule: &'static str,
    severity: Severity,
    message: &'static str,
}

const fn row(
    program: &'static str,
    words: &'static str,
    switches: &'static str,
    rule: &'static str,
    severity: Severity,
    message: &'static str,
) -> Use {
    Use {
        program,
        words,
        switches,
        rule,
        severity,
        message,
    }
}

#[rustfmt::skip]
const USES: &[Use] = &[
    row("bcdedit", "", "delete|deletevalue", RECOVERY, Danger, "deletes boot configuration"),
    row("bcdedit", "", "set", RECOVERY, Caution, "changes boot configuration"),
    row("bootrec", "", "fixmbr|fixboot|rebuildbcd", RECOVERY, Danger, "rewrites the boot record"),
    row("cipher", "", "w:", DISK, Danger, "overwrites deleted data so that nothing recovers it"),
    row("diskpart", "", "s", DISK, Danger, "changes the partition table from a script"),
    row("diskshadow", "", "", RECOVERY, Danger, "changes shadow copies"),
    row("dism", "", "disable-feature|remove-package|cleanup-image", SYSTEM, Caution,
        "removes a part of Windows"),
    row("format", "*", "", DISK, Danger, "formats the drive: everything on it is lost"),
    row("fsutil", "file setzerodata", "", DISK, Danger, "overwrites the file with zeros"),
    row("fsutil", "usn deletejournal", "", RECOVERY, Danger, "deletes the change journal"),
    row("fsutil", "volume dismount", "", DISK, Danger, "takes the volume away"),
    row("fsutil", "reparsepoint delete", "", DELETE, Caution, "deletes the reparse point"),
    row("icacls", "*", "reset", SYSTEM, Danger, "resets the permissions; the old ones are lost"),
    row("icacls", "*", "t", SYSTEM, Danger,
        "changes the permissions of a whole tree; the old ones are lost"),
    row("cacls", "*", "t", SYSTEM, Danger,
        "changes the permissions of a whole tree; the old ones are lost"),
    row("takeown", "", "r", SYSTEM, Danger,
        "changes the owner of a whole tree; who owned what is lost"),
    row("logoff", "", "", SYSTEM, Caution, "ends the session"),
    row("manage-bde", "", "off|wipefreespace|forcerecovery", DISK, Danger,
        "changes the encryption of the volume"),
    row("net|net1", "stop", "", SYSTEM, Caution, "stops the service"),
    row("net|net1", "user|localgroup|group|share|computer", "delete|del", SYSTEM, Danger,
        "deletes the account, group or share"),
    row("net|net1", "user", "active:no", SYSTEM, Danger, "disables the account"),
    row("netsh", "advfirewall set * state off", "", SYSTEM, Danger, "switches the firewall off"),
    row("netsh", "advfirewall reset", "", SYSTEM, Danger, "resets the firewall's rules"),
    row("netsh", "interface set interface", "", SYSTEM, Caution, "changes a network interface"),
    row("netsh", "winsock|int|interface reset", "", SYSTEM, Danger,
        "resets the network configuration"),
    row("netsh", "wlan delete", "", SYSTEM, Caution, "deletes the network profile"),
    row("netsh", "int|interface ip|ipv4|ipv6|tcp|all reset", "", SYSTEM, Danger,
        "resets the network configuration"),
    row("mountvol", "*", "d|p", DISK, Caution, "takes the volume away"),
    row("powercfg", "", "restoredefaultschemes", SYSTEM, Caution, "deletes the power schemes"),
    row("reg", "delete", "", RECOVERY, Danger, "deletes the registry key"),
    row("reg", "restore|unload", "", RECOVERY, Danger, "overwrites the registry key"),
    row("regedit", "", "d", RECOVERY, Danger, "deletes the registry key"),
    row("robocopy", "", "mir|purge", DELETE, Caution,
        "deletes what the destination has and the source lacks"),
    row("robocopy", "", "mov|move", DELETE, Caution, "deletes the source files after the copy"),
    row("sc", "delete|stop|pause", "", SYSTEM, Caution, "stops or deletes the service"),
    row("sc", "config * start= disabled", "", SYSTEM, Caution, "disables the service"),
    row("sc", "config * start=disabled", "", SYSTEM, Caution, "disables the service"),
    row("sdelete|sdelete64", "*", "", DELETE, Danger,
        "overwrites the file so that nothing recovers it"),
    row("schtasks", "", "delete", SYSTEM, Caution, "deletes scheduled tasks"),
    row("schtasks", "", "end", SYSTEM, Caution, "ends a scheduled task"),
    row("schtasks", "", "disable", SYSTEM, Caution, "disables a scheduled task"),
    row("shutdown", "", "s|r|p|h|g|hybrid|l|sg|o", SYSTEM, Danger, "stops or restarts the machine"),
    row("taskkill", "", "im|im:|fi", SYSTEM, Caution, "kills every process with the name"),
    row("tskill", "*", "", SYSTEM, Caution, "kills every process with the name"),
    row("vssadmin", "delete", "", RECOVERY, Danger, "deletes the shadow copies"),
    row("vssadmin", "resize", "", RECOVERY, Danger,
        "shrinks the room for shadow copies, which deletes them"),
    row("wbadmin", "delete|stop|disable", "", RECOVERY, Danger, "deletes or stops backups"),
    row("wevtutil", "cl|clear-log|um", "", RECOVERY, Danger, "deletes the event log"),
    row("wmic", "shadowcopy delete", "", RECOVERY, Danger, "deletes the shadow copies"),
    row("wsl", "", "unregister|-unregister", DISK, Danger,
        "deletes the Linux distribution with its files"),
    row("wsl", "", "shutdown|-shutdown|terminate|-terminate", SYSTEM, Caution,
        "stops the Linux distributions"),
    row("rundll32", "user32.dll,lockworkstation", "", SYSTEM, Caution, "locks the machine"),
    row("iisreset", "", "stop", SYSTEM, Caution, "stops the web server"),
    row("dsrm", "*", "", SYSTEM, Danger, "deletes directory objects"),
];

/// A program of Windows; tells whether the name was one.
pub(in crate::rules) fn tools(call: &Call<'_>, report: &mut Report) -> bool {
    let name = call.name.strip_suffix(".com").unwrap_or(call.name);
    let (switches, operands) = slashed(call.args);
    let words: Vec<String> = operands
        .iter()
        .map(|word: &&Word| word.shown().to_lowercase())
        .collect();
    let mut known = false;
    for row in USES
        .iter()
        .filter(|row| row.program.split('|').any(|program| program == name))
    {
        known = true;
        if spares(name, &switches, &words) {
            return true;
        }
        if begins(row.words, &words) && given(row.switches, &switches) {
            report.add(row.rule, row.severity, row.message, call.span());
            return true;
        }
    }
    if name == "diskpart" && stdin::text(call).is_some_and(|text| changes_disks(&text)) {
        let message = "changes the partition table by what it reads";
        report.add(DISK, Danger, message, call.span());
        return true;
    }
    if name == "wmic" {
        wmic(&words, call, report);
        return true;
    }
    known
}

/// Whether an order of `diskpart` loses something.
fn changes_disks(orders: &str) -> bool {
    const LOSING: &[&str] = &["clean", "format", "delete", "convert", "shrink", "recover"];
    orders.split(['\n', '\r']).any(|line| {
        let order = line.split_whitespace().next().unwrap_or_default();
        LOSING
            .iter()
            .any(|losing| order.eq_ignore_ascii_case(losing))
    })
}

/// Help, lists without effect, and `shutdown /a`.
fn spares(name: &str, switches: &[String], words: &[String]) -> bool {
    let lists_only = name == "robocopy" && switches.iter().any(|switch| switch == "l");
    let aborts = name == "shutdown" && switches.iter().any(|switch| switch == "a");
    explains(switches)
        || lists_only
        || aborts
        || words.iter().any(|word| word == "help") && words.len() < 3
}

fn begins(wanted: &str, words: &[String]) -> bool {
    let mut words = words.iter();
    wanted
        .split(' ')
        .filter(|part| !part.is_empty())
        .all(|part| {
            words
                .next()
                .is_some_and(|word| part == "*" || part.split('|').any(|name| name == word))
        })
}

fn given(wanted: &str, switches: &[String]) -> bool {
    wanted.is_empty()
        || wanted.split('|').any(|wanted| {
            switches
                .iter()
                .any(|switch| match wanted.strip_suffix(':') {
                    Some(name) => switch
                        .strip_prefix(name)
                        .is_some_and(|value| value.starts_with(':')),
                    None => switch == wanted,
                })
        })
}

/// `wmic … delete`, `wmic … call terminate`.
fn wmic(words: &[String], call: &Call<'_>, report: &mut Report) {
    let calls = words.iter().any(|word| {
        matches!(
            word.as_str(),
            "terminate" | "shutdown" | "reboot" | "uninstall"
        )
    });
    if calls || words.iter().any(|word| word == "delete") {
        report.add(SYSTEM, Danger, "deletes or ends what it finds", call.span());
    }
}
