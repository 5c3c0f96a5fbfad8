//! Searching text: one thread walks, some search, and the caller gets what they find in the order of the paths.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use grep_regex::RegexMatcher;
use grep_searcher::Searcher;

use crate::collect::Collector;
use crate::error::SearchError;
use crate::limits::{Ended, Limits, RESULT_BYTES, Stop, Watch};
use crate::line::{FileLines, Line};
use crate::query::Query;
use crate::reader::WatchedFile;
use crate::scope::Scope;
use crate::tally::Tally;
use crate::walk::{InOrder, Names, Start, Walker};

/// Files that are handed to a thread at once.
const BATCH: usize = 16;
/// Batches that may be on their way: bounds how far the walk is ahead of what has been told.
const AHEAD: usize = 64;
/// Most threads that search, beside the one that walks.
const MAX_SEARCHERS: usize = 8;

/// How a search went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextReport {
    /// What ended it.
    pub ended: Ended,
    /// What was looked at.
    pub tally: Tally,
    /// Matching lines that were told.
    pub matched: u64,
    /// Files in which they are.
    pub files_matched: u64,
}

/// Files for one thread, with the place of the batch in the order.
struct Batch {
    number: usize,
    files: Vec<PathBuf>,
}

/// What was found in a batch.
struct Searched {
    number: usize,
    found: Vec<FileLines>,
    tally: Tally,
}

/// Searches, and tells what is found in each file, in the order of the paths; that of a file is in the order of its lines.
/// Blocks until it has ended. The caller may end it by what it returns.
///
/// # Errors
/// [`SearchError`] where the query or the scope cannot be used.
pub fn find_text(
    query: &Query,
    scope: &Scope,
    limits: &Limits,
    stop: &Stop,
    each: impl FnMut(FileLines) -> ControlFlow<()>,
) -> Result<TextReport, SearchError> {
    let matcher = query.matcher()?;
    let watch = Watch::new(stop.clone(), limits);
    let (walker, start) = Walker::new(scope, watch.clone())?;
    let search = Search {
        query,
        matcher,
        watch,
        names: walker.names.clone(),
        max_bytes: limits.max_bytes,
    };
    let mut teller = Teller {
        limits,
        each,
        report: TextReport {
            ended: Ended::Complete,
            tally: Tally::default(),
            matched: 0,
            files_matched: 0,
        },
        bytes: 0,
    };
    match start {
        Start::File(path) => search.file_alone(&walker, path, &mut teller),
        Start::Folder(folder) => {
            let mut walker = walker;
            let order = InOrder::of(&mut walker, &folder);
            search.folder(walker, order, &mut teller)?;
        }
    }
    if teller.report.ended == Ended::Complete {
        teller.report.ended = search.watch.ended();
    }
    Ok(teller.report)
}

/// What every thread of a search shares.
struct Search<'a> {
    query: &'a Query,
    matcher: RegexMatcher,
    watch: Watch,
    names: Names,
    max_bytes: u64,
}

impl Search<'_> {
    /// Searches one file that was asked for by name.
    fn file_alone<F: FnMut(FileLines) -> ControlFlow<()>>(
        &self,
        walker: &Walker<'_>,
        path: PathBuf,
        teller: &mut Teller<'_, F>,
    ) {
        let mut tally = walker.tally.clone();
        let mut searcher = self.query.searcher(true);
        let found = self.file(&mut searcher, &self.matcher, &path, &mut tally);
        teller.report.tally.add(tally);
        if let Some(found) = found {
            teller.tell(found);
        }
    }

    /// Searches below a folder.
    fn folder<F: FnMut(FileLines) -> ControlFlow<()>>(
        &self,
        walker: Walker<'_>,
        order: InOrder,
        teller: &mut Teller<'_, F>,
    ) -> Result<(), SearchError> {
        let (work, batches) = sync_channel(AHEAD);
        let batches = Mutex::new(batches);
        let (results, searched) = channel();
        // One permit for each batch that may be on its way.
        let (permit, permits) = sync_channel(AHEAD);
        let searchers = thread::available_parallelism()
            .map_or(2, usize::from)
            .min(MAX_SEARCHERS);
        thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..searchers {
                let (batches, results) = (&batches, results.clone());
                let searcher = thread::Builder::new().name("search".into());
                match searcher.spawn_scoped(scope, move || self.work(batches, &results)) {
                    Ok(_) => started += 1,
                    // Fewer do as well.
                    Err(error) if started == 0 => return Err(SearchError::NoThread(error)),
                    Err(_) => break,
                }
            }
            drop(results);
            let walking = spawn_walk(scope, walker, order, work, permit, &self.watch)
                .map_err(SearchError::NoThread)
                .inspect_err(|_| self.watch.enough())?;
            teller.in_order(&searched, &permits, &self.watch);
            // Nobody panics there but by a fault of this program, which then shows as less that was looked at.
            if let Ok(tally) = walking.join() {
                teller.report.tally.add(tally);
            }
            Ok(())
        })
    }

    fn work(&self, batches: &Mutex<Receiver<Batch>>, results: &Sender<Searched>) {
        let mut searcher = self.query.searcher(false);
        // Threads that share one wait for its scratch space.
        let matcher = self.matcher.clone();
        loop {
            let next = batches
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            let Ok(Batch { number, files }) = next else {
                return;
            };
            let mut tally = Tally::default();
            let mut found = Vec::new();
            let mut bytes = 0;
            for path in files {
                // What a batch has alone is more than is wanted, which will show when it is told.
                if bytes > self.max_bytes || !self.watch.goes_on() {
                    break;
                }
                if let Some(lines) = self.file(&mut searcher, &matcher, &path, &mut tally) {
                    bytes += cost(&lines);
                    found.push(lines);
                }
            }
            let searched = Searched {
                number,
                found,
                tally,
            };
            if results.send(searched).is_err() {
                return;
            }
        }
    }

    /// Searches a file; none where nothing was found.
    fn file(
        &self,
        searcher: &mut Searcher,
        matcher: &RegexMatcher,
        path: &Path,
        tally: &mut Tally,
    ) -> Option<FileLines> {
        let mut file = match WatchedFile::open(path, &self.watch) {
            Ok(file) => file,
            Err(error) => {
                tally.unreadable(&self.names.shown(path), &error);
                return None;
            }
        };
        let mut collector = Collector::new(self.query, matcher, self.max_bytes);
        let result = searcher.search_reader(matcher, &mut file, &mut collector);
        tally.bytes += file.bytes;
        if let Err(error) = result {
            tally.unreadable(&self.names.shown(path), &error);
        } else if !file.was_stopped {
            tally.files += 1;
        }
        if collector.is_binary && searcher.binary_detection().quit_byte().is_some() {
            tally.binary(&self.names.shown(path));
        }
        (collector.matched > 0).then_some(FileLines {
            path: self.names.shown(path),
            lines: collector.lines,
            matched: collector.matched,
        })
    }
}

