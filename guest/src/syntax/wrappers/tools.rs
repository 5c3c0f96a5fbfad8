//! Tools with a way of their own to run something: git, make, sqlite3, vim, tar, zip.

use super::super::invocation::Via;
use super::super::word::Word;
use super::options::{Grammar, scan};
use super::{Call, Carried, CarriedCommand, Peeled, Reader, Script, joined};

pub(super) fn peel(call: Call<'_>) -> Option<Peeled> {
    let carried = match call.name {
        "git" => git(call),
        "make" | "gmake" => make(call),
        "sqlite3" => dot_commands(call),
        "vim" | "vi" | "nvim" | "ex" | "view" => vim(call),
        "tar" | "gtar" => checkpoint_actions(call),
        "zip" => zip(call),
        "gdb" => gdb(call),
        "less" | "more" | "most" => pager(call),
        "rails" | "manage.py" | "django-admin" | "artisan" | "wp" | "console" => {
            in_application(call)
        }
        "ed" => vec![Carried::InputScript(Script {
            reader: Reader::Make,
            ..Script::default()
        })],
        "start-stop-daemon" => start_stop_daemon(call),
        _ => return None,
    };
    (!carried.is_empty()).then_some(Peeled {
        via: Via::Wrapper,
        carried,
        passes_status: false,
    })
}

fn script(text: Word) -> Carried {
    Carried::Script(Script::of(text))
}

fn git(call: Call<'_>) -> Vec<Carried> {
    let globals = Grammar::new(
        "Cc",
        "git-dir work-tree namespace exec-path super-prefix config-env attr-source",
    );
    let scanned = scan(call.args, 0, &globals);
    let Some(subcommand) = call.args.get(scanned.next).and_then(Word::literal) else {
        return Vec::new();
    };
    let rest = call.tail(scanned.next + 1);
    let mut carried = Vec::new();
    for setting in scanned.seen.iter().filter(|seen| seen.name == "-c") {
        let Some(setting) = &setting.value else {
            continue;
        };
        let (name, value) = (setting.shown(), setting.behind('=').unwrap_or_default());
        let name = name
            .split('=')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        if name
            .strip_prefix("alias.")
            .is_some_and(|alias| alias.eq_ignore_ascii_case(&subcommand))
        {
            carried.extend(alias(value, rest));
        } else if RUN_BY_GIT.contains(&name.as_str()) {
            carried.push(script(value));
        }
    }
    match subcommand.as_str() {
        "bisect" if first_is(rest, "run") => {
            let words = rest.get(1..).unwrap_or_default().to_vec();
            carried.extend(CarriedCommand::of(words).map(Carried::Command));
        }
        "submodule" => {
            let at = scan(rest, 0, &Grammar::PLAIN).next;
            if rest
                .get(at)
                .is_some_and(|word| word.literal().as_deref() == Some("foreach"))
            {
                let at = scan(rest, at + 1, &Grammar::PLAIN).next;
                let words = rest.get(at..).unwrap_or_default();
                if !words.is_empty() {
                    carried.push(script(joined(words)));
                }
            }
        }
        "rebase" => carried.extend(values(
            rest,
            &Grammar::new("xsCX", "exec strategy onto"),
            &["-x", "--exec"],
        )),
        "difftool" => carried.extend(values(
            rest,
            &Grammar::new("xt", "extcmd tool"),
            &["-x", "--extcmd"],
        )),
        "filter-branch" => {
            let filters = [
                "--setup",
                "--subdirectory-filter",
                "--env-filter",
                "--tree-filter",
                "--index-filter",
                "--parent-filter",
                "--msg-filter",
                "--commit-filter",
                "--tag-name-filter",
            ];
            let grammar = Grammar::new(
                "d",
                "setup subdirectory-filter env-filter tree-filter index-filter \
                parent-filter msg-filter commit-filter tag-name-filter original state-branch",
            );
            let filters = filters
                .iter()
                .filter(|name| **name != "--subdirectory-filter")
                .copied();
            carried.extend(values(rest, &grammar, &filters.collect::<Vec<_>>()));
        }
        _ => {}
    }
    carried
}

/// Settings whose value git runs.
const RUN_BY_GIT: [&str; 8] = [
    "core.editor",
    "core.fsmonitor",
    "core.pager",
    "core.sshcommand",
    "credential.helper",
    "diff.external",
    "pager.log",
    "sequence.editor",
];

