//! Disks and volumes: new filesystems, erased signatures, partition tables, pools.

use super::catalogue::Rule;
use super::deeds::{self, Deed};
use super::filesystem::{Writer, check_written};
use super::options::{Grammar, Options};
use super::place::{Place, Target};
use super::report::{Call, Report};
use super::stdin;
use crate::model::Severity::Danger;
use crate::syntax::{Stdin, Word};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("disk.raw-write", Danger, "Write onto a block device", "dd if=x of=/dev/sda",
        "dd if=/dev/sda of=x.img"),
    Rule::new("disk.format", Danger, "New filesystem or erased signatures",
        "mkfs.ext4 -L lsblk /dev/sdb1", "wipefs /dev/sdb"),
    Rule::new("disk.partition", Danger, "Partition table changed", "sgdisk -o /dev/sda",
        "fdisk -l"),
    Rule::new("disk.volume", Danger, "Volume, pool, subvolume or array removed",
        "zfs destroy -r tank/home", "zfs destroy -nv tank/home@x"),
];

const FORMAT: &str = "disk.format";
const PARTITION: &str = "disk.partition";
const VOLUME: &str = "disk.volume";

#[rustfmt::skip]
const DEEDS: &[Deed] = &[
    Deed::new("wipefs", "", Danger, FORMAT, "erases the filesystem signatures of a disk")
        .with("-a --all -o --offset").unless("-n --no-act"),
    Deed::new("blkdiscard", "", Danger, FORMAT, "discards every block of a disk").on_operand(),
    Deed::new("hdparm", "", Danger, FORMAT, "erases the disk")
        .with("--security-erase --security-erase-enhanced --trim-sector-ranges --write-sector \
            --repair-sector --sanitize-block-erase --sanitize-crypto-scramble \
            --sanitize-overwrite"),
    Deed::new("nvme", "format|sanitize", Danger, FORMAT, "erases the disk"),
    Deed::new("nvme", "delete-ns", Danger, PARTITION, "deletes a namespace of the disk"),
    Deed::new("cryptsetup", "^luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt",
        Danger, FORMAT, "destroys the encrypted volume's data or the keys that open it"),
    Deed::new("diskutil", "eraseDisk|eraseVolume|secureErase|zeroDisk|randomDisk|reformat", Danger,
        FORMAT, "erases the disk"),
    Deed::new("diskutil", "partitionDisk|splitPartition|mergePartitions", Danger, PARTITION,
        "replaces the partition table"),
    Deed::new("diskutil",
        "apfs|ap|cs|coreStorage|appleRAID delete|deleteContainer|deleteVolume|eraseVolume", Danger,
        VOLUME, "deletes a container or volume"),
    Deed::new("mformat", "", Danger, FORMAT, "makes a new filesystem: what was on the disk is lost")
        .on_operand(),
    Deed::new("sg_format|sg_sanitize", "", Danger, FORMAT, "formats the disk").on_operand(),
    Deed::new("badblocks", "", Danger, FORMAT, "overwrites the disk with test patterns").with("-w"),
    Deed::new("debugfs", "", Danger, "disk.raw-write",
        "writes into a filesystem from under the system that uses it").with("-w"),
    Deed::new("fastboot", "erase|format|flashall", Danger, FORMAT, "erases the device's storage"),
    Deed::new("fastboot", "^flashing|oem unlock|lock", Danger, FORMAT,
        "erases the device's storage"),
    Deed::new("fastboot", "", Danger, FORMAT, "erases the device's storage").with("-w"),
    Deed::new("flashrom", "", Danger, FORMAT, "overwrites the firmware")
        .with("-w --write -E --erase"),
    Deed::new("sgdisk", "", Danger, PARTITION, "changes the partition table")
        .with("-o --clear -z --zap -Z --zap-all -d --delete -l --load-backup")
        .unless("-P --pretend"),
    Deed::new("parted", "^mklabel|mktable|rm|mkpart|resizepart|mkpartfs", Danger, PARTITION,
        "changes the partition table"),
    Deed::new("pvremove|vgremove|lvremove|vgreduce|lvreduce", "", Danger, VOLUME,
        "removes a volume and its data").unless("-t --test").on_operand(),
    Deed::new("zfs", "destroy|rollback", Danger, VOLUME,
        "destroys a dataset, snapshot or what is newer than it").unless("-n"),
    Deed::new("zpool", "destroy|labelclear|detach|remove", Danger, VOLUME,
        "destroys the pool or takes a disk out of it").unless("-n"),
    Deed::new("zpool", "create|add", Danger, FORMAT,
        "overwrites the disks that become part of the pool").with("-f"),
    Deed::new("pvcreate", "", Danger, FORMAT, "overwrites the disk's signatures")
        .with("-f --force -y --yes"),
    Deed::new("mdadm", "", Danger, FORMAT, "overwrites the disks that become part of the array")
        .with("--create -C"),
    Deed::new("fdformat|flash_erase|flash_eraseall|nandwrite|flashcp", "", Danger, FORMAT,
        "overwrites the medium").on_operand(),
    Deed::new("sedutil-cli", "", Danger, FORMAT, "erases the disk")
        .with("--revertTPer --revertNoErase --PSIDrevert \
            --yesIreallywanttoERASEALLmydatausingthePSID --revertLockingSP"),
    Deed::new("gpart", "destroy|delete", Danger, PARTITION, "changes the partition table"),
    Deed::new("qemu-img", "^snapshot", Danger, VOLUME, "deletes a snapshot or what is newer")
        .with("-d -a"),
    Deed::new("efibootmgr", "", Danger, PARTITION, "deletes a boot entry")
        .with("-B --delete-bootnum"),
    Deed::new("stratis", "pool|filesystem|fs destroy", Danger, VOLUME,
        "destroys the pool or filesystem"),
    Deed::new("ceph", "osd purge|destroy|rm|out", Danger, VOLUME,
        "takes a storage daemon and its data away"),
    Deed::new("ceph", "osd pool delete|rm", Danger, VOLUME, "deletes the pool"),
    Deed::new("ceph", "fs rm|fail", Danger, VOLUME, "removes the filesystem"),
    Deed::new("rbd", "rm|remove", Danger, VOLUME, "deletes the image"),
    Deed::new("rbd", "snap rm|purge|rollback", Danger, VOLUME,
        "deletes snapshots or what is newer"),
    Deed::new("gluster", "volume delete|stop|reset", Danger, VOLUME, "takes the volume away"),
    Deed::new("drbdadm", "wipe-md|invalidate", Danger, VOLUME, "discards the replicated data"),
    Deed::new("btrfs", "subvolume|sub|su delete|del", Danger, VOLUME, "deletes the subvolume"),
    Deed::new("btrfs", "device|dev remove|delete", Danger, VOLUME,
        "removes a disk from the filesystem"),
    Deed::new("mdadm", "", Danger, VOLUME, "takes the array or one of its disks away")
        .with("--zero-superblock --stop -S --remove -r --fail -f"),
    Deed::new("dmsetup", "remove|remove_all|wipe_table|clear", Danger, VOLUME,
        "removes the mapped volume"),
];

