//! Why a warden or a command did not start.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use nix::errno::Errno;

/// Why a command did not start. Nothing of it is left running.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    /// No such program.
    #[error("{}: command not found{}; check the spelling, install it, or give its full path",
        .program.display(), in_path(.searched.as_ref()))]
    NotFound {
        /// The program as it was asked for.
        program: OsString,
        /// The search path that was used; none when the name has a slash.
        searched: Option<OsString>,
    },
    /// The program exists, but what must run it does not: the target of its `#!` line, or its
    /// dynamic loader.
    #[error("{}: its interpreter {} does not exist{}", .script.display(), .interpreter.display(),
        if interpreter_ends_in_return(.interpreter) {
            "; the first line ends in CR LF: convert the file to LF line ends"
        } else {
            "; install it, or correct the first line of the script"
        })]
    InterpreterMissing {
        /// The program.
        script: PathBuf,
        /// What it names, as it stands there.
        interpreter: PathBuf,
    },
    /// The file may not be executed.
    #[error("{}: permission denied; make it executable (chmod +x), or run it through its \
        interpreter", .path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// A directory stands where a program was expected.
    #[error("{}: is a directory, not a program", .path.display())]
    IsDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// The file is executable, but the kernel does not know how: text without `#!`, an empty file,
    /// a foreign binary.
    #[error("{}: not in an executable format; a script needs a first line such as #!/bin/sh, \
        a binary must be built for this machine", .path.display())]
    NotExecutableFormat {
        /// The file.
        path: PathBuf,
    },
    /// Somebody holds the program open for writing, and still did after three more tries.
    #[error("{}: is being written to; try again when that is finished", .path.display())]
    TextBusy {
        /// The file.
        path: PathBuf,
    },
    /// The working directory does not exist, or no longer.
    #[error("working directory {}: does not exist", .cwd.display())]
    CwdMissing {
        /// The directory.
        cwd: PathBuf,
    },
    /// The working directory is something else.
    #[error("working directory {}: is not a directory", .cwd.display())]
    CwdNotDirectory {
        /// What was named.
        cwd: PathBuf,
    },
    /// The working directory may not be entered.
    #[error("working directory {}: permission denied", .cwd.display())]
    CwdDenied {
        /// The directory.
        cwd: PathBuf,
    },
    /// Arguments and environment are larger than the kernel takes.
    #[error("{}; pass the data through standard input or a file",
        too_long(.what, *.bytes, *.max_bytes))]
    ArgumentListTooLong {
        /// What is too long.
        what: &'static str,
        /// How long it is, in bytes; 0 when only the kernel knows.
        bytes: usize,
        /// How long it may be, in bytes.
        max_bytes: usize,
    },
    /// A value holds a NUL byte, which the kernel takes for its end.
    #[error("{field} contains a NUL byte")]
    Nul {
        /// Where.
        field: &'static str,
    },
    /// A name that no environment variable can have.
    #[error("environment variable name {name:?} is empty or contains '='")]
    BadEnvName {
        /// The name.
        name: OsString,
    },
    /// There is not even a name to call the program by.
    #[error("the argument list is empty; its first element must be the name of the program")]
    EmptyArgv,
    /// The system has no more of something. Worth another try later.
    #[error("out of {what} ({step}); end some commands and try again")]
    ResourceExhausted {
        /// Of what.
        what: &'static str,
        /// Where it was missed.
        step: Step,
    },
    /// There is no tokio runtime with I/O here.
    #[error("commands can only be started inside a tokio runtime")]
    NoRuntime,
    /// Something failed for a reason that has no case of its own.
    #[error("{step} failed: {source}")]
    Step {
        /// What was being done.
        step: Step,
        /// The system's reason.
        source: Errno,
    },
}

fn in_path(path: Option<&OsString>) -> String {
    path.map(|path| format!(" in {}", path.display()))
        .unwrap_or_default()
}

fn interpreter_ends_in_return(interpreter: &std::path::Path) -> bool {
    interpreter.as_os_str().as_encoded_bytes().ends_with(b"\r")
}

fn too_long(what: &str, bytes: usize, max_bytes: usize) -> String {
    match bytes {
        0 => format!("{what}: larger than the kernel takes"),
        _ => format!("{what}: {bytes} bytes, but the kernel takes at most {max_bytes}"),
    }
}

/// Why there is no warden.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the warden did not start: {step} failed")]
pub struct StartError {
    /// What was being done.
    pub step: Step,
    /// The system's reason.
    pub source: Errno,
}

