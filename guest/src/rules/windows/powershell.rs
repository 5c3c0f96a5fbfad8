//! PowerShell cmdlets and their aliases.

use super::cmdlets::CMDLETS;
use super::parameters::Parameters;
use super::{DELETE, RECOVERY, SYSTEM};
use crate::model::Severity::{Caution, Danger, Note};
use crate::rules::database;
use crate::rules::place::{Place, Target};
use crate::rules::report::{Call, Report};
use crate::syntax::{Invocation, Piece, Via, Word};

/// Nouns after `Remove-` that only concern the session or come back by themselves.
#[rustfmt::skip]
const SESSION_NOUNS: &[&str] = &[
    "variable", "module", "pssession", "job", "event", "alias", "psdrive", "psbreakpoint",
    "typedata", "pssnapin", "smbmapping", "cimsession", "item", "wmiobject", "ciminstance",
    "psreadlinekeyhandler", "printjob", "runspace",
];

/// A cmdlet; tells whether the name was one.
pub(in crate::rules) fn powershell(call: &Call<'_>, report: &mut Report) -> bool {
    let parameters = Parameters::parse(call.args);
    let spared =
        parameters.has("whatif", 2) || parameters.has("confirm", 2) || parameters.has("?", 1);
    match call.name {
        "remove-item" | "ri" | "rm" | "rmdir" | "rd" | "del" | "erase" => {
            if !spared {
                remove(call, &parameters, report);
            }
            true
        }
        "stop-process" | "kill" | "spps" => {
            if !spared {
                stop_process(call, &parameters, report);
            }
            true
        }
        "set-service" => {
            let value = |name| {
                parameters
                    .value(name, 3)
                    .map(Word::shown)
                    .unwrap_or_default()
            };
            let disables = value("startuptype").eq_ignore_ascii_case("disabled")
                || value("starttype").eq_ignore_ascii_case("disabled")
                || value("status").eq_ignore_ascii_case("stopped");
            if disables && !spared {
                report.add(
                    SYSTEM,
                    Caution,
                    "stops or disables the service",
                    call.span(),
                );
            }
            true
        }
        "set-netfirewallprofile" => {
            let off = parameters
                .value("enabled", 2)
                .map(Word::shown)
                .unwrap_or_default();
            if off.eq_ignore_ascii_case("false") || off.eq_ignore_ascii_case("$false") {
                report.add(SYSTEM, Danger, "switches the firewall off", call.span());
            }
            true
        }
        "sc" if call
            .args
            .first()
            .is_some_and(|word| is_service_order(&word.shown())) =>
        {
            false
        }
        "set-content" | "sc" | "out-file" | "new-item" | "ni" | "copy-item" | "copy" | "cp"
        | "cpi" | "move-item" | "move" | "mv" | "mi" | "rename-item" | "ren" | "rni" => {
            if !spared && !parameters.has("append", 3) {
                overwrite(call, &parameters, report);
            }
            true
        }
        "iex" | "invoke-expression" => {
            evaluate(call, report);
            true
        }
        "invoke-sqlcmd" => {
            if let Some(query) = parameters.value("query", 1) {
                database::statements(&query.shown(), call, report);
            }
            true
        }
        name => {
            let Some((_, rule, severity, message)) =
                CMDLETS.iter().find(|(cmdlet, ..)| *cmdlet == name)
            else {
                return cloud(call, spared, report);
            };
            if !spared {
                report.add(rule, *severity, *message, call.span());
            }
            true
        }
    }
}

/// `Remove-AzResourceGroup`, `Remove-S3Bucket`, `Stop-EC2Instance` and every other cmdlet that
/// removes.
fn cloud(call: &Call<'_>, spared: bool, report: &mut Report) -> bool {
    let Some((verb, noun)) = call.name.split_once('-') else {
        return false;
    };
    if !noun.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    if !matches!(verb, "remove" | "uninstall" | "clear" | "stop" | "revoke")
        || SESSION_NOUNS.contains(&noun)
    {
        return false;
    }
    let aws = [
        "ec2", "s3", "rds", "iam", "cfn", "ddb", "eks", "ecs", "lm", "r53", "sqs", "sns", "efs",
    ];
    let (rule, what) = match noun {
        _ if noun.starts_with("az") => ("cloud.azure", "an Azure resource"),
        _ if noun.starts_with("gc") || noun.starts_with("gke") => {
            ("cloud.gcp", "a Google Cloud resource")
        }
        _ if aws.iter().any(|service| noun.starts_with(service)) => {
            ("cloud.aws", "an AWS resource")
        }
        _ if verb == "remove" => (SYSTEM, "what it names"),
        _ => return false,
    };
    if !spared && verb != "revoke" {
        report.add(
            rule,
            Danger,
            format!("deletes or takes away {what}"),
            call.span(),
        );
    }
    true
}

