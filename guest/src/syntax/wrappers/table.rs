//! Wrappers that only need a row: their options, the operands of their own, and what follows.

use super::super::invocation::{Assignment, Via};
use super::super::word::Word;
use super::options::{Grammar, assignment, is_among, may_vanish, scan};
use super::{Call, Carried, CarriedCommand, Peeled, Reader, Script, joined};

/// What follows a wrapper's options and own operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// A program with its arguments.
    Command,
    /// The same, with `NAME=value` words in front.
    Environment,
    /// Words that are joined and given to a shell.
    Script,
    /// Each word is a script.
    Scripts,
    /// An architecture unless an option comes first, then options and a command.
    Architecture,
    /// A command only behind `--`.
    Dashes,
    /// A command behind one of these options.
    Behind(&'static str),
    /// Nothing: only the options carry something.
    Nothing,
}

/// One wrapper.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// Its names, space separated.
    names: &'static str,
    /// Subcommands on the way, space separated; alternatives with `|`.
    path: &'static str,
    via: Via,
    grammar: Grammar,
    /// How many operands are its own.
    skip: usize,
    tail: Tail,
    /// Options (space separated, as written) whose value is a shell script.
    scripts: &'static str,
    /// Whether the command runs in another file system.
    elsewhere: bool,
    /// Whether options may also follow the wrapper's own operands.
    interspersed: bool,
}

const fn row(names: &'static str, via: Via, grammar: Grammar, skip: usize, tail: Tail) -> Row {
    Row {
        names,
        path: "",
        via,
        grammar,
        skip,
        tail,
        scripts: "",
        elsewhere: false,
        interspersed: false,
    }
}

impl Row {
    const fn path(mut self, path: &'static str) -> Self {
        self.path = path;
        self
    }

    const fn scripts(mut self, scripts: &'static str) -> Self {
        self.scripts = scripts;
        self
    }

    const fn interspersed(mut self) -> Self {
        self.interspersed = true;
        self
    }

    const fn elsewhere(mut self) -> Self {
        self.elsewhere = true;
        self
    }
}

const PLAIN: Grammar = Grammar::PLAIN;

const DOCKER: Grammar = Grammar::new(
    "acehlmpuvwH",
    "config context host log-level tlscacert tlscert tlskey env env-file workdir user detach-keys \
     add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cgroupns cidfile cpus \
     cpu-shares cpuset-cpus device dns entrypoint expose gpus group-add health-cmd hostname init-path \
     ip ipc isolation label label-file link log-driver log-opt mac-address memory memory-swap mount \
     name net network network-alias oom-score-adj pid pids-limit platform publish pull restart runtime \
     security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit userns uts volume \
     volume-driver volumes-from file project-name project-directory profile index",
);
const BWRAP: Grammar = Grammar::new(
    "",
    "args argv0 userns userns2 pidns uid gid hostname chdir unsetenv lock-file sync-fd exec-label \
     file-label proc dev tmpfs mqueue dir seccomp add-seccomp-fd block-fd userns-block-fd info-fd \
     json-status-fd cap-add cap-drop perms size remount-ro",
)
.pairs(
    "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-data ro-bind-data symlink setenv \
     file overlay-src chmod",
);
const COMPOSE: Grammar = Grammar::new(
    "fpewuvl",
    "file project-name project-directory profile env-file ansi parallel env workdir user index name \
     entrypoint label publish volume pull progress cap-add cap-drop",
);
const KUBECTL: Grammar = Grammar::new(
    "ncsf",
    "namespace container context cluster kubeconfig server user token filename as as-group \
     request-timeout pod-running-timeout image env labels restart overrides",
);

