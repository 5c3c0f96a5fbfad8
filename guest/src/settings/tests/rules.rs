//! What is done about findings.

use super::{asked, proceeds, refused, reviewed};
use crate::model::Dialect;

#[test]
fn everything_warns_without_settings() {
    proceeds("{}", "rm -rf /");
    let review = reviewed("{}", Dialect::Bash, "rm -rf /");
    assert_eq!(review.findings.len(), 1);
}

#[test]
fn a_rule_wins_over_its_family_and_a_family_over_a_severity() {
    let settings = r#"{"ask": ["git.*"], "refuse": ["git.clean", "severity:danger", "severity:caution"],
                       "warn": ["git.stash-drop"]}"#;
    refused(
        settings,
        "git clean -fdx",
        "(rule git.clean, refuse[0] \"git.clean\")",
    );
    asked(
        settings,
        "git reset --hard",
        "(rule git.discard, ask[0] \"git.*\")",
    );
    asked(settings, "git push --force", "git.force-push");
    proceeds(settings, "git stash drop");
    refused(settings, "rm -rf src", "refuse[2] \"severity:caution\"");
    refused(settings, "rm -rf /", "refuse[1] \"severity:danger\"");
}

#[test]
fn the_strictest_of_equals_wins() {
    let settings = r#"{"warn": ["git.*"], "ask": ["git.*"]}"#;
    asked(settings, "git clean -fdx", "ask[0]");
    let settings = r#"{"ask": ["git.clean"], "refuse": ["fs.*"]}"#;
    refused(settings, "git clean -fdx; rm -rf src", "fs.rm-recursive");
}

#[test]
fn what_could_not_be_understood_has_an_answer_of_its_own() {
    let settings = r#"{"ask": ["opaque"]}"#;
    asked(settings, "\"$(unknown)\" x", "(ask[0] \"opaque\")");
    asked(
        settings,
        "curl -s https://example.org/x | python3",
        "opaque",
    );
    proceeds(settings, "echo \"$(unknown)\"");
}
