//! Losses that client libraries cause, code that is fetched and run, signals to everything.

use super::scan::{Token, last_part};
use super::table::{Effect, LOSSES, fetches};
use crate::model::Severity::{Caution, Danger};
use crate::model::Span;
use crate::rules::report::Report;

/// Calls whose name says what is lost: `redis.flushall()`.
pub(super) fn named(tokens: &[Token], at: usize, span: Span, report: &mut Report) {
    let Token::Name(name) = &tokens[at] else {
        return;
    };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let owned = name.contains(['.', ':']);
    let chained = matches!(before, Some(Token::Mark('.' | '>')));
    let last = last_part(name);
    let found = LOSSES
        .iter()
        .find(|(loss, ..)| *loss == last || loss.contains('.') && name.ends_with(loss));
    let Some((loss, rule, message)) = found else {
        return;
    };
    // Behind `where(…)` only what the filter finds goes.
    let filtered = matches!(*loss, "delete_all" | "destroy_all") && !owned;
    if (owned || chained) && !filtered {
        let severity = if *rule == "db.unfiltered" {
            Caution
        } else {
            Danger
        };
        report.add(rule, severity, *message, span);
    }
}

/// Calls that lose something by their arguments.
pub(super) fn shaped(tokens: &[Token], at: usize, span: Span, report: &mut Report) {
    use Token::{Mark, Name};
    let Token::Name(name) = &tokens[at] else {
        return;
    };
    let everything = match (last_part(name), &tokens[at + 1..]) {
        ("delete_many" | "deleteMany" | "remove", [Mark('('), Mark('{'), Mark('}'), ..])
        | ("deleteMany", [Mark('('), Mark(')'), ..]) => true,
        // `Model.objects.all().delete()`
        ("all", [Mark('('), Mark(')'), Mark('.'), Name(next), ..]) => next == "delete",
        _ => false,
    };
    if everything {
        report.add(
            "db.unfiltered",
            Caution,
            "deletes every entry: no filter",
            span,
        );
    }
    let signals = matches!(last_part(name), "kill" | "killpg" | "kill_all")
        && tokens[at + 1..]
            .iter()
            .take(8)
            .take_while(|token| !matches!(token, Mark(')' | ';') | Token::Line))
            .collect::<Vec<_>>()
            .windows(2)
            .any(|pair| matches!(pair, [Mark('-'), Mark('1')]));
    if signals {
        report.add("sys.kill", Danger, "signals every process it may", span);
    }
}

/// What runs code that was fetched.
pub(super) fn remote(span: Span, report: &mut Report) {
    report.add(
        "exec.remote",
        Danger,
        "runs code from the network that nobody has seen",
        span,
    );
}

/// Whether anything in the tokens is brought from the network.
pub(super) fn brings_anything(tokens: &[Token]) -> bool {
    let address = |token: Option<&Token>| matches!(token, Some(Token::Text(text)) if text.starts_with("http"));
    tokens.iter().enumerate().any(|(at, token)| match token {
        Token::Name(name) => {
            fetches(name)
                || last_part(name) == "get"
                    && (address(tokens.get(at + 1))
                        || tokens.get(at + 1) == Some(&Token::Mark('('))
                            && address(tokens.get(at + 2)))
        }
        _ => false,
    })
}

/// Whether a call runs what the program has fetched.
pub(super) fn runs_fetched(
    effect: Effect,
    tokens: &[Token],
    arguments: &[Token],
    texts: &[&str],
) -> bool {
    let address = texts.first().is_some_and(|text| {
        ["http://", "https://", "ftp://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
    });
    let brought = brings_anything(arguments);
    match effect {
        Effect::Evaluates => brought || address || texts.is_empty() && brings_anything(tokens),
        Effect::Loads => address || brought,
        Effect::Runs => brought,
        _ => false,
    }
}
