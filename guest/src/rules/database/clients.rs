//! SQL clients: where each takes its statements from.

use super::sql::{Loss, losses};
use crate::model::Severity::{Caution, Danger, Note};
use crate::rules::filesystem::sqlite_shell;
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::{Piece, Stdin, Word};

/// How one client is told what to run.
struct Client {
    names: &'static str,
    grammar: Grammar,
    /// Options whose values are statements: letters, then long names.
    letters: &'static str,
    long: &'static str,
    /// Whether the operands from this one on are statements.
    operands_from: Option<usize>,
}

const fn client_row(
    names: &'static str,
    letters: &'static str,
    long: &'static str,
    short_values: &'static str,
    long_values: &'static str,
) -> Client {
    let grammar = Grammar {
        short_values,
        long_values,
        ..Grammar::PLAIN
    };
    Client {
        names,
        grammar,
        letters,
        long,
        operands_from: None,
    }
}

#[rustfmt::skip]
const CLIENTS: &[Client] = &[
    client_row("psql", "c", "command", "cdfhLopPRTUv",
        "command dbname file host log-file output port username set variable"),
    client_row("mysql|mariadb|mycli", "e", "execute", "eDhPSu",
        "execute database host port socket user"),
    client_row("sqlcmd|osql", "qQ", "query initial-query", "qQdSUPilov", "query initial-query"),
    client_row("clickhouse-client|clickhouse", "qn", "query", "qhudp",
        "query host user database password port"),
    client_row("cqlsh", "e", "execute", "efkup", "execute file keyspace username password"),
    Client { operands_from: Some(1),..client_row("duckdb", "c", "c cmd", "c", "c cmd") },
    client_row("cockroach", "e", "execute", "edu", "execute database user host url"),
    client_row("snowsql|snow", "q", "query", "qfacd", "query filename accountname"),
    client_row("trino|presto", "", "execute", "f", "execute server catalog schema file"),
    client_row("hive|beeline|spark-sql|usql", "ec", "execute command", "ecfu",
        "execute command database"),
    client_row("impala-shell", "q", "query", "qifd", "query impalad database"),
    client_row("influx", "", "execute", "", "execute host port database"),
    client_row("wrangler", "", "command", "c", "command config file env"),
    client_row("pgcli|sqlplus|isql|mssql-cli|vsql|tsql", "Q", "execute", "Q", "execute"),
    Client { operands_from: Some(1),..client_row("sqlite3|sqlite", "", "cmd", "",
        "cmd init separator nullvalue newline") },
    Client { operands_from: Some(1),..client_row("bq", "", "", "",
        "project_id dataset_id location") },
    Client { operands_from: Some(3),..client_row("turso", "", "", "", "") },
];

/// An SQL client.
pub(in crate::rules) fn client(call: &Call<'_>, report: &mut Report) {
    let named = |client: &&Client| client.names.split('|').any(|name| name == call.name);
    let Some(client) = CLIENTS.iter().find(named) else {
        return;
    };
    // sqlite3 writes its long options with one dash.
    let grammar = Grammar {
        one_dash: call.name.starts_with("sqlite") || call.name == "influx",
        ..client.grammar
    };
    let options = Options::parse(&grammar, call.args);
    if options.asks_for_help() || options.any_of("--dry_run --dry-run") {
        return;
    }
    let mut scripts: Vec<String> = Vec::new();
    for letter in client.letters.chars() {
        scripts.extend(options.values(letter, " ").map(str::to_owned));
    }
    for long in client.long.split(' ').filter(|long| !long.is_empty()) {
        scripts.extend(options.values(' ', long).map(str::to_owned));
    }
    if call.name.starts_with("sqlite") {
        let database = options.operand(0).unwrap_or_default();
        for word in options.operands.iter().skip(1) {
            sqlite_shell(&word.shown(), call, report);
        }
        // A database in memory is gone anyway.
        if database == ":memory:" {
            return;
        }
    }
    if let Some(first) = client.operands_from {
        scripts.extend(options.operands.iter().skip(first).map(|word| word.shown()));
    }
    if scripts.is_empty() && !matches!(call.invocation().stdin, Stdin::Inherited) {
        scripts.extend(stdin::text(call));
    }
    if scripts.is_empty() {
        scripts.extend(stdin::substituted_text(call));
    }
    if scripts.is_empty()
        && call
            .sources()
            .iter()
            .any(|source| writes_sql(call, *source))
    {
        report.add(
            "db.drop",
            Danger,
            "runs statements that a query writes: they drop or empty objects",
            call.span(),
        );
    }
    for text in &scripts {
        script(text, call, report);
    }
}

