//! Options and operands of a command, parsed as the tool itself would.

use crate::syntax::{Piece, Word};

/// How one tool (or one subcommand) writes its options.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grammar {
    /// Short options that take a value, attached or as the next word.
    pub short_values: &'static str,
    /// Long options (space separated, no dashes) that take the next word where no `=` is attached.
    pub long_values: &'static str,
    /// Other long options (space separated, no dashes): with `long_values` what an abbreviation
    /// may stand for.
    /// Empty for tools that allow none.
    pub long_names: &'static str,
    /// Whether options are still options after the first operand.
    pub permutes: bool,
    /// Whether one dash starts a long option (`-auto-approve`).
    pub one_dash: bool,
}

impl Grammar {
    /// Options anywhere, none with a separate value, no abbreviations.
    pub const PLAIN: Self = Self {
        short_values: "",
        long_values: "",
        long_names: "",
        permutes: true,
        one_dash: false,
    };

    fn long_takes_value(&self, name: &str) -> bool {
        self.long_values.split(' ').any(|known| known == name)
    }

    /// The full name of a long option: itself, or the only known name that it begins.
    fn full_name<'a>(&self, name: &'a str) -> &'a str
    where
        Self: 'static,
    {
        if self.long_names.is_empty() || name.is_empty() {
            return name;
        }
        let known = || {
            self.long_names
                .split(' ')
                .chain(self.long_values.split(' '))
        };
        if known().any(|candidate| candidate == name) {
            return name;
        }
        let mut fitting = known().filter(|candidate| candidate.starts_with(name));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only,
            _ => name,
        }
    }
}

/// One option as given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    /// A letter for a short option, the full name without dashes for a long one.
    pub name: String,
    /// Whether it was written with one dash and one letter.
    pub short: bool,
    /// Its value, unknown parts as written.
    pub value: Option<String>,
}

/// The options and operands of one command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Options<'a> {
    /// Options in order.
    pub given: Vec<Given>,
    /// What is no option and no option's value.
    pub operands: Vec<&'a Word>,
    /// How many of the operands stand before a `--`; all, where there is none.
    pub before_dashes: usize,
    /// Whether a `--` was given.
    pub dashes: bool,
}

impl<'a> Options<'a> {
    /// Parses the words after the program or subcommand.
    pub fn parse(grammar: &Grammar, words: &'a [Word]) -> Self {
        let mut parsed = Self::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let Some(text) = dashed(word) else {
                parsed.operands.push(word);
                if !grammar.permutes {
                    break;
                }
                continue;
            };
            if text == "--" {
                parsed.dashes = true;
                break;
            }
            if let Some(long) = text.strip_prefix("--") {
                parsed.long(grammar, long, &mut rest);
            } else if grammar.one_dash {
                parsed.long(grammar, &text[1..], &mut rest);
            } else {
                parsed.short_group(grammar, &text[1..], &mut rest);
            }
        }
        parsed.before_dashes = parsed.operands.len();
        parsed.operands.extend(rest);
        parsed
    }

    fn long(&mut self, grammar: &Grammar, text: &str, rest: &mut std::slice::Iter<'a, Word>) {
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        let name = grammar.full_name(name);
        let value = attached.or_else(|| {
            grammar
                .long_takes_value(name)
                .then(|| rest.next().map(Word::shown))
                .flatten()
        });
        self.given.push(Given {
            name: name.to_owned(),
            short: false,
            value,
        });
    }

    fn short_group(
        &mut self,
        grammar: &Grammar,
        text: &str,
        rest: &mut std::slice::Iter<'a, Word>,
    ) {
        for (at, letter) in text.char_indices() {
            let takes_value = grammar.short_values.contains(letter);
            let value = takes_value
                .then(|| &text[at + letter.len_utf8()..])
                .map(|attached| match attached {
                    "" => rest.next().map(Word::shown).unwrap_or_default(),
                    value => value.to_owned(),
                });
            self.given.push(Given {
                name: letter.into(),
                short: true,
                value,
            });
            if takes_value {
                break;
            }
        }
    }

    /// Whether the short option was given.
    pub fn short(&self, letter: char) -> bool {
        self.given
            .iter()
            .any(|option| option.short && option.name.starts_with(letter))
    }

    /// Whether one of these short options was given.
    pub fn any_short(&self, letters: &str) -> bool {
        letters.chars().any(|letter| self.short(letter))
    }

    /// Whether the long option was given.
    pub fn long_given(&self, name: &str) -> bool {
        self.given
            .iter()
            .any(|option| !option.short && option.name == name)
    }

    /// Whether the option was given in its short or its long spelling.
    pub fn has(&self, letter: char, name: &str) -> bool {
        self.short(letter) || self.long_given(name)
    }

    /// Whether any spelling from a space separated list was given: `-f`, `--force`, `--replicas=0`.
    pub fn any_of(&self, spellings: &str) -> bool {
        spellings
            .split(' ')
            .filter(|spelling| !spelling.is_empty())
            .any(|spelling| {
                let (long, rest) = match spelling.strip_prefix("--") {
                    Some(rest) => (true, rest),
                    None => (false, spelling.trim_start_matches('-')),
                };
                let (name, value) = match rest.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (rest, None),
                };
                self.given.iter().any(|option| {
                    option.name == name
                        && option.short != (long || name.chars().count() > 1)
                        && match value {
                            Some(value) => option.value.as_deref() == Some(value),
                            // `--dry-run=false` and `--dry-run=none` are the option not given.
                            None => !matches!(option.value.as_deref(), Some("false" | "none")),
                        }
                })
            })
    }

    /// The value of the last occurrence of an option.
    pub fn value(&self, letter: char, name: &str) -> Option<&str> {
        self.values(letter, name).last()
    }

    /// The values of all occurrences of an option. Pass a blank for the letter where there is no
    /// short spelling.
    pub fn values(&self, letter: char, name: &str) -> impl Iterator<Item = &str> {
        self.given.iter().filter_map(move |option| {
            let same = if option.short {
                option.name.starts_with(letter)
            } else {
                option.name == name
            };
            same.then_some(option.value.as_deref()).flatten()
        })
    }

    /// Whether the command only explains itself.
    pub fn asks_for_help(&self) -> bool {
        self.long_given("help") || self.long_given("version") && self.operands.is_empty()
    }

    /// An operand's text, unknown parts as written.
    pub fn operand(&self, index: usize) -> Option<String> {
        self.operands.get(index).map(|word| word.shown())
    }
}

