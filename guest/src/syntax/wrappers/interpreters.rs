//! Interpreters of other languages: where their program text stands.

use super::super::invocation::Via;
use super::super::word::Word;
use super::options::{Grammar, is_among, scan};
use super::{Call, Carried, Peeled};

/// One interpreter.
struct Row {
    /// Its names without version digits, space separated; the first is the name that is reported.
    names: &'static str,
    /// Options whose value is program text, space separated, as written.
    texts: &'static str,
    grammar: Grammar,
    /// Whether the first operand is the program text.
    operand: bool,
    /// Whether it reads its program from standard input where no file is named.
    input: bool,
    /// The subcommand that runs a file, in front of the file; required where it ends in `!`.
    subcommand: &'static str,
}

impl Row {
    const fn subcommand(mut self, subcommand: &'static str) -> Self {
        self.subcommand = subcommand;
        self
    }
}

const fn row(names: &'static str, texts: &'static str, grammar: Grammar) -> Row {
    Row {
        names,
        texts,
        grammar,
        operand: false,
        input: true,
        subcommand: "",
    }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("python pypy ipython", "-c", Grammar::new("cmWXQ", "").inert("-V -h -m")),
    row("perl", "-e -E", Grammar::new("eEIMmx", "").attached("CDFiV").digits("l0").inert("-v -c")),
    row("ruby jruby irb", "-e", Grammar::new("eIrCE", "").attached("0FKTWix").inert("-v -c")),
    row("node nodejs bun", "-e --eval -p --print -pe", Grammar::new("eprC", "eval print require import loader").inert("-v -c --check")).subcommand("run"),
    row("node tsx ts-node esno jiti zx", "-e --eval -p --print", Grammar::new("epOPC", "eval print project tsconfig")),
    row("deno", "", Grammar::new("cL", "config import-map lock cert seed ext")).subcommand("run"),
    row("go", "", Grammar::new("", "")).subcommand("run!"),
    row("rust rust-script", "-e --expr", Grammar::new("ed", "expr dep")),
    row("swift", "-e", Grammar::new("e", "")),
    row("ghc runghc runhaskell", "-e", Grammar::new("ei", "")),
    row("emacs", "--eval -eval --execute -execute", Grammar::new("lfLdut", "load funcall eval execute directory display")),
    row("sbcl ecl clisp", "--eval -eval -x", Grammar::new("x", "eval load")),
    row("clojure clj bb", "-e --eval", Grammar::new("eiMmAX", "eval init main")),
    row("racket", "-e --eval", Grammar::new("etlrufkm", "eval require lib")),
    row("crystal", "", Grammar::PLAIN).subcommand("run"),
    row("nim", "", Grammar::PLAIN).subcommand("r!"),
    row("java", "", Grammar::new("cp", "class-path classpath module-path add-modules source").inert("-version -jar -h")),
    row("kotlin kotlinc", "-e", Grammar::new("e", "")),
    row("php", "-r -R -B -E", Grammar::new("rRBEcdfFStz", "").inert("-v -l -i -m")),
    row("lua luajit", "-e", Grammar::new("elb", "").inert("-v")),
    row("osascript", "-e", Grammar::new("els", "")),
    row("Rscript", "-e", Grammar::new("eg", "")),
    row("R", "-e", Grammar::new("efg", "")),
    row("jshell", "", Grammar::new("CJR", "")),
    row("groovy", "-e", Grammar::new("eclp", "")),
    row("scala", "-e", Grammar::new("e", "")),
    row("elixir", "-e --eval", Grammar::new("erSp", "eval")),
    row("guile", "-c", Grammar::new("cesLlx", "")),
    row("tclsh", "", Grammar::PLAIN),
    row("expect", "-c", Grammar::new("cf", "").inert("-v")),
    row("julia", "-e --eval -E --print", Grammar::new("eELptJC", "eval print load procs threads project sysimage")),
    Row { names: "awk gawk mawk nawk", texts: "-e --source", grammar: Grammar::new("Fvfei", "file source assign field-separator include").inert("-V"), operand: true, input: false, subcommand: "" },
];

/// SQL clients and their options that name a file of statements.
#[rustfmt::skip]
const SQL_FILES: &[(&str, &str, Grammar)] = &[
    ("psql", "-f --file", Grammar::new("cdfhLopPRTUv", "command dbname file host log-file output port username set variable")),
    ("sqlcmd osql", "-i", Grammar::new("iqQdSUPlov", "")),
    ("cqlsh", "-f --file", Grammar::new("efkup", "execute file keyspace username password")),
    ("clickhouse-client clickhouse", "--queries-file", Grammar::new("qhudp", "query queries-file host user database password port")),
    ("snowsql snow", "-f --filename", Grammar::new("qfacd", "query filename accountname")),
    ("trino presto", "-f --file", Grammar::new("f", "execute server catalog schema file")),
    ("hive beeline spark-sql usql", "-f --file", Grammar::new("efu", "execute command database file")),
    ("impala-shell", "-f --query_file", Grammar::new("qifd", "query query_file impalad database")),
    ("duckdb", "-init -f", Grammar::new("cf", "")),
    ("cockroach", "-f --file", Grammar::new("efdu", "execute file database user host url")),
    ("wrangler", "--file", Grammar::new("c", "command config file env")),
];

