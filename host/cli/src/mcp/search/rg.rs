//! The tool `terminal_rg`: searches the text of files.

use std::ops::ControlFlow;
use std::time::Instant;

use ostler_search::{Limits, Mode, Query, Scope, TextReport, find_text};
use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Searches, default_max_output_kb, default_path, default_timeout, limits, root};
use crate::mcp::arguments::{Arguments, BadArgument};
use crate::mcp::jobs::answer::{Answer, Failure};
use crate::mcp::values::{Seconds, Whole};
use crate::search::Root;
use crate::search::flags::Flags;
use crate::search::view::{AccountView, CountView, LineView, PathView};

/// The name of the tool.
pub const NAME: &str = "terminal_rg";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Search the text of files with ripgrep's engine, in this process: a regular expression (Rust syntax; `extra_args: [\"-F\"]` for \
plain text), results sorted by path. .gitignore and its like are heeded, hidden and binary files are left out; `skipped` counts \
everything that was not looked at, so that an empty answer can be trusted. `glob` and `type_filter` choose files among what is \
not ignored. `extra_args` takes ripgrep's flags: -w -F -x -S -v -U -c -l -A -B -e -g -t -T -u --iglob --max-columns and more. \
Prefer it to running rg or grep: it needs no quoting and tells what it did not search.";

/// Matching lines, unless asked otherwise; the answer is usually full before.
const DEFAULT_RESULTS: i64 = 10_000;

/// Parameters of `terminal_rg`.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[expect(
    dead_code,
    reason = "the schema is made from it; the fields are read by name, to tell mistakes by name"
)]
pub struct Parameters {
    /// The regular expression.
    pattern: String,
    /// Folder or file to search.
    #[schemars(default = "default_path")]
    path: String,
    /// Only files that match: `*.rs` at any depth, `src/**/*.rs` from `path` on, `!*.min.js` excludes.
    #[schemars(default)]
    glob: Option<String>,
    /// Only files of this type, by ripgrep's names: rust, py, js, ts, go, c, cpp, java, md.
    #[schemars(default)]
    type_filter: Option<String>,
    /// Whether case does not count.
    #[schemars(default)]
    ignore_case: bool,
    /// Lines of context before and after each match, told in `context`.
    #[schemars(default, range(min = 0, max = 1000))]
    context: Option<Whole>,
    /// Matching lines of each file.
    #[schemars(default, range(min = 1))]
    max_count: Option<Whole>,
    /// Levels below `path`; 1 = only what lies in it.
    #[schemars(default, range(min = 0))]
    max_depth: Option<Whole>,
    /// Whether hidden files are searched.
    #[schemars(default)]
    hidden: bool,
    /// Whether files that .gitignore and its like rule out are searched.
    #[schemars(default)]
    no_ignore: bool,
    /// More flags of ripgrep, each word an item.
    #[schemars(default)]
    extra_args: Option<Vec<String>>,
    /// Matching lines in all.
    #[schemars(default = "default_max_results", range(min = 1))]
    max_results: Whole,
    /// KiB of text and paths in the answer.
    #[schemars(default = "default_max_output_kb", range(min = 1, max = 65536))]
    max_output_kb: Whole,
    /// Seconds after which what was found until then is told.
    #[schemars(default = "default_timeout")]
    timeout_sec: Seconds,
}

const KNOWN: &[&str] = &[
    "pattern",
    "path",
    "glob",
    "type_filter",
    "ignore_case",
    "context",
    "max_count",
    "max_depth",
    "hidden",
    "no_ignore",
    "extra_args",
    "max_results",
    "max_output_kb",
    "timeout_sec",
];
/// Of hosts of agents; and a switch of servers that need the rg program.
const HIDDEN: &[&str] = &["session_cwd", "allow_fallback"];

fn default_max_results() -> Whole {
    Whole(DEFAULT_RESULTS)
}

/// What was found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Matches {
    /// Matching lines.
    pub matches: Vec<LineView>,
    /// Lines of context.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<LineView>,
    /// With -c: how many lines match in each file that has some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<CountView>,
    /// With -l: the files in which lines match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathView>,
    /// Matching lines that are told; with -c all of them; with -l files.
    pub total: u64,
    /// Files in which they are.
    pub files_matched: u64,
    /// As ripgrep's: 0 = found, 1 = not found and everything was searched, 2 = not found and something could not be searched.
    pub exit_code: u8,
    /// Soft errors, one a line.
    pub stderr: String,
    /// How far the search got.
    #[serde(flatten)]
    pub account: Option<AccountView>,
    /// How long it took.
    pub runtime_ms: u64,
}

