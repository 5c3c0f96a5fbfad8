//! What policies are asked in the benchmarks.

use std::fmt;

/// A command as agents send it.
pub struct Sample {
    name: &'static str,
    /// The command text.
    pub text: &'static str,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const fn sample(name: &'static str, text: &'static str) -> Sample {
    Sample { name, text }
}

/// From one word to a script.
pub const SAMPLES: &[Sample] = &[
    sample("1 word", "true"),
    sample("2 program", "ls -la src"),
    sample(
        "3 pipeline",
        "grep -rn 'fn main' src --include '*.rs' | head -20",
    ),
    sample(
        "4 chain",
        "cd /srv/app && git pull --rebase && cargo build --release 2>&1 | tail -5",
    ),
    sample(
        "5 loop",
        "for f in $(git ls-files '*.rs'); do wc -l \"$f\"; done | sort -n | tail",
    ),
    sample(
        "6 danger",
        "docker exec db sh -c 'psql -c \"DROP TABLE users\"' && rm -rf ~/backup",
    ),
    sample(
        "7 script",
        "set -e\ntmp=$(mktemp -d)\ntrap 'rm -rf \"$tmp\"' EXIT\ncat > \"$tmp/a.py\" <<'EOF'\nimport sys\n\
         print(sys.argv)\nEOF\npython3 \"$tmp/a.py\" --x 1\n",
    ),
];

/// Where they run.
pub const CWD: &str = "/srv/app";
/// What interprets them.
pub const BASH: &str = "/bin/bash";
/// What one of them says when it fails.
pub const COMPLAINT: &str =
    "error: could not compile `app` (bin \"app\") due to 1 previous error\n";
