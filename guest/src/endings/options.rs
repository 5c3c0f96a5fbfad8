//! A tool's arguments taken apart into options and operands, as far as its exit code needs it.

/// Options that take their value from the next word, by tool; without them a value would be taken
/// for a subcommand (`git -C repo diff`) or a letter for an option (`sort -tc`).
const VALUED: &[(&[&str], &[&str])] = &[
    (
        &["git"],
        &[
            "-C",
            "-c",
            "--git-dir",
            "--work-tree",
            "--namespace",
            "--super-prefix",
            "--config-env",
        ],
    ),
    (
        &["kubectl", "oc", "k3s", "helm", "argocd"],
        &[
            "-n",
            "--namespace",
            "--context",
            "--kube-context",
            "--kubeconfig",
            "--cluster",
            "--user",
            "-s",
            "--server",
            "--as",
            "--token",
            "-f",
            "--filename",
            "-k",
            "-c",
            "--container",
            "-l",
            "--selector",
            "-o",
            "--output",
        ],
    ),
    (
        &["docker", "podman", "nerdctl"],
        &[
            "-H",
            "--host",
            "--context",
            "--config",
            "-l",
            "--log-level",
            "--url",
            "--connection",
        ],
    ),
    (
        &["docker-compose"],
        &[
            "-f",
            "--file",
            "-p",
            "--project-name",
            "--profile",
            "--env-file",
        ],
    ),
    (
        &["systemctl"],
        &[
            "-H",
            "--host",
            "-M",
            "--machine",
            "-t",
            "--type",
            "-p",
            "--property",
            "-n",
            "-o",
            "--root",
            "--state",
        ],
    ),
    (
        &["cargo"],
        &[
            "--manifest-path",
            "-C",
            "--config",
            "-Z",
            "--color",
            "--target-dir",
        ],
    ),
    (&["go"], &["-C"]),
    (&["npm"], &["--prefix", "-w", "--workspace"]),
    (&["pnpm"], &["-C", "--dir", "-F", "--filter"]),
    (&["yarn"], &["--cwd"]),
    (&["gh"], &["-R", "--repo"]),
    (
        &["aws"],
        &[
            "--profile",
            "--region",
            "--output",
            "--endpoint-url",
            "--query",
        ],
    ),
    (
        &["dnf", "dnf5", "yum", "microdnf"],
        &[
            "-c",
            "--installroot",
            "--enablerepo",
            "--disablerepo",
            "--releasever",
            "--repo",
            "-x",
        ],
    ),
    (&["apt", "apt-get", "apt-cache"], &["-o", "-c", "-t"]),
    (&["zypper"], &["-R", "--root", "-c", "--config", "-C"]),
    (
        &["make", "gmake"],
        &[
            "-C",
            "-f",
            "-I",
            "-o",
            "-W",
            "--directory",
            "--file",
            "--makefile",
        ],
    ),
    (&["hg"], &["-R", "--repository", "--cwd", "--config"]),
    (
        &["dpkg", "dpkg-query"],
        &["--root", "--admindir", "--instdir"],
    ),
    (&["iptables", "ip6tables"], &["-t", "--table", "-w"]),
    (&["tmux"], &["-L", "-S", "-f", "-t"]),
    (&["ip"], &["-n", "-netns"]),
    (
        &["sort", "gsort"],
        &[
            "-t",
            "-k",
            "-o",
            "-S",
            "-T",
            "--field-separator",
            "--key",
            "--output",
            "--buffer-size",
        ],
    ),
    (
        &["jq", "gojq", "jaq"],
        &["-f", "--from-file", "-L", "--indent"],
    ),
    (
        &["fd", "fdfind"],
        &[
            "-e", "-t", "-d", "-E", "-x", "-X", "-j", "-S", "-c", "-o", "-g",
        ],
    ),
    (
        &["openssl"],
        &["-in", "-checkend", "-checkhost", "-CAfile", "-inform"],
    ),
    (
        &["flock"],
        &[
            "-w",
            "--wait",
            "--timeout",
            "-E",
            "--conflict-exit-code",
            "-c",
            "--command",
        ],
    ),
    (
        &["timeout", "gtimeout"],
        &["-s", "--signal", "-k", "--kill-after"],
    ),
    (
        &["xargs"],
        &["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"],
    ),
    (&["read"], &["-t", "-n", "-N", "-d", "-u", "-p", "-a", "-i"]),
    (
        &["tar", "gtar", "bsdtar"],
        &["-f", "-C", "-T", "-X", "-b", "-g", "-H", "-K", "-N", "-V"],
    ),
    (&["ssh-keygen"], &["-F", "-f"]),
    (&["ps"], &["-p", "-C", "-u", "-o", "-g", "-t"]),
];

