//! Programs of other languages given inline (`python -c`): what their literal calls run, delete or
//! overwrite.

mod awk;
mod calls;
mod names;
mod scan;
mod shapes;

pub(super) use awk::awk;
pub(super) use calls::program;
