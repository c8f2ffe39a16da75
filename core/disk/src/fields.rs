// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Little-endian fields at fixed positions, and the checksum over them.

/// A field of `N` bytes at `at`; zeros where the buffer is too short.
fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..at + N).and_then(|part| part.try_into().ok()).unwrap_or([0; N])
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(field(bytes, at))
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(field(bytes, at))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(field(bytes, at))
}

pub(crate) fn u128_at(bytes: &[u8], at: usize) -> u128 {
    u128::from_le_bytes(field(bytes, at))
}

/// Writes `part` at `at`.
pub(crate) fn put(bytes: &mut [u8], at: usize, part: &[u8]) {
    if let Some(target) = bytes.get_mut(at..at + part.len()) {
        target.copy_from_slice(part);
    }
}

/// Writes the CRC-32C of all bytes before the last four into the last four.
pub(crate) fn seal(bytes: &mut [u8]) {
    if let Some(at) = bytes.len().checked_sub(4) {
        let sum = crc32c::crc32c(bytes.get(..at).unwrap_or_default());
        put(bytes, at, &sum.to_le_bytes());
    }
}

/// Returns true if [`seal`] wrote the last four bytes.
pub(crate) fn is_sealed(bytes: &[u8]) -> bool {
    let Some(at) = bytes.len().checked_sub(4) else { return false };
    crc32c::crc32c(bytes.get(..at).unwrap_or_default()) == u32_at(bytes, at)
}

/// A length in memory.
pub(crate) fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
