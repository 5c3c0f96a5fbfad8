//! How a command text reaches its shell: in a sealed memory file instead of the argument list.
//!
//! There it is out of reach of `pkill -f`, which would find the shell that runs it, and may be longer than the 128 KiB
//! that the kernel takes for one argument (`MAX_ARG_STRLEN`). The shell opens it through `/proc/<pid>/fd` of this
//! process, so nothing is inherited by the command.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::OnceLock;

use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::prctl;

use crate::policy::{Dialect, Invocation};

/// What is started in place of an invocation.
#[derive(Debug)]
pub(crate) struct HandedOver {
    /// Program and arguments.
    pub(crate) argv: Vec<OsString>,
    /// The text, where it is no longer among the arguments. Must stay open until the leader has exited.
    pub(crate) file: Option<OwnedFd>,
}

/// How a kind of shell runs a text from a file as if it stood after `-c`.
struct Form {
    before_path: &'static str,
    after_path: &'static str,
    /// What the file ends with after the text.
    terminator: &'static [u8],
}

/// The variable is the one that holds the text after `-c` anyway, and `:` sets `$_` as `-c` does. A text that cannot be
/// read to its terminator is not run.
const READ_AND_EVALUATE: Form = Form {
    before_path: "IFS= read -rd '' BASH_EXECUTION_STRING <",
    after_path: r#" || exit 126; : "$0"; eval -- "$BASH_EXECUTION_STRING""#,
    terminator: b"\0",
};

/// For shells that run a file line by line while they read it. Their messages name the file before the line.
const SOURCE: Form = Form {
    before_path: ". ",
    after_path: "",
    terminator: b"",
};

/// File names of shells. A ksh is not among them: it parses a file as a whole before it runs the first line of it.
const FORMS: &[(&str, &Form)] = &[
    ("bash", &READ_AND_EVALUATE),
    ("dash", &SOURCE),
    ("ash", &SOURCE),
    ("busybox", &SOURCE),
];

/// The name under which every system has some shell; which one, the file behind the link tells.
const ANY_SHELL: &str = "sh";

/// Takes the text out of the argument list of a shell. Other invocations stay as they are, and so do all where `/proc`
/// cannot be used.
///
/// # Errors
/// Where the memory file cannot be made.
pub(crate) fn hand_over(invocation: &Invocation) -> io::Result<HandedOver> {
    let unchanged = || HandedOver {
        argv: invocation.argv.iter().map(Into::into).collect(),
        file: None,
    };
    let (Dialect::Bash, [program, option, text]) = (invocation.dialect, invocation.argv.as_slice())
    else {
        return Ok(unchanged());
    };
    let Some(form) = form_of(program).filter(|_| option == "-c") else {
        return Ok(unchanged());
    };
    let file = sealed_file(&[text.as_bytes(), form.terminator])?;
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    if !is_reachable(&file, &path)? {
        return Ok(unchanged());
    }
    let script = format!("{}{path}{}", form.before_path, form.after_path);
    Ok(HandedOver {
        argv: [program, option, &script, program].map(Into::into).into(),
        file: Some(file.into()),
    })
}

fn form_of(program: &str) -> Option<&'static Form> {
    let program = Path::new(program);
    let behind = if program.file_name()? == ANY_SHELL && program.is_absolute() {
        fs::canonicalize(program).ok()
    } else {
        None
    };
    let name = behind.as_deref().unwrap_or(program).file_name()?;
    let (_, form) = FORMS.iter().find(|(known, _)| name == *known)?;
    Some(form)
}

fn sealed_file(parts: &[&[u8]]) -> io::Result<File> {
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    let mut file = File::from(memfd_create(c"ostler-command", flags)?);
    for part in parts {
        file.write_all(part)?;
    }
    let seals = SealFlag::F_SEAL_SHRINK
        | SealFlag::F_SEAL_GROW
        | SealFlag::F_SEAL_WRITE
        | SealFlag::F_SEAL_SEAL;
    fcntl(&file, FcntlArg::F_ADD_SEALS(seals))?;
    Ok(file)
}

/// Whether a child of this process finds this file under that path; the answer for the first file holds for all. There
/// may be no `/proc`, it may be that of another process namespace, and it is closed to children where this process may
/// not be dumped.
fn is_reachable(file: &File, path: &str) -> io::Result<bool> {
    static REACHABLE: OnceLock<bool> = OnceLock::new();
    if let Some(&reachable) = REACHABLE.get() {
        return Ok(reachable);
    }
    let own = file.metadata()?;
    let reachable = prctl::get_dumpable().unwrap_or(false)
        && fs::metadata(path).is_ok_and(|seen| (seen.dev(), seen.ino()) == (own.dev(), own.ino()));
    Ok(*REACHABLE.get_or_init(|| reachable))
}

#[cfg(test)]
mod tests;
