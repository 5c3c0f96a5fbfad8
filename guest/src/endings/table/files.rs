//! Files, directories, file systems and disks.

use crate::endings::row::When::{Flag, StderrHas, StderrOnly, Sub, Windows};
use crate::endings::row::{Row, Tool, fail, fail_bits, ok, ok_in};

const FSCK: &[Row] = &[
    ok(
        1,
        "corrected",
        "File system errors were found and corrected",
    ),
    ok_in(
        2,
        3,
        "reboot",
        "File system errors were corrected; the system should be rebooted",
    ),
    fail_bits(
        (4, 255),
        "errors",
        "the check reported",
        &[
            (1, "errors corrected"),
            (2, "a reboot is needed"),
            (4, "errors left uncorrected"),
            (8, "an operational error"),
            (16, "wrong use"),
            (32, "cancelled"),
            (128, "a shared library error"),
        ],
    ),
];

pub(super) const TOOLS: &[Tool] = &[
    // Windows has another program of this name, which searches text.
    Tool::query(
        &["find"],
        "find.windows",
        "a line matched",
        &[
            ok(1, "no-match", "No matches found"),
            fail(2, "trouble", "wrong use"),
        ],
    )
    .when(&[Windows]),
    // GNU find returns 1 for every failure; only stderr tells which.
    Tool::query(
        &["find", "gfind", "bfs"],
        "find",
        "the search was complete",
        &[ok(1, "inaccessible", "Some directories were inaccessible")],
    )
    .when(&[StderrOnly(&[
        "Permission denied",
        "Operation not permitted",
    ])]),
    Tool::plain(
        &["find", "gfind", "bfs"],
        "find",
        &[fail(1, "missing", "a start point or a file does not exist")],
    )
    .when(&[StderrHas("No such file or directory")]),
    Tool::plain(
        &["find", "gfind", "bfs"],
        "find",
        &[fail(
            1,
            "trouble",
            "the expression is not valid, or an error occurred",
        )],
    ),
    Tool::query(
        &["fd", "fdfind"],
        "fd",
        "something was found",
        &[ok(1, "none", "No matches found")],
    )
    .when(&[Flag(&["-q", "--quiet", "--has-results"])]),
    Tool::plain(
        &["locate", "plocate", "mlocate", "slocate"],
        "locate",
        &[fail(1, "none", "nothing matched, or an error occurred")],
    ),
    Tool::plain(
        &["ls", "gls", "dir", "vdir"],
        "ls",
        &[
            fail(
                1,
                "minor",
                "minor trouble, such as a subdirectory that could not be read",
            ),
            fail(
                2,
                "missing",
                "an argument could not be read; it may not exist",
            ),
        ],
    ),
    Tool::plain(
        &["cp", "gcp"],
        "cp",
        &[fail(1, "copy", "not everything could be copied")],
    ),
    Tool::plain(
        &["mv", "gmv"],
        "mv",
        &[fail(1, "move", "not everything could be moved")],
    ),
    Tool::plain(
        &["rm", "grm"],
        "rm",
        &[fail(1, "remove", "not everything could be removed")],
    ),
    Tool::plain(
        &["mkdir", "gmkdir"],
        "mkdir",
        &[fail(
            1,
            "create",
            "a directory could not be made; it may exist already",
        )],
    ),
    Tool::plain(
        &["rmdir"],
        "rmdir",
        &[fail(1, "remove", "a directory could not be removed")],
    ),
    Tool::plain(
        &["readlink", "greadlink"],
        "readlink",
        &[fail(
            1,
            "none",
            "the path is no symbolic link or does not exist",
        )],
    ),
    Tool::plain(
        &["rsync"],
        "rsync",
        &[
            ok(
                24,
                "vanished",
                "Some source files vanished during the transfer; the rest was copied",
            ),
            fail(1, "usage", "wrong use"),
            fail(
                2,
                "protocol",
                "the two sides speak different protocol versions",
            ),
            fail(
                3,
                "selection",
                "an input or output file or directory could not be chosen",
            ),
            fail(4, "unsupported", "the requested action is not supported"),
            fail(
                5,
                "start",
                "the client-server protocol could not be started",
            ),
            fail(6, "log", "the daemon could not write its log"),
            fail(10, "socket", "a socket failed"),
            fail(11, "file", "a file could not be read or written"),
            fail(12, "stream", "the protocol data stream is broken"),
            fail(13, "diagnostics", "the program's diagnostics failed"),
            fail(14, "ipc", "the two processes could not talk to each other"),
            fail(20, "interrupted", "it was interrupted by a signal"),
            fail(21, "waitpid", "waiting for a child failed"),
            fail(22, "memory", "out of memory"),
            fail(23, "partial", "partial transfer because of an error"),
            fail(25, "limit", "the limit of deletions was reached"),
            fail(30, "timeout", "sending or receiving timed out"),
            fail(35, "connect-timeout", "connecting to the daemon timed out"),
            fail(255, "shell", "the remote shell failed"),
        ],
    ),
    Tool::plain(
        &[
            "fsck",
            "e2fsck",
            "fsck.ext2",
            "fsck.ext3",
            "fsck.ext4",
            "fsck.vfat",
            "fsck.fat",
            "dosfsck",
            "fsck.exfat",
            "fsck.f2fs",
            "fsck.minix",
            "fsck.cramfs",
        ],
        "fsck",
        FSCK,
    ),
    Tool::gate(
        &["xfs_repair"],
        "xfs_repair",
        &[
            fail(1, "corrupt", "the file system is damaged"),
            fail(2, "dirty", "the log is dirty; mount the file system first"),
        ],
    ),
    Tool::plain(
        &["mount", "umount"],
        "mount",
        &[fail_bits(
            (1, 127),
            "failed",
            "the manual's reasons are",
            &[
                (1, "wrong use or no permission"),
                (2, "a system error"),
                (4, "an internal bug"),
                (8, "interrupted by the user"),
                (16, "mtab could not be written"),
                (32, "mounting or unmounting failed"),
                (64, "some of several succeeded"),
            ],
        )],
    ),
    Tool::query(
        &["mountpoint"],
        "mountpoint",
        "the path is a mount point",
        &[
            ok(32, "none", "The path is not a mount point"),
            fail(1, "trouble", "the path could not be checked"),
        ],
    ),
    Tool::plain(
        &["findmnt"],
        "findmnt",
        &[fail(1, "none", "nothing matched, or an error occurred")],
    ),
    Tool::query(
        &["blkid"],
        "blkid",
        "a device was found",
        &[
            ok(2, "none", "No device matched, or none could be identified"),
            fail(4, "usage", "wrong use"),
            fail(8, "ambivalent", "the result is not unique"),
        ],
    ),
    Tool::plain(
        &["lsblk"],
        "lsblk",
        &[
            fail(32, "none", "none of the devices was found"),
            fail(64, "some", "only some of the devices were found"),
        ],
    ),
    Tool::query(
        &["cryptsetup"],
        "cryptsetup.isluks",
        "the device is a LUKS device",
        &[
            ok(1, "no", "The device is no LUKS device"),
            fail(4, "device", "wrong device"),
        ],
    )
    .when(&[Sub(&["isLuks"])]),
    Tool::plain(
        &["cryptsetup"],
        "cryptsetup",
        &[
            fail(1, "usage", "wrong parameters"),
            fail(2, "passphrase", "no permission; the passphrase is wrong"),
            fail(3, "memory", "out of memory"),
            fail(4, "device", "wrong device"),
            fail(5, "busy", "the device exists already or is busy"),
        ],
    ),
    Tool::plain(
        &["smartctl"],
        "smartctl",
        &[fail_bits(
            (1, 255),
            "report",
            "the report says",
            &[
                (1, "wrong use"),
                (2, "the device could not be opened"),
                (4, "a command to the disk failed"),
                (8, "the disk is failing"),
                (16, "attributes are below the threshold"),
                (32, "attributes were below the threshold in the past"),
                (64, "the error log holds errors"),
                (128, "the self-test log holds errors"),
            ],
        )],
    ),
    Tool::gate(
        &[
            "md5sum",
            "sha1sum",
            "sha224sum",
            "sha256sum",
            "sha384sum",
            "sha512sum",
            "b2sum",
            "cksum",
            "shasum",
        ],
        "checksum",
        &[fail(
            1,
            "mismatch",
            "a checksum did not match, or a file could not be read",
        )],
    )
    .when(&[Flag(&["-c", "--check"])]),
    Tool::gate(
        &["aide"],
        "aide",
        &[fail_bits(
            (1, 7),
            "changes",
            "the file tree changed",
            &[
                (1, "files were added"),
                (2, "files were removed"),
                (4, "files were changed"),
            ],
        )],
    ),
    Tool::gate(
        &["clamscan", "clamdscan"],
        "clamscan",
        &[
            fail(1, "infected", "malware was found (the scan itself ran)"),
            fail(2, "trouble", "the scan could not run"),
        ],
    ),
    Tool::plain(
        &["lsof"],
        "lsof",
        &[fail(1, "none", "nothing matched, or lsof failed")],
    ),
];
