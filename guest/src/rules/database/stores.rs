//! Stores without SQL: document databases, key-value stores, queues, search engines, and the
//! tools that drop databases.

use crate::model::Severity::{Caution, Danger};
use crate::rules::deeds::{self, Deed};
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::{Piece, Via};

const RULE: &str = "db.drop";

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    Deed::new("dropdb", "", Danger, RULE, "drops the database").on_operand()
        .unless("-i --interactive"),
    Deed::new("dropuser", "", Caution, RULE, "drops the database user").on_operand()
        .unless("-i --interactive"),
    Deed::new("mysqladmin|mariadb-admin", "^drop", Danger, RULE, "drops the database"),
    Deed::new("mysqladmin|mariadb-admin", "^shutdown", Caution, "sys.service",
        "stops the database server"),
    Deed::new("pg_restore", "", Danger, RULE, "drops the existing objects before it restores them")
        .with("-c --clean").unless("-f --file"),
    Deed::new("pg_ctl", "^stop", Caution, "sys.service", "stops the database server"),
    Deed::new("pg_ctlcluster", "* * stop", Caution, "sys.service", "stops the database server"),
    Deed::new("influx", "bucket|org delete", Danger, RULE, "deletes the measurements"),
    Deed::new("influx", "delete", Danger, RULE, "deletes the measurements"),
    Deed::new("vault", "kv delete|destroy", Danger, RULE, "deletes the secret"),
    Deed::new("vault", "kv metadata delete", Danger, RULE,
        "deletes the secret with all its versions"),
    Deed::new("vault", "delete", Danger, RULE, "deletes the secret"),
    Deed::new("vault", "secrets|auth disable", Danger, RULE, "deletes everything below the mount"),
    Deed::new("vault", "operator seal|step-down", Caution, "sys.service",
        "takes the secrets' server out of service"),
    Deed::new("vault", "token revoke", Caution, "sys.service", "revokes the token"),
    Deed::new("vault", "policy|namespace|plugin delete|deregister", Danger, RULE, "deletes the entry"),
    Deed::new("consul", "leave|force-leave", Caution, "sys.service", "takes the server away"),
    Deed::new("consul", "kv delete", Danger, RULE, "deletes the keys").with("-recurse"),
    Deed::new("etcdctl", "^del", Danger, RULE, "deletes the keys").with("--prefix --from-key"),
    Deed::new("zkCli.sh|zkCli", "^deleteall|rmr", Danger, RULE, "deletes the nodes"),
    Deed::new("rabbitmqctl", "delete_queue|purge_queue|delete_vhost|reset|force_reset|delete_user",
        Danger, RULE, "deletes the queue, host or the node's whole state"),
    Deed::new("rabbitmqctl", "stop|stop_app|shutdown", Caution, "sys.service",
        "stops the message broker"),
    Deed::new("rabbitmqadmin", "^delete|purge", Danger, RULE, "deletes the queue or its messages"),
    Deed::new("kafka-topics|kafka-topics.sh|kafka-delete-records|kafka-delete-records.sh", "",
        Danger, RULE, "deletes the topic with its messages").with("--delete --offset-json-file"),
    Deed::new("nats", "stream|kv|object|consumer rm|del|delete|purge", Danger, RULE,
        "deletes the messages"),
    Deed::new("bq", "^rm", Danger, RULE, "deletes the table or dataset"),
    Deed::new("vault", "lease revoke", Danger, RULE, "revokes every lease below the prefix")
        .with("-prefix -force"),
    Deed::new("pg_dropcluster", "", Danger, RULE, "drops the database cluster with all its data")
        .on_operand(),
    Deed::new("pg_resetwal", "", Danger, RULE, "throws the write-ahead log away").on_operand(),
    Deed::new("kafka-consumer-groups|kafka-consumer-groups.sh", "", Danger, RULE,
        "loses the consumers' positions").with("--delete --execute"),
    Deed::new("pulsar-admin", "^delete|clear-backlog|unload", Danger, RULE,
        "deletes the topic with its messages"),
    Deed::new("mongorestore", "", Danger, RULE, "drops each collection before it restores it")
        .with("--drop"),
];

/// Tools that name what they do as a subcommand.
pub(in crate::rules) fn stores(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: if matches!(call.name, "mysqladmin" | "mariadb-admin" | "dropdb") {
            "huPUp"
        } else {
            "n"
        },
        long_values: "host port username user project_id endpoints bucket vhost",
        one_dash: matches!(call.name, "consul" | "vault"),
        ..Grammar::PLAIN
    };
    deeds::apply(call, DEEDS, &grammar, "--dry-run --dry_run", report);
}

