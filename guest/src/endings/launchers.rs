//! Package managers and interpreters that run another tool by its name and pass its exit code on.

use super::suspect::base_name;
use super::table;

/// How a launcher names the tool: behind these first words, options skipped.
struct Launcher {
    names: &'static [&'static str],
    /// Its subcommand, if it needs one.
    path: &'static [&'static str],
    /// Its options that take their value from the next word.
    valued: &'static [&'static str],
    /// Operands between the subcommand and the tool, such as a toolchain.
    skipped: usize,
}

const fn launcher(
    names: &'static [&'static str],
    path: &'static [&'static str],
    valued: &'static [&'static str],
) -> Launcher {
    Launcher {
        names,
        path,
        valued,
        skipped: 0,
    }
}

const PYTHON_PACKAGES: &[&str] = &[
    "--with",
    "--from",
    "-p",
    "--python",
    "--extra",
    "--group",
    "--project",
    "--env-file",
];

const LAUNCHERS: &[Launcher] = &[
    launcher(
        &["npx", "bunx", "pnpx"],
        &[],
        &["-p", "--package", "-w", "--workspace"],
    ),
    launcher(
        &["npm"],
        &["exec"],
        &["-p", "--package", "-w", "--workspace", "--prefix"],
    ),
    launcher(
        &["npm"],
        &["x"],
        &["-p", "--package", "-w", "--workspace", "--prefix"],
    ),
    launcher(
        &["pnpm", "yarn"],
        &["exec"],
        &["-C", "--dir", "-F", "--filter", "--cwd"],
    ),
    launcher(
        &["pnpm", "yarn"],
        &["dlx"],
        &["-p", "--package", "-C", "--dir"],
    ),
    launcher(&["bun"], &["x"], &[]),
    launcher(&["uv", "rye", "pdm", "hatch"], &["run"], PYTHON_PACKAGES),
    launcher(&["uv"], &["tool", "run"], PYTHON_PACKAGES),
    launcher(&["uvx", "pipx"], &[], PYTHON_PACKAGES),
    launcher(
        &["poetry", "pipenv"],
        &["run"],
        &["-C", "--directory", "-P", "--project"],
    ),
    launcher(&["bundle"], &["exec"], &["--gemfile"]),
    launcher(&["mise", "rtx"], &["exec"], &["-C", "--cd"]),
    Launcher {
        names: &["rustup"],
        path: &["run"],
        valued: &[],
        skipped: 1,
    },
];

/// Interpreters that are often given a tool's script: `node node_modules/.bin/eslint`.
const INTERPRETERS: &[&str] = &[
    "node", "nodejs", "php", "ruby", "perl", "python", "python2", "python3", "bun", "deno",
];

/// What a launcher runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Launched {
    /// A tool, with its arguments.
    Tool(Vec<String>),
    /// A task that the project defines.
    Task,
}

/// What a launcher or an interpreter runs, if this is one.
pub(super) fn launched(program: &str, args: &[String]) -> Option<Launched> {
    match LAUNCHERS
        .iter()
        .find(|launcher| launcher.runs(program, args))
    {
        Some(launcher) => launcher.launched(args),
        None => module_or_script(program, args).map(Launched::Tool),
    }
}

/// The tool that an interpreter runs as a module or as a script.
fn module_or_script(program: &str, args: &[String]) -> Option<Vec<String>> {
    if program.starts_with("python") || program.starts_with("pypy") {
        let Some(module) = args.iter().position(|arg| arg == "-m") else {
            return script_of_a_tool(program, args);
        };
        let before = args.get(..module)?;
        let options_only = before.iter().enumerate().all(|(index, arg)| {
            let value = index > 0 && matches!(before[index - 1].as_str(), "-W" | "-X");
            arg.starts_with('-') || value
        });
        return args
            .get(module + 1..)
            .filter(|_| options_only)
            .map(<[String]>::to_vec);
    }
    script_of_a_tool(program, args)
}

