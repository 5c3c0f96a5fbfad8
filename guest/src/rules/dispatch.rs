//! Which rules look at which program.

use super::report::{Call, Report};
use super::{
    cloud, containers, database, disk, filesystem, git, infrastructure, interpreters, kubernetes,
    packages, remote, runners, system, windows,
};
use crate::model::Dialect;

/// How many runners (`npx` in `bundle exec`, …) are taken off one after another.
const MAX_RUNNERS: u8 = 4;

/// Lets the rules of the program look at it, and those of the program that it runs.
pub(super) fn by_name(call: &Call<'_>, windows: bool, report: &mut Report) {
    look(call, windows, 0, report);
}

fn look(call: &Call<'_>, windows: bool, runners_off: u8, report: &mut Report) {
    report.look_at(call);
    if windows && windows_first(call, report) {
        return;
    }
    by_program(call, report);
    if runners_off < MAX_RUNNERS
        && let Some((name, args)) = runners::inner(call)
    {
        // The word before the arguments is the program.
        let program = call.args.iter().rev().nth(args.len());
        remote::runner(call, program, report);
        let inner = Call {
            name: &name,
            args,
            ..*call
        };
        look(&inner, windows, runners_off + 1, report);
    }
}

/// The names that mean something else in PowerShell and cmd than in bash.
fn windows_first(call: &Call<'_>, report: &mut Report) -> bool {
    match call.dialect() {
        Dialect::Powershell => {
            remote::started_file(call, report);
            windows::methods(call, report);
            windows::powershell(call, report) || windows::tools(call, report)
        }
        Dialect::Cmd => {
            remote::started_file(call, report);
            windows::cmd(call, report) || windows::tools(call, report)
        }
        Dialect::Bash | Dialect::Direct => false,
    }
}