/// `-c alias.x='!script'` or `-c alias.x='subcommand options'`.
fn alias(value: Word, rest: &[Word]) -> Option<Carried> {
    let mut words = vec![value.clone()];
    words.extend_from_slice(rest);
    if value.starts_with("!") {
        let joined = joined(&words);
        return Some(script(joined.without(1)));
    }
    let mut text = Word::text("git ", value.span);
    text.pieces.extend(joined(&words).pieces);
    Some(script(text))
}

fn first_is(words: &[Word], name: &str) -> bool {
    words
        .first()
        .is_some_and(|word| word.literal().as_deref() == Some(name))
}

/// The values of some options, wherever they stand.
fn values(words: &[Word], grammar: &Grammar, names: &[&str]) -> Vec<Carried> {
    let mut carried = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let scanned = scan(words, at, grammar);
        let wanted = scanned
            .seen
            .into_iter()
            .filter(|seen| names.contains(&seen.name.as_str()));
        carried.extend(wanted.filter_map(|seen| seen.value).map(script));
        at = scanned.next.max(at) + 1;
    }
    carried
}

/// `make -f -` reads its rules from standard input; `--eval` brings one along.
fn make(call: Call<'_>) -> Vec<Carried> {
    let grammar = Grammar::new(
        "CfIoW",
        "directory file makefile include-dir old-file assume-old what-if \
        new-file assume-new eval",
    )
    .attached("jlO")
    .inert("-n -q --just-print --dry-run --recon --question");
    let mut seen = Vec::new();
    let mut at = 0;
    while at < call.args.len() {
        let scanned = scan(call.args, at, &grammar);
        if scanned.inert {
            return Vec::new();
        }
        seen.extend(scanned.seen);
        at = scanned.next.max(at) + 1;
    }
    let mut carried = Vec::new();
    let file_option = |word: &Word| {
        matches!(
            word.literal().as_deref(),
            Some("-f" | "--file" | "--makefile")
        )
    };
    if let Some(option) = call.args.iter().position(file_option) {
        // Written on the same line, or `<(…)`.
        let script = Script {
            reader: Reader::Make,
            ..Script::default()
        };
        carried.push(Carried::ScriptFile {
            operand: option + 1,
            script,
        });
    }
    if carried.is_empty() && !seen.iter().any(|seen| seen.name == "-f") {
        // The first of these that is there.
        carried.extend(
            ["GNUmakefile", "makefile", "Makefile"].map(|path| Carried::KnownFile {
                path: path.to_owned(),
                script: Script {
                    reader: Reader::Make,
                    ..Script::default()
                },
            }),
        );
    }
    for option in seen {
        let Some(value) = option.value else { continue };
        match option.name.as_str() {
            "-f" | "--file" | "--makefile"
                if matches!(
                    value.literal().as_deref(),
                    Some("-" | "/dev/stdin" | "/dev/fd/0")
                ) =>
            {
                let script = Script {
                    reader: Reader::Make,
                    ..Script::default()
                };
                carried.push(Carried::InputScript(script));
            }
            "--eval" => carried.push(Carried::Script(Script::of(value).read_by(Reader::Make))),
            _ => {}
        }
    }
    carried
}

/// `sqlite3 file '.shell command'`.
fn dot_commands(call: Call<'_>) -> Vec<Carried> {
    let commands = call.args.iter().filter_map(|word| {
        let text = word.shown();
        let prefix = [".shell ", ".system "]
            .into_iter()
            .find(|prefix| text.trim_start().starts_with(prefix))?;
        let blanks = text.len() - text.trim_start().len();
        Some(script(word.without(blanks + prefix.len())))
    });
    commands.collect()
}

/// `vim -c '!command'` and `vim '+!command'`.
fn vim(call: Call<'_>) -> Vec<Carried> {
    let mut carried = Vec::new();
    let mut words = call.args.iter();
    while let Some(word) = words.next() {
        let option = word.literal().unwrap_or_default();
        let command = match option.as_str() {
            "-c" | "--cmd" => words.next().cloned(),
            text if text.starts_with('+') => Some(word.without(1)),
            text if text.starts_with("-c") => Some(word.without(2)),
            // `-sc command`, `-esc command`
            text if text.starts_with('-') && !text.starts_with("--") && text.ends_with('c') => {
                words.next().cloned()
            }
            _ => None,
        };
        let Some(command) = command else { continue };
        let text = command.shown();
        let shell = text.trim_start_matches([':', ' ']);
        let shell = shell.strip_prefix("silent ").unwrap_or(shell);
        if let Some(behind) = shell.strip_prefix('!') {
            carried.push(script(command.without(text.len() - behind.len())));
        } else if let Some(behind) = shell.strip_prefix("call ") {
            carried.push(Carried::Program {
                interpreter: "vim".to_owned(),
                source: command.without(text.len() - behind.len()),
            });
        }
    }
    carried
}

