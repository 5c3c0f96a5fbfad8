//! Files that the text writes and then runs, wrappers, filters and names of the shell.

use super::{assert_found, assert_silent};
use crate::model::Dialect;

#[test]
fn files_written_and_then_run_are_read() {
    assert_found(
        Dialect::Bash,
        &[
            (
                "echo 'import shutil; shutil.rmtree(\"src\")' > d.py; python3 d.py",
                "fs.rm-recursive",
            ),
            (
                "cat > m.go <<'G' && go run m.go\nfunc main() { os.RemoveAll(\"src\") }\nG",
                "fs.rm-recursive",
            ),
            (
                "cat > Makefile <<'M'; make wipe\nwipe:\n\trm -rf src\nM",
                "fs.rm-recursive",
            ),
            ("echo 'DROP TABLE users;' > q.sql; psql -f q.sql", "db.drop"),
            ("cat <(echo rm -rf src) | sh", "fs.rm-recursive"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "echo 'import shutil; shutil.rmtree(\"src\")' > d.py",
            "echo 'require(\"fs\").rmSync(\"src\")' > x.js; node --check x.js",
            "echo 'SELECT 1;' > q.sql; psql -f q.sql",
            "printf 'wipe:\\n\\trm -rf src\\n' > Makefile; make -n wipe",
        ],
    );
}

#[test]
fn wrappers_are_taken_off() {
    for wrapper in [
        "ltrace -S",
        "gdb -batch -ex run --args",
        "nix develop -c",
        "guix shell coreutils --",
        "tsp",
        "xterm -e",
        "apptainer exec img",
        "limactl shell default",
        "railway run",
        "pixi run",
        "sandbox-exec -p x",
        "eatmydata",
        "logsave log",
        "rr record",
        "colima ssh --",
        "nomad alloc exec a",
        "hatch run",
    ] {
        assert_found(
            Dialect::Bash,
            &[(&format!("{wrapper} rm -rf src"), "fs.rm-recursive")],
        );
    }
    assert_found(
        Dialect::Bash,
        &[
            ("capsh -- -c 'rm -rf src'", "fs.rm-recursive"),
            ("less +'!rm -rf src' f", "fs.rm-recursive"),
            ("ex -sc '!rm -rf src' -cq", "fs.rm-recursive"),
            ("nu -c 'rm -rf src'", "fs.rm-recursive"),
            (
                "az vm run-command invoke -g g -n v --scripts 'rm -rf src'",
                "fs.rm-recursive",
            ),
            (
                "(crontab -l; echo '0 0 * * * rm -rf src') | crontab -",
                "fs.rm-recursive",
            ),
            ("sed 's/.*/rm -rf &/e' f", "fs.rm-dynamic"),
            ("sed 's/^/rm -rf /' list | sh", "fs.rm-dynamic"),
            ("awk '{print \"rm -rf\", $1}' list | bash", "fs.rm-dynamic"),
        ],
    );
}

#[test]
fn filters_hand_on_what_they_keep() {
    assert_found(
        Dialect::Bash,
        &[
            (
                "echo 'ls; rm -rf src' | cut -d';' -f2 | sh",
                "fs.rm-recursive",
            ),
            (
                "printf 'a\\nrm -rf src\\n' | tail -1 | sh",
                "fs.rm-recursive",
            ),
            (
                "printf 'a\\nrm -rf src\\n' | grep rm | bash",
                "fs.rm-recursive",
            ),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "printf 'ls\\nrm -rf src\\n' | head -1 | sh",
            "printf 'ls\\nrm -rf src\\n' | grep -v rm | sh",
        ],
    );
}

#[test]
fn only_the_shell_itself_knows_its_functions() {
    assert_found(
        Dialect::Bash,
        &[
            ("rm() { echo; }; sudo rm -rf src", "fs.rm-recursive"),
            ("rm() { echo; }; command rm -rf src", "fs.rm-recursive"),
            ("rm() { command rm -rf \"$@\"; }; rm src", "fs.rm-recursive"),
            ("hash -p /bin/rm x; x -rf src", "fs.rm-recursive"),
            ("declare -n ref=c; c=rm; $ref -rf src", "fs.rm-recursive"),
            ("while :; do sh -c 'yes > /dev/null' & done", "sys.resource"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "rm() { echo; }; rm -rf src",
            "while :; do ls; sleep 1; done",
        ],
    );
}
