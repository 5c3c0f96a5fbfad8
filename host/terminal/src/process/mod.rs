//! Owning process trees: from a request to start a command to the proof that nothing of it is left.
//!
//! ```text
//! server ──request──► warden ──forks──► keeper ──vfork──► leader
//!    ▲                                  │ a child subreaper,    │ forks what it likes
//!    │                                  │ one for each command  ▼
//!    └─────────────reports──────────────┘◄───────── every orphan comes back here
//! ```
//!
//! The kernel hands every orphan to the nearest living subreaper, so a daemon that forks twice and
//! starts its own session still ends up with the keeper of its command. Only `ECHILD` from the
//! keeper's `wait` counts as "nothing is left". The death of the server closes its sockets; keepers
//! see that and end their trees without asking.
//!
//! [`Warden::start`] may be called from any thread at any time, but the earlier the better: the
//! warden is a fork, and a fork of a small process stays small. It also freezes what commands
//! inherit: umask, resource limits, scheduling.
//!
//! The server itself is **not** made a child subreaper: a library has no business changing how its
//! host process reaps. Nothing here depends on it.
//!
//! Needs Linux 5.10 or later with `/proc` mounted.
#![expect(
    unsafe_code,
    reason = "the one room that talks to the operating system about processes"
)]

mod afterfork;
mod argument_space;
mod capabilities;
mod diagnose;
mod error;
mod exit;
mod limits;
mod pid;
mod pipe;
mod request;
mod resolve;
mod server;
mod signal;
mod spawn;
mod tree;
mod warden;
mod watch;
mod wire;

pub use capabilities::{Capabilities, capabilities};
pub use error::{SpawnError, StartError, Step};
pub use exit::{Exit, ExitKind, Usage};
pub use limits::Limits;
pub use pid::Pid;
pub use pipe::{from_child, null, to_child};
pub use resolve::{open_cwd, resolve};
pub use server::survive_file_size_limit;
pub use signal::Signal;
pub use spawn::Spawn;
pub use tree::{Event, Survivor, Tree};
pub use warden::Warden;
pub use watch::ProcessExit;
