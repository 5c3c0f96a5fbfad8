//! The sample tables in `tests/corpus/`: labelled commands that are data and are never run.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A row of `destructive.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Destructive {
    /// Identifier of the row.
    pub id: String,
    /// The command text.
    pub command: String,
    /// `bash`, `powershell` or `cmd`.
    pub shell: String,
    /// Whether it is destructive.
    pub destructive: bool,
    /// What it is about; the first is the family.
    pub categories: Vec<String>,
}

/// A row of `exits.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Exit {
    /// Identifier of the row.
    pub id: String,
    /// The command text.
    pub command: String,
    /// Exit code; −N is signal N.
    pub exit_code: i32,
    /// `ok`, `error` or `signal`.
    pub status: String,
    /// What it printed on stderr, where that decides.
    #[serde(default)]
    pub stderr: String,
}

/// A row of `routing.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Routing {
    /// Identifier of the row.
    pub id: String,
    /// The command text.
    pub command: String,
    /// `direct` or `shell`.
    pub route: String,
    /// The argv, for `direct`.
    pub argv: Option<Vec<String>>,
}

/// Reads a table.
///
/// # Errors
/// Where it cannot be read or a row is not understood.
pub fn read<Row: DeserializeOwned>(name: &str) -> std::io::Result<Vec<Row>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let text = std::fs::read_to_string(path)?;
    text.lines()
        .map(|line| serde_json::from_str(line).map_err(Into::into))
        .collect()
}
