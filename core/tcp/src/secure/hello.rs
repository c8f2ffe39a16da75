// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The four messages with which two ends make themselves known to each other, and their proofs. All have a
//! fixed length, so that neither end ever reads beyond them.
//!
//! | message | bytes |
//! |---|---|
//! | [`Hello`], of the client | magic 4, version 2, zero 2, job 8, the client's rank 4 and session 8, the expected rank 4 and session 8, nonce 24 |
//! | [`Challenge`], of the server | magic 4, version 2, refusal 2, nonce 32 |
//! | proof of the client | 32 |
//! | [`Welcome`], of the server | refusal 2, zero 2, its rank 4 and session 8, proof 32 |
//!
//! Numbers have their little end first. The hello has this length, and magic and version stand in the same
//! place, in every version: so one of another version is read as a whole and refused in words that its sender
//! understands.

use hmac::{Hmac, Mac};
use mf_transport::{JobId, Peer};
use sha2::Sha256;

/// First bytes of both ends on a plaintext connection. A TLS connection begins with another byte.
pub(super) const MAGIC: [u8; 4] = *b"MFNT";
/// The version of these messages and of all that follows them.
pub(super) const VERSION: u16 = 2;

pub(super) const HELLO_BYTES: usize = 64;
pub(super) const CHALLENGE_BYTES: usize = 40;
pub(super) const PROOF_BYTES: usize = 32;
pub(super) const WELCOME_BYTES: usize = 48;

pub(super) type Nonce = [u8; 32];
/// The client's, shorter, so that the job has room in the hello.
pub(super) type ClientNonce = [u8; 24];
pub(super) type Proof = [u8; PROOF_BYTES];
/// The number exported by the two ends of a TLS channel; `None` on plaintext.
pub(super) type Binding = Option<[u8; 32]>;

/// Which peer connects to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) version: u16,
    pub(super) client: Peer,
    /// Of the same job.
    pub(super) server: Peer,
    pub(super) nonce: ClientNonce,
}

