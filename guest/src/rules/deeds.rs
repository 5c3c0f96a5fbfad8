//! Tables of subcommands that lose something, and the one function that reads them.

use super::options::{Grammar, Options};
use super::report::{Call, Report};
use crate::model::Severity;

/// One subcommand of one program (or several) that loses something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deed {
    /// Programs, separated by `|`.
    programs: &'static str,
    /// The words that name the subcommand, separated by blanks, spellings of one word by `|`, `*`
    /// for any word,
    /// `^` in front where these words may stand after others.
    path: &'static str,
    /// Options of which one must be there; empty where none is needed.
    needs: &'static str,
    /// Options of which each spares it, beside the program's dry run.
    spared_by: &'static str,
    /// Only with an operand after the path.
    needs_operand: bool,
    severity: Severity,
    rule: &'static str,
    message: &'static str,
}

impl Deed {
    /// A subcommand that loses something whatever its options.
    pub const fn new(
        programs: &'static str,
        path: &'static str,
        severity: Severity,
        rule: &'static str,
        message: &'static str,
    ) -> Self {
        Self {
            programs,
            path,
            needs: "",
            spared_by: "",
            needs_operand: false,
            severity,
            rule,
            message,
        }
    }

    /// Only where one of these options is given.
    pub const fn with(mut self, needs: &'static str) -> Self {
        self.needs = needs;
        self
    }

    /// Not where one of these options is given.
    pub const fn unless(mut self, spared_by: &'static str) -> Self {
        self.spared_by = spared_by;
        self
    }

    /// Only where an operand follows the subcommand's words.
    pub const fn on_operand(mut self) -> Self {
        self.needs_operand = true;
        self
    }

    fn fits(&self, words: &[String], options: &Options<'_>) -> bool {
        let Some(after) = path_end(self.path, words) else {
            return false;
        };
        (self.needs.is_empty() || options.any_of(self.needs))
            && !(options.any_of(self.spared_by))
            && (!self.needs_operand || words.len() > after)
    }
}

/// Where the path ends in the words, if it is there.
fn path_end(path: &str, words: &[String]) -> Option<usize> {
    if let Some(path) = path.strip_prefix('^') {
        return (0..=words.len()).find_map(|at| path_end(path, &words[at..]).map(|end| at + end));
    }
    let mut end = 0;
    for part in path.split(' ').filter(|part| !part.is_empty()) {
        let word = words.get(end)?;
        if part != "*" && !part.split('|').any(|name| name == word) {
            return None;
        }
        end += 1;
    }
    Some(end)
}

/// Reports every deed of the table that the command does, the first for each rule.
pub(super) fn apply(
    call: &Call<'_>,
    table: &[Deed],
    grammar: &Grammar,
    dry_run: &str,
    report: &mut Report,
) {
    let options = Options::parse(grammar, call.args);
    let words: Vec<String> = options.operands[..options.before_dashes]
        .iter()
        .map(|word| word.shown())
        .collect();
    let asks_for_help = options.asks_for_help()
        || options.any_of("-h") && !grammar.short_values.contains('h')
        || words.iter().any(|word| word == "help");
    if asks_for_help || options.any_of(dry_run) {
        return;
    }
    let mut told = "";
    for deed in table {
        let named = deed.programs.split('|').any(|program| program == call.name);
        if named && deed.rule != told && deed.fits(&words, &options) {
            report.add(deed.rule, deed.severity, deed.message, call.span());
            told = deed.rule;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_path_matches_from_the_first_word_unless_it_may_float() {
        assert_eq!(
            path_end("volume rm|remove", &words("volume remove x")),
            Some(2)
        );
        assert_eq!(path_end("volume rm", &words("x volume rm")), None);
        assert_eq!(path_end("^volume rm", &words("x volume rm")), Some(3));
        assert_eq!(path_end("* delete", &words("repo delete o/r")), Some(2));
    }
}
