//! The running system: power, services, processes, network, accounts, schedules, resources.

mod accounts;
mod network;
mod power;
mod processes;
mod resources;
mod services;

pub(super) use accounts::{accounts, crontab, jobs};
pub(super) use network::{firewall, network};
pub(super) use power::{message_bus, power};
pub(super) use processes::{by_name, fuser, kill};
pub(super) use resources::endless;
pub(super) use services::{init_script, services};

use super::catalogue::Rule;
use crate::model::Severity::{Caution, Danger};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("sys.power", Danger, "Machine stopped", "shutdown -h now", "shutdown -c"),
    Rule::new("sys.service", Caution, "Service stopped or disabled", "systemctl disable --now sshd",
        "systemctl restart sshd"),
    Rule::new("sys.kill", Caution, "Processes killed broadly", "kill -9 -1", "kill -9 1234"),
    Rule::new("sys.network", Danger, "Network cut or firewall opened", "iptables -F",
        "iptables -L"),
    Rule::new("sys.user", Danger, "Account removed", "userdel -r bob", "usermod -aG docker bob"),
    Rule::new("sys.cron", Caution, "Scheduled jobs lost", "crontab -r", "crontab -l"),
    Rule::new("sys.resource", Danger, "Fork bomb or exhaustion", ":(){ :|:& };:",
        "f() { a | b; }; f"),
];
