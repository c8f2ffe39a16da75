// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics on memory of this process, shared by every route to it: so all see one order.
//!
//! The processor does them on host memory. A word of an accelerator is copied here, changed, and copied back,
//! under the lock of the mover; it is not written if the value stays the same.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mf_base::os::guarded;
use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_device::{Access, Mover, Word};

use crate::target::hole;
use crate::{Atomic, AtomicKind, Spot, Width};

impl Atomic {
    /// Changes the word at a spot. Returns its old value.
    ///
    /// # Errors
    /// `InvalidParam` the word is not aligned · for an accelerator's memory errors of its mover.
    ///
    /// # Safety
    /// The word is valid for reads and writes, in the kind of memory of the spot; for host memory as for
    /// [`apply`](Self::apply).
    pub unsafe fn change(self, spot: Spot<'_>) -> Result<u64> {
        let address = match spot {
            Spot::Host(word) | Spot::Program(word) => word.addr() as u64,
            Spot::Device { address, .. } => address,
        };
        if !address.is_multiple_of(self.width.bytes()) {
            return Err(Error::invalid("atomic", "the word is not aligned")
                .with("address", format_args!("{address:#x}"))
                .with("bytes", self.width.bytes()));
        }
        match spot {
            Spot::Program(word) if !guarded::is_writable_word(word.expose_provenance()) => {
                Err(hole(Access::Write, address, self.width.bytes()))
            }
            // SAFETY: passed on to the caller; it is aligned.
            Spot::Host(word) | Spot::Program(word) => Ok(unsafe { self.apply(word) }),
            // SAFETY: passed on to the caller.
            Spot::Device { mover, .. } => unsafe { self.change_by(mover, address) },
        }
    }

    /// # Safety
    /// As [`change`](Self::change), for a word of the mover's device.
    unsafe fn change_by(self, mover: &dyn Mover, address: u64) -> Result<u64> {
        let word = |value: u64| match self.width {
            #[expect(clippy::cast_possible_truncation, reason = "the low half counts")]
            Width::W32 => Word::U32(value as u32),
            Width::W64 => Word::U64(value),
        };
        let _one_at_a_time = lock(mover.words());
        // SAFETY: passed on to the caller.
        let old = match unsafe { mover.read_word(address, word(0)) }? {
            Word::U32(old) => u64::from(old),
            Word::U64(old) => old,
        };
        let new = self.result(old);
        if new != old {
            // SAFETY: passed on to the caller.
            unsafe { mover.write_word(address, word(new)) }?;
        }
        Ok(old)
    }

    /// Returns the new value of a word with the value `old`.
    const fn result(self, old: u64) -> u64 {
        let new = match self.kind {
            AtomicKind::Add => old.wrapping_add(self.operand),
            AtomicKind::And => old & self.operand,
            AtomicKind::Or => old | self.operand,
            AtomicKind::Xor => old ^ self.operand,
            AtomicKind::Swap => self.operand,
            AtomicKind::CompareSwap if old == self.width.low(self.compare) => self.operand,
            AtomicKind::CompareSwap | AtomicKind::Fetch => old,
        };
        self.width.low(new)
    }

    /// Changes a word of host memory; its old value.
    ///
    /// # Safety
    /// `word` is aligned to the width and valid for reads and writes; all other accesses to it are atomic or
    /// may see any mixture of values.
    #[inline]
    pub unsafe fn apply(self, word: *mut u8) -> u64 {
        match self.width {
            // SAFETY: passed on to the caller.
            #[expect(clippy::cast_possible_truncation, reason = "the low half counts")]
            Width::W32 => u64::from(unsafe {
                self.kind.apply_32(word.cast(), self.operand as u32, self.compare as u32)
            }),
            // SAFETY: passed on to the caller.
            Width::W64 => unsafe { self.kind.apply_64(word.cast(), self.operand, self.compare) },
        }
    }
}

macro_rules! apply {
    ($($name:ident, $number:ty, $atomic:ty;)*) => {
        impl AtomicKind {
            $(/// Changes a word of host memory, by one instruction where the kind is a constant; its old value.
            ///
            /// # Safety
            /// As [`Atomic::apply`].
            #[inline(always)]
            pub unsafe fn $name(self, word: *mut $number, operand: $number, compare: $number) -> $number {
                const ORDER: Ordering = Ordering::SeqCst;
                // SAFETY: passed on to the caller.
                let word = unsafe { <$atomic>::from_ptr(word) };
                match self {
                    Self::Add => word.fetch_add(operand, ORDER),
                    Self::And => word.fetch_and(operand, ORDER),
                    Self::Or => word.fetch_or(operand, ORDER),
                    Self::Xor => word.fetch_xor(operand, ORDER),
                    Self::Swap => word.swap(operand, ORDER),
                    Self::Fetch => word.load(ORDER),
                    Self::CompareSwap => {
                        let (Ok(old) | Err(old)) = word.compare_exchange(compare, operand, ORDER, ORDER);
                        old
                    }
                }
            })*
        }
    };
}

apply! {
    apply_32, u32, AtomicU32;
    apply_64, u64, AtomicU64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SignalKind;

    #[test]
    #[cfg_attr(miri, ignore = "has no such call")]
    fn unmapped_words_of_the_program_are_refused() {
        let mut word = 5_u64;
        let add = SignalKind::Add.atomic(Width::W64, 3);
        let change = |at| {
            // SAFETY: the kernel checks the word of the program.
            unsafe { add.change(Spot::Program(at)) }
        };
        assert_eq!(change((&raw mut word).cast()).unwrap(), 5);
        assert_eq!(word, 8);
        let error = change(std::ptr::without_provenance_mut(64)).unwrap_err();
        assert_eq!(error.kind(), mf_base::Kind::InvalidParam);
    }

    #[test]
    fn every_kind_gives_the_old_value_and_wraps_in_its_width() {
        let mut word = u64::MAX - 1;
        let pointer: *mut u64 = &raw mut word;
        let change = |kind, width, operand, compare| {
            let atomic = Atomic { kind, width, operand, compare };
            // SAFETY: the word is aligned, and no other reference to it exists.
            let before = unsafe { pointer.read() };
            // SAFETY: as above.
            let old = unsafe { atomic.apply(pointer.cast()) };
            // SAFETY: as above.
            let after = unsafe { pointer.read() };
            // The same operation on a word of an accelerator has the same result.
            assert_eq!((width.low(before), width.low(after)), (old, atomic.result(old)), "{atomic:?}");
            old
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

    #[test]
    fn unaligned_word_is_refused() {
        let mut word = 10_u64;
        let high = (&raw mut word).cast::<u8>().wrapping_add(4);
        // SAFETY: the word is this test's.
        let change = |width, at| unsafe { SignalKind::Set.atomic(width, 3).change(Spot::Host(at)) };
        assert!(change(Width::W64, high).is_err());
        assert_eq!(change(Width::W32, high).unwrap(), 0);
        assert_eq!(word, (3 << 32) | 10);
    }
}
