//! The flags of ripgrep that are understood, for a person at the command line and for an agent's `extra_args`.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgAction, Args as Arguments, Command, FromArgMatches as _, ValueEnum};
use ostler_search::{Binary, Case, IgnoreFiles, Mode, Query, Scope};

use super::refused;

/// Flags of ripgrep, with their meaning there.
#[derive(Debug, Clone, Default, Arguments)]
pub struct Flags {
    /// Another pattern to look for; repeatable
    #[arg(
        short = 'e',
        long = "regexp",
        value_name = "PATTERN",
        allow_hyphen_values = true
    )]
    #[arg(help_heading = "What to look for")]
    pub regexp: Vec<String>,
    /// Take patterns as plain text
    #[arg(
        short = 'F',
        long,
        overrides_with = "no_fixed_strings",
        help_heading = "What to look for"
    )]
    fixed_strings: bool,
    #[arg(long, hide = true)]
    no_fixed_strings: bool,
    /// Ignore case
    #[arg(short, long, overrides_with_all = ["case_sensitive", "smart_case"], help_heading = "What to look for")]
    pub ignore_case: bool,
    /// Heed case [default]
    #[arg(short = 's', long, overrides_with_all = ["ignore_case", "smart_case"], help_heading = "What to look for")]
    case_sensitive: bool,
    /// Ignore case unless a pattern has a capital letter
    #[arg(short = 'S', long, overrides_with_all = ["ignore_case", "case_sensitive"], help_heading = "What to look for")]
    smart_case: bool,
    /// Only whole words
    #[arg(short, long, help_heading = "What to look for")]
    word_regexp: bool,
    /// Only whole lines
    #[arg(short = 'x', long, help_heading = "What to look for")]
    line_regexp: bool,
    /// Lines that do not match
    #[arg(short = 'v', long, help_heading = "What to look for")]
    invert_match: bool,
    /// Let matches go over several lines
    #[arg(short = 'U', long, help_heading = "What to look for")]
    multiline: bool,
    /// Let . match the end of a line, with -U
    #[arg(long, help_heading = "What to look for")]
    multiline_dotall: bool,
    /// Let \r\n end lines
    #[arg(long, help_heading = "What to look for")]
    crlf: bool,

    /// Only files that match this glob; ! excludes; repeatable
    #[arg(
        short,
        long,
        value_name = "GLOB",
        allow_hyphen_values = true,
        help_heading = "Where to look"
    )]
    pub glob: Vec<String>,
    /// The same whatever the case
    #[arg(
        long,
        value_name = "GLOB",
        allow_hyphen_values = true,
        help_heading = "Where to look"
    )]
    iglob: Vec<String>,
    /// Only files of this type, such as rust; repeatable
    #[arg(
        short = 't',
        long = "type",
        value_name = "TYPE",
        help_heading = "Where to look"
    )]
    pub types: Vec<String>,
    /// No files of this type; repeatable
    #[arg(
        short = 'T',
        long = "type-not",
        value_name = "TYPE",
        help_heading = "Where to look"
    )]
    types_not: Vec<String>,
    /// Also hidden files
    #[arg(short = '.', long, help_heading = "Where to look")]
    pub hidden: bool,
    /// Also what ignore files rule out
    #[arg(long, help_heading = "Where to look")]
    pub no_ignore: bool,
    /// Also what .ignore and .rgignore rule out
    #[arg(long, help_heading = "Where to look")]
    no_ignore_dot: bool,
    /// Also what .gitignore rules out
    #[arg(long, help_heading = "Where to look")]
    no_ignore_vcs: bool,
    /// Heed no ignore files above the root
    #[arg(long, help_heading = "Where to look")]
    no_ignore_parent: bool,
    /// Heed .gitignore also outside of repositories
    #[arg(long, help_heading = "Where to look")]
    no_require_git: bool,
    /// -u as --no-ignore, -uu also --hidden, -uuu also --binary
    #[arg(short = 'u', long, action = ArgAction::Count, help_heading = "Where to look")]
    unrestricted: u8,
    /// Follow symbolic links
    #[arg(short = 'L', long, help_heading = "Where to look")]
    pub follow: bool,
    /// Levels below the root
    #[arg(
        short = 'd',
        long,
        alias = "maxdepth",
        value_name = "N",
        help_heading = "Where to look"
    )]
    pub max_depth: Option<usize>,
    /// Leave larger files out: bytes, or with K, M, G
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Where to look")]
    max_filesize: Option<u64>,
    /// Search binary files too; NUL ends a line there
    #[arg(long, help_heading = "Where to look")]
    binary: bool,
    /// Search binary files as text
    #[arg(short = 'a', long, help_heading = "Where to look")]
    text: bool,

    /// Lines of context after a match
    #[arg(short = 'A', long, value_name = "N", help_heading = "What to tell")]
    after_context: Option<usize>,
    /// Lines of context before a match
    #[arg(short = 'B', long, value_name = "N", help_heading = "What to tell")]
    before_context: Option<usize>,
    /// Lines of context around a match
    #[arg(short = 'C', long, value_name = "N", help_heading = "What to tell")]
    pub context: Option<usize>,
    /// Matching lines of each file
    #[arg(short, long, value_name = "N", help_heading = "What to tell")]
    pub max_count: Option<u64>,
    /// Only how many lines match in each file
    #[arg(
        short,
        long,
        overrides_with = "files_with_matches",
        help_heading = "What to tell"
    )]
    count: bool,
    /// Only the files in which lines match
    #[arg(
        short = 'l',
        long,
        overrides_with = "count",
        help_heading = "What to tell"
    )]
    files_with_matches: bool,
    /// Cut lines longer than this around the match, in bytes
    #[arg(short = 'M', long, value_name = "BYTES", help_heading = "What to tell")]
    max_columns: Option<usize>,

    /// Taken and not needed: results have numbers and names, and are sorted by path
    #[arg(short = 'n', long, hide = true)]
    line_number: bool,
    #[arg(short = 'N', long, hide = true)]
    no_line_number: bool,
    #[arg(long, hide = true)]
    column: bool,
    #[arg(short = 'H', long, hide = true)]
    with_filename: bool,
    #[arg(long, hide = true)]
    no_heading: bool,
    #[arg(long, hide = true)]
    no_messages: bool,
    #[arg(long, hide = true)]
    no_config: bool,
    #[arg(long, hide = true)]
    no_mmap: bool,
    #[arg(short = 'j', long, value_name = "N", hide = true)]
    threads: Option<usize>,
    #[arg(long, value_name = "ORDER", hide = true)]
    sort: Option<Order>,
}