/// Arguments taken apart.
#[derive(Debug, Default)]
pub(super) struct Options<'a> {
    /// Options as written, without values: `--quiet`, `-qs`, `-detailed-exitcode`.
    written: Vec<&'a str>,
    /// The letters of short options, one by one.
    letters: Vec<char>,
    /// The first argument.
    first: Option<&'a str>,
    /// Everything that is neither an option nor the value of one that is known to take one.
    pub operands: Vec<&'a str>,
}

impl<'a> Options<'a> {
    /// Takes a tool's arguments apart.
    pub fn of(program: &str, args: &'a [String]) -> Self {
        let valued: &[&str] = VALUED
            .iter()
            .find(|(programs, _)| programs.contains(&program))
            .map_or(&[], |(_, options)| options);
        let mut options = Self {
            first: args.first().map(String::as_str),
            ..Self::default()
        };
        let mut words = args.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == "--" {
                options.operands.extend(words);
                break;
            }
            if word == "-" || !word.starts_with('-') {
                options.operands.push(word);
                continue;
            }
            let (name, attached) = match word.split_once('=') {
                Some((name, _)) => (name, true),
                None => (word, false),
            };
            options.written.push(name);
            let mut takes_next = !attached && valued.contains(&name);
            if !name.starts_with("--") {
                takes_next |= options.letters_of(&name[1..], valued);
            }
            if takes_next {
                words.next();
            }
        }
        options
    }

    /// Adds the letters of a cluster; says whether the last one takes the next word as its value.
    fn letters_of(&mut self, cluster: &str, valued: &[&str]) -> bool {
        let mut letters = cluster.chars().peekable();
        while let Some(letter) = letters.next() {
            self.letters.push(letter);
            let takes_value = valued
                .iter()
                .filter_map(|option| option.strip_prefix('-'))
                .any(|option| option.chars().eq([letter]));
            if takes_value {
                return letters.peek().is_none();
            }
        }
        false
    }

    /// Whether one of these options is given: `-q` also within a cluster, `--quiet`, `-checkend`.
    pub fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            let mut chars = name.chars();
            match (chars.next(), chars.next(), chars.next()) {
                (Some('-'), Some(letter), None) => self.letters.contains(&letter),
                _ => self.written.contains(name),
            }
        })
    }

    /// Whether the first operands are these.
    pub fn begins_with(&self, path: &[&str]) -> bool {
        self.operands.starts_with(path)
    }

    /// Whether the first argument, dash or no dash, names one of these operations.
    pub fn has_mode(&self, letters: &str) -> bool {
        self.first.is_some_and(|first| {
            !first.starts_with("--") && first.chars().any(|letter| letters.contains(letter))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_global_option_with_a_value_does_not_hide_the_subcommand() {
        let args = args("-C repo --git-dir=x -c a=b diff --quiet");
        let options = Options::of("git", &args);
        assert!(options.begins_with(&["diff"]));
        assert!(options.has_any(&["--quiet"]));
    }

    #[test]
    fn a_letter_inside_a_cluster_counts_but_not_inside_a_value() {
        let clustered = args("-sq all");
        assert!(Options::of("make", &clustered).has_any(&["-q"]));
        let valued = args("-tc f.txt");
        assert!(!Options::of("sort", &valued).has_any(&["-c"]));
    }

    #[test]
    fn words_after_the_double_dash_are_no_options() {
        let args = args("diff -- --quiet");
        assert!(!Options::of("git", &args).has_any(&["--quiet"]));
    }

    #[test]
    fn an_old_style_operation_letter_needs_no_dash() {
        let args = args("czf a.tar src");
        assert!(Options::of("tar", &args).has_mode("cru"));
    }
}