/// The table. Rows with a path stand beside rows of other paths of the same program.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Another identity.
    row(
        "sudo",
        Via::Privilege,
        Grammar::new(
            "ugpCTrthDRUc",
            "user group prompt close-from command-timeout role type host chdir chroot other-user",
        ).abbreviates()
        .inert("-l -v -K -V -e --list --validate --remove-timestamp --edit"),
        0,
        Tail::Environment,
    ),
    row("doas", Via::Privilege, Grammar::new("uCa", "").inert("-L -C"), 0, Tail::Environment),
    row("pkexec", Via::Privilege, Grammar::new("", "user"), 0, Tail::Command),
    row("please", Via::Privilege, Grammar::new("uadr", "user dir reason").inert("-l"), 0, Tail::Command),
    row("run0", Via::Privilege, Grammar::new("ugDp", "user group chdir property unit slice setenv nice background"), 0, Tail::Command),
    row("gosu su-exec setuidgid s6-setuidgid", Via::Privilege, PLAIN, 1, Tail::Command),
    row("setpriv", Via::Wrapper, Grammar::new("", "reuid regid groups inh-caps ambient-caps bounding-set securebits selinux-label apparmor-profile pdeathsig").inert("-d --dump"), 0, Tail::Command),
    row("sg", Via::Privilege, Grammar::new("c", ""), 1, Tail::Script).scripts("-c"),
    // Environment, limits, sessions.
    row("nice", Via::Wrapper, Grammar::new("n", "adjustment").abbreviates(), 0, Tail::Command),
    row("ionice", Via::Wrapper, Grammar::new("cnpPu", "class classdata").abbreviates().inert("-p -P -u --pid --pgid --uid"), 0, Tail::Command),
    row("chrt", Via::Wrapper, Grammar::new("TPDp", "sched-runtime sched-period sched-deadline").inert("-p -m --pid --max"), 1, Tail::Command),
    row("taskset", Via::Wrapper, Grammar::PLAIN.inert("-p --pid"), 1, Tail::Command),
    row("nohup", Via::Wrapper, PLAIN, 0, Tail::Command),
    row("setsid", Via::Wrapper, PLAIN, 0, Tail::Command),
    row("time gtime", Via::Wrapper, Grammar::new("of", "output format").abbreviates().inert("-V"), 0, Tail::Command),
    row("timeout gtimeout", Via::Wrapper, Grammar::new("ks", "kill-after signal").abbreviates(), 1, Tail::Command),
    row("stdbuf", Via::Wrapper, Grammar::new("ioe", "input output error").abbreviates(), 0, Tail::Command),
    row("command", Via::Wrapper, Grammar::PLAIN.inert("-v -V"), 0, Tail::Command),
    row("builtin", Via::Wrapper, PLAIN, 0, Tail::Command),
    row("exec", Via::Wrapper, Grammar::new("a", ""), 0, Tail::Command),
    row("prlimit", Via::Wrapper, Grammar::new("po", "pid output").inert("-p --pid"), 0, Tail::Command),
    row("cpulimit", Via::Wrapper, Grammar::new("lpec", "limit pid exe cpu path").inert("-p -e"), 0, Tail::Command),
    row("numactl", Via::Wrapper, Grammar::new("iNmCplw", "interleave preferred membind cpunodebind physcpubind weighted-interleave").inert("-s -H --show --hardware"), 0, Tail::Command),
    row("systemd-run", Via::Wrapper, Grammar::new("puHMEG", "property unit host machine setenv description slice uid gid nice working-directory service-type on-active on-boot on-startup on-unit-active on-calendar timer-property path-property"), 0, Tail::Command),
    row("systemd-inhibit", Via::Wrapper, Grammar::new("", "what who why mode").inert("--list"), 0, Tail::Command),
    row("caffeinate", Via::Wrapper, Grammar::new("tw", ""), 0, Tail::Command),
    row("catchsegv unbuffer chronic torsocks proxychains proxychains4 rlwrap dumb-init", Via::Wrapper, PLAIN, 0, Tail::Command),
    row("linux32 linux64 i386 x86_64 uname26", Via::Wrapper, PLAIN, 0, Tail::Command),
    row("setarch", Via::Wrapper, PLAIN, 0, Tail::Architecture),
    row("fakeroot", Via::Wrapper, Grammar::new("lsbi", "lib faked"), 0, Tail::Command),
    row("xvfb-run", Via::Wrapper, Grammar::new("nsefpw", "server-num server-args error-file auth-file wait"), 0, Tail::Command),
    row("dbus-run-session", Via::Wrapper, Grammar::new("", "config-file dbus-daemon"), 0, Tail::Command),
    row("tini", Via::Wrapper, Grammar::new("pe", ""), 0, Tail::Command),
    row("cgexec", Via::Wrapper, Grammar::new("g", ""), 0, Tail::Command),
    row("arch", Via::Wrapper, Grammar::new("de", ""), 0, Tail::Command),
    row("poetry pipenv hatch pdm rye", Via::Wrapper, Grammar::new("Cp", "directory project"), 0, Tail::Command).path("run"),
    row("uv", Via::Wrapper, Grammar::new("p", "with with-editable with-requirements python extra group only-group package env-file index project directory"), 0, Tail::Command).path("run"),
    row("bundle", Via::Wrapper, Grammar::new("", "gemfile"), 0, Tail::Command).path("exec"),
    row("npm pnpm yarn", Via::Wrapper, Grammar::new("pwcFC", "package workspace call filter dir cwd"), 0, Tail::Command).path("exec|x").scripts("-c --call"),
    row("mise rtx", Via::Wrapper, PLAIN, 0, Tail::Dashes).path("exec|x"),
    row("asdf rbenv pyenv nodenv goenv jenv", Via::Wrapper, PLAIN, 0, Tail::Command).path("exec"),
    row("concurrently", Via::Wrapper, Grammar::new("ncpl", "names name-separator prefix prefix-colors prefix-length max-processes restart-tries restart-after kill-others-on-fail success"), 0, Tail::Scripts),
    row("adb", Via::Ssh, Grammar::new("sHPLt", ""), 0, Tail::Script).path("shell|exec-out"),
    row("pdsh", Via::Ssh, Grammar::new("wxfltugRIMo", ""), 0, Tail::Script),
    row("parallel-ssh pssh", Via::Ssh, Grammar::new("hHlpoetOxX", "hosts host user par outdir errdir timeout option"), 0, Tail::Script),
    row("clush", Via::Ssh, Grammar::new("wxgXlfto", "nodes group hostfile user fanout"), 0, Tail::Script),
    row("dsh", Via::Ssh, Grammar::new("mfgnro", "machine file group num-topology remoteshell"), 0, Tail::Script),
    row("fab", Via::Ssh, Grammar::new("Hi", "hosts identity"), 0, Tail::Dashes),
    row("daemonize", Via::Wrapper, Grammar::new("capoeElu", ""), 0, Tail::Command),
    row("valgrind perf-record heaptrack strace dtruss uftrace", Via::Wrapper, Grammar::new("eopsuEaAbIOPSXnDFl", "output trace columns string-limit user env attach summary-sort-by").inert("-V"), 0, Tail::Command),
    row("ltrace", Via::Wrapper, Grammar::new("aAeFlnopsuwxD", "output align config").inert("-V -p"), 0, Tail::Command),
    row("rr", Via::Wrapper, PLAIN, 0, Tail::Command).path("record"),
    row("nocache eatmydata trickle tsocks torify faketty ts tsp sem lckdo ifne setsid-run wine winpty runcon pee", Via::Wrapper, Grammar::new("dusL", ""), 0, Tail::Command),
    row("logsave", Via::Wrapper, PLAIN, 1, Tail::Command),
    row("envdir", Via::Wrapper, PLAIN, 1, Tail::Command),
    row("softlimit", Via::Wrapper, Grammar::new("adflmnopqrst", ""), 0, Tail::Command),
    row("with-contenv s6-envdir", Via::Wrapper, PLAIN, 0, Tail::Command),
    row("minijail0 nsjail", Via::Wrapper, Grammar::new("ugPbScCdkvtTR", ""), 0, Tail::Command),
    row("sandbox-exec", Via::Wrapper, Grammar::new("fpnD", ""), 0, Tail::Command),
    row("ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1", Via::Wrapper, Grammar::new("", "library-path preload argv0 audit"), 0, Tail::Command),
    row("xterm konsole alacritty foot kitty gnome-terminal wezterm urxvt st", Via::Wrapper, PLAIN, 0, Tail::Behind("-- -e -x")),
    row("apptainer singularity", Via::Container, Grammar::new("BH", "bind home pwd env workdir"), 1, Tail::Command).path("exec").elsewhere(),
    row("ctr", Via::Container, Grammar::new("nat", "namespace address exec-id user cwd"), 1, Tail::Command).path("task|tasks|t exec").elsewhere(),
    row("crictl", Via::Container, Grammar::new("r", "runtime-endpoint timeout"), 1, Tail::Command).path("exec").elsewhere(),
    row("limactl lima", Via::Container, Grammar::new("", "workdir shell"), 1, Tail::Command).path("shell").elsewhere(),
    row("colima minikube podman", Via::Ssh, PLAIN, 0, Tail::Dashes).path("ssh"),
    row("toolbox", Via::Container, Grammar::new("c", "container"), 0, Tail::Command).path("run").elsewhere(),
    row("flatpak", Via::Container, Grammar::new("", "command branch arch"), 0, Tail::Nothing).path("run").scripts("--command"),
    row("nomad", Via::Container, Grammar::new("", "task job"), 1, Tail::Command).path("alloc exec").elsewhere(),
    row("tsh", Via::Ssh, Grammar::new("lpi", "login proxy cluster"), 1, Tail::Script).path("ssh"),
    row("railway", Via::Wrapper, Grammar::new("se", "service environment"), 0, Tail::Command).path("run"),
    row("kamal", Via::Container, Grammar::new("dhrc", "destination hosts roles"), 0, Tail::Scripts).path("app|server exec"),
    row("eb", Via::Ssh, Grammar::new("cn", "command number"), 0, Tail::Nothing).path("ssh").scripts("-c --command"),
    row("cf", Via::Ssh, Grammar::new("ci", "command"), 0, Tail::Nothing).path("ssh").scripts("-c --command"),
    row("volta fnm", Via::Wrapper, Grammar::new("", "node using"), 0, Tail::Command).path("run|exec"),
    row("devbox devenv pixi flox", Via::Wrapper, Grammar::new("ced", "config env"), 0, Tail::Command).path("run|shell"),
    row("guix", Via::Wrapper, PLAIN, 0, Tail::Dashes).path("shell|environment"),
    row("lerna nx", Via::Wrapper, PLAIN, 0, Tail::Dashes).path("exec"),
    row("cargo", Via::Wrapper, Grammar::new("xsw", "exec shell watch"), 0, Tail::Nothing).path("watch").scripts("-s --shell"),
    row("reflex", Via::Wrapper, Grammar::new("rRgGd", "regex glob"), 0, Tail::Dashes),
    row("onchange chokidar", Via::Wrapper, Grammar::new("c", "command"), 0, Tail::Dashes).scripts("-c --command"),
    row("coverage", Via::Wrapper, PLAIN, 0, Tail::Nothing).path("run"),
    row("repo", Via::Wrapper, Grammar::new("cjr", "command"), 0, Tail::Nothing).path("forall").scripts("-c --command"),
    row("dtrace bpftrace", Via::Wrapper, Grammar::new("cepns", ""), 0, Tail::Nothing).scripts("-c"),
    row("execlineb", Via::Wrapper, Grammar::new("c", ""), 0, Tail::Nothing).scripts("-c"),
    row("perf", Via::Wrapper, Grammar::new("eCpto", "event output"), 0, Tail::Command).path("stat|record|trace"),
    row("faketime", Via::Wrapper, Grammar::new("p", ""), 1, Tail::Command),
    row("chpst", Via::Wrapper, Grammar::new("uUbe/nmdofpcrt", ""), 0, Tail::Command),
    row("direnv", Via::Wrapper, PLAIN, 1, Tail::Command).path("exec"),
    row("conda mamba micromamba", Via::Wrapper, Grammar::new("np", "name prefix cwd"), 0, Tail::Command).path("run"),
    row("sshpass", Via::Wrapper, Grammar::new("fdpP", ""), 0, Tail::Command),
    row("hyperfine", Via::Wrapper, Grammar::new("wmMrspcnSuLPDi", "warmup min-runs max-runs runs setup prepare conclude cleanup command-name shell time-unit export-json export-csv export-markdown style parameter-list parameter-scan"), 0, Tail::Scripts).scripts("-p --prepare -c --cleanup -s --setup"),
    row("watchexec", Via::Wrapper, Grammar::new("wefisodt", "watch exts filter ignore signal"), 0, Tail::Script),
    row("nodemon", Via::Wrapper, Grammar::new("wexd", "watch ext exec delay ignore signal"), 0, Tail::Nothing).scripts("-x --exec"),
    // Locks, watchers, recorders.
    row("flock", Via::Wrapper, Grammar::new("Ewc", "conflict-exit-code timeout wait command").abbreviates(), 1, Tail::Command).scripts("-c --command"),
    row("lockfile-exec with-lock-ex setlock", Via::Wrapper, PLAIN, 1, Tail::Command),
    row("script", Via::Wrapper, Grammar::new("cBEIOTmo", "command echo log-in log-out log-io log-timing logging-format output-limit").abbreviates(), 1, Tail::Command).scripts("-c --command"),
    row("entr", Via::Wrapper, PLAIN, 0, Tail::Command),
    // Other roots and name spaces.
    row("chroot", Via::Wrapper, Grammar::new("", "userspec groups").abbreviates(), 1, Tail::Command).elsewhere(),
    row("unshare", Via::Wrapper, Grammar::new("SGRwl", "setuid setgid root wd map-user map-group map-users map-groups propagation setgroups monotonic boottime load-interp"), 0, Tail::Command),
    row("nsenter", Via::Wrapper, Grammar::new("tSGNW", "target setuid setgid net-socket").attached("muinpCUTrw"), 0, Tail::Command),
    row("bwrap", Via::Wrapper, BWRAP, 0, Tail::Command),
    row("firejail", Via::Wrapper, PLAIN, 0, Tail::Command),
    row("proot", Via::Wrapper, Grammar::new("rbmwqk", "rootfs bind mount cwd pwd qemu"), 0, Tail::Command),
    row("systemd-nspawn", Via::Container, Grammar::new("DMiuUpE", "directory machine image user property setenv bind bind-ro"), 0, Tail::Command).elsewhere(),
    row("flatpak-spawn", Via::Wrapper, Grammar::new("", "env directory"), 0, Tail::Command),
    row("distrobox distrobox-enter", Via::Container, Grammar::new("n", "name"), 1, Tail::Dashes).path("enter"),
    // Containers.
    row("docker podman nerdctl", Via::Container, DOCKER, 1, Tail::Command).path("exec").elsewhere(),
    row("docker podman nerdctl", Via::Container, DOCKER, 1, Tail::Command).path("container exec").elsewhere(),
    row("docker podman nerdctl", Via::Container, DOCKER, 1, Tail::Command).path("run").elsewhere(),
    row("docker podman nerdctl", Via::Container, DOCKER, 1, Tail::Command).path("container run").elsewhere(),
    row("docker podman nerdctl", Via::Container, COMPOSE, 1, Tail::Command).path("compose exec|run").elsewhere(),
    row("docker-compose podman-compose", Via::Container, COMPOSE, 1, Tail::Command).path("exec|run").elsewhere(),
    row("kubectl oc k3s-kubectl microk8s.kubectl", Via::Container, KUBECTL, 1, Tail::Command).path("exec").elsewhere().interspersed(),
    row("kubectl oc", Via::Container, KUBECTL, 1, Tail::Dashes).path("run|debug").elsewhere(),
    row("oc", Via::Container, KUBECTL, 1, Tail::Command).path("rsh").elsewhere().interspersed(),
    row("lxc incus", Via::Container, Grammar::new("u", "env user group cwd mode"), 1, Tail::Command).path("exec").elsewhere().interspersed(),
    row("lxc-attach", Via::Container, Grammar::new("nPsev", "name lxcpath namespaces elevated-privileges"), 0, Tail::Command).elsewhere(),
    row("multipass", Via::Container, Grammar::new("d", "working-directory"), 1, Tail::Command).path("exec").elsewhere(),
    row("machinectl", Via::Container, Grammar::new("EM", "setenv uid machine"), 1, Tail::Command).path("shell").elsewhere(),
    row("nix", Via::Wrapper, Grammar::new("k", "keep-env-var"), 0, Tail::Behind("-c --command")).path("develop|shell"),
    row("nix-shell", Via::Wrapper, Grammar::new("pAIE", "run command packages attr"), 0, Tail::Nothing).scripts("--run --command"),
    row("vagrant", Via::Ssh, Grammar::new("c", "command"), 0, Tail::Nothing).path("ssh").scripts("-c --command"),
    row("gcloud", Via::Ssh, Grammar::new("", "zone project command account"), 0, Tail::Nothing).path("compute ssh").scripts("--command"),
    row("fly flyctl heroku", Via::Ssh, Grammar::new("aC", "app command"), 0, Tail::Nothing).path("ssh console").scripts("-C --command"),
    row("heroku", Via::Ssh, Grammar::new("a", "app"), 0, Tail::Script).path("run"),
    // Scripts as words.
    row("watch", Via::Wrapper, Grammar::new("nq", "interval equexit").abbreviates().attached("d"), 0, Tail::Script),
    row("op doppler aws-vault chamber envchain infisical teller", Via::Wrapper, Grammar::new("fe", "env-file project config environment region duration"), 0, Tail::Dashes).path("run|exec"),
    row("dotenv dotenvx", Via::Wrapper, Grammar::new("fe", ""), 0, Tail::Command).path("run"),
    row("dotenv", Via::Wrapper, Grammar::new("fe", ""), 0, Tail::Command),
];

