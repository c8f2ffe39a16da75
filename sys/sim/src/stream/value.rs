// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of device memory that streams write and wait for.

use std::sync::Arc;

use super::{Stream, timeouts};
use crate::codes::acl;
use crate::fault::{Outcome, ensure};
use crate::memory::Initiator;
use crate::memory::transfer::{load_word, store_word};

/// Comparison of the word with the value of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The word has reached the value; also right after a counter wrapped.
    Reached,
    /// It is the value.
    Equal,
    /// They share a set bit.
    And,
    /// They share a clear bit.
    Nor,
}

impl Comparison {
    /// Returns true if a word satisfies the comparison.
    pub fn suits(self, word: u64, value: u64) -> bool {
        match self {
            Self::Reached => word.wrapping_sub(value).cast_signed() >= 0,
            Self::Equal => word == value,
            Self::And => word & value != 0,
            Self::Nor => !(word | value) != 0,
        }
    }
}

fn check_aligned(address: u64) -> Outcome {
    ensure(address.is_multiple_of(8), acl::ADDR_UNALIGNED, || {
        format!("address {address:#x} is not a multiple of 8")
    })
}

/// Lets `stream` write `value` to `address`, after everything before it.
///
/// # Errors
/// 107008 for an unaligned address · as [`Stream::push`].
pub fn write(stream: &Arc<Stream>, address: u64, value: u64) -> Outcome {
    check_aligned(address)?;
    stream.push_again("value write", move |running| {
        store_word(Initiator::Device(running.device.physical), address, value)
    })
}

/// Lets `stream` wait until the word at `address` suits.
///
/// # Errors
/// As [`write()`].
pub fn wait(stream: &Arc<Stream>, address: u64, value: u64, comparison: Comparison) -> Outcome {
    check_aligned(address)?;
    stream.push_again("value wait", move |running| {
        let by = Initiator::Device(running.device.physical);
        running.poll("a wait for a value", timeouts::wait(), || {
            Ok(comparison.suits(load_word(by, address)?, value))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::Comparison;

    #[test]
    fn s53_comparisons() {
        let cases = [
            (Comparison::Reached, 5, 5, true),
            (Comparison::Reached, 4, 5, false),
            (Comparison::Reached, 0, u64::MAX, true),
            (Comparison::Reached, u64::MAX, 0, false),
            (Comparison::Equal, 5, 5, true),
            (Comparison::Equal, 6, 5, false),
            (Comparison::And, 6, 4, true),
            (Comparison::And, 6, 1, false),
            (Comparison::Nor, u64::MAX - 1, 1, false),
            (Comparison::Nor, u64::MAX - 1, 0, true),
        ];
        for (comparison, word, value, suits) in cases {
            assert_eq!(comparison.suits(word, value), suits, "{comparison:?} {word:#x} {value:#x}");
        }
    }
}
