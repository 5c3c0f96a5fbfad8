//! Telling the server who is alive in a tree.

use libc::pid_t;

use super::super::wire::{MAX_REPORT_BYTES, MAX_SURVIVORS, Plain, Report, SurvivorRecord};
use super::census::Census;
use super::system::{Fd, FileIdentity, own_pid, send};

/// Counts the living descendants of this keeper and sends them, the first of them by name.
/// `output` are the pipes that the command writes to.
pub(super) fn report(control: Fd, blank: Report, output: &[FileIdentity]) {
    let mut message = [0_u8; MAX_REPORT_BYTES];
    let (head, list) = message.split_at_mut(size_of::<Report>());
    let mut places = list.chunks_exact_mut(size_of::<SurvivorRecord>());
    let mut total = 0_u64;
    if let Ok(census) = Census::take(own_pid(), |_| false) {
        for person in census.living() {
            total = total.wrapping_add(1);
            if let Some(place) = places.next() {
                place.copy_from_slice(describe(&census, person.pid, output).as_bytes());
            }
        }
    }
    head.copy_from_slice(Report { total, ..blank }.as_bytes());
    let listed = (total as usize).min(MAX_SURVIVORS);
    let bytes = listed
        .saturating_mul(size_of::<SurvivorRecord>())
        .saturating_add(size_of::<Report>());
    send(control, message.get(..bytes).unwrap_or(&[]));
}

/// A survivor with its command line, or its short name when it has none.
fn describe(census: &Census, pid: pid_t, output: &[FileIdentity]) -> SurvivorRecord {
    let mut record = SurvivorRecord {
        pid,
        command_bytes: 0,
        holds_output: census.has_open(pid, output).into(),
        command: [0; _],
    };
    let mut bytes = census
        .read_file(pid, b"/cmdline", &mut record.command)
        .len();
    if bytes == 0 {
        bytes = census.read_file(pid, b"/comm", &mut record.command).len();
    }
    let used = record.command.get_mut(..bytes).unwrap_or(&mut []);
    used.iter_mut()
        .filter(|byte| matches!(**byte, 0 | b'\n'))
        .for_each(|byte| *byte = b' ');
    record.command_bytes = used.trim_ascii_end().len() as u32;
    record
}
