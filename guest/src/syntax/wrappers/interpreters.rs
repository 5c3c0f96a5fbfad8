//! Interpreters of other languages: where their program text stands.

use super::super::invocation::Via;
use super::super::word::Word;
use super::options::{Grammar, scan};
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
}

const fn row(names: &'static str, texts: &'static str, grammar: Grammar) -> Row {
    Row {
        names,
        texts,
        grammar,
        operand: false,
        input: true,
    }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("python pypy ipython", "-c", Grammar::new("cmWXQ", "").inert("-V -h -m")),
    row("perl", "-e -E", Grammar::new("eEIMmx", "").attached("CDFiV").digits("l0").inert("-v -c")),
    row("ruby jruby irb", "-e", Grammar::new("eIrCE", "").attached("0FKTWix").inert("-v -c")),
    row("node nodejs bun", "-e --eval -p --print", Grammar::new("eprC", "eval print require import loader").inert("-v -c")),
    row("deno", "", Grammar::PLAIN),
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
    Row { names: "awk gawk mawk nawk", texts: "-e --source", grammar: Grammar::new("Fvfei", "file source assign field-separator include").inert("-V"), operand: true, input: false },
];

pub(super) fn peel(call: Call<'_>) -> Option<Peeled> {
    let plain = interpreter(call.name);
    let row = ROWS
        .iter()
        .find(|row| row.names.split(' ').any(|name| name == plain))?;
    let interpreter = row.names.split(' ').next().unwrap_or(plain).to_owned();
    let carried = vec![carried(row, call, interpreter)?];
    Some(Peeled {
        via: Via::Interpreter,
        carried,
        passes_status: false,
    })
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
    let operand = call.args.get(scanned.next);
    if interpreter == "deno" {
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
            None
        } else {
            program(operand?.clone())
        };
    }
    let from_input = operand.is_none_or(|word| word.literal().as_deref() == Some("-"));
    (row.input && from_input).then_some(Carried::InputProgram { interpreter })
}

/// The name of an interpreter without version digits: `python3.12` is `python`.
pub(in super::super) fn interpreter(name: &str) -> &str {
    let plain =
        name.trim_end_matches(|last: char| last.is_ascii_digit() || matches!(last, '.' | '-'));
    if plain.is_empty() { name } else { plain }
}
