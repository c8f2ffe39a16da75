// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Record: a head of 64 bytes, the key, the checksums of the value's blocks, then the value.
//!
//! The head has a checksum of its own, so that no length in it is trusted before. It names the key's print,
//! the generation, its own place and the salt of its segment: bytes of an earlier use of the same slot, or
//! of another slot, are never taken for this record. Each 64 KiB of the value has a checksum, so that a part
//! of a value is verified without the rest.

use std::ops::Range;

use crate::fields::{self, size, u16_at, u32_at, u64_at, u128_at};

/// Alignment of records.
pub(crate) const UNIT: u64 = 64;
/// Bytes of a record's head.
pub(crate) const HEAD_BYTES: usize = 64;
/// Bytes of a value that share a checksum.
pub(crate) const BLOCK: usize = 64 << 10;
/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = 4096;

const MAGIC: u32 = 0x4b44_464d;
const VALUE: u8 = 1;
const PAD: u8 = 2;

/// Head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) is_pad: bool,
    pub(crate) key_bytes: u16,
    pub(crate) value_bytes: u64,
    pub(crate) print: u128,
    pub(crate) generation: u64,
    /// Random number of the segment's present use.
    pub(crate) salt: u64,
    /// Position in the segment, in units.
    pub(crate) unit: u32,
    /// CRC-32C of the key and the checksums of blocks.
    pub(crate) body_sum: u32,
}

/// Sizes that follow from the lengths of key and value.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) key_bytes: usize,
    pub(crate) value_bytes: u64,
}

impl Shape {
    /// Position of the value in the record.
    pub(crate) fn value_at(self) -> u64 {
        let sums = self.value_bytes.div_ceil(BLOCK as u64) * 4;
        ((HEAD_BYTES + self.key_bytes) as u64 + sums).next_multiple_of(UNIT)
    }

    /// Bytes of the record.
    pub(crate) fn record_bytes(self) -> u64 {
        (self.value_at() + self.value_bytes).next_multiple_of(UNIT)
    }
}

impl Head {
    pub(crate) fn shape(&self) -> Shape {
        Shape { key_bytes: usize::from(self.key_bytes), value_bytes: self.value_bytes }
    }

    /// Bytes of the record, with its head.
    pub(crate) fn record_bytes(&self) -> u64 {
        if self.is_pad { HEAD_BYTES as u64 + self.value_bytes } else { self.shape().record_bytes() }
    }

    fn encode(&self) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        fields::put(&mut bytes, 0, &MAGIC.to_le_bytes());
        fields::put(&mut bytes, 4, &[if self.is_pad { PAD } else { VALUE }]);
        fields::put(&mut bytes, 6, &self.key_bytes.to_le_bytes());
        fields::put(&mut bytes, 8, &self.value_bytes.to_le_bytes());
        fields::put(&mut bytes, 16, &self.print.to_le_bytes());
        fields::put(&mut bytes, 32, &self.generation.to_le_bytes());
        fields::put(&mut bytes, 40, &self.salt.to_le_bytes());
        fields::put(&mut bytes, 48, &self.unit.to_le_bytes());
        fields::put(&mut bytes, 52, &self.body_sum.to_le_bytes());
        fields::seal(&mut bytes);
        bytes
    }

    /// Decodes a head with the right checksum; `None` for all other bytes.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..HEAD_BYTES)?;
        let kind = *bytes.get(4)?;
        if u32_at(bytes, 0) != MAGIC || !fields::is_sealed(bytes) || !matches!(kind, VALUE | PAD) {
            return None;
        }
        Some(Self {
            is_pad: kind == PAD,
            key_bytes: u16_at(bytes, 6),
            value_bytes: u64_at(bytes, 8),
            print: u128_at(bytes, 16),
            generation: u64_at(bytes, 32),
            salt: u64_at(bytes, 40),
            unit: u32_at(bytes, 48),
            body_sum: u32_at(bytes, 52),
        })
    }
}

/// Place and identity of a record in its segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) print: u128,
    pub(crate) generation: u64,
    pub(crate) salt: u64,
    pub(crate) unit: u32,
}

/// Writes the record of a value to `out`, zeros of [`Shape::record_bytes`].
pub(crate) fn write(out: &mut [u8], stamp: Stamp, key: &[u8], value: &[u8]) {
    let shape = Shape { key_bytes: key.len(), value_bytes: value.len() as u64 };
    fields::put(out, HEAD_BYTES, key);
    let mut body_end = HEAD_BYTES + key.len();
    for block in value.chunks(BLOCK) {
        fields::put(out, body_end, &crc32c::crc32c(block).to_le_bytes());
        body_end += 4;
    }
    let body_sum = crc32c::crc32c(out.get(HEAD_BYTES..body_end).unwrap_or_default());
    fields::put(out, size(shape.value_at()), value);
    let head = Head {
        is_pad: false,
        key_bytes: u16::try_from(key.len()).unwrap_or(u16::MAX),
        value_bytes: shape.value_bytes,
        print: stamp.print,
        generation: stamp.generation,
        salt: stamp.salt,
        unit: stamp.unit,
        body_sum,
    };
    fields::put(out, 0, &head.encode());
}

