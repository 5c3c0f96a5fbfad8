//! Services stopped, disabled or removed, whatever runs them.

use crate::model::Severity::{Caution, Danger};
use crate::rules::deeds::{self, Deed};
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};

const SERVICE: &str = "sys.service";
const POWER: &str = "sys.power";

const fn stops(programs: &'static str, path: &'static str) -> Deed {
    Deed::new(
        programs,
        path,
        Caution,
        SERVICE,
        "stops or disables a service",
    )
}

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    stops("systemctl", "stop|disable|mask|kill"),
    Deed::new("systemctl", "poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|exit", Danger,
        POWER, "stops or restarts the machine"),
    Deed::new("systemctl", "isolate", Danger, POWER,
        "stops everything that the target does not need"),
    Deed::new("systemctl",
        "start rescue.target|emergency.target|poweroff.target|reboot.target|halt.target", Danger,
        POWER, "stops or restarts the machine"),
    Deed::new("loginctl", "poweroff|reboot|halt", Danger, POWER, "stops or restarts the machine"),
    Deed::new("ipmitool", "^power off|cycle|reset|soft", Danger, POWER,
        "stops or restarts the machine"),
    Deed::new("rtcwake", "", Danger, POWER, "stops the machine").with("-m=off --mode=off"),
    Deed::new("gnome-session-quit", "", Danger, POWER, "stops or restarts the machine")
        .with("--power-off --reboot"),
    Deed::new("loginctl", "terminate-user|terminate-session|kill-user|kill-session|terminate-seat",
        Caution, "sys.kill", "kills every process of a user or session"),
    stops("service|rc-service|invoke-rc.d", "* stop"),
    stops("rc-update", "del|delete"),
    stops("update-rc.d", "* remove|disable"),
    stops("chkconfig", "* off"),
    stops("chkconfig", "").with("--del"),
    stops("initctl", "stop"),
    stops("supervisorctl", "stop|shutdown|remove"),
    stops("launchctl", "bootout|unload|remove|disable|kill|stop"),
    stops("nginx", "").with("-s=stop -s=quit"),
    stops("apachectl|apache2ctl|httpd", "^stop|graceful-stop"),
    stops("apachectl|apache2ctl|httpd", "").with("-k=stop -k=graceful-stop"),
    stops("pm2", "delete|del|stop|kill"),
    stops("brew", "services stop|kill"),
    stops("sv", "down|stop|exit|force-stop|d|x"),
    stops("s6-svc|svc", "").with("-d -x -k"),
    stops("monit", "stop|unmonitor|quit"),
    stops("caddy", "stop"),
    stops("snap", "stop|disable"),
    stops("forever", "stop|stopall"),
    stops("svcadm", "disable"),
    stops("insserv", "").with("-r --remove"),
    stops("mongod", "").with("--shutdown"),
    stops("uwsgi", "").with("--stop"),
    stops("pcs", "cluster|resource stop|destroy|disable|delete"),
    stops("crm", "resource|node stop|standby|delete"),
    stops("kafka-server-stop|kafka-server-stop.sh|zookeeper-server-stop|zookeeper-server-stop.sh",
        ""),
    stops("catalina.sh", "stop"),
    stops("tmux", "kill-server"),
    stops("nodetool", "drain|stopdaemon|decommission"),
];

/// Service managers.
pub(in crate::rules) fn services(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: match call.name {
            "nginx" => "scpg",
            "apachectl" | "apache2ctl" | "httpd" => "kfdD",
            "systemctl" => "HMtps",
            "ipmitool" => "HUPIf",
            "rtcwake" => "mst",
            _ => "c",
        },
        long_values: "host machine type property signal state root kill-who kill-whom level \
            configuration mode",
        ..Grammar::PLAIN
    };
    deeds::apply(call, DEEDS, &grammar, "--dry-run -n", report);
}

/// `/etc/init.d/x stop`.
pub(in crate::rules) fn init_script(call: &Call<'_>, report: &mut Report) {
    let path = call.invocation().program_word.shown();
    let script = path.starts_with("/etc/init.d/") || path.starts_with("/etc/rc.d/");
    let options = Options::parse(&Grammar::PLAIN, call.args);
    if script && options.operand(0).as_deref() == Some("stop") {
        report.add(SERVICE, Caution, "stops a service", call.span());
    }
}
