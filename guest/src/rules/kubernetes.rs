//! Kubernetes: objects deleted, workloads taken away, releases uninstalled.

use super::catalogue::Rule;
use super::deeds::{self, Deed};
use super::options::Grammar;
use super::report::{Call, Report};
use crate::model::Severity::{Caution, Danger};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("k8s.delete", Danger, "Cluster objects deleted", "kubectl delete ns prod",
        "kubectl delete pod x --dry-run=client"),
    Rule::new("k8s.disrupt", Caution, "Workloads taken away", "kubectl scale d/x --replicas=0",
        "kubectl rollout restart d/x"),
    Rule::new("helm.uninstall", Danger, "Release removed", "helm uninstall web",
        "helm uninstall web --dry-run"),
];

const DELETE: &str = "k8s.delete";
const DISRUPT: &str = "k8s.disrupt";
const UNINSTALL: &str = "helm.uninstall";
const KUBECTL: &str = "kubectl|oc|k|microk8s.kubectl|k3s-kubectl";

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    Deed::new(KUBECTL, "delete", Danger, DELETE, "deletes Kubernetes resources"),
    Deed::new("microk8s|k3s|minikube", "kubectl delete", Danger, DELETE,
        "deletes Kubernetes resources"),
    Deed::new(KUBECTL, "replace", Danger, DELETE, "deletes the resources before it makes them anew")
        .with("--force"),
    Deed::new(KUBECTL, "apply", Danger, DELETE,
        "deletes the resources that the files no longer name").with("--prune"),
    Deed::new(KUBECTL, "drain", Caution, DISRUPT, "drains the node: all its workloads are evicted"),
    Deed::new(KUBECTL, "cordon", Caution, DISRUPT, "takes the node out of scheduling"),
    Deed::new(KUBECTL, "scale", Caution, DISRUPT, "scales the workload to nothing")
        .with("--replicas=0"),
    Deed::new("oc", "adm drain|cordon|prune", Caution, DISRUPT, "takes workloads or objects away"),
    Deed::new("argocd", "app|appset|cluster|proj|repo delete|rm", Danger, DELETE,
        "deletes the application with its resources"),
    Deed::new("argocd", "app sync", Caution, DELETE,
        "deletes the resources that the repository no longer names").with("--prune"),
    Deed::new("flux", "delete|uninstall", Danger, DELETE, "deletes what keeps the cluster in step"),
    Deed::new("velero", "^delete", Danger, DELETE, "deletes backups"),
    Deed::new("istioctl", "^uninstall", Danger, DELETE, "removes the mesh"),
    Deed::new("calicoctl", "delete", Danger, DELETE, "deletes network objects"),
    Deed::new("cilium", "uninstall", Danger, DELETE, "removes the cluster's network"),
    Deed::new("linkerd", "uninstall", Danger, DELETE, "removes the mesh"),
    Deed::new("kubeadm", "reset", Danger, DELETE, "resets the node: its cluster state is lost"),
    Deed::new("talosctl", "reset|destroy", Danger, DELETE, "resets the node: its data is lost"),
    Deed::new("talosctl", "cluster destroy", Danger, DELETE, "destroys the cluster"),
    Deed::new("kops", "delete", Danger, DELETE, "deletes the cluster").with("--yes"),
    Deed::new("skaffold", "delete", Caution, DELETE, "deletes what was deployed"),
    Deed::new("tilt", "down", Caution, DELETE, "deletes what was deployed"),
    Deed::new("k3s-uninstall.sh|k3s-agent-uninstall.sh|rke2-uninstall.sh", "", Danger, DELETE,
        "removes the cluster from the machine"),
    Deed::new("helm|helm3", "uninstall|delete|del|un", Danger, UNINSTALL,
        "uninstalls the release and deletes its resources"),
    Deed::new("helmfile", "^destroy|delete", Danger, UNINSTALL,
        "destroys every release of the file"),
];

const GRAMMAR: Grammar = Grammar {
    short_values: "nslfokc",
    long_values: "namespace context cluster user kubeconfig server as as-group token \
        request-timeout selector filename output kustomize kube-context timeout cache-dir replicas \
        grace-period certificate-authority field-selector environment file talosconfig nodes",
    ..Grammar::PLAIN
};

/// `kubectl` and everything around it.
pub(super) fn kubernetes(call: &Call<'_>, report: &mut Report) {
    deeds::apply(call, DEEDS, &GRAMMAR, "--dry-run", report);
}
