// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics on host memory of this process, as every route to it does them: so all see one order.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::{Atomic, AtomicKind, Width};

impl Atomic {
    /// Changes a word of host memory; its old value.
    ///
    /// # Safety
    /// `word` is aligned to the width and valid for reads and writes; all other accesses to it are atomic or
    /// may see any mixture of values.
    pub unsafe fn apply(self, word: *mut u8) -> u64 {
        const ORDER: Ordering = Ordering::SeqCst;
        macro_rules! change {
            ($word:expr, $operand:expr, $compare:expr) => {
                match self.kind {
                    AtomicKind::Add => $word.fetch_add($operand, ORDER),
                    AtomicKind::And => $word.fetch_and($operand, ORDER),
                    AtomicKind::Or => $word.fetch_or($operand, ORDER),
                    AtomicKind::Xor => $word.fetch_xor($operand, ORDER),
                    AtomicKind::Swap => $word.swap($operand, ORDER),
                    AtomicKind::Fetch => $word.load(ORDER),
                    AtomicKind::CompareSwap => {
                        let (Ok(old) | Err(old)) = $word.compare_exchange($compare, $operand, ORDER, ORDER);
                        old
                    }
                }
            };
        }
        #[expect(clippy::cast_possible_truncation, reason = "the low half counts")]
        let (low, low_compare) = (self.operand as u32, self.compare as u32);
        match self.width {
            Width::W32 => {
                // SAFETY: passed on to the caller.
                let word = unsafe { AtomicU32::from_ptr(word.cast()) };
                u64::from(change!(word, low, low_compare))
            }
            Width::W64 => {
                // SAFETY: passed on to the caller.
                let word = unsafe { AtomicU64::from_ptr(word.cast()) };
                change!(word, self.operand, self.compare)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_gives_the_old_value_and_wraps_in_its_width() {
        let mut word = u64::MAX - 1;
        let pointer: *mut u8 = (&raw mut word).cast();
        // SAFETY: the word is aligned, and nothing else refers to it.
        let change = |kind, width, operand, compare| unsafe {
            Atomic { kind, width, operand, compare }.apply(pointer)
        };
        assert_eq!(change(AtomicKind::Add, Width::W32, 3, 0), u64::from(u32::MAX - 1));
        assert_eq!(change(AtomicKind::Fetch, Width::W64, 0, 0), 0xffff_ffff_0000_0001);
        assert_eq!(change(AtomicKind::Swap, Width::W64, 12, 0), 0xffff_ffff_0000_0001);
        assert_eq!(change(AtomicKind::And, Width::W64, 10, 0), 12);
        assert_eq!(change(AtomicKind::Or, Width::W64, 5, 0), 8);
        assert_eq!(change(AtomicKind::Xor, Width::W32, 1, 0), 13);
        assert_eq!(change(AtomicKind::CompareSwap, Width::W64, 7, 1), 12);
        assert_eq!(change(AtomicKind::CompareSwap, Width::W64, 7, 12), 12);
        assert_eq!(change(AtomicKind::Fetch, Width::W32, 0, 0), 7);
    }
}
