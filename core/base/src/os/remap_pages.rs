// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Replacement of pages in use by others of the same content: by pages of a file, which other processes map
//! as well, and by private ones again.
//!
//! Each exchange is one system call, so a reader meanwhile finds the same bytes before and after. Writes
//! between the copy and the exchange are lost: the caller keeps writers out.

use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, RawFd};
use std::os::unix::fs::FileExt;

use rustix::mm::{MapFlags, ProtFlags};

use super::memfile::{MemFile, mapping_error};
use super::process::page_bytes;
use crate::error::{Error, Result};
use crate::os::descriptor;
use crate::units::Gva;

const OP: &str = "exchange of pages";

/// Entries of the kernel's table of pages that are read at a time.
const ENTRIES: usize = 16 << 10;

/// The parts of a private range without a file, of whole pages, that have a page; all else there reads as
/// zeroes.
///
/// # Errors
/// The kernel's table of pages cannot be read.
pub fn present(range: Range<u64>) -> io::Result<Vec<Range<u64>>> {
    /// A page in memory, or in swap.
    const THERE: u64 = 3 << 62;
    let table = descriptor::read_file("/proc/self/pagemap")?;
    let bytes = page_bytes();
    let mut found: Vec<Range<u64>> = Vec::new();
    let mut entries = vec![0u8; ENTRIES * 8];
    let (mut page, end) = (range.start / bytes, range.end / bytes);
    while page < end {
        let count = usize::try_from(end - page).unwrap_or(ENTRIES).min(ENTRIES);
        table.read_exact_at(&mut entries[..count * 8], page * 8)?;
        for (page, entry) in (page..).zip(entries[..count * 8].as_chunks().0) {
            let start = page * bytes;
            if u64::from_le_bytes(*entry) & THERE == 0 {
                continue;
            }
            match found.last_mut() {
                Some(last) if last.end == start => last.end += bytes,
                _ => found.push(start..start + bytes),
            }
        }
        page += count as u64;
    }
    Ok(found)
}

/// Copies the memory of this process in `range` into the file.
///
/// # Errors
/// `OutOfMemory`, `NoResources` the file is at its size limit.
///
/// # Safety
/// The range is mapped and readable.
pub unsafe fn copy_to_file(range: Range<u64>, file: &MemFile, offset: u64) -> Result<()> {
    let (mut from, mut to) = (range.start, offset);
    while from < range.end {
        let length = usize::try_from(range.end - from).unwrap_or(usize::MAX).min(1 << 30);
        let at = libc::off_t::try_from(to).unwrap_or(libc::off_t::MAX);
        let descriptor = std::os::fd::AsRawFd::as_raw_fd(&file.as_fd());
        // SAFETY: the caller vouches for the range; the kernel reads it.
        let written = unsafe { libc::pwrite(descriptor, Gva(from).as_ptr().cast_const().cast(), length, at) };
        let Ok(written @ 1..) = u64::try_from(written) else {
            let error = io::Error::last_os_error();
            return Err(Error::new(crate::Kind::OutOfMemory, OP)
                .what("a memory file takes no more")
                .with("bytes", range.end - range.start)
                .source(error));
        };
        from += written;
        to += written;
    }
    Ok(())
}

/// Maps a part of the file over pages in use.
///
/// # Errors
/// `OutOfMemory`; the earlier mapping stays.
///
/// # Safety
/// The range consists of whole pages which the caller may replace, the file has their content, and no other
/// thread writes there meanwhile.
pub unsafe fn replace_pages(
    range: Range<u64>,
    file: &MemFile,
    offset: u64,
    is_executable: bool,
) -> Result<()> {
    let bytes = range.end - range.start;
    let length = usize::try_from(bytes).map_err(|_| Error::invalid(OP, "the range is too long"))?;
    let mut access = ProtFlags::READ | ProtFlags::WRITE;
    if is_executable {
        access |= ProtFlags::EXEC;
    }
    let (at, flags) = (Gva(range.start).as_ptr().cast(), MapFlags::SHARED | MapFlags::FIXED);
    // SAFETY: the caller vouches for the range and for the content of the file.
    let mapped = unsafe { rustix::mm::mmap(at, length, access, flags, file.as_fd(), offset) };
    mapped.map(drop).map_err(|errno| mapping_error(errno, bytes, file.pages()))
}

