// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reserved address ranges and the memory files mapped into them.
//!
//! A [`Reservation`] owns a range of addresses at which nothing is accessible and nothing is committed. Files
//! are mapped over parts of it in one step, so no other mapping of the process can slip in between. Dropping
//! it unmaps everything.

use std::ffi::c_void;
use std::ops::Range;
use std::os::fd::AsFd;

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags};

use super::memfile::{MemFile, Pages, mapping_error};
use super::process::memory_limits_text;
use crate::error::{Error, Kind, Result};
use crate::os::descriptor;
use crate::units::{ByteLen, Gva};

const OP: &str = "address space";

/// A range of addresses that belongs to us.
#[derive(Debug)]
pub struct Reservation {
    base: u64,
    bytes: u64,
}

impl Reservation {
    /// Reserves `bytes` at exactly `base` (both multiples of the page size); nothing is committed.
    ///
    /// # Errors
    /// `InUse` names the mapping that occupies it · `OutOfMemory` names the limit that forbids the range.
    pub fn at(base: u64, bytes: u64) -> Result<Self> {
        let (address, length) = (to_pointer(base), to_length(bytes)?);
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED_NOREPLACE;
        // SAFETY: FIXED_NOREPLACE never replaces a mapping, so no memory in use changes.
        let mapped = unsafe { rustix::mm::mmap_anonymous(address, length, ProtFlags::empty(), flags) };
        match mapped {
            Ok(got) if got == address => {
                let _ = leave_out_of_dumps(got, length);
                Ok(Self { base, bytes })
            }
            Ok(got) => {
                // Kernels before 4.17 take the address as a wish only. SAFETY: `got` is the mapping of
                // `length` bytes that was just made and that no other code knows.
                let _ = unsafe { rustix::mm::munmap(got, length) };
                Err(occupied(base, bytes))
            }
            Err(Errno::EXIST) => Err(occupied(base, bytes)),
            Err(errno) => Err(Error::os(OP, errno)
                .what("an address range could not be reserved")
                .with("base", format!("{base:#x}"))
                .with("bytes", ByteLen(bytes))
                .hint(memory_limits_text())),
        }
    }

    /// The first address.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The length in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Maps `range` of `file` for reading and writing at `offset` bytes into the reservation, replacing
    /// earlier mappings. Core files do not have it: to dump a file that is mostly untouched, the kernel makes
    /// all of its pages.
    ///
    /// # Errors
    /// `InvalidParam` when the part is not inside the reservation or the file · `OutOfMemory`.
    ///
    /// # Safety
    /// No thread accesses that part of the reservation while the call runs.
    pub unsafe fn map(&self, offset: u64, file: &MemFile, range: Range<u64>) -> Result<()> {
        let bytes = range.end.saturating_sub(range.start);
        let address = self.part(offset, bytes)?;
        if range.end > file.bytes() {
            return Err(Error::invalid(OP, "the file is shorter than the range to map")
                .with("file_bytes", file.bytes())
                .with("end", range.end));
        }
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let length = to_length(bytes)?;
        // SAFETY: the part lies inside this reservation (checked by `part`), which only its owner maps into,
        // and the caller keeps others out of it meanwhile.
        let mapped = unsafe { rustix::mm::mmap(address, length, access, flags, file.as_fd(), range.start) };
        let got = mapped.map_err(|errno| mapping_error(errno, bytes, file.pages()))?;
        let _ = leave_out_of_dumps(got, length);
        if file.pages() == Pages::Normal {
            // Transparent huge pages where the kernel offers them for shared memory; a refusal costs nothing.
            // SAFETY: advice about the range that was just mapped; it changes no content.
            let _ = unsafe { rustix::mm::madvise(got, length, Advice::LinuxHugepage) };
        }
        Ok(())
    }

    /// Makes a part inaccessible again and gives its pages back.
    ///
    /// # Errors
    /// `InvalidParam` when the part is not inside the reservation.
    ///
    /// # Safety
    /// No thread accesses that part of the reservation during the call or after it.
    pub unsafe fn unmap(&self, offset: u64, bytes: u64) -> Result<()> {
        let address = self.part(offset, bytes)?;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        // SAFETY: the part lies inside this reservation (checked by `part`) and the caller keeps others out
        // of it.
        let mapped =
            unsafe { rustix::mm::mmap_anonymous(address, to_length(bytes)?, ProtFlags::empty(), flags) };
        let closed = mapped.map_err(|errno| mapping_error(errno, bytes, Pages::Normal))?;
        let _ = leave_out_of_dumps(closed, to_length(bytes)?);
        Ok(())
    }

