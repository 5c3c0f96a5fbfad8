//! Databases: objects dropped, rows changed without a filter, schemas wiped by frameworks.

mod clients;
mod migrations;
mod sql;
mod stores;

pub(super) use clients::{client, script, sql_text, statements};
pub(super) use migrations::migrations;
pub(super) use sql::loses;
pub(super) use stores::{document_shell, elasticsearch, graph_shell, redis, stores};

use super::catalogue::Rule;
use crate::model::Severity::{Caution, Danger, Note};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("db.drop", Danger, "Database objects dropped or emptied",
        "psql -c \"DROP TABLE users\"", "psql -c \"SELECT 'DROP TABLE users'\""),
    Rule::new("db.unfiltered", Caution, "Rows changed or deleted without a filter",
        "psql -c \"DELETE FROM users\"", "psql -c \"DELETE FROM users WHERE id=5\""),
    Rule::new("db.migrate-reset", Danger, "Framework that wipes the schema",
        "prisma migrate reset --force", "prisma migrate deploy"),
    Rule::new("db.statement-text", Note,
        "Text that would drop or empty a database object if it were run",
        "echo \"DROP TABLE users;\"", "echo \"SELECT 1;\""),
];
