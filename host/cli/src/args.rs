//! The command line: what can be typed, and the help that teaches it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as Arguments, Parser, Subcommand};

use crate::config::Config;
use crate::doctor::Doctor;
use crate::policy::Policy;
use crate::quote;
use crate::search::glob::Glob;
use crate::search::rg::Rg;

const ABOUT: &str =
    "A native terminal for AI agents: runs commands as owned process trees, judged by a policy.";

const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}";

const EXAMPLES: &str = "\
\x1b[1mExamples:\x1b[0m
  ostler exec 'ls | wc -l'               run it; output and exit status are the command's own
  ostler mcp                             serve the terminal to an agent over stdio
  ostler policy check 'rm -rf ~/old'     what would be found in it; nothing is run";

const EXEC_STATUS: &str = "\
\x1b[1mEnvironment:\x1b[0m
  Inherited, but with TERM=dumb, NO_COLOR, PAGER=cat, GIT_EDITOR=true and the like, since nobody
  sits at a terminal there; --env sets other values.

\x1b[1mExit status:\x1b[0m
  The command's own, 128+N if signal N ended it, 124 at the deadline, 126 not executable, 127 not
  found, 125 refused or failed by ostler itself, 2 wrong usage or settings.
  A process that the command leaves behind is ended with it; Ctrl-C, SIGTERM and SIGHUP end them.";

const MCP_SIGNALS: &str = "\
\x1b[1mSignals:\x1b[0m
  SIGHUP reads the settings again and loads the policy anew; one that cannot be used is reported,
  and the current one stays. SIGINT and SIGTERM answer what is in flight, end all commands, and
  end the server.";

/// What was typed.
#[derive(Debug, Parser)]
#[command(name = "ostler", version, about = ABOUT, help_template = TEMPLATE, after_help = EXAMPLES)]
#[command(max_term_width = 100, disable_help_subcommand = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub face: Face,
    /// What holds for every face.
    #[command(flatten)]
    pub common: Common,
}

/// What holds for every face.
#[derive(Debug, Clone, Arguments)]
pub struct Common {
    /// Policy component that judges commands [$OSTLER_POLICY; default: built in]
    #[arg(
        long,
        global = true,
        display_order = 100,
        value_name = "FILE",
        env = "OSTLER_POLICY",
        hide_env = true
    )]
    pub policy: Option<PathBuf>,
    /// Settings file in TOML [$OSTLER_CONFIG; default: ~/.config/ostler/config.toml]
    #[arg(
        long,
        global = true,
        display_order = 100,
        value_name = "FILE",
        env = "OSTLER_CONFIG",
        hide_env = true
    )]
    pub config: Option<PathBuf>,
    /// Write every command down in this file, a JSON line each [$OSTLER_AUDIT]
    #[arg(
        long,
        global = true,
        display_order = 100,
        value_name = "FILE",
        env = "OSTLER_AUDIT",
        hide_env = true
    )]
    pub audit: Option<PathBuf>,
    /// What to log: error to trace, or a tracing filter [$OSTLER_LOG; default: warn]
    #[arg(
        long,
        global = true,
        display_order = 100,
        value_name = "FILTER",
        env = "OSTLER_LOG",
        hide_env = true
    )]
    pub log: Option<String>,
}

/// The faces of the terminal.
#[derive(Debug, Subcommand)]
pub enum Face {
    /// Run a command and pass its output through
    Exec(Box<Exec>),
    /// Serve the terminal to an agent: MCP over stdio
    Mcp(Mcp),
    /// Search the text of files with ripgrep's engine
    Rg(Box<Rg>),
    /// Find files by name
    Glob(Glob),
    /// Try, inspect, score and write policies
    Policy(Policy),
    /// Try everything on this machine and say what to do about what fails
    Doctor(Doctor),
}

/// Serve the terminal to an agent: MCP over stdio.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE, after_help = MCP_SIGNALS)]
pub struct Mcp {
    /// Load the policy again whenever its file changes
    #[arg(long)]
    pub watch_policy: bool,
    /// Ask this policy beside the current one and log where it differs; it decides nothing
    #[arg(long, value_name = "FILE")]
    pub shadow_policy: Option<PathBuf>,
}

impl Mcp {
    /// The settings, with what was typed over them.
    pub fn over(self, config: Config) -> Config {
        Config {
            watch_policy: self.watch_policy || config.watch_policy,
            shadow_policy: self.shadow_policy.or(config.shadow_policy),
            ..config
        }
    }
}

