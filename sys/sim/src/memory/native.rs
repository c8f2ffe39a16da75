// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sizes and addresses as this machine counts them.

/// Converts a size or an address.
#[expect(clippy::cast_possible_truncation, reason = "the simulator is built for 64-bit platforms only")]
pub(crate) const fn native(number: u64) -> usize {
    number as usize
}
