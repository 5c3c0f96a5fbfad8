//! `ostler glob`: what an agent finds with terminal_glob, for people.

use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args as Arguments, ValueEnum};
use ostler_search::{
    Ended, FileQuery, IgnoreFiles, Limits, Scope, Stop, Wanted, expand_pattern, find_files,
};
use serde_json::json;

use super::Root;
use super::paint::Printer;
use super::view::{AccountView, PathView};
use crate::paint::{self, Tone};

const GLOB_HELP: &str = "\
\x1b[1mPatterns:\x1b[0m
  A word matches names that contain it; a wildcard without a slash matches names at any depth; a
  pattern with a slash matches the path below the folder. Nearest first, then changed last.

\x1b[1mExit status:\x1b[0m
  0 found; 1 not found; 2 an error, or not found and something could not be looked at.";

/// Find files by name, as agents do with terminal_glob.
#[derive(Debug, Arguments)]
#[command(after_help = GLOB_HELP)]
pub struct Glob {
    /// A word, or a glob with * ? [a-z] {a,b} **
    pub pattern: String,
    /// Folder to look in
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// Also hidden files
    #[arg(short = '.', long)]
    pub hidden: bool,
    /// Also what ignore files rule out
    #[arg(long)]
    pub no_ignore: bool,
    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub follow: bool,
    /// Ignore case
    #[arg(short, long)]
    pub ignore_case: bool,
    /// Levels below the folder
    #[arg(short = 'd', long, value_name = "N")]
    pub max_depth: Option<usize>,
    /// What to find
    #[arg(short, long, value_enum, default_value_t = Kind::Files)]
    pub kind: Kind,
    /// Stop after this many paths
    #[arg(short = 'n', long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub max_results: u64,
    /// End paths with NUL instead of a newline
    #[arg(short = '0', long)]
    pub print0: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "print0")]
    pub json: bool,
}

/// What can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Files
    Files,
    /// Folders
    Folders,
    /// Both
    Both,
}

/// Finds and prints. Returns the exit status.
///
/// # Errors
/// Where the search cannot be made.
pub fn run(glob: &Glob) -> anyhow::Result<i32> {
    let folder = std::env::current_dir().context("no working directory")?;
    let root = Root::typed(&glob.path, &folder);
    let ignore_files = if glob.no_ignore {
        IgnoreFiles::NONE
    } else {
        IgnoreFiles::ALL
    };
    let scope = Scope {
        hidden: glob.hidden,
        ignore_files,
        follow_links: glob.follow,
        max_depth: glob.max_depth,
        ..Scope::below(root.path.clone())
    };
    let query = FileQuery {
        pattern: expand_pattern(&glob.pattern),
        ignore_case: glob.ignore_case,
        wanted: match glob.kind {
            Kind::Files => Wanted::Files,
            Kind::Folders => Wanted::Folders,
            Kind::Both => Wanted::Both,
        },
    };
    let limits = Limits {
        max_results: glob.max_results,
        max_bytes: u64::MAX,
        time: None,
    };
    let mut printer = Printer::new(false);
    let mut failure = None;
    let mut paths = Vec::new();
    let end: &[u8] = if glob.print0 { b"\0" } else { b"\n" };
    let take = |path: &Path| {
        let path = root.shown(path);
        if glob.json {
            paths.push(PathView::of(&path));
            return ControlFlow::Continue(());
        }
        match printer.path(path.as_os_str().as_bytes(), end) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let report = find_files(&query, &scope, &limits, &Stop::default(), take)?;
    let account = AccountView::of(report.ended, &report.tally, &root, report.matched);
    if glob.json {
        let all = json!({
            "paths": paths,
            "count": report.matched,
            "expanded_pattern": query.pattern,
            "account": account,
        });
        failure = printer.json(&all).err();
    } else {
        for line in account.stderr().lines() {
            paint::note(Tone::Warning, line);
        }
        if let Some(hint) = account.hint.filter(|_| paint::stderr_is_read()) {
            paint::note(Tone::Note, &hint);
        }
    }
    match failure.or(printer.finish().err()) {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(error).context("standard output");
        }
        _ => {}
    }
    let is_whole = report.ended == Ended::Complete && report.tally.skipped.unreadable == 0;
    Ok(match (report.matched, is_whole) {
        (1.., _) => 0,
        (0, true) => 1,
        (0, false) => 2,
    })
}
