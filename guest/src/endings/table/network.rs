//! Network clients and probes.

use crate::endings::row::When::{Flag, Windows};
use crate::endings::row::{Row, Tool, fail, ok};

/// curl(1), section "EXIT CODES".
const CURL: &[Row] = &[
    fail(1, "protocol", "the protocol is not supported"),
    fail(2, "init", "curl could not start with these options"),
    fail(3, "url", "the URL is malformed"),
    fail(4, "feature", "this curl was built without a needed feature"),
    fail(5, "proxy-name", "the proxy's name could not be resolved"),
    fail(6, "name", "the host's name could not be resolved"),
    fail(7, "connect", "could not connect to the host"),
    fail(8, "reply", "the server's reply was not understood"),
    fail(9, "denied", "the server denied access to the resource"),
    fail(16, "http2", "a problem in the HTTP/2 layer"),
    fail(18, "partial", "only a part of the file was transferred"),
    fail(
        22,
        "http",
        "the server answered with HTTP status 400 or above",
    ),
    fail(23, "write", "the local file could not be written"),
    fail(25, "upload", "the upload could not start"),
    fail(26, "read", "a local file could not be read"),
    fail(27, "memory", "out of memory"),
    fail(28, "timeout", "the operation timed out"),
    fail(33, "range", "the server does not support ranges"),
    fail(34, "post", "an internal post request failed"),
    fail(35, "tls", "the TLS handshake failed"),
    fail(37, "file", "the local file could not be read"),
    fail(42, "aborted", "aborted by a callback"),
    fail(43, "internal", "an internal error"),
    fail(45, "interface", "the outgoing interface cannot be used"),
    fail(47, "redirects", "too many redirects"),
    fail(48, "option", "an option is unknown"),
    fail(
        51,
        "peer",
        "the server's certificate or key is not acceptable",
    ),
    fail(52, "empty", "the server sent nothing"),
    fail(53, "engine", "the TLS engine was not found"),
    fail(54, "engine", "the TLS engine could not be used"),
    fail(55, "send", "sending data failed"),
    fail(56, "receive", "receiving data failed"),
    fail(
        58,
        "client-certificate",
        "a problem with the local certificate",
    ),
    fail(59, "cipher", "the TLS cipher could not be used"),
    fail(
        60,
        "certificate",
        "the server's certificate could not be verified",
    ),
    fail(61, "encoding", "the transfer encoding is unknown"),
    fail(63, "size", "the file is larger than allowed"),
    fail(65, "rewind", "the data could not be sent again"),
    fail(66, "engine", "the TLS engine could not be started"),
    fail(67, "login", "the server refused the login"),
    fail(70, "full", "the server's disk is full"),
    fail(73, "exists", "the remote file exists already"),
    fail(77, "ca", "the CA certificates could not be read"),
    fail(78, "missing", "the resource does not exist"),
    fail(79, "ssh", "the SSH session failed"),
    fail(80, "shutdown", "the TLS connection could not be closed"),
    fail(
        82,
        "crl",
        "the certificate revocation list could not be read",
    ),
    fail(83, "issuer", "the certificate's issuer check failed"),
    fail(
        90,
        "pin",
        "the server's public key does not match the pinned one",
    ),
    fail(91, "status", "the server's certificate status is not valid"),
    fail(92, "stream", "an error in the HTTP/2 stream"),
    fail(94, "authentication", "an authentication function failed"),
    fail(95, "http3", "a problem in the HTTP/3 layer"),
    fail(96, "quic", "the QUIC connection failed"),
    fail(97, "proxy", "the proxy handshake failed"),
    fail(98, "client-certificate", "a client certificate is needed"),
];

const WGET: &[Row] = &[
    fail(1, "generic", "an error without a code of its own"),
    fail(
        2,
        "usage",
        "the options or the configuration could not be parsed",
    ),
    fail(3, "file", "a local file could not be written"),
    fail(4, "network", "the network failed"),
    fail(5, "tls", "the server's certificate could not be verified"),
    fail(6, "login", "the server refused the login"),
    fail(7, "protocol", "a protocol error"),
    fail(8, "http", "the server answered with an error"),
];

const NO_REPLY: Row = ok(1, "no-reply", "The host did not reply");

