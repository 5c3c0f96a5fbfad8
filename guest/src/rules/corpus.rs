//! The labelled commands of `tests/corpus/destructive.jsonl`: recall and precision of the rules.

use std::collections::BTreeMap;

use crate::model::{Dialect, Severity};
use crate::rules::judge;
use crate::syntax::unfold_as;

#[derive(serde::Deserialize)]
struct Row {
    command: String,
    shell: String,
    destructive: bool,
    categories: Vec<String>,
    why: String,
}

fn rows() -> Vec<Row> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/corpus/destructive.jsonl"
    );
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn warned(row: &Row) -> Vec<String> {
    let dialect = match row.shell.as_str() {
        "powershell" => Dialect::Powershell,
        "cmd" => Dialect::Cmd,
        _ => Dialect::Bash,
    };
    judge(&unfold_as(dialect, &row.command), dialect)
        .into_iter()
        .filter(|finding| finding.severity > Severity::Note)
        .map(|finding| finding.rule)
        .collect()
}

#[derive(Default)]
struct Score {
    hits: u32,
    misses: u32,
    false_alarms: u32,
}

impl Score {
    fn recall(&self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.misses).max(1))
    }

    fn precision(&self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.false_alarms).max(1))
    }
}

/// Set `OSTLER_CORPUS=1` to see the score of each family and every command that is judged wrongly.
#[test]
fn the_rules_find_what_the_corpus_calls_destructive_and_little_else() {
    let shows = std::env::var_os("OSTLER_CORPUS").is_some();
    let mut total = Score::default();
    let mut families: BTreeMap<String, Score> = BTreeMap::new();
    for row in rows() {
        let found = warned(&row);
        let label = row.categories.iter().find_map(|category| {
            if row.destructive {
                Some(category.as_str())
            } else {
                category.strip_prefix("like.")
            }
        });
        let family = label
            .unwrap_or("none")
            .split('.')
            .next()
            .unwrap_or("none")
            .to_owned();
        let score = families.entry(family).or_default();
        for score in [&mut total, score] {
            match (row.destructive, found.is_empty()) {
                (true, false) => score.hits += 1,
                (true, true) => score.misses += 1,
                (false, false) => score.false_alarms += 1,
                (false, true) => {}
            }
        }
        if shows && row.destructive == found.is_empty() {
            let kind = if row.destructive {
                "missed"
            } else {
                "false alarm"
            };
            println!(
                "{kind} [{}] {:?} {found:?} {} ({})",
                row.shell,
                row.command,
                row.categories.join(","),
                row.why
            );
        }
    }
    if shows {
        for (family, score) in &families {
            println!(
                "{family}: recall {:.3} precision {:.3}",
                score.recall(),
                score.precision()
            );
        }
        println!(
            "all: recall {:.3} precision {:.3}",
            total.recall(),
            total.precision()
        );
    }
    assert!(total.recall() >= 0.97, "recall {:.3}", total.recall());
    assert!(
        total.precision() >= 0.99,
        "precision {:.3}",
        total.precision()
    );
}
