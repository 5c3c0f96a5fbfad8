//! Commands named by their first words: what is let through, what is asked about, what does not run.
//!
//! A prefix is a list of words; a word may be a list of alternatives. It is compared with every command that the
//! review reaches: behind wrappers (`sudo`, `timeout`, `xargs`), in inner scripts (`bash -c`, `$(…)`), in
//! functions, in what programs of other languages start, and with the wrapper as it is written.
//!
//! The first word is a program's name and stands for the program in any directory. For `allow` that is one of the
//! usual directories (a program of the same name elsewhere may be another one). A word with a `/` is that path.
//!
//! `confirm` and `deny` pass over options that stand in between, with their values as far as these are known
//! (`git -C dir push` begins with `git push`). `allow` compares the words as they stand. It leaves out what was
//! found about exactly that command: not its redirections, nothing in an inner script or an inner program unless
//! the prefix spells that too, and no part that could not be understood. For `sudo systemctl stop web` a prefix
//! that goes beyond `sudo` also speaks for the command behind it.
//!
//! What could not be understood matches nothing; `opaque` under `ask` or `refuse` covers that.
//!
//! The strictest list wins: `deny` over `confirm` over `allow`. Examples in `match` and `no_match` are read as bash
//! and are checked when the settings are read.

use crate::model::Dialect;
use crate::rules::{self, Seen};
use crate::syntax::{self, Invocation, Unfolded, Word};

/// The list that an entry stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What was found about it is left out.
    Allow,
    /// A person is asked.
    Confirm,
    /// It does not run.
    Deny,
}

impl Kind {
    /// The key of the list.
    pub fn key(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Confirm => "confirm",
            Self::Deny => "deny",
        }
    }
}

/// One entry of `allow`, `confirm` or `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    kind: Kind,
    /// Where it stands: `deny[0]`.
    place: String,
    prefix: Vec<Vec<String>>,
    reason: Option<String>,
}

/// One command that the review reaches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Command<'a> {
    /// The text that it stands in.
    pub text: &'a Unfolded,
    /// The command as a program of the text.
    pub invocation: &'a Invocation,
    /// Its place in the text.
    pub index: usize,
    /// The program's name without its directory.
    pub name: &'a str,
    /// The word that names the program.
    pub program: &'a Word,
    /// The words behind it.
    pub args: &'a [Word],
}

impl<'a> Command<'a> {
    /// A command that the rules have looked at; none where its program is not known.
    pub fn of(seen: &'a Seen, text: &'a Unfolded) -> Option<Self> {
        let invocation = text.invocations.get(seen.invocation)?;
        let (program, name) = match seen.runner_words.checked_sub(1) {
            None => (&invocation.program_word, invocation.program.as_deref()?),
            Some(at) => (invocation.args.get(at)?, seen.run.as_deref()?),
        };
        Some(Self {
            text,
            invocation,
            index: seen.invocation,
            name,
            program,
            args: invocation.args.get(seen.runner_words..)?,
        })
    }

    /// Whether it is written in a language that does not tell upper case from lower.
    pub fn ignores_case(&self) -> bool {
        matches!(self.invocation.dialect, Dialect::Powershell | Dialect::Cmd)
    }
}

/// Directories whose programs are the usual ones.
const USUAL: [&str; 8] = [
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/snap/bin",
];

/// Options before a subcommand whose value is the next word.
#[rustfmt::skip]
const WITH_VALUE: &[(&str, &str)] = &[
    ("ansible", "-i --inventory -u --user -m -a -e --extra-vars"),
    ("ansible-playbook", "-i --inventory -u --user -e --extra-vars -l --limit -t --tags"),
    ("aws", "--profile --region --output --endpoint-url --query --ca-bundle --color --cli-read-timeout --cli-connect-timeout"),
    ("az", "--subscription --output -o --query"),
    ("cargo", "--config -Z -C --color --manifest-path"),
    ("docker", "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey"),
    ("docker-compose", "-f --file -p --project-name --profile --env-file --project-directory --context -H --host"),
    ("gcloud", "--project --account --configuration --format --verbosity --impersonate-service-account"),
    ("gh", "-R --repo --hostname"),
    ("git", "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source"),
    ("helm", "-n --namespace --kube-context --kubeconfig --kube-token --kube-apiserver --registry-config"),
    ("kubectl", "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --request-timeout"),
    ("make", "-C --directory -f --file -I -j --jobs"),
    ("npm", "--prefix -C --workspace -w --registry --userconfig --loglevel"),
    ("pip", "--log --proxy --cache-dir --python"),
    ("pnpm", "--dir -C --filter -F"),
    ("podman", "--url -c --connection --root --log-level --identity"),
    ("systemctl", "-H --host -M --machine -t --type -p --property -n --lines"),
    ("yarn", "--cwd"),
];