    /// Makes a mapped part be in core files.
    ///
    /// # Errors
    /// `InvalidParam` when the part is not inside the reservation.
    pub fn include_in_dumps(&self, offset: u64, bytes: u64) -> Result<()> {
        let address = self.part(offset, bytes)?;
        // SAFETY: advice about a part of our own range; it changes no content.
        unsafe { rustix::mm::madvise(address, to_length(bytes)?, Advice::LinuxDoDump) }
            .map_err(|errno| Error::os(OP, errno))
    }

    /// Takes the pages of a part from one NUMA node as they are touched; pages that exist stay where they
    /// are.
    ///
    /// # Errors
    /// `InvalidParam` for a node that the machine does not have, or a part outside the reservation.
    pub fn bind_to_node(&self, offset: u64, bytes: u64, node: u32) -> Result<()> {
        /// Pages are taken from these nodes only.
        const MPOL_BIND: libc::c_int = 2;
        /// The mask below has room for this many nodes; the kernel wants one more than it reads.
        const NODES: libc::c_ulong = 129;
        let address = self.part(offset, bytes)?;
        let length = to_length(bytes)?;
        let mask = 1u128.checked_shl(node).unwrap_or(0);
        // SAFETY: the range is ours and the mask lives during the call, which changes only where future pages
        // come from.
        let result =
            unsafe { libc::syscall(libc::SYS_mbind, address, length, MPOL_BIND, &raw const mask, NODES, 0) };
        if result == 0 {
            return Ok(());
        }
        Err(Error::invalid(OP, "memory cannot be taken from this NUMA node")
            .with("node", node)
            .source(std::io::Error::last_os_error()))
    }

