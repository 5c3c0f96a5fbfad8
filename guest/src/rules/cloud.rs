//! Clouds and platforms: AWS, Google Cloud, Azure, and the services that a command line can delete.

use super::catalogue::Rule;
use super::deeds::{self, Deed};
use super::options::{Grammar, Options};
use super::report::{Call, Report};
use crate::model::Severity::{Caution, Danger};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("cloud.aws", Danger, "AWS deletion", "aws s3 rm s3://b --recursive",
        "aws s3 rm s3://b --recursive --dryrun"),
    Rule::new("cloud.gcp", Danger, "Google Cloud deletion", "gcloud projects delete p",
        "gcloud projects list"),
    Rule::new("cloud.azure", Danger, "Azure deletion", "az group delete -n p --query show",
        "az group show -n p"),
    Rule::new("cloud.platform", Danger, "Platform, forge, service or backup deletion",
        "gh repo delete o/r", "gh pr close 5"),
];

const AWS: &str = "cloud.aws";
const GCP: &str = "cloud.gcp";
const AZURE: &str = "cloud.azure";
const PLATFORM: &str = "cloud.platform";
const SYNC: &str = "fs.sync-delete";

const AWS_GRAMMAR: Grammar = Grammar {
    long_values: "profile region output query endpoint-url ca-bundle cli-read-timeout \
        cli-connect-timeout color desired-count desired-capacity",
    ..Grammar::PLAIN
};

/// Beginnings of AWS operations that delete or take away.
#[rustfmt::skip]
const AWS_OPERATIONS: &[&str] = &[
    "batch-delete-", "bulk-delete-", "close-account", "delete-", "deregister-",
    "leave-organization", "purge-", "reboot-", "release-address", "schedule-key-deletion", "stop-",
    "terminate-",
];

/// Operations with such a beginning that lose nothing.
const AWS_HARMLESS: &[&str] = &[
    "delete-message",
    "deregister-targets",
    "deregister-instances-from-load-balancer",
    "stop-query",
];

/// `aws`.
pub(super) fn aws(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&AWS_GRAMMAR, call.args);
    let words: Vec<String> = options.operands.iter().map(|word| word.shown()).collect();
    let [service, operation, rest @ ..] = words.as_slice() else {
        return;
    };
    let spared =
        options.any_of("--dry-run --dryrun --generate-cli-skeleton") || options.asks_for_help();
    if service == "ssm" && operation == "send-command" && !spared {
        for word in call.args {
            // `commands=["…","…"]`, in whatever spelling.
            let text = word.shown();
            if let Some((_, commands)) = text.split_once("commands") {
                let texts = commands.split('"').filter(|part| part.contains(' '));
                texts.for_each(|shell| report.shell_text(shell, call.span()));
                let plain = commands.trim_start_matches('=');
                report.shell_text(plain, call.span());
            }
        }
    }
    // What a batch of DNS changes does stands in its text.
    let deletes_records = operation == "change-resource-record-sets"
        && call.args.iter().any(|word| {
            let text = word.shown();
            text.contains("\"DELETE\"") || text.contains("Action=DELETE")
        });
    if deletes_records && !spared {
        report.add("cloud.aws", Danger, "deletes DNS records", call.span());
    }
    if spared || operation == "help" || rest.first().is_some_and(|word| word == "help") {
        return;
    }
    match (service.as_str(), operation.as_str()) {
        ("s3", "rm") => report.add(AWS, Danger, "deletes objects from the bucket", call.span()),
        ("s3", "rb") => report.add(AWS, Danger, "deletes the bucket", call.span()),
        ("s3", "sync") if options.long_given("delete") => {
            report.add(
                SYNC,
                Caution,
                "deletes what the bucket has and the source lacks",
                call.span(),
            );
        }
        ("s3", _) => {}
        ("ecs" | "autoscaling" | "application-autoscaling", _)
            if options.any_of("--desired-count=0 --desired-capacity=0") =>
        {
            report.add(AWS, Danger, "scales the service to nothing", call.span());
        }
        (_, operation) => {
            let deletes = AWS_OPERATIONS
                .iter()
                .any(|begin| operation.starts_with(begin));
            if deletes && !AWS_HARMLESS.contains(&operation) {
                report.add(
                    AWS,
                    Danger,
                    format!("deletes or takes away a resource ({service} {operation})"),
                    call.span(),
                );
            }
        }
    }
}

