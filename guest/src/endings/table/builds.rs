//! Build tools, compilers and the interpreters of languages.

use crate::endings::row::When::{Flag, Sub};
use crate::endings::row::{Row, Tool, fail, fail_in, killed, ok};

const CARGO: Row = fail(101, "failed", "the code did not compile, or a step failed");

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["make", "gmake"],
        "make.question",
        "the target is up to date",
        &[
            ok(1, "outdated", "The target is out of date"),
            fail(2, "trouble", "make met an error, such as an unknown target"),
        ],
    )
    .when(&[Flag(&["-q", "--question"])]),
    Tool::gate(
        &["make", "gmake", "bmake"],
        "make",
        &[fail(
            2,
            "failed",
            "a recipe failed, or there is no rule for the target",
        )],
    )
    .closed(),
    Tool::gate(
        &["cargo"],
        "cargo.test",
        &[fail(
            101,
            "failed",
            "tests failed or the code did not compile",
        )],
    )
    .when(&[Sub(&["test"])]),
    Tool::gate(
        &["cargo"],
        "cargo.test",
        &[fail(
            101,
            "failed",
            "tests failed or the code did not compile",
        )],
    )
    .when(&[Sub(&["t"])]),
    Tool::gate(
        &["cargo"],
        "cargo.fmt",
        &[fail(1, "unformatted", "some files are not formatted")],
    )
    .when(&[Sub(&["fmt"]), Flag(&["--check"])]),
    Tool::gate(
        &["cargo"],
        "cargo.fmt",
        &[fail(
            1,
            "unformatted",
            "some files are not or could not be formatted",
        )],
    )
    .when(&[Sub(&["fmt"])]),
    Tool::gate(
        &["cargo"],
        "cargo.nextest",
        &[
            fail(4, "none", "there are no tests to run"),
            fail(94, "filter", "the filter expression is not valid"),
            fail(96, "setup", "the set-up failed"),
            fail(100, "failed", "tests failed"),
            fail(101, "build", "the code did not compile"),
            fail(102, "metadata", "the workspace could not be read"),
            fail(104, "list", "the tests could not be listed"),
            fail(105, "script", "a set-up script failed"),
        ],
    )
    .when(&[Sub(&["nextest"])]),
    Tool::gate(
        &["cargo"],
        "cargo.clippy",
        &[fail(
            101,
            "problems",
            "lint problems or compile errors were found",
        )],
    )
    .when(&[Sub(&["clippy"])]),
    // The program's own code comes through.
    Tool::gate(
        &["cargo"],
        "cargo.run",
        &[fail(
            101,
            "failed",
            "the code did not compile, or the program panicked",
        )],
    )
    .when(&[Sub(&["run"])]),
    Tool::gate(
        &["cargo"],
        "cargo.audit",
        &[fail_in(
            1,
            2,
            "vulnerable",
            "vulnerabilities were found, or the audit could not run",
        )],
    )
    .when(&[Sub(&["audit"])]),
    Tool::gate(
        &["cargo"],
        "cargo.deny",
        &[fail_in(
            1,
            15,
            "problems",
            "problems were found, or the check could not run",
        )],
    )
    .when(&[Sub(&["deny"])]),
    Tool::gate(
        &["cargo"],
        "cargo",
        &[CARGO, fail(1, "usage", "wrong use, or a step failed")],
    ),
    Tool::gate(
        &["go"],
        "go.test",
        &[
            fail(1, "failed", "tests failed or did not build"),
            fail(2, "failed", "tests did not build, or wrong use"),
        ],
    )
    .when(&[Sub(&["test"])]),
    Tool::gate(
        &["go"],
        "go.vet",
        &[fail_in(1, 2, "problems", "problems were found")],
    )
    .when(&[Sub(&["vet"])]),
    Tool::gate(
        &["go"],
        "go.run",
        &[fail(1, "failed", "the program failed or did not build")],
    )
    .when(&[Sub(&["run"])]),
    Tool::gate(
        &["go"],
        "go",
        &[
            fail(1, "failed", "the code did not build, or the request failed"),
            fail(2, "usage", "wrong use"),
        ],
    ),
    Tool::gate(
        &[
            "gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "javac", "ld", "swiftc", "ghc",
            "nvcc", "zig", "kotlinc", "scalac",
        ],
        "compiler",
        &[fail(1, "failed", "the code did not compile or link")],
    ),
    Tool::gate(
        &["cmake"],
        "cmake",
        &[fail_in(1, 2, "failed", "configuring or building failed")],
    ),
    Tool::gate(
        &["ninja", "samu"],
        "ninja",
        &[fail(1, "failed", "a step failed")],
    ),
    Tool::gate(
        &["meson"],
        "meson.test",
        &[fail_in(
            1,
            124,
            "failed",
            "the code is the number of failed tests",
        )],
    )
    .when(&[Sub(&["test"])]),
    Tool::gate(&["ctest"], "ctest", &[fail(8, "failed", "tests failed")]),
    Tool::gate(
        &["bazel", "bazelisk", "blaze"],
        "bazel",
        &[
            fail(1, "build", "the build failed"),
            fail(2, "usage", "wrong use or a bad environment variable"),
            fail(3, "tests", "the build is fine, but some tests failed"),
            fail(4, "none", "the build is fine, but no tests were found"),
            fail(7, "query", "the query failed"),
            fail(8, "interrupted", "interrupted"),
            fail(9, "locked", "another command holds the lock"),
            fail(32, "environment", "something outside bazel failed"),
            fail(33, "memory", "out of memory"),
            fail(36, "local", "a local environment problem"),
            fail(37, "internal", "an internal error"),
        ],
    ),
    Tool::gate(
        &["xcodebuild"],
        "xcodebuild",
        &[
            fail(64, "usage", "wrong use"),
            fail(65, "failed", "the build or the tests failed"),
            fail(66, "missing", "the project was not found"),
            fail(70, "destination", "the destination cannot be used"),
        ],
    ),
    Tool::gate(
        &[
            "mvn", "mvnw", "gradle", "gradlew", "ant", "sbt", "lein", "mill", "rake", "dotnet",
            "msbuild", "swift", "stack", "cabal", "dune", "mix", "rebar3", "flutter", "dart",
            "webpack", "vite", "rollup", "esbuild", "next", "nx", "turbo", "tox", "nox", "just",
            "task", "scons", "waf", "ng",
        ],
        "build",
        &[fail_in(
            1,
            2,
            "failed",
            "the build, a test or a step failed",
        )],
    ),
    Tool::plain(
        &["python", "python2", "python3", "pypy", "pypy3"],
        "python",
        &[
            fail(1, "failed", "the program failed"),
            fail(2, "usage", "the script could not be opened, or wrong use"),
        ],
    ),
    Tool::plain(
        &["node", "nodejs"],
        "node",
        &[
            fail(1, "failed", "the program failed"),
            fail(9, "usage", "wrong use of an option"),
            fail(13, "await", "a top-level await never ended"),
        ],
    ),
    Tool::plain(
        &["ruby", "irb"],
        "ruby",
        &[fail(1, "failed", "the program failed")],
    ),
    Tool::plain(
        &["deno"],
        "node",
        &[fail(1, "failed", "the program or a check failed")],
    ),
    Tool::plain(
        &["perl"],
        "perl",
        &[
            fail(
                2,
                "missing",
                "the script could not be opened, or the program died",
            ),
            fail(255, "failed", "the program died or did not compile"),
        ],
    ),
    Tool::plain(
        &["php"],
        "php",
        &[fail(255, "failed", "a fatal error in the program")],
    ),
    Tool::plain(
        &["java"],
        "java",
        &[
            fail(1, "failed", "the program failed or could not be started"),
            killed(134, "aborted", "The virtual machine aborted (SIGABRT)"),
        ],
    ),
];