/// `cypher-shell 'MATCH (n) DETACH DELETE n'`.
pub(in crate::rules) fn graph_shell(call: &Call<'_>, report: &mut Report) {
    let mut scripts: Vec<String> = call.args.iter().map(|word| word.shown()).collect();
    scripts.extend(stdin::text(call));
    let deletes = scripts.iter().any(|script| {
        let upper = script.to_ascii_uppercase();
        upper.contains("DELETE ")
            && upper.contains("MATCH")
            && !upper.contains("WHERE")
            && !upper.contains('{')
            || upper.starts_with("DROP ")
    });
    if deletes {
        report.add(
            RULE,
            Danger,
            "deletes every node that matches, or drops an object",
            call.span(),
        );
    }
}

/// `redis-cli`, `valkey-cli`.
pub(in crate::rules) fn redis(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "hpanurdi",
        long_values: "user pass sni eval",
        permutes: false,
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    if options.asks_for_help() {
        return;
    }
    let mut lines: Vec<String> = vec![
        options
            .operands
            .iter()
            .map(|word| word.shown())
            .collect::<Vec<_>>()
            .join(" "),
    ];
    if options.operands.is_empty() {
        lines = stdin::text(call)
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect();
    }
    for line in &lines {
        let mut words = line.split_whitespace();
        let command = words.next().unwrap_or_default().to_ascii_uppercase();
        match command.as_str() {
            "FLUSHALL" | "FLUSHDB" => {
                report.add(RULE, Danger, "drops every key of the database", call.span())
            }
            "EVAL" | "SCRIPT"
                if line.to_ascii_lowercase().contains("'flush")
                    || line.to_ascii_lowercase().contains("\"flush") =>
            {
                report.add(RULE, Danger, "drops every key of the database", call.span())
            }
            "SHUTDOWN" => report.add(
                "sys.service",
                Caution,
                "stops the database server",
                call.span(),
            ),
            "DEL" | "UNLINK" => {
                let fed = call.via(Via::Xargs)
                    && options
                        .operands
                        .iter()
                        .any(|word| word.pieces.contains(&Piece::Unknown));
                if fed {
                    report.add(
                        "db.unfiltered",
                        Caution,
                        "deletes every key that a list yields",
                        call.span(),
                    );
                }
            }
            _ => {}
        }
    }
}

/// Calls in the scripts of `mongosh --eval` and its like, and whether they need an empty filter
/// to be bad.
#[rustfmt::skip]
const DOCUMENT_CALLS: &[(&str, bool)] = &[
    ("dropDatabase(", false),
    ("dropCollection(", false),
    (".drop(", false),
    ("dropIndexes(", false),
    ("deleteMany(", true),
    ("remove(", true),
    ("deleteAll(", false),
    ("shutdownServer(", false),
];

/// `mongosh`, `mongo`.
pub(in crate::rules) fn document_shell(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        long_values: "eval host port username password file",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    let mut scripts: Vec<String> = options.values(' ', "eval").map(str::to_owned).collect();
    if scripts.is_empty() {
        scripts.extend(stdin::text(call));
    }
    for script in &scripts {
        let code = without_strings(script);
        let loses = DOCUMENT_CALLS.iter().any(|(name, needs_empty_filter)| {
            code.match_indices(name).any(|(at, _)| {
                let argument: String = code[at + name.len()..]
                    .chars()
                    .filter(|c| !c.is_whitespace())
                    .take(3)
                    .collect();
                !needs_empty_filter
                    || argument.starts_with("{})")
                    || argument.starts_with(')')
                    || argument.starts_with("{},")
            })
        });
        if loses {
            report.add(
                RULE,
                Danger,
                "drops a collection or database, or deletes every document",
                call.span(),
            );
        }
    }
}

/// JavaScript with the contents of its strings taken out.
fn without_strings(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut open: Option<char> = None;
    let mut chars = script.chars();
    while let Some(c) = chars.next() {
        match open {
            Some(_) if c == '\\' => drop(chars.next()),
            Some(quote) if c == quote => {
                open = None;
                out.push(c);
            }
            Some(_) => {}
            None => {
                if matches!(c, '"' | '\'' | '`') {
                    open = Some(c);
                }
                out.push(c);
            }
        }
    }
    out
}

/// A request to a search engine; tells whether it was one.
pub(in crate::rules) fn elasticsearch(
    method: &str,
    url: &str,
    call: &Call<'_>,
    report: &mut Report,
) -> bool {
    let engine = url.contains(":9200")
        || url.contains("elasticsearch")
        || url.contains("opensearch")
        || url.contains("//es");
    let by_query = url.contains("/_delete_by_query");
    if by_query && method == "POST" || engine && method == "DELETE" {
        report.add(
            RULE,
            Danger,
            "deletes an index or every document that a query finds",
            call.span(),
        );
        return true;
    }
    false
}
