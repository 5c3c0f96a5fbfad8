//! The tables of known directories and files, and how a path text is looked up in them.

use super::path::{ANY, SOME, UNKNOWN};
use super::{Kind, Place};

#[rustfmt::skip]
const SYSTEM_TREES: &[&str] = &[
    "Applications", "Library", "System", "Users", "Volumes", "bin", "boot", "dev", "etc", "home",
    "lib", "lib32", "lib64", "libx32", "media", "mnt", "nix", "opt", "private", "proc", "root",
    "run", "sbin", "srv", "sys", "usr", "var",
];

/// Below these, a file belongs to the system.
const SYSTEM_FILES: &[&str] = &[
    "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "sys", "usr",
    "System", "root",
];

#[rustfmt::skip]
const CACHES: &[&str] = &[
    "node_modules", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox",
    ".next", ".nuxt", ".turbo", ".parcel-cache",
];

const HOME_TREES: &[&str] = &[
    ".aws",
    ".config",
    ".gnupg",
    ".kube",
    ".local",
    ".ssh",
    "Desktop",
    "Documents",
    "Downloads",
    "Library",
    "Movies",
    "Music",
    "Pictures",
    "Videos",
];

#[rustfmt::skip]
const STARTUP_FILES: &[&str] = &[
    ".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".cshrc", ".gitconfig", ".kshrc",
    ".login", ".profile", ".tcshrc", ".vimrc", ".xinitrc", ".xprofile", ".xsession", ".zlogin",
    ".zprofile", ".zshenv", ".zshrc", "config.fish",
];

#[rustfmt::skip]
const CREDENTIAL_FILES: &[&str] = &[
    ".env", ".git-credentials", ".htpasswd", ".my.cnf", ".netrc", ".npmrc", ".pgpass", ".pypirc",
    ".vault-token", "authorized_keys", "id_dsa", "id_ecdsa", "id_ed25519", "id_rsa",
];

/// Directories of keys and credentials.
#[rustfmt::skip]
pub(super) const CREDENTIAL_TREES: &[&str] = &[
    ".aws", ".docker", ".gnupg", ".kube", ".password-store", ".ssh",
];

const CREDENTIAL_ENDINGS: &[&str] = &[".jks", ".kdbx", ".key", ".p12", ".pem", ".pfx", ".keystore"];

const STATE_ENDINGS: &[&str] = &[".tfstate", ".tfstate.backup"];

const DATABASE_ENDINGS: &[&str] = &[
    ".accdb", ".db", ".db3", ".frm", ".ibd", ".ldf", ".mdb", ".mdf", ".rdb", ".realm", ".sqlite",
    ".sqlite3",
];

const SCRATCH: &[&str] = &[
    "/tmp",
    "/var/tmp",
    "/private/tmp",
    "/private/var/tmp",
    "/dev/shm",
];

/// Whether this is the name of a tool-made cache.
pub(in crate::rules) fn is_cache_name(name: &str) -> bool {
    CACHES.contains(&name)
}

/// The place that a path text with marks names.
pub(super) fn place(path: &str) -> Place {
    if path.is_empty() {
        return Place::Plain;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let last = parts.last().copied().unwrap_or_default();
    let everything = last == "\u{e000}" || last == ".\u{e000}";
    if let Some(device) = path.strip_prefix("/dev/") {
        return device_place(device);
    }
    let scratch = SCRATCH.iter().any(|tree| {
        path.strip_prefix(tree)
            .is_some_and(|rest| rest.starts_with('/'))
    });
    if scratch {
        return if path.contains(UNKNOWN) {
            Place::Unknown
        } else {
            Place::Temporary
        };
    }
    if is_root(path, &parts) {
        return Place::Root;
    }
    if path.contains(UNKNOWN) {
        return Place::Unknown;
    }
    let named = if everything {
        parts.iter().rev().nth(1).copied().unwrap_or_default()
    } else {
        last
    };
    if is_cache_name(named) {
        return Place::Cache;
    }
    if let Some(kind) = precious(&parts, last, path.starts_with('~')) {
        return Place::Precious(kind);
    }
    let system = path.starts_with('/')
        && parts
            .first()
            .is_some_and(|first| SYSTEM_FILES.contains(first))
        || path.starts_with("/var/lib/")
        || path.starts_with("/var/log/")
        || path.starts_with("/var/spool/")
        || windows_parts(&parts).is_some_and(|rest| {
            rest.first()
                .is_some_and(|first| first.to_ascii_lowercase().starts_with("windows"))
        });
    if system { Place::System } else { Place::Plain }
}

fn device_place(device: &str) -> Place {
    const DISKS: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "mapper/", "disk", "rdisk", "loop",
        "sr", "fd0", "nbd", "zd", "mtd", "ram", "sg", "zvol/", "bcache",
    ];
    const STREAMS: &[&str] = &[
        "null", "zero", "full", "random", "urandom", "tty", "pts/", "fd/", "std", "tcp/", "udp/",
        "console", "shm", "kmsg", "log", "ptmx",
    ];
    let begins = |names: &[&str]| names.iter().any(|name| device.starts_with(name));
    match () {
        () if device.starts_with("shm/") => Place::Temporary,
        () if begins(STREAMS) => Place::Nowhere,
        () if begins(DISKS) || device.starts_with([ANY, SOME, UNKNOWN]) => Place::Device,
        () => Place::System,
    }
}

