//! Makes one command text of several words.

/// Joins words so that a shell, and every policy that reads shell words, gets them back unchanged.
pub fn join(words: &[String]) -> String {
    words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@%+:,./_-".contains(&byte);
    // A word with `=` in front position would be an assignment; later ones are quoted too, which is harmless.
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "a real shell is the measure here"
    )]
    fn words_survive_a_shell() {
        let words = ["printf", "%s\\n", "a b", "", "it's", "$HOME", "*", "A=b"].map(String::from);
        let output = std::process::Command::new("/bin/sh")
            .arg("-c")
            .arg(join(&words))
            .output();
        let printed = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(printed, "a b\n\nit's\n$HOME\n*\nA=b\n");
    }

    #[test]
    fn plain_words_stay_as_they_are() {
        assert_eq!(
            join(&["ls".into(), "-l".into(), "/tmp/a.txt".into()]),
            "ls -l /tmp/a.txt"
        );
    }
}
