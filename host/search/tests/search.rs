//! Searching a tree of files: what is found, in which order, what is left out and told, and what ends it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ostler_search::{
    Binary, Case, Ended, FileLines, FileQuery, FileReport, IgnoreFiles, Limits, Mode, Query, Scope,
    SearchError, Stop, TextReport, Wanted, expand_pattern, find_files, find_text,
};
use tempfile::TempDir;

const NO_LIMITS: Limits = Limits {
    max_results: u64::MAX,
    max_bytes: u64::MAX,
    time: None,
};

/// Files with their content, in a folder of their own.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn scope(folder: &Path) -> Scope {
    Scope::below(folder.to_owned())
}

fn text_within(query: &Query, scope: &Scope, limits: &Limits) -> (Vec<FileLines>, TextReport) {
    let mut all = Vec::new();
    let report = find_text(query, scope, limits, &Stop::default(), |found| {
        all.push(found);
        ControlFlow::Continue(())
    });
    (all, report.unwrap())
}

fn text(query: &Query, scope: &Scope) -> (Vec<FileLines>, TextReport) {
    text_within(query, scope, &NO_LIMITS)
}

/// Paths below the root with the numbers of their matching lines.
fn places(found: &[FileLines], root: &Path) -> Vec<(String, Vec<u64>)> {
    let place = |found: &FileLines| {
        let path = found
            .path
            .strip_prefix(root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let lines = found.lines.iter().filter(|line| line.is_match);
        (path, lines.map(|line| line.number).collect())
    };
    found.iter().map(place).collect()
}

fn names(found: &[FileLines], root: &Path) -> Vec<String> {
    places(found, root)
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

fn files_within(pattern: &str, scope: &Scope, limits: &Limits) -> (Vec<String>, FileReport) {
    let query = FileQuery {
        pattern: expand_pattern(pattern),
        ignore_case: false,
        wanted: Wanted::Files,
    };
    let mut all = Vec::new();
    let report = find_files(&query, scope, limits, &Stop::default(), |path| {
        let path = path.strip_prefix(&scope.root).unwrap();
        all.push(path.to_string_lossy().into_owned());
        ControlFlow::Continue(())
    });
    (all, report.unwrap())
}

fn files(pattern: &str, scope: &Scope) -> Vec<String> {
    files_within(pattern, scope, &NO_LIMITS).0
}

#[test]
fn matches_come_in_the_order_of_paths_and_lines() {
    let mut content = Vec::new();
    for number in 0..200 {
        content.push((
            format!("d{}/f{number:03}.txt", number % 7),
            "x\nneedle\ny\nneedle\n".to_owned(),
        ));
    }
    let refs: Vec<_> = content
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let folder = tree(&refs);
    let (found, report) = text(&Query::pattern("needle"), &scope(folder.path()));
    let places = places(&found, folder.path());
    let mut sorted = places.clone();
    sorted.sort();
    assert_eq!(places, sorted);
    assert!(places.iter().all(|(_, lines)| *lines == [2, 4]));
    assert_eq!(
        (report.matched, report.files_matched, report.ended),
        (400, 200, Ended::Complete)
    );
    assert_eq!(report.tally.files, 200);
}

#[test]
fn what_is_left_out_is_counted_by_its_reason() {
    let folder = tree(&[
        (".git/HEAD", "x"),
        (".gitignore", "*.log\n/build\n"),
        (".hidden/a", "needle"),
        ("build/a", "needle"),
        ("a.log", "needle"),
        ("bin", "a\0b needle"),
        ("ok", "needle"),
    ]);
    symlink("ok", folder.path().join("link")).unwrap();
    let fifo = folder.path().join("fifo");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRUSR).unwrap();
    let (found, report) = text(&Query::pattern("needle"), &scope(folder.path()));
    assert_eq!(names(&found, folder.path()), ["ok"]);
    let skipped = report.tally.skipped;
    assert_eq!((skipped.hidden, skipped.ignored), (3, 2));
    assert_eq!((skipped.binary, skipped.special, skipped.links), (1, 1, 1));
    assert_eq!(report.tally.binary, [folder.path().join("bin")]);
    assert_eq!(report.ended, Ended::Complete);
}

#[test]
fn what_was_left_out_is_found_where_it_is_asked_for() {
    let folder = tree(&[
        (".git/x", ""),
        (".gitignore", "*.log\n"),
        (".hidden", "needle"),
        ("a.log", "needle"),
        ("bin", "a\0b needle"),
    ]);
    let mut scope = scope(folder.path());
    let mut query = Query::pattern("needle");
    scope.hidden = true;
    assert_eq!(names(&text(&query, &scope).0, folder.path()), [".hidden"]);
    scope.ignore_files = IgnoreFiles::NONE;
    query.binary = Binary::Text;
    assert_eq!(
        names(&text(&query, &scope).0, folder.path()),
        [".hidden", "a.log", "bin"]
    );
}

#[test]
fn a_file_that_is_named_is_searched_whatever_the_rules() {
    let folder = tree(&[
        (".git/x", ""),
        (".gitignore", "*\n"),
        (".a.log", "needle\0\nneedle"),
    ]);
    let named = Scope::below(folder.path().join(".a.log"));
    let (found, report) = text(&Query::pattern("needle"), &named);
    assert_eq!((found.len(), report.matched), (1, 2));
}

#[test]
fn ignore_files_of_every_level_hold_and_deeper_ones_win() {
    let folder = tree(&[
        (".git/x", ""),
        (".git/info/exclude", "*.excluded\n"),
        (".gitignore", "*.a\n"),
        (".ignore", "*.b\n!keep.b\n"),
        ("x.a", "n"),
        ("x.b", "n"),
        ("keep.b", "n"),
        ("x.excluded", "n"),
        ("sub/.gitignore", "!x.a\n*.c\n"),
        ("sub/x.a", "n"),
        ("sub/x.c", "n"),
        ("sub/.rgignore", "*.d\n"),
        ("sub/x.d", "n"),
        ("sub/inner/.git/x", ""),
        ("sub/inner/x.c", "n"),
        ("sub/inner/x.b", "n"),
    ]);
    let query = Query::pattern("n");
    let (found, _) = text(&query, &scope(folder.path()));
    assert_eq!(
        names(&found, folder.path()),
        ["keep.b", "sub/inner/x.c", "sub/x.a"]
    );
    // Those above a root hold below it.
    let sub = folder.path().join("sub");
    let (found, _) = text(&query, &scope(&sub));
    assert_eq!(names(&found, &sub), ["inner/x.c", "x.a"]);
}

#[test]
fn gitignore_holds_only_in_repositories() {
    let folder = tree(&[(".gitignore", "a\n"), ("a", "n")]);
    let mut scope = scope(folder.path());
    assert_eq!(text(&Query::pattern("n"), &scope).1.matched, 1);
    scope.ignore_files.require_repository = false;
    assert_eq!(text(&Query::pattern("n"), &scope).1.matched, 0);
}

#[test]
fn a_glob_chooses_among_what_is_not_ignored() {
    let folder = tree(&[
        (".git/x", ""),
        (".gitignore", "node_modules\n"),
        ("node_modules/x.md", "n"),
        ("a.md", "n"),
        ("sub/b.md", "n"),
        ("sub/c.rs", "n"),
    ]);
    let mut scope = scope(folder.path());
    scope.globs = vec!["*.md".into()];
    let query = Query::pattern("n");
    assert_eq!(
        names(&text(&query, &scope).0, folder.path()),
        ["a.md", "sub/b.md"]
    );
    scope.globs = vec!["sub/*".into(), "!*.rs".into()];
    assert_eq!(names(&text(&query, &scope).0, folder.path()), ["sub/b.md"]);
    scope.globs = vec!["*.nothing".into()];
    let report = text(&query, &scope).1;
    assert_eq!((report.tally.wanted, report.tally.unwanted), (0, 3));
}

#[test]
fn lines_and_names_that_are_no_utf8_come_back_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"n\xff\nx.txt");
    fs::write(folder.path().join(name), b"caf\xe9 needle\r\n").unwrap();
    let (found, _) = text(&Query::pattern("needle"), &scope(folder.path()));
    assert_eq!(found[0].path, folder.path().join(name));
    let line = &found[0].lines[0];
    assert_eq!(line.bytes, b"caf\xe9 needle");
    assert_eq!((line.spans[0].clone(), line.column()), (5..11, 6));
    let (found, _) = files_within("*.txt", &scope(folder.path()), &NO_LIMITS);
    assert_eq!(found.len(), 1);
}

