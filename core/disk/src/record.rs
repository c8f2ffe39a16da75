// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Record: a head of 64 bytes, the key, the checksums of the value's blocks, then the value. An encrypted
//! record also has the tags of its chunks behind the checksums: chunk 0 is the key, the blocks of the value
//! follow.
//!
//! The head has a checksum of its own, so that no length in it is trusted before. It names the key's print,
//! the generation, its own place and the salt of its segment: bytes of an earlier use of the same slot, or
//! of another slot, are never taken for this record. Each 64 KiB of the value has a checksum, so that a part
//! of a value is verified without the rest.

use std::ops::Range;

use crate::cipher::{Chunk, SegmentCipher, TAG_BYTES};
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
/// Bytes of a head that an encrypted record authenticates: all before the checksums.
const AUTHENTICATED_BYTES: usize = 52;

/// Head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) is_pad: bool,
    pub(crate) is_encrypted: bool,
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
    pub(crate) is_encrypted: bool,
}

impl Shape {
    /// Bytes of the checksums of the blocks.
    fn sum_bytes(self) -> u64 {
        self.value_bytes.div_ceil(BLOCK as u64) * 4
    }

    /// Bytes of the tags of the chunks.
    fn tag_bytes(self) -> u64 {
        if self.is_encrypted { (self.value_bytes.div_ceil(BLOCK as u64) + 1) * TAG_BYTES as u64 } else { 0 }
    }

    /// Position of the value in the record.
    pub(crate) fn value_at(self) -> u64 {
        let key_end = (HEAD_BYTES + self.key_bytes) as u64;
        (key_end + self.sum_bytes() + self.tag_bytes()).next_multiple_of(UNIT)
    }

    /// Bytes of the record.
    pub(crate) fn record_bytes(self) -> u64 {
        (self.value_at() + self.value_bytes).next_multiple_of(UNIT)
    }
}

impl Head {
    pub(crate) fn shape(&self) -> Shape {
        let Self { is_encrypted, value_bytes, .. } = *self;
        Shape { key_bytes: usize::from(self.key_bytes), value_bytes, is_encrypted }
    }

    /// Bytes of the record, with its head.
    pub(crate) fn record_bytes(&self) -> u64 {
        if self.is_pad { HEAD_BYTES as u64 + self.value_bytes } else { self.shape().record_bytes() }
    }

    fn encode(&self) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        fields::put(&mut bytes, 0, &MAGIC.to_le_bytes());
        fields::put(&mut bytes, 4, &[if self.is_pad { PAD } else { VALUE }, u8::from(self.is_encrypted)]);
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
            is_encrypted: bytes.get(5) == Some(&1),
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
pub(crate) fn write(out: &mut [u8], stamp: Stamp, key: &[u8], value: &[u8], cipher: Option<&SegmentCipher>) {
    let mut head = Head {
        is_pad: false,
        is_encrypted: cipher.is_some(),
        key_bytes: u16::try_from(key.len()).unwrap_or(u16::MAX),
        value_bytes: value.len() as u64,
        print: stamp.print,
        generation: stamp.generation,
        salt: stamp.salt,
        unit: stamp.unit,
        body_sum: 0,
    };
    let (value_at, key_end) = (size(head.shape().value_at()), HEAD_BYTES + key.len());
    fields::put(out, HEAD_BYTES, key);
    fields::put(out, value_at, value);
    let (mut sums, mut tags) = (Vec::new(), Vec::new());
    if let Some(cipher) = cipher {
        let encoded = head.encode();
        let mut seal = |number, bytes: &mut [u8]| {
            let authenticated = encoded.get(..AUTHENTICATED_BYTES).unwrap_or_default();
            let chunk = Chunk { head: authenticated, unit: stamp.unit, number };
            tags.extend(cipher.seal(&chunk, bytes));
        };
        seal(0, out.get_mut(HEAD_BYTES..key_end).unwrap_or_default());
        let value = out.get_mut(value_at..value_at + value.len()).unwrap_or_default();
        (1..).zip(value.chunks_mut(BLOCK)).for_each(|(number, block)| seal(number, block));
    }
    for block in out.get(value_at..value_at + value.len()).unwrap_or_default().chunks(BLOCK) {
        sums.extend(crc32c::crc32c(block).to_le_bytes());
    }
    fields::put(out, key_end, &sums);
    fields::put(out, key_end + sums.len(), &tags);
    let body_end = key_end + sums.len() + tags.len();
    head.body_sum = crc32c::crc32c(out.get(HEAD_BYTES..body_end).unwrap_or_default());
    fields::put(out, 0, &head.encode());
}

/// Writes a record without a value to `out`, the rest of a page. `unit` is its position.
pub(crate) fn write_pad(out: &mut [u8], salt: u64, unit: u32) {
    let Some(value_bytes) = out.len().checked_sub(HEAD_BYTES) else { return };
    let value_bytes = value_bytes as u64;
    let head = Head {
        is_pad: true,
        is_encrypted: false,
        key_bytes: 0,
        value_bytes,
        print: 0,
        generation: 0,
        salt,
        unit,
        body_sum: 0,
    };
    fields::put(out, 0, &head.encode());
}

/// A head that belongs to `stamp`, with its key, and the checksums and tags of its chunks.
pub(crate) struct Body {
    pub(crate) head: Head,
    /// As on disk.
    key: Vec<u8>,
    sums: Vec<u8>,
    tags: Vec<u8>,
}

impl Body {
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

