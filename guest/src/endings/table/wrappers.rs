//! Codes that belong to the tools which start other commands, not to what they start.

use crate::endings::row::When::{Flag, StderrHas, Sub};
use crate::endings::row::{Row, Tool, fail, fail_in, killed};

const OWN: &[Row] = &[fail(
    125,
    "own",
    "it failed itself, before the command was started",
)];

const CONTAINER: &[Row] = &[fail(125, "own", "the container engine itself failed")];

pub(super) const TOOLS: &[Tool] = &[
    Tool::plain(
        &["timeout", "gtimeout"],
        "timeout",
        &[killed(
            137,
            "killed",
            "killed by signal 9 (SIGKILL), most likely because the time limit was hit",
        )],
    )
    .when(&[Flag(&["-k", "--kill-after", "-s", "--signal"])]),
    Tool::plain(
        &["timeout", "gtimeout"],
        "timeout",
        &[
            fail(124, "expired", "timed out, as the time limit was hit"),
            fail(
                125,
                "own",
                "timeout itself failed, before the command was started",
            ),
        ],
    ),
    Tool::plain(
        &[
            "env", "genv", "nice", "nohup", "stdbuf", "gstdbuf", "chroot", "runcon", "chrt",
        ],
        "wrapper",
        OWN,
    ),
    Tool::plain(
        &["xargs", "gxargs"],
        "xargs",
        &[
            fail(1, "own", "xargs itself failed"),
            fail(
                123,
                "child",
                "at least one call returned a code from 1 to 125",
            ),
            fail(124, "stopped", "a call returned 255, which stopped it"),
            killed(125, "killed", "A call was killed by a signal"),
        ],
    ),
    Tool::plain(
        &["parallel"],
        "parallel",
        &[
            fail_in(1, 100, "jobs", "so many of the jobs failed"),
            fail(101, "many", "more than 100 jobs failed"),
            fail(255, "own", "parallel itself failed"),
        ],
    ),
    Tool::plain(
        &["flock"],
        "flock",
        &[fail(1, "held", "the lock is held by somebody")],
    )
    .when(&[Flag(&[
        "-n",
        "--nb",
        "--nonblock",
        "-w",
        "--wait",
        "--timeout",
    ])]),
    Tool::plain(
        &["flock"],
        "flock",
        &[
            fail(64, "usage", "wrong use"),
            fail(65, "data", "the lock file or descriptor is wrong"),
            fail(66, "missing", "the lock file could not be opened"),
            fail(69, "exec", "the command could not be started"),
            fail(71, "system", "the operating system refused"),
        ],
    ),
    Tool::plain(
        &["sudo"],
        "sudo",
        &[fail(1, "refused", "a password is needed")],
    )
    .when(&[StderrHas("sudo: a password is required")]),
    Tool::plain(
        &["sudo"],
        "sudo",
        &[fail(
            1,
            "refused",
            "a password is needed, but no terminal is there",
        )],
    )
    .when(&[StderrHas("sudo: a terminal is required")]),
    Tool::plain(
        &["sudo"],
        "sudo",
        &[fail(1, "refused", "the password was wrong")],
    )
    .when(&[StderrHas("incorrect password attempt")]),
    Tool::plain(
        &["sudo"],
        "sudo",
        &[fail(1, "refused", "the user may not run this")],
    )
    .when(&[StderrHas("is not in the sudoers file")]),
    Tool::plain(
        &["su"],
        "su",
        &[fail(1, "refused", "the password was wrong")],
    )
    .when(&[StderrHas("Authentication failure")]),
    Tool::plain(
        &["ssh"],
        "ssh",
        &[fail(255, "refused", "the server did not accept the login")],
    )
    .when(&[StderrHas("Permission denied")]),
    Tool::plain(
        &["ssh"],
        "ssh",
        &[fail(255, "name", "the host's name could not be resolved")],
    )
    .when(&[StderrHas("Could not resolve hostname")]),
    Tool::plain(
        &["ssh"],
        "ssh",
        &[fail(
            255,
            "host-key",
            "the host's key is unknown or has changed",
        )],
    )
    .when(&[StderrHas("Host key verification failed")]),
    Tool::plain(
        &["ssh"],
        "ssh",
        &[fail(
            255,
            "connect",
            "the host does not answer on this port",
        )],
    )
    .when(&[StderrHas("Connection refused")]),
    Tool::plain(
        &["ssh"],
        "ssh",
        &[fail(255, "own", "the connection failed")],
    ),
    Tool::plain(
        &["docker", "podman", "nerdctl"],
        "docker",
        &[fail_in(
            1,
            125,
            "daemon",
            "the container engine's daemon cannot be reached",
        )],
    )
    .when(&[StderrHas("Cannot connect to the Docker daemon")]),
    Tool::plain(
        &["docker", "podman", "nerdctl"],
        "docker",
        &[fail_in(
            1,
            125,
            "refused",
            "the container engine refused the request",
        )],
    )
    .when(&[StderrHas("Error response from daemon")]),
    Tool::plain(&["docker", "podman", "nerdctl"], "docker", CONTAINER),
    Tool::plain(
        &["kubectl", "oc"],
        "kubectl.exec",
        &[fail(1, "server", "the cluster refused the request")],
    )
    .when(&[Sub(&["exec"]), StderrHas("Error from server")]),
];