#[test]
fn a_file_with_a_byte_order_mark_is_read_in_its_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let utf16: Vec<u8> = "\u{feff}one\nneedle ä\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    fs::write(folder.path().join("a"), utf16).unwrap();
    let (found, _) = text(&Query::pattern("needle"), &scope(folder.path()));
    assert_eq!(found[0].lines[0].bytes, "needle ä".as_bytes());
}

#[test]
fn context_is_told_apart_from_matches() {
    let folder = tree(&[("a", "1\n2\nneedle\n4\n5\n")]);
    let query = Query {
        before: 1,
        after: 1,
        ..Query::pattern("needle")
    };
    let (found, report) = text(&query, &scope(folder.path()));
    let lines: Vec<_> = found[0]
        .lines
        .iter()
        .map(|it| (it.number, it.is_match))
        .collect();
    assert_eq!(lines, [(2, false), (3, true), (4, false)]);
    assert_eq!(report.matched, 1);
}

#[test]
fn the_switches_of_a_query_mean_what_they_say() {
    let folder = tree(&[("a", "Needle\nneedles\na.b\naxb\nend\nbegin\nend\n")]);
    let lines = |query: Query| {
        let (found, _) = text(&query, &scope(folder.path()));
        places(&found, folder.path())
            .into_iter()
            .flat_map(|(_, lines)| lines)
            .collect::<Vec<_>>()
    };
    let query = Query::pattern;
    assert_eq!(lines(query("needle")), [2]);
    assert_eq!(
        lines(Query {
            case: Case::Insensitive,
            ..query("needle")
        }),
        [1, 2]
    );
    assert_eq!(
        lines(Query {
            case: Case::Smart,
            ..query("Needle")
        }),
        [1]
    );
    assert_eq!(
        lines(Query {
            word: true,
            case: Case::Insensitive,
            ..query("needle")
        }),
        [1]
    );
    assert_eq!(
        lines(Query {
            whole_line: true,
            ..query("needle.")
        }),
        [2]
    );
    assert_eq!(
        lines(Query {
            fixed_strings: true,
            ..query("a.b")
        }),
        [3]
    );
    assert_eq!(
        lines(Query {
            invert: true,
            ..query("e")
        }),
        [3, 4]
    );
    assert_eq!(
        lines(Query {
            max_per_file: Some(1),
            ..query("end")
        }),
        [5]
    );
    assert_eq!(
        lines(Query {
            multi_line: true,
            ..query("begin\\nend")
        }),
        [6]
    );
    let two = Query {
        patterns: vec!["axb".into(), "begin".into()],
        ..query("")
    };
    assert_eq!(lines(two), [4, 6]);
    let (found, report) = text(
        &Query {
            mode: Mode::Count,
            ..query("n")
        },
        &scope(folder.path()),
    );
    assert_eq!(
        (found[0].matched, found[0].lines.len(), report.matched),
        (4, 0, 4)
    );
}