fn by_program(call: &Call<'_>, report: &mut Report) {
    if call.invocation().program_word.starts_with("/etc/") {
        system::init_script(call, report);
    }
    match call.name {
        "rm" | "grm" => filesystem::remove(call, report),
        "unlink" => filesystem::unlink(call, report),
        "rimraf" | "del-cli" | "trash-cli" => filesystem::remove_tree_tool(call, report),
        "trash-empty" => filesystem::empty_trash(call, report),
        "gio"
            if call
                .args
                .first()
                .is_some_and(|word| word.literal().as_deref() == Some("trash")) =>
        {
            if call
                .args
                .iter()
                .any(|word| word.literal().as_deref() == Some("--empty"))
            {
                filesystem::empty_trash(call, report);
            }
        }
        "shred" | "wipe" | "srm" | "gshred" | "scrub" => filesystem::wipe(call, report),
        "cmake" => filesystem::cmake(call, report),
        "find" | "gfind" => filesystem::find(call, report),
        "cp" | "install" | "ditto" | "gcp" => filesystem::copy(call, report),
        "mv" | "gmv" => filesystem::mv(call, report),
        "ln" => filesystem::link(call, report),
        "tee" | "sponge" => filesystem::tee(call, report),
        "truncate" | "gtruncate" => filesystem::truncate(call, report),
        "dd" | "dcfldd" | "dc3dd" | "gdd" => filesystem::dd(call, report),
        "sort" => filesystem::output_option(call, report),
        "sed" | "gsed" => filesystem::sed(call, report),
        "chmod" => filesystem::change_mode(call, report),
        "chown" | "chgrp" => filesystem::change_owner(call, report),
        "chattr" | "setfacl" => filesystem::change_attributes(call, report),
        "tar" | "gtar" | "bsdtar" => filesystem::tar(call, report),
        "zip" | "7z" | "7za" | "7zz" | "rar" => filesystem::zip(call, report),
        "rsync" => filesystem::rsync(call, report),
        "scp" => filesystem::remote_copy(call, report),
        "rclone" => filesystem::rclone(call, report),
        "mc" | "mcli" => filesystem::minio(call, report),
        "lftp" => filesystem::lftp(call, report),
        "rg" => filesystem::preprocessor(call, report),
        "awk" | "gawk" | "mawk" | "nawk" => interpreters::awk(call, report),
        "curl" => {
            filesystem::output_option(call, report);
            remote::curl(call, report);
        }
        "wget" => {
            filesystem::output_option(call, report);
            remote::wget(call, report);
        }
        "http" | "https" | "xh" | "xhs" | "curlie" => remote::httpie(call, report),
        "nc" | "ncat" | "netcat" | "socat" => remote::sockets(call, report),
        "mshta" | "regsvr32" | "msiexec" => remote::installers(call, report),
        "eval" | "source" | "." => remote::evaluates(call, report),
        "git" => git::git(call, report),
        "svn" | "hg" | "jj" | "fossil" | "bzr" | "darcs" | "p4" | "cvs" | "bfg"
        | "git-filter-repo" => git::other_systems(call, report),
        "java" => git::jar(call, report),
        "kill" => system::kill(call, report),
        "pkill" | "killall" | "skill" | "killall5" => system::by_name(call, report),
        "fuser" => system::fuser(call, report),
        "shutdown" | "reboot" | "poweroff" | "halt" | "init" | "telinit" | "kexec" => {
            system::power(call, report)
        }
        "crontab" => system::crontab(call, report),
        "atrm" | "at" | "batch" => system::jobs(call, report),
        "iptables" | "ip6tables" | "iptables-legacy" | "iptables-nft" | "ebtables"
        | "arptables" => {
            system::firewall(call, report);
        }
        "nft" | "ip" | "ifdown" | "ifconfig" | "nmcli" | "pfctl" | "ufw" | "firewall-cmd"
        | "route" | "ipset" | "rfkill" | "wg-quick" | "tailscale" | "networksetup"
        | "ovs-vsctl" | "brctl" | "ethtool" | "dhclient" | "conntrack" => {
            system::network(call, report);
        }
        "userdel" | "deluser" | "groupdel" | "delgroup" | "luserdel" | "passwd" | "smbpasswd"
        | "htpasswd" | "dscl" | "sysadminctl" | "pw" | "ipa" | "samba-tool" | "ldapdelete"
        | "kadmin" | "kadmin.local" => system::accounts(call, report),
        "systemctl"
        | "loginctl"
        | "service"
        | "rc-service"
        | "invoke-rc.d"
        | "rc-update"
        | "update-rc.d"
        | "chkconfig"
        | "initctl"
        | "supervisorctl"
        | "launchctl"
        | "nginx"
        | "apachectl"
        | "apache2ctl"
        | "httpd"
        | "pm2"
        | "sv"
        | "s6-svc"
        | "svc"
        | "monit"
        | "caddy"
        | "forever"
        | "nodetool"
        | "svcadm"
        | "insserv"
        | "mongod"
        | "uwsgi"
        | "pcs"
        | "crm"
        | "kafka-server-stop"
        | "kafka-server-stop.sh"
        | "zookeeper-server-stop"
        | "zookeeper-server-stop.sh"
        | "catalina.sh"
        | "tmux"
        | "ipmitool"
        | "rtcwake"
        | "gnome-session-quit" => system::services(call, report),
        "brew" | "snap" => {
            system::services(call, report);
            packages::packages(call, report);
        }
        "wipefs" | "blkdiscard" | "hdparm" | "nvme" | "cryptsetup" | "diskutil" | "mformat"
        | "sg_format" | "sg_sanitize" | "badblocks" | "debugfs" | "fastboot" | "flashrom"
        | "sgdisk" | "parted" | "pvremove" | "vgremove" | "lvremove" | "vgreduce" | "lvreduce"
        | "pvcreate" | "fdformat" | "flash_erase" | "flash_eraseall" | "nandwrite" | "flashcp"
        | "sedutil-cli" | "gpart" | "efibootmgr" | "stratis" | "ceph" | "rbd" | "gluster"
        | "drbdadm" | "zfs" | "zpool" | "btrfs" | "mdadm" | "dmsetup" => disk::tools(call, report),
        "fdisk" | "sfdisk" | "gdisk" | "cfdisk" => disk::partition_editor(call, report),
        "ddrescue" | "dd_rescue" | "bmaptool" => disk::rescue(call, report),
        "qemu-img" => {
            disk::tools(call, report);
            disk::rescue(call, report);
        }
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" | "crictl"
        | "buildah" | "kind" | "k3d" | "multipass" | "vagrant" | "lxc" | "incus"
        | "lxc-destroy" | "colima" | "limactl" | "virsh" | "VBoxManage" | "vboxmanage"
        | "xcrun" | "machinectl" | "distrobox" | "toolbox" | "skopeo" | "qm" | "pct" => {
            containers::containers(call, report);
        }
        "minikube" => {
            containers::containers(call, report);
            kubernetes::kubernetes(call, report);
        }
        "kubectl"
        | "oc"
        | "k"
        | "microk8s.kubectl"
        | "microk8s"
        | "k3s"
        | "argocd"
        | "flux"
        | "velero"
        | "istioctl"
        | "linkerd"
        | "calicoctl"
        | "cilium"
        | "kubeadm"
        | "talosctl"
        | "kops"
        | "skaffold"
        | "tilt"
        | "k3s-uninstall.sh"
        | "k3s-agent-uninstall.sh"
        | "rke2-uninstall.sh"
        | "helm"
        | "helm3"
        | "helmfile" => {
            kubernetes::kubernetes(call, report);
        }
        "terraform" | "tofu" | "terragrunt" | "pulumi" | "cdk" | "cdktf" | "cdk8s"
        | "serverless" | "sls" | "sst" | "sam" | "amplify" | "copilot" | "waypoint" | "garden"
        | "eb" | "nomad" | "knife" | "juju" | "bosh" | "cf" => {
            infrastructure::infrastructure(call, report);
        }
        "ansible" => infrastructure::ansible(call, report),
        "puppet" => infrastructure::puppet(call, report),
        "salt" | "salt-call" => infrastructure::salt(call, report),
        "aws" => cloud::aws(call, report),
        "gcloud" => cloud::gcloud(call, report),
        "az" => cloud::az(call, report),
        "gsutil" | "firebase" | "azcopy" | "azd" | "eksctl" | "s5cmd" | "s3cmd" | "gh" | "glab"
        | "heroku" | "fly" | "flyctl" | "netlify" | "ntl" | "vercel" | "vc" | "now" | "railway"
        | "render" | "doctl" | "hcloud" | "linode-cli" | "scw" | "vultr-cli" | "vultr" | "exo"
        | "ibmcloud" | "upctl" | "civo" | "oci" | "openstack" | "nova" | "cinder" | "glance"
        | "neutron" | "pscale" | "neonctl" | "neon" | "stripe" | "sentry-cli" | "tfe" | "tfc"
        | "restic" | "borg" | "borgmatic" | "duplicity" | "kopia" | "tmutil" | "timeshift"
        | "snapper" | "op" | "bw" | "doppler" | "pass" | "gpg" | "gpg2" | "hub" | "cloudflared"
        | "flarectl" | "sf" | "sfdx" | "dokku" | "surge" | "kamal" | "wal-g" | "barman"
        | "pgbackrest" | "rdiff-backup" | "certbot" | "security" | "aws-vault" | "rancher" => {
            cloud::platforms(call, report)
        }
        "wrangler" | "turso" => {
            cloud::platforms(call, report);
            database::client(call, report);
        }
        "supabase" | "atlas" => {
            cloud::platforms(call, report);
            database::migrations(call, report);
        }
        "psql" | "mysql" | "mariadb" | "mycli" | "sqlcmd" | "osql" | "clickhouse-client"
        | "clickhouse" | "cqlsh" | "duckdb" | "cockroach" | "snowsql" | "snow" | "trino"
        | "presto" | "hive" | "beeline" | "spark-sql" | "usql" | "impala-shell" | "pgcli"
        | "sqlplus" | "isql" | "mssql-cli" | "vsql" | "tsql" | "sqlite3" | "sqlite" => {
            database::client(call, report);
        }
        "bq" | "influx" => {
            database::client(call, report);
            database::stores(call, report);
        }
        "dropdb"
        | "dropuser"
        | "mysqladmin"
        | "mariadb-admin"
        | "pg_restore"
        | "pg_ctl"
        | "pg_ctlcluster"
        | "vault"
        | "consul"
        | "etcdctl"
        | "zkCli"
        | "zkCli.sh"
        | "rabbitmqctl"
        | "rabbitmqadmin"
        | "kafka-topics"
        | "kafka-topics.sh"
        | "kafka-consumer-groups"
        | "kafka-consumer-groups.sh"
        | "pulsar-admin"
        | "pg_dropcluster"
        | "pg_resetwal"
        | "kafka-delete-records"
        | "kafka-delete-records.sh"
        | "nats"
        | "mongorestore" => {
            database::stores(call, report);
        }
        "redis-cli" | "valkey-cli" | "keydb-cli" => database::redis(call, report),
        "cypher-shell" => database::graph_shell(call, report),
        "dbus-send" | "gdbus" | "busctl" | "qdbus" => system::message_bus(call, report),
        "forfiles" => windows::for_each_file(call, report),
        "mongosh" | "mongo" => database::document_shell(call, report),
        "rails"
        | "manage.py"
        | "django-admin"
        | "prisma"
        | "typeorm"
        | "typeorm-ts-node-commonjs"
        | "typeorm-ts-node-esm"
        | "sequelize"
        | "sequelize-cli"
        | "knex"
        | "mikro-orm"
        | "artisan"
        | "console"
        | "dotnet-ef"
        | "alembic"
        | "flask"
        | "flyway"
        | "liquibase"
        | "sqlx"
        | "diesel"
        | "drizzle-kit"
        | "goose"
        | "migrate"
        | "dbmate"
        | "wp"
        | "drush"
        | "hasura"
        | "edgedb"
        | "gel"
        | "sqitch"
        | "sea-orm-cli"
        | "hanami"
        | "phinx"
        | "yii" => database::migrations(call, report),
        "mix" | "rake" | "dotnet" | "mvn" | "mvnw" | "gradle" | "gradlew" => {
            database::migrations(call, report);
            packages::packages(call, report);
        }
        "npm"
        | "pnpm"
        | "yarn"
        | "bun"
        | "jsr"
        | "lerna"
        | "changeset"
        | "dart"
        | "flutter"
        | "wally"
        | "semantic-release"
        | "np"
        | "release-it"
        | "cargo"
        | "twine"
        | "poetry"
        | "uv"
        | "flit"
        | "hatch"
        | "pdm"
        | "maturin"
        | "setup.py"
        | "gem"
        | "bundle"
        | "sbt"
        | "lein"
        | "nuget"
        | "goreleaser"
        | "vsce"
        | "ovsx"
        | "pod"
        | "snapcraft"
        | "luarocks"
        | "cabal"
        | "stack"
        | "opam"
        | "conda"
        | "anaconda"
        | "apt"
        | "apt-get"
        | "aptitude"
        | "dpkg"
        | "yum"
        | "dnf"
        | "dnf5"
        | "microdnf"
        | "tdnf"
        | "rpm"
        | "zypper"
        | "apk"
        | "xbps-remove"
        | "pkg"
        | "emerge"
        | "flatpak"
        | "elm"
        | "nimble"
        | "rebar3"
        | "choco"
        | "opkg"
        | "slackpkg"
        | "tasksel"
        | "removepkg"
        | "guix"
        | "nix-collect-garbage"
        | "nix-env" => {
            packages::packages(call, report);
        }
        "pacman" | "yay" | "paru" => packages::pacman(call, report),
        "deno" => {
            packages::packages(call, report);
            remote::interpreter(call, report);
        }
        "bcdedit" | "diskpart" | "vssadmin" | "wbadmin" | "schtasks" | "taskkill" | "robocopy"
        | "wevtutil" | "icacls" | "takeown" | "cipher" | "fsutil" | "manage-bde" | "wsl"
        | "wmic" | "netsh" => {
            windows::tools(call, report);
        }
        "tail" => system::endless(call, report),
        "journalctl" => filesystem::journal(call, report),
        "dconf" => filesystem::settings(call, report),
        name if name.starts_with("mkfs")
            || matches!(name, "mke2fs" | "mkswap" | "newfs" | "mkdosfs" | "mkntfs") =>
        {
            disk::make_filesystem(call, report);
        }
        _ => others(call, report),
    }
}

/// Interpreters, and files started by path.
fn others(call: &Call<'_>, report: &mut Report) {
    remote::interpreter(call, report);
    if call.invocation().program_word.shown().contains('/') {
        remote::started_file(call, report);
    }
}