/// Why the server does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It does not speak our version.
    Version,
    /// It takes no plaintext.
    Plaintext,
    /// The proof is wrong.
    Proof,
    /// Another process is here now.
    Another,
    /// No member of that job is here.
    Job,
    /// A refusal of a later version.
    Unknown(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Challenge {
    pub(super) version: u16,
    pub(super) refusal: Option<Refusal>,
    pub(super) nonce: Nonce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Welcome {
    pub(super) refusal: Option<Refusal>,
    pub(super) server: Peer,
    pub(super) proof: Proof,
}

/// Takes the next bytes of a message; zeros when it is too short, which its fixed length excludes.
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    match bytes.split_first_chunk::<N>() {
        Some((first, rest)) => {
            *bytes = rest;
            *first
        }
        None => [0; N],
    }
}

fn take_peer(job: JobId, bytes: &mut &[u8]) -> Peer {
    Peer { job, rank: u32::from_le_bytes(take(bytes)), session: u64::from_le_bytes(take(bytes)) }
}

fn put_peer(output: &mut Vec<u8>, peer: Peer) {
    output.extend_from_slice(&peer.rank.to_le_bytes());
    output.extend_from_slice(&peer.session.to_le_bytes());
}

impl Refusal {
    fn number(this: Option<Self>) -> u16 {
        match this {
            None => 0,
            Some(Self::Version) => 1,
            Some(Self::Plaintext) => 2,
            Some(Self::Proof) => 3,
            Some(Self::Another) => 4,
            Some(Self::Job) => 5,
            Some(Self::Unknown(number)) => number,
        }
    }

    pub(super) fn of(number: u16) -> Option<Self> {
        match number {
            0 => None,
            1 => Some(Self::Version),
            2 => Some(Self::Plaintext),
            3 => Some(Self::Proof),
            4 => Some(Self::Another),
            5 => Some(Self::Job),
            other => Some(Self::Unknown(other)),
        }
    }
}

impl Hello {
    pub(super) fn write(&self, output: &mut Vec<u8>) {
        output.extend_from_slice(&MAGIC);
        output.extend_from_slice(&self.version.to_le_bytes());
        output.extend_from_slice(&[0; 2]);
        output.extend_from_slice(&self.client.job.0.to_le_bytes());
        put_peer(output, self.client);
        put_peer(output, self.server);
        output.extend_from_slice(&self.nonce);
    }

    /// Returns `None` if it is not a hello. Of another version only the version is valid.
    pub(super) fn read(mut bytes: &[u8]) -> Option<Self> {
        if bytes.len() != HELLO_BYTES || take(&mut bytes) != MAGIC {
            return None;
        }
        let version = u16::from_le_bytes(take(&mut bytes));
        let _: [u8; 2] = take(&mut bytes);
        let job = JobId(u64::from_le_bytes(take(&mut bytes)));
        let (client, server) = (take_peer(job, &mut bytes), take_peer(job, &mut bytes));
        Some(Self { version, client, server, nonce: take(&mut bytes) })
    }
}

impl Challenge {
    pub(super) fn write(&self, output: &mut Vec<u8>) {
        output.extend_from_slice(&MAGIC);
        output.extend_from_slice(&self.version.to_le_bytes());
        output.extend_from_slice(&Refusal::number(self.refusal).to_le_bytes());
        output.extend_from_slice(&self.nonce);
    }

    pub(super) fn read(mut bytes: &[u8]) -> Option<Self> {
        if bytes.len() != CHALLENGE_BYTES || take(&mut bytes) != MAGIC {
            return None;
        }
        let version = u16::from_le_bytes(take(&mut bytes));
        let refusal = Refusal::of(u16::from_le_bytes(take(&mut bytes)));
        Some(Self { version, refusal, nonce: take(&mut bytes) })
    }
}

impl Welcome {
    pub(super) fn write(&self, output: &mut Vec<u8>) {
        output.extend_from_slice(&Refusal::number(self.refusal).to_le_bytes());
        output.extend_from_slice(&[0; 2]);
        put_peer(output, self.server);
        output.extend_from_slice(&self.proof);
    }

    /// The welcome of a member of `job`.
    pub(super) fn read(job: JobId, mut bytes: &[u8]) -> Option<Self> {
        if bytes.len() != WELCOME_BYTES {
            return None;
        }
        let refusal = Refusal::of(u16::from_le_bytes(take(&mut bytes)));
        let _: [u8; 2] = take(&mut bytes);
        let server = take_peer(job, &mut bytes);
        Some(Self { refusal, server, proof: take(&mut bytes) })
    }
}

/// Messages of both ends of one connection.
pub(super) struct Spoken<'a> {
    pub(super) hello: &'a Hello,
    pub(super) challenge: &'a Nonce,
    pub(super) binding: Binding,
}

