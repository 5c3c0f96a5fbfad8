//! A small scanner for SQL: statements, keywords, strings and comments, enough to see what is lost.

/// What a statement loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// An object is dropped.
    Dropped,
    /// A table is emptied.
    Truncated,
    /// Rows are deleted without a filter.
    AllRowsDeleted,
    /// Rows are changed without a filter.
    AllRowsUpdated,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A keyword or bare name, upper case.
    Word(String),
    /// A quoted name.
    Name(String),
    /// A string; its text matters only for comparing.
    Text(String),
    /// The body of a dollar-quoted string.
    Body(String),
    Mark(char),
}

impl Token {
    /// Whether it is one of these keywords.
    fn is(&self, words: &[&str]) -> bool {
        matches!(self, Self::Word(word) if words.contains(&word.as_str()))
    }
}

/// Everything that a script of statements loses, in order. Work in a transaction that is rolled
/// back counts for nothing.
pub(super) fn losses(script: &str) -> Vec<Loss> {
    let mut found = Vec::new();
    let mut pending: Option<usize> = None;
    for statement in tokens(script).split(|token| *token == Token::Mark(';')) {
        let is =
            |index: usize, word: &str| statement.get(index).is_some_and(|token| token.is(&[word]));
        if is(0, "BEGIN") || is(0, "START") && is(1, "TRANSACTION") {
            pending = Some(found.len());
        } else if is(0, "COMMIT") || is(0, "END") {
            pending = None;
        } else if is(0, "ROLLBACK") && !is(1, "TO") {
            if let Some(start) = pending.take() {
                found.truncate(start);
            }
        } else {
            found.extend(loss(statement));
            for token in statement {
                // `DO $$ … $$` runs its body; a function's body waits to be called.
                if let (Token::Body(body), true) = (token, is(0, "DO")) {
                    found.extend(losses(
                        body.trim_start().strip_prefix("BEGIN").unwrap_or(body),
                    ));
                }
            }
        }
    }
    found
}

/// Whether a script loses anything at all.
pub(in crate::rules) fn loses(script: &str) -> bool {
    !losses(script).is_empty()
}

fn loss(statement: &[Token]) -> Option<Loss> {
    let statement = explained(statement)?;
    let word = |index: usize| match statement.get(index) {
        Some(Token::Word(word)) => word.as_str(),
        _ => "",
    };
    match word(0) {
        "DROP" if matches!(word(1), "TEMPORARY" | "TEMP") || statement.len() < 2 => None,
        "DROP" => Some(Loss::Dropped),
        "TRUNCATE" if statement.len() > 1 => Some(Loss::Truncated),
        "ALTER" => alters_away(statement).then_some(Loss::Dropped),
        "DELETE" | "UPDATE" => unfiltered(statement),
        "WITH" => (1..statement.len())
            .filter(|&at| matches!(word(at), "DELETE" | "UPDATE"))
            .filter(|&at| !matches!(word(at - 1), "FOR" | "ON"))
            .find_map(|at| unfiltered(&statement[at..])),
        _ => None,
    }
}

/// The statement that really runs: `EXPLAIN` only plans, `EXPLAIN ANALYZE` runs.
fn explained(statement: &[Token]) -> Option<&[Token]> {
    match statement.first() {
        Some(first) if first.is(&["EXPLAIN", "DESC", "DESCRIBE"]) => {}
        _ => return Some(statement),
    }
    let at = statement
        .iter()
        .position(|token| token.is(&["DELETE", "UPDATE", "WITH", "DROP", "TRUNCATE", "INSERT"]))?;
    statement[..at]
        .iter()
        .any(|token| token.is(&["ANALYZE", "ANALYSE"]))
        .then(|| &statement[at..])
}

/// `ALTER TABLE … DROP COLUMN`, not the dropping of a constraint or a default.
fn alters_away(statement: &[Token]) -> bool {
    const KEPT: &[&str] = &[
        "CHECK",
        "CONSTRAINT",
        "DEFAULT",
        "EXPRESSION",
        "FOREIGN",
        "IDENTITY",
        "INDEX",
        "KEY",
        "NOT",
        "PRIMARY",
    ];
    // ClickHouse deletes rows by altering the table.
    let deletes = statement
        .iter()
        .position(|token| token.is(&["DELETE"]))
        .is_some_and(|at| unfiltered(&statement[at..]).is_some());
    deletes && statement.iter().any(|token| token.is(&["TABLE"]))
        || statement.windows(2).any(|pair| {
            matches!(&pair[0], Token::Word(word) if word == "DROP" || word == "TRUNCATE")
                && !matches!(&pair[1], Token::Word(word) if KEPT.contains(&word.as_str()))
        })
}

