//! What a wrapper starts, and what becomes of the code on the way out.

use brush_parser::ast;

use super::blame::{Blame, MAX_DEPTH};
use super::launchers::{self, Launched};
use super::memory::shell_options;
use super::options::Options;
use super::reading::Evidence;
use super::row::Call;
use super::suspect::{Suspect, Through, base_name, is_of_the_project};
use super::{table, words};
use crate::model::Span;
use crate::syntax::wrappers::{Carried, Reader, peel};
use crate::syntax::{self, Via, Word};

/// What a wrapper starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Inner {
    /// A program and its arguments.
    Argv(Vec<String>),
    /// A script for a shell of its own.
    Script {
        /// The script.
        text: String,
        /// Whether that shell runs with `pipefail`.
        pipefail: bool,
        /// Whether that shell runs with `errexit`.
        errexit: bool,
    },
}

/// What a wrapper starts and how it passes the code on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reached {
    /// What it starts.
    pub inner: Inner,
    /// What that must have returned.
    pub code: i32,
    /// How the code was changed.
    pub through: Through,
    /// Whether the wrapper itself can have produced the code as well.
    pub own: Own,
}

/// Whether a code can be the wrapper's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// No: it has other codes for its own failures.
    No,
    /// Where what it starts is not to blame.
    Rarely,
    /// As likely as that of what it starts.
    Likely,
}

/// Where the scripts lie that start and stop services.
const INIT_SCRIPTS: [&str; 3] = ["/etc/init.d/", "/etc/rc.d/init.d/", "/etc/rc.d/"];

impl<'a> Blame<'a> {
    /// A program and its arguments: the program itself, or what it starts.
    pub(super) fn argv(&mut self, name: &str, args: Vec<String>, code: i32) -> Vec<Suspect> {
        // `/etc/init.d/web status` asks what `service web status` asks.
        if let Some(service) = INIT_SCRIPTS
            .iter()
            .find_map(|place| name.strip_prefix(place))
        {
            let args = std::iter::once(service.to_owned()).chain(args).collect();
            return vec![Suspect {
                word: name.to_owned(),
                ..Suspect::program("service", args, code)
            }];
        }
        // A program of the project that is called `test` or `find` answers nothing.
        let base = match base_name(name) {
            base if is_of_the_project(name) && table::asks(base) => name,
            base => base,
        };
        let own = |args| Suspect {
            word: name.to_owned(),
            ..Suspect::program(base, args, code)
        };
        if self.depth >= MAX_DEPTH {
            return vec![Suspect::unknown(code)];
        }
        let Some(reached) = of(base, &args, code, &self.evidence, self.input.as_deref()) else {
            return vec![own(args)];
        };
        self.depth += 1;
        let mut found = match reached.inner {
            Inner::Argv(argv) => match argv.split_first() {
                Some((name, rest)) => self.argv(name, rest.to_vec(), reached.code),
                None => Vec::new(),
            },
            Inner::Script {
                text,
                pipefail,
                errexit,
            } => {
                let outer = (self.pipefail, self.errexit);
                (self.pipefail, self.errexit) = (pipefail, errexit);
                let found = self.script(&text, reached.code, base);
                (self.pipefail, self.errexit) = outer;
                found
            }
        };
        self.depth -= 1;
        if reached.through != Through::Nothing {
            for suspect in &mut found {
                suspect.through = reached.through;
            }
        }
        if reached.own != Own::No || found.is_empty() {
            let mut wrapper = own(args);
            wrapper.unlikely |= reached.own == Own::Rarely;
            found.push(wrapper);
        }
        found
    }

    /// A script that `starter` runs: it has its own functions and variables.
    pub(super) fn script(&mut self, text: &str, code: i32, starter: &str) -> Vec<Suspect> {
        if self.depth >= MAX_DEPTH {
            return vec![Suspect::unknown(code)];
        }
        let Ok(program) = syntax::parse(text) else {
            return vec![Suspect::program(starter, Vec::new(), code)];
        };
        let mut inner = self.inherit();
        let found = inner.program(&program, code, None);
        self.budget = inner.budget;
        found
    }