/// A file of statements that a client runs.
fn sql_file(call: Call<'_>) -> Option<Carried> {
    let (_, options, grammar) = SQL_FILES
        .iter()
        .find(|(names, ..)| is_among(names, call.name))?;
    let mut at = 0;
    while at < call.args.len() {
        let scanned = scan(call.args, at, grammar);
        let named = scanned
            .seen
            .iter()
            .find(|seen| options.split(' ').any(|option| option == seen.name));
        if let Some(path) = named.and_then(|seen| seen.value.clone()) {
            return Some(Carried::ProgramFile {
                interpreter: "sql".to_owned(),
                path,
                operand: None,
            });
        }
        at = scanned.next.max(at) + 1;
    }
    None
}

pub(super) fn peel(call: Call<'_>) -> Option<Peeled> {
    let peeled = |carried| Peeled {
        via: Via::Interpreter,
        carried: vec![carried],
        passes_status: false,
    };
    if let Some(file) = sql_file(call) {
        return Some(peeled(file));
    }
    let plain = interpreter(call.name);
    let row = ROWS.iter().find(|row| is_among(row.names, plain))?;
    let interpreter = row.names.split(' ').next().unwrap_or(plain).to_owned();
    carried(row, call, interpreter).map(peeled)
}

fn carried(row: &Row, call: Call<'_>, interpreter: String) -> Option<Carried> {
    let scanned = scan(call.args, 0, &row.grammar);
    let program = |source: Word| {
        Some(Carried::Program {
            interpreter: interpreter.clone(),
            source,
        })
    };
    // Several texts are lines of one program.
    let texts = scanned
        .seen
        .iter()
        .filter(|seen| row.texts.split(' ').any(|name| name == seen.name));
    let mut whole: Option<Word> = None;
    if interpreter == "emacs" {
        // Its long options may have one dash.
        let evaluates = |word: &Word| {
            let text = word.literal().unwrap_or_default();
            matches!(text.trim_start_matches('-'), "eval" | "execute") && text.starts_with('-')
        };
        let mut words = call.args.windows(2);
        return words
            .find(|pair| pair.first().is_some_and(evaluates))
            .and_then(|pair| program(pair.get(1)?.clone()));
    }
    for text in texts.filter_map(|seen| seen.value.as_ref()) {
        match &mut whole {
            Some(whole) => {
                whole.push_text("\n");
                whole.pieces.extend(text.pieces.iter().cloned());
            }
            None => whole = Some(text.clone()),
        }
    }
    if let Some(source) = whole {
        return program(source);
    }
    if scanned.inert {
        return None;
    }
    let mut at = scanned.next;
    let required = row.subcommand.ends_with('!');
    let subcommand = row.subcommand.trim_end_matches('!');
    let is_subcommand = |word: &Word| word.literal().as_deref() == Some(subcommand);
    if !subcommand.is_empty() && call.args.get(at).is_some_and(is_subcommand) {
        at = scan(call.args, at + 1, &row.grammar).next;
    } else if required {
        return None;
    }
    let operand = call.args.get(at);
    if interpreter == "deno" && at == scanned.next {
        let evaluates = operand.is_some_and(|word| word.literal().as_deref() == Some("eval"));
        let next = scan(call.args, scanned.next + 1, &Grammar::new("", "ext")).next;
        return if evaluates {
            program(call.args.get(next)?.clone())
        } else {
            None
        };
    }
    if row.operand {
        let from_file = scanned.has("-f") || scanned.has("--file");
        return if from_file {
            let path = scanned.value("-f").or(scanned.value("--file"))?.clone();
            Some(Carried::ProgramFile {
                interpreter,
                path,
                operand: None,
            })
        } else {
            program(operand?.clone())
        };
    }
    let from_input = operand.is_none_or(|word| word.literal().as_deref() == Some("-"));
    if from_input {
        return row.input.then_some(Carried::InputProgram { interpreter });
    }
    Some(Carried::ProgramFile {
        interpreter,
        path: operand?.clone(),
        operand: Some(at),
    })
}

/// The name of an interpreter without version digits: `python3.12` is `python`.
pub(in super::super) fn interpreter(name: &str) -> &str {
    let plain =
        name.trim_end_matches(|last: char| last.is_ascii_digit() || matches!(last, '.' | '-'));
    if plain.is_empty() { name } else { plain }
}
