// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handshake frames: the first frames of a link, as bytes.
//!
//! All have the type of a struct and the flag [`RESERVED`]. The dialer says hello. Without a secret the hello
//! is the rank alone, in 4 bytes, and there is no answer; this form never changes. With a secret:
//!
//! | | from | payload |
//! |---|---|---|
//! | 1 | client | rank, the magic `MFC1`, 1 for TLS, 32 bytes of nonce, which contain the process id (`identity.rs`) |
//! | 2 | server | a [`Verdict`], 32 bytes of nonce, which contain the process id |
//! | 3 | both | with TLS: its handshake; all that follows is encrypted |
//! | 4 | client | proof of 32 bytes |
//! | 5 | server | a [`Verdict`], proof of 32 bytes |
//!
//! A proof is an HMAC-SHA256, keyed by the secret, over role, rank, both nonces and the exporter value that
//! only the two ends of this TLS connection know: it can be neither replayed, reflected nor relayed. The
//! client proves itself first, so an unknown peer gets nothing that helps to guess the secret.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::frame::{Head, RESERVED, STRUCT};

/// Bytes of a hello without a secret.
pub const PLAIN_BYTES: usize = 4;
/// Bytes of a hello with a secret.
pub const SECRET_BYTES: usize = 44;
/// Bytes of a server's answer.
pub const ANSWER_BYTES: usize = 36;
/// Bytes of a proof.
pub const PROOF_BYTES: usize = 32;

const MAGIC: [u8; 4] = *b"MFC1";

/// Hello: the first frame of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Its rank.
    pub rank: u32,
    /// `None` if it has no secret, or talks to a server without one.
    pub secret: Option<Claim>,
}

/// Part of the hello of a client with a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// True if all that follows is encrypted.
    pub encrypts: bool,
    /// Nonce.
    pub nonce: [u8; 32],
}

/// Verdict of a server about a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Accepted: the handshake goes on, or is done.
    Taken = 0,
    /// The server has no secret.
    NoSecret = 1,
    /// Between hosts the link must be encrypted.
    Plaintext = 2,
    /// The client has a different secret.
    OtherSecret = 3,
}

/// Answer of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The nonce, or the proof.
    pub bytes: [u8; 32],
}

/// Appends a whole handshake frame.
fn frame(payload: &[u8], output: &mut Vec<u8>) {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    output.extend_from_slice(&Head { kind: STRUCT, flags: RESERVED, length }.bytes());
    output.extend_from_slice(payload);
}

/// Returns true if a frame belongs to the handshake.
pub fn is_greeting(head: Head) -> bool {
    head.kind == STRUCT && head.flags == RESERVED
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

impl Hello {
    /// Parses the payload of a first frame.
    pub fn read(payload: &[u8]) -> Option<Self> {
        let (rank, rest) = number(payload)?;
        if rest.is_empty() {
            return Some(Self { rank, secret: None });
        }
        let (tls, nonce) = number(rest.strip_prefix(&MAGIC)?)?;
        let secret = Claim { encrypts: tls == 1, nonce: nonce.try_into().ok()? };
        (tls <= 1).then_some(Self { rank, secret: Some(secret) })
    }

    /// Appends its frame.
    pub fn write(self, output: &mut Vec<u8>) {
        let mut payload = self.rank.to_le_bytes().to_vec();
        if let Some(claim) = self.secret {
            payload.extend_from_slice(&MAGIC);
            payload.extend_from_slice(&u32::from(claim.encrypts).to_le_bytes());
            payload.extend_from_slice(&claim.nonce);
        }
        frame(&payload, output);
    }
}

impl Answer {
    /// Parses the payload of an answer.
    pub fn read(payload: &[u8]) -> Option<Self> {
        let (verdict, bytes) = number(payload)?;
        let verdict = match verdict {
            0 => Verdict::Taken,
            1 => Verdict::NoSecret,
            2 => Verdict::Plaintext,
            3 => Verdict::OtherSecret,
            _ => return None,
        };
        Some(Self { verdict, bytes: bytes.try_into().ok()? })
    }

    /// Appends its frame.
    pub fn write(self, output: &mut Vec<u8>) {
        let mut payload = (self.verdict as u32).to_le_bytes().to_vec();
        payload.extend_from_slice(&self.bytes);
        frame(&payload, output);
    }
}

/// Appends the frame of a proof.
pub(super) fn write_proof(proof: &[u8; PROOF_BYTES], output: &mut Vec<u8>) {
    frame(proof, output);
}

/// Role of a proof's author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Client,
    Server,
}