/// A `DELETE` or `UPDATE` with no `WHERE`, or one that holds for every row.
fn unfiltered(statement: &[Token]) -> Option<Loss> {
    let loss = match (statement.first(), statement.get(1)) {
        (Some(Token::Word(word)), Some(_)) if word == "DELETE" => Loss::AllRowsDeleted,
        (Some(Token::Word(word)), Some(_)) if word == "UPDATE" => {
            let sets = statement
                .iter()
                .any(|token| matches!(token, Token::Word(word) if word == "SET"));
            return (sets && !filtered(statement)).then_some(Loss::AllRowsUpdated);
        }
        _ => return None,
    };
    (!filtered(statement)).then_some(loss)
}

fn filtered(statement: &[Token]) -> bool {
    let mut depth = 0_i32;
    for (at, token) in statement.iter().enumerate() {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth -= 1,
            Token::Word(word) if word == "WHERE" && depth == 0 => {
                return !always_true(&statement[at + 1..]);
            }
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    false
}

/// What may follow the condition of a `WHERE`.
const AFTER_WHERE: &[&str] = &["ORDER", "LIMIT", "RETURNING"];

/// Whether a condition holds for every row: `1=1`, `true`, `id > 0 OR 1=1`.
fn always_true(condition: &[Token]) -> bool {
    let end = condition.iter().position(|token| token.is(AFTER_WHERE));
    let condition = &condition[..end.unwrap_or(condition.len())];
    let mut depth = 0_i32;
    let mut parts = vec![Vec::new()];
    for token in condition {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth -= 1,
            Token::Word(word) if word == "OR" && depth <= 0 => {
                parts.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if depth < 0 {
            break;
        }
        if let Some(part) = parts.last_mut() {
            part.push(token);
        }
    }
    parts.iter().any(|part| {
        let bare: Vec<&Token> = part
            .iter()
            .copied()
            .filter(|token| !matches!(token, Token::Mark('(' | ')')))
            .collect();
        match bare.as_slice() {
            [Token::Word(word)] => {
                word == "TRUE" || word.parse::<i64>().is_ok_and(|number| number != 0)
            }
            [left, Token::Mark('='), right] => left == right,
            _ => false,
        }
    })
}

fn tokens(script: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = script;
    let mut line_start = true;
    while let Some(first) = rest.chars().next() {
        let at_line_start = std::mem::replace(&mut line_start, first == '\n');
        let (token, length) = match first {
            _ if rest.starts_with("--") || first == '#' => (None, line_length(rest)),
            // A meta-command of psql or sqlite ends with its line.
            '\\' | '.' if at_line_start => (Some(Token::Mark(';')), line_length(rest)),
            // MySQL runs what stands in `/*! … */`.
            _ if rest.starts_with("/*!") => (
                None,
                3 + rest[3..].bytes().take_while(u8::is_ascii_digit).count(),
            ),
            _ if rest.starts_with("*/") => (None, 2),
            _ if rest.starts_with("/*") => (None, comment_length(rest)),
            '\'' => {
                let length = quoted_length(rest, '\'');
                (Some(Token::Text(inner(rest, length))), length)
            }
            '"' | '`' => {
                let length = quoted_length(rest, first);
                (Some(Token::Name(inner(rest, length))), length)
            }
            '$' if dollar_tag(rest).is_some() => {
                let tag = dollar_tag(rest).unwrap_or_default();
                let body = &rest[tag.len()..];
                let end = body.find(tag).unwrap_or(body.len());
                (
                    Some(Token::Body(body[..end].to_owned())),
                    (tag.len() * 2 + end).min(rest.len()),
                )
            }
            c if c.is_alphanumeric() || c == '_' => {
                let length = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
                    .unwrap_or(rest.len());
                (Some(Token::Word(rest[..length].to_uppercase())), length)
            }
            c if c.is_whitespace() => (None, c.len_utf8()),
            c => (Some(Token::Mark(c)), c.len_utf8()),
        };
        out.extend(token);
        if first == '\n' || rest[..length].ends_with('\n') {
            line_start = true;
        }
        rest = &rest[length..];
    }
    out
}

fn line_length(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
}

/// Length of a comment with the comments inside it.
fn comment_length(text: &str) -> usize {
    let mut depth = 0_u32;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// Length of a quoted text with its quotes; a doubled quote stays inside.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '\'' {
            chars.next();
        } else if c == quote {
            if chars.peek().is_some_and(|&(_, next)| next == quote) {
                chars.next();
            } else {
                return at + c.len_utf8();
            }
        }
    }
    text.len()
}