/// `less '+!command' file`.
fn pager(call: Call<'_>) -> Vec<Carried> {
    let commands = call.args.iter().filter_map(|word| {
        let text = word.shown();
        let runs = text.starts_with("+!") || text.starts_with("++!");
        runs.then(|| script(word.without(text.find('!').map_or(0, |at| at + 1))))
    });
    commands.collect()
}

/// Program texts that a framework runs inside the application: `rails runner 'User.delete_all'`.
fn in_application(call: Call<'_>) -> Vec<Carried> {
    /// Program, subcommands, option of the text (none = the next word), language.
    const RUNNERS: &[(&str, &str, &str, &str)] = &[
        ("rails", "runner r", "", "ruby"),
        ("manage.py", "shell shell_plus", "-c --command", "python"),
        ("django-admin", "shell", "-c --command", "python"),
        ("artisan", "tinker", "--execute", "php"),
        ("wp", "eval", "", "php"),
    ];
    let Some((_, subcommands, option, language)) =
        RUNNERS.iter().find(|(name, ..)| *name == call.name)
    else {
        return Vec::new();
    };
    let Some(at) = call.args.iter().position(|word| {
        word.literal()
            .is_some_and(|text| subcommands.split(' ').any(|name| name == text))
    }) else {
        return Vec::new();
    };
    let behind = scan(
        call.args,
        at + 1,
        &Grammar::new("ce", "command execute environment"),
    );
    let source = if option.is_empty() {
        call.args.get(behind.next)
    } else {
        option.split(' ').find_map(|name| behind.value(name))
    };
    source
        .map(|source| Carried::Program {
            interpreter: (*language).to_owned(),
            source: source.clone(),
        })
        .into_iter()
        .collect()
}

/// `tar --checkpoint-action=exec=command`.
fn checkpoint_actions(call: Call<'_>) -> Vec<Carried> {
    let actions = call.args.iter().filter_map(|word| {
        let action = word
            .starts_with("--checkpoint-action=exec=")
            .then(|| word.behind('='))??;
        action.behind('=')
    });
    actions.map(script).collect()
}

/// `zip -T -TT command`.
fn zip(call: Call<'_>) -> Vec<Carried> {
    let commands = call.args.windows(2).filter_map(|pair| match pair {
        [option, command] if option.literal().as_deref() == Some("-TT") => {
            Some(script(command.clone()))
        }
        _ => None,
    });
    commands.collect()
}

/// `gdb -ex 'shell command'`, `gdb -ex run --args command`.
fn gdb(call: Call<'_>) -> Vec<Carried> {
    let args = call
        .args
        .iter()
        .position(|word| word.literal().as_deref() == Some("--args"));
    let runs = call
        .args
        .iter()
        .any(|word| matches!(word.literal().as_deref(), Some("run" | "r" | "start")));
    if let Some(command) = args.filter(|_| runs).and_then(|at| call.command(at + 1)) {
        return vec![Carried::Command(command)];
    }
    let commands = call.args.windows(2).filter_map(|pair| {
        let [option, command] = pair else { return None };
        let executes = matches!(
            option.literal().as_deref(),
            Some("-ex" | "--ex" | "-iex" | "--eval-command" | "-eval-command")
        );
        let text = command.shown();
        let behind = ["shell ", "!"]
            .into_iter()
            .find(|name| text.starts_with(name))?;
        executes.then(|| script(command.without(behind.len())))
    });
    commands.collect()
}

/// `start-stop-daemon --start --exec program -- arguments`.
fn start_stop_daemon(call: Call<'_>) -> Vec<Carried> {
    let grammar = Grammar::new(
        "xapnucgkdsrNPIe",
        "exec startas pidfile name user chuid group umask chdir signal retry \
        chroot nicelevel procsched iosched output",
    )
    .inert("-K --stop -T --status");
    let scanned = scan(call.args, 0, &grammar);
    let starts = ["-a", "--startas", "-x", "--exec"];
    let Some(program) = starts
        .iter()
        .find_map(|name| scanned.value(name))
        .filter(|_| !scanned.inert)
    else {
        return Vec::new();
    };
    let mut words = vec![program.clone()];
    words.extend_from_slice(call.tail(scanned.next));
    CarriedCommand::of(words)
        .map(Carried::Command)
        .into_iter()
        .collect()
}
