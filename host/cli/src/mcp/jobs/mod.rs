//! The tools for commands that nobody waits for: `terminal_job_start`, `terminal_job_logs`, `terminal_job_manage`.

pub mod answer;
pub mod logs;
pub mod manage;
mod pattern;
pub mod start;
mod view;
