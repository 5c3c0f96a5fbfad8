//! Giving back the server's memory that the warden does not need.
//!
//! A fork shares its parent's memory until one of them writes. A warden that was started late would
//! keep alive every page that the server frees or changes, and every fork of a keeper would copy
//! page tables of that size: measured with 500 MB, a burst of commands took almost twice as long.
//! Nothing in this room uses the heap, so it can go.

use std::ops::Range;
use std::ptr::without_provenance_mut;

use super::system::{Fd, checked, close, thread_addresses};

/// Smallest mapping that is worth it.
const MIN_BYTES: usize = 1 << 20;
/// Longest line of the memory map that is understood; paths in it are shorter.
const MAX_LINE_BYTES: usize = 8192;

/// What is kept around an address that is needed: more than the stack frames of this room or the
/// data of a thread take.
const KEPT_BYTES: usize = 1 << 20;
/// Largest page of any supported machine.
const MAX_PAGE_BYTES: usize = 64 * 1024;

/// Unmaps the large private anonymous mappings of this process, except around its stack and its
/// thread's data.
pub(super) fn shed_memory() {
    let flags = libc::O_RDONLY | libc::O_CLOEXEC;
    // SAFETY: the path is a NUL-terminated literal.
    let Ok(file) = checked(unsafe { libc::open(c"/proc/self/maps".as_ptr(), flags) }) else {
        return;
    };
    let on_stack = 0_u8;
    let [in_thread, thread] = thread_addresses();
    let kept = [(&raw const on_stack).addr(), in_thread, thread].map(around);
    each_line(file, |line, last_file_end| {
        if let Some(range) = dispensable(line, last_file_end) {
            each_piece(range, &kept, |piece| {
                // SAFETY: private anonymous memory that holds neither stack nor thread data nor a
                // program's variables, in a process that uses no other memory from before its fork.
                unsafe { libc::munmap(without_provenance_mut(piece.start), piece.len()) };
            });
        }
    });
    close(file);
}

/// Whole pages around an address.
fn around(address: usize) -> Range<usize> {
    let page = |address: usize| address & !MAX_PAGE_BYTES.wrapping_sub(1);
    page(address.saturating_sub(KEPT_BYTES))..page(address.saturating_add(KEPT_BYTES))
}

/// Calls `visit` with what is left of a range without others.
fn each_piece(range: Range<usize>, kept: &[Range<usize>], mut visit: impl FnMut(Range<usize>)) {
    let mut from = range.start;
    while from < range.end {
        let ahead = kept
            .iter()
            .filter(|kept| kept.end > from && kept.start < range.end);
        let next = ahead.min_by_key(|kept| kept.start);
        let until = next.map_or(range.end, |kept| kept.start);
        if from < until {
            visit(from..until);
        }
        from = next.map_or(range.end, |kept| kept.end);
    }
}

/// Calls `visit` with every line and the end of the last mapping of a file before it.
fn each_line(file: Fd, mut visit: impl FnMut(&[u8], usize)) {
    let mut buffer = [0_u8; MAX_LINE_BYTES];
    let mut filled = 0;
    let mut last_file_end = 0;
    loop {
        let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) else {
            return;
        };
        // SAFETY: the slice is valid for its length.
        let read = unsafe { libc::read(file, rest.as_mut_ptr().cast(), rest.len()) };
        if read <= 0 {
            return;
        }
        filled = filled.wrapping_add(read as usize);
        let mut lines = buffer.get(..filled).unwrap_or(&[]);
        while let Some(end) = lines.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = lines.split_at_checked(end).unwrap_or((lines, &[]));
            visit(line, last_file_end);
            if let Some(mapping) = Mapping::parse(line)
                && mapping.inode != b"0"
            {
                last_file_end = mapping.end;
            }
            lines = rest.get(1..).unwrap_or(&[]);
        }
        let left = lines.len();
        buffer.copy_within(filled.wrapping_sub(left)..filled, 0);
        filled = left;
    }
}

struct Mapping<'a> {
    start: usize,
    end: usize,
    permissions: &'a [u8],
    inode: &'a [u8],
    name: &'a [u8],
}

