//! Containers, images, volumes and local virtual machines.

use super::catalogue::Rule;
use super::deeds::{self, Deed};
use super::options::{Grammar, Options};
use super::report::{Call, Report};
use crate::model::Severity::{Caution, Danger};
use crate::syntax::Piece;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("container.prune", Danger, "Daemon-wide clean-up", "docker system prune -af",
        "docker system df"),
    Rule::new("container.remove", Caution,
        "Forced removal of containers, images, machines or clusters", "docker rm -f web",
        "docker run --rm alpine true"),
    Rule::new("container.volume", Danger, "Container data deleted", "docker compose down -v",
        "docker compose down"),
];

const PRUNE: &str = "container.prune";
const REMOVE: &str = "container.remove";
const VOLUME: &str = "container.volume";
const ENGINES: &str = "docker|podman|nerdctl";

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    Deed::new(ENGINES, "system prune", Danger, PRUNE,
        "deletes every stopped container and unused image, network and cache"),
    Deed::new("podman", "system reset", Danger, PRUNE,
        "deletes every container, image, volume and setting"),
    Deed::new(ENGINES, "volume prune", Danger, PRUNE,
        "deletes every volume that no container uses, with its data"),
    Deed::new(ENGINES, "container|network|pod prune", Caution, PRUNE,
        "deletes every stopped container or unused network"),
    Deed::new(ENGINES, "image prune", Caution, PRUNE, "deletes every image that no container uses")
        .with("-a --all"),
    Deed::new("crictl", "rmi", Caution, PRUNE, "deletes every unused image")
        .with("--prune -a --all"),
    Deed::new("crictl", "rm|rmp", Caution, REMOVE, "force-removes containers")
        .with("-f --force -a --all"),
    Deed::new("buildah", "rm|rmi", Caution, REMOVE, "removes every container or image")
        .with("-a --all -f --force"),
    Deed::new(ENGINES, "volume rm|remove", Danger, VOLUME, "deletes the volume with its data"),
    Deed::new(ENGINES, "rm|remove", Caution, REMOVE, "force-removes containers with what they hold")
        .with("-f --force -v --volumes -a --all"),
    Deed::new(ENGINES, "container rm|remove", Caution, REMOVE,
        "force-removes containers with what they hold").with("-f --force -v --volumes -a --all"),
    Deed::new(ENGINES, "rmi", Caution, REMOVE, "force-removes images").with("-f --force -a --all"),
    Deed::new(ENGINES, "image rm|remove", Caution, REMOVE, "force-removes images")
        .with("-f --force -a --all"),
    Deed::new(ENGINES, "pod|machine|secret|config|stack|service|node rm|remove", Caution, REMOVE,
        "removes it with what it holds"),
    Deed::new("docker", "swarm leave", Danger, REMOVE,
        "leaves the swarm by force: its state is lost").with("-f --force"),
    Deed::new(ENGINES, "compose down", Danger, VOLUME,
        "deletes the volumes of all services with their data").with("-v --volumes"),
    Deed::new(ENGINES, "compose rm", Caution, REMOVE, "removes the containers of services")
        .with("-f --force -s --stop -v"),
    Deed::new("docker-compose|podman-compose", "down", Danger, VOLUME,
        "deletes the volumes of all services with their data").with("-v --volumes"),
    Deed::new("docker-compose|podman-compose", "rm", Caution, REMOVE,
        "removes the containers of services").with("-f --force -s --stop -v"),
    Deed::new("kind", "delete", Danger, REMOVE, "deletes the local cluster"),
    Deed::new("minikube", "delete", Danger, REMOVE, "deletes the local cluster"),
    Deed::new("k3d", "cluster|node delete|rm", Danger, REMOVE, "deletes the local cluster"),
    Deed::new("multipass", "delete|purge", Danger, REMOVE, "deletes the virtual machine"),
    Deed::new("vagrant", "destroy", Danger, REMOVE, "destroys the virtual machine"),
    Deed::new("lxc|incus", "delete", Danger, REMOVE, "deletes the container or machine"),
    Deed::new("lxc|incus", "storage|image|network|project|snapshot delete", Danger, REMOVE,
        "deletes it"),
    Deed::new("lxc-destroy", "", Danger, REMOVE, "destroys the container"),
    Deed::new("colima|limactl", "delete", Danger, REMOVE, "deletes the virtual machine"),
    Deed::new("virsh", "undefine|destroy|vol-delete|pool-delete|snapshot-delete", Danger, REMOVE,
        "destroys the virtual machine or its storage"),
    Deed::new("VBoxManage|vboxmanage", "unregistervm", Danger, REMOVE,
        "deletes the virtual machine").with("--delete"),
    Deed::new("xcrun", "simctl erase|delete", Danger, REMOVE, "erases or deletes the simulator"),
    Deed::new("machinectl", "remove|terminate|poweroff", Danger, REMOVE, "removes the machine"),
    Deed::new("distrobox|toolbox", "rm", Caution, REMOVE, "removes the container"),
    Deed::new("skopeo", "delete", Danger, REMOVE, "deletes the image from its registry"),
    Deed::new("qm|pct", "destroy", Danger, REMOVE, "destroys the virtual machine or container"),
];