/// Verbs that end the path of a `gcloud` or `az` command, and whether they lose something.
#[rustfmt::skip]
const CLOUD_VERBS: &[(&str, bool)] = &[
    ("add", false),
    ("apply", false),
    ("attach", false),
    ("copy", false),
    ("cp", false),
    ("create", false),
    ("deallocate", true),
    ("delete", true),
    ("delete-batch", true),
    ("delete-by-id", true),
    ("deploy", false),
    ("describe", false),
    ("destroy", true),
    ("disable", true),
    ("download", false),
    ("export", false),
    ("get", false),
    ("get-credentials", false),
    ("import", false),
    ("invoke", false),
    ("list", false),
    ("log", false),
    ("ls", false),
    ("mv", false),
    ("purge", true),
    ("query", false),
    ("rb", true),
    ("read", false),
    ("reset", true),
    ("restart", false),
    ("rm", true),
    ("scp", false),
    ("set", false),
    ("show", false),
    ("ssh", false),
    ("start", false),
    ("stop", true),
    ("suspend", true),
    ("submit", false),
    ("update", false),
    ("upload", false),
    ("wait", false),
    ("write", false),
];

/// The verb of a command whose words are groups, then a verb, then names.
fn losing_verb(words: &[String]) -> Option<&str> {
    let (verb, loses) = words.iter().find_map(|word| {
        CLOUD_VERBS
            .iter()
            .find(|(verb, _)| verb == word)
            .map(|(_, loses)| (word.as_str(), *loses))
    })?;
    loses.then_some(verb)
}

/// `gcloud`.
pub(super) fn gcloud(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        long_values: "project account configuration format filter region zone verbosity \
            impersonate-service-account ddl sql",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    let words: Vec<String> = options.operands.iter().map(|word| word.shown()).collect();
    let local = words
        .first()
        .is_some_and(|group| matches!(group.as_str(), "config" | "help" | "info" | "components"));
    if local || options.asks_for_help() || options.any_of("-h --dry-run --validate-only") {
        return;
    }
    // Spanner takes its statements as options.
    if ["ddl", "sql"]
        .iter()
        .any(|name| options.values(' ', name).any(super::database::loses))
    {
        report.add(
            "db.drop",
            Danger,
            "drops or empties a database object",
            call.span(),
        );
    }
    if words.iter().any(|word| word == "rsync")
        && options.long_given("delete-unmatched-destination-objects")
    {
        report.add(
            SYNC,
            Caution,
            "deletes what the bucket has and the source lacks",
            call.span(),
        );
    } else if let Some(verb) = losing_verb(&words) {
        report.add(
            GCP,
            Danger,
            format!("deletes or takes away a Google Cloud resource ({verb})"),
            call.span(),
        );
    }
}

/// `az`: its words end where the options begin.
pub(super) fn az(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(
        &Grammar {
            permutes: true,
            ..Grammar::PLAIN
        },
        call.args,
    );
    let path = call
        .args
        .iter()
        .map(|word| word.shown())
        .take_while(|word| !word.starts_with('-'));
    let words: Vec<String> = path.collect();
    let local = words.first().is_some_and(|group| {
        matches!(group.as_str(), "account" | "config" | "cache" | "extension")
    });
    let complete = call.args.windows(2).any(|pair| {
        pair[0].literal().as_deref() == Some("--mode")
            && pair[1]
                .literal()
                .is_some_and(|mode| mode.eq_ignore_ascii_case("complete"))
    });
    if complete && words.iter().any(|word| word == "deployment") && !options.any_of("--what-if -w")
    {
        let message = "destroys every resource of the group that the template does not name";
        report.add("iac.destroy", Danger, message, call.span());
    }
    if local || options.any_of("-h --help --dryrun --dry-run --what-if") {
        return;
    }
    if let Some(verb) = losing_verb(&words) {
        report.add(
            AZURE,
            Danger,
            format!("deletes or takes away an Azure resource ({verb})"),
            call.span(),
        );
    }
}

