// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The public number of a job.

use std::fmt;

use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Names a job towards processes that a member asks for admission. Public: a hash of the token of the
/// job, which all members know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId(pub u64);

impl JobId {
    /// The number of the job with this token.
    pub fn of(token: &[u8; 32]) -> Self {
        // HMAC takes keys of any length; the type only says so at run time.
        let mac = Hmac::<Sha256>::new_from_slice(token).ok();
        let digest = mac.map(|mac| mac.chain_update(b"memfabric job number").finalize().into_bytes());
        let first = digest.as_ref().and_then(|digest| digest.first_chunk::<8>());
        Self(first.map_or(0, |bytes| u64::from_le_bytes(*bytes)))
    }

    /// Derives a token for processes that share a secret and no store: a hash of the secret and the
    /// purpose. From an empty secret it is a publicly known token.
    pub fn token(secret: &[u8], purpose: &str) -> [u8; 32] {
        // HMAC takes keys of any length; the type only says so at run time.
        let mac = Hmac::<Sha256>::new_from_slice(secret).ok();
        let mac = mac.map(|mac| mac.chain_update(b"memfabric token for ").chain_update(purpose.as_bytes()));
        mac.map_or([0; 32], |mac| mac.finalize().into_bytes().into())
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_derived_from_secret_and_purpose() {
        let token = JobId::token(b"secret", "a");
        assert_eq!(token, JobId::token(b"secret", "a"));
        for (secret, purpose) in [(&b"secret"[..], "b"), (b"other", "a"), (b"", "a")] {
            assert_ne!(token, JobId::token(secret, purpose));
        }
    }

    #[test]
    fn job_ids_differ_per_token_and_do_not_reveal_it() {
        let (one, other) = (JobId::of(&[7; 32]), JobId::of(&[8; 32]));
        assert_eq!(one, JobId::of(&[7; 32]));
        assert_ne!(one, other);
        assert!(![0, u64::from_le_bytes([7; 8])].contains(&one.0));
    }
}
