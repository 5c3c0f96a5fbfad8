//! The subcommands of git that are dangerous by name.

use crate::model::Severity::{Caution, Danger};
use crate::rules::deeds::{self, Deed};
use crate::rules::options::Grammar;
use crate::rules::report::{Call, Report};

const DEED_GRAMMAR: Grammar = Grammar {
    long_values: "tree-filter index-filter msg-filter env-filter commit-filter parent-filter \
        tag-name-filter subdirectory-filter path path-glob path-regex",
    ..Grammar::PLAIN
};

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    Deed::new("git", "stash drop|clear", Caution, "git.stash-drop", "drops stashed work for good"),
    Deed::new("git", "filter-branch", Danger, "git.history-rewrite",
        "rewrites every commit of the history"),
    Deed::new("git", "filter-repo", Danger, "git.history-rewrite",
        "rewrites every commit of the history").unless("--analyze"),
    Deed::new("git", "reflog expire", Danger, "git.reflog-gc",
        "expires the reflog, the last way back to lost commits"),
    Deed::new("git", "reflog delete|drop", Danger, "git.reflog-gc",
        "deletes reflog entries, the last way back to lost commits"),
    Deed::new("git", "gc", Danger, "git.reflog-gc",
        "prunes unreachable objects at once: lost commits stay lost")
        .with("--prune=now --prune=all"),
    Deed::new("git", "prune", Danger, "git.reflog-gc",
        "prunes unreachable objects: lost commits stay lost"),
    Deed::new("git", "update-ref", Caution, "git.branch-delete",
        "deletes a ref without a merge check").with("-d --delete"),
    Deed::new("git", "worktree remove", Caution, "git.worktree",
        "force-removes a checkout with its uncommitted work").with("-f --force"),
    Deed::new("git", "submodule deinit", Caution, "git.worktree",
        "force-removes submodules with their uncommitted work").with("-f --force"),
    Deed::new("git", "submodule update", Caution, "git.discard",
        "discards uncommitted changes in submodules").with("-f --force"),
    Deed::new("git", "read-tree", Caution, "git.discard",
        "discards uncommitted changes (read-tree --reset)").with("--reset"),
    Deed::new("git", "lfs migrate import|export", Danger, "git.history-rewrite",
        "rewrites the commits of the history"),
    Deed::new("git", "lfs prune", Caution, "git.reflog-gc",
        "deletes large files that it only believes the remote to have (--verify-remote asks it)")
        .unless("-d -c --verify-remote"),
    Deed::new("git", "fast-import", Danger, "git.history-rewrite",
        "overwrites refs with other histories").with("--force"),
    Deed::new("git", "send-pack", Danger, "git.force-push",
        "force-pushes: published history is overwritten").with("-f --force --mirror"),
    Deed::new("git", "symbolic-ref", Caution, "git.branch-delete", "deletes a ref")
        .with("-d --delete"),
    Deed::new("git", "checkout-index", Caution, "git.discard",
        "discards uncommitted changes (checkout-index)").with("-f --force"),
];

/// Any subcommand, given with the words from its name on.
pub(super) fn others(call: &Call<'_>, report: &mut Report) {
    deeds::apply(call, DEEDS, &DEED_GRAMMAR, "-n --dry-run", report);
}
