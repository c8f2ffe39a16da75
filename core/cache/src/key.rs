// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys, and the fingerprints that stand for them.

use std::hash::Hasher;

use mf_base::{Error, Result};
use siphasher::sip128::{Hasher128, SipHasher13};

/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = 4096;
/// Number of shards that all keys are divided into; a shard has one home.
pub(crate) const SHARDS: usize = 4096;

/// Computes fingerprints; the same for all members of a cache.
#[derive(Clone, Copy)]
pub(crate) struct Fingerprints(pub(crate) [u8; 16]);

/// Fingerprint: 128 bits that stand for a key. Collisions do not occur in practice: the hash is keyed with a
/// secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Print {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl Fingerprints {
    /// Computes the fingerprint of a key.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long.
    pub(crate) fn fingerprint(&self, operation: &'static str, key: &[u8]) -> Result<Print> {
        if key.is_empty() || key.len() > KEY_BYTES_MAX {
            return Err(Error::invalid(operation, "a key has 1 to 4096 bytes")
                .with("bytes", key.len())
                .hint("use a hash of it as the key"));
        }
        let mut hasher = SipHasher13::new_with_key(&self.0);
        hasher.write(key);
        let hash = hasher.finish128();
        Ok(Print { low: hash.h1, high: hash.h2 })
    }
}

impl Print {
    pub(crate) fn shard(self) -> usize {
        usize::try_from(self.low >> 52).unwrap_or(0)
    }

    /// Returns the bucket of the key, out of `buckets`.
    pub(crate) fn bucket(self, buckets: u64) -> u64 {
        let scaled = u128::from(self.low << 12) * u128::from(buckets);
        u64::try_from(scaled >> 64).unwrap_or(0)
    }

    pub(crate) fn tag(self) -> u16 {
        u16::try_from(self.high >> 48).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_oversized_keys_are_refused() {
        let prints = Fingerprints([7; 16]);
        assert!(prints.fingerprint("test", b"").is_err());
        assert!(prints.fingerprint("test", &[1; KEY_BYTES_MAX + 1]).is_err());
        assert!(prints.fingerprint("test", &[1; KEY_BYTES_MAX]).is_ok());
    }

    #[test]
    fn keys_spread_over_shards_and_buckets() {
        let prints = Fingerprints([7; 16]);
        let (mut shards, mut buckets) = (vec![0; 16], vec![0; 16]);
        for number in 0..16_000u32 {
            let print = prints.fingerprint("test", &number.to_le_bytes()).unwrap();
            shards[print.shard() / 256] += 1;
            buckets[usize::try_from(print.bucket(16)).unwrap()] += 1;
        }
        assert!(
            shards.iter().chain(&buckets).all(|&count| (800..1200).contains(&count)),
            "{shards:?} {buckets:?}"
        );
    }
}
