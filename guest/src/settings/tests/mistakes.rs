//! Mistakes in settings are told in one line, with the key.

use crate::settings::Settings;

#[test]
fn a_mistake_is_told_with_its_key() {
    for (json, expected) in [
        ("{", "not valid JSON"),
        ("[]", "not a list"),
        (
            r#"{"refuze": []}"#,
            r#"refuze: there is no such key; did you mean "refuse"?"#,
        ),
        (
            r#"{"rules": {"git.*": "ask"}}"#,
            "rules: there is no such key; the keys are warn, ask, refuse, allow, confirm, deny, protected_programs",
        ),
        (r#"{"ask": "git.*"}"#, "ask: expected a list, not a string"),
        (
            r#"{"ask": ["git.*", 1]}"#,
            "ask[1]: expected a string, not a number",
        ),
        (
            r#"{"refuse": ["git.*", "fs.rm-rot"]}"#,
            r#"refuse[1]: there is no rule "fs.rm-rot"; did you mean "fs.rm-root"?"#,
        ),
        (
            r#"{"ask": ["git"]}"#,
            r#"ask[0]: there is no rule "git"; did you mean "git.*"?"#,
        ),
        (
            r#"{"ask": ["gti.*"]}"#,
            r#"ask[0]: there is no family "gti.*"; did you mean "git.*"?"#,
        ),
        (
            r#"{"warn": ["severity:high"]}"#,
            r#"warn[0]: there is no "severity:high"; there are "severity:note", "severity:caution", "severity:danger""#,
        ),
        (r#"{"ask": ["*"]}"#, r#"ask[0]: there is no rule "*""#),
        (
            r#"{"ask": ["fs.rm-*"]}"#,
            r#"ask[0]: there is no rule "fs.rm-*""#,
        ),
        (
            r#"{"refuse": [{"prefix": ["git"]}]}"#,
            r#"refuse[0]: expected a rule, a family or a severity; commands belong under "deny""#,
        ),
        (
            r#"{"deny": [["git", "push"]]}"#,
            r#"deny[0]: expected a table such as {"prefix": ["git", "push"]}, not a list"#,
        ),
        (r#"{"deny": [{"prefix": []}]}"#, "deny[0].prefix is empty"),
        (
            r#"{"deny": [{"reason": "x"}]}"#,
            "deny[0]: there is no `prefix`",
        ),
        (
            r#"{"deny": [{"prefix": ["git"]}, {"prefix": ["git", ["a", 1]]}]}"#,
            "deny[1].prefix[1][1]: expected a string, not a number",
        ),
        (
            r#"{"deny": [{"prefix": ["git", []]}]}"#,
            "deny[0].prefix[1] is empty",
        ),
        (
            r#"{"deny": [{"prefix": [""]}]}"#,
            "deny[0].prefix[0]: a word is empty",
        ),
        (
            r#"{"deny": [{"prefx": ["git"]}]}"#,
            r#"deny[0].prefx: there is no such key; did you mean "prefix"?"#,
        ),
        (
            r#"{"allow": [{"prefix": ["git"], "reason": "x"}]}"#,
            "allow[0].reason: what is allowed needs no reason",
        ),
        (
            r#"{"deny": [{"prefix": ["git", ["push", "send"]], "match": ["git push", "git pull"]}]}"#,
            r#"deny[0].match[1]: "git pull" is not matched by the prefix "git push|send""#,
        ),
        (
            r#"{"confirm": [{"prefix": ["git"], "no_match": ["sudo git status"]}]}"#,
            r#"confirm[0].no_match[0]: "sudo git status" is matched by the prefix "git""#,
        ),
        (
            r#"{"protected_programs": ["browser"]}"#,
            r#"protected_programs[0]: there is no preset "browser"; did you mean "browsers"?"#,
        ),
        (
            r#"{"protected_programs": ["/usr/bin/x"]}"#,
            r#"protected_programs[0]: "/usr/bin/x" is no name of a program"#,
        ),
        ("{\"a\\nb\": 1}", "a b: there is no such key"),
    ] {
        let error = Settings::parse(json).unwrap_err();
        assert!(error.contains(expected), "{json}: {error}");
        assert!(!error.contains('\n'), "{json}: {error}");
    }
}