/// Whether a stage before it is a client whose query yields statements that lose something.
fn writes_sql(call: &Call<'_>, source: usize) -> bool {
    let invocation = &call.all.invocations[source];
    let name = invocation.program.as_deref().unwrap_or_default();
    let is_client = CLIENTS
        .iter()
        .any(|client| client.names.split('|').any(|known| known == name));
    is_client
        && invocation
            .args
            .iter()
            .any(|word| mentions_loss(&word.shown()).is_some())
}

/// What a client runs.
pub(in crate::rules) fn script(text: &str, call: &Call<'_>, report: &mut Report) {
    escapes(text, call, report);
    statements(text, call, report);
}

/// Lines that leave the client for a shell: `\! command` of psql and mysql, `.shell command` of
/// sqlite.
fn escapes(script: &str, call: &Call<'_>, report: &mut Report) {
    for line in script.lines() {
        if let Some(shell) = line.trim_start().strip_prefix("\\!") {
            report.shell_text(shell.trim_start_matches(' '), call.span());
        }
        let mysql = matches!(call.name, "mysql" | "mariadb" | "mycli");
        if let Some(shell) = line.trim_start().strip_prefix("system ").filter(|_| mysql) {
            report.shell_text(shell, call.span());
        }
        sqlite_shell(line, call, report);
    }
}

/// What the statements of a text lose.
pub(in crate::rules) fn statements(script: &str, call: &Call<'_>, report: &mut Report) {
    for loss in losses(script) {
        match loss {
            Loss::Dropped => report.add(
                "db.drop",
                Danger,
                "drops a database object and all that it holds",
                call.span(),
            ),
            Loss::Truncated => report.add(
                "db.drop",
                Danger,
                "truncates a table: all its rows are lost",
                call.span(),
            ),
            Loss::AllRowsDeleted => {
                report.add(
                    "db.unfiltered",
                    Caution,
                    "deletes every row of a table: no filter",
                    call.span(),
                );
            }
            Loss::AllRowsUpdated => {
                report.add(
                    "db.unfiltered",
                    Caution,
                    "updates every row of a table: no filter",
                    call.span(),
                );
            }
        }
    }
}

/// Notes text that would lose something as SQL, wherever it stands: it may be on its way into a
/// database.
pub(in crate::rules) fn sql_text(call: &Call<'_>, report: &mut Report) {
    let verb = |text: &str| {
        ["drop", "truncate", "delete"]
            .iter()
            .any(|verb| text.eq_ignore_ascii_case(verb))
    };
    let bare_verb =
        |word: &Word| matches!(word.pieces.as_slice(), [Piece::Text { value, .. }] if verb(value));
    // Its words may be words of the command: `DROP TABLE users;`, `echo drop table users`.
    let spread = verb(call.name) || call.args.iter().any(bare_verb);
    let line = spread.then(|| {
        let words = call.args.iter().map(Word::shown);
        std::iter::once(call.name.to_owned())
            .chain(words)
            .collect::<Vec<_>>()
            .join(" ")
    });
    let document = match &call.invocation().stdin {
        Stdin::Text(word) => word.pieces.as_slice(),
        _ => &[],
    };
    let pieces = call
        .args
        .iter()
        .flat_map(|word| &word.pieces)
        .chain(document);
    let texts = pieces.filter_map(|piece| match piece {
        Piece::Text { value, .. } => Some(value.as_str()),
        _ => None,
    });
    if let Some(what) = texts.chain(line.as_deref()).find_map(mentions_loss) {
        let message = format!("holds SQL that would {what}");
        report.add("db.statement-text", Note, message, call.span());
    }
}

/// What a text would do as SQL, if it speaks of dropping or emptying.
fn mentions_loss(text: &str) -> Option<&'static str> {
    const OBJECTS: &[&str] = &["table", "database", "schema"];
    // The shortest that counts is `drop table x`.
    if text.len() < 12 {
        return None;
    }
    let mut words = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty());
    let mut word = words.next()?;
    for next in words {
        let verb = std::mem::replace(&mut word, next);
        let object = || {
            OBJECTS
                .iter()
                .any(|object| next.eq_ignore_ascii_case(object))
        };
        if (verb.eq_ignore_ascii_case("drop") || verb.eq_ignore_ascii_case("truncate")) && object()
        {
            return Some("drop or truncate database objects");
        }
        if verb == "DELETE" && next.eq_ignore_ascii_case("from") {
            let everything = losses(text).contains(&Loss::AllRowsDeleted);
            return everything.then_some("delete every row of a table");
        }
    }
    None
}