/// Terms of a link, known to both ends.
pub(super) struct Terms {
    pub(super) rank: u32,
    pub(super) client: [u8; 32],
    pub(super) server: [u8; 32],
    /// Exporter value of the TLS connection; `None` on plaintext.
    pub(super) binding: Option<[u8; 32]>,
}

impl Terms {
    fn keyed(&self, secret: &[u8], role: Role) -> Option<Hmac<Sha256>> {
        // HMAC takes keys of any length; the type only shows this at run time.
        let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
        mac.update(match role {
            Role::Client => b"memfabric ctrl client",
            Role::Server => b"memfabric ctrl server",
        });
        mac.update(&self.rank.to_le_bytes());
        mac.update(&self.client);
        mac.update(&self.server);
        mac.update(&[u8::from(self.binding.is_some())]);
        mac.update(&self.binding.unwrap_or_default());
        Some(mac)
    }

    pub(super) fn prove(&self, secret: &[u8], role: Role) -> [u8; PROOF_BYTES] {
        self.keyed(secret, role).map_or([0; 32], |mac| mac.finalize().into_bytes().into())
    }

    /// Returns true if `proof` is valid for `role`; in constant time.
    pub(super) fn holds(&self, secret: &[u8], role: Role, proof: &[u8]) -> bool {
        self.keyed(secret, role).is_some_and(|mac| mac.verify_slice(proof).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hello_without_secret_matches_the_documented_format() {
        let mut bytes = Vec::new();
        Hello { rank: 0x0102_0304, secret: None }.write(&mut bytes);
        assert_eq!(bytes, [2, 0, 0, 0x80, 4, 0, 0, 0, 4, 3, 2, 1]);
    }

    #[test]
    fn written_frames_read_back() {
        for secret in [None, Some(Claim { encrypts: true, nonce: [7; 32] })] {
            let (hello, mut bytes) = (Hello { rank: 3, secret }, Vec::new());
            hello.write(&mut bytes);
            assert_eq!(Hello::read(&bytes[8..]), Some(hello));
            for cut in 8..bytes.len() {
                let is_other = cut == 12;
                assert_eq!(Hello::read(&bytes[8..cut]).is_some(), is_other, "{cut}");
            }
        }
        for verdict in [Verdict::Taken, Verdict::NoSecret, Verdict::Plaintext, Verdict::OtherSecret] {
            let (answer, mut bytes) = (Answer { verdict, bytes: [9; 32] }, Vec::new());
            answer.write(&mut bytes);
            assert_eq!(bytes.len(), 8 + ANSWER_BYTES);
            assert_eq!(Answer::read(&bytes[8..]), Some(answer));
        }
    }

    #[test]
    fn proofs_bind_secret_role_rank_nonces_and_connection() {
        let terms = |rank, client, binding| Terms { rank, client: [client; 32], server: [2; 32], binding };
        let proof = terms(1, 1, None).prove(b"secret", Role::Client);
        assert!(terms(1, 1, None).holds(b"secret", Role::Client, &proof));
        assert!(!terms(1, 1, None).holds(b"other", Role::Client, &proof));
        assert!(!terms(1, 1, None).holds(b"secret", Role::Server, &proof));
        assert!(!terms(2, 1, None).holds(b"secret", Role::Client, &proof));
        assert!(!terms(1, 3, None).holds(b"secret", Role::Client, &proof));
        assert!(!terms(1, 1, Some([0; 32])).holds(b"secret", Role::Client, &proof));
        assert!(!terms(1, 1, None).holds(b"secret", Role::Client, &proof[1..]));
    }
}
