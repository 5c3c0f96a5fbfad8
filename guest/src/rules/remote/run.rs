//! `curl … | sh`, `bash <(curl …)`, `eval "$(curl …)"`, download and start.

use super::REMOTE;
use super::download::{fetches, piped_to_file, saved_as};
use crate::model::Dialect;
use crate::model::Severity::Danger;
use crate::rules::options::{Grammar, Options};
use crate::rules::place::Target;
use crate::rules::report::{Call, Report};
use crate::syntax::{Piece, Stdin, Via, Word};

/// Programs that run what they read, and how they are told to run something else.
const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "python",
    "python2",
    "python3",
    "pypy",
    "pypy3",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "php",
    "lua",
    "deno",
    "bun",
    "Rscript",
    "pwsh",
    "powershell",
    "osascript",
    "tclsh",
    "elixir",
    "groovy",
    "rbash",
    "cmd",
];

/// Whether an interpreter is given its program in another way, so that its input is only data, or
/// runs nothing.
fn runs_its_input(call: &Call<'_>) -> bool {
    let shell = !matches!(
        call.name,
        "python" | "python2" | "python3" | "perl" | "ruby" | "node" | "nodejs" | "php" | "lua"
    );
    let grammar = Grammar {
        short_values: match call.name {
            "perl" => "eEMmI0iF",
            "ruby" => "eIrE",
            "node" | "nodejs" => "epr",
            "php" => "rcdfBRE",
            "lua" => "el",
            "osascript" => "el",
            name if name.starts_with("python") || name.starts_with("pypy") => "cmWX",
            _ => "coO",
        },
        long_values: "eval print require rcfile init-file",
        permutes: false,
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    if options.asks_for_help() {
        return false;
    }
    if shell {
        // `-c` takes the program from elsewhere, `-n` runs nothing, `-s` reads the input whatever
        // the operands.
        if options.any_short("cn") {
            return false;
        }
        return options.short('s')
            || options.operands.is_empty()
            || reads_stdin_file(options.operands[0]);
    }
    let told = options.any_of("-e -E -c -m -p -r -R --eval --print") && call.name != "node"
        || matches!(call.name, "node" | "nodejs") && options.any_of("-e -p --eval --print");
    !told && (options.operands.is_empty() || reads_stdin_file(options.operands[0]))
}

fn reads_stdin_file(word: &Word) -> bool {
    matches!(
        word.literal().as_deref(),
        Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
    )
}

fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name) || name.strip_prefix("python3.").is_some()
}

/// An interpreter that reads from elsewhere: a pipe, a substitution, a file that the same line
/// has downloaded.
pub(in crate::rules) fn interpreter(call: &Call<'_>, report: &mut Report) {
    if !is_interpreter(call.name) {
        return;
    }
    let brought = |&source: &usize| {
        let invocation = &call.all.invocations[source];
        let name = invocation.program.as_deref().unwrap_or_default();
        let prints_fetched = matches!(name, "echo" | "printf")
            && substitution_fetches(&Call {
                index: source,
                name,
                args: &invocation.args,
                ..*call
            });
        let from_other_machine = invocation.via.contains(&Via::Ssh) && !call.via(Via::Ssh);
        prints_fetched || from_other_machine || fetches(invocation)
    };
    let piped = runs_its_input(call) && call.sources().iter().any(brought);
    let connected = call.invocation().redirects.iter().any(|redirect| {
        redirect.target.starts_with("/dev/tcp/") || redirect.target.starts_with("/dev/udp/")
    }) && !syntax_check(call);
    let from_substitution = call.args.iter().any(|word| {
        word.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Substitution | Piece::Unknown))
    }) || match &call.invocation().stdin {
        Stdin::File(word) | Stdin::Text(word) => word.is_dynamic(),
        Stdin::Inherited | Stdin::Pipe(_) => false,
    };
    let substituted = from_substitution && substitution_fetches(call) && !syntax_check(call);
    if piped || substituted || connected || fetches_its_program(call) {
        report.add(
            REMOTE,
            Danger,
            "runs code from the network that nobody has seen",
            call.span(),
        );
    } else if let Some(script) = call.args.iter().find(|word| !word.starts_with("-")) {
        downloaded(call, script, report);
    }
}