    /// The script that a pipeline of one command hands to a shell, and that shell's settings.
    pub fn inner_script(&self, pipeline: &ast::Pipeline) -> Option<(String, Blame<'a>)> {
        let [ast::Command::Simple(simple)] = pipeline.seq.as_slice() else {
            return None;
        };
        let name = words::literal(simple.word_or_name.as_ref()?);
        let args = words::arguments(simple);
        let input = words::input(simple);
        let reached = of(base_name(&name), &args, 0, &self.evidence, input.as_deref())?;
        match reached.inner {
            Inner::Script {
                text,
                pipefail,
                errexit,
            } if self.depth < MAX_DEPTH => Some((
                text,
                Blame {
                    pipefail,
                    errexit,
                    ..self.inherit()
                },
            )),
            _ => None,
        }
    }
}

/// What a program starts, if it starts something and the code is not its own; `input` is the text that it reads.
pub(super) fn of(
    program: &str,
    args: &[String],
    code: i32,
    evidence: &Evidence<'_>,
    input: Option<&str>,
) -> Option<Reached> {
    match launchers::launched(program, args) {
        Some(Launched::Tool(tool)) => return Some(passed_on(Inner::Argv(tool), code, Own::No)),
        Some(Launched::Task) => return None,
        None => {}
    }
    let words: Vec<Word> = args
        .iter()
        .map(|arg| Word::text(arg, Span::default()))
        .collect();
    let peeled = peel(program, &words)?;
    let inner = inner(peeled.carried.last()?, peeled.via, args, input)?;
    let own_row = owns(program, args, code, evidence);
    match peeled.via {
        Via::Xargs => of_many_calls(program, inner, code),
        Via::FindExec => {
            // With `;` in place of `+` find ignores what the calls return.
            let own = match program {
                "fd" | "fdfind" => Own::Rarely,
                _ if args.iter().any(|arg| arg == "+") => Own::Likely,
                _ => return None,
            };
            let reached = passed_on(inner, code, own);
            (code == 1).then_some(Reached {
                through: Through::FindExec,
                ..reached
            })
        }
        _ if !peeled.passes_status => None,
        // The lock's own code is an ordinary one.
        Via::Wrapper if own_row && program == "flock" => Some(passed_on(inner, code, Own::Likely)),
        _ if own_row => None,
        Via::Wrapper | Via::ShellScript | Via::Eval => Some(passed_on(inner, code, Own::No)),
        Via::Privilege | Via::Ssh | Via::Container => {
            let own = if code == 1 { Own::Rarely } else { Own::No };
            Some(passed_on(inner, code, own))
        }
        _ => None,
    }
}

fn passed_on(inner: Inner, code: i32, own: Own) -> Reached {
    Reached {
        inner,
        code,
        through: Through::Nothing,
        own,
    }
}

/// `xargs` and `parallel` tell only that some call failed.
fn of_many_calls(program: &str, inner: Inner, code: i32) -> Option<Reached> {
    let some_call_failed = match program {
        "parallel" => (1..=101).contains(&code),
        _ => code == 123,
    };
    if some_call_failed {
        let reached = passed_on(inner, 1, Own::Rarely);
        return Some(Reached {
            through: Through::Xargs,
            ..reached
        });
    }
    matches!(code, 126 | 127).then(|| passed_on(inner, code, Own::No))
}

fn inner(carried: &Carried, via: Via, args: &[String], input: Option<&str>) -> Option<Inner> {
    match carried {
        Carried::Command(command) => {
            Some(Inner::Argv(command.words.iter().map(Word::shown).collect()))
        }
        Carried::Script(script) | Carried::InputScript(script) => match script.reader {
            Reader::Shell | Reader::SameShell | Reader::Elsewhere => {
                let (pipefail, errexit) = match via {
                    Via::ShellScript => shell_options(args),
                    _ => (None, None),
                };
                Some(Inner::Script {
                    text: match carried {
                        Carried::InputScript(_) => input?.to_owned(),
                        _ => script.text.shown(),
                    },
                    pipefail: pipefail.unwrap_or_default(),
                    errexit: errexit.unwrap_or_default(),
                })
            }
            Reader::Powershell | Reader::Cmd | Reader::Make => None,
        },
        _ => None,
    }
}

/// Whether the code is one of the wrapper's own.
fn owns(program: &str, args: &[String], code: i32, evidence: &Evidence<'_>) -> bool {
    let options = Options::of(program, args);
    let call = Call {
        program,
        options: &options,
        stderr: evidence.stderr,
        dialect: evidence.dialect,
    };
    table::wrappers().any(|tool| tool.holds(&call) && tool.row(code).is_some())
}