/// Orders of results that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    Path,
    None,
}

/// Lines of context that can be meant.
const MAX_CONTEXT: usize = 1000;
/// Bytes of a line, unless it is set.
pub const MAX_LINE_BYTES: usize = 2000;

impl Flags {
    /// Reads flags that an agent gives as a list.
    ///
    /// # Errors
    /// What is wrong with which one, in one line.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        // What follows a flag that takes a value is a value, whatever it looks like; clap knows which those are.
        let command = Self::augment_args(Command::new("extra_args"))
            .no_binary_name(true)
            .disable_help_flag(true)
            .args_override_self(true);
        let told = |error: &clap::Error| {
            let stranger = error
                .get(clap::error::ContextKind::InvalidArg)
                .map(ToString::to_string);
            let is_unknown = error.kind() == ErrorKind::UnknownArgument;
            let refused = stranger
                .as_deref()
                .filter(|_| is_unknown)
                .and_then(refused::reason);
            let text = error.render().to_string();
            let line = text.lines().next().unwrap_or_default();
            let line = line.strip_prefix("error: ").unwrap_or(line);
            match (refused, stranger) {
                (Some(reason), _) => reason,
                (None, Some(stranger)) if is_unknown && !stranger.starts_with('-') => format!(
                    "{stranger:?} is no flag; patterns go into `pattern` (more with -e), paths into `path`"
                ),
                _ => line.to_owned(),
            }
        };
        let matches = command
            .try_get_matches_from(arguments)
            .map_err(|error| told(&error))?;
        Self::from_arg_matches(&matches).map_err(|error| told(&error))
    }

    /// What is looked for: these patterns and those of the flags.
    ///
    /// # Errors
    /// Where a number is larger than can be meant.
    pub fn query(&self, patterns: Vec<String>) -> Result<Query, String> {
        let context = self.context.unwrap_or(0);
        let (before, after) = (
            self.before_context.unwrap_or(context),
            self.after_context.unwrap_or(context),
        );
        if before.max(after) > MAX_CONTEXT {
            return Err(format!(
                "context: more than {MAX_CONTEXT} lines cannot be meant"
            ));
        }
        Ok(Query {
            patterns: patterns
                .into_iter()
                .chain(self.regexp.iter().cloned())
                .collect(),
            fixed_strings: self.fixed_strings,
            case: match (self.ignore_case, self.smart_case) {
                (true, _) => Case::Insensitive,
                (_, true) => Case::Smart,
                _ => Case::Sensitive,
            },
            word: self.word_regexp,
            whole_line: self.line_regexp,
            invert: self.invert_match,
            multi_line: self.multiline,
            dot_matches_newline: self.multiline_dotall,
            crlf: self.crlf,
            before,
            after,
            max_per_file: self.max_count,
            binary: if self.text {
                Binary::Text
            } else if self.binary || self.unrestricted >= 3 {
                Binary::Convert
            } else {
                Binary::Quit
            },
            max_line_bytes: match self.max_columns {
                // As in ripgrep.
                Some(0) => usize::MAX,
                Some(bytes) => bytes,
                None => MAX_LINE_BYTES,
            },
            mode: match (self.count, self.files_with_matches) {
                (true, _) => Mode::Count,
                (_, true) => Mode::Files,
                _ => Mode::Lines,
            },
        })
    }

    /// Where it is looked for.
    pub fn scope(&self, root: PathBuf) -> Scope {
        let ignores = !self.no_ignore && self.unrestricted == 0;
        Scope {
            root,
            globs: self.glob.clone(),
            case_insensitive_globs: self.iglob.clone(),
            types: self.types.clone(),
            types_not: self.types_not.clone(),
            hidden: self.hidden || self.unrestricted >= 2,
            ignore_files: IgnoreFiles {
                dot: ignores && !self.no_ignore_dot,
                vcs: ignores && !self.no_ignore_vcs,
                parents: ignores && !self.no_ignore_parent,
                require_repository: !self.no_require_git,
            },
            follow_links: self.follow,
            max_depth: self.max_depth,
            max_file_bytes: self.max_filesize,
        }
    }
}

