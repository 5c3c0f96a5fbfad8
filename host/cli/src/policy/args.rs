//! What can be typed after `ostler policy`.

use std::path::PathBuf;

use clap::{Args as Arguments, Subcommand, ValueEnum};

const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}";

const EXAMPLES: &str = "\
\x1b[1mExamples:\x1b[0m
  ostler policy check 'rm -rf ~/old'              what would be found, and what would run
  ostler policy check --exit 1 'grep x f'         what this exit code means
  ostler policy test my.wasm --corpus rows.jsonl  how good a policy is
  ostler policy new my-policy --lang rust         begin an own one";

const CHECK_HELP: &str = "\
\x1b[1mBatch:\x1b[0m
  One JSON object a line on standard input: \"command\" and, where they matter, \"shell\", \"os\",
  \"cwd\", \"exit_code\" (-N for signal N), \"timed_out\", \"stderr\" and \"id\". One line of JSON for each
  comes back, with its \"id\".

\x1b[1mExit status:\x1b[0m
  0 answered; 1 with --strict where something is destructive, not understood or not allowed; 2
  wrong usage, or a policy that cannot be used.";

const CORPUS_HELP: &str = "\
\x1b[1mCorpus:\x1b[0m
  JSON lines. A row with \"command\" and \"destructive\" (true or false) is judged, one with
  \"exit_code\" and \"status\" is classified, one with \"route\" (\"direct\" with \"argv\", or \"shell\") is
  planned. \"shell\" names the language, the first of \"categories\" the family.

\x1b[1mExit status:\x1b[0m
  0, or 1 where a row is judged wrongly.";

/// Try, inspect, score and write policies. Nothing is run.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE, after_help = EXAMPLES)]
pub struct Policy {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What can be done with policies.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Judge a command without running it
    Check(Check),
    /// List what the policy can find
    Rules(Rules),
    /// Tell what a component is and would be allowed
    Inspect(Inspect),
    /// Score a policy over labelled commands
    Test(Test),
    /// Begin a policy of your own
    New(New),
    /// Ask a policy what an audit file's commands were asked, and tell what would change
    Replay(Replay),
    /// Measure what a policy costs
    Bench(Bench),
}

/// Judge a command without running it.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE, after_help = CHECK_HELP)]
pub struct Check {
    /// The command text
    #[arg(required_unless_present = "batch")]
    pub command: Option<String>,
    /// Judge the lines of standard input instead
    #[arg(long, conflicts_with_all = ["command", "exit", "signal", "stderr"])]
    pub batch: bool,
    /// Also say what this exit code means; -N = signal N
    #[arg(long, value_name = "CODE", allow_hyphen_values = true)]
    pub exit: Option<i32>,
    /// Also say what the end by this signal means
    #[arg(long, value_name = "NUMBER", conflicts_with = "exit")]
    pub signal: Option<u16>,
    /// What the command wrote to stderr, where that decides
    #[arg(long, value_name = "TEXT")]
    pub stderr: Option<String>,
    /// Interpreter: bash, powershell, cmd, or a program [default: the policy decides]
    #[arg(long, value_name = "SHELL")]
    pub shell: Option<String>,
    /// Operating system: linux, macos, windows [default: this one]
    #[arg(long, value_name = "OS")]
    pub os: Option<String>,
    /// Working directory [default: this one]
    #[arg(short = 'C', long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Exit with 1 where something is destructive, not understood or not allowed
    #[arg(long)]
    pub strict: bool,
}

/// List what the policy can find.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE)]
pub struct Rules {
    /// Only these: a rule, or a family such as git
    pub filter: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Tell what a component is and would be allowed.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE)]
pub struct Inspect {
    /// The component
    pub file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Score a policy over labelled commands.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE, after_help = CORPUS_HELP)]
pub struct Test {
    /// The component; "default" = the built-in one
    pub file: PathBuf,
    /// Labelled commands in JSON lines
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub corpus: Vec<PathBuf>,
    /// Show the rows that this policy judges otherwise
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Begin a policy of your own.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE)]
pub struct New {
    /// The folder to make
    pub folder: PathBuf,
    /// The language to write it in
    #[arg(long, value_enum)]
    pub lang: Language,
}

/// Languages that there is a beginning for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// For wasm32-wasip2
    Rust,
    /// By way of jco's QuickJS backend
    Js,
    /// By way of componentize-py
    Python,
}

/// Ask a policy what an audit file's commands were asked.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE)]
pub struct Replay {
    /// The audit file; the policy is that of --policy
    pub file: PathBuf,
    /// Print one JSON object for each difference
    #[arg(long)]
    pub json: bool,
}

/// Measure what a policy costs.
#[derive(Debug, Arguments)]
#[command(help_template = TEMPLATE)]
pub struct Bench {
    /// Labelled commands to ask [default: the policy's own examples]
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub corpus: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
