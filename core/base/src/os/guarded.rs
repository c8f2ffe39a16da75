// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies from and to memory of this process that the program made and may have unmapped: the kernel copies,
//! and reports a hole where the processor would end the process.
//!
//! The address in question is the local one of `process_vm_readv` or `process_vm_writev` on the own pid: the
//! kernel accesses it as any other call does, so that memory of drivers works, too. Filters of system calls
//! refuse these calls and emulators do not know them; a pipe takes their place then.
//!
//! Of ranges of few pages each page is probed by a call of its own that is cheaper: one that reads a signal
//! mask and refuses the rest of its arguments, and one that adds 0 to a word.

use std::io::Error;
use std::ops::Range;
use std::os::fd::{AsRawFd, OwnedFd};

use super::descriptor;
use super::descriptor::PipeFlags;

/// Pages that one call probes.
const PROBES: usize = 256;
/// Most pages and ranges of which each is probed by a call of its own: 16 KiB at any address.
pub const FEW: usize = 5;

/// Copies the bytes at `address`, up to the first page that cannot be read; says how many. Another thread may
/// change them meanwhile.
pub fn read(address: usize, into: &mut [u8]) -> usize {
    copy(address, into.as_mut_ptr(), into.len(), true)
}

/// Copies bytes to `address`, up to the first page that cannot be written. Returns their number.
///
/// # Safety
/// If memory is mapped at `address`, its owner has given it away to be written.
pub unsafe fn write(from: &[u8], address: usize) -> usize {
    copy(address, from.as_ptr().cast_mut(), from.len(), false)
}

fn copy(address: usize, own: *mut u8, bytes: usize, is_read: bool) -> usize {
    let mut done = 0;
    while done < bytes {
        let Some(at) = address.checked_add(done) else { break };
        let (outside, inside) = (piece(at, bytes - done), iovec(own.wrapping_add(done), bytes - done));
        match call(&[outside], &[inside], is_read) {
            Some(0) => break,
            Some(copied) => done += copied,
            None => return done + by_pipe(at, own.wrapping_add(done), bytes - done, is_read),
        }
    }
    done
}

/// Returns true if every page of a range can be read now.
pub fn is_readable(address: usize, bytes: usize) -> bool {
    first_hole([(address, bytes, Depth::All)], false).is_none()
}

/// Returns true if every page of a range can be written now. Writes a byte of each back, unchanged: for
/// ranges that their owner has given away to be overwritten.
pub fn is_writable(address: usize, bytes: usize) -> bool {
    first_hole([(address, bytes, Depth::All)], true).is_none()
}

/// Pages of a range that are probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All.
    All,
    /// All of up to [`FEW`], else the first and the last.
    Ends,
}

/// The number of the first of these ranges (address and bytes) that cannot be read now, or, if `is_write`,
/// not be written, as by [`is_writable`].
pub fn first_hole(ranges: impl IntoIterator<Item = (usize, usize, Depth)>, is_write: bool) -> Option<usize> {
    if cfg!(miri) {
        return None;
    }
    let (page, ranges) = (rustix::param::page_size(), ranges.into_iter());
    let are_few = ranges.size_hint().1.is_some_and(|most| most <= FEW);
    // Pages of the range before.
    let mut known = 0..0;
    let mut many: Option<Box<Probes>> = None;
    for (number, (address, bytes, depth)) in ranges.enumerate() {
        let first = address - address % page;
        let Some(end) = address.checked_add(bytes).filter(|end| *end <= usize::MAX - page) else {
            return many.and_then(|mut probes| probes.flush(is_write)).or(Some(number));
        };
        let pages = first..end.next_multiple_of(page);
        if bytes == 0 || (known.start <= pages.start && pages.end <= known.end) {
            continue;
        }
        known = pages.clone();
        let count = (pages.end - pages.start) / page;
        let step = if depth == Depth::Ends && count > FEW { pages.end - pages.start - page } else { page };
        if are_few && many.is_none() && (count <= FEW || depth == Depth::Ends) {
            match probe_few(address..end, (page, step), is_write) {
                Some(true) => continue,
                Some(false) => return Some(number),
                None => {}
            }
        }
        let probes = many.get_or_insert_with(Box::default);
        for start in pages.step_by(step) {
            if let Some(hole) = probes.add(start.max(address), number, is_write) {
                return Some(hole);
            }
        }
    }
    many?.flush(is_write)
}

