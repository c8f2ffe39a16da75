// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics on the words of this process; each gives out the old value.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::transport::{Atomic, AtomicKind};

pub(super) fn change_64(word: &AtomicU64, atomic: Atomic) -> u64 {
    let operand = atomic.operand;
    match atomic.kind {
        AtomicKind::Add => word.fetch_add(operand, Ordering::SeqCst),
        AtomicKind::And => word.fetch_and(operand, Ordering::SeqCst),
        AtomicKind::Or => word.fetch_or(operand, Ordering::SeqCst),
        AtomicKind::Xor => word.fetch_xor(operand, Ordering::SeqCst),
        AtomicKind::Swap => word.swap(operand, Ordering::SeqCst),
        AtomicKind::CompareSwap => {
            match word.compare_exchange(atomic.compare, operand, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(old) | Err(old) => old,
            }
        }
        AtomicKind::Fetch => word.load(Ordering::SeqCst),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "of 32 bits the low half counts")]
pub(super) fn change_32(word: &AtomicU32, atomic: Atomic) -> u32 {
    let operand = atomic.operand as u32;
    match atomic.kind {
        AtomicKind::Add => word.fetch_add(operand, Ordering::SeqCst),
        AtomicKind::And => word.fetch_and(operand, Ordering::SeqCst),
        AtomicKind::Or => word.fetch_or(operand, Ordering::SeqCst),
        AtomicKind::Xor => word.fetch_xor(operand, Ordering::SeqCst),
        AtomicKind::Swap => word.swap(operand, Ordering::SeqCst),
        AtomicKind::CompareSwap => {
            match word.compare_exchange(atomic.compare as u32, operand, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(old) | Err(old) => old,
            }
        }
        AtomicKind::Fetch => word.load(Ordering::SeqCst),
    }
}
