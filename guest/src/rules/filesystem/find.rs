//! `find` and the deletes that lists of files are fed to.

use super::destination::{Writer, check};
use crate::model::Severity::{Caution, Danger};
use crate::rules::place::{Place, Target, is_cache_name};
use crate::rules::report::{Call, Report};
use crate::rules::stdin;
use crate::syntax::{Stdin, Word};

/// How far a search reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Only scratch directories, caches, or nothing that asks can lose.
    Scratch,
    /// A root, a home or the whole working tree, with no filter.
    Root,
    /// Anything else.
    Open,
}

/// The scope of the search that feeds a delete reached through `find -exec`, `fd -x` or `xargs`.
pub(super) fn carrier_scope(call: &Call<'_>) -> Scope {
    let before = call.all.invocations[..call.index].iter().enumerate().rev();
    for (index, invocation) in before {
        let Some(name) = invocation.program.as_deref() else {
            continue;
        };
        let carrier = Call {
            index,
            name,
            args: &invocation.args,
            ..*call
        };
        match name {
            "find" | "gfind" => {
                let search = Search::parse(&invocation.args);
                let asked = search.asks && !search.executes && !stdin::answers_yes(&carrier);
                return if asked {
                    Scope::Scratch
                } else {
                    search.scope(carrier.cwd())
                };
            }
            "fd" | "fdfind" => return Scope::Open,
            "xargs" | "parallel" => {
                let Stdin::Pipe(sources) = &invocation.stdin else {
                    return Scope::Open;
                };
                let [source] = sources.as_slice() else {
                    return Scope::Open;
                };
                let Some(source) = call.all.invocations.get(*source) else {
                    return Scope::Open;
                };
                return match source.program.as_deref() {
                    Some("find" | "gfind") => {
                        Search::parse(&source.args).scope(source.cwd.as_deref())
                    }
                    _ => Scope::Open,
                };
            }
            _ => {}
        }
    }
    Scope::Open
}

/// What a `find` command line asks for.
#[derive(Default)]
struct Search<'a> {
    starts: Vec<&'a Word>,
    /// Name patterns that an entry must match.
    names: Vec<String>,
    negated: bool,
    filtered: bool,
    empty_directories: bool,
    deletes: bool,
    executes: bool,
    asks: bool,
    /// Whether what it asks about is a delete.
    asks_to_delete: bool,
    help: bool,
    written: Vec<&'a Word>,
}

/// Tests and actions with one argument.
#[rustfmt::skip]
const WITH_ARGUMENT: &[&str] = &[
    "-amin", "-anewer", "-atime", "-cmin", "-cnewer", "-context", "-ctime", "-files0-from", "-fls",
    "-fprint", "-fprint0", "-fstype", "-gid", "-group", "-ilname", "-iname", "-inum", "-ipath",
    "-iregex", "-iwholename", "-links", "-lname", "-maxdepth", "-mindepth", "-mmin", "-mtime",
    "-name", "-newer", "-path", "-perm", "-printf", "-regex", "-regextype", "-samefile", "-size",
    "-type", "-uid", "-used", "-user", "-wholename", "-xtype",
];

impl<'a> Search<'a> {
    fn parse(args: &'a [Word]) -> Self {
        let mut search = Self::default();
        let mut words = args.iter().peekable();
        // Options that stand before the starting points.
        while let Some(word) = words.peek() {
            match word.literal().as_deref() {
                Some("-H" | "-L" | "-P") => drop(words.next()),
                Some("-D") => drop((words.next(), words.next())),
                Some(text) if text.starts_with("-O") => drop(words.next()),
                _ => break,
            }
        }
        while let Some(word) = words.next_if(|word| !begins_expression(word)) {
            search.starts.push(word);
        }
        let (mut file_type, mut empty) = (None, false);
        while let Some(word) = words.next() {
            let text = word.shown();
            match text.as_str() {
                "-delete" => search.deletes = true,
                "-help" | "--help" | "-version" | "--version" => search.help = true,
                "!" | "-not" | "-o" | "-or" => search.negated = true,
                "-empty" => empty = true,
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    if text.starts_with("-ok") {
                        search.asks = true;
                        search.asks_to_delete |= words.peek().is_some_and(|word| deletes(word));
                    } else {
                        search.executes = true;
                    }
                    for part in words.by_ref() {
                        if part.is(";") || part.is("+") {
                            break;
                        }
                    }
                }
                "-fprintf" => {
                    search.written.extend(words.next());
                    words.next();
                }
                "-fprint" | "-fprint0" | "-fls" => search.written.extend(words.next()),
                "-name" | "-iname" => {
                    search.filtered = true;
                    search.names.extend(words.next().map(Word::shown));
                }
                "-type" => file_type = words.next().and_then(Word::literal),
                // How deep to look is no filter.
                "-maxdepth" | "-mindepth" => drop(words.next()),
                other if WITH_ARGUMENT.contains(&other) || other.starts_with("-newer") => {
                    search.filtered = true;
                    words.next();
                }
                _ => {}
            }
        }
        search.filtered |= file_type.is_some();
        search.empty_directories = empty && file_type.as_deref() == Some("d");
        search
    }

    fn scope(&self, cwd: Option<&str>) -> Scope {
        let places: Vec<Place> = self
            .starts
            .iter()
            .map(|word| Target::of(word, cwd).place)
            .collect();
        let scratch = |place: &Place| matches!(place, Place::Temporary | Place::Cache);
        let in_scratch = match places.as_slice() {
            [] => cwd.is_some_and(|cwd| scratch(&Target::of_text(cwd, None).place)),
            places => places.iter().all(scratch),
        };
        let generated = |name: &String| {
            is_cache_name(name)
                || matches!(name.as_str(), "*.pyc" | "*.pyo" | "*.py[co]" | "*.class")
        };
        let caches_only =
            !self.negated && !self.names.is_empty() && self.names.iter().all(generated);
        if in_scratch || caches_only || self.empty_directories {
            Scope::Scratch
        } else if !self.filtered && places.contains(&Place::Root) {
            Scope::Root
        } else {
            Scope::Open
        }
    }
}

/// Whether a program deletes the files that it is given.
fn deletes(program: &Word) -> bool {
    let name = program.shown();
    matches!(
        name.rsplit('/').next(),
        Some("rm" | "unlink" | "shred" | "truncate")
    )
}

/// Whether the starting points end here.
fn begins_expression(word: &Word) -> bool {
    let text = word.shown();
    (text.starts_with('-') && text.len() > 1) || matches!(text.as_str(), "(" | ")" | "!" | ",")
}

/// `find` itself: `-delete` and the actions that write files. Programs that it starts are judged
/// as such.
pub(in crate::rules) fn find(call: &Call<'_>, report: &mut Report) {
    let search = Search::parse(call.args);
    if search.help {
        return;
    }
    for word in &search.written {
        check(
            Writer::new(call, "the list of find"),
            &Target::of(word, call.cwd()),
            &word.shown(),
            report,
        );
    }
    let agreed = search.asks_to_delete && stdin::answers_yes(call);
    if !search.deletes && !agreed {
        return;
    }
    let severity = match search.scope(call.cwd()) {
        Scope::Scratch => return,
        Scope::Root => Danger,
        Scope::Open => Caution,
    };
    report.add(
        "fs.find-delete",
        severity,
        "deletes everything that find comes to, before any later test",
        call.span(),
    );
}