/// Probes pages of a range, at the given step, by a call each. Returns `None` if the kernel lacks the call.
fn probe_few(range: Range<usize>, (page, step): (usize, usize), is_write: bool) -> Option<bool> {
    let mut at = range.start;
    while at < range.end {
        // An aligned word, which lies in one page.
        let is_there = if is_write { Some(is_writable_word(at - at % 4)) } else { reads_mask(at - at % 8) };
        if !is_there? {
            return Some(false);
        }
        at = (at - at % page).saturating_add(step);
    }
    Some(true)
}

/// Returns true if the 8 bytes at an address can be read: as a set of signals, with which nothing is done.
fn reads_mask(address: usize) -> Option<bool> {
    const NOTHING: libc::c_long = -1;
    let set = std::ptr::with_exposed_provenance::<u8>(address);
    let former = std::ptr::null_mut::<u8>();
    // SAFETY: the kernel checks the address, then refuses the operation.
    let done = unsafe { libc::syscall(libc::SYS_rt_sigprocmask, NOTHING, set, former, 8_usize) };
    match Error::last_os_error().raw_os_error() {
        Some(libc::EFAULT) if done < 0 => Some(false),
        Some(libc::EINVAL) if done < 0 => Some(true),
        _ => None,
    }
}

/// Returns true if an aligned word of 4 or 8 bytes can be written now; others may change it meanwhile.
pub fn is_writable_word(address: usize) -> bool {
    /// No thread waits for it.
    static WORD: u32 = 0;
    /// Add 0 to the second word, and wake waiters of it where it was 0: no thread waits.
    const ADD_NOTHING: libc::c_long = 1 << 28;
    let operation = libc::FUTEX_WAKE_OP | libc::FUTEX_PRIVATE_FLAG;
    let second = std::ptr::with_exposed_provenance::<u32>(address);
    // SAFETY: the kernel changes the second word by an atomic addition of 0, and checks both addresses.
    let woken = unsafe {
        libc::syscall(libc::SYS_futex, &raw const WORD, operation, 0, 0_usize, second, ADD_NOTHING)
    };
    match Error::last_os_error().raw_os_error() {
        _ if woken >= 0 => true,
        Some(libc::ENOSYS | libc::EPERM) => is_readable(address, size_of::<u32>()),
        _ => false,
    }
}

/// Pages that one call probes, and the ranges that they belong to.
struct Probes {
    pages: [libc::iovec; PROBES],
    numbers: [usize; PROBES],
    count: usize,
}

impl Default for Probes {
    fn default() -> Self {
        Self { pages: [piece(0, 0); PROBES], numbers: [0; PROBES], count: 0 }
    }
}

impl Probes {
    /// Adds a page of a range; the first range that has a hole, once that is known.
    fn add(&mut self, address: usize, number: usize, is_write: bool) -> Option<usize> {
        if let (Some(page), Some(of)) = (self.pages.get_mut(self.count), self.numbers.get_mut(self.count)) {
            (*page, *of) = (piece(address, 1), number);
            self.count += 1;
        }
        if self.count == PROBES { self.flush(is_write) } else { None }
    }

    /// Probes the added pages; the first range that has a hole.
    fn flush(&mut self, is_write: bool) -> Option<usize> {
        let mut found = [0_u8; PROBES];
        let pages = self.pages.get(..std::mem::take(&mut self.count)).unwrap_or_default();
        let own = [iovec(found.as_mut_ptr(), pages.len())];
        for is_read in if is_write { &[true, false][..] } else { &[true] } {
            let copied = call(pages, &own, *is_read);
            let there = copied.unwrap_or_else(|| each_by_pipe(pages, &mut found, *is_read));
            if there < pages.len() {
                return self.numbers.get(there).copied();
            }
        }
        None
    }
}

fn piece(address: usize, bytes: usize) -> libc::iovec {
    iovec(std::ptr::with_exposed_provenance_mut(address), bytes)
}

fn iovec(at: *mut u8, bytes: usize) -> libc::iovec {
    libc::iovec { iov_base: at.cast(), iov_len: bytes }
}

