//! Tools that search, compare, sort and query text.

use crate::endings::row::When::{Flag, NoFlag, StderrHas, Sub};
use crate::endings::row::{Row, Tool, fail, fail_in, ok};

const GREP: &[Row] = &[
    ok(1, "no-match", "No matches found"),
    fail(
        2,
        "trouble",
        "a file could not be read, or the pattern or an option is not valid",
    ),
];

const DIFF: &[Row] = &[
    ok(1, "differ", "Files differ"),
    fail(
        2,
        "trouble",
        "trouble, such as a missing file or a wrong option",
    ),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool::query(
        &[
            "grep",
            "egrep",
            "fgrep",
            "rgrep",
            "ggrep",
            "gegrep",
            "gfgrep",
            "zgrep",
            "zegrep",
            "zfgrep",
            "bzgrep",
            "bzegrep",
            "bzfgrep",
            "xzgrep",
            "xzegrep",
            "xzfgrep",
            "lzgrep",
            "lzegrep",
            "lzfgrep",
            "lz4grep",
            "zstdgrep",
            "zipgrep",
            "pcregrep",
            "pcre2grep",
            "ugrep",
            "ug",
            "ug+",
            "ugrep+",
            "tre-agrep",
            "agrep",
            "pdfgrep",
        ],
        "grep",
        "a line matched",
        GREP,
    ),
    Tool::query(&["rg", "ripgrep", "rga"], "ripgrep", "a line matched", GREP),
    Tool::query(
        &["ag", "pt", "sift", "csearch", "ucg"],
        "ag",
        "a line matched",
        GREP,
    ),
    Tool::query(
        &["ack", "ack-grep"],
        "ack",
        "a line matched",
        &[
            ok(1, "no-match", "No matches found"),
            fail_in(
                2,
                255,
                "trouble",
                "a file could not be read, or the pattern is not valid",
            ),
        ],
    ),
    Tool::query(
        &["ast-grep", "sg"],
        "ast-grep",
        "code matched",
        &[ok(1, "no-match", "No matches found")],
    )
    .when(&[NoFlag(&["scan", "test"])]),
    Tool::query(
        &["fzf", "sk"],
        "fzf",
        "a line was chosen",
        &[
            ok(1, "no-match", "No matches found"),
            fail(2, "trouble", "it could not run"),
            fail(130, "cancelled", "the choice was cancelled"),
        ],
    ),
    Tool::query(
        &["look"],
        "look",
        "a line begins with the string",
        &[ok(
            1,
            "no-match",
            "No matches found: no line begins with the string",
        )],
    ),
    Tool::query(
        &["diff3"],
        "diff3",
        "the merge has no conflict",
        &[
            fail(1, "conflict", "the merge has conflicts"),
            fail(2, "trouble", "trouble"),
        ],
    )
    .when(&[Flag(&["-m", "--merge"])]),
    Tool::query(
        &["diff3"],
        "diff3",
        "the files were compared",
        &[
            ok(1, "differ", "Files differ, with conflicts"),
            fail(2, "trouble", "trouble"),
        ],
    ),
    Tool::query(
        &[
            "diff",
            "gdiff",
            "colordiff",
            "sdiff",
            "zdiff",
            "bzdiff",
            "xzdiff",
            "lzdiff",
            "lz4diff",
            "wdiff",
            "dwdiff",
            "delta",
            "diffoscope",
            "rcsdiff",
            "ndiff",
            "numdiff",
            "debdiff",
            "hgdiff",
            "jd",
            "json-diff",
            "icdiff",
        ],
        "diff",
        "the files are equal",
        DIFF,
    ),
    Tool::query(&["difft"], "diff", "the files are equal", DIFF).when(&[Flag(&["--exit-code"])]),
    Tool::query(
        &["dyff"],
        "diff",
        "the documents are equal",
        &[
            ok(1, "differ", "The documents differ"),
            fail(255, "trouble", "trouble"),
        ],
    )
    .when(&[Flag(&["-s", "--set-exit-code"])]),
    Tool::query(
        &["cmp", "gcmp", "zcmp", "bzcmp", "xzcmp", "lzcmp"],
        "cmp",
        "the files are equal",
        DIFF,
    ),
    Tool::query(
        &["compare"],
        "compare",
        "the images are similar",
        &[
            ok(1, "differ", "The images differ"),
            fail(2, "trouble", "an image could not be compared"),
        ],
    ),
    Tool::plain(
        &["comm"],
        "comm",
        &[fail(
            1,
            "trouble",
            "an input is not sorted or could not be read",
        )],
    ),
    Tool::plain(
        &["join"],
        "join",
        &[fail(
            1,
            "trouble",
            "an input is not sorted or could not be read",
        )],
    ),
    Tool::query(
        &["sort", "gsort"],
        "sort.check",
        "the input is sorted",
        &[
            ok(1, "unsorted", "The input is not sorted"),
            fail(2, "trouble", "a file could not be read or written"),
        ],
    )
    .when(&[Flag(&["-c", "-C", "--check"])]),
    Tool::plain(
        &["sort", "gsort"],
        "sort",
        &[fail(
            2,
            "trouble",
            "a file could not be read or written, or an option is wrong",
        )],
    ),
    Tool::query(
        &["jq", "gojq", "jaq", "yq"],
        "jq.status",
        "the last value is neither false nor null",
        &[
            ok(1, "falsy", "The last value is false or null"),
            ok(4, "no-value", "No value was produced"),
            fail(2, "usage", "wrong use, or the input could not be read"),
            fail(3, "compile", "the filter does not compile"),
            fail(5, "runtime", "the filter failed at run time"),
        ],
    )
    .when(&[Flag(&["-e", "--exit-status"])]),
    Tool::plain(
        &["jq", "gojq", "jaq"],
        "jq",
        &[
            fail(2, "usage", "wrong use, or the input could not be read"),
            fail(3, "compile", "the filter does not compile"),
            fail(5, "runtime", "the filter failed at run time"),
        ],
    ),
    Tool::plain(
        &["xmllint"],
        "xmllint",
        &[
            ok(11, "empty", "The XPath result is empty"),
            fail(1, "parse", "the document could not be parsed"),
            fail_in(3, 4, "invalid", "the document is not valid"),
            fail(10, "xpath", "the XPath expression failed"),
        ],
    ),
    Tool::plain(
        &["sed", "gsed"],
        "sed",
        &[
            fail(1, "usage", "the script or an option is not valid"),
            fail(2, "missing", "an input file could not be opened"),
            fail(4, "io", "reading or writing failed"),
        ],
    ),
    Tool::plain(
        &["awk", "gawk", "mawk", "nawk"],
        "awk",
        &[fail(
            2,
            "trouble",
            "the program is not valid, or a file could not be read",
        )],
    ),
    Tool::plain(
        &["patch"],
        "patch",
        &[
            fail(1, "rejected", "some hunks could not be applied"),
            fail(2, "trouble", "serious trouble, such as a missing file"),
        ],
    ),
    Tool::query(
        &["expr", "gexpr"],
        "expr",
        "the result is neither null nor zero",
        &[
            ok(1, "zero", "The result is null or zero"),
            fail(2, "syntax", "the expression is not valid"),
            fail(3, "trouble", "an error occurred"),
        ],
    ),
    Tool::query(
        &["xmlstarlet"],
        "xmlstarlet.select",
        "something was selected",
        &[
            ok(1, "none", "Nothing was selected"),
            fail(2, "usage", "wrong use"),
            fail(3, "file", "a file could not be read"),
        ],
    )
    .when(&[Sub(&["sel"])]),
    Tool::query(
        &["whatis", "apropos"],
        "man",
        "a page was found",
        &[ok(16, "none", "No manual page matched")],
    ),
    Tool::query(
        &["man"],
        "man.search",
        "a page matched",
        &[ok(16, "none", "No manual page matched")],
    )
    .when(&[Flag(&["-k", "-f", "--apropos", "--whatis", "-K"])]),
    Tool::plain(
        &["man"],
        "man",
        &[fail(16, "none", "there is no such manual page")],
    ),
    Tool::query(
        &["getopt"],
        "getopt",
        "it is the traditional version",
        &[ok(4, "enhanced", "It is the enhanced version")],
    )
    .when(&[Flag(&["-T", "--test"])]),
    Tool::plain(
        &["cat", "head", "tail", "wc"],
        "read",
        &[fail(1, "missing", "no such file")],
    )
    .when(&[StderrHas("No such file or directory")]),
    Tool::plain(
        &["base64", "base32", "basenc"],
        "base64",
        &[fail(1, "invalid", "the input is not valid")],
    )
    .when(&[Flag(&["-d", "-D", "--decode"])]),
    Tool::query(
        &["ssh-keygen"],
        "ssh-keygen",
        "the host is known",
        &[ok(1, "unknown", "The host is not in the file")],
    )
    .when(&[Flag(&["-F"])]),
    Tool::query(
        &["openssl"],
        "openssl.checkend",
        "the certificate stays valid within that time",
        &[ok(1, "expires", "The certificate expires within that time")],
    )
    .when(&[Sub(&["x509"]), Flag(&["-checkend"])]),
    Tool::plain(
        &["openssl"],
        "openssl.verify",
        &[fail_in(
            1,
            2,
            "unverified",
            "the certificate could not be verified",
        )],
    )
    .when(&[Sub(&["verify"])]),
];