const fn deletes(programs: &'static str, path: &'static str, message: &'static str) -> Deed {
    Deed::new(programs, path, Danger, PLATFORM, message)
}

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    Deed::new("gsutil", "^rm|rb", Danger, GCP, "deletes objects or the bucket"),
    Deed::new("gsutil", "^rsync", Caution, SYNC, "deletes what the target has and the source lacks")
        .with("-d").unless("-n"),
    Deed::new("firebase",
        "firestore:delete|database:remove|hosting:disable|functions:delete|apps:delete|\
            hosting:sites:delete",
        Danger, GCP, "deletes the data or service"),
    Deed::new("azcopy", "remove|rm", Danger, AZURE, "deletes the blobs"),
    Deed::new("azcopy", "sync", Caution, SYNC, "deletes what the target has and the source lacks")
        .with("--delete-destination=true"),
    Deed::new("azd", "down", Danger, AZURE, "deletes the environment's resources"),
    Deed::new("eksctl", "delete", Danger, AWS, "deletes the cluster or node group"),
    Deed::new("s5cmd", "^rm|rb", Danger, AWS, "deletes the objects"),
    Deed::new("s5cmd", "^sync", Caution, SYNC, "deletes what the target has and the source lacks")
        .with("--delete"),
    Deed::new("s3cmd", "^del|rm|rb|expire", Danger, AWS, "deletes the objects or the bucket"),
    Deed::new("s3cmd", "^sync", Caution, SYNC, "deletes what the target has and the source lacks")
        .with("--delete-removed"),
    deletes("gh",
        " repo|release|secret|variable|issue|run|gist|codespace|ssh-key|gpg-key|project|label|\
            ruleset delete|remove", "deletes it from the forge for good"),
    deletes("gh", "release delete-asset", "deletes the asset from the release"),
    deletes("gh|glab", "api", "sends a delete request to the forge")
        .with("-X=DELETE --method=DELETE"),
    deletes("glab", "repo|project|release|variable|issue|mr|snippet|schedule|label delete",
        "deletes it from the forge for good"),
    deletes("heroku",
        "apps:destroy|apps:delete|destroy|pg:reset|addons:destroy|pipelines:destroy|domains:clear|\
            teams:destroy|redis:reset|kafka:topics:destroy|\
            container:rm",
        "destroys the app or its data"),
    deletes("heroku", "pg:copy|pg:push|pg:pull", "overwrites the target database")
        .with("--confirm -c"),
    deletes("fly|flyctl",
        "apps|app|volumes|volume|machine|machines|m|postgres|redis|storage|ips|certs|extensions \
            destroy|delete|remove|release", "destroys the app or its data"),
    deletes("fly|flyctl", "destroy", "destroys the app"),
    deletes("netlify|ntl", "sites:delete|env:unset|blobs:delete", "deletes the site or its data"),
    deletes("wrangler", "delete", "deletes the worker"),
    deletes("wrangler", "r2 bucket|object delete", "deletes the bucket or object"),
    deletes("wrangler",
        " kv|kv:namespace|kv:key|kv:bulk|d1|queues|secret|vectorize|hyperdrive|workflows|\
            dispatch-namespace|pages delete|purge", "deletes the data"),
    deletes("wrangler", "kv namespace|key|bulk delete", "deletes the data"),
    deletes("wrangler", "pages project|deployment delete", "deletes the project or deployment"),
    deletes("vercel|vc|now", "rm|remove", "removes the deployments or the project"),
    deletes("vercel|vc|now",
        "project|projects|env|domains|dns|certs|secrets|blob|integration rm|remove|del",
        "removes it"),
    deletes("railway", "down|delete|unlink-service", "removes the deployment"),
    deletes("railway", "volume|environment|service|project delete|remove|rm",
        "deletes it with its data"),
    deletes("render", "^delete", "deletes the service"),
    deletes("doctl", "^delete|destroy|rm|d|remove", "deletes the resource"),
    deletes("hcloud", "* delete|poweroff|reset|shutdown", "deletes the server or takes it away"),
    deletes("linode-cli", "* delete|rm|linode-delete|volume-delete", "deletes the resource"),
    deletes("scw|vultr-cli|vultr|exo|ibmcloud|upctl|civo", "^delete|destroy|terminate|rm|remove",
        "deletes the resource"),
    deletes("oci", "^delete|terminate|bulk-delete", "deletes the resource"),
    deletes("openstack", "^delete", "deletes the resource"),
    deletes("nova|cinder|glance|neutron", "^delete|force-delete", "deletes the resource"),
    deletes("supabase", "projects|functions|branches|secrets|storage delete|unset|rm",
        "deletes it with its data"),
    deletes("pscale", "database|branch|db delete", "deletes the database"),
    deletes("turso", "db|group destroy", "destroys the database"),
    deletes("neonctl|neon", "projects|branches|databases|roles delete", "deletes the database"),
    deletes("atlas", "clusters|cluster|projects|project delete", "deletes the cluster"),
    deletes("stripe", "* delete|cancel", "deletes or cancels it in the payment system"),
    deletes("sentry-cli", "releases|sourcemaps delete|remove", "deletes the release"),
    deletes("tfe|tfc", "* delete", "deletes the workspace"),
    deletes("restic", "forget", "deletes backup snapshots"),
    deletes("restic", "prune|key", "deletes backup data for good").unless("--list"),
    deletes("borg", "^delete|prune|recreate|compact", "deletes backup archives"),
    deletes("borgmatic", "^prune|delete", "deletes backup archives"),
    deletes("duplicity",
        "remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup",
        "deletes backups").with("--force"),
    deletes("kopia", "snapshot|repository delete|expire", "deletes backup snapshots")
        .with("--delete --all-snapshots-for-source"),
    deletes("tmutil", "delete|deletelocalsnapshots|deleteinprogress|disable",
        "deletes or stops backups"),
    deletes("timeshift", "", "deletes system snapshots").with("--delete --delete-all"),
    deletes("snapper", "^delete|rm|remove", "deletes system snapshots"),
    deletes("op", "item|vault|user|group|document delete", "deletes it from the vault")
        .unless("--archive"),
    deletes("bw", "delete", "deletes it from the vault"),
    deletes("doppler", "projects|environments|configs|secrets delete", "deletes the secrets"),
    deletes("pass", "rm|remove|delete", "deletes the password"),
    deletes("hub", "delete", "deletes the repository"),
    deletes("cloudflared", "tunnel delete", "deletes the tunnel"),
    deletes("flarectl", "^delete|d", "deletes the zone or record"),
    deletes("sf|sfdx", "^delete|org:delete|force:org:delete", "deletes the organisation"),
    deletes("dokku",
        "^apps:destroy|postgres:destroy|mysql:destroy|redis:destroy|mongo:destroy|storage:unmount",
        "destroys the app or its data"),
    deletes("surge", "teardown", "deletes the site"),
    deletes("kamal", "^remove", "removes the application"),
    deletes("wal-g|barman", "delete", "deletes backups"),
    deletes("pgbackrest", "^stanza-delete|expire", "deletes backups"),
    deletes("rdiff-backup", "", "deletes backups").with("--remove-older-than"),
    deletes("certbot", "delete|revoke", "deletes or revokes the certificate"),
    deletes("security",
        "delete-keychain|delete-certificate|delete-identity|delete-generic-password|\
            delete-internet-password",
        "deletes a key or password"),
    deletes("aws-vault", "remove|rm", "deletes the credentials"),
    deletes("rancher", "^delete|rm", "deletes the cluster or workload"),
    deletes("gpg|gpg2", "", "deletes a key that nothing brings back")
        .with("--delete-secret-keys --delete-secret-key --delete-secret-and-public-key \
            --delete-keys --delete-key"),
];

/// The platforms whose command lines name what they delete.
pub(super) fn platforms(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: if matches!(call.name, "gh" | "glab") {
            "XRFfHq"
        } else {
            "arc"
        },
        long_values: "app remote repo repository project context config account region zone \
            profile env team scope token method json jq template field header org output format \
            password-file bucket",
        ..Grammar::PLAIN
    };
    let grammar = match call.name {
        "gsutil" => Grammar {
            short_values: "o",
            ..Grammar::PLAIN
        },
        "gpg" | "gpg2" => Grammar::PLAIN,
        _ => grammar,
    };
    // `gsutil rm -n` is no dry run, `restic -n` is.
    let dry_run = if matches!(call.name, "restic" | "borg" | "s3cmd" | "snapper") {
        "-n --dry-run"
    } else {
        "--dry-run"
    };
    deeds::apply(call, DEEDS, &grammar, dry_run, report);
}