/// Run a command and pass its output through.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE, after_help = EXEC_STATUS)]
pub struct Exec {
    /// The command: one text (shell syntax works), or a program and its arguments as words
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub words: Vec<String>,
    /// Print the result as one JSON object instead of passing output through
    #[arg(long)]
    pub json: bool,
    /// Working directory
    #[arg(short = 'C', long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Set a variable (repeatable)
    #[arg(short, long, value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(OsString, OsString)>,
    /// Take a variable away (repeatable)
    #[arg(short, long, value_name = "NAME")]
    pub unset: Vec<OsString>,
    /// Begin with an empty environment
    #[arg(long)]
    pub clear_env: bool,
    /// End the tree after this many seconds, or 500ms, 5m, 2h [default: never]
    #[arg(short, long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
    /// Time between asking the tree to end and forcing it
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "2s")]
    pub grace: Duration,
    /// Agree to what the policy asks a person about
    #[arg(short, long)]
    pub yes: bool,
    /// Text to feed on standard input [default: our own is passed on]
    #[arg(long, value_name = "TEXT")]
    pub stdin: Option<String>,
    /// Run through a shell, whatever the text; =PROGRAM names one
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub shell: Option<String>,
    /// Bound each process: cpu_sec, rss_mb, fsize_mb or nofile (repeatable)
    #[arg(long, value_name = "NAME=N", value_parser = limit)]
    pub limit: Vec<(String, i64)>,
    /// Show at most this much of each stream [default: all, 256 with --json]
    #[arg(long, value_name = "KIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_output_kb: Option<u64>,
}

impl Exec {
    /// The command text: a single word as it is, several quoted so that each stays one argument.
    pub fn command(&self) -> String {
        match self.words.as_slice() {
            [text] => text.clone(),
            words => quote::join(words),
        }
    }
}

fn variable(text: &str) -> Result<(OsString, OsString), String> {
    match text.split_once('=') {
        Some(("", _)) => Err("the name is empty".into()),
        Some((name, value)) => Ok((name.into(), value.into())),
        None => Err("expected NAME=VALUE".into()),
    }
}

fn limit(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=N")?;
    let value: i64 = value
        .parse()
        .map_err(|_| format!("{value:?} is not a whole number"))?;
    Ok((name.to_owned(), value))
}

/// Reads `90`, `1.5`, `500ms`, `90s`, `5m` or `2h`.
pub fn time(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = UNITS
        .into_iter()
        .find_map(|(suffix, seconds)| Some((text.strip_suffix(suffix)?, seconds)))
        .unwrap_or((text, 1.0));
    let number: f64 = number
        .parse()
        .map_err(|_| "expected seconds, or 500ms, 90s, 5m, 2h")?;
    Duration::try_from_secs_f64(number * unit)
        .map_err(|_| "expected a time that is not negative and not endless".into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn exec(line: &[&str]) -> Exec {
        let args = Args::try_parse_from(["ostler", "exec"].iter().chain(line)).unwrap();
        match args.face {
            Face::Exec(exec) => *exec,
            _ => unreachable!("exec was asked for"),
        }
    }

    fn help(path: &[&str]) -> String {
        let mut command = Args::command().term_width(100);
        command.build();
        let mut found = &mut command;
        for name in path {
            found = found.find_subcommand_mut(name).unwrap();
        }
        found.render_help().to_string()
    }

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_help_teaches_the_tool_in_one_screen() {
        let help = help(&[]);
        assert_eq!(help, include_str!("../tests/help.txt"), "\n{help}");
        assert!(help.lines().count() <= 24, "{} lines", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn the_help_of_exec_fits_a_screen() {
        let help = help(&["exec"]);
        assert_eq!(help, include_str!("../tests/help-exec.txt"), "\n{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn one_word_is_a_command_text_and_several_are_arguments() {
        assert_eq!(exec(&["ls | wc -l"]).command(), "ls | wc -l");
        assert_eq!(exec(&["--", "ls", "-l", "a b"]).command(), "ls -l 'a b'");
        assert_eq!(exec(&["ls", "-l", "--json"]).command(), "ls -l --json");
    }

    #[test]
    fn a_shell_is_asked_for_with_and_without_a_name() {
        assert_eq!(exec(&["x"]).shell, None);
        assert_eq!(exec(&["--shell", "x"]).shell.as_deref(), Some("true"));
        assert_eq!(
            exec(&["--shell=/bin/dash", "x"]).shell.as_deref(),
            Some("/bin/dash")
        );
    }

    #[test]
    fn times_are_seconds_or_carry_a_unit() {
        assert_eq!(time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(time("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        for wrong in ["", "-1", "inf", "NaN", "five", "1e40"] {
            assert!(time(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_variable_needs_a_name_and_an_equals_sign() {
        assert_eq!(variable("A=b=c"), Ok(("A".into(), "b=c".into())));
        assert!(variable("A").is_err());
        assert!(variable("=b").is_err());
    }
}
