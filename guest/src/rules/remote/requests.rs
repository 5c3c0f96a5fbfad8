//! HTTP requests that delete something.

use super::{CURL, WGET};
use crate::model::Severity::Danger;
use crate::rules::database::elasticsearch;
use crate::rules::options::{Grammar, Options};
use crate::rules::report::{Call, Report};

/// `curl`: requests that delete, beside its output file.
pub(in crate::rules) fn curl(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&CURL, call.args);
    if options.asks_for_help() {
        return;
    }
    let data = options.given.iter().filter_map(|option| {
        let carries =
            matches!(option.name.as_str(), "d" | "json") || option.name.starts_with("data");
        carries.then(|| option.value.clone()).flatten()
    });
    let data = data.collect::<Vec<_>>().join("&");
    let method = options.value('X', "request").map(str::to_ascii_uppercase);
    let method = method.unwrap_or_else(|| if data.is_empty() { "GET" } else { "POST" }.to_owned());
    for word in &options.operands {
        request(&method, &word.shown(), &data, call, report);
    }
}

/// `http DELETE url`, `xh`, `curlie`.
pub(in crate::rules) fn httpie(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(
        &Grammar {
            short_values: "asAo",
            ..Grammar::PLAIN
        },
        call.args,
    );
    if let (Some(method), Some(url)) = (options.operand(0), options.operand(1))
        && !options.any_of("--offline --help")
    {
        request(&method.to_ascii_uppercase(), &url, "", call, report);
    }
}

/// `wget --method=DELETE`.
pub(in crate::rules) fn wget(call: &Call<'_>, report: &mut Report) {
    let options = Options::parse(&WGET, call.args);
    if let (Some(method), Some(url)) = (options.value(' ', "method"), options.operand(0)) {
        request(method, &url, "", call, report);
    }
}

fn request(method: &str, url: &str, data: &str, call: &Call<'_>, report: &mut Report) {
    if elasticsearch(method, url, call, report) {
        return;
    }
    if method == "DELETE" {
        report.add(
            "cloud.platform",
            Danger,
            format!("sends a request that deletes {url}"),
            call.span(),
        );
    } else if data.contains("mutation") && graphql_deletes(data) {
        report.add(
            "cloud.platform",
            Danger,
            "sends a mutation that deletes something",
            call.span(),
        );
    }
}

/// Whether a GraphQL mutation calls a field named after a deletion.
fn graphql_deletes(data: &str) -> bool {
    data.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|name| {
            let lower = name.to_ascii_lowercase();
            ["delete", "destroy", "purge"].iter().any(|verb| {
                let begins = lower.starts_with(verb)
                    && name[verb.len()..].starts_with(|c: char| c.is_uppercase() || c == '_');
                begins || lower.ends_with(verb)
            })
        })
}
