//! Infrastructure as code and configuration management.

use super::catalogue::Rule;
use super::deeds::{self, Deed};
use super::options::{Grammar, Options};
use super::report::{Call, Report};
use super::stdin;
use crate::model::Severity::{Caution, Danger};
use crate::syntax::Word;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("iac.destroy", Danger, "Managed infrastructure torn down", "terraform destroy",
        "terraform plan -destroy"),
    Rule::new("iac.unreviewed-apply", Caution, "Plan applied unseen",
        "terraform apply -auto-approve", "terraform apply tfplan"),
    Rule::new("iac.state", Danger, "State forgotten", "terraform state rm x",
        "terraform state list"),
];

const DESTROY: &str = "iac.destroy";
const STATE: &str = "iac.state";
const UNSEEN: &str = "iac.unreviewed-apply";
const TERRAFORM: &str = "terraform|tofu|terragrunt";

const fn destroys(programs: &'static str, path: &'static str) -> Deed {
    Deed::new(
        programs,
        path,
        Danger,
        DESTROY,
        "destroys the infrastructure that it manages",
    )
}

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    destroys(TERRAFORM, "destroy|destroy-all"),
    destroys(TERRAFORM, "apply").with("-destroy"),
    destroys("terragrunt", "run-all|run|stack|all destroy"),
    destroys("terragrunt", "^destroy"),
    Deed::new(TERRAFORM, "state rm", Danger, STATE,
        "forgets a resource: the state no longer manages it").unless("-dry-run"),
    Deed::new(TERRAFORM, "state push", Danger, STATE, "overwrites the remote state").with("-force"),
    Deed::new(TERRAFORM, "workspace delete", Danger, STATE,
        "deletes the workspace while it still manages resources").with("-force"),
    destroys("pulumi", "destroy|down").unless("-preview-only"),
    Deed::new("pulumi", "stack rm", Danger, DESTROY, "deletes the stack with its history"),
    Deed::new("pulumi", "state delete", Danger, STATE,
        "forgets a resource: the state no longer manages it"),
    Deed::new("pulumi", "up|update", Caution, UNSEEN, "applies changes that nobody has seen")
        .with("-yes -y -skip-preview -f"),
    destroys("cdk|cdktf|cdk8s", "destroy"),
    Deed::new("cdktf", "deploy|apply", Caution, UNSEEN, "applies changes that nobody has seen")
        .with("-auto-approve"),
    Deed::new("cdk", "deploy", Caution, UNSEEN, "applies changes that nobody has seen")
        .with("-require-approval=never"),
    destroys("serverless|sls|sst", "remove"),
    destroys("sam|amplify", "delete"),
    destroys("copilot", "* delete"),
    destroys("waypoint|garden", "^destroy"),
    destroys("eb", "terminate"),
    destroys("nomad", "stop").with("-purge"),
    destroys("nomad", "job stop").with("-purge"),
    destroys("nomad", "namespace|volume delete"),
    Deed::new("nomad", "node drain", Caution, "k8s.disrupt",
        "drains the node: all its workloads are moved").with("-enable"),
    destroys("knife", "* delete"),
    destroys("knife", "* bulk delete"),
    destroys("juju",
        "destroy-model|destroy-controller|kill-controller|remove-application|remove-machine"),
    destroys("bosh", "^delete-deployment|delete-env|deld"),
    destroys("cf", "delete|delete-service|delete-org|delete-space|d"),
];

/// Terraform and its relatives. All of them take long options with one dash or two.
pub(super) fn infrastructure(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        one_dash: true,
        long_values: "C stack s target t require-approval stage region profile c context config \
            cwd e env environment var var-file replace parallelism lock-timeout state out \
            backend-config",
        ..Grammar::PLAIN
    };
    let known = report.findings.len();
    deeds::apply(call, DEEDS, &grammar, "--preview-only --dry-run", report);
    if report.findings.len() == known && matches!(call.name, "terraform" | "tofu" | "terragrunt") {
        apply_unseen(call, &Options::parse(&grammar, call.args), report);
    }
}

/// `apply` without a question, unless it applies a plan that was made before.
fn apply_unseen(call: &Call<'_>, options: &Options<'_>, report: &mut Report) {
    let words: Vec<String> = options.operands.iter().map(|word| word.shown()).collect();
    let Some(at) = words
        .iter()
        .position(|word| word == "apply" || word == "apply-all")
    else {
        return;
    };
    let plan_given = words.len() > at + 1;
    let unasked =
        options.any_of("-auto-approve -terragrunt-non-interactive") || stdin::answers_yes(call);
    if unasked && !plan_given && !options.asks_for_help() {
        report.add(
            UNSEEN,
            Caution,
            "applies changes to the infrastructure that nobody has seen",
            call.span(),
        );
    }
}

/// `ansible host -m file -a '… state=absent'`, and its ad-hoc shell commands.
pub(super) fn ansible(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "aMmituelfBP",
        long_values: "args module-name module-path inventory tree user extra-vars limit forks \
            background poll become-user",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    if options.asks_for_help() || options.any_of("-C --check --list-hosts --syntax-check") {
        return;
    }
    let module = options.value('m', "module-name").unwrap_or("command");
    let Some(args) = options.value('a', "args") else {
        return;
    };
    let module = module.rsplit('.').next().unwrap_or_default();
    match module {
        "command" | "shell" | "raw" => report.shell_text(args, call.span()),
        _ if args.split_whitespace().any(|word| word == "state=absent") => {
            report.add(
                DESTROY,
                Danger,
                "removes files, packages or users on every host",
                call.span(),
            );
        }
        "service" | "systemd" if args.split_whitespace().any(|word| word == "state=stopped") => {
            report.add(
                "sys.service",
                Caution,
                "stops a service on every host",
                call.span(),
            );
        }
        "reboot" => report.add("sys.power", Danger, "reboots every host", call.span()),
        _ => {}
    }
}

/// `puppet apply -e`, `salt '*' cmd.run`.
pub(super) fn puppet(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(
        &Grammar {
            short_values: "e",
            long_values: "execute",
            ..Grammar::PLAIN
        },
        call.args,
    );
    if options.any_of("--noop --help") {
        return;
    }
    if let Some(manifest) = options.value('e', "execute") {
        let code: String = manifest.chars().filter(|c| !c.is_whitespace()).collect();
        if code.contains("ensure=>absent")
            || code.contains("ensure=>'absent'")
            || code.contains("ensure=>purged")
        {
            report.add(
                DESTROY,
                Danger,
                "removes what the manifest calls absent",
                call.span(),
            );
        }
    }
}

/// `salt`, `salt-call`.
pub(super) fn salt(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&Grammar::PLAIN, call.args);
    let words: Vec<Option<String>> = options
        .operands
        .iter()
        .map(|word: &&Word| word.literal())
        .collect();
    let at = words.iter().position(|word| {
        matches!(
            word.as_deref(),
            Some("cmd.run" | "cmd.shell" | "cmd.run_all")
        )
    });
    if let Some(Some(shell)) = at.and_then(|at| words.get(at + 1)) {
        report.shell_text(shell, call.span());
    }
    let removes = [
        "file.remove",
        "pkg.purge",
        "system.reboot",
        "system.shutdown",
        "system.poweroff",
        "user.delete",
    ];
    if words
        .iter()
        .flatten()
        .any(|word| removes.contains(&word.as_str()))
    {
        report.add(
            DESTROY,
            Danger,
            "removes or stops it on every host",
            call.span(),
        );
    }
}
