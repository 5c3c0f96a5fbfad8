//! Files and version control.

use super::{assert_found, assert_silent};
use crate::model::Dialect;

#[test]
fn deletes_are_judged_by_target_and_options() {
    assert_found(
        Dialect::Bash,
        &[
            ("rm -rf ~/Documents", "fs.rm-root"),
            ("rm -Rf build", "fs.rm-recursive"),
            ("rm -rf ./*", "fs.rm-root"),
            ("rm -rf /usr/local", "fs.rm-root"),
            ("rm -rf $UNSET/x", "fs.rm-dynamic"),
            ("rm -rf -- /", "fs.rm-root"),
            ("rm -ir --force x", "fs.rm-recursive"),
            ("rm $(cat list.txt)", "fs.find-delete"),
            ("rm /dev/null", "fs.rm-protected"),
            ("rm -f prod.sqlite3", "fs.rm-protected"),
            ("rm ~/.kube/config", "fs.rm-protected"),
            ("rm *.log", "fs.rm-glob"),
            ("find . -name '*.log' | xargs rm -f", "fs.find-delete"),
            ("find . -type f -print0 | xargs -0 rm", "fs.find-delete"),
            ("find / -name x -o -delete", "fs.find-delete"),
            ("srm secret.txt", "fs.shred"),
            ("cmake -E rm -rf out", "fs.rm-recursive"),
            (
                "while read -r f; do rm \"$f\"; done < list",
                "fs.find-delete",
            ),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "rm -rf -i x",
            "rm \"-rf src\"",
            "rm --help",
            "rm -f .git/index.lock",
            "rm -rf /tmp/a/../b",
            "rm -rf a/node_modules b/__pycache__",
            "rm -f \"/tmp/lock.$$\"",
            "rm -rf \"/tmp/build-$$\"",
            "find . -name __pycache__ -type d -exec rm -r {} +",
            "find . -type d -empty -delete",
            "find /tmp/x -delete",
            "cp a b",
            "unlink notes.txt",
        ],
    );
}

#[test]
fn overwrites_are_judged_by_what_is_lost() {
    assert_found(
        Dialect::Bash,
        &[
            ("> notes.txt", "fs.truncate"),
            (": > app.log", "fs.truncate"),
            ("cp /dev/null app.log", "fs.truncate"),
            ("ln -sf /dev/null app.log", "fs.truncate"),
            ("echo -n > x", "fs.truncate"),
            ("tee app.log < /dev/null", "fs.truncate"),
            ("sed -i d app.log", "fs.truncate"),
            ("truncate --size=0 x.db", "fs.truncate"),
            ("sort names > names", "fs.self-clobber"),
            ("tr a b < f > f", "fs.self-clobber"),
            ("sort f | tee f", "fs.self-clobber"),
            ("perl -pe s/a/b/ f > ./f", "fs.self-clobber"),
            ("echo x > /etc/hosts", "fs.redirect-protected"),
            ("cp x /boot/vmlinuz", "fs.redirect-protected"),
            ("echo x > .git/config", "fs.redirect-protected"),
            ("install -m 644 x /etc/sudoers", "fs.redirect-protected"),
            ("cp hosts /etc/", "fs.redirect-protected"),
            ("mv /usr /usr.old", "fs.mv-clobber"),
            ("yes > fill", "sys.resource"),
            ("cat x | sudo tee /dev/sdb", "disk.raw-write"),
            ("cp img /dev/sda", "disk.raw-write"),
            ("echo c > /proc/sysrq-trigger", "sys.power"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "> /tmp/x",
            "make 2> err.log",
            "ls > files.txt",
            "sort -o f f",
            "sort f | sponge f",
            "echo x >> /etc/hosts",
            "cp app /usr/local/bin/app",
            "cp nginx.conf /etc/nginx/conf.d/",
            "cp .env.example .env",
            "cp /dev/null src/",
            "ln -sf target link",
            "dd if=/dev/zero of=disk.img bs=1M count=10",
            "yes | head -n 3 > x",
            "sed -i s/a/b/ f",
            "sed s/x/=\\<set\\>/ f",
            "tee -a log < x",
            "truncate -s 1G disk.img",
            "echo hi > /dev/stderr",
        ],
    );
}

#[test]
fn git_is_judged_by_subcommand_and_options() {
    assert_found(
        Dialect::Bash,
        &[
            ("git reset HEAD~1 --har", "git.discard"),
            ("git checkout src/main.rs", "git.discard"),
            ("git checkout HEAD~1 file.txt", "git.discard"),
            ("git restore -SW .", "git.discard"),
            ("git switch -f main", "git.discard"),
            ("git clean -fdx -- . clean -n", "git.clean"),
            ("git clean -fd --exclude=-n", "git.clean"),
            ("git push -fu origin x", "git.force-push"),
            ("git push --mirror", "git.force-push"),
            ("git push origin :refs/tags/v1", "git.remote-delete"),
            ("git branch -d -f x", "git.branch-delete"),
            ("git gc --prune=now", "git.reflog-gc"),
            ("git lfs prune", "git.reflog-gc"),
            (
                "git filter-repo --path x --invert-paths",
                "git.history-rewrite",
            ),
            ("hg update -C", "git.discard"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "git push origin HEAD:main",
            "git push --no-force",
            "git checkout feature/x",
            "git checkout release/1.0",
            "git checkout -b new origin/main",
            "git checkout -p",
            "git restore --staged .",
            "git stash",
            "git stash list",
            "git branch -m old new",
            "git rm -r docs",
            "git commit -m 'git reset --hard'",
            "git log -- --hard",
            "git reflog expire --dry-run --all",
            "git worktree prune",
            "git lfs prune --verify-remote",
            "git lfs prune --dry-run",
            "git tag -d v1",
        ],
    );
}
