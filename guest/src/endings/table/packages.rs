//! Package managers of systems and languages.

use crate::endings::row::When::{Flag, StderrHas, Sub};
use crate::endings::row::{Row, Tool, fail, fail_in, ok, ok_in};

const OUTDATED: &[Row] = &[ok(1, "outdated", "Some packages are outdated")];

const UPDATES: &[Row] = &[
    ok(100, "updates", "Updates are available"),
    fail(1, "trouble", "an error occurred"),
];

const DPKG_NONE: &[Row] = &[
    ok(1, "none", "No package or file matched"),
    fail(2, "trouble", "wrong use or a fatal error"),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["dpkg"],
        "dpkg.compare",
        "the comparison is true",
        &[
            ok(1, "false", "The comparison is false"),
            fail(2, "trouble", "wrong use"),
        ],
    )
    .when(&[Flag(&["--compare-versions"])]),
    Tool::query(
        &["dpkg"],
        "dpkg.query",
        "there is such a package or file",
        DPKG_NONE,
    )
    .when(&[Flag(&[
        "-s",
        "--status",
        "-l",
        "--list",
        "-L",
        "--listfiles",
        "-S",
        "--search",
        "-p",
        "--print-avail",
        "-W",
        "--show",
        "-c",
        "--contents",
        "-I",
        "--info",
    ])]),
    Tool::query(
        &["dpkg"],
        "dpkg.assert",
        "the feature is there",
        &[
            ok(1, "false", "The assertion is false"),
            fail(2, "trouble", "wrong use"),
        ],
    )
    .when(&[Flag(&[
        "--assert-support-predepends",
        "--assert-working-epoch",
        "--assert-long-filenames",
        "--assert-multi-conrep",
        "--assert-multi-arch",
        "--assert-versioned-provides",
        "--validate-pkgname",
        "--validate-version",
    ])]),
    Tool::query(
        &["dpkg-query"],
        "dpkg.query",
        "there is such a package or file",
        DPKG_NONE,
    ),
    Tool::plain(
        &["dpkg"],
        "dpkg",
        &[
            fail(1, "failed", "a check or an action failed"),
            fail(2, "usage", "wrong use or a fatal error"),
        ],
    ),
    Tool::plain(
        &["apt-get", "apt", "apt-cache", "apt-mark", "aptitude"],
        "apt",
        &[fail(
            100,
            "locked",
            "another process holds the package database's lock",
        )],
    )
    .when(&[StderrHas("Could not get lock")]),
    Tool::plain(
        &["apt-get", "apt", "apt-cache"],
        "apt",
        &[fail(100, "unknown", "there is no such package")],
    )
    .when(&[StderrHas("Unable to locate package")]),
    Tool::plain(
        &["apt-cache"],
        "apt",
        &[fail(100, "unknown", "there is no such package")],
    )
    .when(&[StderrHas("No packages found")]),
    Tool::plain(
        &["apt-get", "apt", "apt-cache", "apt-mark", "apt-key"],
        "apt",
        &[fail(
            100,
            "trouble",
            "apt reports an error, such as an unknown package or no network",
        )],
    ),
    Tool::query(
        &["rpm"],
        "rpm.query",
        "the package is installed",
        // The code is the number of packages that were not there.
        &[ok_in(
            1,
            124,
            "none",
            "A package is not installed, or nothing matched",
        )],
    )
    .when(&[Flag(&["-q", "--query"])]),
    Tool::gate(
        &["rpm"],
        "rpm.verify",
        &[fail_in(
            1,
            124,
            "changed",
            "files differ from what was installed",
        )],
    )
    .when(&[Flag(&["-V", "--verify"])]),
    Tool::query(
        &["dnf", "dnf5", "yum", "microdnf", "tdnf"],
        "dnf.check-update",
        "nothing to update",
        UPDATES,
    )
    .when(&[Sub(&["check-update"])]),
    Tool::query(
        &["dnf", "dnf5"],
        "dnf.check-update",
        "nothing to update",
        UPDATES,
    )
    .when(&[Sub(&["check-upgrade"])]),
    Tool::plain(
        &["dnf", "dnf5", "yum", "microdnf"],
        "dnf",
        &[
            fail(
                1,
                "trouble",
                "an error occurred, such as an unknown package",
            ),
            fail(3, "unknown", "an unknown error occurred"),
            fail(200, "locked", "another process holds the lock"),
        ],
    ),
    Tool::query(
        &["needs-restarting"],
        "needs-restarting",
        "no restart is needed",
        &[ok(1, "restart", "A restart is needed")],
    ),
    Tool::query(
        &["checkupdates"],
        "checkupdates",
        "updates are available",
        &[
            ok(2, "none", "No updates are available"),
            fail(1, "trouble", "an error occurred"),
        ],
    ),
    Tool::query(
        &["zypper"],
        "zypper.patch-check",
        "nothing to patch",
        &[
            ok(100, "updates", "Patches are available"),
            ok(101, "security", "Security patches are available"),
        ],
    )
    .when(&[Sub(&["patch-check"])]),
    Tool::plain(
        &["zypper"],
        "zypper",
        &[
            ok(102, "reboot", "It succeeded; a reboot is needed"),
            ok(
                103,
                "restart",
                "It succeeded; the package manager needs a restart",
            ),
            ok(100, "updates", "Updates are available"),
            ok(101, "security", "Security updates are available"),
            fail(104, "none", "no package matched"),
            fail(105, "interrupted", "it was interrupted"),
            fail(106, "repositories", "some repositories were skipped"),
            fail(107, "scripts", "some packages' scripts failed"),
        ],
    ),
    Tool::query(
        &["apk"],
        "apk.info",
        "the package is installed",
        &[ok(1, "none", "The package is not installed")],
    )
    .when(&[Sub(&["info"]), Flag(&["-e", "--installed"])]),
    Tool::query(
        &["pkg"],
        "pkg.info",
        "the package is installed",
        &[ok(1, "none", "The package is not installed")],
    )
    .when(&[Sub(&["info"]), Flag(&["-e", "--exists"])]),
    Tool::plain(
        &["pacman"],
        "pacman",
        &[fail(1, "none", "nothing matched, or an error occurred")],
    ),
    Tool::query(
        &["pkg-config", "pkgconf"],
        "pkg-config.exists",
        "the library is there",
        &[ok(
            1,
            "none",
            "There is no such library, or its version does not fit",
        )],
    )
    .when(&[Flag(&[
        "--exists",
        "--atleast-version",
        "--exact-version",
        "--max-version",
    ])]),
    Tool::query(
        &["gem"],
        "gem.installed",
        "the gem is installed",
        &[ok(1, "none", "The gem is not installed")],
    )
    .when(&[Sub(&["list"]), Flag(&["-i", "--installed"])]),
    Tool::query(
        &["npm", "pnpm", "yarn"],
        "npm.outdated",
        "everything is up to date",
        OUTDATED,
    )
    .when(&[Sub(&["outdated"])]),
    Tool::query(
        &["bundle"],
        "bundle.outdated",
        "everything is up to date",
        OUTDATED,
    )
    .when(&[Sub(&["outdated"])]),
    Tool::gate(
        &["bundle"],
        "bundle.check",
        &[fail(1, "missing", "gems are missing")],
    )
    .when(&[Sub(&["check"])]),
    Tool::gate(
        &["npm", "pnpm", "yarn"],
        "npm.audit",
        &[fail_in(
            1,
            31,
            "vulnerable",
            "vulnerabilities were found, or the audit could not run",
        )],
    )
    .when(&[Sub(&["audit"])]),
    Tool::gate(
        &["npm", "pnpm"],
        "npm.ls",
        &[fail(
            1,
            "problems",
            "packages are missing or do not fit, or nothing matched",
        )],
    )
    .when(&[Sub(&["ls"])]),
    Tool::gate(
        &["npm"],
        "npm.script",
        &[fail(1, "missing", "there is no such script")],
    )
    .when(&[StderrHas("Missing script")]),
    Tool::gate(
        &["npm", "pnpm", "yarn", "bun"],
        "npm.test",
        &[fail(1, "failed", "the script failed")],
    )
    .when(&[Sub(&["test"])]),
    Tool::gate(
        &["npm", "pnpm", "yarn", "bun"],
        "npm.run",
        &[fail(1, "failed", "the script failed")],
    )
    .when(&[Sub(&["run"])]),
    Tool::gate(
        &["npm", "pnpm", "yarn", "bun"],
        "npm",
        &[fail(
            1,
            "failed",
            "the command or a script that it ran failed",
        )],
    ),
    Tool::gate(
        &["pip", "pip3"],
        "pip.check",
        &[fail(
            1,
            "problems",
            "installed packages do not fit together",
        )],
    )
    .when(&[Sub(&["check"])]),
    Tool::plain(
        &["pip", "pip3"],
        "pip",
        &[
            fail(1, "failed", "nothing matched or the installation failed"),
            fail(2, "usage", "wrong use, or an unknown error"),
            fail(
                3,
                "environment",
                "the environment is managed by another tool",
            ),
            fail(23, "none", "no match was found"),
        ],
    ),
    Tool::plain(
        &["uv"],
        "uv",
        &[
            fail(1, "failed", "the request could not be met"),
            fail(
                2,
                "trouble",
                "uv could not run, as for wrong use or no network",
            ),
        ],
    ),
    Tool::plain(
        &["brew"],
        "brew",
        &[fail(1, "failed", "nothing matched, or the request failed")],
    ),
    Tool::query(
        &["composer"],
        "composer.outdated",
        "everything is up to date",
        OUTDATED,
    )
    .when(&[Sub(&["outdated"]), Flag(&["--strict"])]),
    Tool::gate(
        &["composer"],
        "composer.validate",
        &[
            fail(1, "warnings", "the file has warnings"),
            fail(2, "errors", "the file has errors"),
            fail(3, "unreadable", "the file could not be read"),
        ],
    )
    .when(&[Sub(&["validate"])]),
    Tool::plain(
        &["composer"],
        "composer",
        &[
            fail(1, "failed", "the request failed"),
            fail(2, "dependencies", "the dependencies could not be resolved"),
        ],
    ),
    Tool::plain(
        &["snap", "flatpak"],
        "package",
        &[fail(1, "failed", "the request failed")],
    ),
    Tool::gate(
        &["debsums"],
        "debsums",
        &[fail(2, "changed", "files differ from what was installed")],
    ),
];