/// `npx https://…`, `uvx git+https://…`: a runner that fetches the program itself.
pub(in crate::rules) fn runner(call: &Call<'_>, program: Option<&Word>, report: &mut Report) {
    if program.is_some_and(is_address) {
        let message = "runs code from the network that nobody has seen";
        report.add(REMOTE, Danger, message, call.span());
    }
}

fn is_address(word: &Word) -> bool {
    ["http://", "https://", "git+"]
        .iter()
        .any(|scheme| word.starts_with(scheme))
}

/// `deno run https://…`: the interpreter fetches its program itself.
fn fetches_its_program(call: &Call<'_>) -> bool {
    let mut words = call.args.iter().filter(|word| !word.starts_with("-"));
    let first = words.next();
    let runs = |word: &&Word| matches!(word.literal().as_deref(), Some("run" | "x"));
    let program = match first.filter(runs) {
        Some(_) => words.next(),
        None => first,
    };
    matches!(call.name, "deno" | "bun" | "bash" | "sh") && program.is_some_and(is_address)
}

fn syntax_check(call: &Call<'_>) -> bool {
    let shell = matches!(call.name, "sh" | "bash" | "dash" | "zsh" | "ksh");
    shell
        && Options::parse(
            &Grammar {
                short_values: "coO",
                ..Grammar::PLAIN
            },
            call.args,
        )
        .short('n')
}

/// Whether a substitution in the command's words fetches something and prints it.
fn substitution_fetches(call: &Call<'_>) -> bool {
    let span = call.span();
    call.all.invocations.iter().any(|inner| {
        let inside = inner.span.start >= span.start && inner.span.end <= span.end;
        let substituted = || {
            inner.via.contains(&Via::ProcessSubstitution)
                || inner.via.contains(&Via::CommandSubstitution)
        };
        inside && substituted() && fetches(inner)
    })
}

/// `eval "$(curl …)"`, `source <(curl …)`.
pub(in crate::rules) fn evaluates(call: &Call<'_>, report: &mut Report) {
    if substitution_fetches(call) {
        report.add(
            REMOTE,
            Danger,
            "runs code from the network that nobody has seen",
            call.span(),
        );
    } else if matches!(call.name, "source" | ".")
        && let Some(script) = call.args.first()
    {
        downloaded(call, script, report);
    }
}

/// A program that is itself a file which the same line has downloaded.
pub(in crate::rules) fn started_file(call: &Call<'_>, report: &mut Report) {
    downloaded(call, &call.invocation().program_word, report);
}

fn downloaded(call: &Call<'_>, script: &Word, report: &mut Report) {
    if script.pieces.is_empty() || report.fetching.first().is_none_or(|at| *at >= call.index) {
        return;
    }
    // Only cmd starts a program of the working directory by its bare name.
    let by_path = script.shown().contains(['/', '\\'])
        || call.dialect() == Dialect::Cmd
        || !std::ptr::eq(script, &call.invocation().program_word);
    if !by_path {
        return;
    }
    let wanted = Target::of(script, call.cwd());
    let fetched = report
        .fetching
        .iter()
        .take_while(|at| **at < call.index)
        .filter_map(|at| call.all.invocations.get(*at))
        .any(|earlier| {
            saved_as(earlier)
                .iter()
                .any(|file| Target::of_text(file, earlier.cwd.as_deref()).same_file(&wanted))
                || piped_to_file(call.all, earlier, &wanted)
        });
    if fetched {
        report.add(
            REMOTE,
            Danger,
            "runs a file that was just downloaded and that nobody has seen",
            call.span(),
        );
    }
}