/// Container engines, compose, and the local clusters and machines.
pub(super) fn containers(call: &Call<'_>, report: &mut Report) {
    let grammar = match call.name {
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => {
            engine_grammar(call)
        }
        "minikube" => Grammar {
            short_values: "p",
            long_values: "profile",
            ..Grammar::PLAIN
        },
        "VBoxManage" | "vboxmanage" | "lxc" | "incus" | "virsh" => Grammar {
            long_values: "connect project remote",
            ..Grammar::PLAIN
        },
        _ => Grammar::PLAIN,
    };
    deeds::apply(call, DEEDS, &grammar, "--dry-run --help", report);
    everything_listed(call, &grammar, report);
}

/// `-v`, `-f` and `-a` mean other things before the subcommand than after it, so values are known
/// by place.
fn engine_grammar(call: &Call<'_>) -> Grammar {
    let compose = call.name.ends_with("compose")
        || call
            .args
            .iter()
            .any(|word| word.literal().as_deref() == Some("compose"));
    if compose {
        let removes = call
            .args
            .iter()
            .any(|word| word.literal().as_deref() == Some("rm"));
        Grammar {
            short_values: if removes { "pt" } else { "fpt" },
            long_values: "file project-name profile project-directory env-file context timeout rmi \
                ansi host log-level",
            ..Grammar::PLAIN
        }
    } else {
        Grammar {
            short_values: "Hct",
            long_values: "context host log-level config tlscacert tlscert tlskey url connection \
                root runroot namespace filter time address storage-driver",
            ..Grammar::PLAIN
        }
    }
}

/// `docker rm $(docker ps -aq)`, `… | xargs docker kill`: whatever a list yields.
fn everything_listed(call: &Call<'_>, grammar: &Grammar, report: &mut Report) {
    if !matches!(call.name, "docker" | "podman" | "nerdctl") {
        return;
    }
    let options = Options::parse(grammar, call.args);
    let verb = options.operand(0).unwrap_or_default();
    let lists = || {
        options.operands.iter().skip(1).any(|word| {
            word.pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Substitution | Piece::Unknown))
        })
    };
    let known = || {
        report
            .findings
            .iter()
            .any(|finding| finding.rule == REMOVE && finding.span == call.span())
    };
    let (rule, message) = match verb.as_str() {
        "rm" | "rmi" => (
            REMOVE,
            "removes every container or image that a list yields",
        ),
        "kill" => ("sys.kill", "kills every container that a list yields"),
        _ => return,
    };
    if lists() && !known() {
        report.add(rule, Caution, message, call.span());
    }
}
