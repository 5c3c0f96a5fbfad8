//! Programs that run another program by name (`npx`, `bundle exec`, `python -m`): the rules look
//! at what they run.

use super::report::Call;
use crate::syntax::Word;

/// One runner: its program, the words after it, and the options of its own that take a value.
struct Runner {
    program: &'static str,
    /// Words between the runner and what it runs, blanks between, `|` between spellings.
    words: &'static str,
    /// Options (with dashes) whose value is the next word.
    with_value: &'static str,
}

const fn row(program: &'static str, words: &'static str, with_value: &'static str) -> Runner {
    Runner {
        program,
        words,
        with_value,
    }
}

#[rustfmt::skip]
const RUNNERS: &[Runner] = &[
    row("bun", "x", "--package"),
    row("bundle", "exec", "--gemfile"),
    row("bunx", "", "--package"),
    row("composer", "exec", "--working-dir -d"),
    row("conda", "run", "-n --name -p --prefix"),
    row("corepack", "", ""),
    row("dotnet", "tool run", ""),
    row("dotnet", "ef", ""),
    row("hatch", "run", ""),
    row("heroku", "run", "-a --app -s --size -e --env -r --remote"),
    row("npm", "exec|x", "--package -p --workspace -w"),
    row("npx", "", "--package -p --cache --userconfig"),
    row("pdm", "run", "-p --project"),
    row("php", "artisan", ""),
    row("php", "bin/console", ""),
    row("pipenv", "run", ""),
    row("pipx", "run", "--spec"),
    row("pnpm", "exec|dlx", "--package --filter -F -C --dir"),
    row("pnpx", "", "--package"),
    row("poetry", "run", "-C --directory"),
    row("python", "-m", ""),
    row("python3", "-m", ""),
    row("py", "-m", ""),
    row("python", "manage.py", ""),
    row("python3", "manage.py", ""),
    row("python", "setup.py", ""),
    row("python3", "setup.py", ""),
    row("rye", "run", ""),
    row("spring", "", ""),
    row("symfony", "console", ""),
    row("uv", "run", "--with --python -p --extra --group --project --directory --env-file"),
    row("uv", "tool run", "--from --with"),
    row("uvx", "", "--from --with --python -p"),
    row("yarn", "exec|dlx|run", "--package --cwd"),
    row("yarn", "", "--cwd"),
];

/// What a runner runs: its name and arguments, if the call is one of a runner.
pub(super) fn inner<'a>(call: &Call<'a>) -> Option<(String, &'a [Word])> {
    let rows = RUNNERS.iter().filter(|row| row.program == call.name);
    rows.into_iter().find_map(|row| take_off(row, call.args))
}

fn take_off<'a>(row: &Runner, args: &'a [Word]) -> Option<(String, &'a [Word])> {
    let mut at = skip_options(row, args, 0);
    let mut script = None;
    for part in row.words.split(' ').filter(|part| !part.is_empty()) {
        at = if part.starts_with('-') {
            at.min(
                args.iter()
                    .position(|w| w.literal().as_deref() == Some(part))?,
            )
        } else {
            at
        };
        let word = args.get(at)?.literal()?;
        let name = word.rsplit('/').next().unwrap_or(&word);
        if !part.split('|').any(|wanted| {
            wanted == word || wanted == name || wanted.rsplit('/').next() == Some(name)
        }) {
            return None;
        }
        at += 1;
        // `php artisan x` and `python manage.py x` are judged under the script's name.
        script = matches!(
            name,
            "artisan" | "console" | "manage.py" | "setup.py" | "ef"
        )
        .then(|| name.to_owned());
    }
    if let Some(script) = script {
        let script = if script == "ef" {
            "dotnet-ef".to_owned()
        } else {
            script
        };
        return Some((script, &args[at..]));
    }
    at = skip_options(row, args, at);
    let word = args.get(at)?.literal()?;
    let name = word.rsplit('/').next().unwrap_or(&word);
    // `npx rimraf@5`.
    let name =
        name.split_once('@').map_or(
            name,
            |(name, _)| if name.is_empty() { word.as_str() } else { name },
        );
    Some((name.to_owned(), &args[at + 1..]))
}

/// The first word that is no option of the runner.
fn skip_options(row: &Runner, args: &[Word], mut at: usize) -> usize {
    if row.words.starts_with('-') {
        return at;
    }
    while let Some(text) = args.get(at).map(Word::shown) {
        if text == "--" {
            return at + 1;
        }
        if !text.starts_with('-') {
            break;
        }
        let takes_value = row.with_value.split(' ').any(|option| option == text);
        at += if takes_value { 2 } else { 1 };
    }
    at
}