    /// Verifies the checksums of head, key, and checksums and tags of blocks.
    pub(crate) fn parse(bytes: &[u8], stamp: Stamp) -> Option<Self> {
        Self::needed(bytes, stamp)?;
        let head = Head::decode(bytes)?;
        let shape = head.shape();
        let key_end = HEAD_BYTES + shape.key_bytes;
        let sums_end = key_end.checked_add(size(shape.sum_bytes()))?;
        let tags_end = sums_end.checked_add(size(shape.tag_bytes()))?;
        if crc32c::crc32c(bytes.get(HEAD_BYTES..tags_end)?) != head.body_sum {
            return None;
        }
        let part = |from, to| bytes.get(from..to).map(<[u8]>::to_vec);
        let (key, sums) = (part(HEAD_BYTES, key_end)?, part(key_end, sums_end)?);
        Some(Self { head, key, sums, tags: part(sums_end, tags_end)? })
    }

    fn open(&self, cipher: &SegmentCipher, number: usize, bytes: &mut [u8]) -> bool {
        let encoded = self.head.encode();
        let authenticated = encoded.get(..AUTHENTICATED_BYTES).unwrap_or_default();
        let chunk = Chunk { head: authenticated, unit: self.head.unit, number: number as u64 };
        let tag = self.tags.get(number * TAG_BYTES..(number + 1) * TAG_BYTES).unwrap_or_default();
        self.head.is_encrypted && cipher.open(&chunk, tag, bytes)
    }

    /// The key. `None` if it is encrypted and not authentic, or `cipher` does not fit the record.
    pub(crate) fn key(&self, cipher: Option<&SegmentCipher>) -> Option<Vec<u8>> {
        let mut key = self.key.clone();
        let is_right = match cipher {
            Some(cipher) => self.open(cipher, 0, &mut key),
            None => !self.head.is_encrypted,
        };
        is_right.then_some(key)
    }

    /// Returns true if `bytes`, which begin at the value's block number `first`, have the right checksums.
    pub(crate) fn has_right_sums(&self, first: usize, bytes: &[u8]) -> bool {
        bytes.chunks(BLOCK).enumerate().all(|(i, block)| {
            self.sums
                .get((first + i) * 4..(first + i) * 4 + 4)
                .is_some_and(|sum| u32_at(sum, 0) == crc32c::crc32c(block))
        })
    }

