//! Passes a command's output on as it comes, in its order, at the pace of whoever reads it.

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::os::fd::AsFd as _;
use std::time::Duration;

use ostler_terminal::{Piece, StreamName};
use tokio::sync::{mpsc, oneshot};

/// Pieces of output that may wait for a slow reader; the command waits with them.
const TAP_PIECES: usize = 16;
/// Pause before another try where somebody made the descriptor that we share with him non-blocking, and it is full.
const FULL_PAUSE: Duration = Duration::from_millis(1);

/// What became of the output.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// Standard output.
    pub stdout: Passed,
    /// Standard error.
    pub stderr: Passed,
    /// Nobody reads our standard output any more.
    pub no_reader: bool,
}

/// What became of one stream.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Bytes passed on.
    pub shown: u64,
    /// Bytes beyond the cap.
    pub withheld: u64,
}

/// Starts a thread that prints what comes through the tap, up to `max_kb` of each stream. It reports when the tap has
/// ended, or when nobody reads our standard output any more.
///
/// # Errors
/// Where there is no thread or no descriptor for it.
pub fn start(max_kb: Option<u64>) -> io::Result<(mpsc::Sender<Piece>, oneshot::Receiver<Printed>)> {
    let stdout = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let stderr = File::from(io::stderr().as_fd().try_clone_to_owned()?);
    let (tap, pieces) = mpsc::channel(TAP_PIECES);
    let (report, printed) = oneshot::channel();
    let max_bytes = max_kb.map_or(u64::MAX, |kb| kb.saturating_mul(1024));
    std::thread::Builder::new()
        .name("printer".into())
        .spawn(move || {
            // Nobody waits for the report of a run that was broken off.
            let _ = report.send(print(pieces, stdout, stderr, max_bytes));
        })?;
    Ok((tap, printed))
}

fn print(
    mut pieces: mpsc::Receiver<Piece>,
    mut stdout: File,
    mut stderr: File,
    max_bytes: u64,
) -> Printed {
    let mut printed = Printed::default();
    while let Some(Piece { stream, bytes }) = pieces.blocking_recv() {
        let (to, passed) = match stream {
            StreamName::Stdout => (&mut stdout, &mut printed.stdout),
            StreamName::Stderr => (&mut stderr, &mut printed.stderr),
        };
        let room = usize::try_from(max_bytes - passed.shown).unwrap_or(usize::MAX);
        let shown = &bytes[..bytes.len().min(room)];
        passed.shown += shown.len() as u64;
        passed.withheld += (bytes.len() - shown.len()) as u64;
        // A stderr that is gone is no reason to end a command; a stdout that is gone is.
        if write_all(to, shown).is_err() && stream == StreamName::Stdout {
            printed.no_reader = true;
            break;
        }
    }
    printed
}

fn write_all(to: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match to.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(FULL_PAUSE),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn piece(stream: StreamName, text: &str) -> Piece {
        Piece {
            stream,
            bytes: text.into(),
        }
    }

    fn printed(pieces: Vec<Piece>, max_bytes: u64) -> (Printed, String, String) {
        let (tap, receiver) = mpsc::channel(pieces.len());
        for piece in pieces {
            tap.try_send(piece).unwrap();
        }
        drop(tap);
        let (mut out_reader, out) = io::pipe().unwrap();
        let (mut err_reader, err) = io::pipe().unwrap();
        let (out, err) = (
            std::os::fd::OwnedFd::from(out),
            std::os::fd::OwnedFd::from(err),
        );
        let printed = print(receiver, out.into(), err.into(), max_bytes);
        let (mut stdout, mut stderr) = (String::new(), String::new());
        out_reader.read_to_string(&mut stdout).unwrap();
        err_reader.read_to_string(&mut stderr).unwrap();
        (printed, stdout, stderr)
    }

    #[test]
    fn each_stream_goes_to_its_own() {
        let pieces = vec![
            piece(StreamName::Stdout, "one "),
            piece(StreamName::Stderr, "oops"),
            piece(StreamName::Stdout, "two"),
        ];
        let (printed, stdout, stderr) = printed(pieces, u64::MAX);
        assert_eq!((stdout.as_str(), stderr.as_str()), ("one two", "oops"));
        assert_eq!(
            printed.stdout,
            Passed {
                shown: 7,
                withheld: 0
            }
        );
    }

    #[test]
    fn what_is_beyond_the_cap_is_counted() {
        let pieces = vec![
            piece(StreamName::Stdout, "abcdef"),
            piece(StreamName::Stdout, "ghi"),
        ];
        let (printed, stdout, _) = printed(pieces, 4);
        assert_eq!(stdout, "abcd");
        assert_eq!(
            printed.stdout,
            Passed {
                shown: 4,
                withheld: 5
            }
        );
    }

    #[test]
    fn a_reader_that_is_gone_ends_the_printing() {
        let (tap, receiver) = mpsc::channel(4);
        tap.try_send(piece(StreamName::Stdout, "nobody reads this"))
            .unwrap();
        let (reader, out) = io::pipe().unwrap();
        drop(reader);
        let err = File::options().write(true).open("/dev/null").unwrap();
        let printed = print(
            receiver,
            std::os::fd::OwnedFd::from(out).into(),
            err,
            u64::MAX,
        );
        assert!(printed.no_reader);
        assert!(tap.is_closed());
    }
}
