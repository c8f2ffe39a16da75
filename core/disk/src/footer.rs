// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Footer: the index of a sealed segment, at its end, so that recovery reads no values.
//!
//! Entries of 48 bytes, then a trailer of 64 bytes that ends with the segment. Each has its checksum.

use crate::disk::PAGE;
use crate::fields::{self, size, u32_at, u64_at, u128_at};

/// Bytes of an entry.
const ENTRY_BYTES: usize = 48;
/// Bytes of the trailer.
pub(crate) const TRAILER_BYTES: usize = 64;
const MAGIC: u64 = 0x464d_4644_4f4f_5445;

/// A record as the footer lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) print: u128,
    pub(crate) generation: u64,
    /// Position in the segment, in units.
    pub(crate) unit: u32,
    /// Bytes of the record.
    pub(crate) bytes: u64,
}

/// Bytes at the end of a segment that a footer of `count` entries takes, in whole pages.
pub(crate) fn footer_bytes(count: usize) -> u64 {
    ((count * ENTRY_BYTES + TRAILER_BYTES) as u64).next_multiple_of(PAGE)
}

/// Encodes the footer of a segment, in whole pages.
pub(crate) fn encode(entries: &[Entry], salt: u64) -> Vec<u8> {
    let mut bytes = vec![0; size(footer_bytes(entries.len()))];
    let mut at = bytes.len() - TRAILER_BYTES - entries.len() * ENTRY_BYTES;
    for entry in entries {
        let mut one = [0; ENTRY_BYTES];
        fields::put(&mut one, 0, &entry.print.to_le_bytes());
        fields::put(&mut one, 16, &entry.generation.to_le_bytes());
        fields::put(&mut one, 24, &entry.bytes.to_le_bytes());
        fields::put(&mut one, 32, &entry.unit.to_le_bytes());
        fields::put(&mut one, 36, &salt.to_le_bytes());
        fields::seal(&mut one);
        fields::put(&mut bytes, at, &one);
        at += ENTRY_BYTES;
    }
    let mut trailer = [0; TRAILER_BYTES];
    fields::put(&mut trailer, 0, &MAGIC.to_le_bytes());
    fields::put(&mut trailer, 8, &salt.to_le_bytes());
    fields::put(&mut trailer, 16, &(entries.len() as u64).to_le_bytes());
    fields::seal(&mut trailer);
    fields::put(&mut bytes, at, &trailer);
    bytes
}

/// Number of entries, from the last page of a segment; `None` if there is no footer of this salt.
pub(crate) fn count(last_page: &[u8], salt: u64, segment_bytes: u64) -> Option<usize> {
    let trailer = last_page.get(last_page.len().checked_sub(TRAILER_BYTES)?..)?;
    if !fields::is_sealed(trailer) || u64_at(trailer, 0) != MAGIC || u64_at(trailer, 8) != salt {
        return None;
    }
    let count = u64_at(trailer, 16);
    (count <= segment_bytes / ENTRY_BYTES as u64).then(|| size(count))
}

/// Decodes the entries of a footer, which ends with `pages`; `None` if one is damaged.
pub(crate) fn entries(pages: &[u8], count: usize, salt: u64) -> Option<Vec<Entry>> {
    let start = pages.len().checked_sub(TRAILER_BYTES + count.checked_mul(ENTRY_BYTES)?)?;
    let list = pages.get(start..pages.len() - TRAILER_BYTES)?;
    list.chunks_exact(ENTRY_BYTES)
        .map(|one| {
            let is_right = fields::is_sealed(one) && u64_at(one, 36) == salt;
            is_right.then(|| Entry {
                print: u128_at(one, 0),
                generation: u64_at(one, 16),
                bytes: u64_at(one, 24),
                unit: u32_at(one, 32),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footer_is_read_back_by_its_own_segment_alone() {
        let written: Vec<Entry> = (0..200u32)
            .map(|i| Entry { print: u128::from(i), generation: 5, unit: i * 64, bytes: 4096 })
            .collect();
        let mut bytes = encode(&written, 11);
        assert_eq!(bytes.len() as u64, footer_bytes(200));
        let last = &bytes[bytes.len() - 4096..];
        assert_eq!(count(last, 11, 1 << 20), Some(200));
        assert_eq!(count(last, 12, 1 << 20), None);
        assert_eq!(entries(&bytes, 200, 11).unwrap(), written);
        let flipped = bytes.len() - 100;
        bytes[flipped] ^= 1;
        assert!(entries(&bytes, 200, 11).is_none());
    }
}