pub(super) const TOOLS: &[Tool] = &[
    Tool::plain(&["curl"], "curl", CURL),
    Tool::plain(&["wget", "wget2"], "wget", WGET),
    Tool::plain(
        &["http", "https", "xh", "xhs"],
        "httpie",
        &[
            fail(2, "timeout", "the request timed out"),
            fail(3, "redirect", "the server answered with a redirect (3xx)"),
            fail(4, "client", "the server answered with a client error (4xx)"),
            fail(5, "server", "the server answered with a server error (5xx)"),
            fail(6, "redirects", "too many redirects"),
            fail(7, "plugin", "a plugin failed"),
        ],
    ),
    Tool::plain(
        &["aria2c"],
        "aria2c",
        &[
            fail(1, "unknown", "an unknown error"),
            fail(2, "timeout", "it timed out"),
            fail(3, "missing", "the resource was not found"),
            fail(6, "network", "the network failed"),
            fail(7, "unfinished", "some downloads are unfinished"),
            fail(9, "full", "the disk is full"),
            fail(19, "name", "the host's name could not be resolved"),
            fail(22, "http", "the server's answer was bad or unexpected"),
            fail(24, "login", "the server refused the login"),
        ],
    ),
    Tool::query(
        &["ping", "ping6"],
        "ping.windows",
        "the host replied",
        &[NO_REPLY],
    )
    .when(&[Windows]),
    Tool::query(
        &["ping", "ping4", "ping6"],
        "ping",
        "the host replied",
        &[
            NO_REPLY,
            fail(
                2,
                "trouble",
                "the host's name could not be resolved, or another error",
            ),
            fail(64, "usage", "wrong use"),
            fail(68, "name", "the host's name could not be resolved"),
        ],
    ),
    Tool::query(
        &["fping"],
        "fping",
        "all hosts replied",
        &[
            ok(1, "no-reply", "Some hosts did not reply"),
            fail(2, "name", "some names could not be resolved"),
            fail(3, "usage", "wrong use"),
            fail(4, "system", "a system call failed"),
        ],
    ),
    Tool::query(
        &["nm-online"],
        "nm-online",
        "the network is up",
        &[
            ok(1, "offline", "The network is not up"),
            fail(2, "trouble", "an error occurred"),
        ],
    ),
    Tool::plain(
        &["nc", "ncat", "netcat"],
        "nc",
        &[fail(
            1,
            "connect",
            "nothing listens there, or the connection failed",
        )],
    )
    .when(&[Flag(&["-z"])]),
    Tool::plain(
        &["nc", "ncat", "netcat", "telnet", "socat"],
        "nc",
        &[fail(1, "connect", "the connection failed")],
    ),
    Tool::plain(
        &["dig", "delv"],
        "dig",
        &[
            fail(1, "usage", "wrong use"),
            fail(8, "batch", "the batch file could not be opened"),
            fail(9, "no-reply", "no server replied"),
            fail(10, "internal", "an internal error"),
        ],
    ),
    Tool::plain(
        &["host", "nslookup"],
        "host",
        &[fail(
            1,
            "none",
            "the name was not found, or no server replied",
        )],
    ),
    Tool::plain(
        &["scp", "sftp", "ssh-copy-id"],
        "scp",
        &[
            fail(1, "copy", "the copy failed"),
            fail(255, "connect", "the connection failed"),
        ],
    ),
    Tool::plain(
        &["ssh-add"],
        "ssh-add",
        &[
            fail(
                1,
                "failed",
                "the request failed, or the agent holds no keys",
            ),
            fail(2, "agent", "the agent cannot be reached"),
        ],
    ),
    Tool::plain(
        &["aws"],
        "aws",
        &[
            fail(1, "transfer", "at least one transfer failed"),
            fail(
                2,
                "usage",
                "the command could not be parsed, or some files were skipped",
            ),
            fail(
                252,
                "syntax",
                "wrong use: the syntax or a parameter is not valid",
            ),
            fail(
                253,
                "configuration",
                "the configuration or the credentials are missing or wrong",
            ),
            fail(254, "service", "the service answered with an error"),
            fail(255, "failed", "the command failed"),
        ],
    ),
    Tool::plain(
        &["az"],
        "az",
        &[
            fail(1, "failed", "the command failed"),
            fail(2, "usage", "wrong use"),
            fail(3, "missing", "the resource does not exist"),
        ],
    ),
    Tool::plain(
        &["gpg", "gpg2", "gpgv"],
        "gpg",
        &[
            fail(1, "bad", "a signature is not valid"),
            fail(2, "trouble", "a fatal error, such as a missing key or file"),
        ],
    ),
];
