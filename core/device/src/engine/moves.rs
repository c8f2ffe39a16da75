// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies of up to 16 bytes in registers; above, the call of memmove is not slower than vector moves here.
//!
//! Flags and counters live in such copies, so sizes 1, 2, 4 and 8 are exactly one load and one store: an
//! aligned one is never seen half done, and no byte is stored twice (a second store could undo the answer of
//! a peer that has already seen the first). Other sizes take an overlapping head and tail. Everything is
//! loaded before anything is stored, which makes overlapping ranges well defined.

/// Copies `bytes` ≤ 16 bytes; overlapping ranges behave like memmove.
///
/// # Safety
/// `src` is readable and `dst` writable for `bytes` bytes; `bytes` is at most 16.
#[inline(always)]
pub(super) unsafe fn copy_up_to_16(src: *const u8, dst: *mut u8, bytes: usize) {
    macro_rules! whole {
        ($load:ident, $store:ident) => {{
            // SAFETY: the caller vouches for as many bytes at `src` as this branch moves.
            let value = unsafe { $load(src) };
            // SAFETY: and at `dst`.
            unsafe { $store(dst, value) }
        }};
    }
    macro_rules! head_and_tail {
        ($load:ident, $store:ident, $width:literal) => {{
            let tail = bytes - $width;
            // SAFETY: this branch has `bytes >= width`, so the head lies in the caller's range.
            let first = unsafe { $load(src) };
            // SAFETY: `tail + width == bytes`, so the tail lies in the caller's range.
            let last = unsafe { $load(src.wrapping_add(tail)) };
            // SAFETY: as the load of the head, for `dst`.
            unsafe { $store(dst, first) };
            // SAFETY: as the load of the tail, for `dst`.
            unsafe { $store(dst.wrapping_add(tail), last) };
        }};
    }
    // Not a match, which becomes a jump by a table: 8 bytes are one comparison away.
    if bytes == 8 {
        whole!(load_8, store_8);
    } else if bytes > 8 {
        head_and_tail!(load_8, store_8, 8);
    } else if bytes >= 4 {
        if bytes == 4 { whole!(load_4, store_4) } else { head_and_tail!(load_4, store_4, 4) }
    } else if bytes >= 2 {
        if bytes == 2 { whole!(load_2, store_2) } else { head_and_tail!(load_2, store_2, 2) }
    } else if bytes == 1 {
        whole!(load_1, store_1);
    }
}

/// # Safety
/// `src` is readable for 1 byte.
#[inline(always)]
unsafe fn load_1(src: *const u8) -> u8 {
    // SAFETY: a byte is always aligned, and the caller vouches for it.
    unsafe { src.read_volatile() }
}

/// # Safety
/// `dst` is writable for 1 byte.
#[inline(always)]
unsafe fn store_1(dst: *mut u8, value: u8) {
    // SAFETY: a byte is always aligned, and the caller vouches for it.
    unsafe { dst.write_volatile(value) }
}

/// Any alignment in one instruction, which a volatile access in Rust does not offer.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod access {
    use std::arch::asm;

    macro_rules! access {
        ($load:ident, $store:ident, $type:ty, $bytes:literal, $load_text:literal, $store_text:literal) => {
            #[doc = concat!("# Safety\n`src` is readable for ", $bytes, " bytes.")]
            #[inline(always)]
            pub(super) unsafe fn $load(src: *const u8) -> $type {
                let value: $type;
                // SAFETY: one load of bytes that the caller vouches for, at any alignment.
                unsafe {
                    asm!($load_text, value = lateout(reg) value, src = in(reg) src,
                         options(nostack, preserves_flags, readonly));
                }
                value
            }

            #[doc = concat!("# Safety\n`dst` is writable for ", $bytes, " bytes.")]
            #[inline(always)]
            pub(super) unsafe fn $store(dst: *mut u8, value: $type) {
                // SAFETY: one store to bytes that the caller vouches for, at any alignment.
                unsafe {
                    asm!($store_text, value = in(reg) value, dst = in(reg) dst, options(nostack, preserves_flags));
                }
            }
        };
    }

    access!(load_8, store_8, u64, "8", "mov {value}, qword ptr [{src}]", "mov qword ptr [{dst}], {value}");
    access!(
        load_4,
        store_4,
        u32,
        "4",
        "mov {value:e}, dword ptr [{src}]",
        "mov dword ptr [{dst}], {value:e}"
    );
    access!(
        load_2,
        store_2,
        u16,
        "2",
        "movzx {value:e}, word ptr [{src}]",
        "mov word ptr [{dst}], {value:x}"
    );
}

/// Aligned accesses are volatile and whole; others go byte by byte.
#[cfg(any(not(target_arch = "x86_64"), miri))]
mod access {
    macro_rules! access {
        ($load:ident, $store:ident, $type:ty, $bytes:literal) => {
            #[doc = concat!("# Safety\n`src` is readable for ", $bytes, " bytes.")]
            #[inline(always)]
            pub(super) unsafe fn $load(src: *const u8) -> $type {
                if src.cast::<$type>().is_aligned() {
                    // SAFETY: aligned, and the caller vouches for the bytes.
                    return unsafe { src.cast::<$type>().read_volatile() };
                }
                let mut value = [0u8; size_of::<$type>()];
                for (i, byte) in value.iter_mut().enumerate() {
                    // SAFETY: `i` is below the number of bytes that the caller vouches for.
                    *byte = unsafe { super::load_1(src.wrapping_add(i)) };
                }
                <$type>::from_ne_bytes(value)
            }

            #[doc = concat!("# Safety\n`dst` is writable for ", $bytes, " bytes.")]
            #[inline(always)]
            pub(super) unsafe fn $store(dst: *mut u8, value: $type) {
                if dst.cast::<$type>().is_aligned() {
                    // SAFETY: aligned, and the caller vouches for the bytes.
                    return unsafe { dst.cast::<$type>().write_volatile(value) };
                }
                for (i, byte) in value.to_ne_bytes().into_iter().enumerate() {
                    // SAFETY: `i` is below the number of bytes that the caller vouches for.
                    unsafe { super::store_1(dst.wrapping_add(i), byte) };
                }
            }
        };
    }

    access!(load_8, store_8, u64, "8");
    access!(load_4, store_4, u32, "4");
    access!(load_2, store_2, u16, "2");
}

use access::{load_2, load_4, load_8, store_2, store_4, store_8};