impl Spoken<'_> {
    fn keyed(&self, token: &[u8; 32], role: &[u8]) -> Option<Hmac<Sha256>> {
        // HMAC takes keys of any length; the type only says so at run time.
        let mut mac = Hmac::<Sha256>::new_from_slice(token).ok()?;
        let mut hello = Vec::with_capacity(HELLO_BYTES);
        self.hello.write(&mut hello);
        mac.update(role);
        mac.update(&hello);
        mac.update(self.challenge);
        mac.update(&[u8::from(self.binding.is_some())]);
        mac.update(&self.binding.unwrap_or_default());
        Some(mac)
    }

    fn client(&self, token: &[u8; 32]) -> Option<Hmac<Sha256>> {
        self.keyed(token, b"memfabric net client")
    }

    fn server(&self, token: &[u8; 32], welcome: &Welcome) -> Option<Hmac<Sha256>> {
        let mut mac = self.keyed(token, b"memfabric net server")?;
        let mut said = Vec::with_capacity(WELCOME_BYTES);
        Welcome { proof: Proof::default(), ..*welcome }.write(&mut said);
        mac.update(&said);
        Some(mac)
    }

    /// The proof of the client.
    pub(super) fn prove_client(&self, token: &[u8; 32]) -> Option<Proof> {
        Some(self.client(token)?.finalize().into_bytes().into())
    }

    /// Verifies the proof of the client, in constant time.
    pub(super) fn holds_client(&self, token: &[u8; 32], proof: &[u8]) -> bool {
        self.client(token).is_some_and(|mac| mac.verify_slice(proof).is_ok())
    }

    /// Makes the proof of the server, which covers its welcome.
    pub(super) fn prove_server(&self, token: &[u8; 32], welcome: &Welcome) -> Option<Proof> {
        Some(self.server(token, welcome)?.finalize().into_bytes().into())
    }

    /// Verifies the proof in the welcome.
    pub(super) fn holds_server(&self, token: &[u8; 32], welcome: &Welcome) -> bool {
        self.server(token, welcome).is_some_and(|mac| mac.verify_slice(&welcome.proof).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: JobId = JobId(0xa1b2_c3d4_e5f6_0718);

    fn hello() -> Hello {
        let client = Peer { job: JOB, rank: 1, session: 7 };
        Hello { version: VERSION, client, server: Peer { rank: 3, session: 9, ..client }, nonce: [5; 24] }
    }

    #[test]
    fn handshake_messages_have_fixed_length_and_round_trip() {
        let mut bytes = Vec::new();
        hello().write(&mut bytes);
        assert_eq!(bytes.len(), HELLO_BYTES);
        assert_eq!(Hello::read(&bytes), Some(hello()));
        for refusal in [
            None,
            Some(Refusal::Version),
            Some(Refusal::Plaintext),
            Some(Refusal::Proof),
            Some(Refusal::Job),
            Some(Refusal::Unknown(99)),
        ] {
            let challenge = Challenge { version: 2, refusal, nonce: [6; 32] };
            bytes.clear();
            challenge.write(&mut bytes);
            assert_eq!(bytes.len(), CHALLENGE_BYTES);
            assert_eq!(Challenge::read(&bytes), Some(challenge));
            let welcome = Welcome { refusal, server: Peer { job: JOB, rank: 3, session: 9 }, proof: [8; 32] };
            bytes.clear();
            welcome.write(&mut bytes);
            assert_eq!(bytes.len(), WELCOME_BYTES);
            assert_eq!(Welcome::read(JOB, &bytes), Some(welcome));
        }
    }

    #[test]
    fn proofs_cover_the_whole_handshake() {
        let (token, spoken_hello) = ([1; 32], hello());
        let said = Spoken { hello: &spoken_hello, challenge: &[6; 32], binding: None };
        let welcome = Welcome { refusal: None, server: spoken_hello.server, proof: Proof::default() };
        let client = said.prove_client(&token).unwrap();
        let welcome = Welcome { proof: said.prove_server(&token, &welcome).unwrap(), ..welcome };
        assert!(said.holds_client(&token, &client) && said.holds_server(&token, &welcome));
        assert!(!said.holds_client(&[2; 32], &client) && !said.holds_server(&[2; 32], &welcome));
        // The role: neither is the other's.
        assert!(!said.holds_client(&token, &welcome.proof));
        assert!(!said.holds_server(&token, &Welcome { proof: client, ..welcome }));
        // Every bit of the hello after the magic, but the two that are always zero.
        let mut bytes = Vec::new();
        spoken_hello.write(&mut bytes);
        for at in (4..6).chain(8..HELLO_BYTES) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let changed = Hello::read(&changed).unwrap();
            let said = Spoken { hello: &changed, ..said };
            assert!(!said.holds_client(&token, &client) && !said.holds_server(&token, &welcome), "byte {at}");
        }
        for binding in [Some([0; 32]), Some([1; 32])] {
            let said = Spoken { binding, ..said };
            assert!(!said.holds_client(&token, &client) && !said.holds_server(&token, &welcome));
        }
        let said = Spoken { challenge: &[7; 32], ..said };
        assert!(!said.holds_client(&token, &client) && !said.holds_server(&token, &welcome));
    }

    #[test]
    fn altered_welcome_is_detected() {
        let (token, hello) = ([1; 32], hello());
        let said = Spoken { hello: &hello, challenge: &[6; 32], binding: Some([3; 32]) };
        let welcome =
            Welcome { refusal: Some(Refusal::Another), server: hello.server, proof: Proof::default() };
        let welcome = Welcome { proof: said.prove_server(&token, &welcome).unwrap(), ..welcome };
        assert!(said.holds_server(&token, &welcome));
        assert!(!said.holds_server(&token, &Welcome { refusal: None, ..welcome }));
        assert!(!said.holds_server(&token, &Welcome { server: hello.client, ..welcome }));
    }
}