const GRAMMAR: Grammar = Grammar {
    short_values: "",
    long_values: "user-master table label type force-size",
    ..Grammar::PLAIN
};

/// The tools whose options or subcommands tell.
pub(super) fn tools(call: &Call<'_>, report: &mut Report) {
    let grammar = match call.name {
        // Tools whose `-o`, `-d`, `-l` take values.
        "sgdisk" => Grammar {
            short_values: "dltncA",
            ..GRAMMAR
        },
        "wipefs" => Grammar {
            short_values: "ot",
            ..GRAMMAR
        },
        _ => GRAMMAR,
    };
    // `parted /dev/sda -- mklabel gpt`: what follows the dashes is still its commands.
    let is_dashes = |word: &Word| word.literal().as_deref() == Some("--");
    if call.name == "parted" && call.args.iter().any(is_dashes) {
        let args: Vec<Word> = call
            .args
            .iter()
            .filter(|word| !is_dashes(word))
            .cloned()
            .collect();
        let call = Call {
            args: &args,
            ..*call
        };
        deeds::apply(&call, DEEDS, &grammar, "", report);
        return;
    }
    deeds::apply(call, DEEDS, &grammar, "", report);
}

/// `mkfs`, `mkfs.*`, `mke2fs`, `mkswap`, `newfs`: dangerous on a device, everyday on an image file.
pub(super) fn make_filesystem(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: if call.name.ends_with("btrfs") || call.name.ends_with("xfs") {
            "Lbdilmnprst"
        } else {
            "LbCdeEFgGiIJlmMNoOrRtTUV"
        },
        long_values: "label uuid type",
        ..Grammar::PLAIN
    };
    // Only the ext family has a dry run, and only mke2fs itself forces with a bare -F.
    let ext = ["ext2", "ext3", "ext4", "mke2fs"]
        .iter()
        .any(|name| call.name.ends_with(name));
    let grammar = if ext {
        Grammar {
            short_values: "LbCdeEgGiIJlmMNoOrTUt",
            ..grammar
        }
    } else {
        grammar
    };
    let options = Options::parse(&grammar, call.args);
    let dry = ext && options.short('n') || call.name.ends_with("xfs") && options.short('N');
    if options.asks_for_help() || dry {
        return;
    }
    let device = options.operands.iter().find(|word| {
        matches!(
            Target::of(word, call.cwd()).place,
            Place::Device | Place::Unknown | Place::System
        )
    });
    let value_device = options
        .given
        .iter()
        .filter_map(|option| option.value.as_deref())
        .find(|value| Target::of_text(value, None).place == Place::Device);
    let shown = device
        .map(|word| word.shown())
        .or_else(|| value_device.map(str::to_owned));
    if let Some(shown) = shown {
        report.add(
            FORMAT,
            Danger,
            format!("makes a new filesystem on {shown}: everything there is lost"),
            call.span(),
        );
    }
}

