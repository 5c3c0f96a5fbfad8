//! What was found, for people and for programs.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use ostler_terminal::output::plain;
use serde::Serialize;

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It works.
    Ok,
    /// It works, and could work better.
    Degraded,
    /// It does not work.
    Broken,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    state: State,
    seen: String,
    advice: Option<String>,
}

impl Finding {
    /// It works; what was seen.
    pub fn ok(seen: impl Into<String>) -> Self {
        Self {
            state: State::Ok,
            seen: seen.into(),
            advice: None,
        }
    }

    /// It works less well than it could; what was seen, and what to do.
    pub fn degraded(seen: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            state: State::Degraded,
            seen: seen.into(),
            advice: Some(advice.into()),
        }
    }

    /// It does not work; what was seen, and what to do.
    pub fn broken(seen: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            state: State::Broken,
            ..Self::degraded(seen, advice)
        }
    }
}

/// One thing that was tried.
#[derive(Debug, Serialize)]
pub struct Check {
    name: &'static str,
    state: State,
    seen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
    took_ms: f64,
}

impl Check {
    /// What a check of this name found.
    pub fn new(name: &'static str, finding: Finding, took: Duration) -> Self {
        Self {
            name,
            state: finding.state,
            seen: finding.seen,
            advice: finding.advice,
            took_ms: (took.as_secs_f64() * 1e5).round() / 100.0,
        }
    }
}

/// Everything that was tried.
#[derive(Debug, Serialize)]
pub struct Report {
    version: &'static str,
    checks: Vec<Check>,
    /// That of the worst check.
    pub state: State,
}

impl Report {
    /// Of these checks.
    pub fn of(checks: Vec<Check>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            state: checks.iter().map(|it| it.state).max().unwrap_or(State::Ok),
            checks,
        }
    }

    /// Aligned, the advice below what it is about.
    pub fn for_people(&self, colour: bool) -> String {
        let width = self
            .checks
            .iter()
            .map(|it| it.name.len())
            .max()
            .unwrap_or(0);
        let mut text = String::new();
        // A string takes everything.
        for check in &self.checks {
            let mark = marked(check.state, colour);
            let _ = writeln!(text, "{mark}  {:width$}  {}", check.name, line(&check.seen));
            if let Some(advice) = &check.advice {
                let _ = writeln!(text, "{:10}{:width$}  -> {advice}", "", "");
            }
        }
        let count = |state| self.checks.iter().filter(|it| it.state == state).count();
        let _ = writeln!(
            text,
            "\nostler {}: {} ok, {} degraded, {} broken",
            self.version,
            count(State::Ok),
            count(State::Degraded),
            count(State::Broken)
        );
        text
    }
}

/// One line without control sequences, whatever a policy or the system put into it.
fn line(seen: &str) -> String {
    let seen = plain(seen);
    let lines: Vec<_> = seen.lines().map(str::trim).collect();
    lines.join("; ")
}

fn marked(state: State, colour: bool) -> String {
    let (word, tone) = match state {
        State::Ok => ("ok", AnsiColor::Green),
        State::Degraded => ("degraded", AnsiColor::Yellow),
        State::Broken => ("broken", AnsiColor::Red),
    };
    let style = if colour {
        tone.on_default().bold()
    } else {
        Style::new()
    };
    format!("{style}{word:8}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_check_decides_and_advice_stands_below() {
        let took = Duration::from_micros(1234);
        let report = Report::of(vec![
            Check::new("a", Finding::ok("fine"), took),
            Check::new("longer", Finding::degraded("so so", "do this"), took),
        ]);
        assert_eq!(report.state, State::Degraded);
        assert_eq!(
            report.for_people(false),
            format!(
                "ok        a       fine\ndegraded  longer  so so\n                  -> do this\n\n\
                 ostler {}: 1 ok, 1 degraded, 0 broken\n",
                env!("CARGO_PKG_VERSION")
            )
        );
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["checks"][1]["advice"], "do this");
        assert_eq!(
            (&json["state"], &json["checks"][0]["took_ms"]),
            (&"degraded".into(), &1.23.into())
        );
    }

    #[test]
    fn what_was_seen_is_one_line_for_people_and_exact_for_programs() {
        let seen = "it printed: a\n\x1b[31mb\x1b[0m";
        let finding = Finding::broken(seen, "mend it");
        let report = Report::of(vec![Check::new("a", finding, Duration::ZERO)]);
        let text = report.for_people(false);
        assert!(
            text.starts_with("broken    a  it printed: a; b\n"),
            "{text:?}"
        );
        assert_eq!(
            serde_json::to_value(&report).unwrap()["checks"][0]["seen"],
            seen
        );
    }
}