/// Orders of the program `sc.exe`, which older versions hide behind an alias.
fn is_service_order(word: &str) -> bool {
    [
        "delete", "stop", "config", "pause", "start", "query", "create", "failure",
    ]
    .iter()
    .any(|order| word.eq_ignore_ascii_case(order))
}

fn remove(call: &Call<'_>, parameters: &Parameters<'_>, report: &mut Report) {
    let recursive = parameters.has("recurse", 1);
    let piped = !call.sources().is_empty();
    let words = parameters.targets(&["path", "literalpath", "lp"]);
    let provider = |word: &&Word| {
        let text = word.shown().to_ascii_lowercase();
        ["env:", "variable:", "alias:", "function:"]
            .iter()
            .any(|prefix| text.starts_with(prefix))
    };
    if !words.is_empty() && words.iter().all(provider) {
        return;
    }
    let shown = words
        .iter()
        .map(|word| word.shown())
        .collect::<Vec<_>>()
        .join(" ");
    if words.iter().any(|word| is_registry(&word.shown())) {
        report.add(
            RECOVERY,
            Danger,
            format!("deletes the registry key {shown}"),
            call.span(),
        );
        return;
    }
    let targets: Vec<Target> = words
        .iter()
        .map(|word| Target::of(word, call.cwd()))
        .collect();
    let scratch = !targets.is_empty()
        && targets
            .iter()
            .all(|target| matches!(target.place, Place::Temporary | Place::Cache));
    let wild = targets.iter().any(Target::open_glob)
        || words.iter().any(|word| word.shown().contains('*'));
    let listed = words
        .iter()
        .any(|word| word.pieces.iter().any(is_current_item))
        || piped && words.is_empty();
    if scratch {
        if recursive || parameters.has("force", 2) {
            report.add(
                "win.delete-scoped",
                Note,
                format!("removes {shown}, a scratch place or a cache"),
                call.span(),
            );
        }
    } else if recursive || wild || listed && !call.via(Via::Interpreter) {
        let root = targets
            .iter()
            .any(|target| target.is_protected() || target.place == Place::Root);
        let severity = if root { Danger } else { Caution };
        let how = if recursive {
            "recursively removes"
        } else {
            "removes"
        };
        let what = if shown.is_empty() {
            "everything that is piped into it"
        } else {
            shown.as_str()
        };
        report.add(DELETE, severity, format!("{how} {what}"), call.span());
    } else if targets.iter().any(Target::is_protected) {
        report.add(
            DELETE,
            Danger,
            format!("removes {shown}: a file that the system or its owner needs"),
            call.span(),
        );
    }
}

fn is_registry(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["hklm:", "hkcu:", "hkcr:", "hku:", "registry::"]
        .iter()
        .any(|root| lower.starts_with(root))
}

/// `$_`, `$PSItem`, and what a command in parentheses yields.
fn is_current_item(piece: &Piece) -> bool {
    match piece {
        Piece::Variable { name, .. } => {
            name.starts_with('_') || name.eq_ignore_ascii_case("psitem")
        }
        Piece::Substitution => true,
        _ => false,
    }
}

fn stop_process(call: &Call<'_>, parameters: &Parameters<'_>, report: &mut Report) {
    let by_id = parameters.value("id", 2).is_some()
        || !parameters.operands.is_empty()
            && parameters
                .operands
                .iter()
                .all(|word| word.shown().bytes().all(|byte| byte.is_ascii_digit()));
    let piped = !call.sources().is_empty();
    if piped || !by_id {
        report.add(
            SYSTEM,
            Caution,
            "kills every process with the name, or that is piped into it",
            call.span(),
        );
    }
}

