//! Tools that start other commands.

use super::{each, expect, told_with_stderr};
use crate::model::Status;

#[test]
fn wrappers_pass_the_code_on() {
    each(
        Status::Ok,
        "No matches found",
        &[
            ("sudo -u app grep x f", 1),
            ("env -i LC_ALL=C grep x f", 1),
            ("timeout -k 1 5 grep x f", 1),
            ("time grep x f", 1),
            ("nice -n 10 ionice -c 3 grep x f", 1),
            ("stdbuf -oL nohup grep x f", 1),
            ("FOO=1 command grep x f", 1),
            ("bash -lc 'grep x f'", 1),
            ("bash -c \"cd x && grep y f\"", 1),
            ("ssh -p 22 host 'cd x; grep y f'", 1),
            ("docker exec -it web grep x f", 1),
            ("docker run --rm alpine grep x f", 1),
            ("kubectl exec -n a pod -- grep x f", 1),
            ("eval 'grep x f'", 1),
            ("exec grep x f", 1),
            ("busybox grep x f", 1),
            ("uv run rg x", 1),
        ],
    );
    each(
        Status::Error,
        "timed out",
        &[("timeout 5 grep x f", 124), ("sudo timeout 5 ls", 124)],
    );
    each(
        Status::Error,
        "timeout itself failed",
        &[("timeout --bad", 125)],
    );
    each(
        Status::Error,
        "connection failed",
        &[("ssh host 'grep x f'", 255)],
    );
    each(
        Status::Error,
        "container engine itself",
        &[("docker run alpine ls", 125)],
    );
    each(Status::Error, "the lock is held", &[("flock -n l true", 1)]);
    each(
        Status::Signal,
        "SIGTERM",
        &[("timeout --preserve-status 5 sleep 9", 143)],
    );
    each(
        Status::Error,
        "make failed with",
        &[("bash -o pipefail -c 'make | tail'", 2)],
    );
    let told = told_with_stderr("sudo grep x f", 1, "sudo: a password is required\n");
    expect(&told, Status::Error, "a password is needed");
}

#[test]
fn many_calls_share_one_code() {
    each(
        Status::Ok,
        "No matches found, in at least one",
        &[("find . | xargs grep x", 123)],
    );
    each(
        Status::Error,
        "at least one call returned",
        &[("xargs -n1 ./check < f", 123)],
    );
    each(
        Status::Error,
        "xargs itself failed",
        &[("xargs grep x < f", 1)],
    );
    each(
        Status::Signal,
        "killed by a signal",
        &[("xargs ./crash < f", 125)],
    );
    each(
        Status::Ok,
        "No matches found",
        &[("find . -name x -exec grep y {} +", 1)],
    );
}

#[test]
fn a_program_of_the_project_is_no_tool_of_the_same_name() {
    each(
        Status::Error,
        "failed with exit code 1",
        &[
            ("./test", 1),
            ("./scripts/find", 1),
            ("python3 test.py", 1),
            ("node grep.js", 1),
            ("bun test", 1),
            ("hatch run test", 1),
        ],
    );
    each(
        Status::Ok,
        "No matches found",
        &[("/usr/bin/grep foo f", 1), ("~/.cargo/bin/rg foo", 1)],
    );
}

#[test]
fn a_script_that_a_shell_reads_is_looked_into() {
    each(
        Status::Ok,
        "No matches found",
        &[
            ("bash <<'EOF'\ncd x\ngrep foo f\nEOF", 1),
            ("sudo sh <<< 'grep foo f'", 1),
            ("timeout 9 bash -s <<EOF\nls\ngrep foo f\nEOF", 1),
        ],
    );
    each(
        Status::Error,
        "failed with exit code 1",
        &[
            ("bash <<'EOF'\ngrep foo f\nmake\nEOF", 1),
            ("bash < grep.sh", 1),
        ],
    );
    each(Status::Ok, "not running", &[("/etc/init.d/web status", 3)]);
}

#[test]
fn a_command_of_windows_is_no_builtin_of_bash() {
    use super::told_in;
    use crate::model::Dialect;
    expect(
        &told_in(Dialect::Cmd, "type missing.txt", 1),
        Status::Error,
        "could not be read",
    );
}
