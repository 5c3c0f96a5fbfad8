//! `ostler rg`: what an agent finds with terminal_rg, for people.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args as Arguments;
use ostler_search::{Ended, FileLines, Limits, Mode, Query, Stop, TextReport, find_text};
use serde::Serialize;
use serde_json::json;

use super::Root;
use super::flags::Flags;
use super::paint::Printer;
use super::view::{AccountView, CountView, LineView, PathView};
use crate::args::time;
use crate::paint::{self, Tone};

const RG_STATUS: &str = "\
\x1b[1mDifferences from ripgrep:\x1b[0m
  What matches a glob or type and is hidden or ignored stays so. Results are sorted by path.

\x1b[1mExit status:\x1b[0m
  0 found; 1 not found, and everything was searched; 2 an error, or not found and something could
  not be searched.";

/// Search the text of files, as agents do with terminal_rg.
#[derive(Debug, Arguments)]
#[command(after_help = RG_STATUS)]
pub struct Rg {
    /// Regular expression to look for
    #[arg(required_unless_present = "regexp")]
    pub pattern: Option<String>,
    /// Folders and files to search [default: here]
    pub paths: Vec<PathBuf>,
    /// Flags of ripgrep.
    #[command(flatten)]
    pub flags: Flags,
    /// Print JSON lines: matches, context, counts or files, and an account at the end
    #[arg(long)]
    pub json: bool,
    /// Stop after this many matching lines
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub max_results: u64,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
}

/// Found.
const FOUND: i32 = 0;
/// Not found.
const NOT_FOUND: i32 = 1;
/// Something went wrong.
const FAILED: i32 = 2;

/// Searches and prints. Returns the exit status.
///
/// # Errors
/// Where the search cannot be made.
pub fn run(rg: Rg) -> anyhow::Result<i32> {
    let Rg {
        mut pattern,
        mut paths,
        flags,
        json,
        max_results,
        timeout,
    } = rg;
    // With -e the first word is a path, as in ripgrep.
    if !flags.regexp.is_empty()
        && let Some(path) = pattern.take()
    {
        paths.insert(0, path.into());
    }
    let query = flags
        .query(pattern.into_iter().collect())
        .map_err(anyhow::Error::msg)?;
    let folder = std::env::current_dir().context("no working directory")?;
    if paths.is_empty() {
        paths.push(".".into());
    }
    let mut teller = Teller {
        json,
        mode: query.mode,
        printer: Printer::new(query.before + query.after > 0),
        failure: None,
    };
    let mut limits = Limits {
        max_results,
        max_bytes: u64::MAX,
        time: timeout,
    };
    let (mut found, mut is_whole) = (0, true);
    for path in paths {
        let root = Root::typed(&path, &folder);
        let report = search(&query, &flags, &root, &limits, &mut teller)?;
        found += report.matched;
        limits.max_results -= report.matched.min(limits.max_results);
        is_whole &= report.ended == Ended::Complete && report.tally.skipped.unreadable == 0;
        teller.account(&report, &root);
    }
    teller.finish();
    if let Some(error) = teller.failure
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        return Err(error).context("standard output");
    }
    Ok(match (found, is_whole) {
        (1.., _) => FOUND,
        (0, true) => NOT_FOUND,
        (0, false) => FAILED,
    })
}

fn search(
    query: &Query,
    flags: &Flags,
    root: &Root,
    limits: &Limits,
    teller: &mut Teller,
) -> anyhow::Result<TextReport> {
    let scope = flags.scope(root.path.clone());
    let tell = |found: FileLines| teller.tell(&root.shown(&found.path), root, &found);
    Ok(find_text(query, &scope, limits, &Stop::default(), tell)?)
}

/// Prints what is found, until nobody reads it.
struct Teller {
    json: bool,
    mode: Mode,
    printer: Printer,
    failure: Option<io::Error>,
}

impl Teller {
    fn tell(&mut self, path: &Path, root: &Root, found: &FileLines) -> ControlFlow<()> {
        let printed = if self.json {
            self.file_as_json(path, root, found)
        } else {
            self.printer.file(path, found, self.mode)
        };
        match printed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn file_as_json(&mut self, path: &Path, root: &Root, found: &FileLines) -> io::Result<()> {
        let view = PathView::of(path);
        match self.mode {
            Mode::Files => self.printer.json(&json!({ "file": view })),
            Mode::Count => self
                .printer
                .json(&json!({ "count": CountView::of(found, root) })),
            Mode::Lines => {
                for line in &found.lines {
                    let kind = if line.is_match { "match" } else { "context" };
                    self.printer
                        .json(&json!({ kind: LineView::of(&view, line) }))?;
                }
                Ok(())
            }
        }
    }

    fn account(&mut self, report: &TextReport, root: &Root) {
        let account = AccountView::of(report.ended, &report.tally, root, report.matched);
        if self.json {
            let end = End {
                total: report.matched,
                files_matched: report.files_matched,
                account,
            };
            if let Err(error) = self.printer.json(&json!({ "end": end })) {
                self.failure.get_or_insert(error);
            }
            return;
        }
        for line in account.stderr().lines() {
            paint::note(Tone::Warning, line);
        }
        if let Some(limit) = account.limit
            && self.failure.is_none()
        {
            paint::note(
                Tone::Warning,
                &format!("not everything was searched ({limit})"),
            );
        }
        if let Some(hint) = account.hint.filter(|_| paint::stderr_is_read()) {
            paint::note(Tone::Note, &hint);
        }
    }

    fn finish(&mut self) {
        if let Err(error) = self.printer.finish() {
            self.failure.get_or_insert(error);
        }
    }
}

/// The last line of JSON.
#[derive(Serialize)]
struct End {
    total: u64,
    files_matched: u64,
    #[serde(flatten)]
    account: AccountView,
}
