//! Compressors, archivers and backup programs.

use crate::endings::row::When::{Flag, Mode, Sub};
use crate::endings::row::{Row, Tool, fail, ok};

const GZIP: &[Row] = &[
    ok(2, "warning", "A warning was given, but the work was done"),
    fail(
        1,
        "trouble",
        "the data is damaged or a file could not be read",
    ),
];

const XZ: &[Row] = &[
    ok(
        2,
        "warning",
        "Something worth a warning happened, but no actual error",
    ),
    fail(1, "trouble", "an error occurred"),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["tar", "gtar"],
        "tar.compare",
        "the archive and the files agree",
        &[
            ok(1, "differ", "Some files differ from the archive"),
            fail(2, "trouble", "a fatal error"),
        ],
    )
    .when(&[Mode("d", &["--compare", "--diff"])]),
    Tool::plain(
        &["tar", "gtar"],
        "tar.create",
        &[
            ok(
                1,
                "changed",
                "Some files changed while they were read, so the copy is not exact",
            ),
            fail(2, "trouble", "a fatal error"),
        ],
    )
    .when(&[Mode(
        "cruA",
        &["--create", "--append", "--update", "--concatenate"],
    )]),
    Tool::plain(
        &["tar", "gtar"],
        "tar",
        &[
            fail(1, "differ", "some files differ"),
            fail(
                2,
                "trouble",
                "a fatal error, such as a missing or damaged archive",
            ),
        ],
    ),
    Tool::plain(
        &[
            "gzip",
            "gunzip",
            "zcat",
            "gzcat",
            "pigz",
            "unpigz",
            "compress",
            "uncompress",
        ],
        "gzip",
        GZIP,
    ),
    Tool::plain(
        &["xz", "unxz", "xzcat", "lzma", "unlzma", "lzcat", "xzless"],
        "xz",
        XZ,
    ),
    Tool::plain(
        &["bzip2", "bunzip2", "bzcat", "lbzip2"],
        "bzip2",
        &[
            fail(
                1,
                "environment",
                "a file is missing, an option is wrong, or reading failed",
            ),
            fail(2, "corrupt", "the compressed file is damaged"),
            fail(3, "internal", "an internal error"),
        ],
    ),
    Tool::plain(
        &["unzip", "zipinfo"],
        "unzip",
        &[
            ok(
                1,
                "warning",
                "Warnings were given, but the work was finished",
            ),
            fail(
                2,
                "format",
                "the archive's format is broken; some work may be done",
            ),
            fail(3, "severe", "a severe error in the archive's format"),
            fail(9, "missing", "no zip file was found"),
            fail(10, "usage", "wrong use"),
            fail(11, "no-match", "no file in the archive matched"),
            fail(50, "full", "the disk is full"),
            fail(51, "end", "the archive ends too early"),
            fail(80, "interrupted", "interrupted by the user"),
            fail(
                81,
                "unsupported",
                "the compression or encryption is not supported",
            ),
            fail(82, "password", "the password is wrong"),
        ],
    ),
    Tool::plain(
        &["zip"],
        "zip",
        &[
            fail(2, "end", "the zip file ends too early"),
            fail(3, "format", "the zip file's structure is broken"),
            fail(10, "temporary", "a temporary file could not be used"),
            fail(11, "read", "reading failed"),
            fail(12, "nothing", "there is nothing to do"),
            fail(13, "missing", "the zip file is missing or empty"),
            fail(14, "write", "writing failed; the disk may be full"),
            fail(15, "create", "the zip file could not be created"),
            fail(16, "usage", "wrong use"),
            fail(18, "open", "a file could not be read"),
        ],
    ),
    Tool::plain(
        &["7z", "7za", "7zr", "7zz", "p7zip"],
        "7z",
        &[
            ok(
                1,
                "warning",
                "A warning that is not fatal, such as a file that was in use",
            ),
            fail(2, "fatal", "a fatal error"),
            fail(7, "usage", "wrong use"),
            fail(8, "memory", "out of memory"),
            fail(255, "stopped", "stopped by the user"),
        ],
    ),
    Tool::plain(
        &["unrar", "rar"],
        "rar",
        &[
            ok(1, "warning", "A warning that is not fatal"),
            fail(2, "fatal", "a fatal error"),
            fail(3, "checksum", "a checksum is wrong; the data is damaged"),
            fail(6, "open", "a file could not be opened"),
            fail(10, "no-match", "no file matched"),
            fail(11, "password", "the password is wrong"),
        ],
    ),
    Tool::plain(
        &["borg"],
        "borg",
        &[
            ok(1, "warning", "It ended normally, but there were warnings"),
            fail(2, "trouble", "an error stopped it"),
        ],
    ),
    Tool::plain(
        &["rsnapshot"],
        "rsnapshot",
        &[
            ok(2, "warning", "It finished, but there were warnings"),
            fail(1, "fatal", "a fatal error"),
        ],
    ),
    Tool::plain(
        &["restic"],
        "restic",
        &[
            fail(1, "fatal", "a fatal error"),
            fail(
                3,
                "partial",
                "the snapshot is incomplete; some files could not be read",
            ),
            fail(10, "missing", "the repository does not exist"),
            fail(11, "locked", "the repository could not be locked"),
            fail(12, "password", "the password is wrong"),
        ],
    ),
    Tool::plain(
        &["rclone"],
        "rclone",
        &[
            ok(9, "nothing", "It succeeded, but no file was transferred"),
            fail(1, "usage", "wrong use"),
            fail(3, "directory", "a directory was not found"),
            fail(4, "file", "a file was not found"),
            fail(5, "temporary", "a temporary error; a retry may help"),
            fail(6, "less-serious", "a less serious error"),
            fail(7, "fatal", "a fatal error"),
            fail(8, "transfer-limit", "the transfer limit was reached"),
            fail(10, "time-limit", "the time limit was reached"),
        ],
    ),
    Tool::query(
        &["gsutil"],
        "gsutil.stat",
        "the object exists",
        &[ok(1, "none", "There is no such object")],
    )
    .when(&[Flag(&["-q"]), Sub(&["stat"])]),
];
