//! Regular expressions of `pkill` and `grep`, as far as they choose processes by name.

/// How much of a text a pattern must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Some part of the name.
    Part,
    /// The whole name.
    Whole,
    /// Some part of the command line.
    CommandLine,
}

/// A pattern. One that cannot be read stands for its own text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    text: String,
    branches: Option<Vec<Branch>>,
}

type Branch = Vec<Item>;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    what: What,
    least: usize,
    most: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Any,
    Set {
        ranges: Vec<(char, char)>,
        negated: bool,
    },
    Start,
    End,
    Group(Vec<Branch>),
}

/// Longest pattern that is read; names are short.
const MAX_BYTES: usize = 512;
/// Deepest nesting of groups.
const MAX_DEPTH: usize = 16;
/// Steps after which a match is given up and taken as found: a pattern made to be slow is not harmless.
const MAX_STEPS: usize = 4_000;

impl Pattern {
    /// Reads an extended regular expression.
    pub fn parse(text: &str) -> Self {
        let mut reader = Reader {
            rest: text.chars().collect(),
            at: 0,
        };
        let short = text.len() <= MAX_BYTES;
        let branches = short.then(|| reader.branches(0)).flatten();
        Self {
            text: text.to_owned(),
            branches: branches.filter(|_| reader.at == reader.rest.len()),
        }
    }

    /// Reads a wildcard of Windows: `*` and `?`.
    pub fn of_wildcard(text: &str) -> Self {
        let item = |character| match character {
            '*' => Item {
                what: What::Any,
                least: 0,
                most: usize::MAX,
            },
            '?' => one(What::Any),
            character => one(literal(character)),
        };
        let short = text.len() <= MAX_BYTES;
        Self {
            text: text.to_owned(),
            branches: short.then(|| vec![text.chars().map(item).collect()]),
        }
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it matches a text.
    pub fn matches(&self, text: &str, reach: Reach) -> bool {
        let Some(branches) = &self.branches else {
            return text.contains(&self.text);
        };
        let mut search = Search {
            text: text.chars().collect(),
            steps: 0,
        };
        let end = search.text.len();
        let whole = reach == Reach::Whole;
        let starts = if whole { 0..1 } else { 0..end + 1 };
        starts
            .into_iter()
            .any(|start| search.branches(branches, start, &mut |_, at| !whole || at == end))
    }
}

fn one(what: What) -> Item {
    Item {
        what,
        least: 1,
        most: 1,
    }
}

fn literal(character: char) -> What {
    What::Set {
        ranges: vec![(character, character)],
        negated: false,
    }
}

struct Reader {
    rest: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        Some(character)
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn branches(&mut self, depth: usize) -> Option<Vec<Branch>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut branches = vec![self.branch(depth)?];
        while self.takes('|') {
            branches.push(self.branch(depth)?);
        }
        Some(branches)
    }

    fn branch(&mut self, depth: usize) -> Option<Branch> {
        let mut branch = Branch::new();
        while let Some(character) = self.peek() {
            if character == '|' || character == ')' && depth > 0 {
                break;
            }
            self.at += 1;
            let what = match character {
                '.' => What::Any,
                '^' => What::Start,
                '$' => What::End,
                '[' => self.set()?,
                // `grep` writes groups and choices with a backslash.
                '(' => self.group(depth)?,
                '\\' => match self.next()? {
                    '(' => self.group(depth)?,
                    '|' => {
                        self.at -= 2;
                        if let Some(place) = self.rest.get_mut(self.at) {
                            *place = '|';
                            self.rest.remove(self.at + 1);
                        }
                        break;
                    }
                    ')' if depth > 0 => {
                        self.at -= 1;
                        break;
                    }
                    // The edge of a word.
                    'b' | '<' | '>' => continue,
                    'w' => What::Set {
                        ranges: vec![('a', 'z'), ('0', '9'), ('_', '_')],
                        negated: false,
                    },
                    's' => literal(' '),
                    escaped => literal(escaped),
                },
                other => literal(other),
            };
            let (least, most) = self.count()?;
            branch.push(Item { what, least, most });
        }
        Some(branch)
    }

    fn group(&mut self, depth: usize) -> Option<What> {
        let branches = self.branches(depth + 1)?;
        self.takes(')').then_some(What::Group(branches))
    }

