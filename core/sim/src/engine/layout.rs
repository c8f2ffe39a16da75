// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses of the pool: base + rank × stride + offset, as in the library.

/// Address of rank 0's segment.
const BASE: u64 = 0x2800_0000_0000;
/// Distance of two segments.
const STRIDE: u64 = 1 << 32;
/// Most bytes of one segment.
pub(crate) const MAX_SEGMENT: u64 = 1 << 30;

/// Returns the address of the segment of `rank`.
pub fn address(rank: u32) -> u64 {
    BASE + STRIDE * u64::from(rank)
}

/// Rank and offset of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) rank: u32,
    pub(crate) offset: u64,
}

impl Target {
    pub(crate) fn of(address: u64) -> Option<Self> {
        let distance = address.checked_sub(BASE)?;
        Some(Self { rank: u32::try_from(distance / STRIDE).ok()?, offset: distance % STRIDE })
    }
}

/// An address for people.
pub(crate) fn place(address: u64) -> String {
    match Target::of(address) {
        Some(Target { rank, offset }) => format!("rank {rank}+{offset:#x}"),
        None => format!("{address:#x}"),
    }
}
