//! Linters, type checkers, formatters and scanners.
//!
//! What they find is a failure; the words tell "problems found" from "could not run".

use crate::endings::row::When::{Flag, Sub};
use crate::endings::row::{Row, Tool, fail, fail_bits, fail_in};

const FORMAT: &[Row] = &[
    fail(1, "unformatted", "some files are not formatted"),
    fail(2, "trouble", "the formatter could not run"),
    fail(123, "trouble", "an internal error of the formatter"),
];

/// 1 for problems, 2 and above for a linter that could not run.
const LINT: &[Row] = &[
    fail(1, "problems", "problems were found (the linter itself ran)"),
    fail(2, "trouble", "the linter could not run"),
];

/// One code for everything that was found.
const FOUND: &[Row] = &[fail(
    1,
    "problems",
    "problems were found, or the check could not run",
)];

pub(super) const TOOLS: &[Tool] = &[
    Tool::gate(
        &["eslint"],
        "eslint",
        &[
            fail(
                1,
                "problems",
                "lint problems were found (the linter itself ran)",
            ),
            fail(
                2,
                "trouble",
                "eslint could not run, as for a wrong configuration",
            ),
        ],
    ),
    Tool::gate(
        &["stylelint"],
        "stylelint",
        &[
            fail(1, "trouble", "stylelint could not run"),
            fail(
                2,
                "problems",
                "lint problems were found (the linter itself ran)",
            ),
            fail(64, "usage", "wrong use"),
            fail(78, "configuration", "the configuration is not valid"),
        ],
    ),
    Tool::gate(
        &["jshint", "tslint"],
        "lint",
        &[fail(2, "problems", "problems were found")],
    ),
    Tool::gate(&["prettier"], "prettier", FORMAT).when(&[Flag(&[
        "-c",
        "--check",
        "-l",
        "--list-different",
    ])]),
    Tool::gate(
        &["prettier"],
        "prettier",
        &[fail(2, "trouble", "a file could not be parsed")],
    ),
    Tool::gate(&["black"], "black", FORMAT).when(&[Flag(&["--check"])]),
    Tool::gate(
        &["black"],
        "black",
        &[fail(123, "trouble", "a file could not be formatted")],
    ),
    Tool::gate(
        &["isort"],
        "isort",
        &[fail(1, "unsorted", "some files' imports are not sorted")],
    )
    .when(&[Flag(&["-c", "--check", "--check-only"])]),
    Tool::gate(
        &[
            "yapf",
            "autopep8",
            "shfmt",
            "gofmt",
            "goimports",
            "clang-format",
            "rustfmt",
            "ktlint",
            "google-java-format",
            "stylua",
            "dprint",
            "taplo",
            "alejandra",
            "nixfmt",
            "buildifier",
            "ormolu",
            "fourmolu",
            "mdformat",
            "djlint",
        ],
        "format",
        FORMAT,
    ),
    Tool::gate(
        &["ruff"],
        "ruff.format",
        &[
            fail(1, "unformatted", "some files are not formatted"),
            fail(2, "trouble", "ruff could not run"),
        ],
    )
    .when(&[Sub(&["format"])]),
    Tool::gate(
        &["ruff"],
        "ruff",
        &[
            fail(
                1,
                "problems",
                "violations were found (the linter itself ran)",
            ),
            fail(2, "trouble", "ruff could not run, as for wrong use"),
        ],
    ),
    Tool::gate(
        &["mypy", "dmypy"],
        "mypy",
        &[
            fail(
                1,
                "problems",
                "type errors were found (the checker itself ran)",
            ),
            fail(2, "trouble", "mypy could not run"),
        ],
    ),
    Tool::gate(
        &["pyright", "basedpyright"],
        "pyright",
        &[
            fail(
                1,
                "problems",
                "type errors were found (the checker itself ran)",
            ),
            fail(2, "trouble", "pyright could not run"),
            fail(3, "configuration", "the configuration could not be read"),
            fail(4, "usage", "wrong use"),
        ],
    ),
    Tool::gate(
        &["pyre", "pytype", "ty", "flow", "sorbet", "srb"],
        "types",
        FOUND,
    ),
    Tool::gate(
        &["pylint"],
        "pylint",
        &[
            fail(32, "usage", "wrong use"),
            fail_bits(
                (1, 31),
                "problems",
                "it issued messages of these kinds",
                &[
                    (1, "fatal"),
                    (2, "error"),
                    (4, "warning"),
                    (8, "refactor"),
                    (16, "convention"),
                ],
            ),
        ],
    ),
    Tool::gate(
        &["flake8", "pycodestyle", "pydocstyle", "pyflakes"],
        "flake8",
        &[fail(
            1,
            "problems",
            "violations were found (the linter itself ran)",
        )],
    ),
    Tool::gate(
        &["tsc", "vue-tsc"],
        "tsc",
        &[
            fail(1, "errors", "type errors were found; nothing was written"),
            fail(
                2,
                "errors-written",
                "type errors were found; the output was written all the same",
            ),
            fail_in(3, 5, "project", "the project could not be built"),
        ],
    ),
    Tool::gate(
        &["shellcheck"],
        "shellcheck",
        &[
            fail(1, "problems", "problems were found (the linter itself ran)"),
            fail(2, "unreadable", "some files could not be read"),
            fail(3, "syntax", "wrong use"),
            fail(4, "option", "an option is not valid"),
        ],
    ),
    Tool::gate(
        &["golangci-lint"],
        "golangci-lint",
        &[
            fail(1, "problems", "problems were found (the linter itself ran)"),
            fail(2, "warnings", "warnings in tests"),
            fail(3, "trouble", "the linter could not run"),
            fail(4, "timeout", "the linter hit its time limit"),
            fail(5, "none", "there are no Go files"),
            fail(7, "logged", "an error was logged"),
        ],
    ),
    Tool::gate(
        &["rubocop", "standardrb"],
        "rubocop",
        &[
            fail(1, "problems", "offences were found (the linter itself ran)"),
            fail(2, "trouble", "rubocop could not run"),
        ],
    ),
    Tool::gate(
        &["phpcs"],
        "phpcs",
        &[
            fail_in(
                1,
                2,
                "problems",
                "violations were found (the linter itself ran)",
            ),
            fail(3, "trouble", "phpcs could not run"),
        ],
    ),
    Tool::gate(
        &[
            "markdownlint",
            "markdownlint-cli2",
            "yamllint",
            "hadolint",
            "biome",
            "oxlint",
            "standard",
            "xo",
            "clippy-driver",
            "selene",
            "luacheck",
            "sqlfluff",
            "actionlint",
            "commitlint",
            "htmlhint",
            "staticcheck",
            "revive",
            "detekt",
            "swiftlint",
            "checkov",
            "phpstan",
            "psalm",
            "vale",
            "tflint",
            "kube-linter",
            "ansible-lint",
            "cfn-lint",
            "spectral",
            "bandit",
            "proselint",
            "statix",
            "deadnix",
            "slither",
            "solhint",
            "cpplint",
            "clang-tidy",
            "cppcheck",
            "mdl",
            "erb_lint",
            "reek",
            "credo",
            "pre-commit",
            "lint-staged",
            "semgrep",
        ],
        "lint",
        LINT,
    ),
    Tool::gate(
        &["vulture"],
        "vulture",
        &[
            fail(1, "trouble", "the input is not valid"),
            fail(2, "usage", "wrong use"),
            fail(3, "problems", "dead code was found"),
        ],
    ),
    Tool::gate(
        &["typos"],
        "typos",
        &[fail(2, "problems", "spelling mistakes were found")],
    ),
    Tool::gate(
        &["codespell"],
        "codespell",
        &[
            fail(64, "usage", "wrong use"),
            fail(65, "problems", "spelling mistakes were found"),
            fail_in(1, 63, "problems", "spelling mistakes were found"),
        ],
    ),
    Tool::gate(
        &["buf"],
        "buf",
        &[
            fail(
                100,
                "problems",
                "problems were found (the check itself ran)",
            ),
            fail(1, "trouble", "buf could not run"),
        ],
    ),
    Tool::gate(
        &["snyk"],
        "snyk",
        &[
            fail(1, "vulnerable", "vulnerabilities were found"),
            fail(2, "trouble", "the scan could not run"),
            fail(3, "none", "no project that it supports was found"),
        ],
    ),
    Tool::gate(
        &["osv-scanner"],
        "osv-scanner",
        &[
            fail(1, "vulnerable", "vulnerabilities were found"),
            fail(128, "none", "no packages were found"),
        ],
    ),
    Tool::gate(
        &["safety"],
        "safety",
        &[fail(64, "vulnerable", "vulnerabilities were found")],
    ),
    Tool::gate(
        &["trufflehog"],
        "trufflehog",
        &[fail(
            183,
            "secrets",
            "secrets were found (the scan itself ran)",
        )],
    ),
    Tool::gate(
        &["gitleaks"],
        "gitleaks",
        &[fail(1, "secrets", "secrets were found, or it failed")],
    ),
    Tool::gate(
        &["brakeman"],
        "brakeman",
        &[fail(3, "problems", "warnings were found")],
    ),
    Tool::gate(
        &["trivy", "grype", "pip-audit", "gosec", "dockle"],
        "scan",
        FOUND,
    ),
    Tool::gate(
        &["plutil"],
        "plutil.lint",
        &[fail(1, "problems", "the file is not valid")],
    )
    .when(&[Flag(&["-lint"])]),
    Tool::gate(
        &[
            "desktop-file-validate",
            "appstreamcli",
            "lintian",
            "twine",
            "check-manifest",
            "promtool",
            "amtool",
            "kubeconform",
            "kubeval",
            "conftest",
            "opa",
            "jsonschema",
            "check-jsonschema",
            "xmlstarlet",
        ],
        "validate",
        FOUND,
    ),
];
