// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Records: the units of an encrypted connection after the handshake, and the keys of one direction.
//!
//! A record has on the wire the form of a TLS 1.3 record that carries data: a head of five bytes, then the
//! sealed plaintext with one byte behind it for the type "data", then the tag. The head is covered by the
//! tag; the nonce is the number of the record added (exclusive or) to a secret start, so that no record can
//! be left out, repeated or moved.
//!
//! The keys of a direction follow from a secret that TLS exports; after [`RECORDS_PER_KEY`] records both ends
//! take the next secret, which follows from the last one by a function that cannot be reversed. With 2^22
//! records of at most 2^10 blocks of 16 bytes one key protects at most 2^32 blocks, where the advantage of an
//! attacker against AES in Galois counter mode is below 2^-64.

use hmac::{Hmac, Mac};
use mf_base::{Error, Result};
use mf_tls::channel::Cipher;
use ring::aead::{self, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::talk::broken;

/// Most plaintext in one record.
pub(super) const PLAINTEXT_BYTES_MAX: usize = 16 << 10;
/// Before the sealed bytes.
pub(super) const HEAD_BYTES: usize = 5;
const TAG_BYTES: usize = 16;
/// Overhead of a record over its plaintext: head, kind, tag.
pub(super) const OVERHEAD_BYTES: usize = HEAD_BYTES + 1 + TAG_BYTES;
/// Most bytes of one record.
pub(super) const RECORD_BYTES_MAX: usize = PLAINTEXT_BYTES_MAX + OVERHEAD_BYTES;
/// Number of records sealed by one key.
const RECORDS_PER_KEY: u64 = 1 << 22;

/// The first bytes of a head: data, of the version that TLS 1.3 writes there.
const KIND: [u8; 3] = [23, 3, 3];

/// The keys of one direction.
pub(super) struct Keys {
    algorithm: &'static aead::Algorithm,
    secret: Zeroizing<[u8; 32]>,
    key: LessSafeKey,
    start: [u8; NONCE_LEN],
    /// Number of the next record under this key.
    record: u64,
    /// When the next key is due.
    records_per_key: u64,
}

/// Derives a separate value for each `label`, from which the secret cannot be computed.
fn derive(secret: &[u8; 32], label: &[u8]) -> Result<Zeroizing<[u8; 32]>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).map_err(|_| unusable())?;
    mac.update(b"memfabric net ");
    mac.update(label);
    Ok(Zeroizing::new(mac.finalize().into_bytes().into()))
}

fn unusable() -> Error {
    broken("cannot derive a key from the handshake")
}

fn make(algorithm: &'static aead::Algorithm, secret: &[u8; 32]) -> Result<(LessSafeKey, [u8; NONCE_LEN])> {
    let bytes = derive(secret, b"key")?;
    let key = bytes.get(..algorithm.key_len()).ok_or_else(unusable)?;
    let key = UnboundKey::new(algorithm, key).map_err(|_| unusable())?;
    let start = derive(secret, b"start")?.first_chunk().copied().ok_or_else(unusable)?;
    Ok((LessSafeKey::new(key), start))
}

impl Keys {
    pub(super) fn new(cipher: Cipher, secret: [u8; 32]) -> Result<Self> {
        let algorithm = match cipher {
            Cipher::Aes128Gcm => &aead::AES_128_GCM,
            Cipher::Aes256Gcm => &aead::AES_256_GCM,
            Cipher::ChaCha20Poly1305 => &aead::CHACHA20_POLY1305,
        };
        let secret = Zeroizing::new(secret);
        let (key, start) = make(algorithm, &secret)?;
        Ok(Self { algorithm, secret, key, start, record: 0, records_per_key: RECORDS_PER_KEY })
    }

    /// The nonce of the next record.
    fn nonce(&mut self) -> Result<Nonce> {
        if self.record == self.records_per_key {
            self.secret = derive(&self.secret, b"next")?;
            (self.key, self.start) = make(self.algorithm, &self.secret)?;
            self.record = 0;
        }
        let mut nonce = self.start;
        for (byte, number) in nonce.iter_mut().rev().zip(self.record.to_le_bytes()) {
            *byte ^= number;
        }
        self.record += 1;
        Ok(Nonce::assume_unique_for_key(nonce))
    }

    /// Seals `record`, with plaintext behind [`HEAD_BYTES`] and before the last `OVERHEAD_BYTES - HEAD_BYTES`
    /// bytes.
    ///
    /// # Errors
    /// `NotConnected` if the length is not valid for a record.
    pub(super) fn seal(&mut self, record: &mut [u8]) -> Result<()> {
        let (head, rest) = record.split_first_chunk_mut::<HEAD_BYTES>().ok_or_else(unusable)?;
        let (body, tag) = rest.split_last_chunk_mut::<TAG_BYTES>().ok_or_else(unusable)?;
        let length = u16::try_from(body.len() + TAG_BYTES).map_err(|_| unusable())?;
        *body.last_mut().ok_or_else(unusable)? = KIND[0];
        let [high, low] = length.to_be_bytes();
        *head = [KIND[0], KIND[1], KIND[2], high, low];
        let sealed = self.key_and_nonce()?.seal(head, body)?;
        tag.copy_from_slice(sealed.as_ref());
        Ok(())
    }

