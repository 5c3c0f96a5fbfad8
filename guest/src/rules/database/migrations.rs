//! Frameworks that wipe a schema: Rails, Django, Prisma, Laravel and their like.

use crate::model::Severity::{Caution, Danger};
use crate::rules::deeds::{self, Deed};
use crate::rules::options::Grammar;
use crate::rules::report::{Call, Report};
use crate::syntax::Word;

const RULE: &str = "db.migrate-reset";

const fn wipes(programs: &'static str, path: &'static str) -> Deed {
    Deed::new(
        programs,
        path,
        Danger,
        RULE,
        "drops the database's tables with all their rows and starts afresh",
    )
}

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    wipes("rails|rake",
        "^db:drop|db:drop:all|db:reset|db:migrate:reset|db:truncate_all|db:purge|db:schema:load|\
            db:seed:replant"),
    wipes("manage.py|django-admin", "flush|reset_db|reset_schema"),
    wipes("manage.py|django-admin", "migrate * zero"),
    wipes("prisma", "migrate reset"),
    wipes("prisma", "db push").with("--force-reset --accept-data-loss"),
    wipes("typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm", "schema:drop"),
    wipes("sequelize|sequelize-cli", "db:drop|db:migrate:undo:all"),
    wipes("knex", "migrate:rollback").with("--all"),
    wipes("mikro-orm", "schema:drop|schema:fresh|migration:fresh"),
    wipes("mix", "ecto.drop|ecto.reset"),
    wipes("mix", "ecto.rollback").with("--all"),
    wipes("artisan", "migrate:fresh|migrate:refresh|migrate:reset|db:wipe").unless("--pretend"),
    wipes("console", "doctrine:database:drop|doctrine:schema:drop").with("--force -f"),
    wipes("supabase", "db reset"),
    wipes("dotnet-ef", "database drop").unless("--dry-run"),
    wipes("dotnet", "ef database drop").unless("--dry-run"),
    wipes("alembic|flask", "^downgrade base"),
    wipes("flyway", "^clean"),
    wipes("liquibase", "^dropAll|drop-all"),
    wipes("sqlx", "database drop|reset"),
    wipes("diesel", "database reset"),
    wipes("drizzle-kit", "drop"),
    wipes("drizzle-kit", "push").with("--force"),
    wipes("goose", "^reset"),
    wipes("migrate", "^drop"),
    wipes("dbmate", "^drop"),
    wipes("migrate", "^down").with("-all"),
    wipes("dotnet-ef", "database update 0"),
    wipes("wp", "db drop|reset|clean"),
    wipes("wp", "site empty|delete"),
    wipes("drush", "sql-drop|sql:drop|site-install|site:install|si"),
    wipes("hasura", "metadata clear"),
    wipes("hasura", "migrate apply").with("--down=all"),
    wipes("edgedb|gel", "database|branch drop|wipe"),
    wipes("sqitch", "revert"),
    wipes("sea-orm-cli", "migrate fresh|refresh|reset"),
    wipes("diesel", "migration revert").with("--all -a"),
    wipes("hanami", "db drop"),
    wipes("phinx", "rollback").with("-t=0 --target=0"),
    wipes("yii", "migrate/fresh"),
    wipes("mvn|mvnw|gradle|gradlew", "^flyway:clean|flywayClean|liquibase:dropAll|dropAll"),
    wipes("atlas", "schema clean"),
];

/// Calls by which a framework's own language deletes every row of a table, blanks taken out.
const BULK_CALLS: &[&str] = &[
    ".delete_all",
    ".destroy_all",
    ".all.delete",
    ".objects.all().delete()",
    "::truncate()",
    "->truncate()",
    "::query()->delete()",
    ".truncate(",
    ".deleteMany()",
    ".deleteMany({})",
];

/// `rails runner '…'`, `manage.py shell -c '…'`, `artisan tinker --execute='…'`.
fn framework_code(call: &Call<'_>, report: &mut Report) {
    let first = call
        .args
        .first()
        .and_then(Word::literal)
        .unwrap_or_default();
    let runs_code = matches!(
        (call.name, first.as_str()),
        ("rails", "runner" | "r")
            | ("manage.py" | "django-admin", "shell" | "shell_plus")
            | ("artisan", "tinker")
    );
    if !runs_code {
        return;
    }
    let deletes = call.args.iter().skip(1).any(|word| {
        let code: String = word
            .shown()
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect();
        BULK_CALLS.iter().any(|bulk| code.contains(bulk)) && !code.contains("where")
    });
    if deletes {
        let message = "deletes every row of a table: no filter";
        report.add("db.unfiltered", Caution, message, call.span());
    }
}

/// A migration tool.
pub(in crate::rules) fn migrations(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "xcdtp",
        long_values: "config database path url schema context project startup-project dir target \
            down",
        one_dash: matches!(call.name, "flyway" | "migrate"),
        ..Grammar::PLAIN
    };
    deeds::apply(call, DEEDS, &grammar, "", report);
    framework_code(call, report);
}