/// Tools that do their own work and have an option that runs something beside it.
#[rustfmt::skip]
const TOOLS: &[Row] = &[
    row("tar gtar bsdtar", Via::Wrapper, Grammar::new("fCIFbLKNTVXg", "checkpoint-action to-command use-compress-program info-script new-volume-script rsh-command file directory"), 0, Tail::Nothing).scripts("--to-command -I --use-compress-program -F --info-script --new-volume-script --rsh-command"),
    row("zip", Via::Wrapper, Grammar::new("", "unzip-command"), 0, Tail::Nothing).scripts("--unzip-command"),
    row("rg ripgrep", Via::Wrapper, Grammar::new("efgtTmABCMrjE", "pre pre-glob regexp file glob type type-not"), 0, Tail::Nothing).scripts("--pre"),
    row("npx", Via::Wrapper, Grammar::new("cpw", "call package workspace"), 0, Tail::Nothing).scripts("-c --call"),
    row("az", Via::Ssh, Grammar::new("gn", "resource-group name command-id scripts parameters"), 0, Tail::Nothing).path("vm|vmss run-command invoke|create").scripts("--scripts --script"),
    row("man", Via::Wrapper, Grammar::new("PHrsMCLmeS", "pager html"), 0, Tail::Nothing).scripts("-P --pager"),
];

