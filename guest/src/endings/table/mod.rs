//! What exit codes mean, tool by tool, from their manuals.
//!
//! A code is ok only where the manual gives it an informational meaning. One code for "none" and
//! "failed" (`lsof`, `locate`, `killall`) is a failure. A check that found problems (tests, linters,
//! checksums) is a failure too; the words tell it from a check that could not run.

mod archives;
mod builds;
mod checks;
mod comparisons;
mod databases;
mod files;
mod infrastructure;
mod network;
mod packages;
mod services;
mod shell;
mod states;
mod testers;
mod text;
mod versions;
mod windows;
mod wrappers;

use super::row::{Kind, Tool};

/// Every entry, by family. Within a family, an entry with more conditions stands before the general one.
const FAMILIES: &[&[Tool]] = &[
    states::TOOLS,
    comparisons::TOOLS,
    shell::TOOLS,
    text::TOOLS,
    windows::TOOLS,
    files::TOOLS,
    versions::TOOLS,
    builds::TOOLS,
    testers::TOOLS,
    checks::TOOLS,
    wrappers::TOOLS,
    services::TOOLS,
    packages::TOOLS,
    network::TOOLS,
    archives::TOOLS,
    databases::TOOLS,
    infrastructure::TOOLS,
];

/// The entries of the whole table.
pub(super) fn entries() -> impl Iterator<Item = &'static Tool> {
    FAMILIES.iter().copied().flatten()
}

/// The entries of the tools which start other commands.
pub(super) fn wrappers() -> impl Iterator<Item = &'static Tool> {
    wrappers::TOOLS.iter()
}

/// Whether the table knows a program of this name.
pub(super) fn knows(program: &str) -> bool {
    entries().any(|tool| tool.names.contains(&program))
}

/// Whether a program of this name is asked for an answer.
pub(super) fn asks(program: &str) -> bool {
    entries().any(|tool| tool.kind == Kind::Query && tool.names.contains(&program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_hidden_by_a_general_entry_before_it() {
        let entries: Vec<&Tool> = entries().collect();
        for (index, general) in entries.iter().enumerate() {
            let later = entries.iter().skip(index + 1);
            for hidden in later.filter(|_| general.when.is_empty()) {
                for name in hidden
                    .names
                    .iter()
                    .filter(|name| general.names.contains(name))
                {
                    let codes = (-1..256).filter(|&code| hidden.row(code).is_some());
                    let lost: Vec<i32> =
                        codes.filter(|&code| general.row(code).is_some()).collect();
                    assert!(lost.is_empty(), "{name}: {lost:?} of {}", hidden.family);
                }
            }
        }
    }

    #[test]
    fn every_row_says_something() {
        for tool in entries() {
            assert!(
                !tool.rows.is_empty() && !tool.names.is_empty(),
                "{}",
                tool.family
            );
            for code in -1..4000 {
                let words = tool.row(code).map(|row| row.words(code));
                assert!(
                    words.is_none_or(|words| words.len() > 3),
                    "{} {code}",
                    tool.family
                );
            }
        }
    }
}
