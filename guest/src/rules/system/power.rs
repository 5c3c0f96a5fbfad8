//! Shutting down, rebooting, changing the run level.

use crate::model::Severity::Danger;
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};
use crate::syntax::Word;

/// Methods of the login manager that stop the machine.
const BUS_METHODS: &[&str] = &[
    "PowerOff",
    "Reboot",
    "Halt",
    "Hibernate",
    "Suspend",
    "KExec",
];

/// `dbus-send … org.freedesktop.login1.Manager.PowerOff`, `busctl call … Reboot`.
pub(in crate::rules) fn message_bus(call: &Call<'_>, report: &mut Report) {
    let stops = call.args.iter().filter_map(Word::literal).any(|text| {
        let method = text.rsplit('.').next().unwrap_or_default();
        BUS_METHODS.contains(&method)
    });
    if stops {
        report.add(
            "sys.power",
            Danger,
            "stops or restarts the machine",
            call.span(),
        );
    }
}

/// `shutdown`, `reboot`, `init 0`, `kexec -e`.
pub(in crate::rules) fn power(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(
        &Grammar {
            one_dash: false,
            ..Grammar::PLAIN
        },
        call.args,
    );
    if options.asks_for_help() {
        return;
    }
    let stops = match call.name {
        "shutdown" => !options.any_of("-c -k --show -a") && !call.args.is_empty(),
        "reboot" | "poweroff" | "halt" => !options.any_of("-w --wtmp-only -d"),
        "init" | "telinit" => options
            .operand(0)
            .is_some_and(|level| matches!(level.as_str(), "0" | "1" | "6" | "s" | "S" | "single")),
        "kexec" => options.any_of("-e --exec"),
        _ => false,
    };
    if stops {
        report.add(
            "sys.power",
            Danger,
            "stops or restarts the machine",
            call.span(),
        );
    }
}