/// The parts after a drive letter, `C:` or (Git Bash) `/c`.
fn windows_parts<'a>(parts: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let (drive, rest) = parts.split_first()?;
    let bytes = drive.as_bytes();
    let drive = bytes.len() == 2 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic();
    drive.then_some(rest)
}

fn is_root(path: &str, parts: &[&str]) -> bool {
    // `x/*`, `x/.*` and `x` lose the same.
    let whole =
        |part: &str| part == "\u{e000}" || part == ".\u{e000}" || part == "\u{e000}\u{e000}";
    let parts = match parts.split_last() {
        Some((last, rest)) if whole(last) => rest,
        _ => parts,
    };
    let Some(&first) = parts.first() else {
        return true;
    };
    if parts.iter().all(|part| matches!(*part, "." | "..")) || parts.last() == Some(&".git") {
        return true;
    }
    if let Some(rest) = windows_parts(parts) {
        return match rest {
            [] => true,
            [tree] => [
                "windows",
                "users",
                "program files",
                "program files (x86)",
                "programdata",
            ]
            .contains(&tree.to_ascii_lowercase().as_str()),
            [tree, _] => tree.eq_ignore_ascii_case("users"),
            _ => false,
        };
    }
    if first.starts_with('~') {
        return match parts {
            [_] => true,
            [_, tree] => HOME_TREES.contains(tree),
            _ => false,
        };
    }
    if !path.starts_with('/') {
        return false;
    }
    match parts {
        [tree] => {
            SYSTEM_TREES.contains(tree)
                || (tree.len() == 1 && tree.as_bytes()[0].is_ascii_alphabetic())
        }
        ["home" | "Users", _] => true,
        ["usr", tree] => [
            "bin", "lib", "lib64", "local", "sbin", "share", "include", "libexec",
        ]
        .contains(tree),
        ["var", tree] => ["lib", "spool"].contains(tree),
        ["private", tree] => ["etc", "var"].contains(tree),
        [drive, "Users", ..] if drive.len() == 1 => parts.len() <= 3,
        _ => false,
    }
}

fn precious(parts: &[&str], last: &str, in_home: bool) -> Option<Kind> {
    let inside = |tree: &str| parts.iter().rev().skip(1).any(|part| *part == tree);
    // Lock files are left over by programs that died.
    if inside(".git") && !last.ends_with(".lock") {
        return Some(Kind::Repository);
    }
    if CREDENTIAL_TREES.iter().any(|tree| inside(tree)) {
        // Lists of known hosts come back by themselves.
        return (last != "known_hosts").then_some(Kind::Credential);
    }
    if CREDENTIAL_FILES.contains(&last) || ends_with(last, CREDENTIAL_ENDINGS) {
        return Some(Kind::Credential);
    }
    if STARTUP_FILES.contains(&last) && (in_home || parts.len() > 1 || last.starts_with('.')) {
        return Some(Kind::Startup);
    }
    if ends_with(last, STATE_ENDINGS) {
        return Some(Kind::State);
    }
    ends_with(last, DATABASE_ENDINGS).then_some(Kind::Database)
}

fn ends_with(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}
