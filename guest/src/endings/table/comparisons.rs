//! Comparisons of versions, archives, plans and states of work that are answered by the code.

use crate::endings::row::When::{Flag, Sub};
use crate::endings::row::{Row, Tool, fail, ok, ok_bits};

const OUTDATED: &[Row] = &[ok(1, "outdated", "Some packages are outdated")];

const DIFFER: &[Row] = &[ok(1, "differ", "There are differences")];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["rpmdev-vercmp"],
        "vercmp",
        "the versions are equal",
        &[
            fail(1, "trouble", "wrong use"),
            ok(11, "newer", "The first version is newer"),
            ok(12, "older", "The second version is newer"),
        ],
    ),
    Tool::query(
        &["zipcmp"],
        "zipcmp",
        "the archives are equal",
        &[
            ok(1, "differ", "The archives differ"),
            fail(2, "trouble", "an archive could not be read"),
        ],
    ),
    Tool::query(
        &["cmake"],
        "cmake.compare",
        "the files are equal",
        &[
            ok(1, "differ", "Files differ"),
            fail(2, "trouble", "a file could not be read"),
        ],
    )
    .when(&[Flag(&["-E"]), Sub(&["compare_files"])]),
    Tool::query(
        &["abidiff", "abidw", "kmidiff"],
        "abidiff",
        "the interfaces are equal",
        &[
            fail(1, "trouble", "the comparison failed"),
            fail(2, "usage", "wrong use"),
            fail(3, "usage", "wrong use"),
            ok_bits(
                (4, 15),
                "changed",
                "The interfaces differ",
                &[
                    (4, "the interface changed"),
                    (8, "the change is incompatible"),
                ],
            ),
        ],
    ),
    Tool::query(&["cdk"], "cdk.diff", "there is no difference", DIFFER)
        .when(&[Sub(&["diff"]), Flag(&["--fail"])]),
    Tool::query(
        &["flux"],
        "flux.diff",
        "there is no difference",
        &[
            ok(1, "differ", "There are differences"),
            fail(2, "trouble", "the comparison failed"),
        ],
    )
    .when(&[Sub(&["diff"])]),
    Tool::query(&["git"], "git.difftool", "the files are equal", DIFFER)
        .when(&[Sub(&["difftool"]), Flag(&["--trust-exit-code"])]),
    Tool::query(
        &["dvc"],
        "dvc.status",
        "everything is up to date",
        &[ok(1, "changed", "Something is not up to date")],
    )
    .when(&[Sub(&["status"]), Flag(&["-q", "--quiet"])]),
    Tool::query(
        &["scons"],
        "scons.question",
        "everything is up to date",
        &[
            ok(1, "stale", "Something is not up to date"),
            fail(2, "trouble", "it failed"),
        ],
    )
    .when(&[Flag(&["-q", "--question"])]),
    Tool::query(
        &["cargo"],
        "cargo.outdated",
        "every package is current",
        OUTDATED,
    )
    .when(&[Sub(&["outdated"]), Flag(&["--exit-code"])]),
    Tool::query(
        &["mix"],
        "mix.outdated",
        "every package is current",
        OUTDATED,
    )
    .when(&[Sub(&["hex.outdated"])]),
];
