//! Database clients and probes.

use crate::endings::row::{Tool, fail, fail_in, ok};

pub(super) const TOOLS: &[Tool] = &[
    Tool::plain(
        &["psql"],
        "psql",
        &[
            fail(
                1,
                "fatal",
                "a fatal error of psql itself, such as a missing file",
            ),
            fail(2, "connection", "the connection to the server failed"),
            fail(3, "script", "an error in the script"),
        ],
    ),
    Tool::query(
        &["pg_isready"],
        "pg_isready",
        "the server accepts connections",
        &[
            ok(
                1,
                "rejecting",
                "The server rejects connections, as while it starts up",
            ),
            ok(2, "no-reply", "The server does not reply"),
            fail(
                3,
                "no-attempt",
                "no attempt was made, as for wrong parameters",
            ),
        ],
    ),
    Tool::plain(
        &["redis-cli", "valkey-cli"],
        "redis-cli",
        &[fail(
            1,
            "failed",
            "could not connect, or the command failed",
        )],
    ),
    Tool::plain(
        &[
            "mysql",
            "mariadb",
            "mysqladmin",
            "mysqldump",
            "mariadb-admin",
            "mariadb-dump",
        ],
        "mysql",
        &[fail(
            1,
            "failed",
            "could not connect, or the statement failed",
        )],
    ),
    Tool::plain(
        &["mysqldump", "mariadb-dump"],
        "mysqldump",
        &[
            fail(2, "server", "the server answered with an error"),
            fail(5, "write", "writing failed"),
            fail(6, "table", "a table does not exist"),
        ],
    ),
    Tool::plain(
        &["sqlite3"],
        "sqlite3",
        &[fail_in(
            1,
            127,
            "failed",
            "a statement failed or the database could not be opened",
        )],
    ),
    Tool::plain(
        &["mongosh", "mongo", "mongodump", "mongorestore"],
        "mongo",
        &[fail(
            1,
            "failed",
            "could not connect, or the command failed",
        )],
    ),
];
