//! Git: uncommitted work, untracked files, published history, the last ways back. Also other
//! systems.

mod commands;
mod deeds;
mod other_systems;

pub(super) use commands::git;
pub(super) use other_systems::{jar, other_systems};

use super::catalogue::Rule;
use crate::model::Severity::{Caution, Danger, Note};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("git.discard", Caution, "Uncommitted work thrown away", "git checkout -- .",
        "git restore --staged ."),
    Rule::new("git.clean", Caution, "Untracked files deleted", "git clean -fdx", "git clean -nf"),
    Rule::new("git.force-push", Danger, "Published history overwritten", "git push origin +main",
        "git push --force-with-lease"),
    Rule::new("git.remote-delete", Danger, "Remote ref removed", "git push origin :main",
        "git push --tags"),
    Rule::new("git.branch-delete", Caution, "Branch dropped without a merge check",
        "git branch -D x", "git branch -d x"),
    Rule::new("git.stash-drop", Caution, "Stash lost", "git stash clear", "git stash pop"),
    Rule::new("git.history-rewrite", Danger, "Existing commits rewritten",
        "git filter-branch --prune-empty HEAD", "git filter-repo --analyze"),
    Rule::new("git.reflog-gc", Danger, "Last way back removed",
        "git reflog expire --expire=now --all", "git gc"),
    Rule::new("git.worktree", Caution, "Linked checkout or submodule forced away",
        "git worktree remove -f wt", "git worktree remove wt"),
    Rule::new("git.rm-force", Caution, "Tracked files with edits removed", "git rm -rf .",
        "git rm --cached x"),
    Rule::new("git.amend", Note, "Last commit rewritten", "git commit --amend -m x",
        "git commit -m x"),
    Rule::new("git.no-verify", Note, "Hooks skipped", "git commit --no-verify -m x",
        "git commit -m x"),
    Rule::new("git.force-with-lease", Note,
        "Published history overwritten where nobody else has pushed", "git push --force-with-lease",
        "git push"),
];