#[test]
fn a_limit_ends_a_search_only_where_there_is_more() {
    let folder = tree(&[("a", "n\nn\n"), ("b", "n\n")]);
    let limits = |max_results| Limits {
        max_results,
        ..NO_LIMITS
    };
    let (_, report) = text_within(&Query::pattern("n"), &scope(folder.path()), &limits(3));
    assert_eq!((report.matched, report.ended), (3, Ended::Complete));
    let (found, report) = text_within(&Query::pattern("n"), &scope(folder.path()), &limits(1));
    assert_eq!((report.matched, report.ended), (1, Ended::Results));
    assert_eq!(places(&found, folder.path()), [("a".to_owned(), vec![1])]);
    let bytes = Limits {
        max_bytes: 200,
        ..NO_LIMITS
    };
    let (_, report) = text_within(&Query::pattern("n"), &scope(folder.path()), &bytes);
    assert_eq!(report.ended, Ended::Bytes);
    let (all, report) = files_within("*", &scope(folder.path()), &limits(2));
    assert_eq!((all.len(), report.ended), (2, Ended::Complete));
    let (all, report) = files_within("*", &scope(folder.path()), &limits(1));
    assert_eq!((all.len(), report.ended), (1, Ended::Results));
}

#[test]
fn one_endless_line_is_cut_and_one_that_is_too_long_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut line = vec![b'x'; 8 << 20];
    line.extend_from_slice(b"needle");
    line.resize(16 << 20, b'y');
    fs::write(folder.path().join("long"), &line).unwrap();
    let (found, report) = text(&Query::pattern("needle"), &scope(folder.path()));
    let shown = &found[0].lines[0];
    assert!(shown.bytes.len() <= 2000 && report.matched == 1);
    assert_eq!(
        shown.cut_before + shown.bytes.len() as u64 + shown.cut_after,
        line.len() as u64
    );
    line.resize(80 << 20, b'z');
    fs::write(folder.path().join("longer"), &line).unwrap();
    let (_, report) = text(&Query::pattern("nothing"), &scope(folder.path()));
    assert_eq!(
        (report.tally.skipped.unreadable, report.tally.errors.len()),
        (1, 1)
    );
}

