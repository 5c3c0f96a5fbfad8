//! The thread that writes the audit, and the queue in front of it that nobody waits for.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use ostler_terminal::audit::{Audit, Record};
use serde_json::json;

use super::entry::Entry;
use super::file::LogFile;
use crate::config::AuditTable;

/// Lines that may wait for the disk. What comes beyond is counted, and the count is written.
const QUEUE: usize = 4096;
/// MiB after which a new file is begun, unless it is set.
const DEFAULT_MAX_MB: u32 = 64;
/// Full files that are kept, unless it is set.
const DEFAULT_KEEP: u32 = 4;
/// How long the end of the process waits for the disk.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Takes records and writes them when it can.
pub struct Writer {
    lines: SyncSender<Vec<u8>>,
    lost: Arc<AtomicU64>,
    /// Closed when everything is written.
    done: Receiver<()>,
}

/// What the terminal tells.
struct Teller {
    lines: SyncSender<Vec<u8>>,
    lost: Arc<AtomicU64>,
}

impl Writer {
    /// Begins to write to the file of this table; none where it names none.
    ///
    /// # Errors
    /// Where the file cannot be opened.
    pub fn start(table: &AuditTable) -> anyhow::Result<Option<Self>> {
        let Some(path) = &table.file else {
            return Ok(None);
        };
        let max_mb = table.max_mb.unwrap_or(DEFAULT_MAX_MB);
        let max_bytes = (max_mb > 0).then(|| u64::from(max_mb) << 20);
        let keep = table.keep.unwrap_or(DEFAULT_KEEP);
        let file = LogFile::open(path, max_bytes, keep)
            .with_context(|| format!("audit file {}", path.display()))?;
        let (lines, queue) = sync_channel(QUEUE);
        let (finished, done) = sync_channel(0);
        let lost = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&lost);
        thread::Builder::new()
            .name("audit".into())
            .spawn(move || {
                write(file, &queue, &counted);
                drop(finished);
            })
            .context("no thread for the audit")?;
        Ok(Some(Self { lines, lost, done }))
    }

    /// Who the terminal tells.
    pub fn teller(&self) -> Arc<dyn Audit> {
        Arc::new(Teller {
            lines: self.lines.clone(),
            lost: Arc::clone(&self.lost),
        })
    }

    /// Waits until everything that was told is written, but not for a disk that hangs.
    pub fn finish(self) {
        // An empty line is the last one.
        let asked = self.lines.try_send(Vec::new()).is_ok();
        if !asked || self.done.recv_timeout(LAST_WORDS) == Err(RecvTimeoutError::Timeout) {
            tracing::error!("the audit is not complete: the disk does not answer");
        }
    }
}

impl Audit for Teller {
    fn record(&self, record: Record<'_>) {
        let Ok(line) = line(&Entry::of(&record)) else {
            return;
        };
        if self.lines.try_send(line).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn line(content: &impl serde::Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(content)?;
    line.push(b'\n');
    Ok(line)
}

fn write(mut file: LogFile, queue: &Receiver<Vec<u8>>, lost: &AtomicU64) {
    let mut failing = false;
    let mut append = |bytes: &[u8]| -> io::Result<()> {
        let result = file.append(bytes);
        if let Err(error) = &result
            && !failing
        {
            tracing::error!(%error, "the audit cannot be written");
        }
        failing = result.is_err();
        result
    };
    for bytes in queue.iter().take_while(|bytes| !bytes.is_empty()) {
        if append(&bytes).is_err() {
            lost.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        let missing = lost.swap(0, Ordering::Relaxed);
        if missing > 0
            && let Ok(note) = line(&json!({ "lost_lines": missing }))
            && append(&note).is_err()
        {
            lost.fetch_add(missing, Ordering::Relaxed);
        }
    }
}