fn inner(text: &str, length: usize) -> String {
    let text = &text[1..length];
    text.strip_suffix(['\'', '"', '`'])
        .unwrap_or(text)
        .to_owned()
}

/// `$tag$` at the beginning of the text.
fn dollar_tag(text: &str) -> Option<&str> {
    let end = text[1..].find('$')? + 1;
    let name = &text[1..end];
    let fits = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    fits.then(|| &text[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_lose_objects_are_seen() {
        for script in [
            "DROP TABLE users",
            "select 1; drop table users; --",
            "/* tidy */ DROP TABLE IF EXISTS users",
            "BEGIN;\nDROP TABLE users;\nCOMMIT;",
            "ALTER TABLE t DROP COLUMN a",
            "DO $$ BEGIN EXECUTE 1; DROP TABLE x; END $$",
            "/*!50000 DROP TABLE x */",
        ] {
            assert_eq!(losses(script), [Loss::Dropped], "{script}");
        }
        assert_eq!(
            losses("TRUNCATE orders, items RESTART IDENTITY"),
            [Loss::Truncated]
        );
    }

    #[test]
    fn words_in_strings_comments_and_names_are_data() {
        for script in [
            "SELECT 'DROP TABLE users'",
            "SELECT 1 /* TRUNCATE users */",
            "-- DROP TABLE users\nSELECT 1",
            "CREATE TABLE drop_log(id int)",
            "SELECT delete_from_cart(5)",
            "COMMENT ON TABLE t IS $$DROP TABLE x$$",
            "ALTER TABLE t DROP CONSTRAINT c",
            "CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE)",
            "BEGIN; DROP TABLE x; ROLLBACK",
        ] {
            assert_eq!(losses(script), [], "{script}");
        }
    }

    #[test]
    fn a_filter_must_stand_in_the_same_statement_and_mean_something() {
        assert_eq!(
            losses("DELETE FROM users; SELECT 1 WHERE a=1"),
            [Loss::AllRowsDeleted]
        );
        assert_eq!(
            losses("DELETE FROM users WHERE 1=1"),
            [Loss::AllRowsDeleted]
        );
        assert_eq!(
            losses("DELETE FROM users WHERE id = 5 OR 1=1"),
            [Loss::AllRowsDeleted]
        );
        assert_eq!(
            losses("DELETE FROM users WHERE (true)"),
            [Loss::AllRowsDeleted]
        );
        assert_eq!(
            losses("UPDATE t SET a = (SELECT 1 WHERE x)"),
            [Loss::AllRowsUpdated]
        );
        assert_eq!(losses("DELETE FROM users WHERE id=5"), []);
        assert_eq!(losses("UPDATE t SET a=1 WHERE id IN (1,2)"), []);
        assert_eq!(losses("SELECT * FROM t FOR UPDATE"), []);
        assert_eq!(
            losses("WITH a AS (SELECT 1) DELETE FROM t"),
            [Loss::AllRowsDeleted]
        );
    }

    #[test]
    fn a_plan_is_only_looked_at_unless_it_is_analysed() {
        assert_eq!(losses("EXPLAIN DELETE FROM users"), []);
        assert_eq!(
            losses("EXPLAIN ANALYZE DELETE FROM users"),
            [Loss::AllRowsDeleted]
        );
        assert_eq!(
            losses("EXPLAIN (ANALYZE, BUFFERS) DELETE FROM users"),
            [Loss::AllRowsDeleted]
        );
    }
}
