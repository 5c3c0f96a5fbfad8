//! Test runners. A failed test is a failure; the words tell it from tests that could not run.

use crate::endings::row::{Row, Tool, fail, fail_in};

const TESTS: &[Row] = &[fail(1, "failed", "tests failed, or they could not run")];

const TEST_COUNT: &[Row] = &[fail_in(
    1,
    124,
    "failed",
    "the code is the number of failed tests",
)];

pub(super) const TOOLS: &[Tool] = &[
    Tool::gate(
        &["pytest", "py.test", "pytest-3"],
        "pytest",
        &[
            fail(1, "failed", "some tests failed"),
            fail(
                2,
                "interrupted",
                "the run was interrupted, or a test file could not be loaded",
            ),
            fail(3, "internal", "pytest could not run: an internal error"),
            fail(4, "usage", "pytest could not run: wrong use"),
            fail(5, "none", "no tests were collected"),
        ],
    ),
    Tool::gate(
        &["unittest"],
        "unittest",
        &[
            fail(1, "failed", "some tests failed"),
            fail(5, "none", "no tests were run"),
        ],
    ),
    Tool::gate(
        &["coverage"],
        "coverage",
        &[fail(2, "low", "the coverage is below the limit")],
    ),
    Tool::gate(
        &[
            "jest",
            "vitest",
            "ava",
            "karma",
            "playwright",
            "tap",
            "jasmine",
            "bats",
            "busted",
            "behave",
        ],
        "test",
        TESTS,
    ),
    Tool::gate(&["mocha", "cypress"], "test", TEST_COUNT),
    Tool::gate(
        &["rspec"],
        "rspec",
        &[fail(
            1,
            "failed",
            "some examples failed, or they could not be loaded",
        )],
    ),
    Tool::gate(
        &["phpunit", "pest"],
        "phpunit",
        &[
            fail(1, "failed", "some tests failed"),
            fail(
                2,
                "errors",
                "some tests ended with errors, or they could not run",
            ),
        ],
    ),
];