    /// The address of a part.
    ///
    /// # Errors
    /// `InvalidParam` it is empty, or not inside the reservation.
    pub fn part(&self, offset: u64, bytes: u64) -> Result<*mut c_void> {
        match offset.checked_add(bytes) {
            Some(end) if end <= self.bytes && bytes > 0 => Ok(to_pointer(self.base + offset)),
            _ => Err(Error::invalid(OP, "the part is not inside the reservation")
                .with("offset", offset)
                .with("bytes", bytes)
                .with("reserved_bytes", self.bytes)),
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Ok(length) = to_length(self.bytes) {
            // SAFETY: the range is ours since `at`, and every user held a borrow of or a share in this owner.
            let _ = unsafe { rustix::mm::munmap(to_pointer(self.base), length) };
        }
    }
}

/// Leaves a mapping of ours out of core files. Without it they are only larger.
pub(super) fn leave_out_of_dumps(address: *mut c_void, length: usize) -> rustix::io::Result<()> {
    // SAFETY: advice, which changes no content.
    unsafe { rustix::mm::madvise(address, length, Advice::LinuxDontDump) }
}

fn to_pointer(address: u64) -> *mut c_void {
    Gva(address).as_ptr().cast()
}

fn to_length(bytes: u64) -> Result<usize> {
    usize::try_from(bytes)
        .map_err(|_| Error::invalid(OP, "the size does not fit this machine").with("bytes", bytes))
}

fn occupied(base: u64, bytes: u64) -> Error {
    let error = Error::new(Kind::InUse, OP)
        .what("an address range is taken in this process")
        .with("base", format!("{base:#x}"))
        .with("bytes", ByteLen(bytes));
    let end = base.saturating_add(bytes);
    match mapped_ranges().into_iter().find(|(range, _)| range.start < end && base < range.end) {
        Some((range, name)) => error.with("taken_by", format!("{:#x}-{:#x} {name}", range.start, range.end)),
        None => error,
    }
}

/// The address ranges this process has mapped, in order, each with the name the kernel gives it.
pub fn mapped_ranges() -> Vec<(Range<u64>, String)> {
    let text = descriptor::read_text("/proc/self/maps").unwrap_or_default();
    text.lines().filter_map(parse_maps_line).collect()
}

fn parse_maps_line(line: &str) -> Option<(Range<u64>, String)> {
    // Range, rights, offset, device, inode; then a name, which may have spaces.
    let mut fields = line.splitn(6, ' ');
    let (start, end) = fields.next()?.split_once('-')?;
    let range = u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?;
    let name = fields.nth(4).map(str::trim).filter(|name| !name.is_empty());
    Some((range, name.unwrap_or("anonymous memory").to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Switch;

    const BASE: u64 = 0x1180_0000_0000;

    #[test]
    fn names_of_mappings_keep_their_spaces() {
        let named =
            parse_maps_line("1000-2000 r-xp 00000000 fd:00 42                  /a b/libx.so").unwrap();
        assert_eq!(named, (0x1000..0x2000, "/a b/libx.so".to_owned()));
        for line in ["1000-2000 rw-p 00000000 00:00 0 ", "1000-2000 rw-p 00000000 00:00 0"] {
            assert_eq!(parse_maps_line(line).unwrap().1, "anonymous memory");
        }
    }

    #[test]
    fn a_taken_range_is_named() {
        let held = Reservation::at(BASE, 8 << 20).unwrap();
        let error = Reservation::at(BASE + (4 << 20), 8 << 20).unwrap_err();
        assert_eq!(error.kind(), Kind::InUse);
        assert!(error.fact("taken_by").unwrap().starts_with(&format!("{:#x}", held.base())), "{error}");
        drop(held);
        Reservation::at(BASE + (4 << 20), 8 << 20).unwrap();
    }

    #[test]
    fn two_mappings_of_a_file_show_the_same_bytes() {
        let file = MemFile::create("mf-test", 4 << 20, Switch::Off).unwrap();
        let one = Reservation::at(BASE + (64 << 20), 8 << 20).unwrap();
        let two = Reservation::at(BASE + (96 << 20), 8 << 20).unwrap();
        // SAFETY: no other code knows the two reservations.
        unsafe { one.map(0, &file, 0..4 << 20) }.unwrap();
        // SAFETY: the second reservation is this test's own, too.
        unsafe { two.map(4 << 20, &file, 0..4 << 20) }.unwrap();
        let write: *mut u64 = Gva(one.base()).as_ptr().cast();
        let read: *const u64 = Gva(two.base()).add(4 << 20).as_ptr().cast();
        // SAFETY: both lie in ranges mapped above.
        unsafe { write.write_volatile(42) };
        // SAFETY: `read` lies in the part of the second reservation that was mapped.
        assert_eq!(unsafe { read.read_volatile() }, 42);
    }

    /// Returns true if the mapping at an address is left out of core files.
    fn is_left_out(address: u64) -> bool {
        let text = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut inside = false;
        for line in text.lines() {
            let first = line.split_ascii_whitespace().next().unwrap_or("");
            if let Some((start, end)) = first.split_once('-') {
                let [start, end] = [start, end].map(|end| u64::from_str_radix(end, 16).unwrap_or(0));
                inside = (start..end).contains(&address);
            } else if inside && let Some(flags) = line.strip_prefix("VmFlags:") {
                return flags.split_ascii_whitespace().any(|flag| flag == "dd");
            }
        }
        panic!("nothing is mapped at {address:#x}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no smaps")]
    fn core_dumps_exclude_mapped_memory_by_default() {
        let range = Reservation::at(BASE + (192 << 20), 8 << 20).unwrap();
        let file = MemFile::create("mf-test", 4 << 20, Switch::Off).unwrap();
        assert!(is_left_out(range.base()));
        // SAFETY: no other code knows the reservation.
        unsafe { range.map(0, &file, 0..4 << 20) }.unwrap();
        assert!(is_left_out(range.base()) && is_left_out(range.base() + (6 << 20)));
        range.include_in_dumps(0, 2 << 20).unwrap();
        assert!(!is_left_out(range.base()) && is_left_out(range.base() + (3 << 20)));
        // SAFETY: the reservation is this test's own, and the pages are not used any more.
        unsafe { range.unmap(0, 4 << 20) }.unwrap();
        assert!(is_left_out(range.base()));
        assert!(range.include_in_dumps(7 << 20, 2 << 20).is_err());
        let mapped = super::super::mapped::Mapped::new(&file).unwrap();
        assert!(!is_left_out(mapped.base().addr() as u64));
        mapped.leave_out_of_dumps();
        assert!(is_left_out(mapped.base().addr() as u64));
    }

    #[test]
    fn binding_requires_an_existing_numa_node() {
        let range = Reservation::at(BASE + (160 << 20), 4 << 20).unwrap();
        assert_eq!(range.bind_to_node(0, 4 << 20, 120).unwrap_err().kind(), Kind::InvalidParam);
        if std::path::Path::new("/sys/devices/system/node/node0").exists() {
            range.bind_to_node(0, 4 << 20, 0).unwrap();
        }
    }

    #[test]
    fn parts_outside_are_refused() {
        let range = Reservation::at(BASE + (128 << 20), 4 << 20).unwrap();
        let file = MemFile::create("mf-test", 4 << 20, Switch::Off).unwrap();
        // SAFETY: no other code knows the reservation.
        assert!(unsafe { range.map(2 << 20, &file, 0..4 << 20) }.is_err());
        // SAFETY: the reservation is this test's own, and the call is refused.
        assert!(unsafe { range.map(u64::MAX, &file, 0..4096) }.is_err());
        // SAFETY: the reservation is this test's own, and the call is refused.
        assert!(unsafe { range.map(0, &file, 0..8 << 20) }.is_err());
    }
}
