// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Update of a signal in mapped memory.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mf_transport::{AtomicKind, SignalKind, Width};

use crate::number::Element;

/// Updates a signal that is mapped here, after all stores of this thread.
///
/// A release store becomes visible after the data, and costs little more than the data.
///
/// # Safety
/// The word is aligned, and valid for reads and writes; other accesses to it are atomic.
#[inline(always)]
pub unsafe fn apply(kind: SignalKind, width: Width, value: u64, word: *mut u8) {
    let low = u32::from_bits(value);
    match (kind, width) {
        (SignalKind::Set, Width::W32) => {
            // SAFETY: passed on to the caller.
            unsafe { AtomicU32::from_ptr(word.cast()) }.store(low, Ordering::Release);
        }
        (SignalKind::Set, Width::W64) => {
            // SAFETY: passed on to the caller.
            unsafe { AtomicU64::from_ptr(word.cast()) }.store(value, Ordering::Release);
        }
        (SignalKind::Add, Width::W32) => {
            // SAFETY: passed on to the caller.
            unsafe { AtomicKind::Add.apply_32(word.cast(), low, 0) };
        }
        (SignalKind::Add, Width::W64) => {
            // SAFETY: passed on to the caller.
            unsafe { AtomicKind::Add.apply_64(word.cast(), value, 0) };
        }
    }
}
