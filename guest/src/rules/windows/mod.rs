//! PowerShell and cmd: their own deletes, disks, services, recovery points. Programs of every
//! system are judged elsewhere.

mod cmd;
mod cmdlets;
mod parameters;
mod powershell;
mod tools;

pub(super) use cmd::{cmd, for_each_file};
pub(super) use powershell::{methods, powershell};
pub(super) use tools::tools;

use super::catalogue::Rule;
use crate::model::Dialect::{Cmd, Powershell};
use crate::model::Severity::{Caution, Danger, Note};

const DELETE: &str = "win.delete";
const DISK: &str = "win.disk";
const SYSTEM: &str = "win.system";
const RECOVERY: &str = "win.recovery";

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("win.delete", Caution, "Recursive or open-ended delete (PowerShell, cmd)",
        "Remove-Item –Recurse –Force C:\\x", "Remove-Item x -Recurse -WhatIf")
        .written_in(Powershell),
    Rule::new("win.disk", Danger, "Disk erased", "Format-Volume -DriveLetter D", "Get-Volume")
        .written_in(Powershell),
    Rule::new("win.system", Danger, "Machine, service or account taken away",
        "Stop-Computer -Force", "shutdown /a").written_in(Powershell),
    Rule::new("win.recovery", Danger, "Backups, boot configuration or registry removed",
        "vssadmin delete shadows /all", "vssadmin list shadows").written_in(Cmd),
    Rule::new("win.delete-scoped", Note,
        "Recursive or forced delete in a scratch directory or of a cache", "rd /s /q node_modules",
        "rd node_modules").written_in(Cmd),
];
