//! Version control: git, Mercurial and their like.

use crate::endings::row::When::{Flag, NoFlag, OperandCount, StderrHas, Sub};
use crate::endings::row::{Row, Tool, fail, fail_in, ok};

const DIFFERENCES: &[Row] = &[ok(1, "differ", "There are differences")];

const UNSET: &[Row] = &[ok(1, "unset", "The key is not set")];

const CONFLICT: &[Row] = &[fail(
    1,
    "conflict",
    "conflicts need resolving, or nothing could be done",
)];

pub(super) const TOOLS: &[Tool] = &[
    Tool::gate(
        &["git"],
        "git.diff-check",
        &[fail(
            2,
            "whitespace",
            "conflict markers or whitespace errors were found",
        )],
    )
    .when(&[Sub(&["diff"]), Flag(&["--check"])]),
    Tool::query(
        &["git"],
        "git.diff",
        "there are no differences",
        DIFFERENCES,
    )
    .when(&[
        Sub(&["diff"]),
        Flag(&["--exit-code", "--quiet", "--no-index"]),
    ]),
    Tool::query(
        &["git"],
        "git.diff-index",
        "there are no differences",
        DIFFERENCES,
    )
    .when(&[Sub(&["diff-index"]), Flag(&["--exit-code", "--quiet"])]),
    Tool::query(
        &["git"],
        "git.diff-files",
        "there are no differences",
        DIFFERENCES,
    )
    .when(&[Sub(&["diff-files"]), Flag(&["--exit-code", "--quiet"])]),
    Tool::query(
        &["git"],
        "git.diff-tree",
        "there are no differences",
        DIFFERENCES,
    )
    .when(&[Sub(&["diff-tree"]), Flag(&["--exit-code", "--quiet"])]),
    Tool::query(&["git"], "git.log", "there are no differences", DIFFERENCES)
        .when(&[Sub(&["log"]), Flag(&["--exit-code", "--quiet"])]),
    Tool::query(
        &["git"],
        "git.grep",
        "a line matched",
        &[ok(1, "no-match", "No matches found")],
    )
    .when(&[Sub(&["grep"])]),
    Tool::query(
        &["git"],
        "git.is-ancestor",
        "the commit is an ancestor",
        &[ok(1, "no", "The commit is not an ancestor")],
    )
    .when(&[Sub(&["merge-base"]), Flag(&["--is-ancestor"])]),
    Tool::plain(
        &["git"],
        "git.merge-base",
        &[fail(1, "none", "the commits have no common ancestor")],
    )
    .when(&[Sub(&["merge-base"])]),
    Tool::query(
        &["git"],
        "git.ls-remote",
        "the remote has such a ref",
        &[ok(2, "none", "The remote has no such ref")],
    )
    .when(&[Sub(&["ls-remote"]), Flag(&["--exit-code"])]),
    Tool::plain(
        &["git"],
        "git.ls-files",
        &[fail(1, "untracked", "the path is not tracked")],
    )
    .when(&[Sub(&["ls-files"]), Flag(&["--error-unmatch"])]),
    Tool::query(
        &["git"],
        "git.rev-parse",
        "there is such a revision",
        &[ok(1, "none", "There is no such revision")],
    )
    .when(&[
        Sub(&["rev-parse"]),
        Flag(&["-q", "--quiet"]),
        Flag(&["--verify"]),
    ]),
    Tool::query(
        &["git"],
        "git.show-ref",
        "there is such a ref",
        &[
            ok(2, "none", "There is no such ref"),
            fail(1, "trouble", "the ref could not be looked up"),
        ],
    )
    .when(&[Sub(&["show-ref"]), Flag(&["--exists"])]),
    Tool::query(
        &["git"],
        "git.show-ref",
        "there is such a ref",
        &[ok(1, "none", "There is no such ref")],
    )
    .when(&[Sub(&["show-ref"])]),
    Tool::query(
        &["git"],
        "git.symbolic-ref",
        "it is a symbolic ref",
        &[ok(
            1,
            "no",
            "It is no symbolic ref, such as a detached HEAD",
        )],
    )
    .when(&[Sub(&["symbolic-ref"]), Flag(&["-q", "--quiet"])]),
    Tool::query(&["git"], "git.config", "the key is set", UNSET).when(&[
        Sub(&["config"]),
        Flag(&[
            "--get",
            "--get-all",
            "--get-regexp",
            "--get-urlmatch",
            "--get-color",
        ]),
    ]),
    Tool::query(&["git"], "git.config", "the key is set", UNSET).when(&[Sub(&["config", "get"])]),
    Tool::query(&["git"], "git.config", "the key is set", UNSET).when(&[
        Sub(&["config"]),
        OperandCount(2),
        NoFlag(&[
            "--unset",
            "--unset-all",
            "--add",
            "--remove-section",
            "-l",
            "--list",
            "-e",
        ]),
    ]),
    Tool::plain(
        &["git"],
        "git.config",
        &[
            fail(1, "invalid", "the section or key is not valid"),
            fail(2, "missing", "no section or name was given"),
            fail(3, "file", "the configuration file is not valid"),
            fail(4, "write", "the configuration file cannot be written"),
            fail(
                5,
                "absent",
                "there is no such option, or several lines match",
            ),
            fail(6, "pattern", "the pattern is not valid"),
        ],
    )
    .when(&[Sub(&["config"])]),
    Tool::query(
        &["git"],
        "git.check-ignore",
        "a path is ignored",
        &[ok(1, "none", "No path is ignored")],
    )
    .when(&[Sub(&["check-ignore"])]),
    Tool::query(
        &["git"],
        "git.check-ref-format",
        "the name is acceptable",
        &[ok(1, "no", "The name is not acceptable as a ref")],
    )
    .when(&[Sub(&["check-ref-format"])]),
    Tool::query(
        &["git"],
        "git.cat-file",
        "there is such an object",
        &[ok(1, "none", "There is no such object")],
    )
    .when(&[Sub(&["cat-file"]), Flag(&["-e"])]),
    Tool::plain(
        &["git"],
        "git.remote",
        &[
            fail(2, "none", "there is no such remote"),
            fail(3, "exists", "the remote exists already"),
        ],
    )
    .when(&[Sub(&["remote"])]),
    Tool::plain(
        &["git"],
        "git.commit",
        &[fail(1, "nothing", "nothing was committed")],
    )
    .when(&[Sub(&["commit"])]),
    Tool::plain(
        &["git"],
        "git.push",
        &[fail(1, "rejected", "the push was rejected")],
    )
    .when(&[Sub(&["push"])]),
    Tool::plain(
        &["git"],
        "git.stash",
        &[fail(1, "nothing", "nothing was stashed or applied")],
    )
    .when(&[Sub(&["stash"])]),
    Tool::plain(
        &["git"],
        "git.apply",
        &[fail(1, "rejected", "the patch does not apply")],
    )
    .when(&[Sub(&["apply"])]),
    Tool::plain(
        &["git"],
        "git.checkout",
        &[fail(1, "refused", "nothing was checked out")],
    )
    .when(&[Sub(&["checkout"])]),
    Tool::plain(&["git"], "git.merge", CONFLICT).when(&[Sub(&["merge"])]),
    Tool::plain(&["git"], "git.merge-tree", CONFLICT).when(&[Sub(&["merge-tree"])]),
    Tool::plain(
        &["git"],
        "git.merge-file",
        &[fail_in(
            1,
            127,
            "conflict",
            "the code is the number of conflicts",
        )],
    )
    .when(&[Sub(&["merge-file"])]),
    Tool::plain(&["git"], "git.rebase", CONFLICT).when(&[Sub(&["rebase"])]),
    Tool::plain(&["git"], "git.cherry-pick", CONFLICT).when(&[Sub(&["cherry-pick"])]),
    Tool::plain(&["git"], "git.revert", CONFLICT).when(&[Sub(&["revert"])]),
    Tool::plain(&["git"], "git.pull", CONFLICT).when(&[Sub(&["pull"])]),
    Tool::gate(
        &["git"],
        "git.verify",
        &[fail(1, "bad", "the signature is missing or not valid")],
    )
    .when(&[Sub(&["verify-commit"])]),
    Tool::gate(
        &["git"],
        "git.verify",
        &[fail(1, "bad", "the signature is missing or not valid")],
    )
    .when(&[Sub(&["verify-tag"])]),
    Tool::plain(
        &["git"],
        "git",
        &[fail(128, "repository", "this is no git repository")],
    )
    .when(&[StderrHas("not a git repository")]),
    // Git's own codes; no signals, although they look like it.
    Tool::plain(
        &["git"],
        "git",
        &[
            fail(
                128,
                "fatal",
                "git itself failed, as for a wrong name or an unreadable repository",
            ),
            fail(129, "usage", "wrong use"),
        ],
    ),
    Tool::query(
        &["hg"],
        "hg",
        "there is something",
        &[
            ok(1, "none", "No matches found"),
            fail(255, "abort", "hg aborted"),
        ],
    )
    .when(&[Sub(&["grep"])]),
    Tool::query(
        &["hg"],
        "hg",
        "there is something",
        &[
            ok(1, "none", "No file matched"),
            fail(255, "abort", "hg aborted"),
        ],
    )
    .when(&[Sub(&["files"])]),
    Tool::query(
        &["hg"],
        "hg",
        "there are changes",
        &[
            ok(1, "none", "There are no changes to fetch"),
            fail(255, "abort", "hg aborted"),
        ],
    )
    .when(&[Sub(&["incoming"])]),
    Tool::query(
        &["hg"],
        "hg",
        "there are changes",
        &[
            ok(1, "none", "There are no changes to send"),
            fail(255, "abort", "hg aborted"),
        ],
    )
    .when(&[Sub(&["outgoing"])]),
    Tool::plain(&["hg"], "hg", &[fail(255, "abort", "hg aborted")]),
    Tool::query(
        &["bzr", "brz", "cvs"],
        "diff",
        "there are no differences",
        &[ok(1, "differ", "There are differences: files differ")],
    )
    .when(&[Sub(&["diff"])]),
    Tool::plain(
        &["gh"],
        "gh.checks",
        &[
            ok(8, "pending", "Some checks are still pending"),
            fail(1, "failed", "some checks failed, or they could not be read"),
        ],
    )
    .when(&[Sub(&["pr", "checks"])]),
    Tool::plain(
        &["gh"],
        "gh",
        &[
            fail(1, "failed", "the request failed"),
            fail(2, "cancelled", "the request was cancelled"),
            fail(4, "login", "a login is needed"),
        ],
    ),
];
