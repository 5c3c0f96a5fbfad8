//! Standard input and output as asynchronous byte streams, without a thread in between where they are pipes.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWriteExt as _, DuplexStream};
use tokio::net::unix::pipe;
use tokio::runtime::Handle;

/// Bytes that the reading thread may be ahead.
const READ_AHEAD_BYTES: usize = 64 << 10;

/// Standard input as a stream of bytes.
pub type Source = Box<dyn AsyncRead + Send + Unpin>;

/// Opens standard input. A pipe is opened anew and without blocking: the flag then belongs to this opening alone, not to
/// whoever shares the descriptor. Sockets cannot be opened anew; they, files and terminals are read by a thread.
///
/// # Errors
/// Where it cannot be read.
pub fn source() -> io::Result<Source> {
    if is_pipe(io::stdin().as_fd())
        && let Ok(pipe) = pipe::OpenOptions::new().open_receiver("/proc/self/fd/0")
    {
        return Ok(Box::new(pipe));
    }
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let (ours, theirs) = tokio::io::duplex(READ_AHEAD_BYTES);
    let runtime = Handle::current();
    std::thread::Builder::new()
        .name("stdin".into())
        .spawn(move || read_on(input, theirs, &runtime))?;
    Ok(Box::new(ours))
}

/// Moves bytes until either side ends.
fn read_on(mut input: File, mut to: DuplexStream, runtime: &Handle) {
    let mut buffer = vec![0; READ_AHEAD_BYTES];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(bytes) => {
                if runtime.block_on(to.write_all(&buffer[..bytes])).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                tracing::error!(%error, "standard input cannot be read");
                return;
            }
        }
    }
}

/// Standard output, written a whole line at a time.
pub enum Sink {
    /// A pipe of our own opening.
    Pipe(pipe::Sender),
    /// Anything else; written by a thread of the runtime.
    Blocking(Arc<File>),
}

impl Sink {
    /// Opens standard output, as [`source`] opens standard input.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn open() -> io::Result<Self> {
        if is_pipe(io::stdout().as_fd())
            && let Ok(pipe) = pipe::OpenOptions::new().open_sender("/proc/self/fd/1")
        {
            return Ok(Self::Pipe(pipe));
        }
        Ok(Self::Blocking(Arc::new(File::from(
            io::stdout().as_fd().try_clone_to_owned()?,
        ))))
    }

    /// Writes all of it. Must not be dropped half-way: the rest of a line would be missing.
    ///
    /// # Errors
    /// Where nobody reads any more.
    pub async fn write(&mut self, line: Vec<u8>) -> io::Result<()> {
        match self {
            Self::Pipe(pipe) => pipe.write_all(&line).await,
            Self::Blocking(file) => {
                let file = Arc::clone(file);
                tokio::task::spawn_blocking(move || (&*file).write_all(&line)).await?
            }
        }
    }
}

fn is_pipe(fd: BorrowedFd<'_>) -> bool {
    fd.try_clone_to_owned()
        .and_then(|fd| File::from(fd).metadata())
        .is_ok_and(|metadata| metadata.file_type().is_fifo())
}