/// Reads `100`, `10K`, `5M` or `1G`.
fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(char, u64); 3] = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    let (number, unit) = UNITS
        .into_iter()
        .find_map(|(suffix, unit)| {
            Some((
                text.strip_suffix([suffix, suffix.to_ascii_lowercase()])?,
                unit,
            ))
        })
        .unwrap_or((text, 1));
    let number: u64 = number
        .parse()
        .map_err(|_| "expected bytes, or 10K, 5M, 1G")?;
    number
        .checked_mul(unit)
        .ok_or_else(|| "is too large".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Flags, String> {
        let words: Vec<String> = text.split_whitespace().map(Into::into).collect();
        Flags::parse(&words)
    }

    #[test]
    fn flags_are_read_as_ripgrep_reads_them() {
        let flags =
            parse("-wFuu -C3 -g *.rs -t rust --max-columns=80 -e two -n --sort path").unwrap();
        let query = flags.query(vec!["one".into()]).unwrap();
        assert_eq!(query.patterns, ["one", "two"]);
        assert!(query.word && query.fixed_strings && query.binary == Binary::Quit);
        assert_eq!(
            (query.before, query.after, query.max_line_bytes),
            (3, 3, 80)
        );
        let scope = flags.scope("/x".into());
        assert!(scope.hidden && !scope.ignore_files.vcs);
        assert_eq!(
            (scope.globs, scope.types),
            (vec!["*.rs".to_owned()], vec!["rust".to_owned()])
        );
    }

    #[test]
    fn the_last_of_contrary_flags_counts() {
        let case = |text| parse(text).unwrap().query(Vec::new()).unwrap().case;
        assert_eq!(case("-i -s"), Case::Sensitive);
        assert_eq!(case("-s -i"), Case::Insensitive);
        assert_eq!(case("-i -S"), Case::Smart);
    }

    #[test]
    fn what_is_not_taken_is_told_with_a_way_out() {
        for (text, expected) in [
            ("--pre cat", "--pre runs a program"),
            ("-z", "-z runs decompressors"),
            ("--pcre2", "--pcre2 PCRE2 is not built in"),
            (
                "-c pattern",
                "\"pattern\" is no flag; patterns go into `pattern`",
            ),
            ("--no-such", "unexpected argument '--no-such'"),
            ("-A", "a value is required for '--after-context <N>'"),
            ("-A x", "invalid value 'x' for '--after-context <N>'"),
            ("--sort modified", "invalid value 'modified'"),
            ("--max-filesize 1T", "expected bytes"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(
                error.contains(expected) && !error.contains('\n'),
                "{text}: {error}"
            );
        }
    }
}
