// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Encryption of keys and values: AES-256-GCM with a key for each use of a segment.
//!
//! The folder's key is HKDF-SHA256 of the tier's key, with the random numbers of its identity as salt. It
//! gives the check value in the identity, the secret of the prints, and a key for each use of a segment,
//! from the epoch and the random salt of that use.
//!
//! A nonce is the position of a record in its segment and the number of a chunk in the record. It never
//! repeats for a key: a position of a segment is written at most once in each use, because a segment takes no
//! further records after a failed write or a restart.
//!
//! The associated data of each chunk is the record's head, so that no chunk can be moved to another place,
//! record, generation or length. Lengths, generations and prints are not encrypted. A writer of the folder
//! who has no key can remove values and bring back an older state of the whole folder, but cannot alter a
//! value.

use mf_base::{Error, Result};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, Tag, UnboundKey};
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use zeroize::Zeroizing;

use crate::fields;
use crate::segment::Use;

/// Bytes of the tag that authenticates a chunk.
pub(crate) const TAG_BYTES: usize = 16;
/// Purpose that a job's secret is bound to when the key of its disk tiers is derived.
pub const KEY_PURPOSE: &str = "mf disk tier";

/// Key of a disk tier: 32 secret bytes, never printed.
#[derive(Clone)]
pub struct DiskKey(Zeroizing<[u8; 32]>);

impl DiskKey {
    /// A key of 32 random or derived bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }
}

impl std::fmt::Debug for DiskKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DiskKey(set)")
    }
}

/// Length of an output of HKDF.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Derived key of one folder set.
pub(crate) struct FolderCipher(Prk);

impl FolderCipher {
    /// `set` and `secret` are the random numbers of the identity.
    pub(crate) fn new(key: &DiskKey, set: u64, secret: u128) -> Self {
        let mut salt = [0; 24];
        fields::put(&mut salt, 0, &set.to_le_bytes());
        fields::put(&mut salt, 8, &secret.to_le_bytes());
        Self(Salt::new(HKDF_SHA256, &salt).extract(&*key.0))
    }

    fn derive<const N: usize>(&self, purpose: &[&[u8]]) -> Result<Zeroizing<[u8; N]>> {
        let mut bytes = Zeroizing::new([0; N]);
        self.0
            .expand(purpose, Length(N))
            .and_then(|derived| derived.fill(&mut *bytes))
            .map_err(|_| Error::new(mf_base::Kind::Failed, "disk key").what("a key cannot be derived"))?;
        Ok(bytes)
    }

    /// Value by which a folder recognises its key. The key does not follow from it.
    pub(crate) fn check(&self) -> Result<u128> {
        self.derive::<16>(&[b"check"]).map(|bytes| u128::from_le_bytes(*bytes))
    }

    /// Secret of the prints that stand for keys.
    pub(crate) fn print_secret(&self) -> Result<[u8; 16]> {
        self.derive::<16>(&[b"prints"]).map(|bytes| *bytes)
    }

    /// Cipher of one use of a segment.
    pub(crate) fn segment(&self, used: Use) -> Option<SegmentCipher> {
        let place = [&b"segment"[..], &used.epoch.to_le_bytes(), &used.salt.to_le_bytes()];
        let key = self.derive::<32>(&place).ok()?;
        UnboundKey::new(&AES_256_GCM, &*key).ok().map(LessSafeKey::new).map(SegmentCipher)
    }
}

/// Cipher of one use of a segment.
pub(crate) struct SegmentCipher(LessSafeKey);

/// Associated data of a chunk: the fields of its record's head, and the number of the chunk.
pub(crate) struct Chunk<'a> {
    pub(crate) head: &'a [u8],
    pub(crate) unit: u32,
    pub(crate) number: u64,
}

impl Chunk<'_> {
    fn nonce(&self) -> Nonce {
        let mut bytes = [0; 12];
        fields::put(&mut bytes, 0, &self.unit.to_le_bytes());
        fields::put(&mut bytes, 4, &self.number.to_le_bytes());
        Nonce::assume_unique_for_key(bytes)
    }

    fn data(&self) -> Aad<[u8; 72]> {
        let mut bytes = [0; 72];
        fields::put(&mut bytes, 0, self.head);
        fields::put(&mut bytes, 64, &self.number.to_le_bytes());
        Aad::from(bytes)
    }
}

impl SegmentCipher {
    /// Encrypts `bytes` in place; returns the tag.
    pub(crate) fn seal(&self, chunk: &Chunk<'_>, bytes: &mut [u8]) -> [u8; TAG_BYTES] {
        let mut tag = [0; TAG_BYTES];
        match self.0.seal_in_place_separate_tag(chunk.nonce(), chunk.data(), bytes) {
            Ok(made) => fields::put(&mut tag, 0, made.as_ref()),
            // No chunk is too long for the cipher. If it were, no plaintext may reach the disk.
            Err(_) => bytes.fill(0),
        }
        tag
    }

    /// Decrypts `bytes` in place. Returns false if they are not those of this chunk.
    pub(crate) fn open(&self, chunk: &Chunk<'_>, tag: &[u8], bytes: &mut [u8]) -> bool {
        let Ok(tag) = <[u8; TAG_BYTES]>::try_from(tag) else { return false };
        self.0.open_in_place_separate_tag(chunk.nonce(), chunk.data(), Tag::from(tag), bytes, 0..).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USED: Use = Use { epoch: 3, salt: 4 };

    fn cipher(key: u8, used: Use) -> SegmentCipher {
        FolderCipher::new(&DiskKey::new([key; 32]), 1, 2).segment(used).unwrap()
    }

    #[test]
    fn chunk_opens_with_its_own_key_and_place_alone() {
        let chunk = |unit, number| Chunk { head: b"head", unit, number };
        let mut sealed = *b"some bytes";
        let tag = cipher(1, USED).seal(&chunk(7, 8), &mut sealed);
        assert_ne!(&sealed, b"some bytes");
        let opens = |cipher: SegmentCipher, chunk: Chunk<'_>| {
            let mut bytes = sealed;
            cipher.open(&chunk, &tag, &mut bytes) && &bytes == b"some bytes"
        };
        assert!(opens(cipher(1, USED), chunk(7, 8)));
        assert!(!opens(cipher(2, USED), chunk(7, 8)));
        assert!(!opens(cipher(1, Use { epoch: 4, ..USED }), chunk(7, 8)));
        assert!(!opens(cipher(1, Use { salt: 5, ..USED }), chunk(7, 8)));
        assert!(!opens(cipher(1, USED), chunk(8, 8)));
        assert!(!opens(cipher(1, USED), chunk(7, 7)));
        assert!(!opens(cipher(1, USED), Chunk { head: b"HEAD", unit: 7, number: 8 }));
    }

    #[test]
    fn check_value_differs_by_key_and_by_folder() {
        let check = |key: u8, set, secret| FolderCipher::new(&DiskKey::new([key; 32]), set, secret).check();
        let values = [check(1, 1, 1), check(2, 1, 1), check(1, 2, 1), check(1, 1, 2)].map(Result::unwrap);
        assert!((1..4).all(|at| values[at] != values[0]), "{values:?}");
        assert_eq!(format!("{:?}", DiskKey::new([7; 32])), "DiskKey(set)");
    }
}