/// One call of the kernel; `None`: it is refused, or unknown.
fn call(outside: &[libc::iovec], own: &[libc::iovec], is_read: bool) -> Option<usize> {
    let pid = rustix::process::getpid().as_raw_nonzero().get();
    let count = |list: &[libc::iovec]| list.len() as libc::c_ulong;
    // The bytes are written to this process's own buffer as if it were another process's.
    let call = if is_read { libc::process_vm_writev } else { libc::process_vm_readv };
    // SAFETY: the kernel checks the outside addresses; `own` is memory of the caller, by its contract.
    let copied = unsafe { call(pid, outside.as_ptr(), count(outside), own.as_ptr(), count(own), 0) };
    let is_refused =
        copied < 0 && matches!(Error::last_os_error().raw_os_error(), Some(libc::ENOSYS | libc::EPERM));
    (!is_refused).then(|| usize::try_from(copied).unwrap_or(0))
}

/// Copies a byte of each page by a pipe, up to the first that cannot be accessed; says how many.
fn each_by_pipe(pages: &[libc::iovec], found: &mut [u8], is_read: bool) -> usize {
    let mut both = pages.iter().zip(found);
    let is_hole = |(page, byte): (&libc::iovec, &mut u8)| {
        by_pipe(page.iov_base.addr(), std::ptr::from_mut(byte), 1, is_read) != 1
    };
    both.position(is_hole).unwrap_or(pages.len())
}

/// Fallback by a pipe, page by page: each call takes everything that it can access, and nothing else.
fn by_pipe(address: usize, own: *mut u8, bytes: usize, is_read: bool) -> usize {
    let Ok((read, write)) = descriptor::pipe(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK) else {
        return 0;
    };
    let page = rustix::param::page_size();
    let mut copied = 0;
    while copied < bytes {
        let Some(at) = address.checked_add(copied) else { break };
        let part = (bytes - copied).min(page - at % page);
        let (outside, inside) = (piece(at, part), iovec(own.wrapping_add(copied), part));
        let (from, to) = if is_read { (outside, inside) } else { (inside, outside) };
        if !pass_through_pipe(&read, &write, from, to) {
            break;
        }
        copied += part;
    }
    copied
}

fn pass_through_pipe(read: &OwnedFd, write: &OwnedFd, from: libc::iovec, to: libc::iovec) -> bool {
    // SAFETY: the kernel checks the source, of which this process sees nothing here.
    let written = unsafe { libc::write(write.as_raw_fd(), from.iov_base, from.iov_len) };
    // SAFETY: the kernel checks the destination.
    let taken = unsafe { libc::read(read.as_raw_fd(), to.iov_base, to.iov_len) };
    [written, taken].iter().all(|count| usize::try_from(*count) == Ok(from.iov_len))
}

#[cfg(test)]
mod tests {
    use rustix::mm::{MapFlags, ProtFlags};

    use super::*;