/// Looks a call up in the table.
pub(super) fn peel(call: Call<'_>) -> Option<Peeled> {
    let mut named = None;
    for row in WRAPPERS.of_program(call.name) {
        if let Some(start) = behind_path(row, call.args) {
            let carried = carried(row, call, start);
            return Some(Peeled {
                via: row.via,
                carried,
                passes_status: true,
            });
        }
        if row.path.is_empty() {
            named = Some(row.via);
        }
    }
    if let Some(via) = named {
        return Some(Peeled {
            via,
            carried: Vec::new(),
            passes_status: true,
        });
    }
    let (row, start) = OTHERS
        .of_program(call.name)
        .find_map(|row| behind_path(row, call.args).map(|start| (row, start)))?;
    let carried = carried(row, call, start);
    (!carried.is_empty()).then_some(Peeled {
        via: row.via,
        carried,
        passes_status: false,
    })
}

/// The rows of a table beside the letters that their names begin with, so that most are passed
/// over at a glance.
struct Table<const N: usize> {
    rows: &'static [Row],
    letters: [u32; N],
}

static WRAPPERS: Table<{ ROWS.len() }> = Table::of(ROWS);
static OTHERS: Table<{ TOOLS.len() }> = Table::of(TOOLS);

impl<const N: usize> Table<N> {
    const fn of(rows: &'static [Row]) -> Self {
        let mut letters = [0; N];
        let mut index = 0;
        while index < N {
            let names = rows[index].names.as_bytes();
            let mut at = 0;
            while at < names.len() {
                if at == 0 || names[at - 1] == b' ' {
                    letters[index] |= letter(names[at]);
                }
                at += 1;
            }
            index += 1;
        }
        Self { rows, letters }
    }