    fn set(&mut self) -> Option<What> {
        let negated = self.takes('^');
        let mut ranges = Vec::new();
        loop {
            let first = self.next()?;
            if first == ']' && !ranges.is_empty() {
                return Some(What::Set { ranges, negated });
            }
            if first == '[' && self.peek() == Some(':') {
                while self.next()? != ']' {}
                ranges.extend([('a', 'z'), ('0', '9')]);
                continue;
            }
            let ranged = self.peek() == Some('-') && self.rest.get(self.at + 1) != Some(&']');
            let last = if ranged {
                self.at += 1;
                self.next()?
            } else {
                first
            };
            ranges.push((first, last));
        }
    }

    fn count(&mut self) -> Option<(usize, usize)> {
        let found = match self.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => {
                let close = self.rest.get(self.at..)?.iter().position(|c| *c == '}')?;
                let inner: String = self
                    .rest
                    .get(self.at + 1..self.at + close)?
                    .iter()
                    .collect();
                self.at += close;
                let (least, most) = inner.split_once(',').unwrap_or((&inner, &inner));
                (
                    least.parse().unwrap_or(0),
                    if most.is_empty() {
                        usize::MAX
                    } else {
                        most.parse().ok()?
                    },
                )
            }
            _ => return Some((1, 1)),
        };
        self.at += 1;
        Some(found)
    }
}

struct Search {
    text: Vec<char>,
    steps: usize,
}

/// What must hold behind a match.
type Then<'a> = &'a mut dyn FnMut(&mut Search, usize) -> bool;

impl Search {
    fn branches(&mut self, branches: &[Branch], at: usize, then: Then<'_>) -> bool {
        branches.iter().any(|branch| self.items(branch, at, then))
    }

    fn items(&mut self, items: &[Item], at: usize, then: Then<'_>) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return true;
        }
        match items.split_first() {
            None => then(self, at),
            Some((item, rest)) => self.repeated(item, rest, 0, at, then),
        }
    }

    fn repeated(
        &mut self,
        item: &Item,
        rest: &[Item],
        done: usize,
        at: usize,
        then: Then<'_>,
    ) -> bool {
        if done >= item.least && self.items(rest, at, then) {
            return true;
        }
        if done >= item.most {
            return false;
        }
        match &item.what {
            What::Group(branches) => self.branches(branches, at, &mut |search, end| {
                (end > at || done < item.least) && search.repeated(item, rest, done + 1, end, then)
            }),
            What::Start => at == 0 && self.items(rest, at, then),
            What::End => at == self.text.len() && self.items(rest, at, then),
            What::Any => at < self.text.len() && self.repeated(item, rest, done + 1, at + 1, then),
            What::Set { ranges, negated } => {
                let Some(character) = self.text.get(at) else {
                    return false;
                };
                let inside = ranges
                    .iter()
                    .any(|(low, high)| (low..=high).contains(&character));
                inside != *negated && self.repeated(item, rest, done + 1, at + 1, then)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_matched_as_pkill_does() {
        for (pattern, text, reach, expected) in [
            ("chrom", "chrome", Reach::Part, true),
            ("chrom", "chrome", Reach::Whole, false),
            ("chrom[e]", "chrome", Reach::Whole, true),
            ("[^x]hrome$", "chrome", Reach::Part, true),
            ("^hrome", "chrome", Reach::Part, false),
            ("fire|chro", "google-chrome", Reach::Part, true),
            ("(chrome|brave)+", "brave", Reach::Whole, true),
            (r"fire\|chrome", "chrome", Reach::Whole, true),
            (r"\(chrome\)", "chrome", Reach::Whole, true),
            ("c.*e", "chrome", Reach::Whole, true),
            ("c{2}", "chrome", Reach::Part, false),
            ("", "chrome", Reach::Part, true),
            ("chrome-tools", "chrome", Reach::Part, false),
            ("(", "chrome", Reach::Part, false),
            (
                "(a*)*b",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                Reach::Part,
                true,
            ),
        ] {
            assert_eq!(
                Pattern::parse(pattern).matches(text, reach),
                expected,
                "{pattern} {text}"
            );
        }
    }
}
