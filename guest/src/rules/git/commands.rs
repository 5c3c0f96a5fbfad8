//! The subcommands of git whose options decide.

use super::deeds;
use crate::model::Severity::{Caution, Danger, Note};
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};
use crate::syntax::Word;

const GLOBAL: Grammar = Grammar {
    short_values: "Cc",
    long_values: "git-dir work-tree namespace super-prefix config-env exec-path list-cmds \
        attr-source",
    permutes: false,
    ..Grammar::PLAIN
};

/// `git`.
pub(in crate::rules) fn git(call: &Call<'_>, report: &mut Report) {
    let global = Options::parse(&GLOBAL, call.args);
    let Some(name) = global.operands.first() else {
        return;
    };
    let Some(name) = name.literal() else { return };
    if global.asks_for_help() {
        return;
    }
    let at = call.args.len() + 1 - global.operands.len();
    let command = Command {
        call,
        args: &call.args[at..],
        global: &global,
    };
    match name.as_str() {
        "reset" => command.reset(report),
        "checkout" => command.checkout(report),
        "switch" => command.switch(report),
        "restore" => command.restore(report),
        "clean" => command.clean(report),
        "push" => command.push(report),
        "branch" => command.branch(report),
        "rm" => command.remove(report),
        "commit" | "merge" | "rebase" | "cherry-pick" | "am" => command.commit(&name, report),
        _ => command.others(report),
    }
}

struct Command<'a> {
    call: &'a Call<'a>,
    /// The words after the subcommand.
    args: &'a [Word],
    global: &'a Options<'a>,
}

