// SPDX-License-Identifier: Apache-2.0 OR MIT
//! FNV-1a: a hash that is the same in every build, for names that several processes make.

/// Hash of no bytes.
pub const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a hash with bytes.
pub fn fnv1a(start: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
