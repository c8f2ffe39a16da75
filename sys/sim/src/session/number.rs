// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers of published objects. A number identifies the exporter, so that no table is needed, and is never
//! reused after it: slot, generation of the slot, and a sequence number within the process.

const SEQUENCE_BITS: u32 = 24;
const SLOT_BITS: u32 = 10;
const INCARNATION_BITS: u32 = 28;

/// The incarnation after `last`; never 0.
pub(super) fn next_incarnation(last: u64) -> u64 {
    (last.wrapping_add(1) & mask(INCARNATION_BITS)).max(1)
}

/// The number of the `sequence`th object of a process.
pub(super) fn compose(slot: usize, incarnation: u64, sequence: u64) -> u64 {
    (incarnation << (SLOT_BITS + SEQUENCE_BITS))
        | ((slot as u64) << SEQUENCE_BITS)
        | (sequence & mask(SEQUENCE_BITS))
}

/// The slot and incarnation in a number.
pub(super) fn exporter(number: u64) -> (usize, u64) {
    let slot = (number >> SEQUENCE_BITS) & mask(SLOT_BITS);
    (usize::try_from(slot).unwrap_or(usize::MAX), number >> (SLOT_BITS + SEQUENCE_BITS))
}

const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_identify_the_exporter() {
        let last = super::super::layout::PROCESSES - 1;
        let number = compose(last, mask(INCARNATION_BITS), mask(SEQUENCE_BITS) + 1);
        assert_eq!(exporter(number), (last, mask(INCARNATION_BITS)));
        assert_eq!(next_incarnation(mask(INCARNATION_BITS)), 1);
    }
}