    /// The rows of a program.
    fn of_program(&self, name: &str) -> impl Iterator<Item = &'static Row> {
        let first = name.bytes().next().map_or(0, letter);
        let letters = self.letters.iter().zip(self.rows);
        letters
            .filter(move |(letters, _)| *letters & first != 0)
            .map(|(_, row)| row)
            .filter(move |row| is_among(row.names, name))
    }
}

/// One bit for each letter, whatever its case.
const fn letter(byte: u8) -> u32 {
    1 << (byte & 31)
}

/// One past the subcommands of a row, options between them skipped.
fn behind_path(row: &Row, args: &[Word]) -> Option<usize> {
    let mut at = 0;
    for step in row.path.split(' ').filter(|step| !step.is_empty()) {
        at = scan(args, at, &row.grammar).next;
        let word = args.get(at)?.literal()?;
        if !step.split('|').any(|name| name == word) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

fn carried(row: &Row, call: Call<'_>, start: usize) -> Vec<Carried> {
    let scanned = scan(call.args, start, &row.grammar);
    if scanned.inert {
        return Vec::new();
    }
    let mut carried = Vec::new();
    let mut next = scanned.next;
    if !row.scripts.is_empty() {
        // Options that carry a script may also follow operands.
        let mut seen = scanned.seen.clone();
        let mut at = next;
        while at < call.args.len() {
            let more = scan(call.args, at + 1, &row.grammar);
            seen.extend(more.seen);
            at = more.next.max(at + 1);
        }
        let scripts = seen
            .into_iter()
            .filter(|seen| row.scripts.split(' ').any(|name| name == seen.name));
        let texts = scripts.filter_map(|option| option.value);
        carried.extend(texts.map(|text| Carried::Script(Script::of(text).read_by(reader(row)))));
        if !carried.is_empty() {
            return carried;
        }
    }
    if row.names == "entr" && scanned.has("-s") {
        carried.push(Carried::Script(Script::of(joined(call.tail(next)))));
        return carried;
    }
    if row.skip == 0 && call.args.len() > next + 1 && call.args.get(next).is_some_and(may_vanish) {
        next += 1;
    }
    let no_command = next >= call.args.len();
    if no_command
        && row.names == "sudo"
        && ["-s", "-i", "--shell", "--login"]
            .iter()
            .any(|name| scanned.has(name))
    {
        return vec![Carried::InputScript(Script::default())];
    }
    let mut environment = Vec::new();
    if row.tail == Tail::Environment {
        while let Some(assignment) = call.args.get(next).and_then(assignment) {
            environment.push(assignment);
            next += 1;
        }
    }
    if row.tail == Tail::Architecture {
        let named = call
            .args
            .get(next)
            .is_some_and(|word| !word.starts_with("-"));
        next = scan(
            call.args,
            start + usize::from(named && next == start),
            &row.grammar,
        )
        .next;
    }
    next += row.skip;
    if row.interspersed {
        next = scan(call.args, next, &row.grammar).next;
    } else if row.skip > 0 {
        // `docker exec box -- rm`.
        next += usize::from(
            call.args
                .get(next)
                .is_some_and(|word| word.literal().as_deref() == Some("--")),
        );
    }
    match row.tail {
        Tail::Command | Tail::Environment | Tail::Architecture => {
            carried.extend(command(row, call, next, environment, &scanned));
        }
        Tail::Script => {
            let words = call.tail(next);
            if scanned.has("-x") || scanned.has("--exec") {
                carried.extend(command(row, call, next, environment, &scanned));
            } else if !words.is_empty() {
                carried.push(Carried::Script(
                    Script::of(joined(words)).read_by(reader(row)),
                ));
            }
        }
        Tail::Scripts => {
            let words = call.tail(next).iter().filter(|word| !word.starts_with("-"));
            carried.extend(words.map(|word| Carried::Script(Script::of(word.clone()))));
        }
        Tail::Dashes => {
            let dashes = call
                .args
                .iter()
                .position(|word| word.literal().as_deref() == Some("--"));
            if let Some(dashes) = dashes {
                carried.extend(command(row, call, dashes + 1, environment, &scanned));
            }
        }
        Tail::Behind(options) => {
            let option = call.args.iter().position(|word| {
                let text = word.literal();
                text.is_some_and(|text| options.split(' ').any(|name| name == text))
            });
            if let Some(option) = option {
                carried.extend(command(row, call, option + 1, environment, &scanned));
            }
        }
        Tail::Nothing => {}
    }
    carried
}

fn command(
    row: &Row,
    call: Call<'_>,
    from: usize,
    environment: Vec<Assignment>,
    scanned: &super::options::Scanned,
) -> Option<Carried> {
    let mut command = call.command(from)?;
    if let Some(entrypoint) = scanned.value("--entrypoint") {
        command.words.insert(0, entrypoint.clone());
        command.tail = None;
    }
    let directory = ["-D", "--chdir", "-C", "--working-directory"];
    let directory = directory
        .iter()
        .find_map(|name| scanned.value(name))
        .cloned();
    let directory = directory.filter(|_| row.via == Via::Privilege);
    Some(Carried::Command(CarriedCommand {
        environment,
        directory,
        elsewhere: row.elsewhere,
        ..command
    }))
}

fn reader(row: &Row) -> Reader {
    if row.via == Via::Ssh {
        Reader::Elsewhere
    } else {
        Reader::Shell
    }
}
