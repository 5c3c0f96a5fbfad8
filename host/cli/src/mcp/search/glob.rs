//! The tool `terminal_glob`: finds files by name.

use std::ops::ControlFlow;
use std::time::Instant;

use ostler_search::{
    Ended, FileQuery, FileReport, IgnoreFiles, Limits, Scope, Wanted, expand_pattern, find_files,
};
use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Searches, default_max_output_kb, default_path, default_timeout, limits, root};
use crate::mcp::arguments::{Arguments, BadArgument};
use crate::mcp::jobs::answer::{Answer, Failure};
use crate::mcp::values::{Seconds, Whole};
use crate::search::Root;
use crate::search::view::{AccountView, PathView};

/// The name of the tool.
pub const NAME: &str = "terminal_glob";

/// What an agent is told about the tool.
pub const DESCRIPTION: &str = "\
Find files by name. A plain word matches names that contain it (`config`), a wildcard without a slash matches names at any depth \
(`*.rs`), a pattern with a slash matches the path below `path` (`src/**/*.{ts,tsx}`); `expanded_pattern` tells what was used. \
Files nearest to `path` come first, of these the ones that were changed last. .gitignore and its like are heeded, hidden files \
are left out, unless `include_ignored`; `skipped` counts what was not looked at. Prefer it to running find or ls -R.";

/// Paths, unless asked otherwise.
const DEFAULT_RESULTS: i64 = 1000;

/// What is told of what is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum KindArgument {
    /// Files.
    #[default]
    Files,
    /// Folders.
    Folders,
    /// Both.
    Both,
}

/// Parameters of `terminal_glob`.
#[derive(Debug, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[expect(
    dead_code,
    reason = "the schema is made from it; the fields are read by name, to tell mistakes by name"
)]
pub struct Parameters {
    /// A word, or a glob with * ? [a-z] {a,b} **.
    pattern: String,
    /// Folder to look in.
    #[schemars(default = "default_path")]
    path: String,
    /// Paths in all.
    #[schemars(default = "default_max_results", range(min = 1))]
    max_results: Whole,
    /// Whether hidden files and those that .gitignore and its like rule out are found too.
    #[schemars(default)]
    include_ignored: bool,
    /// "files", "folders" or "both".
    #[schemars(default)]
    kind: KindArgument,
    /// KiB of paths in the answer.
    #[schemars(default = "default_max_output_kb", range(min = 1, max = 65536))]
    max_output_kb: Whole,
    /// Seconds after which what was found until then is told.
    #[schemars(default = "default_timeout")]
    timeout_sec: Seconds,
}

const KNOWN: &[&str] = &[
    "pattern",
    "path",
    "max_results",
    "include_ignored",
    "kind",
    "max_output_kb",
    "timeout_sec",
];
/// Of hosts of agents.
const HIDDEN: &[&str] = &["session_cwd"];

fn default_max_results() -> Whole {
    Whole(DEFAULT_RESULTS)
}

/// What was found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Paths {
    /// Paths, nearest first.
    pub paths: Vec<String>,
    /// Paths that are not UTF-8, exactly: the place in `paths`, and the bytes in base64.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<ExactView>,
    /// How many there are.
    pub count: u64,
    /// The pattern that was used.
    pub expanded_pattern: String,
    /// Whether time ran out.
    pub timed_out: bool,
    /// Soft errors, one a line.
    pub stderr: String,
    /// How far the search got.
    #[serde(flatten)]
    pub account: Option<AccountView>,
    /// How long it took.
    pub runtime_ms: u64,
}

/// A path that is not UTF-8.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct ExactView {
    /// Its place in `paths`, from 0.
    pub index: usize,
    /// Its bytes in base64.
    pub path_base64: String,
}

/// One call, checked.
struct Call {
    query: FileQuery,
    scope: Scope,
    limits: Limits,
    root: Root,
}

impl Call {
    fn read(arguments: JsonObject) -> Result<Self, BadArgument> {
        let mut arguments = Arguments::of_call(arguments, KNOWN, HIDDEN)?;
        let pattern = arguments.required::<String>("pattern")?;
        let root = root(&mut arguments)?;
        let include_ignored = arguments
            .optional::<bool>("include_ignored")?
            .unwrap_or_default();
        let wanted = match arguments
            .optional::<KindArgument>("kind")?
            .unwrap_or_default()
        {
            KindArgument::Files => Wanted::Files,
            KindArgument::Folders => Wanted::Folders,
            KindArgument::Both => Wanted::Both,
        };
        let mut scope = Scope::below(root.path.clone());
        if include_ignored {
            scope.hidden = true;
            scope.ignore_files = IgnoreFiles::NONE;
        }
        Ok(Self {
            query: FileQuery {
                pattern: expand_pattern(&pattern),
                ignore_case: false,
                wanted,
            },
            scope,
            limits: limits(&mut arguments, DEFAULT_RESULTS)?,
            root,
        })
    }
}

/// Answers one call.
pub async fn call(
    searches: &Searches,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Answer<Paths> {
    let answer = async {
        let call = Call::read(arguments)?;
        let started = Instant::now();
        let mut paths = searches
            .run(context, move |stop| {
                let mut paths = Paths::default();
                let take = |path: &std::path::Path| {
                    paths.take(PathView::of(&call.root.shown(path)));
                    ControlFlow::Continue(())
                };
                let report = find_files(&call.query, &call.scope, &call.limits, stop, take)?;
                paths.expanded_pattern = call.query.pattern;
                paths.account(&report, &call.root);
                Ok(paths)
            })
            .await?;
        paths.runtime_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok::<_, Failure>(paths)
    };
    answer.await.into()
}

impl Paths {
    fn take(&mut self, view: PathView) {
        if let Some(path_base64) = view.path_base64 {
            let index = self.paths.len();
            self.exact.push(ExactView { index, path_base64 });
        }
        self.paths.push(view.path);
    }

    fn account(&mut self, report: &FileReport, root: &Root) {
        self.count = report.matched;
        self.timed_out = report.ended == Ended::Time;
        let account = AccountView::of(report.ended, &report.tally, root, report.matched);
        self.stderr = account.stderr();
        self.account = Some(account);
    }
}