impl Command<'_> {
    /// The subcommand's options, unless it only explains itself.
    fn options(&self, grammar: &Grammar) -> Option<Options<'_>> {
        let options = Options::parse(grammar, self.args);
        let help = options.asks_for_help() || options.short('h');
        (!help).then_some(options)
    }

    fn discard(&self, message: &str, report: &mut Report) {
        report.add("git.discard", Caution, message, self.call.span());
    }

    fn reset(&self, report: &mut Report) {
        let grammar = Grammar {
            long_values: "pathspec-from-file",
            long_names: "hard soft mixed keep merge quiet patch intent-to-add refresh no-refresh \
                help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        if options.long_given("hard") {
            self.discard("discards all uncommitted changes (reset --hard)", report);
        } else if options.long_given("merge") {
            self.discard("discards staged changes (reset --merge)", report);
        }
    }

    fn checkout(&self, report: &mut Report) {
        let grammar = Grammar {
            short_values: "bBU",
            long_values: "orphan conflict pathspec-from-file unified inter-hunk-context",
            long_names: "force ours theirs merge patch detach track no-track quiet progress guess \
                overlay no-overlay ignore-skip-worktree-bits recurse-submodules overwrite-ignore \
                help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        if options.has('p', "patch") {
            return;
        }
        if options.has('f', "force") {
            self.discard("discards uncommitted changes (checkout --force)", report);
            return;
        }
        let makes_branch = options.any_short("bBt")
            || ["orphan", "track", "detach"]
                .iter()
                .any(|name| options.long_given(name));
        let paths_after_dashes = options.operands.len() > options.before_dashes;
        let tree_and_path = !makes_branch && options.before_dashes >= 2;
        let path_alone = !makes_branch
            && options.operands[..options.before_dashes]
                .iter()
                .any(|word| looks_like_path(&word.shown()));
        if paths_after_dashes
            || tree_and_path
            || path_alone
            || options.long_given("pathspec-from-file")
        {
            self.discard(
                "discards uncommitted changes in files (checkout of paths)",
                report,
            );
        }
    }

    fn switch(&self, report: &mut Report) {
        let grammar = Grammar {
            short_values: "cC",
            long_values: "create force-create orphan conflict",
            long_names: "force discard-changes merge detach track no-track guess quiet help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        if options.has('f', "force") || options.long_given("discard-changes") {
            self.discard("discards uncommitted changes (switch)", report);
        }
    }

    fn restore(&self, report: &mut Report) {
        let grammar = Grammar {
            short_values: "sU",
            long_values: "source pathspec-from-file conflict unified",
            long_names: "staged worktree patch quiet ours theirs merge overlay no-overlay \
                ignore-unmerged help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        let index_only = options.has('S', "staged") && !options.has('W', "worktree");
        if !index_only && !options.has('p', "patch") && !self.args.is_empty() {
            self.discard("discards uncommitted changes in files (restore)", report);
        }
    }

    fn clean(&self, report: &mut Report) {
        let grammar = Grammar {
            short_values: "e",
            long_values: "exclude",
            long_names: "force dry-run interactive quiet help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        let not_required = self.global.values('c', " ").any(|pair| {
            matches!(
                pair.to_ascii_lowercase().as_str(),
                "clean.requireforce=false" | "clean.requireforce=0" | "clean.requireforce=no"
            )
        });
        let forced = options.has('f', "force") || not_required;
        if forced && !options.has('n', "dry-run") && !options.has('i', "interactive") {
            report.add(
                "git.clean",
                Caution,
                "deletes untracked files for good",
                self.call.span(),
            );
        }
    }

    fn push(&self, report: &mut Report) {
        let grammar = Grammar {
            short_values: "o",
            long_values: "push-option repo receive-pack exec recurse-submodules",
            long_names: "all branches mirror tags delete prune force force-with-lease \
                force-if-includes no-force no-force-with-lease dry-run follow-tags set-upstream \
                quiet verbose verify no-verify atomic porcelain progress thin signed no-signed \
                help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        if options.has('n', "dry-run") {
            return;
        }
        let span = self.call.span();
        let forced = options.given.iter().fold(false, |forced, option| {
            match (option.short, option.name.as_str()) {
                (true, "f") => true,
                (false, "force") => !matches!(option.value.as_deref(), Some("false" | "no" | "0")),
                (false, "no-force") => false,
                _ => forced,
            }
        });
        let refs: Vec<String> = options
            .operands
            .iter()
            .skip(1)
            .map(|word| word.shown())
            .collect();
        let plus = refs
            .iter()
            .any(|name| name.starts_with('+') && name.len() > 1);
        let mirror = options.long_given("mirror");
        if forced || plus || mirror {
            report.add(
                "git.force-push",
                Danger,
                "force-pushes: published history is overwritten",
                span,
            );
        } else if options
            .given
            .iter()
            .any(|option| !option.short && option.name == "force-with-lease")
        {
            let message =
                "force-pushes with a lease: overwrites history that nobody else has moved";
            report.add("git.force-with-lease", Note, message, span);
        }
        let deletes = options.has('d', "delete")
            || options.long_given("prune")
            || refs.iter().any(|name| {
                name.trim_start_matches('+').starts_with(':') && name.len() > 1 && name != "+:"
            });
        if deletes {
            report.add(
                "git.remote-delete",
                Danger,
                "deletes a branch or tag on the remote",
                span,
            );
        }
        self.hooks(&options, false, report);
    }

    fn hooks(&self, options: &Options<'_>, short: bool, report: &mut Report) {
        if options.long_given("no-verify") || short && options.short('n') {
            report.add(
                "git.no-verify",
                Note,
                "skips the hooks (--no-verify)",
                self.call.span(),
            );
        }
    }

    fn branch(&self, report: &mut Report) {
        let grammar = Grammar {
            short_values: "u",
            long_values: "set-upstream-to sort points-at format",
            long_names: "delete force move copy list all remotes merged no-merged contains \
                no-contains verbose quiet track no-track edit-description unset-upstream \
                show-current create-reflog column help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        let deletes = options.has('d', "delete");
        if options.short('D') || deletes && options.has('f', "force") {
            report.add(
                "git.branch-delete",
                Caution,
                "force-deletes a branch, merged or not",
                self.call.span(),
            );
        }
    }

    fn remove(&self, report: &mut Report) {
        let grammar = Grammar {
            long_values: "pathspec-from-file",
            long_names: "force cached dry-run quiet ignore-unmatch sparse help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        if options.has('f', "force")
            && !options.long_given("cached")
            && !options.has('n', "dry-run")
        {
            report.add(
                "git.rm-force",
                Caution,
                "force-removes tracked files with their uncommitted edits",
                self.call.span(),
            );
        }
    }

    fn commit(&self, name: &str, report: &mut Report) {
        let grammar = Grammar {
            short_values: "mFCctSsX",
            long_values: "message file reuse-message reedit-message author date template cleanup \
                fixup squash trailer strategy strategy-option onto exec",
            long_names: "amend all verify no-verify no-edit edit signoff dry-run allow-empty quiet \
                verbose include only patch reset-author help",
            ..Grammar::PLAIN
        };
        let Some(options) = self.options(&grammar) else {
            return;
        };
        if name == "commit" && options.long_given("amend") {
            report.add(
                "git.amend",
                Note,
                "amends: the last commit is rewritten",
                self.call.span(),
            );
        }
        self.hooks(&options, name == "commit", report);
    }

    fn others(&self, report: &mut Report) {
        let config = |key: &str| {
            self.global
                .values('c', " ")
                .any(|pair| pair.to_ascii_lowercase().starts_with(key))
        };
        let whole = Call {
            args: &self.call.args[self.call.args.len() - self.global.operands.len()..],
            ..*self.call
        };
        let known = report.findings.len();
        deeds::others(&whole, report);
        let collects = self.global.operand(0).as_deref() == Some("gc");
        if collects
            && report.findings.len() == known
            && config("gc.reflogexpire") | config("gc.pruneexpire")
        {
            report.add(
                "git.reflog-gc",
                Danger,
                "drops what only the reflog still reaches",
                self.call.span(),
            );
        }
    }
}

/// Whether a lone operand of `checkout` is a path rather than a branch.
fn looks_like_path(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or_default();
    let extension = last
        .rsplit_once('.')
        .map(|(stem, extension)| (!stem.is_empty(), extension));
    text == "."
        || text == ".."
        || text.starts_with("./")
        || text.starts_with("../")
        || text.starts_with(":/")
        || text.starts_with(":(")
        || text.contains('*')
        || text.ends_with('/')
        || matches!(extension, Some((true, name)) if is_extension(name))
}

/// Whether what follows the last dot looks like that of a file rather than a version's (`1.x`).
fn is_extension(name: &str) -> bool {
    (1..=5).contains(&name.len())
        && name != "x"
        && name.bytes().all(|byte| byte.is_ascii_lowercase())
}
