// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the program that no device knows: its addresses may be bad.
//!
//! The kernel performs the copy: it checks each page as it goes, even if other threads unmap pages meanwhile,
//! so that a stray address is an error and never ends the process. Without strictness, or where the kernel
//! offers no such call (a sandbox may forbid it), the bytes are copied directly.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;

/// Cleared when the kernel turns out to refuse.
static CHECKED: AtomicBool = AtomicBool::new(true);

/// Copies bytes of which at least one side is unknown memory.
///
/// # Errors
/// How many bytes were copied before an address was bad.
///
/// # Safety
/// Each side that is not unknown memory is valid for `bytes`.
pub(crate) unsafe fn copy(dst: usize, src: usize, bytes: usize, strict: bool) -> Result<(), usize> {
    // SAFETY: takes nothing and cannot fail.
    let this = unsafe { libc::getpid() };
    let mut done = 0;
    while strict && done < bytes && CHECKED.load(Ordering::Relaxed) {
        let local = iovec(dst + done, bytes - done);
        let remote = iovec(src + done, bytes - done);
        // SAFETY: the kernel checks both sides itself; both descriptions outlive the call.
        let moved = unsafe { libc::process_vm_readv(this, &raw const local, 1, &raw const remote, 1, 0) };
        match usize::try_from(moved) {
            Ok(moved) if moved > 0 => done += moved,
            _ => match Errno::from_io_error(&std::io::Error::last_os_error()) {
                Some(Errno::INTR) => {}
                Some(Errno::PERM | Errno::NOSYS) => CHECKED.store(false, Ordering::Relaxed),
                _ => return Err(done),
            },
        }
    }
    if done < bytes {
        // SAFETY: one side is valid by this function's contract; for the other the caller of the interface
        // vouches, as for any function of the C library.
        unsafe { move_bytes(dst + done, src + done, bytes - done) };
    }
    Ok(())
}

fn iovec(address: usize, bytes: usize) -> libc::iovec {
    libc::iovec { iov_base: std::ptr::with_exposed_provenance_mut::<c_void>(address), iov_len: bytes }
}

/// Sets whole pages of a mapped memory file to zero, without memory for them; false: the kernel does not.
///
/// # Safety
/// The range is mapped, and belongs to the simulator.
pub(crate) unsafe fn discard(at: usize, bytes: usize) -> bool {
    let at = std::ptr::with_exposed_provenance_mut::<c_void>(at);
    // SAFETY: the range is mapped and belongs to the simulator, by contract.
    unsafe { libc::madvise(at, bytes, libc::MADV_REMOVE) == 0 }
}

/// Moves bytes that devices and other processes may touch at the same time; an aligned word goes in one
/// piece.
///
/// # Safety
/// Both sides are valid for `bytes`.
#[inline]
pub(crate) unsafe fn move_bytes(dst: usize, src: usize, bytes: usize) {
    if bytes == 8 && dst.is_multiple_of(8) && src.is_multiple_of(8) {
        let (dst, src) =
            (std::ptr::with_exposed_provenance_mut(dst), std::ptr::with_exposed_provenance_mut(src));
        // SAFETY: valid and aligned, as checked above.
        let src = unsafe { std::sync::atomic::AtomicU64::from_ptr(src) };
        // SAFETY: `dst` is valid by contract, and aligned as checked.
        let dst = unsafe { std::sync::atomic::AtomicU64::from_ptr(dst) };
        dst.store(src.load(Ordering::Acquire), Ordering::Release);
        return;
    }
    // SAFETY: both sides are valid. Bytes that another writes meanwhile arrive in either state, as on a
    // bus; the C library's function works on raw memory and assumes nothing else.
    unsafe {
        libc::memmove(
            std::ptr::with_exposed_provenance_mut(dst),
            std::ptr::with_exposed_provenance(src),
            bytes,
        )
    };
}
