//! Tools of Windows.

use crate::endings::row::When::Windows;
use crate::endings::row::{Row, Tool, fail, fail_bits, fail_in, ok, ok_bits, ok_in};

const REBOOT: &[Row] = &[
    ok(3010, "reboot", "It succeeded; a restart is needed"),
    ok(
        1641,
        "rebooting",
        "It succeeded; a restart has been started",
    ),
    fail(1602, "cancelled", "the user cancelled it"),
    fail(1603, "fatal", "a fatal error during the installation"),
    fail(1605, "unknown", "the product is not installed"),
    fail(1618, "busy", "another installation is running"),
    fail(1638, "version", "another version is installed already"),
];

const COPIED: &[(i32, &str)] = &[
    (1, "files were copied"),
    (2, "the target holds extra files"),
    (4, "some files or directories did not match"),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &["findstr"],
        "findstr",
        "a line matched",
        &[
            ok(1, "no-match", "No matches found"),
            fail(2, "syntax", "wrong syntax"),
            fail(255, "trouble", "a file could not be read, or wrong syntax"),
        ],
    ),
    Tool::query(
        &["where"],
        "where",
        "a file was found",
        &[
            ok(1, "none", "No file or command of this name was found"),
            fail(2, "trouble", "it failed"),
        ],
    ),
    Tool::query(
        &["fc", "comp"],
        "fc",
        "the files are equal",
        &[
            ok(1, "differ", "Files differ"),
            fail(2, "missing", "a file was not found"),
            fail(-1, "syntax", "wrong syntax"),
        ],
    ),
    Tool::plain(
        &["robocopy"],
        "robocopy",
        &[
            ok(0, "nothing", "Nothing had to be copied"),
            ok_bits((1, 7), "copied", "Done", COPIED),
            fail_bits(
                (8, 31),
                "failed",
                "not everything could be copied",
                &[
                    (1, "files were copied"),
                    (2, "the target holds extra files"),
                    (4, "some files or directories did not match"),
                    (8, "some files could not be copied"),
                    (16, "a serious error; wrong use or no access"),
                ],
            ),
        ],
    ),
    Tool::plain(
        &["xcopy"],
        "xcopy",
        &[
            fail(1, "none", "no files were found to copy"),
            fail(2, "interrupted", "interrupted by the user"),
            fail(
                4,
                "start",
                "it could not start, as for too little memory or a wrong name",
            ),
            fail(5, "write", "writing to the disk failed"),
        ],
    ),
    Tool::query(
        &["choice"],
        "choice",
        "interrupted",
        &[
            ok_in(
                1,
                254,
                "chosen",
                "The code is the number of the chosen answer",
            ),
            fail(255, "trouble", "the choice failed"),
        ],
    ),
    Tool::plain(&["msiexec", "wusa", "dism", "choco"], "installer", REBOOT),
    Tool::plain(
        &["chkdsk"],
        "chkdsk",
        &[
            ok(1, "corrected", "Errors were found and corrected"),
            fail(2, "cleanup", "a clean-up is needed; run it with /f"),
            fail(
                3,
                "unchecked",
                "the disk could not be checked, or errors are left",
            ),
        ],
    ),
    Tool::plain(
        &["sc"],
        "sc",
        &[
            fail(5, "permission", "access is denied"),
            fail(1056, "running", "the service is running already"),
            fail(1060, "unknown", "there is no such service"),
            fail(1062, "stopped", "the service is not running"),
        ],
    )
    .when(&[Windows]),
    Tool::plain(
        &["reg"],
        "reg",
        &[fail(
            1,
            "failed",
            "the key was not found, or the request failed",
        )],
    ),
    Tool::plain(
        &["taskkill"],
        "taskkill",
        &[
            fail(1, "refused", "the process could not be ended"),
            fail(128, "none", "there is no such process"),
            fail(255, "unended", "the process could not be ended"),
        ],
    ),
    Tool::plain(
        &["schtasks", "net", "netsh", "icacls", "takeown"],
        "windows",
        &[fail_in(1, 2, "failed", "the request failed")],
    ),
];