/// Walks on a thread of its own and gives out batches. Returns what it counted.
fn spawn_walk<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    mut walker: Walker<'scope>,
    mut order: InOrder,
    work: SyncSender<Batch>,
    permit: SyncSender<()>,
    watch: &'scope Watch,
) -> std::io::Result<thread::ScopedJoinHandle<'scope, Tally>> {
    thread::Builder::new()
        .name("search-walk".into())
        .spawn_scoped(scope, move || {
            for number in 0.. {
                let files: Vec<_> = std::iter::from_fn(|| order.next(&mut walker))
                    .take(BATCH)
                    .collect();
                if files.is_empty() || permit.send(()).is_err() {
                    break;
                }
                if !watch.goes_on() || work.send(Batch { number, files }).is_err() {
                    break;
                }
            }
            walker.tally
        })
}

/// Tells the caller, within the limits.
struct Teller<'a, F> {
    limits: &'a Limits,
    each: F,
    report: TextReport,
    bytes: u64,
}

impl<F: FnMut(FileLines) -> ControlFlow<()>> Teller<'_, F> {
    /// Tells what was found in the order of the batches, until there is no more or nobody wants more.
    fn in_order(&mut self, searched: &Receiver<Searched>, permits: &Receiver<()>, watch: &Watch) {
        let mut early: BTreeMap<usize, Vec<FileLines>> = BTreeMap::new();
        let mut next = 0;
        for batch in searched {
            self.report.tally.add(batch.tally);
            early.insert(batch.number, batch.found);
            while let Some(found) = early.remove(&next) {
                next += 1;
                let _ = permits.try_recv();
                for lines in found {
                    if self.report.ended == Ended::Complete && !self.tell(lines) {
                        watch.enough();
                    }
                }
            }
        }
    }

    /// Tells what was found in one file. False where that is the end.
    fn tell(&mut self, mut found: FileLines) -> bool {
        if let Some(ended) = self.cut(&mut found) {
            self.report.ended = ended;
        }
        if found.matched > 0 {
            self.report.matched += found.matched;
            self.report.files_matched += 1;
            if (self.each)(found).is_break() && self.report.ended == Ended::Complete {
                self.report.ended = Ended::Stopped;
            }
        }
        self.report.ended == Ended::Complete
    }

    /// Takes away what is more than is wanted. Says why, where something was.
    fn cut(&mut self, found: &mut FileLines) -> Option<Ended> {
        let room = self.limits.max_results.saturating_sub(self.report.matched);
        if found.lines.is_empty() {
            self.bytes += cost(found);
            let ended = match (room, self.bytes > self.limits.max_bytes) {
                (0, _) => Ended::Results,
                (_, true) => Ended::Bytes,
                _ => return None,
            };
            found.matched = 0;
            return Some(ended);
        }
        let mut matched = 0;
        for (index, line) in found.lines.iter().enumerate() {
            self.bytes += line_cost(line, &found.path);
            let ended = if line.is_match && matched == room {
                Ended::Results
            } else if self.bytes > self.limits.max_bytes {
                Ended::Bytes
            } else {
                matched += u64::from(line.is_match);
                continue;
            };
            found.lines.truncate(index);
            found.matched = matched;
            return Some(ended);
        }
        None
    }
}

/// What a result takes of the bytes that are wanted.
fn cost(found: &FileLines) -> u64 {
    if found.lines.is_empty() {
        return found.path.as_os_str().len() as u64 + RESULT_BYTES;
    }
    found
        .lines
        .iter()
        .map(|line| line_cost(line, &found.path))
        .sum()
}

fn line_cost(line: &Line, path: &Path) -> u64 {
    line.bytes.len() as u64 + path.as_os_str().len() as u64 + RESULT_BYTES
}