#[test]
fn a_match_explosion_stays_small() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("min.js"), vec![b'e'; 24 << 20]).unwrap();
    let (found, _) = text(&Query::pattern("e"), &scope(folder.path()));
    let line = &found[0].lines[0];
    assert!(line.spans.len() <= 100 && line.bytes.len() <= 2000);
}

#[test]
fn hostile_patterns_and_globs_are_answered_at_once() {
    let folder = tree(&[("a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n")]);
    let started = Instant::now();
    let error = |pattern: &str| {
        find_text(
            &Query::pattern(pattern),
            &scope(folder.path()),
            &NO_LIMITS,
            &Stop::default(),
            |_| ControlFlow::Continue(()),
        )
    };
    assert_eq!(error("(a+)+$").unwrap().matched, 0);
    assert!(matches!(
        error("((a{1000}){1000}){1000}"),
        Err(SearchError::PatternTooBig(_))
    ));
    assert!(matches!(
        error(&"a".repeat(1 << 20)),
        Err(SearchError::PatternTooBig(_))
    ));
    let bad = error("a(b").unwrap_err().to_string();
    assert!(bad.contains("unclosed group"), "{bad}");
    let newline = error("a\\nb").unwrap_err().to_string();
    assert!(newline.contains("-U"), "{newline}");
    for glob in ["{a,b}".repeat(30), "**/".repeat(50) + "*", "?".repeat(1000)] {
        let mut scope = scope(folder.path());
        scope.globs = vec![glob.clone()];
        text(&Query::pattern("a"), &scope);
        files(&glob, &self::scope(folder.path()));
    }
    let long = FileQuery {
        pattern: "*".repeat(1 << 20),
        ignore_case: false,
        wanted: Wanted::Files,
    };
    let result = find_files(
        &long,
        &scope(folder.path()),
        &NO_LIMITS,
        &Stop::default(),
        |_| ControlFlow::Continue(()),
    );
    assert!(matches!(result, Err(SearchError::BadGlob { .. })));
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn mistakes_are_told_with_what_is_wrong_and_where() {
    let folder = tree(&[("a", "n\n")]);
    let of = |change: &dyn Fn(&mut Scope)| {
        let mut scope = scope(folder.path());
        change(&mut scope);
        let result = find_text(
            &Query::pattern("n"),
            &scope,
            &NO_LIMITS,
            &Stop::default(),
            |_| ControlFlow::Continue(()),
        );
        result.unwrap_err().to_string()
    };
    let missing = of(&|it| it.root = PathBuf::from("/nonexistent/x"));
    assert_eq!(missing, "/nonexistent/x: does not exist");
    let device = of(&|it| it.root = PathBuf::from("/dev/null"));
    assert!(device.contains("never opened"), "{device}");
    let pseudo = of(&|it| it.root = PathBuf::from("/proc"));
    assert!(pseudo.contains("pseudo"), "{pseudo}");
    let kind = of(&|it| it.types = vec!["rst".into(), "rs".into()]);
    assert_eq!(kind, "there is no file type \"rs\"; did you mean \"rust\"?");
    let glob = of(&|it| it.globs = vec!["a[".into()]);
    assert!(glob.contains("a[") && glob.contains("unclosed"), "{glob}");
}

#[test]
fn links_are_followed_once_where_that_is_asked_for() {
    let folder = tree(&[("sub/a", "needle\n"), ("real/b", "needle\n")]);
    symlink("..", folder.path().join("sub/loop")).unwrap();
    symlink("../real", folder.path().join("sub/other")).unwrap();
    symlink("missing", folder.path().join("broken")).unwrap();
    let mut scope = scope(folder.path());
    let (found, report) = text(&Query::pattern("needle"), &scope);
    assert_eq!((found.len(), report.tally.skipped.links), (2, 3));
    scope.follow_links = true;
    let (found, report) = text(&Query::pattern("needle"), &scope);
    assert_eq!(names(&found, folder.path()), ["real/b", "sub/a"]);
    assert_eq!(
        (report.tally.skipped.looped, report.tally.skipped.unreadable),
        (2, 1)
    );
}

#[test]
fn what_cannot_be_read_does_not_void_the_rest() {
    let folder = tree(&[("locked/a", "needle"), ("ok", "needle")]);
    let locked = folder.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&locked).is_ok();
    let (found, report) = text(&Query::pattern("needle"), &scope(folder.path()));
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    if is_root {
        println!("skipped: root reads everything");
        return;
    }
    assert_eq!(names(&found, folder.path()), ["ok"]);
    assert_eq!(report.tally.errors[0].0, locked);
}

