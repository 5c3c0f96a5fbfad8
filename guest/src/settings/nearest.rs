//! The known name that a mistyped one most likely stands for.

/// The nearest name, unless it is far off.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// A longer text is no mistyped name.
    const MAX_BYTES: usize = 64;
    if name.len() > MAX_BYTES {
        return None;
    }
    let name = name.to_lowercase();
    let far = 2 + name.len() / 4;
    known
        .into_iter()
        .map(|candidate| (strsim::levenshtein(&name, candidate), candidate))
        .filter(|(distance, _)| *distance < far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `; did you mean "…"?`, or nothing.
pub(super) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        let known = ["git.clean", "fs.rm-root", "fs.rm-glob"];
        assert_eq!(nearest("fs.rm-rot", known), Some("fs.rm-root"));
        assert_eq!(nearest("git.claen", known), Some("git.clean"));
        assert_eq!(nearest("cloud.aws", known), None);
    }
}
