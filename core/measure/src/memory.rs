// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The plain operations that everything is measured against: the C library's `memcpy`, and fresh pages.

use std::hint::black_box;

use mf_base::{Error, Result};
use rustix::mm::{Advice, MapFlags, ProtFlags};

/// Copies `bytes` with the C library's `memcpy`; the compiler sees neither the addresses nor the length.
///
/// # Safety
/// Both ranges are mapped in this process, do not overlap, and nothing relies on their content meanwhile.
pub unsafe fn plain_copy(source: *const u8, destination: *mut u8, bytes: usize) {
    // SAFETY: the caller upholds the contract of `memcpy`.
    unsafe { libc::memcpy(black_box(destination).cast(), black_box(source).cast(), black_box(bytes)) };
}

/// Copies `bytes` between this process and another one of this machine by one system call; false: the kernel
/// does not allow it, or not all of them.
///
/// # Safety
/// The local range is mapped in this process, writable where it is read from there, and nothing relies on
/// its content meanwhile.
pub unsafe fn plain_remote_copy(
    process: u32,
    local: *mut u8,
    remote: *mut u8,
    bytes: usize,
    is_write: bool,
) -> bool {
    let call = if is_write { libc::process_vm_writev } else { libc::process_vm_readv };
    let near = libc::iovec { iov_base: local.cast(), iov_len: bytes };
    let far = libc::iovec { iov_base: remote.cast(), iov_len: bytes };
    let process = i32::try_from(process).unwrap_or(-1);
    // SAFETY: passed on to the caller; the other range is the kernel's to check.
    let copied = unsafe { call(process, &raw const near, 1, &raw const far, 1, 0) };
    usize::try_from(copied) == Ok(bytes)
}

/// Writes a word into every page of 4 KiB of a range.
///
/// # Safety
/// The range is mapped writable in this process and nothing relies on its content.
pub unsafe fn touch(start: *mut u8, bytes: usize) {
    for offset in (0..bytes).step_by(4096) {
        // SAFETY: the offset lies inside the range of the caller's promise; pages are aligned for any word.
        unsafe { start.wrapping_add(offset).cast::<u64>().write_volatile(1) };
    }
}

/// Fresh private memory in pages of 4 KiB, none of them touched.
pub struct FreshPages {
    start: *mut u8,
    bytes: usize,
}

impl FreshPages {
    /// Maps `bytes`.
    ///
    /// # Errors
    /// `OutOfMemory` when the address space or the memory has a limit below that.
    pub fn map(bytes: usize) -> Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice changes no memory in use.
        let start = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), bytes, access, flags) };
        let start = start.map_err(|errno| Error::os("fresh memory", errno).with("bytes", bytes))?;
        // SAFETY: advice about the range that was just mapped. Kernels without huge pages refuse it, and need
        // it not.
        let _ = unsafe { rustix::mm::madvise(start, bytes, Advice::LinuxNoHugepage) };
        Ok(Self { start: start.cast(), bytes })
    }

    /// Touches every page.
    pub fn touch(&mut self) {
        // SAFETY: the range is this object's own mapping.
        unsafe { touch(self.start, self.bytes) };
    }
}

impl Drop for FreshPages {
    fn drop(&mut self) {
        // SAFETY: the range was mapped by `map` and nothing else knows it.
        let _ = unsafe { rustix::mm::munmap(self.start.cast(), self.bytes) };
    }
}

/// Private memory that was touched, for sources and destinations of copies.
///
/// It begins at a page, as segments do: the relative offset of two addresses within a page changes the speed
/// of a copy by more than the measured differences.
pub struct Buffer {
    memory: Vec<u8>,
    start: usize,
    bytes: usize,
}

/// Alignment of a [`Buffer`].
const PAGE: usize = 4096;

impl Buffer {
    /// A buffer of `bytes`.
    pub fn filled(bytes: usize) -> Self {
        let mut memory = vec![0u8; bytes + PAGE];
        let address = memory.as_ptr().addr();
        let start = address.next_multiple_of(PAGE) - address;
        for (number, page) in memory.chunks_mut(PAGE).enumerate() {
            page.fill(u8::try_from(number % 251).unwrap_or(0));
        }
        Self { memory, start, bytes }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.start..][..self.bytes]
    }

    /// Copies the bytes of a buffer of the same length with the C library's `memcpy`.
    pub fn copy_from(&mut self, source: &Self) {
        let bytes = self.bytes.min(source.bytes);
        // SAFETY: two private buffers, with at least so many bytes; the exclusive borrow keeps others away.
        unsafe { plain_copy(source.bytes().as_ptr(), self.bytes_mut().as_mut_ptr(), bytes) };
    }

    /// Its bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..][..self.bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_begin_at_a_page() {
        for bytes in [0, 8, 4096, 1 << 20] {
            let mut buffer = Buffer::filled(bytes);
            assert_eq!(buffer.bytes().len(), bytes);
            assert!(buffer.bytes_mut().as_ptr().addr().is_multiple_of(PAGE));
        }
    }

    #[test]
    fn fresh_pages_can_be_touched_and_given_back() {
        for _ in 0..2 {
            FreshPages::map(1 << 20).unwrap().touch();
        }
    }
}
