//! Starts that fail, each for its own reason, and nothing left behind.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use ostler_terminal::process::{ExitKind, Spawn, SpawnError, open_cwd};

use crate::run::{command, fail, finish, warden};

/// Longest string that the kernel takes, without its NUL.
const LONGEST: usize = 131_071;

/// A command whose program is exactly this file, resolved or not.
fn program(path: &Path) -> Spawn {
    Spawn {
        program: path.to_owned(),
        ..command(&["true"])
    }
}

fn place(directory: &Path, content: &[u8], mode: u32) -> PathBuf {
    let path = directory.join("program");
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[tokio::test]
async fn a_missing_program_a_directory_and_a_plain_file_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let absent = directory.path().join("absent");
    assert!(matches!(
        fail(program(&absent)).await,
        SpawnError::NotFound { .. }
    ));
    assert!(matches!(
        fail(program(&absent.join("x"))).await,
        SpawnError::NotFound { .. }
    ));
    let path = directory.path().to_owned();
    assert_eq!(fail(program(&path)).await, SpawnError::IsDirectory { path });
    let path = place(directory.path(), b"#!/bin/sh\n", 0o644);
    assert_eq!(
        fail(program(&path)).await,
        SpawnError::NotExecutable { path: path.clone() }
    );
    let below = path.join("x");
    assert!(matches!(
        fail(program(&below)).await,
        SpawnError::NotFound { .. }
    ));
}

#[tokio::test]
async fn what_the_kernel_cannot_run_is_not_an_executable_format() {
    let directory = tempfile::tempdir().unwrap();
    for content in [&b""[..], b"echo no shebang\n", b"\x7fELF nonsense"] {
        let path = place(directory.path(), content, 0o755);
        assert_eq!(
            fail(program(&path)).await,
            SpawnError::NotExecutableFormat { path }
        );
    }
}

#[tokio::test]
async fn a_missing_interpreter_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let cases = [
        ("#!/no/such/shell -x\n", "/no/such/shell"),
        ("#!/bin/sh\r\necho\r\n", "/bin/sh\r"),
    ];
    for (content, interpreter) in cases {
        let path = place(directory.path(), content.as_bytes(), 0o755);
        let error = fail(program(&path)).await;
        assert_eq!(
            error,
            SpawnError::InterpreterMissing {
                script: path,
                interpreter: interpreter.into()
            }
        );
        assert_eq!(
            error.to_string().contains("CR LF"),
            interpreter.ends_with('\r')
        );
    }
}

#[tokio::test]
async fn a_missing_loader_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let mut content = fs::read("/bin/sh").unwrap();
    let loader = b"/lib64/ld-linux-x86-64.so.2\0";
    let Some(at) = content
        .windows(loader.len())
        .position(|window| window == loader)
    else {
        eprintln!("skipped: this system's shell has another loader");
        return;
    };
    content[at + 1..at + 4].copy_from_slice(b"no!");
    let path = place(directory.path(), &content, 0o755);
    let interpreter = "/no!64/ld-linux-x86-64.so.2".into();
    assert_eq!(
        fail(program(&path)).await,
        SpawnError::InterpreterMissing {
            script: path,
            interpreter
        }
    );
}

#[tokio::test]
async fn a_program_that_is_being_written_is_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = place(directory.path(), &fs::read("/bin/true").unwrap(), 0o755);
    let writer = OpenOptions::new().append(true).open(&path).unwrap();
    let soon = thread::spawn(move || {
        thread::sleep(Duration::from_millis(8));
        drop(writer);
    });
    let (ended, _) = finish(program(&path)).await;
    assert_eq!(ended.kind(), ExitKind::Code(0));
    soon.join().unwrap();
}

#[tokio::test]
async fn a_program_that_stays_open_for_writing_is_busy() {
    let directory = tempfile::tempdir().unwrap();
    let path = place(directory.path(), &fs::read("/bin/true").unwrap(), 0o755);
    let _writer = OpenOptions::new().append(true).open(&path).unwrap();
    assert_eq!(fail(program(&path)).await, SpawnError::TextBusy { path });
}

