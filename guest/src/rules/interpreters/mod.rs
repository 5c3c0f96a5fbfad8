//! Programs of other languages given inline (`python -c`): what their literal calls run, delete or
//! overwrite.

mod arguments;
mod awk;
mod calls;
mod literals;
mod losses;
mod names;
mod scan;
mod shapes;
mod table;

pub(super) use awk::{awk, prints_into_shell};
pub(super) use calls::program;