/// What was being done when starting failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Step {
    /// Opening `/dev/null`.
    Null = 1,
    /// Making the socket pair between server and warden or keeper.
    Socket,
    /// Watching the socket in the runtime.
    Watch,
    /// Making the memory file for a large request.
    MemoryFile,
    /// Handing the request over.
    Send,
    /// Forking the warden.
    Warden,
    /// Forking a keeper.
    Keeper,
    /// Reading the request in the keeper.
    Request,
    /// Forking the leader.
    Leader,
    /// Starting a session.
    Session,
    /// Putting the three standard streams in place.
    Streams,
    /// Entering the working directory.
    Cwd,
    /// Setting resource limits.
    Limits,
    /// Executing the program.
    Exec,
}

/// Every step with its words. Keepers report steps by number.
const STEPS: &[(Step, &str)] = &[
    (Step::Null, "opening /dev/null"),
    (Step::Socket, "making a socket pair"),
    (Step::Watch, "watching a socket"),
    (Step::MemoryFile, "making a memory file"),
    (Step::Send, "sending the request"),
    (Step::Warden, "forking the warden"),
    (Step::Keeper, "forking a keeper"),
    (Step::Request, "reading the request"),
    (Step::Leader, "forking the leader"),
    (Step::Session, "starting a session"),
    (Step::Streams, "putting the standard streams in place"),
    (Step::Cwd, "entering the working directory"),
    (Step::Limits, "setting resource limits"),
    (Step::Exec, "executing the program"),
];

impl Step {
    pub(super) fn from_number(number: u32) -> Option<Self> {
        STEPS
            .iter()
            .map(|(step, _)| *step)
            .find(|step| *step as u32 == number)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = STEPS
            .iter()
            .find(|(step, _)| step == self)
            .map_or("a step", |(_, words)| words);
        formatter.write_str(words)
    }
}

/// Error numbers that mean "later, perhaps", and what they are short of.
const EXHAUSTIONS: &[(Errno, &str)] = &[
    (Errno::EMFILE, "file descriptors of this process"),
    (Errno::ENFILE, "file descriptors of the system"),
    (Errno::EAGAIN, "processes"),
    (Errno::ENOMEM, "memory"),
    (Errno::ENOBUFS, "socket memory"),
    (Errno::ETOOMANYREFS, "descriptors in flight"),
    (Errno::ENOSPC, "watches"),
];

impl SpawnError {
    /// A failed step with no better explanation than its error number.
    pub(super) fn at(step: Step, source: Errno) -> Self {
        match EXHAUSTIONS.iter().find(|(errno, _)| *errno == source) {
            Some((_, what)) => Self::ResourceExhausted { what, step },
            None => Self::Step { step, source },
        }
    }

    pub(super) fn at_io(step: Step, error: &std::io::Error) -> Self {
        Self::at(step, Errno::from_raw(error.raw_os_error().unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_number_and_words() {
        for (step, words) in STEPS {
            assert_eq!(Step::from_number(*step as u32), Some(*step));
            assert_eq!(step.to_string(), *words);
        }
        assert_eq!(Step::from_number(0), None);
        assert_eq!(Step::from_number(STEPS.len() as u32 + 1), None);
    }

    #[test]
    fn messages_say_what_to_do() {
        let messages = [
            (
                SpawnError::NotFound {
                    program: "gti".into(),
                    searched: Some("/bin:/usr/bin".into()),
                },
                "gti: command not found in /bin:/usr/bin; check the spelling, install it, or give its \
                 full path",
            ),
            (
                SpawnError::InterpreterMissing {
                    script: "/a".into(),
                    interpreter: "/bin/bash\r".into(),
                },
                "/a: its interpreter /bin/bash\r does not exist; the first line ends in CR LF: \
                 convert the file to LF line ends",
            ),
            (
                SpawnError::ArgumentListTooLong {
                    what: "argument 1",
                    bytes: 131_073,
                    max_bytes: 131_072,
                },
                "argument 1: 131073 bytes, but the kernel takes at most 131072; pass the data \
                 through standard input or a file",
            ),
            (
                SpawnError::at(Step::Leader, Errno::EAGAIN),
                "out of processes (forking the leader); end some commands and try again",
            ),
            (
                SpawnError::at(Step::Session, Errno::EPERM),
                "starting a session failed: EPERM: Operation not permitted",
            ),
        ];
        for (error, message) in messages {
            assert_eq!(error.to_string(), message);
        }
    }
}
