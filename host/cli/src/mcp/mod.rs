//! The face for agents: MCP over standard input and output.

mod arguments;
mod command;
mod ending;
mod exec;
mod in_flight;
mod jobs;
mod orphaned;
mod output_get;
mod progress;
mod rendered;
mod result;
mod run;
mod search;
mod server;
mod stdio;
mod transport;
mod values;

pub use run::run;
