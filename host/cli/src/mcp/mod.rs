//! The face for agents: MCP over standard input and output.

mod arguments;
mod ending;
mod exec;
mod in_flight;
mod output_get;
mod progress;
mod run;
mod server;
mod stdio;
mod transport;
mod values;

pub use run::run;
