//! The file that lines are appended to, and what becomes of it when it is full.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Several processes may append to the same file: each line is one write.
pub(super) struct LogFile {
    path: PathBuf,
    file: File,
    /// Size from which on a new file is begun.
    max_bytes: Option<u64>,
    /// Full files that are kept.
    keep: u32,
}

impl LogFile {
    pub(super) fn open(path: &Path, max_bytes: Option<u64>, keep: u32) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            file: append_to(path)?,
            max_bytes,
            keep,
        })
    }

    /// Appends a line, which ends in a newline.
    pub(super) fn append(&mut self, line: &[u8]) -> io::Result<()> {
        // Somebody else may have moved it: another server, or logrotate.
        let ours = self.file.metadata()?;
        let is_moved = self.path.metadata().map_or(true, |theirs| {
            (theirs.dev(), theirs.ino()) != (ours.dev(), ours.ino())
        });
        if is_moved {
            self.file = append_to(&self.path)?;
        } else if self
            .max_bytes
            .is_some_and(|max| ours.len() > 0 && ours.len() + line.len() as u64 > max)
        {
            self.rotate()?;
        }
        self.file.write_all(line)
    }

    /// `audit.jsonl` becomes `audit.jsonl.1`, what had that name `audit.jsonl.2`, and so on; the oldest goes.
    fn rotate(&mut self) -> io::Result<()> {
        self.file.lock()?;
        // Whoever else had the lock has rotated it.
        let still_ours = self.path.metadata()?.ino() == self.file.metadata()?.ino();
        if still_ours && self.keep == 0 {
            self.file.set_len(0)?;
        } else if still_ours {
            for number in (1..self.keep).rev() {
                match std::fs::rename(self.numbered(number), self.numbered(number + 1)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            std::fs::rename(&self.path, self.numbered(1))?;
        }
        // The lock goes with the old file.
        self.file = append_to(&self.path)?;
        Ok(())
    }

    fn numbered(&self, number: u32) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }
}

/// Commands may hold secrets: nobody else may read them.
fn append_to(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_and_text(folder: &Path) -> Vec<(String, String)> {
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(path).unwrap())
            })
            .collect();
        files.sort();
        files
    }

    #[test]
    fn a_full_file_is_put_aside_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = LogFile::open(&folder.path().join("a"), Some(10), 2).unwrap();
        for line in [
            "1111\n", "2222\n", "3333\n", "4444\n", "5555\n", "6666\n", "7777\n",
        ] {
            log.append(line.as_bytes()).unwrap();
        }
        let expected = [
            ("a", "7777\n"),
            ("a.1", "5555\n6666\n"),
            ("a.2", "3333\n4444\n"),
        ];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(names_and_text(folder.path()), expected);
    }

    #[test]
    fn two_writers_of_one_file_lose_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let writers: Vec<_> = (0..2)
            .map(|_| LogFile::open(&path, Some(64), 1000).unwrap())
            .map(|mut log| {
                std::thread::spawn(move || {
                    for number in 100..200 {
                        log.append(format!("{number}\n").as_bytes()).unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        let all: String = names_and_text(folder.path())
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        let mut numbers: Vec<u32> = all.lines().map(|line| line.parse().unwrap()).collect();
        numbers.sort_unstable();
        let expected: Vec<u32> = (100..200).flat_map(|number| [number, number]).collect();
        assert_eq!(numbers, expected);
    }

    #[test]
    fn a_file_that_was_moved_away_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut log = LogFile::open(&path, None, 0).unwrap();
        log.append(b"1\n").unwrap();
        std::fs::rename(&path, folder.path().join("b")).unwrap();
        log.append(b"2\n").unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "2\n");
    }
}
