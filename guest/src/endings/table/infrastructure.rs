//! Containers, clusters and infrastructure as code.

use crate::endings::row::When::{Flag, Sub};
use crate::endings::row::{Row, Tool, fail, fail_in, ok};

const PLAN: &[Row] = &[
    ok(2, "changes", "The plan has changes"),
    fail(1, "trouble", "planning failed"),
];

const EXISTS: &[Row] = &[ok(1, "no", "There is no such object")];

const PUPPET: &[Row] = &[
    ok(2, "changes", "Changes were applied"),
    fail(1, "trouble", "the run failed, or another run is active"),
    fail(4, "failures", "some resources failed"),
    fail(
        6,
        "changes-and-failures",
        "changes were applied, but some resources failed",
    ),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["terraform", "tofu", "terragrunt"],
        "terraform.plan",
        "no changes",
        PLAN,
    )
    .when(&[
        Sub(&["plan"]),
        Flag(&["-detailed-exitcode", "--detailed-exitcode"]),
    ]),
    Tool::gate(
        &["terraform", "tofu"],
        "terraform.fmt",
        &[
            fail(2, "trouble", "a file could not be parsed"),
            fail(3, "unformatted", "some files are not formatted"),
        ],
    )
    .when(&[Sub(&["fmt"]), Flag(&["-check", "--check"])]),
    Tool::gate(
        &["terraform", "tofu", "packer"],
        "terraform.validate",
        &[fail(1, "problems", "the configuration is not valid")],
    )
    .when(&[Sub(&["validate"])]),
    Tool::gate(
        &["packer"],
        "packer.fmt",
        &[fail_in(1, 3, "unformatted", "some files are not formatted")],
    )
    .when(&[Sub(&["fmt"]), Flag(&["-check"])]),
    Tool::plain(
        &["terraform", "tofu", "terragrunt"],
        "terraform",
        &[fail_in(1, 2, "failed", "the request failed")],
    ),
    Tool::query(
        &["kubectl", "oc"],
        "kubectl.diff",
        "the cluster agrees with the files",
        &[
            ok(1, "differ", "The cluster differs from the files"),
            fail_in(2, 125, "trouble", "the comparison itself failed"),
        ],
    )
    .when(&[Sub(&["diff"])]),
    Tool::query(
        &["kubectl", "oc"],
        "kubectl.can-i",
        "the answer is yes",
        &[ok(1, "no", "The answer is no")],
    )
    .when(&[Sub(&["auth", "can-i"])]),
    Tool::plain(
        &["kubectl", "oc"],
        "kubectl.wait",
        &[fail(
            1,
            "unmet",
            "the condition was not met in time, or the request failed",
        )],
    )
    .when(&[Sub(&["wait"])]),
    Tool::plain(
        &["kubectl", "oc"],
        "kubectl",
        &[fail(
            1,
            "failed",
            "the request failed; the object may not exist or the cluster not answer",
        )],
    ),
    Tool::query(
        &["helm"],
        "helm.diff",
        "there are no changes",
        &[
            ok(2, "changes", "There are changes"),
            fail(1, "trouble", "helm failed"),
        ],
    )
    .when(&[Sub(&["diff"]), Flag(&["--detailed-exitcode"])]),
    Tool::gate(
        &["helm"],
        "helm.lint",
        &[fail(1, "problems", "the chart has problems")],
    )
    .when(&[Sub(&["lint"])]),
    Tool::query(
        &["argocd"],
        "argocd.diff",
        "there are no differences",
        &[
            ok(1, "differ", "The application differs from its target"),
            fail(2, "trouble", "it failed"),
        ],
    )
    .when(&[Sub(&["app", "diff"])]),
    Tool::query(
        &["nomad"],
        "nomad.plan",
        "no allocation would change",
        &[
            ok(1, "changes", "Allocations would be created or destroyed"),
            fail(255, "trouble", "the plan could not be made"),
        ],
    )
    .when(&[Sub(&["job", "plan"])]),
    Tool::query(
        &["nomad"],
        "nomad.plan",
        "no allocation would change",
        &[
            ok(1, "changes", "Allocations would be created or destroyed"),
            fail(255, "trouble", "the plan could not be made"),
        ],
    )
    .when(&[Sub(&["plan"])]),
    Tool::query(
        &["vault", "bao"],
        "vault.status",
        "the vault is unsealed",
        &[
            ok(2, "sealed", "The vault is sealed"),
            fail(1, "trouble", "the vault does not answer"),
        ],
    )
    .when(&[Sub(&["status"])]),
    Tool::plain(
        &["vault", "bao"],
        "vault",
        &[
            fail(1, "usage", "wrong use or a local error"),
            fail(2, "server", "the server refused the request"),
        ],
    ),
    Tool::query(
        &["podman"],
        "podman.exists",
        "there is such an object",
        EXISTS,
    )
    .when(&[Sub(&["container", "exists"])]),
    Tool::query(
        &["podman"],
        "podman.exists",
        "there is such an object",
        EXISTS,
    )
    .when(&[Sub(&["image", "exists"])]),
    Tool::query(
        &["podman"],
        "podman.exists",
        "there is such an object",
        EXISTS,
    )
    .when(&[Sub(&["volume", "exists"])]),
    Tool::query(
        &["podman"],
        "podman.exists",
        "there is such an object",
        EXISTS,
    )
    .when(&[Sub(&["network", "exists"])]),
    Tool::query(
        &["podman"],
        "podman.exists",
        "there is such an object",
        EXISTS,
    )
    .when(&[Sub(&["pod", "exists"])]),
    Tool::gate(
        &["docker", "podman", "nerdctl", "buildah"],
        "docker.build",
        &[fail_in(1, 124, "failed", "the build failed")],
    )
    .when(&[Sub(&["build"])]),
    Tool::gate(
        &["docker"],
        "docker.build",
        &[fail_in(1, 124, "failed", "the build failed")],
    )
    .when(&[Sub(&["buildx", "build"])]),
    Tool::plain(
        &["docker", "podman"],
        "docker.inspect",
        &[fail(1, "none", "there is no such object")],
    )
    .when(&[Sub(&["inspect"])]),
    Tool::plain(
        &["docker"],
        "docker.compose",
        &[fail_in(1, 124, "failed", "the request failed")],
    )
    .when(&[Sub(&["compose"])]),
    Tool::plain(
        &["docker-compose"],
        "docker.compose",
        &[fail_in(1, 124, "failed", "the request failed")],
    ),
    Tool::query(&["puppet"], "puppet", "nothing had to change", PUPPET)
        .when(&[Flag(&["--detailed-exitcodes"])]),
    Tool::query(&["puppet"], "puppet", "nothing had to change", PUPPET)
        .when(&[Sub(&["agent"]), Flag(&["-t", "--test"])]),
    Tool::plain(
        &["ansible", "ansible-playbook"],
        "ansible",
        &[
            fail(1, "trouble", "an error occurred"),
            fail(2, "failed", "tasks failed on some hosts"),
            fail(3, "unreachable", "some hosts could not be reached"),
            fail(
                4,
                "unreachable",
                "some hosts could not be reached, or the playbook does not parse",
            ),
            fail(5, "usage", "wrong use"),
            fail(
                8,
                "unreachable",
                "some hosts failed or could not be reached",
            ),
            fail(99, "interrupted", "interrupted by the user"),
            fail(250, "unexpected", "an unexpected error"),
        ],
    ),
];