impl<'a> Mapping<'a> {
    /// A line of `/proc/<pid>/maps`: range, permissions, offset, device, inode, name.
    fn parse(line: &'a [u8]) -> Option<Self> {
        let mut fields = line
            .split(|byte| *byte == b' ')
            .filter(|field| !field.is_empty());
        let mut range = fields.next()?.split(|byte| *byte == b'-');
        Some(Self {
            start: parse_hexadecimal(range.next()?)?,
            end: parse_hexadecimal(range.next()?)?,
            permissions: fields.next()?,
            inode: fields.nth(2)?,
            name: fields.next().unwrap_or(&[]),
        })
    }
}

/// The range of a mapping that is heap and nothing else. What follows a file without a gap are the
/// variables of a program.
fn dispensable(line: &[u8], last_file_end: usize) -> Option<Range<usize>> {
    let mapping = Mapping::parse(line)?;
    let is_heap = mapping.permissions == b"rw-p"
        && mapping.inode == b"0"
        && (mapping.name.is_empty()
            || mapping.name == b"[heap]"
            || mapping.name.starts_with(b"[anon"))
        && mapping.start != last_file_end
        && mapping.end.saturating_sub(mapping.start) >= MIN_BYTES;
    is_heap.then_some(mapping.start..mapping.end)
}

fn parse_hexadecimal(digits: &[u8]) -> Option<usize> {
    digits.iter().try_fold(0_usize, |number, digit| {
        let value = match digit {
            b'0'..=b'9' => digit.wrapping_sub(b'0'),
            b'a'..=b'f' => digit.wrapping_sub(b'a').wrapping_add(10),
            _ => return None,
        };
        Some(number.wrapping_mul(16).wrapping_add(value.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_anonymous_memory_away_from_files_is_dispensable() {
        let range = |line: &str| dispensable(line.as_bytes(), 0x5000_0000);
        let cases = [
            ("7f0000000000-7f0000200000 rw-p 00000000 00:00 0 ", true),
            (
                "60000000-60200000 rw-p 00000000 00:00 0                  [heap]",
                true,
            ),
            (
                "60000000-60200000 rw-p 00000000 00:00 0                  [anon:jemalloc]",
                true,
            ),
            ("50000000-50200000 rw-p 00000000 00:00 0 ", false),
            ("60000000-60001000 rw-p 00000000 00:00 0 ", false),
            ("60000000-60200000 rw-s 00000000 00:00 0 ", false),
            ("60000000-60200000 r--p 00000000 00:00 0 ", false),
            (
                "60000000-60200000 rw-p 00000000 08:01 77                 /usr/lib/x",
                false,
            ),
            (
                "7ffc00000000-7ffc00200000 rw-p 00000000 00:00 0          [stack]",
                false,
            ),
            ("nonsense", false),
        ];
        for (line, is_dispensable) in cases {
            assert_eq!(range(line).is_some(), is_dispensable, "{line}");
        }
        assert_eq!(range(cases[1].0), Some(0x6000_0000..0x6020_0000));
    }

    #[test]
    fn pieces_are_what_is_not_kept() {
        let pieces = |kept: &[(usize, usize)]| {
            let kept: Vec<_> = kept.iter().map(|(start, end)| *start..*end).collect();
            let mut pieces = Vec::new();
            each_piece(100..200, &kept, |piece| {
                pieces.push((piece.start, piece.end))
            });
            pieces
        };
        assert_eq!(pieces(&[]), [(100, 200)]);
        assert_eq!(pieces(&[(0, 100), (200, 300)]), [(100, 200)]);
        assert_eq!(
            pieces(&[(150, 160), (120, 130)]),
            [(100, 120), (130, 150), (160, 200)]
        );
        let overlapping = [(120, 150), (130, 160), (90, 105), (190, 210)];
        assert_eq!(pieces(&overlapping), [(105, 120), (160, 190)]);
        assert_eq!(pieces(&[(0, 300)]), []);
    }

    #[test]
    fn every_line_of_the_own_map_is_visited_with_the_file_before_it() {
        let expected = std::fs::read_to_string("/proc/self/maps").unwrap();
        let file = std::fs::File::open("/proc/self/maps").unwrap();
        let (mut lines, mut file_ends) = (0, 0);
        each_line(
            std::os::fd::AsRawFd::as_raw_fd(&file),
            |line, last_file_end| {
                assert!(Mapping::parse(line).is_some());
                lines += 1;
                file_ends = file_ends.max(last_file_end);
            },
        );
        assert!(lines > 10 && expected.lines().count().abs_diff(lines) < 20);
        assert!(file_ends > 0);
    }
}