impl Entry {
    pub(super) fn new(
        kind: Kind,
        place: String,
        prefix: Vec<Vec<String>>,
        reason: Option<String>,
    ) -> Self {
        Self {
            kind,
            place,
            prefix,
            reason,
        }
    }

    /// The prefix as a person would write it: `git push|fetch`.
    pub fn shown(&self) -> String {
        let words: Vec<String> = self.prefix.iter().map(|word| word.join("|")).collect();
        words.join(" ").replace(char::is_control, " ")
    }

    /// Why a command that it matches does not run as it is.
    pub fn why(&self) -> String {
        let said = match (&self.reason, self.kind) {
            (Some(reason), _) => reason.as_str(),
            (None, Kind::Deny) => "this command does not run here",
            (None, _) => "this command runs only when a person agrees",
        };
        format!("{said} ({}: {})", self.place, self.shown())
    }

    /// How many of the command's words the prefix covers; 0 where it does not match.
    pub(super) fn covers(&self, command: &Command<'_>) -> usize {
        let Some((first, rest)) = self.prefix.split_first() else {
            return 0;
        };
        if !first.iter().any(|name| self.is_program(name, command)) {
            return 0;
        }
        let strict = self.kind == Kind::Allow;
        let ignores_case = command.ignores_case() && !strict;
        let mut at = 0;
        for wanted in rest {
            at = loop {
                let Some(word) = command.args.get(at) else {
                    return 0;
                };
                let shown = word.shown();
                let equal = |text: &String| {
                    *text == shown || ignores_case && text.eq_ignore_ascii_case(&shown)
                };
                if !word.is_dynamic() && wanted.iter().any(equal) {
                    break at + 1;
                }
                if strict || !shown.starts_with('-') {
                    return 0;
                }
                at += 1 + usize::from(takes_value(command.name, &shown));
            };
        }
        at + 1
    }

    fn is_program(&self, wanted: &str, command: &Command<'_>) -> bool {
        let equal = |found: &str| {
            wanted == found || command.ignores_case() && wanted.eq_ignore_ascii_case(found)
        };
        let written = command.program.literal();
        if wanted.contains(['/', '\\']) {
            return written.is_some_and(|path| equal(&path));
        }
        let name = wanted.strip_suffix(".exe").unwrap_or(wanted);
        let named = equal(command.name) || {
            name.len() < wanted.len()
                && (name == command.name || name.eq_ignore_ascii_case(command.name))
        };
        if self.kind != Kind::Allow {
            return named;
        }
        let directory = written.as_deref().map(|path| path.rsplit_once('/'));
        let usual = match directory {
            None => false,
            Some(None) => !written.is_some_and(|path| path.contains('\\')),
            Some(Some((directory, _))) => USUAL.contains(&directory),
        };
        named && usual
    }

    /// Whether it matches a command of a text that is read as bash.
    pub fn matches_text(&self, text: &str) -> bool {
        let unfolded = syntax::unfold(text);
        let inspection = rules::inspect(&unfolded, Dialect::Bash);
        inspection
            .seen
            .iter()
            .filter_map(|seen| Command::of(seen, inspection.text_of(seen, &unfolded)?))
            .any(|command| self.covers(&command) > 0)
    }
}

fn takes_value(program: &str, option: &str) -> bool {
    WITH_VALUE
        .iter()
        .filter(|(name, _)| *name == program)
        .any(|(_, options)| options.split(' ').any(|known| known == option))
}
