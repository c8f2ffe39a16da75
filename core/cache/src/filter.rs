// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Filter of the keys that the own disk may have: a put of another key spends nothing on the disk.
//!
//! A bit for some bits of the fingerprint, set before the disk gets the key, both under the lock of the key.
//! Bits are never cleared: a filter that has become full only costs time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::key::Print;

/// Words of the filter, 2 MiB: with a million values 6 in 100 other keys are taken for theirs.
const WORDS: u64 = 1 << 18;

pub(crate) struct Filter {
    words: Box<[AtomicU64]>,
    /// False while the disk may have keys that were never added.
    knows_all: AtomicBool,
}

impl Filter {
    /// Creates the filter of a disk that may have any keys.
    pub(crate) fn new() -> Self {
        Self { words: (0..WORDS).map(|_| AtomicU64::new(0)).collect(), knows_all: AtomicBool::new(false) }
    }

    fn word(&self, print: Print) -> Option<(&AtomicU64, u64)> {
        let number = usize::try_from(print.high / 64 % WORDS).ok()?;
        Some((self.words.get(number)?, 1 << (print.high % 64)))
    }

    pub(crate) fn add(&self, print: Print) {
        if let Some((word, bit)) = self.word(print) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Notes that all keys of the disk were added.
    pub(crate) fn set_complete(&self) {
        // Release: pairs with the acquire of a put, which sees all bits then.
        self.knows_all.store(true, Ordering::Release);
    }

    /// Returns true if the disk may have a key. The lock of the key orders it after `add`.
    #[inline]
    pub(crate) fn may_have(&self, print: Print) -> bool {
        let is_added = |(word, bit): (&AtomicU64, u64)| word.load(Ordering::Relaxed) & bit != 0;
        !self.knows_all.load(Ordering::Acquire) || self.word(print).is_none_or(is_added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_has_what_was_added_and_little_else() {
        let filter = Filter::new();
        let print = |number: u64| Print { low: 0, high: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
        assert!(filter.may_have(print(1)));
        filter.set_complete();
        (0..1000).for_each(|number| filter.add(print(number)));
        assert!((0..1000).all(|number| filter.may_have(print(number))));
        assert!((1000..11_000).filter(|number| filter.may_have(print(*number))).count() < 100);
    }
}