/// `fdisk`, `sfdisk`, `gdisk`: the commands come on standard input.
pub(super) fn partition_editor(call: &Call<'_>, report: &mut Report) {
    let grammar = Grammar {
        short_values: "boNCHSAst",
        ..Grammar::PLAIN
    };
    let options = Options::parse(&grammar, call.args);
    let reads_only = "-l --list -d --dump -J --json -s --show-size -n --no-act -V --verify -T \
        --list-types -x --list-details -g --show-geometry";
    if options.asks_for_help() {
        return;
    }
    let changes = match call.name {
        "sfdisk" => {
            let told = options.any_of(
                "--delete --wipe --part-type --part-uuid --disk-id --move-data --reorder -A \
                    --activate -r -N",
            );
            let fed = !matches!(call.invocation().stdin, Stdin::Inherited)
                && !options.operands.is_empty();
            (told || fed) && !options.any_of(reads_only)
        }
        _ => {
            let orders = |text: String| {
                text.split(['\n', ' '])
                    .any(|order| order.trim_matches('\'') == "w")
            };
            stdin::text(call).is_some_and(orders) && !options.any_of("-l --list")
        }
    };
    if changes {
        report.add(
            PARTITION,
            Danger,
            "changes the partition table of the disk",
            call.span(),
        );
    }
}

/// `ddrescue`, `qemu-img convert`, `bmaptool copy`: the last operand is written.
pub(super) fn rescue(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&Grammar::PLAIN, call.args);
    let written = if call.name.starts_with("dd") {
        options.operands.get(1)
    } else {
        options.operands.last()
    };
    if let Some(word) = written {
        check_written(
            Writer::new(call, "a disk image"),
            &Target::of(word, call.cwd()),
            &word.shown(),
            report,
        );
    }
}