/// Maps shared pages of this process a second time, over pages in use.
///
/// # Errors
/// `OutOfMemory`; the earlier mapping may be gone, since the kernel unmaps it first.
///
/// # Safety
/// Both ranges consist of whole pages of the same length and do not overlap; the first is a part of one
/// shared mapping; the caller may replace the second, and no other thread uses it meanwhile.
pub unsafe fn alias_pages(shared: u64, bytes: u64, at: u64) -> Result<()> {
    let length = usize::try_from(bytes).map_err(|_| Error::invalid(OP, "the range is too long"))?;
    let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
    // A former length of 0 makes a second mapping of the same pages, and keeps the first.
    // SAFETY: the caller vouches for both ranges.
    let mapped = unsafe { libc::mremap(Gva(shared).as_ptr().cast(), 0, length, flags, Gva(at).as_ptr()) };
    if mapped == libc::MAP_FAILED {
        let error = io::Error::last_os_error();
        return Err(Error::new(crate::Kind::OutOfMemory, OP)
            .what("shared pages cannot be mapped a second time")
            .with("bytes", bytes)
            .source(error));
    }
    Ok(())
}

/// Replaces pages of a file, which begin there at `offset`, by private ones with their content; holes of the
/// file stay holes. False: it failed, and the pages are the file's as before. For handlers of forks: takes no
/// lock and no memory of the allocator.
///
/// # Safety
/// As [`replace_pages`], and the range is mapped from the file, for its whole length.
pub unsafe fn make_private(range: Range<u64>, file: RawFd, offset: u64, is_executable: bool) -> bool {
    let (Ok(length), Ok(offset)) = (usize::try_from(range.end - range.start), i64::try_from(offset)) else {
        return false;
    };
    let mut access = libc::PROT_READ | libc::PROT_WRITE;
    if is_executable {
        access |= libc::PROT_EXEC;
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a fresh mapping at an address of the kernel's choice replaces nothing.
    let fresh = unsafe { libc::mmap(std::ptr::null_mut(), length, access, flags, -1, 0) };
    if fresh == libc::MAP_FAILED {
        return false;
    }
    let mut done = 0;
    while done < length {
        let Some((start, end)) = next_data(file, offset, done, length) else { break };
        let from = Gva(range.start + start as u64).as_ptr().cast_const();
        // SAFETY: inside of the range and of the fresh mapping, which are equally long.
        unsafe { from.copy_to_nonoverlapping(fresh.cast::<u8>().wrapping_add(start), end - start) };
        done = end;
    }
    let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
    // SAFETY: the caller vouches for the range; no other code knows the fresh mapping.
    let moved = unsafe { libc::mremap(fresh, length, length, flags, Gva(range.start).as_ptr()) };
    if moved == libc::MAP_FAILED {
        // SAFETY: no other code knows the fresh mapping.
        unsafe { libc::munmap(fresh, length) };
        return false;
    }
    true
}

/// Returns the next part with data at or after a distance from `offset`, not beyond `length`. `None` if there
/// is no more.
fn next_data(file: RawFd, offset: i64, from: usize, length: usize) -> Option<(usize, usize)> {
    let at = offset.checked_add(i64::try_from(from).ok()?)?;
    // SAFETY: a call on a descriptor, which moves no memory.
    let data = unsafe { libc::lseek(file, at, libc::SEEK_DATA) };
    if data < 0 {
        let is_end = io::Error::last_os_error().raw_os_error() == Some(libc::ENXIO);
        // A kernel that does not know where data is: all of it.
        return if is_end { None } else { Some((from, length)) };
    }
    // SAFETY: lseek moves the offset of a descriptor and no memory.
    let hole = unsafe { libc::lseek(file, data, libc::SEEK_HOLE) };
    let start = usize::try_from(data - offset).ok()?;
    let end = usize::try_from(hole - offset).unwrap_or(length).min(length);
    (start < length).then_some((start, end.max(start)))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;
    use crate::settings::Switch;

    /// A private mapping of its own; it is never unmapped.
    fn fresh(bytes: usize) -> Range<u64> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping at an address of the kernel's choice replaces nothing.
        let at =
            unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), bytes, access, MapFlags::PRIVATE) };
        let start = at.unwrap().addr() as u64;
        start..start + bytes as u64
    }

    fn word(address: u64) -> *mut u64 {
        Gva(address).as_ptr().cast()
    }

    #[test]
    fn remapped_pages_keep_contents_and_holes() {
        let (page, bytes) = (page_bytes(), 64 << 20);
        let range = fresh(64 << 20);
        let places = [8, page * 3, page * 4, page * 9000 + 16, bytes - 8];
        for (value, place) in (1..).zip(places) {
            // SAFETY: inside of the fresh mapping.
            unsafe { word(range.start + place).write_volatile(value) };
        }
        let parts = present(range.clone()).unwrap();
        let starts: Vec<u64> = parts.iter().map(|part| (part.start - range.start) / page).collect();
        assert_eq!(starts, [0, 3, 9000, bytes / page - 1]);
        let file = MemFile::create("mf-test", bytes + page, Switch::Off).unwrap();
        for part in parts {
            // SAFETY: part of the fresh mapping.
            unsafe { copy_to_file(part.clone(), &file, page + part.start - range.start) }.unwrap();
        }
        // SAFETY: the fresh mapping; the file has a copy of its content.
        unsafe { replace_pages(range.clone(), &file, page, false) }.unwrap();
        let used = || rustix::fs::fstat(file.as_fd()).unwrap().st_blocks * 512;
        assert_eq!(used().cast_unsigned(), 5 * page);
        let check = |last: u64| {
            for (value, place) in [1, 2, 3, 4, last].into_iter().zip(places) {
                // SAFETY: inside of the mapping.
                assert_eq!(unsafe { word(range.start + place).read_volatile() }, value);
            }
        };
        check(5);
        // Writes go to the file now. SAFETY: as above.
        unsafe { word(range.start + places[4]).write_volatile(50) };
        let mut there = [0; 8];
        rustix::io::pread(&file, &mut there, page + places[4]).unwrap();
        assert_eq!(u64::from_le_bytes(there), 50);
        check(50);

        // SAFETY: the mapping of the file, used only here.
        assert!(unsafe { make_private(range.clone(), file.as_fd().as_raw_fd(), page, false) });
        check(50);
        // SAFETY: `places[4]` lies in the range, which is mapped and used only here.
        unsafe { word(range.start + places[4]).write_volatile(51) };
        rustix::io::pread(&file, &mut there, page + places[4]).unwrap();
        assert_eq!((u64::from_le_bytes(there), used().cast_unsigned()), (50, 5 * page));
        assert_eq!(present(range).unwrap().len(), 4);
    }

    #[test]
    fn aliased_pages_are_the_same_memory() {
        let file = MemFile::create("alias", 1 << 20, Switch::Off).unwrap();
        let (shared, other) = (fresh(1 << 20), fresh(1 << 20));
        // SAFETY: a range of this test, with the content of a new file.
        unsafe { replace_pages(shared.clone(), &file, 0, false) }.unwrap();
        // SAFETY: whole pages of this test alone.
        unsafe { alias_pages(shared.start + 8192, 4096, other.start + 4096) }.unwrap();
        let (one, two) = (Gva(shared.start + 8192 + 5).as_ptr(), Gva(other.start + 4096 + 5).as_ptr());
        // SAFETY: mapped memory of this test alone.
        unsafe { one.write_volatile(7) };
        // SAFETY: as above.
        assert_eq!(unsafe { two.read_volatile() }, 7);
        // SAFETY: as above.
        assert_eq!(unsafe { Gva(other.start + 5).as_ptr().read_volatile() }, 0);
        // SAFETY: nothing is mapped there, which the call refuses.
        assert!(unsafe { alias_pages(4096, 4096, other.start) }.is_err());
    }
}