    /// Opens `record` in place. Returns the length of the plaintext.
    ///
    /// # Errors
    /// `NotConnected` when it was not sealed by the other end as its next one.
    pub(super) fn open(&mut self, record: &mut [u8]) -> Result<usize> {
        let (head, body) = record.split_first_chunk_mut::<HEAD_BYTES>().ok_or_else(unusable)?;
        let opened = self.key_and_nonce()?.open(head, body)?;
        match opened.split_last() {
            Some((kind, plaintext)) if *kind == KIND[0] => Ok(plaintext.len()),
            _ => Err(broken("a record of the other end has an unknown kind")),
        }
    }

    fn key_and_nonce(&mut self) -> Result<Once<'_>> {
        let nonce = self.nonce()?;
        Ok(Once { key: &self.key, nonce })
    }
}

/// A key for one record.
struct Once<'a> {
    key: &'a LessSafeKey,
    nonce: Nonce,
}

impl Once<'_> {
    fn seal(self, head: &[u8; HEAD_BYTES], body: &mut [u8]) -> Result<aead::Tag> {
        self.key
            .seal_in_place_separate_tag(self.nonce, Aad::from(head), body)
            .map_err(|_| broken("a record could not be sealed"))
    }

    fn open<'b>(self, head: &[u8; HEAD_BYTES], body: &'b mut [u8]) -> Result<&'b [u8]> {
        match self.key.open_in_place(self.nonce, Aad::from(head), body) {
            Ok(opened) => Ok(opened),
            Err(_) => Err(broken("the received bytes are not those that the other end sent").hint(
                "something on the path changes it, or a network card does; the connection is re-established",
            )),
        }
    }
}

/// Returns the length of the record that begins with `bytes`; `None` while its head is not complete.
///
/// # Errors
/// `NotConnected` if it is not the head of a record.
pub(super) fn length(bytes: &[u8]) -> Result<Option<usize>> {
    let Some([kind, major, minor, high, low]) = bytes.first_chunk::<HEAD_BYTES>() else { return Ok(None) };
    let bytes = HEAD_BYTES + usize::from(u16::from_be_bytes([*high, *low]));
    if [*kind, *major, *minor] != KIND || !(OVERHEAD_BYTES..=RECORD_BYTES_MAX).contains(&bytes) {
        return Err(broken("the received bytes are not a record").with("bytes", bytes));
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Cipher; 3] = [Cipher::Aes128Gcm, Cipher::Aes256Gcm, Cipher::ChaCha20Poly1305];

    fn sealed(keys: &mut Keys, plaintext: &[u8]) -> Vec<u8> {
        let mut record = vec![0; plaintext.len() + OVERHEAD_BYTES];
        record[HEAD_BYTES..HEAD_BYTES + plaintext.len()].copy_from_slice(plaintext);
        keys.seal(&mut record).unwrap();
        record
    }

    fn opened(keys: &mut Keys, mut record: Vec<u8>) -> Option<Vec<u8>> {
        let bytes = keys.open(&mut record).ok()?;
        Some(record[HEAD_BYTES..HEAD_BYTES + bytes].to_vec())
    }

    fn pair(cipher: Cipher) -> (Keys, Keys) {
        (Keys::new(cipher, [1; 32]).unwrap(), Keys::new(cipher, [1; 32]).unwrap())
    }

    #[test]
    fn sealed_records_open_across_key_updates() {
        for cipher in ALL {
            let (mut here, mut there) = pair(cipher);
            (here.records_per_key, there.records_per_key) = (3, 3);
            let mut seen = Vec::new();
            for bytes in [0, 1, 100, PLAINTEXT_BYTES_MAX, 7, 7, 7, 7, 7] {
                let record = sealed(&mut here, &vec![9; bytes]);
                assert_eq!(length(&record).unwrap(), Some(record.len()));
                assert!(!seen.contains(&record), "two records are the same");
                assert_eq!(opened(&mut there, record.clone()).unwrap(), vec![9; bytes]);
                seen.push(record);
            }
        }
    }

    #[test]
    fn missing_repeated_or_foreign_records_are_refused() {
        let (mut here, _) = pair(Cipher::Aes128Gcm);
        let records = [sealed(&mut here, b"one"), sealed(&mut here, b"two")];
        let mut late = pair(Cipher::Aes128Gcm).1;
        assert!(opened(&mut late, records[1].clone()).is_none());
        let mut there = pair(Cipher::Aes128Gcm).1;
        assert!(opened(&mut there, records[0].clone()).is_some());
        assert!(opened(&mut there, records[0].clone()).is_none());
        let mut other = Keys::new(Cipher::Aes128Gcm, [2; 32]).unwrap();
        assert!(opened(&mut other, records[0].clone()).is_none());
    }

    #[test]
    fn record_with_a_flipped_bit_is_refused() {
        for cipher in ALL {
            let record = sealed(&mut pair(cipher).0, b"something");
            for at in 0..record.len() {
                let mut changed = record.clone();
                changed[at] ^= 1;
                assert!(opened(&mut pair(cipher).1, changed).is_none(), "byte {at}");
            }
        }
    }

    #[test]
    fn foreign_heads_are_rejected() {
        for head in [*b"HTTP/", [22, 3, 3, 0, 50], [23, 3, 3, 0, 10], [23, 3, 3, 0xff, 0xff]] {
            assert!(length(&head).is_err());
        }
        assert_eq!(length(&[23, 3, 3, 1]).unwrap(), None);
    }
}