#[test]
fn equal_roots_give_equal_results() {
    let folder = tree(&[
        (".ignore", "!.foo.txt\n"),
        ("sub/.foo.txt", "needle"),
        ("sub/b", "needle"),
    ]);
    let sub = folder.path().join("sub");
    let results: Vec<_> = [
        sub.clone(),
        sub.join("."),
        sub.join("../sub"),
        folder.path().join("./sub"),
    ]
    .into_iter()
    .map(|root| {
        text(&Query::pattern("needle"), &Scope::below(root))
            .1
            .matched
    })
    .collect();
    assert_eq!(results, [2, 2, 2, 2]);
}

#[test]
fn paths_come_nearest_first_then_changed_last_then_by_name() {
    let folder = tree(&[
        ("deep/er/a.rs", ""),
        ("deep/b.rs", ""),
        ("old.rs", ""),
        ("new.rs", ""),
        ("same.rs", ""),
    ]);
    let at = |name: &str, seconds| {
        let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let file = fs::File::options()
            .write(true)
            .open(folder.path().join(name))
            .unwrap();
        file.set_modified(time).unwrap();
    };
    at("old.rs", 1000);
    at("same.rs", 2000);
    at("new.rs", 2000);
    assert_eq!(
        files("*.rs", &scope(folder.path())),
        ["new.rs", "same.rs", "old.rs", "deep/b.rs", "deep/er/a.rs"]
    );
}

#[test]
fn patterns_find_what_people_mean() {
    let folder = tree(&[
        ("src/a.py", ""),
        ("src/x/b.ts", ""),
        ("src/x/c.rs", ""),
        ("main_config.toml", ""),
        ("a.py", ""),
    ]);
    let scope = scope(folder.path());
    assert_eq!(
        files("src/**/*.{py,ts}", &scope),
        ["src/a.py", "src/x/b.ts"]
    );
    assert_eq!(files("src/*.py", &scope), ["src/a.py"]);
    assert_eq!(files("config", &scope), ["main_config.toml"]);
    assert_eq!(files("nothing", &scope), Vec::<String>::new());
    let mut shallow = scope.clone();
    shallow.max_depth = Some(1);
    assert_eq!(files("*.py", &shallow), ["a.py"]);
    shallow.max_depth = Some(0);
    assert_eq!(files("*.py", &shallow), Vec::<String>::new());
}

#[test]
fn folders_can_be_found_too() {
    let folder = tree(&[("a/test/x", ""), ("test/y", "")]);
    let query = FileQuery {
        pattern: "**/test".into(),
        ignore_case: false,
        wanted: Wanted::Folders,
    };
    let mut found = Vec::new();
    find_files(
        &query,
        &scope(folder.path()),
        &NO_LIMITS,
        &Stop::default(),
        |path| {
            found.push(path.to_owned());
            ControlFlow::Continue(())
        },
    )
    .unwrap();
    assert_eq!(
        found,
        [folder.path().join("test"), folder.path().join("a/test")]
    );
}

#[test]
fn a_search_that_is_stopped_ends_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::create(folder.path().join("sparse")).unwrap();
    // A hole reads as NUL bytes: as text it is one line without end.
    file.set_len(20 << 30).unwrap();
    fs::write(folder.path().join("a"), "\n").unwrap();
    let query = Query {
        binary: Binary::Text,
        ..Query::pattern("^$")
    };
    let stop = Stop::default();
    let stopper = stop.clone();
    let report = find_text(&query, &scope(folder.path()), &NO_LIMITS, &stop, |_| {
        stopper.stop();
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!((report.ended, report.matched), (Ended::Stopped, 1));
    let limits = Limits {
        time: Some(Duration::from_millis(50)),
        ..NO_LIMITS
    };
    let many = Query {
        multi_line: false,
        binary: Binary::Text,
        ..Query::pattern("x")
    };
    let (_, report) = text_within(&many, &scope(folder.path()), &limits);
    assert!(
        report.ended == Ended::Time || report.tally.skipped.unreadable == 1,
        "{report:?}"
    );
}

#[test]
fn very_deep_and_very_wide_folders_are_walked_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut deep = folder.path().to_owned();
    for _ in 0..300 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("a.txt"), "needle").unwrap();
    for number in 0..5000 {
        fs::write(folder.path().join(format!("w{number}")), "").unwrap();
    }
    let (found, report) = text(&Query::pattern("needle"), &scope(folder.path()));
    assert_eq!((found.len(), report.tally.files), (1, 5001));
    assert_eq!(files("a.txt", &scope(folder.path())).len(), 1);
}
