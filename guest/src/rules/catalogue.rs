//! The table of all rules: what each is called, how bad it is, what it finds and what it leaves
//! alone.

use crate::model::{Dialect, Severity};

/// One rule of the policy, for people and for configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Stable identifier, `family.name`.
    pub id: &'static str,
    /// What it finds, in a few words.
    pub title: &'static str,
    /// Its severity for the plain form; a finding may be raised (a home, a device) or lowered.
    pub severity: Severity,
    /// The language of both examples.
    pub dialect: Dialect,
    /// A command that it finds.
    pub example: &'static str,
    /// A command close by that it does not find.
    pub counter_example: &'static str,
}

impl Rule {
    /// A rule with examples in bash.
    pub(super) const fn new(
        id: &'static str,
        severity: Severity,
        title: &'static str,
        example: &'static str,
        counter_example: &'static str,
    ) -> Self {
        Self {
            id,
            title,
            severity,
            dialect: Dialect::Bash,
            example,
            counter_example,
        }
    }

    /// The same with examples in another language.
    pub(super) const fn written_in(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }
}

/// All rules, family by family.
pub fn catalogue() -> Vec<Rule> {
    [
        super::filesystem::RULES,
        super::disk::RULES,
        super::git::RULES,
        super::database::RULES,
        super::containers::RULES,
        super::kubernetes::RULES,
        super::infrastructure::RULES,
        super::cloud::RULES,
        super::packages::RULES,
        super::system::RULES,
        super::remote::RULES,
        super::windows::RULES,
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::judge;
    use crate::syntax::unfold_as;

    fn found(dialect: Dialect, command: &str) -> Vec<String> {
        judge(&unfold_as(dialect, command), dialect)
            .into_iter()
            .map(|finding| finding.rule)
            .collect()
    }

    #[test]
    fn every_rule_finds_its_own_example() {
        for rule in catalogue() {
            let found = found(rule.dialect, rule.example);
            assert_eq!(found, [rule.id], "{}", rule.example);
        }
    }

    #[test]
    fn no_rule_finds_its_counter_example() {
        for rule in catalogue() {
            let found = found(rule.dialect, rule.counter_example);
            assert!(
                !found.iter().any(|id| id == rule.id),
                "{}: {}",
                rule.id,
                rule.counter_example
            );
        }
    }

    #[test]
    fn no_two_rules_share_an_identifier() {
        let mut ids: Vec<_> = catalogue().iter().map(|rule| rule.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