/// Writes over files that must not be lost.
fn overwrite(call: &Call<'_>, parameters: &Parameters<'_>, report: &mut Report) {
    let words = parameters.targets(&["path", "filepath", "destination"]);
    let moves = matches!(
        call.name,
        "move-item" | "move" | "mv" | "mi" | "rename-item" | "ren" | "rni"
    );
    let copies = matches!(call.name, "copy-item" | "copy" | "cp" | "cpi");
    let last = if moves || copies {
        words.last()
    } else {
        words.first()
    };
    if let Some(source) = words.first().filter(|_| moves)
        && matches!(
            Target::of(source, call.cwd()).place,
            Place::Root | Place::System
        )
    {
        let message = format!("moves {} away, which the system needs", source.shown());
        report.add("fs.mv-clobber", Danger, message, call.span());
        return;
    }
    let empties = matches!(call.name, "set-content" | "sc")
        && parameters
            .value("value", 1)
            .or(words.get(1).copied())
            .is_some_and(|word| {
                word.pieces.is_empty() || word.shown().eq_ignore_ascii_case("$null")
            });
    if let Some(word) = last {
        let target = Target::of(word, call.cwd());
        if target.is_guarded_from_writes() && !call.name.starts_with('n') {
            let message = format!("overwrites {}; its contents are lost", word.shown());
            report.add("fs.redirect-protected", Danger, message, call.span());
        } else if empties && target.place != Place::Temporary {
            report.add(
                DELETE,
                Caution,
                format!("truncates {} to nothing", word.shown()),
                call.span(),
            );
        }
    }
}

/// Cmdlets, aliases and methods that bring text from elsewhere.
#[rustfmt::skip]
const FETCHERS: &[&str] = &[
    "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "curl", "wget", "start-bitstransfer",
    "downloadstring",
];

/// `iex (irm …)`, `irm … | iex`.
fn evaluate(call: &Call<'_>, report: &mut Report) {
    let fetches = |name: Option<&str>| {
        name.is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            FETCHERS.contains(&name.as_str()) || name.contains("downloadstring")
        })
    };
    let program = |index: &usize| {
        call.all
            .invocations
            .get(*index)
            .and_then(|invocation| invocation.program.as_deref())
    };
    let piped = call.sources().iter().any(|source| fetches(program(source)));
    let own = call.args.iter().any(|word| {
        let text = word.shown().to_ascii_lowercase();
        FETCHERS.iter().any(|fetcher| {
            text.split(|c: char| !(c.is_alphanumeric() || c == '-'))
                .any(|part| part == *fetcher)
        })
    });
    let span = call.span();
    let within = |inner: &&Invocation| inner.span.start >= span.start && inner.span.end <= span.end;
    let inside = call.all.invocations.iter().filter(within).any(|inner| {
        let text = inner.program_word.shown().to_ascii_lowercase();
        let args = || {
            inner
                .args
                .iter()
                .any(|word| word.shown().to_ascii_lowercase().contains("downloadstring"))
        };
        fetches(inner.program.as_deref()) || text.contains("downloadstring") || args()
    });
    if piped || own || inside {
        report.add(
            "exec.remote",
            Danger,
            "runs code from the network that nobody has seen",
            call.span(),
        );
    }
}

/// `[IO.Directory]::Delete("src", 1)` and other methods that delete, from the words of an
/// expression.
pub(in crate::rules) fn methods(call: &Call<'_>, report: &mut Report) {
    let mut text = call.invocation().program_word.shown();
    for word in call.args {
        text.push(' ');
        text.push_str(&word.shown());
    }
    let lower: String = text
        .to_ascii_lowercase()
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    let directory = lower.contains("directory]::delete(");
    let file = lower.contains("file]::delete(");
    let by_object = ["deletefolder(", "filesystem]::deletedirectory("]
        .iter()
        .any(|method| lower.contains(method));
    let fetched = (lower.contains("[scriptblock]::create(") || lower.contains("invokescript("))
        && FETCHERS.iter().any(|fetcher| {
            lower.contains(&format!("({fetcher}")) || lower.contains(".downloadstring(")
        });
    if fetched {
        report.add(
            "exec.remote",
            Danger,
            "runs code from the network that nobody has seen",
            call.span(),
        );
        return;
    }
    let own = (lower.starts_with('(') || lower.starts_with("$_") || lower.starts_with("$psitem"))
        && (lower.contains(").delete(")
            || lower.contains("$_.delete(")
            || lower.contains("$psitem.delete("));
    if directory && (lower.contains(",1)") || lower.contains(",$true)")) || own || by_object {
        report.add(
            DELETE,
            Caution,
            "recursively removes the directory",
            call.span(),
        );
    } else if file {
        let path = text.split(['"', '\'']).nth(1).unwrap_or_default();
        if Target::of_text(path, None).is_protected() {
            report.add(
                DELETE,
                Danger,
                "removes a file that the system or its owner needs",
                call.span(),
            );
        }
    } else if lower.contains("environment]::failfast") || lower.contains("win32shutdown(") {
        report.add(SYSTEM, Danger, "stops the machine or process", call.span());
    }
}
