//! For tests: a program that shows what arguments bash gives it, and numbers in a fixed sequence.

#[cfg(unix)]
pub(crate) use against_bash::StandIn;

/// Numbers in a fixed sequence.
pub(crate) struct Sequence(u64);

impl Sequence {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Some of these parts in a row, between one and `most`.
    pub(crate) fn soup(&mut self, parts: &[&str], most: usize) -> String {
        let length = 1 + self.below(most);
        (0..length)
            .map(|_| parts[self.below(parts.len())])
            .collect()
    }
}

#[cfg(unix)]
mod against_bash {
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A directory with a program `seen` that prints its arguments, and some files that patterns would
    /// match.
    pub(crate) struct StandIn(PathBuf);

    const BASH: &str = "/bin/bash";

    impl StandIn {
        /// `None` where there is no bash.
        pub(crate) fn new() -> Option<Self> {
            use std::os::unix::fs::PermissionsExt;
            static COUNT: AtomicU32 = AtomicU32::new(0);

            if !Path::new(BASH).exists() {
                return None;
            }
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let place = std::env::temp_dir()
                .join(format!("ostler-stand-in-{}-{count}", std::process::id()));
            std::fs::create_dir_all(&place).unwrap();
            let program = place.join("seen");
            std::fs::write(
                &program,
                "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done\n",
            )
            .unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            for name in ["a", "b", "ab", "a=b"] {
                std::fs::write(place.join(name), "").unwrap();
            }
            Some(Self(place))
        }

        /// The arguments that `./seen` gets when bash runs a text. No other program can be found from
        /// there.
        #[expect(
            clippy::disallowed_methods,
            reason = "a test asks bash itself; the policy never starts anything"
        )]
        pub(crate) fn sees(&self, text: &str) -> Vec<String> {
            let output = Command::new(BASH)
                .args(["--norc", "-c", text])
                .env_clear()
                .env("PATH", &self.0)
                .env("HOME", "/nowhere")
                .current_dir(&self.0)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let out = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut words = out.split('\0').map(str::to_owned).collect::<Vec<_>>();
            words.pop();
            words
        }
    }

    impl Drop for StandIn {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}
