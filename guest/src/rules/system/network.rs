//! Firewalls flushed, links taken down, routes removed.

use crate::model::Severity::Danger;
use crate::rules::deeds::{self, Deed};
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};

const RULE: &str = "sys.network";

const fn cuts(programs: &'static str, path: &'static str) -> Deed {
    Deed::new(
        programs,
        path,
        Danger,
        RULE,
        "cuts the network or drops the firewall's rules",
    )
}

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    cuts("nft", "flush"),
    cuts("nft", "delete|destroy table|chain|set"),
    cuts("ip", "link|l delete|del"),
    cuts("ip", "link|l set * down"),
    cuts("ip", "link|l set dev * down"),
    cuts("ip", "route|r|ro flush"),
    cuts("ip", "route|r|ro del|delete default"),
    cuts("ip", "addr|address|a flush|del|delete"),
    cuts("ip", "rule flush"),
    cuts("ip", "netns del|delete"),
    cuts("ifdown", "").on_operand(),
    cuts("ifdown", "").with("-a --all"),
    cuts("ifconfig", "* down"),
    cuts("nmcli", "c|con|conn|connection down|delete|del"),
    cuts("nmcli", "n|net|networking off"),
    cuts("nmcli", "r|radio all|wifi|wwan off"),
    cuts("nmcli", "d|dev|device disconnect|delete"),
    cuts("pfctl", "").with("-F -d"),
    cuts("ufw", "disable|reset"),
    cuts("ufw", "default allow"),
    cuts("firewall-cmd", "").with("--panic-on"),
    cuts("route", "^flush"),
    cuts("route", "del|delete default"),
    cuts("ipset", "flush|destroy"),
    cuts("rfkill", "block"),
    cuts("wg-quick", "down"),
    cuts("tailscale", "down|logout"),
    cuts("networksetup", "")
        .with("-setnetworkserviceenabled -setairportpower -removenetworkservice"),
    cuts("ovs-vsctl", "del-br"),
    cuts("brctl", "delbr"),
    cuts("ethtool", "").with("--reset"),
    cuts("dhclient", "").with("-r -x"),
    cuts("conntrack", "").with("-F --flush"),
];

/// Tools with subcommands.
pub(in crate::rules) fn network(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: if call.name == "pfctl" { "Ftfa" } else { "n" },
        one_dash: call.name == "networksetup",
        ..Grammar::PLAIN
    };
    deeds::apply(call, DEEDS, &grammar, "--dry-run", report);
}

/// `iptables` and its family.
pub(in crate::rules) fn firewall(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "tPpsdiojAIm",
        long_values: "table policy protocol source destination in-interface out-interface jump \
            append insert match dport sport",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    let clears = options.any_of("-F --flush -X --delete-chain");
    let policy = options.has('P', "policy");
    let narrow = options.any_of(
        "-p --protocol -s --source -d --destination -i --in-interface -o --out-interface -m \
            --match --dport --sport",
    );
    let blocks_all = options.any_of("-A --append -I --insert")
        && options.any_of("-j=DROP -j=REJECT --jump=DROP --jump=REJECT");
    let policy = policy || blocks_all && !narrow;
    if (clears || policy) && !options.asks_for_help() {
        let message = if clears {
            "flushes the firewall's rules"
        } else {
            "changes what the firewall does by default"
        };
        report.add(RULE, Danger, message, call.span());
    }
}
