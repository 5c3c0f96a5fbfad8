//! Programs that bring text from elsewhere, and the files that they save it as.

use crate::model::Dialect;
use crate::rules::options::{Grammar, Options};
use crate::rules::place::Target;
use crate::syntax::{Invocation, RedirectKind, Unfolded, Word};

/// How `curl` takes its options.
pub(in crate::rules) const CURL: Grammar = Grammar {
    short_values: "oXdHAuebcFTKwmxYyCrzQPEDt",
    long_values: "output request data data-raw data-binary data-urlencode json header user-agent \
        user referer cookie cookie-jar form upload-file config write-out max-time proxy retry \
        retry-delay connect-timeout cacert cert key resolve range url interface limit-rate \
        dump-header output-dir",
    ..Grammar::PLAIN
};

/// How `wget` takes its options.
pub(in crate::rules) const WGET: Grammar = Grammar {
    short_values: "OoaieBtTwQPUDIXlARY",
    long_values: "output-document output-file append-output input-file tries timeout wait quota \
        directory-prefix user-agent header post-data post-file user password method body-data",
    ..Grammar::PLAIN
};

/// Programs that bring text from elsewhere.
#[rustfmt::skip]
const FETCHERS: &[&str] = &[
    "curl", "wget", "fetch", "nc", "ncat", "netcat", "socat", "http", "https", "httpie", "xh",
    "xhs", "curlie", "lynx", "w3m", "links", "aria2c", "axel", "ftp", "tftp", "lftp", "scp",
    "openssl", "history", "gsutil", "s5cmd", "aws", "ipfs", "telnet", "dig", "nslookup", "xclip",
    "xsel", "pbpaste", "wl-paste", "get", "lwp-request", "gh", "iwr", "irm", "invoke-webrequest",
    "invoke-restmethod", "start-bitstransfer", "ssh",
];

/// The indices of the invocations that bring text from elsewhere to their output, ascending.
pub(in crate::rules) fn fetching(all: &Unfolded) -> Vec<usize> {
    let indexed = all.invocations.iter().enumerate();
    indexed
        .filter(|(_, invocation)| fetches(invocation))
        .map(|(index, _)| index)
        .collect()
}

/// Whether an invocation brings text from elsewhere to its output.
pub(super) fn fetches(invocation: &Invocation) -> bool {
    let has = |wanted: &[&str]| {
        invocation.args.iter().any(|word| {
            word.literal()
                .is_some_and(|text| wanted.contains(&text.as_str()))
        })
    };
    let lower = invocation.program.as_deref().map(str::to_ascii_lowercase);
    match lower.as_deref() {
        Some("certutil") => has(&["-urlcache", "/urlcache", "-URLCache"]),
        Some("bitsadmin") => has(&["/transfer", "/Transfer", "/addfile"]),
        Some("openssl") => has(&["s_client"]),
        Some("aws" | "gsutil" | "s5cmd") => has(&["cp", "cat"]),
        Some("gh") => has(&["api"]) || has(&["download", "view"]) && has(&["gist", "release"]),
        Some("dig" | "nslookup") => has(&["txt", "TXT"]),
        Some(name) => FETCHERS.contains(&name),
        None => false,
    }
}

/// The files that a download is saved as.
pub(super) fn saved_as(invocation: &Invocation) -> Vec<String> {
    let mut files = Vec::new();
    for redirect in &invocation.redirects {
        if matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append) {
            files.push(redirect.target.shown());
        }
    }
    let url_name = |options: &Options<'_>| {
        options
            .operands
            .iter()
            .filter_map(|word| {
                let url = word.shown();
                let path = url.split(['?', '#']).next().unwrap_or_default().to_owned();
                path.rsplit('/')
                    .next()
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned)
            })
            .collect::<Vec<_>>()
    };
    match invocation.program.as_deref() {
        Some("curl") => {
            let options = Options::parse(&CURL, &invocation.args);
            files.extend(options.values('o', "output").map(str::to_owned));
            if options.any_of("-O --remote-name --remote-name-all -J") {
                files.extend(url_name(&options));
            }
        }
        Some("wget") => {
            let options = Options::parse(&WGET, &invocation.args);
            match options.value('O', "output-document") {
                Some(file) => files.push(file.to_owned()),
                None => files.extend(url_name(&options)),
            }
        }
        Some("certutil" | "bitsadmin") => files.extend(invocation.args.last().map(Word::shown)),
        Some(name)
            if invocation.dialect == Dialect::Powershell && name.contains(['-', 'i', 'I', 'w']) =>
        {
            let option = invocation.args.windows(2).find(|pair| {
                let text = pair[0].shown().to_ascii_lowercase();
                text.starts_with("-o") || text.starts_with("-dest")
            });
            files.extend(option.map(|pair| pair[1].shown()));
        }
        Some("fetch" | "aria2c" | "axel" | "http" | "https") => {
            let options = Options::parse(
                &Grammar {
                    short_values: "o",
                    ..Grammar::PLAIN
                },
                &invocation.args,
            );
            files.extend(options.values('o', "output").map(str::to_owned));
            if !options.short('o') {
                files.extend(url_name(&options));
            }
        }
        _ => {}
    }
    files
}

/// `curl … | tee file`.
pub(super) fn piped_to_file(all: &Unfolded, fetcher: &Invocation, wanted: &Target) -> bool {
    let next = fetcher
        .pipes_into
        .and_then(|index| all.invocations.get(index));
    next.is_some_and(|next| {
        let written = next.program.as_deref() == Some("tee")
            && next
                .args
                .iter()
                .any(|word| Target::of(word, next.cwd.as_deref()).same_file(wanted));
        written
            || next.redirects.iter().any(|redirect| {
                redirect.kind == RedirectKind::Write
                    && Target::of(&redirect.target, next.cwd.as_deref()).same_file(wanted)
            })
    })
}