/// The script that an interpreter runs, if the table knows it as a tool.
fn script_of_a_tool(program: &str, args: &[String]) -> Option<Vec<String>> {
    if !INTERPRETERS.contains(&program) {
        return None;
    }
    let (script, rest) = args.split_first()?;
    // `test.py` and `find.js` are the project's own.
    if !is_installed(script) {
        return None;
    }
    let name = base_name(script);
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if script.starts_with('-') || !table::knows(name) {
        return None;
    }
    let tool = std::iter::once(name.to_owned()).chain(rest.iter().cloned());
    Some(tool.collect())
}

/// Whether a script lies where package managers put those of tools.
fn is_installed(script: &str) -> bool {
    const PLACES: [&str; 5] = ["bin", ".bin", "node_modules", "vendor", "site-packages"];
    script
        .rsplit_once(['/', '\\'])
        .is_some_and(|(directory, _)| {
            directory
                .split(['/', '\\'])
                .any(|part| PLACES.contains(&part))
        })
}

/// Whether the words are `test` without a condition: a task of the project, not the tool.
fn is_task(name: &str, args: &[String]) -> bool {
    let is_operator = |arg: &String| {
        matches!(arg.as_str(), "=" | "==" | "!=" | "!") || arg.starts_with('-') && arg.len() == 2
    };
    name == "test" && !args.iter().any(is_operator)
}

impl Launcher {
    fn runs(&self, program: &str, args: &[String]) -> bool {
        let words = args.iter().filter(|arg| !arg.starts_with('-'));
        self.names.contains(&program)
            && words
                .map(String::as_str)
                .take(self.path.len())
                .eq(self.path.iter().copied())
    }

    fn launched(&self, args: &[String]) -> Option<Launched> {
        let mut to_skip = self.path.len() + self.skipped;
        let mut words = args.iter();
        while let Some(word) = words.next() {
            if word == "--" && to_skip == 0 {
                continue;
            }
            if word.starts_with('-') {
                if self.valued.contains(&word.as_str()) {
                    words.next();
                }
                continue;
            }
            if to_skip > 0 {
                to_skip -= 1;
                continue;
            }
            let name = without_version(word);
            if is_task(name, words.as_slice()) {
                return Some(Launched::Task);
            }
            let tool = std::iter::once(name.to_owned()).chain(words.cloned());
            return Some(Launched::Tool(tool.collect()));
        }
        None
    }
}

/// `eslint@8` is eslint; `@scope/tool@1` is tool.
fn without_version(word: &str) -> &str {
    let bare = word.strip_prefix('@').unwrap_or(word);
    let bare = bare.split_once('@').map_or(bare, |(name, _)| name);
    if word.starts_with('@') {
        base_name(bare)
    } else {
        bare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_by(line: &str) -> Option<String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (program, args) = words.split_first()?;
        match launched(program, args)? {
            Launched::Tool(tool) => Some(tool.join(" ")),
            Launched::Task => None,
        }
    }

    #[test]
    fn a_launcher_is_seen_through() {
        for (line, tool) in [
            ("npx --yes -p typescript tsc --noEmit", "tsc --noEmit"),
            ("npx eslint@8 .", "eslint ."),
            ("npm exec -- prettier --check .", "prettier --check ."),
            ("uv run --with x pytest -q", "pytest -q"),
            ("python3 -W error -m pytest", "pytest"),
            ("python -m mypy src", "mypy src"),
            ("bundle exec rspec", "rspec"),
            ("rustup run nightly cargo test", "cargo test"),
            ("node node_modules/.bin/eslint .", "eslint ."),
            ("php vendor/bin/phpunit", "phpunit"),
            ("ruby bin/rspec -f d", "rspec -f d"),
            ("poetry run test -f x", "test -f x"),
        ] {
            assert_eq!(run_by(line).as_deref(), Some(tool), "{line}");
        }
    }

    #[test]
    fn what_runs_nothing_else_is_left_alone() {
        for line in [
            "uv pip install x",
            "npm test",
            "node app.js",
            "python app.py -m x",
            "python test.py",
            "node src/find.js",
            "bun test",
            "hatch run test",
            "npx",
        ] {
            assert_eq!(run_by(line), None, "{line}");
        }
    }
}
