//! Packages: releases published or withdrawn, system software removed.

use super::catalogue::Rule;
use super::deeds::{self, Deed};
use super::options::{Grammar, Options};
use super::report::{Call, Report};
use crate::model::Severity::{Caution, Danger};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("pkg.unpublish", Danger, "Release withdrawn", "cargo yank --version 1.0.0 x",
        "cargo package --list"),
    Rule::new("pkg.publish", Caution, "Release that cannot be taken back", "npm publish",
        "npm publish --dry-run"),
    Rule::new("pkg.remove", Caution, "System software removed", "apt-get purge postgresql",
        "apt-get -s purge postgresql"),
];

const fn publishes(programs: &'static str, path: &'static str) -> Deed {
    Deed::new(
        programs,
        path,
        Caution,
        "pkg.publish",
        "publishes a release that cannot be taken back",
    )
}

const fn withdraws(programs: &'static str, path: &'static str) -> Deed {
    Deed::new(
        programs,
        path,
        Danger,
        "pkg.unpublish",
        "withdraws a published release: what depends on it breaks",
    )
}

const fn removes(programs: &'static str, path: &'static str) -> Deed {
    Deed::new(
        programs,
        path,
        Caution,
        "pkg.remove",
        "removes system software with what depends on it",
    )
}

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    withdraws("npm|pnpm", "unpublish|unpub"),
    withdraws("yarn", "npm unpublish"),
    publishes("npm|pnpm|yarn|bun|jsr|deno|lerna|changeset|dart|flutter|wally", "publish"),
    publishes("yarn", "npm publish"),
    publishes("dart|flutter", "pub publish|lish"),
    publishes("semantic-release|np|release-it", ""),
    publishes("cargo", "publish"),
    withdraws("cargo", "yank").unless("--undo"),
    publishes("cargo", "release").with("-x --execute"),
    publishes("twine", "upload"),
    publishes("poetry|uv|flit|hatch|pdm|maturin", "publish|upload"),
    publishes("setup.py", "^upload"),
    publishes("gem", "push"),
    withdraws("gem", "yank"),
    publishes("bundle|rake", "^release"),
    publishes("mvn|mvnw", "^deploy|release:perform|deploy:deploy"),
    publishes("gradle|gradlew",
        "^publish|publishPlugins|publishToMavenCentral|\
            publishAllPublicationsToMavenCentralRepository|uploadArchives|\
            closeAndReleaseRepository"),
    publishes("sbt", "^publish|publishSigned|release"),
    publishes("lein", "deploy"),
    publishes("dotnet", "nuget push"),
    withdraws("dotnet", "nuget delete"),
    publishes("nuget", "push"),
    withdraws("nuget", "delete"),
    publishes("goreleaser", "release").unless("--snapshot --skip-publish --skip=publish"),
    publishes("vsce|ovsx", "publish"),
    withdraws("vsce", "unpublish"),
    publishes("pod", "trunk push"),
    withdraws("pod", "trunk delete|deprecate"),
    publishes("mix", "hex.publish"),
    withdraws("mix", "hex.retire"),
    publishes("snapcraft", "upload|push|release"),
    publishes("luarocks|cabal|stack", "upload"),
    publishes("opam", "publish"),
    publishes("conda|anaconda", "upload"),
    publishes("elm|nimble", "publish"),
    publishes("rebar3", "hex publish"),
    publishes("choco", "push"),
    withdraws("anaconda", "remove"),
    removes("apt|apt-get|aptitude", "^purge|remove|full-remove"),
    removes("apt|apt-get|aptitude", "^autoremove|autopurge").with("--purge"),
    removes("apt|apt-get", "^autopurge"),
    removes("dpkg", "").with("-P --purge -r --remove").unless("--no-act --simulate"),
    removes("yum|dnf|dnf5|microdnf|tdnf", "^remove|erase|rm"),
    removes("rpm", "").with("-e --erase").unless("--test"),
    removes("zypper", "^remove|rm"),
    removes("apk", "del"),
    removes("opkg|slackpkg|tasksel", "remove"),
    removes("removepkg", "").on_operand(),
    Deed::new("guix", "gc|package", Caution, "pkg.remove",
        "deletes the old generations: no way back to them").with("-d --delete-generations"),
    removes("xbps-remove", "").on_operand(),
    removes("pkg", "delete|remove"),
    removes("emerge", "").with("-C --unmerge -c --depclean").unless("-p --pretend"),
    removes("brew", "uninstall|remove|rm").with("--zap --ignore-dependencies"),
    removes("snap", "remove").with("--purge"),
    removes("flatpak", "uninstall|remove").with("--all --delete-data"),
    Deed::new("nix-collect-garbage", "", Caution, "pkg.remove",
        "deletes the old generations: no way back to them")
        .with("-d --delete-old --delete-older-than"),
    Deed::new("nix-env", "", Caution, "pkg.remove",
        "deletes the old generations: no way back to them").with("--delete-generations"),
];

/// Package managers and registries.
pub(super) fn packages(call: &Call<'_>, report: &mut Report) {
    let grammar = match call.name {
        "apt" | "apt-get" | "aptitude" => Grammar {
            short_values: "oct",
            ..Grammar::PLAIN
        },
        "npm" | "pnpm" | "yarn" => Grammar {
            short_values: "C",
            long_values: "prefix workspace registry tag filter dir cwd",
            ..Grammar::PLAIN
        },
        "mvn" | "mvnw" | "gradle" | "gradlew" => Grammar {
            short_values: "fplDPbgI",
            long_values: "file",
            ..Grammar::PLAIN
        },
        "cargo" => Grammar {
            short_values: "FZ",
            long_values: "manifest-path color config",
            ..Grammar::PLAIN
        },
        _ => Grammar::PLAIN,
    };
    let dry_run = match call.name {
        "apt" | "apt-get" | "aptitude" => "-s --simulate --just-print --dry-run --recon --no-act",
        "cargo" | "cargo-release" => "--dry-run -n",
        "npm" | "pnpm" => "--dry-run",
        "apk" => "-s --simulate",
        "xbps-remove" | "pkg" => "-n --dry-run",
        "mvn" | "mvnw" | "gradle" | "gradlew" => "-m --dry-run",
        "semantic-release" => "-d --dry-run",
        _ => "--dry-run",
    };
    deeds::apply(call, DEEDS, &grammar, dry_run, report);
}

/// `pacman -R…`.
pub(super) fn pacman(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&Grammar::PLAIN, call.args);
    let prints = options.has('p', "print") || options.asks_for_help();
    if options.has('R', "remove") && !prints {
        report.add(
            "pkg.remove",
            Caution,
            "removes system software with what depends on it",
            call.span(),
        );
    }
}