/// One call, checked.
struct Call {
    query: Query,
    scope: Scope,
    limits: Limits,
    root: Root,
}

impl Call {
    fn read(arguments: JsonObject) -> Result<Self, BadArgument> {
        let mut arguments = Arguments::of_call(arguments, KNOWN, HIDDEN)?;
        let pattern = arguments.required::<String>("pattern")?;
        let root = root(&mut arguments)?;
        let extra = arguments
            .optional::<Vec<String>>("extra_args")?
            .unwrap_or_default();
        let mut flags =
            Flags::parse(&extra).map_err(|problem| BadArgument::new("extra_args", problem))?;
        flags.glob.extend(arguments.optional::<String>("glob")?);
        flags
            .types
            .extend(arguments.optional::<String>("type_filter")?);
        let flag = |arguments: &mut Arguments, name: &str| {
            arguments
                .optional::<bool>(name)
                .map(Option::unwrap_or_default)
        };
        flags.ignore_case |= flag(&mut arguments, "ignore_case")?;
        flags.hidden |= flag(&mut arguments, "hidden")?;
        flags.no_ignore |= flag(&mut arguments, "no_ignore")?;
        flag(&mut arguments, "allow_fallback")?;
        flags.context = number(&mut arguments, "context", 0)?.or(flags.context);
        flags.max_count = number(&mut arguments, "max_count", 1)?
            .map(|it| it as u64)
            .or(flags.max_count);
        flags.max_depth = number(&mut arguments, "max_depth", 0)?.or(flags.max_depth);
        let query = flags
            .query(vec![pattern])
            .map_err(|problem| BadArgument::new("extra_args", problem))?;
        Ok(Self {
            query,
            scope: flags.scope(root.path.clone()),
            limits: limits(&mut arguments, DEFAULT_RESULTS)?,
            root,
        })
    }
}

fn number(
    arguments: &mut Arguments,
    field: &'static str,
    least: i64,
) -> Result<Option<usize>, BadArgument> {
    match arguments.optional::<Whole>(field)? {
        None => Ok(None),
        Some(Whole(value)) if value >= least => Ok(usize::try_from(value).ok()),
        Some(Whole(value)) => Err(BadArgument::new(
            field,
            format!("{value} is less than {least}"),
        )),
    }
}

/// Answers one call.
pub async fn call(
    searches: &Searches,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Answer<Matches> {
    let answer = async {
        let call = Call::read(arguments)?;
        let started = Instant::now();
        let mut matches = searches
            .run(context, move |stop| {
                let mut matches = Matches::default();
                let take = |found: ostler_search::FileLines| {
                    matches.take(&found, call.query.mode, &call.root);
                    ControlFlow::Continue(())
                };
                let report = find_text(&call.query, &call.scope, &call.limits, stop, take)?;
                matches.account(&report, &call.root);
                Ok(matches)
            })
            .await?;
        matches.runtime_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok::<_, Failure>(matches)
    };
    answer.await.into()
}

impl Matches {
    fn take(&mut self, found: &ostler_search::FileLines, mode: Mode, root: &Root) {
        match mode {
            Mode::Count => self.counts.push(CountView::of(found, root)),
            Mode::Files => self.files.push(PathView::of(&root.shown(&found.path))),
            Mode::Lines => {
                let path = PathView::of(&root.shown(&found.path));
                for line in &found.lines {
                    let view = LineView::of(&path, line);
                    if line.is_match {
                        self.matches.push(view);
                    } else {
                        self.context.push(view);
                    }
                }
            }
        }
    }

    fn account(&mut self, report: &TextReport, root: &Root) {
        self.total = report.matched;
        self.files_matched = report.files_matched;
        let account = AccountView::of(report.ended, &report.tally, root, report.matched);
        let is_whole = !account.truncated && report.tally.skipped.unreadable == 0;
        self.exit_code = match (report.matched, is_whole) {
            (1.., _) => 0,
            (0, true) => 1,
            (0, false) => 2,
        };
        self.stderr = account.stderr();
        self.account = Some(account);
    }
}