    /// Verifies `bytes`, which begin at the value's block number `first`, and decrypts them in place. A tag
    /// is stronger than a checksum, which is not checked then.
    pub(crate) fn verify(&self, first: usize, bytes: &mut [u8], cipher: Option<&SegmentCipher>) -> bool {
        match cipher {
            Some(cipher) => (first + 1..)
                .zip(bytes.chunks_mut(BLOCK))
                .all(|(number, block)| self.open(cipher, number, block)),
            None => !self.head.is_encrypted && self.has_right_sums(first, bytes),
        }
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
    use crate::cipher::{DiskKey, FolderCipher};
    use crate::segment::Use;

    const STAMP: Stamp = Stamp { print: 7, generation: 3, salt: 9, unit: 64 };

    #[test]
    fn record_is_read_back_and_any_flipped_bit_is_found() {
        let value: Vec<u8> = (0..150_000u32).map(|i| i.to_le_bytes()[0]).collect();
        for cipher in [None, Some(&cipher(1))] {
            let shape =
                Shape { key_bytes: 3, value_bytes: value.len() as u64, is_encrypted: cipher.is_some() };
            let mut bytes = vec![0; size(shape.record_bytes())];
            write(&mut bytes, STAMP, b"key", &value, cipher);
            let body = Body::parse(&bytes, STAMP).unwrap();
            let at = size(body.head.shape().value_at());
            let read = |bytes: &[u8], cipher| {
                let body = Body::parse(bytes, STAMP)?;
                let mut read = bytes[at..at + value.len()].to_vec();
                let is_right = body.key(cipher)? == b"key" && body.verify(0, &mut read, cipher);
                is_right.then_some(read)
            };
            assert_eq!(read(&bytes, cipher), Some(value.clone()));
            assert_eq!(body.blocks_around(70_000..70_001), 65_536..131_072);
            assert_eq!(body.head.record_bytes(), bytes.len() as u64);
            for flipped in
                [0, 5, 9, 17, 33, 41, 49, 53, 61, 65, 68, 72, 80, 100, at, at + 70_000, at + 149_999]
            {
                let mut bytes = bytes.clone();
                bytes[flipped] ^= 4;
                // Zeros fill the rest up to the value.
                let is_free = (HEAD_BYTES + 3 + 12 + size(shape.tag_bytes())..at).contains(&flipped);
                assert_eq!(read(&bytes, cipher).is_some(), is_free, "byte {flipped}");
            }
            assert!(Body::parse(&bytes, Stamp { salt: 8, ..STAMP }).is_none());
            assert!(Body::parse(&bytes, Stamp { unit: 65, ..STAMP }).is_none());
        }
    }

    fn cipher(key: u8) -> SegmentCipher {
        let used = Use { epoch: 1, salt: STAMP.salt };
        FolderCipher::new(&DiskKey::new([key; 32]), 1, 2).segment(used).unwrap()
    }

    #[test]
    fn encrypted_record_shows_nothing_and_does_not_open_without_its_key() {
        let (key, value) = (b"a key of the caller", [7; 100]);
        let shape = Shape { key_bytes: key.len(), value_bytes: 100, is_encrypted: true };
        let mut bytes = vec![0; size(shape.record_bytes())];
        write(&mut bytes, STAMP, key, &value, Some(&cipher(1)));
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!(!has(&key[..4]) && !has(&value[..4]));
        let body = Body::parse(&bytes, STAMP).unwrap();
        assert_eq!(body.key(Some(&cipher(1))).as_deref(), Some(&key[..]));
        assert_eq!(body.key(Some(&cipher(2))), None);
        assert_eq!(body.key(None), None);
        let at = size(shape.value_at());
        assert!(body.has_right_sums(0, &bytes[at..at + 100]));
        assert!(!body.verify(0, &mut bytes[at..at + 100].to_vec(), Some(&cipher(2))));
        assert!(!body.verify(0, &mut bytes[at..at + 100].to_vec(), None));
        // Chunks of a plain record are not taken by a reader with a key.
        let mut plain = vec![0; 4096];
        write(&mut plain, STAMP, key, &value, None);
        assert_eq!(Body::parse(&plain, STAMP).unwrap().key(Some(&cipher(1))), None);
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
