//! `ostler:terminal/outputs`.

use std::sync::Arc;
use std::time::Duration;

use ostler_terminal::output::{ByteOffset, Chunk, ReadError, Retained, Stream};
use tokio::time::{Instant, timeout_at};
use wasmtime::component::Resource;

use crate::bindings::ostler::terminal::outputs as wit;
use crate::bindings::ostler::terminal::types::StreamName;
use crate::view::PluginCtxView;

/// Longest wait of one read: callers that wait longer ask again.
const MAX_WAIT: Duration = Duration::from_millis(45_000);
/// Most bytes of one read.
const MAX_READ_BYTES: usize = 4 << 20;

/// What a component holds of a command's output.
#[derive(Debug)]
pub struct OutputState(pub(super) Retained);

impl OutputState {
    fn stream(&self, name: StreamName) -> &Arc<Stream> {
        match name {
            StreamName::Stdout => &self.0.stdout,
            StreamName::Stderr => &self.0.stderr,
        }
    }
}

impl wit::Host for PluginCtxView<'_> {}

impl wit::HostOutput for PluginCtxView<'_> {
    fn totals(
        &mut self,
        output: Resource<OutputState>,
        name: StreamName,
    ) -> wasmtime::Result<wit::Totals> {
        let totals = self.table.get(&output)?.stream(name).totals();
        Ok(wit::Totals {
            produced: totals.produced,
            kept: totals.kept,
            dropped: totals.dropped,
            ended: totals.ended,
        })
    }

    async fn read(
        &mut self,
        output: Resource<OutputState>,
        name: StreamName,
        from: u64,
        max_bytes: u32,
        wait_ms: u64,
    ) -> wasmtime::Result<Result<wit::Chunk, wit::OutputError>> {
        let stream = Arc::clone(self.table.get(&output)?.stream(name));
        let from = ByteOffset(from);
        let deadline = Instant::now() + Duration::from_millis(wait_ms).min(MAX_WAIT);
        // A deadline that passes is no error: the piece is then empty.
        let _ = timeout_at(deadline, stream.readable(from)).await;
        Ok(answer(
            stream.read(from, (max_bytes as usize).min(MAX_READ_BYTES)),
        ))
    }

    fn tail(
        &mut self,
        output: Resource<OutputState>,
        name: StreamName,
        max_bytes: u32,
    ) -> wasmtime::Result<Result<wit::Chunk, wit::OutputError>> {
        let stream = self.table.get(&output)?.stream(name);
        Ok(answer(
            stream.tail((max_bytes as usize).min(MAX_READ_BYTES)),
        ))
    }

    fn drop(&mut self, output: Resource<OutputState>) -> wasmtime::Result<()> {
        self.table.delete(output)?;
        Ok(())
    }
}

fn answer(read: Result<Chunk, ReadError>) -> Result<wit::Chunk, wit::OutputError> {
    match read {
        Ok(chunk) => Ok(wit::Chunk {
            offset: chunk.offset.0,
            skipped_bytes: chunk.skipped,
            next_offset: chunk.next_offset.0,
            eof: chunk.eof,
            bytes: chunk.bytes,
        }),
        Err(error) => Err(wit::OutputError::Storage(error.to_string())),
    }
}
