//! Logs go to stderr, and nowhere else: stdout belongs to the command, or to the protocol.

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

use crate::paint;

/// Warnings of this program. The protocol library is silent: mistakes of a client are answered, and one that is gone is no error.
const DEFAULT_FILTER: &str = "warn,rmcp=off";

/// Starts logging with this filter, or the default one.
///
/// # Errors
/// Where the filter cannot be read.
pub fn start(filter: Option<&str>) -> anyhow::Result<()> {
    let filter = filter.unwrap_or(DEFAULT_FILTER);
    let filter = EnvFilter::try_new(filter).with_context(|| {
        format!(
            "log filter {filter:?} is not understood; try error, warn, info, debug or ostler=debug"
        )
    })?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(paint::stderr_takes_colour())
        .init();
    Ok(())
}
