// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Proof that both sides know the job secret, without sending it.
//!
//! Each side proves itself with HMAC-SHA256, keyed by the secret, over its role, the protocol version, the
//! fresh random numbers of both sides and the number of the TLS connection. The role keeps a proof from being
//! reflected, the random numbers keep it from being replayed, the number of the connection keeps it from
//! being relayed. The client proves itself first, so that unknown peers that connect to the server get
//! nothing that helps to guess the secret.

use hmac::{Hmac, Mac};
pub(crate) use mf_base::os::random;
use sha2::Sha256;

use super::frame::VERSION;

/// The side that makes a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Client,
    Server,
}

/// The fresh numbers of one connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nonces {
    pub(crate) client: [u8; 32],
    pub(crate) server: [u8; 32],
}

/// The number that only the two ends of one TLS connection know; none on plaintext.
pub(crate) type Binding = Option<[u8; 32]>;

fn keyed(secret: &[u8], role: Role, nonces: &Nonces, binding: &[u8]) -> Option<Hmac<Sha256>> {
    // HMAC takes keys of any length; the type only shows this at run time.
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
    mac.update(match role {
        Role::Client => b"memfabric store client",
        Role::Server => b"memfabric store server",
    });
    mac.update(&VERSION.to_le_bytes());
    mac.update(&nonces.client);
    mac.update(&nonces.server);
    mac.update(binding);
    Some(mac)
}

/// The proof of `role`; `binding` is the number of the TLS connection, empty on plaintext.
pub(crate) fn prove(secret: &[u8], role: Role, nonces: &Nonces, binding: &[u8]) -> [u8; 32] {
    keyed(secret, role, nonces, binding).map_or([0; 32], |mac| mac.finalize().into_bytes().into())
}

/// Verifies that `proof` was made by `role`, in constant time.
pub(crate) fn holds(secret: &[u8], role: Role, nonces: &Nonces, binding: &[u8], proof: &[u8; 32]) -> bool {
    keyed(secret, role, nonces, binding).is_some_and(|mac| mac.verify_slice(proof).is_ok())
}

/// The value that all members of a job with a secret know; it survives the store, because every store derives
/// it.
pub(crate) fn job_token(secret: &[u8], job: &str) -> Option<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
    mac.update(b"memfabric job token");
    mac.update(job.as_bytes());
    Some(mac.finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_bind_secret_role_nonces_and_connection() {
        let nonces = Nonces { client: [1; 32], server: [2; 32] };
        let swapped = Nonces { client: [2; 32], server: [1; 32] };
        let proof = prove(b"secret", Role::Client, &nonces, b"");
        assert!(holds(b"secret", Role::Client, &nonces, b"", &proof));
        assert!(!holds(b"Secret", Role::Client, &nonces, b"", &proof));
        assert!(!holds(b"", Role::Client, &nonces, b"", &proof));
        assert!(!holds(b"secret", Role::Server, &nonces, b"", &proof));
        assert!(!holds(b"secret", Role::Client, &swapped, b"", &proof));
        assert!(!holds(b"secret", Role::Client, &nonces, b"x", &proof));
        assert!(holds(b"", Role::Server, &nonces, b"", &prove(b"", Role::Server, &nonces, b"")));
    }

    #[test]
    fn tokens_are_those_of_secret_and_job() {
        assert_eq!(job_token(b"secret", "a"), job_token(b"secret", "a"));
        assert_ne!(job_token(b"secret", "a"), job_token(b"secret", "b"));
        assert_ne!(job_token(b"secret", "a"), job_token(b"other", "a"));
    }

    #[test]
    fn random_bytes_differ() {
        assert_ne!(random::<32>("test").unwrap(), random("test").unwrap());
    }
}
