//! Processes, services, sessions and the system's own databases.

use crate::endings::row::When::{Flag, LastOperand, StderrHas, Sub};
use crate::endings::row::{Row, Tool, fail, fail_in, ok, ok_in};

const INACTIVE: &[Row] = &[
    ok_in(1, 3, "inactive", "The unit is not active"),
    ok(4, "unknown", "There is no such unit, so it is not active"),
];

const SERVICE_STATUS: &[Row] = &[
    ok(
        1,
        "dead",
        "The service is not running, but its pid file exists",
    ),
    ok(
        2,
        "dead",
        "The service is not running, but its lock file exists",
    ),
    ok(3, "stopped", "The service is not running"),
    fail(4, "unknown", "the service or its status is unknown"),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["systemctl"],
        "systemctl.is-active",
        "the unit is active",
        INACTIVE,
    )
    .when(&[Sub(&["is-active"])]),
    Tool::query(
        &["systemctl"],
        "systemctl.is-failed",
        "the unit has failed",
        &[ok_in(1, 4, "no", "The unit has not failed")],
    )
    .when(&[Sub(&["is-failed"])]),
    Tool::query(
        &["systemctl"],
        "systemctl.is-enabled",
        "the unit is enabled",
        &[
            ok(1, "disabled", "The unit is not enabled"),
            ok(4, "unknown", "There is no such unit, so it is not enabled"),
        ],
    )
    .when(&[Sub(&["is-enabled"])]),
    Tool::query(
        &["systemctl"],
        "systemctl.is-system-running",
        "the system is running",
        &[ok_in(
            1,
            4,
            "degraded",
            "The system is not fully running, such as degraded or starting",
        )],
    )
    .when(&[Sub(&["is-system-running"])]),
    Tool::query(
        &["systemctl"],
        "systemctl.status",
        "the unit is active",
        &[
            ok(3, "inactive", "The unit is not active"),
            fail(4, "unknown", "there is no such unit"),
        ],
    )
    .when(&[Sub(&["status"])]),
    Tool::plain(
        &["systemctl"],
        "systemctl",
        &[
            fail(1, "failed", "the request failed"),
            fail(
                4,
                "permission",
                "no permission, or the unit's state is unknown",
            ),
            fail(5, "unknown", "there is no such unit"),
        ],
    ),
    Tool::query(
        &["service", "rc-service", "invoke-rc.d"],
        "service.status",
        "it is running",
        SERVICE_STATUS,
    )
    .when(&[LastOperand("status")]),
    Tool::query(
        &["pg_ctl"],
        "pg_ctl.status",
        "the server is running",
        &[
            ok(3, "stopped", "The server is not running"),
            fail(4, "directory", "the data directory cannot be used"),
        ],
    )
    .when(&[Sub(&["status"])]),
    Tool::query(
        &["supervisorctl"],
        "supervisorctl.status",
        "everything is running",
        &[
            ok(3, "stopped", "Some processes are not running"),
            fail(4, "unknown", "there is no such process"),
        ],
    )
    .when(&[Sub(&["status"])]),
    Tool::query(
        &["pgrep", "pidwait"],
        "pgrep",
        "a process matched",
        &[
            ok(1, "none", "No process matched"),
            fail(2, "usage", "wrong use"),
            fail(3, "fatal", "a fatal error, such as out of memory"),
        ],
    ),
    Tool::query(
        &["pkill"],
        "pkill",
        "a process was signalled",
        &[
            ok(1, "none", "No process matched"),
            fail(2, "usage", "wrong use"),
            fail(3, "fatal", "a fatal error, such as out of memory"),
        ],
    ),
    Tool::query(
        &["pidof"],
        "pidof",
        "such a program is running",
        &[ok(1, "none", "No such program is running")],
    ),
    Tool::query(
        &["fuser"],
        "fuser",
        "a process uses it",
        &[ok(1, "none", "No process uses it")],
    ),
    Tool::plain(
        &["killall"],
        "killall",
        &[fail(
            1,
            "none",
            "no process was found, or it could not be signalled",
        )],
    ),
    Tool::plain(
        &["ps"],
        "ps",
        &[fail(
            1,
            "none",
            "no process was selected, or an option is wrong",
        )],
    ),
    Tool::query(
        &["getent"],
        "getent",
        "there is such an entry",
        &[
            ok(2, "none", "There is no such entry"),
            fail(
                1,
                "usage",
                "an argument is missing, or the database is unknown",
            ),
            fail(3, "enumeration", "this database cannot be listed"),
        ],
    ),
    Tool::plain(
        &["id", "groups"],
        "id",
        &[fail(1, "none", "there is no such user")],
    )
    .when(&[StderrHas("no such user")]),
    Tool::plain(
        &["id", "groups"],
        "id",
        &[fail(1, "none", "there is no such user, or wrong use")],
    ),
    Tool::plain(
        &["crontab"],
        "crontab",
        &[fail(
            1,
            "none",
            "the user has no crontab, or it could not be read",
        )],
    ),
    Tool::query(
        &["tmux"],
        "tmux.has-session",
        "there is such a session",
        &[ok(1, "none", "There is no such session")],
    )
    .when(&[Sub(&["has-session"])]),
    Tool::query(
        &["tmux"],
        "tmux.has-session",
        "there is such a session",
        &[ok(1, "none", "There is no such session")],
    )
    .when(&[Sub(&["has"])]),
    Tool::query(
        &["systemd-detect-virt"],
        "systemd-detect-virt",
        "a virtual machine or container was detected",
        &[ok(1, "none", "No virtualization was detected")],
    ),
    Tool::query(
        &["journalctl"],
        "journalctl.grep",
        "an entry matched",
        &[ok(1, "no-match", "No matches found in the journal")],
    )
    .when(&[Flag(&["-g", "--grep"])]),
    Tool::query(
        &["selinuxenabled"],
        "selinuxenabled",
        "SELinux is enabled",
        &[ok(1, "no", "SELinux is not enabled")],
    ),
    Tool::query(
        &["on_ac_power"],
        "on_ac_power",
        "the machine is on mains power",
        &[
            ok(1, "battery", "The machine is not on mains power"),
            fail(255, "unknown", "nobody knows"),
        ],
    ),
    Tool::query(
        &["dialog", "whiptail", "zenity", "kdialog"],
        "dialog",
        "the answer is yes",
        &[
            ok(1, "no", "The answer is no, or the dialog was cancelled"),
            fail_in(254, 255, "trouble", "the dialog was closed or failed"),
        ],
    ),
    Tool::query(
        &["ipset"],
        "ipset.test",
        "the entry is in the set",
        &[ok(1, "no", "The entry is not in the set")],
    )
    .when(&[Sub(&["test"])]),
    Tool::query(
        &["iptables", "ip6tables"],
        "iptables.check",
        "there is such a rule",
        &[
            ok(1, "none", "There is no such rule"),
            fail(2, "usage", "wrong use"),
            fail(3, "version", "the kernel does not fit"),
            fail(
                4,
                "resource",
                "a resource problem, such as a lock or no permission",
            ),
        ],
    )
    .when(&[Flag(&["-C", "--check"])]),
    Tool::query(
        &["firewall-cmd"],
        "firewall-cmd.state",
        "the firewall is running",
        &[ok(252, "stopped", "The firewall is not running")],
    )
    .when(&[Flag(&["--state"])]),
    Tool::query(
        &["firewall-cmd"],
        "firewall-cmd.query",
        "the answer is yes",
        &[
            ok(1, "no", "The answer is no"),
            fail(252, "stopped", "the firewall is not running"),
        ],
    )
    .when(&[Flag(&[
        "--query-service",
        "--query-port",
        "--query-masquerade",
        "--query-rich-rule",
        "--query-interface",
        "--query-source",
        "--query-panic",
        "--query-forward",
    ])]),
    Tool::gate(
        &["systemd-analyze"],
        "systemd-analyze.verify",
        &[fail(1, "problems", "a unit file has problems")],
    )
    .when(&[Sub(&["verify"])]),
    Tool::gate(
        &["nginx"],
        "nginx.test",
        &[fail(1, "problems", "the configuration is not valid")],
    )
    .when(&[Flag(&["-t", "-T"])]),
    Tool::gate(
        &["apachectl", "apache2ctl", "httpd"],
        "apache.test",
        &[fail(1, "problems", "the configuration is not valid")],
    )
    .when(&[Sub(&["configtest"])]),
    Tool::gate(
        &["visudo"],
        "visudo",
        &[fail(1, "problems", "the file is not valid")],
    )
    .when(&[Flag(&["-c", "--check"])]),
    Tool::gate(
        &["sshd"],
        "sshd.test",
        &[fail(255, "problems", "the configuration is not valid")],
    )
    .when(&[Flag(&["-t", "-T"])]),
    Tool::plain(
        &["nmcli"],
        "nmcli",
        &[
            fail(2, "usage", "wrong use"),
            fail(3, "timeout", "the time limit was hit"),
            fail(4, "activation", "the connection could not be activated"),
            fail(8, "stopped", "NetworkManager is not running"),
            fail(
                10,
                "none",
                "there is no such connection, device or access point",
            ),
        ],
    ),
];
