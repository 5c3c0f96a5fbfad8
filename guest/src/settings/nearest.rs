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
        .map(|candidate| (distance(&name, candidate), candidate))
        .filter(|(distance, _)| *distance < far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `; did you mean "…"?`, or nothing.
pub(super) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
}

/// How many characters must be put in, left out or changed to get from one to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, character) in from.chars().enumerate() {
        let mut corner = line;
        let mut left = line + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (wanted, above) in to.iter().zip(row.iter_mut().skip(1)) {
            let changed = corner + usize::from(*wanted != character);
            corner = *above;
            left = changed.min(corner + 1).min(left + 1);
            *above = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        let known = ["git.clean", "fs.rm-root", "fs.rm-glob"];
        assert_eq!(nearest("fs.rm-rot", known), Some("fs.rm-root"));
        assert_eq!(nearest("git.claen", known), Some("git.clean"));
        assert_eq!(nearest("cloud.aws", known), None);
    }
}
