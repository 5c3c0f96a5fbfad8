//! Questions about the state of a machine, a session, a service or a device that are answered by the code.

use crate::endings::row::When::{Flag, NoFlag, Sub};
use crate::endings::row::{Row, Tool, fail, ok, ok_bits};

/// What start scripts return for `status`, by the Linux Standard Base.
const DAEMON: &[Row] = &[
    ok(1, "dead", "It is not running, but its pid file exists"),
    ok(3, "stopped", "It is not running"),
    ok(4, "unknown", "Whether it is running cannot be told"),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["ischroot"],
        "ischroot",
        "it runs in a chroot",
        &[
            ok(1, "no", "It does not run in a chroot"),
            ok(2, "unknown", "Whether it runs in a chroot cannot be told"),
        ],
    ),
    Tool::query(
        &["aa-enabled"],
        "aa-enabled",
        "AppArmor is enabled",
        &[
            ok(1, "disabled", "AppArmor is not enabled"),
            ok(2, "shared", "AppArmor is enabled, but shared with others"),
            fail(64, "trouble", "it could not be found out"),
        ],
    ),
    Tool::query(
        &["mesg"],
        "mesg",
        "messages are allowed",
        &[ok(1, "no", "Messages are not allowed")],
    ),
    Tool::query(
        &["start-stop-daemon"],
        "start-stop-daemon",
        "it is running",
        DAEMON,
    )
    .when(&[Flag(&["--status", "-T"])]),
    Tool::query(
        &["start-stop-daemon"],
        "start-stop-daemon",
        "something would be done",
        &[ok(1, "nothing", "Nothing would be done")],
    )
    .when(&[Flag(&["--test", "-t"])]),
    Tool::query(
        &["klist"],
        "klist",
        "there is a valid ticket",
        &[ok(1, "none", "There is no valid ticket")],
    )
    .when(&[Flag(&["-s", "-t"])]),
    Tool::query(
        &["lsusb"],
        "lsusb",
        "there is such a device",
        &[ok(1, "none", "There is no such device")],
    )
    .when(&[Flag(&["-d", "-s", "-D"])]),
    Tool::query(
        &["step"],
        "step.needs-renewal",
        "the certificate needs to be renewed",
        &[
            ok(1, "no", "The certificate need not be renewed"),
            fail(2, "missing", "the certificate was not found"),
        ],
    )
    .when(&[Sub(&["certificate", "needs-renewal"])]),
    Tool::query(
        &["dnf", "yum", "dnf5"],
        "needs-restarting",
        "no restart is needed",
        &[ok(1, "needed", "A restart is needed")],
    )
    .when(&[
        Sub(&["needs-restarting"]),
        Flag(&["-r", "--reboothint", "-s", "--services"]),
    ]),
    Tool::query(
        &["minikube"],
        "minikube.status",
        "everything is running",
        &[ok_bits(
            (1, 7),
            "stopped",
            "Not everything is running",
            &[
                (1, "the machine is not running"),
                (2, "the cluster is not running"),
                (4, "Kubernetes is not running"),
            ],
        )],
    )
    .when(&[Sub(&["status"])]),
    Tool::query(
        &["mdadm"],
        "mdadm.state",
        "the array works",
        &[
            ok(1, "degraded", "The array has a failed device"),
            ok(
                2,
                "unusable",
                "The array has several failed devices and cannot be used",
            ),
            fail(4, "trouble", "the device could not be looked at"),
        ],
    )
    .when(&[Flag(&["--detail", "-D"]), Flag(&["--test", "-t"])]),
    Tool::query(
        &["mysqladmin", "mariadb-admin"],
        "mysql.ping",
        "the server answers",
        &[ok(1, "no", "The server does not answer")],
    )
    .when(&[Sub(&["ping"])]),
    Tool::query(
        &["gum"],
        "gum.confirm",
        "the answer was yes",
        &[
            ok(1, "no", "The answer was no"),
            fail(130, "cancelled", "the question was cancelled"),
        ],
    )
    .when(&[Sub(&["confirm"])]),
    Tool::query(
        &["getopt"],
        "getopt",
        "it is an old version",
        &[ok(4, "enhanced", "It is the enhanced version")],
    )
    .when(&[Flag(&["-T", "--test"])]),
    Tool::query(
        &["git"],
        "git.maintenance",
        "maintenance is needed",
        &[ok(1, "no", "No maintenance is needed")],
    )
    .when(&[Sub(&["maintenance", "is-needed"])]),
    Tool::query(
        &["exiftool"],
        "exiftool",
        "a file meets the condition",
        &[
            fail(1, "trouble", "a file could not be read"),
            ok(2, "none", "No file meets the condition"),
        ],
    )
    .when(&[Flag(&["-if"]), NoFlag(&["-ver"])]),
];