#[tokio::test]
async fn the_longest_argument_passes_and_one_byte_more_does_not() {
    let mut spawn = command(&["sh", "-c", "printf %s \"${#1}\"", "sh"]);
    spawn.argv.push("x".repeat(LONGEST).into());
    assert_eq!(finish(spawn).await.1, LONGEST.to_string());

    let mut spawn = command(&["true"]);
    spawn.argv.push("x".repeat(LONGEST + 1).into());
    let error = fail(spawn).await;
    assert_eq!(
        error,
        SpawnError::ArgumentListTooLong {
            what: "an argument",
            bytes: LONGEST + 1,
            max_bytes: LONGEST
        }
    );
    assert!(error.to_string().contains("standard input or a file"));
}

#[tokio::test]
async fn a_megabyte_of_arguments_passes_and_three_do_not() {
    let chunk = |letter: char| OsString::from(letter.to_string().repeat(100_000));
    let mut spawn = command(&["sh", "-c", "printf %s \"$# ${#10}\"", "sh"]);
    spawn.argv.extend(('a'..='j').map(chunk));
    assert_eq!(finish(spawn).await.1, "10 100000");

    let mut spawn = command(&["true"]);
    spawn.argv.extend((0..30).map(|_| chunk('x')));
    assert!(matches!(
        fail(spawn).await,
        SpawnError::ArgumentListTooLong { .. }
    ));

    let mut spawn = command(&["true"]);
    spawn.env = (0..30)
        .map(|number| (format!("V{number}").into(), chunk('x')))
        .collect();
    assert!(matches!(
        fail(spawn).await,
        SpawnError::ArgumentListTooLong { .. }
    ));
}

#[tokio::test]
async fn very_many_short_arguments_pass() {
    let mut spawn = command(&["sh", "-c", "printf %s \"$#\"", "sh"]);
    spawn.argv.extend((0..20_000).map(|_| "x".into()));
    assert_eq!(finish(spawn).await.1, "20000");
}

#[tokio::test]
async fn a_nul_byte_a_bad_name_and_no_arguments_are_refused() {
    let nul = || OsString::from_vec(b"a\0b".to_vec());
    let with_variable = |name: OsString, value: OsString| {
        let mut spawn = command(&["true"]);
        spawn.env.push((name, value));
        spawn
    };
    let mut spawn = command(&["true"]);
    spawn.argv.push(nul());
    assert_eq!(
        fail(spawn).await,
        SpawnError::Nul {
            field: "an argument"
        }
    );
    let error = fail(with_variable("A".into(), nul())).await;
    assert_eq!(
        error,
        SpawnError::Nul {
            field: "an environment variable"
        }
    );
    let error = fail(with_variable(nul(), "x".into())).await;
    assert_eq!(
        error,
        SpawnError::Nul {
            field: "an environment variable's name"
        }
    );
    for name in ["", "A=B"] {
        let error = fail(with_variable(name.into(), "x".into())).await;
        assert_eq!(error, SpawnError::BadEnvName { name: name.into() });
    }
    let mut spawn = command(&["true"]);
    spawn.argv.clear();
    assert_eq!(fail(spawn).await, SpawnError::EmptyArgv);
}

#[tokio::test]
async fn a_directory_deleted_after_it_was_opened_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    let mut spawn = command(&["true"]);
    spawn.cwd = open_cwd(directory.path()).unwrap();
    directory.close().unwrap();
    assert!(matches!(fail(spawn).await, SpawnError::CwdMissing { .. }));
}

#[tokio::test]
async fn a_descriptor_that_is_no_directory_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut spawn = command(&["true"]);
    spawn.cwd = File::open(file.path()).unwrap().into();
    let cwd = file.path().to_owned();
    assert_eq!(fail(spawn).await, SpawnError::CwdNotDirectory { cwd });
}

#[tokio::test]
async fn too_little_address_space_fails_or_ends_the_program_at_once() {
    let mut spawn = command(&["true"]);
    spawn.limits.address_space_bytes = Some(4096);
    let started = Instant::now();
    let mut tree = warden().spawn(spawn).unwrap();
    let event = crate::run::next(&mut tree).await;
    // Depending on how far the kernel came, the start fails or the half-made program is killed.
    match event {
        ostler_terminal::process::Event::Failed(error) => {
            assert!(matches!(
                error,
                SpawnError::ResourceExhausted { what: "memory", .. }
            ));
        }
        ostler_terminal::process::Event::Started { .. } => {
            let event = crate::run::next(&mut tree).await;
            assert!(
                matches!(event, ostler_terminal::process::Event::Exited(_)),
                "{event:?}"
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn without_a_runtime_there_is_an_error() {
    let error = warden().spawn(command(&["true"])).unwrap_err();
    assert_eq!(error, SpawnError::NoRuntime);
}