/// The text of a word that begins with a dash for sure and is more than the dash.
fn dashed(word: &Word) -> Option<String> {
    match word.pieces.first() {
        Some(Piece::Text { value, .. }) if value.starts_with('-') => {
            let text = word.shown();
            (text.len() > 1).then_some(text)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Span;

    const RM: Grammar = Grammar {
        long_names: "force recursive interactive verbose",
        ..Grammar::PLAIN
    };

    fn words(text: &str) -> Vec<Word> {
        text.split_whitespace()
            .map(|word| Word::text(word, Span::default()))
            .collect()
    }

    #[test]
    fn a_group_of_short_options_is_taken_apart() {
        let words = words("-rf src");
        let parsed = Options::parse(&RM, &words);
        assert!(parsed.short('r') && parsed.short('f'));
        assert_eq!(parsed.operand(0).as_deref(), Some("src"));
    }

    #[test]
    fn an_abbreviated_long_option_stands_for_the_only_name_it_begins() {
        let words = words("--recurs --forc x");
        let parsed = Options::parse(&RM, &words);
        assert!(parsed.long_given("recursive") && parsed.long_given("force"));
    }

    #[test]
    fn nothing_after_two_dashes_is_an_option() {
        let words = words("a -- -rf");
        let parsed = Options::parse(&RM, &words);
        assert!(parsed.given.is_empty());
        assert_eq!((parsed.operands.len(), parsed.before_dashes), (2, 1));
    }

    #[test]
    fn a_value_is_attached_or_the_next_word() {
        let grammar = Grammar {
            short_values: "C",
            long_values: "output",
            ..Grammar::PLAIN
        };
        let words = words("-Ca -C b --output=c --output d e");
        let parsed = Options::parse(&grammar, &words);
        assert_eq!(parsed.values('C', "").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(parsed.values(' ', "output").collect::<Vec<_>>(), ["c", "d"]);
        assert_eq!(parsed.operands.len(), 1);
    }

    #[test]
    fn a_dry_run_that_is_switched_off_does_not_count() {
        let words = words("--dry-run=none --replicas=0");
        let parsed = Options::parse(&Grammar::PLAIN, &words);
        assert!(!parsed.any_of("--dry-run"));
        assert!(parsed.any_of("--replicas=0"));
    }

    #[test]
    fn one_dash_starts_a_long_option_where_the_tool_says_so() {
        let grammar = Grammar {
            one_dash: true,
            ..Grammar::PLAIN
        };
        let words = words("-auto-approve -target=x");
        let parsed = Options::parse(&grammar, &words);
        assert!(parsed.any_of("-auto-approve"));
    }
}