    /// Pages: readable and writable, readable, none.
    fn pages() -> (usize, usize) {
        let page = rustix::param::page_size();
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping, which nothing else knows.
        let start =
            unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), 3 * page, access, MapFlags::PRIVATE) }
                .unwrap();
        // SAFETY: the second page of it, to which nothing refers.
        unsafe { libc::mprotect(start.wrapping_byte_add(page), page, libc::PROT_READ) };
        // SAFETY: the third page of it.
        unsafe { libc::munmap(start.wrapping_byte_add(2 * page), page) };
        (start.expose_provenance(), page)
    }

    #[test]
    #[cfg_attr(miri, ignore = "has no such calls")]
    fn copies_end_at_the_first_unmapped_page() {
        type Copy = fn(usize, *mut u8, usize, bool) -> usize;
        let (start, page) = pages();
        for (copy, name) in [(copy as Copy, "by the kernel's calls"), (by_pipe, "by a pipe")] {
            let mut bytes = vec![7; 3 * page];
            let own = bytes.as_mut_ptr();
            assert_eq!(copy(start + page - 8, own, 8, false), 8, "{name}");
            assert_eq!(copy(start + page - 8, own, 16, false), 8, "{name}: the second page is read-only");
            assert_eq!(copy(start + page - 8, own.wrapping_add(8), 16, true), 16, "{name}");
            assert_eq!(bytes[8..24], [[7; 8], [0; 8]].concat(), "{name}");
            assert_eq!(copy(start, own, 3 * page, true), 2 * page, "{name}");
            for nowhere in [0, 64, start + 2 * page, usize::MAX - 2] {
                assert_eq!(copy(nowhere, own, 8, true), 0, "{name}: {nowhere:#x}");
                assert_eq!(copy(nowhere, own, 8, false), 0, "{name}: {nowhere:#x}");
            }
        }
        // SAFETY: the mapping made above, to which nothing refers any more.
        unsafe { libc::munmap(std::ptr::with_exposed_provenance_mut(start), 2 * page) };
    }

    #[test]
    #[cfg_attr(miri, ignore = "has no such calls")]
    fn probes_find_holes_and_change_nothing() {
        let (start, page) = pages();
        let mut bytes = vec![3; page];
        // SAFETY: the first page made above.
        assert_eq!(unsafe { write(&bytes, start) }, page);
        assert!(is_readable(start, 2 * page) && is_readable(start + 5, 1) && is_readable(start, 0));
        assert!(!is_readable(start, 2 * page + 1) && !is_readable(8, 1) && !is_readable(usize::MAX - 1, 9));
        assert!(is_writable(start, page) && is_writable(start + page - 1, 1));
        assert!(!is_writable(start + page - 1, 2) && !is_writable(start + page, 1));
        assert!(is_writable_word(start) && is_writable_word(start + page - 8));
        assert!(
            !is_writable_word(start + page) && !is_writable_word(start + 2 * page) && !is_writable_word(8)
        );
        bytes.fill(0);
        assert_eq!(read(start, &mut bytes), page);
        assert!(bytes.iter().all(|byte| *byte == 3));
        let many = vec![1_u8; (2 * PROBES + 1) * page];
        assert!(is_readable(many.as_ptr().expose_provenance(), many.len()));
        let all = (many.as_ptr().expose_provenance(), many.len(), Depth::All);
        for (is_write, hole) in [(false, start + 2 * page), (true, start + page)] {
            let holes = |before: usize, behind: usize| {
                let piece = |number: usize| (start + 8 * number, 8, Depth::All);
                let hole = (hole - 4, 8, Depth::Ends);
                let ranges = (0..before).map(piece).chain([hole]).chain((0..behind).map(piece));
                first_hole(ranges, is_write)
            };
            assert_eq!((holes(0, 0), holes(2, 9), holes(9, 2)), (Some(0), Some(2), Some(9)));
            let first =
                |range: (usize, usize)| first_hole([all, (range.0, range.1, Depth::All), all], is_write);
            assert_eq!([(hole - 4, 8), (8, usize::MAX), (0, 0)].map(first), [Some(1), Some(1), None]);
        }
        for is_read in [true, false] {
            let pages = [piece(start, 1), piece(start + 2 * page, 1), piece(start, 1)];
            assert_eq!(each_by_pipe(&pages, &mut [3; 3], is_read), 1);
        }
        // SAFETY: the mapping made above, to which nothing refers any more.
        unsafe { libc::munmap(std::ptr::with_exposed_provenance_mut(start), 2 * page) };
    }

    #[test]
    #[cfg_attr(miri, ignore = "has no such calls")]
    fn long_ranges_can_be_probed_at_their_ends_only() {
        let (page, access) = (rustix::param::page_size(), ProtFlags::READ | ProtFlags::WRITE);
        let bytes = 2 * (FEW + 2) * page;
        // SAFETY: a fresh mapping, which nothing else knows.
        let start =
            unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), bytes, access, MapFlags::PRIVATE) }
                .unwrap();
        let unmap = |from: usize, length: usize| {
            // SAFETY: a part of it, to which nothing refers.
            unsafe { libc::munmap(start.wrapping_byte_add(from), length) };
        };
        unmap(bytes / 2, page);
        let start = start.expose_provenance();
        for is_write in [false, true] {
            let found = |at, length, depth| first_hole([(start + at, length, depth)], is_write);
            assert_eq!((found(0, bytes, Depth::Ends), found(0, bytes, Depth::All)), (None, Some(0)));
            assert_eq!(found(bytes / 2, bytes / 2, Depth::Ends), Some(0));
            assert_eq!(found(0, bytes / 2 + 1, Depth::Ends), Some(0));
            // So few are all probed.
            assert_eq!(found(bytes / 2 - page, 3 * page, Depth::Ends), Some(0));
        }
        unmap(0, bytes);
    }
}
