//! Files and directories deleted, emptied, overwritten, moved away or locked.

mod archive;
mod delete;
mod destination;
mod find;
mod other_deletes;
mod overwrite;
mod permissions;
mod redirect;
mod sed;
mod transfer;

pub(super) use archive::{sqlite_shell, tar, zip};
pub(super) use delete::{remove, unlink, wipe};
pub(super) use destination::{Writer, check as check_written};
pub(super) use find::find;
pub(super) use other_deletes::{
    cmake, empty_trash, journal, preprocessor, remove_tree_tool, settings,
};
pub(super) use overwrite::{copy, dd, link, mv, output_option, tee, truncate};
pub(super) use permissions::{change_attributes, change_mode, change_owner};
pub(super) use redirect::{bare, redirects};
pub(super) use sed::sed;
pub(super) use transfer::{lftp, minio, rclone, remote_copy, rsync};

use super::catalogue::Rule;
use crate::model::Severity::{Caution, Danger, Note};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    Rule::new("fs.rm-root", Danger,
        "Recursive delete of a root, a home, a system tree or the whole working tree",
        "rm -rf \"$HOME\"", "rm -rf /tmp/build"),
    Rule::new("fs.rm-recursive", Caution, "Recursive delete of a named tree", "rm -r old_project",
        "rm -rf node_modules"),
    Rule::new("fs.rm-dynamic", Danger, "Recursive delete of a path that is known only when it runs",
        "rm -rf \"$DIR/\"*", "rm -rf \"${TMPDIR:?}/build\""),
    Rule::new("fs.rm-glob", Caution, "Delete of an open-ended set of files",
        "rm -f ~/Downloads/*.md", "rm a.o b.o"),
    Rule::new("fs.rm-protected", Danger, "Delete of a protected file", "rm -f /etc/fstab",
        "rm notes.txt"),
    Rule::new("fs.rm-scoped", Note,
        "Recursive delete in a scratch directory or of a cache, or one that asks",
        "rm -rf /tmp/build", "rmdir /tmp/build"),
    Rule::new("fs.rm-force", Note, "Forced delete of named files", "rm -f notes.txt",
        "rm notes.txt"),
    Rule::new("fs.find-delete", Caution, "Delete of whatever a search or a list yields",
        "find . -delete -name x", "find . -name -delete -print"),
    Rule::new("fs.shred", Danger, "Overwrite that nothing recovers", "shred -u ledger.db",
        "shred --help"),
    Rule::new("fs.truncate", Caution, "File emptied on purpose", "truncate -s 0 data.csv",
        "truncate -s +1G disk.img"),
    Rule::new("fs.self-clobber", Caution, "File overwritten while it is read",
        "jq . a.json > a.json", "jq . a.json > b.json"),
    Rule::new("fs.redirect-protected", Danger, "System, credential or start-up file overwritten",
        "cp x ~/.ssh/authorized_keys", "cat k >> ~/.ssh/known_hosts"),
    Rule::new("fs.mv-clobber", Danger, "Move to nowhere or of a system tree", "mv /etc /tmp/",
        "mv a.rs b.rs"),
    Rule::new("fs.sync-delete", Caution, "Mirror that deletes what the source lacks",
        "rsync -a --delete src/ dst/", "rsync -avn --delete src/ dst/"),
    Rule::new("fs.perms", Danger, "Mode or owner change that cannot be undone", "chmod -R 777 /",
        "chmod +x run.sh"),
    Rule::new("fs.archive-remove", Caution, "Archiver that deletes the originals",
        "tar --remove-files -cf a.tar d", "tar cf a.tar d"),
];
