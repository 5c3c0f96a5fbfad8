//! Finds the name that was probably meant.

/// The known name nearest to `typed`, if it is near enough to be a slip.
pub fn nearest<'a>(typed: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], "");
    let wanted = plain(typed);
    // Half a name is a slip too: `offset` for `since_offset`.
    if wanted.len() >= 3
        && let Some(name) = known.iter().find(|name| plain(name).contains(&wanted))
    {
        return Some(name);
    }
    known
        .iter()
        .map(|name| (strsim::levenshtein(&wanted, &plain(name)), *name))
        .filter(|(distance, name)| *distance <= 1.max(name.len() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name() {
        let known = ["command", "cwd", "timeout_sec", "max_output_kb"];
        assert_eq!(nearest("comand", &known), Some("command"));
        assert_eq!(nearest("timeoutSec", &known), Some("timeout_sec"));
        assert_eq!(nearest("timeout", &known), Some("timeout_sec"));
        assert_eq!(nearest("max-output-kb", &known), Some("max_output_kb"));
        assert_eq!(nearest("cwdd", &known), Some("cwd"));
        assert_eq!(nearest("output", &known), Some("max_output_kb"));
    }

    #[test]
    fn a_stranger_finds_none() {
        assert_eq!(nearest("background", &["command", "cwd"]), None);
        assert_eq!(nearest(&"x".repeat(1000), &["command", "cwd"]), None);
    }
}