/// Writes a record without a value to `out`, the rest of a page. `unit` is its position.
pub(crate) fn write_pad(out: &mut [u8], salt: u64, unit: u32) {
    let Some(value_bytes) = out.len().checked_sub(HEAD_BYTES) else { return };
    let value_bytes = value_bytes as u64;
    let head =
        Head { is_pad: true, key_bytes: 0, value_bytes, print: 0, generation: 0, salt, unit, body_sum: 0 };
    fields::put(out, 0, &head.encode());
}

/// A head that belongs to `stamp`, with its key and the checksums of its blocks.
pub(crate) struct Body<'a> {
    pub(crate) head: Head,
    pub(crate) key: &'a [u8],
    sums: &'a [u8],
}

impl<'a> Body<'a> {
    /// Bytes of head, key and checksums of the record that begins in `bytes`: as many as are needed before
    /// [`Body::parse`]. `None` if the head is not the stamp's.
    pub(crate) fn needed(bytes: &[u8], stamp: Stamp) -> Option<u64> {
        let head = Head::decode(bytes)?;
        let is_same = head.print == stamp.print
            && head.generation == stamp.generation
            && head.salt == stamp.salt
            && head.unit == stamp.unit;
        (is_same && !head.is_pad).then(|| head.shape().value_at())
    }

    /// Verifies head, key and checksums of blocks.
    pub(crate) fn parse(bytes: &'a [u8], stamp: Stamp) -> Option<Self> {
        Self::needed(bytes, stamp)?;
        let head = Head::decode(bytes)?;
        let key_end = HEAD_BYTES + usize::from(head.key_bytes);
        let sums_end = key_end.checked_add(size(head.value_bytes.div_ceil(BLOCK as u64)).checked_mul(4)?)?;
        let body = bytes.get(HEAD_BYTES..sums_end)?;
        if crc32c::crc32c(body) != head.body_sum {
            return None;
        }
        Some(Self { head, key: bytes.get(HEAD_BYTES..key_end)?, sums: bytes.get(key_end..sums_end)? })
    }

    /// Returns true if `bytes`, which begin at the value's block number `first`, have the right checksums.
    pub(crate) fn is_right(&self, first: usize, bytes: &[u8]) -> bool {
        bytes.chunks(BLOCK).enumerate().all(|(i, block)| {
            self.sums
                .get((first + i) * 4..(first + i) * 4 + 4)
                .is_some_and(|sum| u32_at(sum, 0) == crc32c::crc32c(block))
        })
    }

    /// The whole blocks around a part of the value, as a range of the value.
    pub(crate) fn blocks_around(&self, part: Range<u64>) -> Range<u64> {
        let block = BLOCK as u64;
        part.start / block * block..part.end.next_multiple_of(block).min(self.head.value_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp = Stamp { print: 7, generation: 3, salt: 9, unit: 64 };

    #[test]
    fn record_is_read_back_and_any_flipped_bit_is_found() {
        let value: Vec<u8> = (0..150_000u32).map(|i| i.to_le_bytes()[0]).collect();
        let shape = Shape { key_bytes: 3, value_bytes: value.len() as u64 };
        let mut bytes = vec![0; size(shape.record_bytes())];
        write(&mut bytes, STAMP, b"key", &value);
        let body = Body::parse(&bytes, STAMP).unwrap();
        assert_eq!(body.key, b"key");
        let at = size(body.head.shape().value_at());
        assert!(body.is_right(0, &bytes[at..at + value.len()]));
        assert_eq!(body.blocks_around(70_000..70_001), 65_536..131_072);
        assert_eq!(body.head.record_bytes(), bytes.len() as u64);
        for flipped in [0, 5, 9, 17, 33, 41, 49, 53, 61, 65, 68, 72, at, at + 70_000, at + 149_999] {
            let mut bytes = bytes.clone();
            bytes[flipped] ^= 4;
            let is_right = Body::parse(&bytes, STAMP)
                .is_some_and(|body| body.key == b"key" && body.is_right(0, &bytes[at..at + value.len()]));
            assert!(!is_right, "byte {flipped}");
        }
        assert!(Body::parse(&bytes, Stamp { salt: 8, ..STAMP }).is_none());
        assert!(Body::parse(&bytes, Stamp { unit: 65, ..STAMP }).is_none());
    }

    #[test]
    fn pad_fills_the_page() {
        let mut bytes = vec![0; 4096];
        write_pad(&mut bytes[64..], 9, 1);
        let head = Head::decode(&bytes[64..]).unwrap();
        assert!(head.is_pad);
        assert_eq!(head.record_bytes(), 4032);
    }
}
