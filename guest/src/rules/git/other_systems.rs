//! Subversion, Mercurial, Jujutsu and others, and the history rewriters that are programs of their
//! own.

use crate::model::Severity::{Caution, Danger};
use crate::rules::deeds::{self, Deed};
use crate::rules::options::Grammar;
use crate::rules::report::{Call, Report};

#[rustfmt::skip]
const OTHER_SYSTEMS: &[Deed] = &[
    Deed::new("svn", "revert", Caution, "git.discard", "discards uncommitted changes (revert)")
        .on_operand(),
    Deed::new("svn", "delete|del|remove|rm", Caution, "git.rm-force",
        "force-removes files with their uncommitted edits").with("--force"),
    Deed::new("svn", "cleanup", Caution, "git.clean", "deletes untracked files for good")
        .with("--remove-unversioned --remove-ignored"),
    Deed::new("hg", "update|up|checkout|co", Caution, "git.discard",
        "discards uncommitted changes (update --clean)").with("-C --clean"),
    Deed::new("hg", "revert", Caution, "git.discard", "discards uncommitted changes (revert)")
        .with("--no-backup -a --all -C"),
    Deed::new("hg", "strip", Danger, "git.history-rewrite", "strips commits from the history"),
    Deed::new("hg", "purge|clean", Caution, "git.clean", "deletes untracked files for good")
        .unless("-p --print"),
    Deed::new("jj", "abandon", Caution, "git.discard", "abandons commits"),
    Deed::new("jj", "restore", Caution, "git.discard", "discards changes of the working copy"),
    Deed::new("jj", "op|operation abandon", Danger, "git.reflog-gc",
        "abandons the operation log, the last way back"),
    Deed::new("fossil|bzr|darcs|p4", "revert", Caution, "git.discard",
        "discards uncommitted changes (revert)"),
    Deed::new("p4", "obliterate", Danger, "git.history-rewrite", "deletes files with their history")
        .with("-y"),
    Deed::new("cvs", "^update|up", Caution, "git.discard",
        "discards uncommitted changes (update -C)").with("-C"),
    Deed::new("bfg", "", Danger, "git.history-rewrite", "rewrites every commit of the history"),
    Deed::new("git-filter-repo", "", Danger, "git.history-rewrite",
        "rewrites every commit of the history").unless("--analyze"),
];

/// Subversion, Mercurial, Jujutsu and the history rewriters that are programs of their own.
pub(in crate::rules) fn other_systems(call: &Call<'_>, report: &mut Report) {
    deeds::apply(call, OTHER_SYSTEMS, &Grammar::PLAIN, "--dry-run -n", report);
}

/// `java -jar bfg.jar`.
pub(in crate::rules) fn jar(call: &Call<'_>, report: &mut Report) {
    let at = call
        .args
        .iter()
        .position(|word| word.literal().as_deref() == Some("-jar"));
    let Some(at) = at else { return };
    let rewrites = call.args.get(at + 1).is_some_and(|word| {
        let path = word.shown();
        let file = path.rsplit('/').next().unwrap_or_default().to_owned();
        file.starts_with("bfg") && file.ends_with(".jar")
    });
    if rewrites {
        let inner = Call {
            name: "bfg",
            args: &call.args[at + 2..],
            ..*call
        };
        other_systems(&inner, report);
    }
}
