// SPDX-License-Identifier: Apache-2.0 OR MIT
use super::*;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::ptr::null_mut;

const PAGE: usize = 4096;

struct Mapping {
    base: *mut u8,
    bytes: usize,
}

impl Mapping {
    fn new(bytes: usize, protection: ProtFlags) -> Self {
        // SAFETY: a new mapping at a place that the kernel chooses.
        let base = unsafe { mmap_anonymous(null_mut(), bytes, protection, MapFlags::PRIVATE) }.unwrap();
        Self { base: base.cast(), bytes }
    }

    fn resident_pages(&self) -> usize {
        let mut present = vec![0u8; self.bytes / PAGE];
        // SAFETY: the vector has one byte for each page of the mapping.
        let result = unsafe { libc::mincore(self.base.cast(), self.bytes, present.as_mut_ptr()) };
        assert_eq!(result, 0);
        present.iter().filter(|page| **page & 1 == 1).count()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: our own mapping, unused from here on.
        unsafe { munmap(self.base.cast(), self.bytes) }.unwrap();
    }
}

#[test]
fn prefault_makes_every_page_resident() {
    // One thread, two threads, and a start that is not at a huge page.
    for (skip, bytes) in [(0, 3 * PAGE), (0, 2 * THREAD_FROM + PAGE), (5 * PAGE, 2 * THREAD_FROM)] {
        let mapping = Mapping::new(skip + bytes, ProtFlags::READ | ProtFlags::WRITE);
        // SAFETY: a part of our own mapping.
        unsafe { prefault(mapping.base.wrapping_add(skip), bytes, PAGE) }.unwrap();
        assert!(mapping.resident_pages() >= bytes / PAGE, "skip {skip}, bytes {bytes}");
    }
}

#[test]
fn no_call_spans_two_huge_pages() {
    for (start, bytes) in
        [(0, 5 * HUGE_PAGE), (3 * PAGE, 4 * HUGE_PAGE), (HUGE_PAGE - PAGE, 2 * PAGE), (PAGE, PAGE)]
    {
        let base = std::ptr::without_provenance_mut::<u8>((7 * HUGE_PAGE) + start);
        let mut next = base.addr();
        for piece in (Range { base, bytes, page_bytes: HUGE_PAGE }).pieces() {
            assert_eq!(piece.base.addr(), next);
            next += piece.bytes;
            assert_eq!(piece.base.addr() / HUGE_PAGE, (next - 1) / HUGE_PAGE, "{start} {bytes}");
        }
        assert_eq!(next, base.addr() + bytes);
    }
}

#[test]
fn slow_collapse_disables_collapsing_and_still_populates() {
    let mapping = Mapping::new(6 * HUGE_PAGE, ProtFlags::READ | ProtFlags::WRITE);
    let range = Range { base: mapping.base, bytes: mapping.bytes, page_bytes: HUGE_PAGE };
    let collapsing = Collapsing { longest: Duration::ZERO, is_off: AtomicBool::new(false) };
    // SAFETY: our own mapping.
    unsafe { range.populate(&collapsing) }.unwrap();
    assert_eq!(mapping.resident_pages(), 6 * HUGE_PAGE / PAGE);
    assert!(collapsing.is_off());
    let piece = range.pieces().find(|piece| piece.bytes == HUGE_PAGE).unwrap();
    // SAFETY: a part of our own mapping.
    assert!(!unsafe { piece.collapse(&collapsing) });
}

#[test]
fn touching_keeps_content_and_reaches_every_page() {
    let mapping = Mapping::new(64 * PAGE, ProtFlags::READ | ProtFlags::WRITE);
    // SAFETY: inside our own mapping.
    unsafe { mapping.base.write_volatile(7) };
    let range = Range { base: mapping.base, bytes: mapping.bytes, page_bytes: PAGE };
    // SAFETY: our own mapping.
    unsafe { range.touch() };
    assert_eq!(mapping.resident_pages(), 64);
    // SAFETY: inside our own mapping.
    assert_eq!(unsafe { mapping.base.read_volatile() }, 7);
}

#[test]
fn prefault_of_read_only_memory_fails() {
    let bytes = 4 * PAGE;
    let mapping = Mapping::new(2 * bytes, ProtFlags::READ);
    // In one piece: a multiple of its size does not reach over the end of a large page.
    let base = mapping.base.wrapping_add(mapping.base.addr().wrapping_neg() % bytes);
    // SAFETY: inside our own mapping; the kernel refuses without touching it.
    let error = unsafe { prefault(base, bytes, PAGE) }.unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert_eq!(error.fact("bytes"), Some("16384"));
}

#[test]
fn unaligned_start_is_refused() {
    let mapping = Mapping::new(4 * PAGE, ProtFlags::READ | ProtFlags::WRITE);
    // SAFETY: inside our own mapping; refused before it is touched.
    let error = unsafe { prefault(mapping.base.wrapping_add(1), PAGE, PAGE) }.unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
}

#[test]
fn empty_prefault_succeeds() {
    let mapping = Mapping::new(PAGE, ProtFlags::READ | ProtFlags::WRITE);
    // SAFETY: an empty range.
    unsafe { prefault(mapping.base, 0, PAGE) }.unwrap();
}
