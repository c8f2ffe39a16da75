// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handshake of a link ([frames](super::handshake_frames)), as state machines of both ends: bytes in, bytes
//! out. They own no socket and never wait.

use std::sync::Arc;

use mf_base::{Error, Kind, Result};
use mf_tls::channel::Channel;

use super::address::Process;
use super::admission::{Rules, binding, decrypt};
use super::frame::{Head, Inbox};
use super::handshake_frames::{
    ANSWER_BYTES, Answer, Claim, Hello, PLAIN_BYTES, PROOF_BYTES, Role, SECRET_BYTES, Terms, Verdict,
    is_handshake, write_proof,
};
use super::identity::{new_nonce, process_of};

const OP: &str = "hmc ctrl connect";
/// Answer to a dialer that takes this for a port of data, so that it does not try again.
const NOT_DATA: &[u8] = b"control channel of HMC\n";
/// First bytes of such a dialer: as a client of a store, or of TLS.
const OF_DATA: [[u8; 2]; 2] = [*b"MF", [0x16, 0x03]];

/// Bytes of the socket, decrypted if the link is encrypted.
#[derive(Default)]
struct Wire {
    inbox: Inbox,
    channel: Option<Channel>,
}

impl Wire {
    /// Takes bytes of the socket; appends the response to `output`.
    fn receive(&mut self, bytes: &[u8], output: &mut Vec<u8>) -> Result<()> {
        let Some(channel) = &mut self.channel else {
            self.inbox.push(bytes);
            return Ok(());
        };
        let mut plain = Vec::new();
        let received = decrypt(channel, bytes, &mut plain);
        channel.take_output(output);
        self.inbox.push(&plain);
        received
    }

    /// Returns the payload of the next handshake frame, which must have one of these lengths.
    fn next(&mut self, lengths: &[usize]) -> Result<Option<Vec<u8>>> {
        // The head alone allocates nothing: the length is checked before any memory is allocated.
        let Some(head) = self.inbox.head() else { return Ok(None) };
        let is_right = usize::try_from(head.length).is_ok_and(|length| lengths.contains(&length));
        if !is_handshake(head) || !is_right {
            return Err(not_a_handshake());
        }
        match self.inbox.ready() {
            Ok(Some(_)) => Ok(Some(self.inbox.take())),
            Ok(None) => Ok(None),
            Err(_) => Err(not_a_handshake()),
        }
    }

    /// Sends the bytes that `write` appends to `output`, encrypted if the link is.
    fn send(&mut self, output: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let Some(channel) = &mut self.channel else {
            write(output);
            return Ok(());
        };
        let mut plain = Vec::new();
        write(&mut plain);
        channel.write(&plain)?;
        channel.take_output(output);
        Ok(())
    }
}

/// Result of a handshake: bytes received after it, and the channel of an encrypted link.
pub(super) struct Established {
    pub(super) rank: u32,
    pub(super) inbox: Inbox,
    pub(super) channel: Option<Channel>,
    /// Id of the process at the other end, if it announced one.
    pub(super) process: Option<Process>,
}

/// The accepting end.
pub(super) struct ServerHandshake {
    rules: Arc<Rules>,
    /// True if the peer must prove that it has the secret.
    must_prove: bool,
    wire: Wire,
    /// Agreed terms, after the hello has come.
    terms: Option<Terms>,
}

impl ServerHandshake {
    pub(super) fn new(rules: &Arc<Rules>, must_prove: bool) -> Self {
        Self { rules: Arc::clone(rules), must_prove, wire: Wire::default(), terms: None }
    }

    /// Takes received bytes. Appends the response to `output`, also if the peer is refused.
    ///
    /// # Errors
    /// The reason for which the handshake fails.
    pub(super) fn receive(&mut self, bytes: &[u8], output: &mut Vec<u8>) -> Result<Option<Established>> {
        self.wire.receive(bytes, output)?;
        if self.terms.is_none() {
            let first = self.wire.next(&[PLAIN_BYTES, SECRET_BYTES]);
            let is_of_data = |head: Head| OF_DATA.contains(&head.kind.to_le_bytes());
            if first.is_err() && self.wire.inbox.head().is_some_and(is_of_data) {
                output.extend_from_slice(NOT_DATA);
            }
            let Some(payload) = first? else { return Ok(None) };
            let hello = Hello::read(&payload).ok_or_else(not_a_handshake)?;
            let Some(claim) = hello.secret else {
                if self.must_prove {
                    return Err(refused("the peer has no secret").with("rank", hello.rank));
                }
                return Ok(Some(self.established(hello.rank)));
            };
            self.answer(hello.rank, claim, output)?;
        }
        let Some(terms) = &mut self.terms else { return Ok(None) };
        if self.wire.channel.as_ref().is_some_and(Channel::is_handshaking) {
            return Ok(None);
        }
        let Some(proof) = self.wire.next(&[PROOF_BYTES])? else { return Ok(None) };
        terms.binding = binding(self.wire.channel.as_ref())?;
        let secret = self.rules.secret().unwrap_or_default();
        let (rank, holds) = (terms.rank, terms.holds(secret, Role::Client, &proof));
        let verdict = if holds { Verdict::Taken } else { Verdict::OtherSecret };
        let bytes = if holds { terms.prove(secret, Role::Server) } else { [0; 32] };
        self.wire.send(output, |plain| Answer { verdict, bytes }.write(plain))?;
        if holds {
            Ok(Some(self.established(rank)))
        } else {
            Err(refused("the peer has another secret").with("rank", rank))
        }
    }

    /// Answers a hello with a secret.
    fn answer(&mut self, rank: u32, claim: Claim, output: &mut Vec<u8>) -> Result<()> {
        let verdict = match self.rules.secret() {
            None => Verdict::NoSecret,
            Some(_) if self.must_prove && !claim.encrypts => Verdict::Plaintext,
            Some(_) => Verdict::Taken,
        };
        let bytes = new_nonce(OP)?;
        Answer { verdict, bytes }.write(output);
        match verdict {
            Verdict::Taken => {}
            Verdict::NoSecret => return Err(refused("the peer has a secret, and this process has none")),
            _ => return Err(refused("the peer sends plaintext from another host").with("rank", rank)),
        }
        if claim.encrypts {
            self.wire.channel = Some(self.rules.channel(false)?);
        }
        self.terms = Some(Terms { rank, client: claim.nonce, server: bytes, binding: None });
        Ok(())
    }

    fn established(&mut self, rank: u32) -> Established {
        let wire = std::mem::take(&mut self.wire);
        let process = self.terms.as_ref().and_then(|terms| process_of(&terms.client));
        Established { rank, inbox: wire.inbox, channel: wire.channel, process }
    }
}

/// The dialling end, with a secret.
pub(super) struct ClientHandshake {
    rules: Arc<Rules>,
    encrypts: bool,
    wire: Wire,
    terms: Terms,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Waits for the answer to the hello.
    Answer,
    /// Waits for the keys.
    Keys,
    /// Waits for the proof.
    Proof,
}

/// Progress of the handshake.
pub(super) enum Step {
    More,
    /// The server has no secret.
    WithoutSecret,
    Established(Box<Established>),
}

impl ClientHandshake {
    /// Begins with a hello as `rank`.
    ///
    /// # Errors
    /// `Failed` the kernel has no random numbers.
    pub(super) fn new(rules: &Arc<Rules>, rank: u32, encrypts: bool, output: &mut Vec<u8>) -> Result<Self> {
        let nonce = new_nonce(OP)?;
        Hello { rank, secret: Some(Claim { encrypts, nonce }) }.write(output);
        let terms = Terms { rank, client: nonce, server: [0; 32], binding: None };
        Ok(Self { rules: Arc::clone(rules), encrypts, wire: Wire::default(), terms, stage: Stage::Answer })
    }

    /// Returns true if the other end has not answered yet. If the connection ends then, the peer does not
    /// understand this hello.
    pub(super) fn is_unanswered(&self) -> bool {
        self.stage == Stage::Answer
    }

    /// Takes received bytes. Appends the response to `output`.
    ///
    /// # Errors
    /// The reason for which the handshake fails.
    pub(super) fn receive(&mut self, bytes: &[u8], output: &mut Vec<u8>) -> Result<Step> {
        self.wire.receive(bytes, output)?;
        if self.stage == Stage::Answer {
            let Some(payload) = self.wire.next(&[ANSWER_BYTES])? else { return Ok(Step::More) };
            let answer = Answer::read(&payload).ok_or_else(not_a_handshake)?;
            match answer.verdict {
                Verdict::Taken => {}
                Verdict::NoSecret => return Ok(Step::WithoutSecret),
                Verdict::Plaintext => return Err(refused("the peer takes no plaintext")),
                Verdict::OtherSecret => return Err(refused("the peer has another secret")),
            }
            self.terms.server = answer.bytes;
            self.stage = Stage::Keys;
            if self.encrypts {
                let mut channel = self.rules.channel(true)?;
                channel.take_output(output);
                self.wire.channel = Some(channel);
            }
        }
        if self.stage == Stage::Keys {
            if self.wire.channel.as_ref().is_some_and(Channel::is_handshaking) {
                return Ok(Step::More);
            }
            self.terms.binding = binding(self.wire.channel.as_ref())?;
            let proof = self.terms.prove(self.rules.secret().unwrap_or_default(), Role::Client);
            self.wire.send(output, |plain| write_proof(&proof, plain))?;
            self.stage = Stage::Proof;
        }
        let Some(payload) = self.wire.next(&[ANSWER_BYTES])? else { return Ok(Step::More) };
        let answer = Answer::read(&payload).ok_or_else(not_a_handshake)?;
        let secret = self.rules.secret().unwrap_or_default();
        let holds = self.terms.holds(secret, Role::Server, &answer.bytes);
        if answer.verdict != Verdict::Taken || !holds {
            return Err(refused("the peer has another secret"));
        }
        let wire = std::mem::take(&mut self.wire);
        let process = process_of(&self.terms.server);
        let begun = Established { rank: self.terms.rank, inbox: wire.inbox, channel: wire.channel, process };
        Ok(Step::Established(Box::new(begun)))
    }
}

#[cold]
fn not_a_handshake() -> Error {
    Error::new(Kind::NotConnected, OP)
        .what("the other end does not begin as a control channel does")
        .hint("the port of a control channel is another one than that of data")
}

#[cold]
fn refused(what: &str) -> Error {
    Error::new(Kind::NotConnected, OP).what(what).hint("all members have the same MF_JOB_SECRET, or none")
}

#[cfg(test)]
mod tests {
    use mf_base::settings::Users;
    use mf_tls::JobSecret;

    use super::super::frame::{INTEGER, RESERVED};
    use super::*;

    fn rules(secret: &str) -> Arc<Rules> {
        Rules::new(JobSecret::new(secret), Users::default(), false)
    }

    /// Exchanges bytes until one side has finished, `piece` at a time.
    fn meet(
        client: &str,
        server: &str,
        encrypts: bool,
        must_prove: bool,
        piece: usize,
    ) -> Result<(Established, Established)> {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let mut dialing = ClientHandshake::new(&rules(client), 5, encrypts, &mut up).unwrap();
        let mut accepting = ServerHandshake::new(&rules(server), must_prove);
        let (mut here, mut there) = (None, None);
        while here.is_none() {
            assert!(!(up.is_empty() && down.is_empty()), "nobody says anything");
            for bytes in std::mem::take(&mut up).chunks(piece) {
                if there.is_none() {
                    there = accepting.receive(bytes, &mut down).transpose();
                }
            }
            for bytes in std::mem::take(&mut down).chunks(piece) {
                match dialing.receive(bytes, &mut up)? {
                    Step::More => {}
                    Step::WithoutSecret => return Err(Error::new(Kind::NotExist, "test")),
                    Step::Established(begun) => here = Some(*begun),
                }
            }
            if let Some(Err(error)) = there {
                return Err(error);
            }
        }
        Ok((here.unwrap(), there.unwrap()?))
    }

    #[test]
    fn handshake_succeeds_with_equal_secrets_in_any_pieces() {
        for (encrypts, piece) in [(false, 1), (false, 4096), (true, 7), (true, 4096)] {
            let (here, there) = meet("s", "s", encrypts, encrypts, piece).unwrap();
            assert_eq!((here.rank, there.rank), (5, 5));
            assert!(here.inbox.is_empty() && there.inbox.is_empty());
            assert_eq!((here.channel.is_some(), there.channel.is_some()), (encrypts, encrypts));
            assert!(here.process.is_some() && here.process == there.process, "both are this process");
        }
    }

    #[test]
    fn handshake_rejects_other_secrets_and_plaintext_between_hosts() {
        for encrypts in [false, true] {
            let text = meet("s", "t", encrypts, encrypts, 4096).err().unwrap().to_string();
            assert!(text.contains("another secret"), "{text}");
        }
        assert_eq!(meet("s", "", false, false, 4096).err().unwrap().kind(), Kind::NotExist);
        let text = meet("s", "s", false, true, 4096).err().unwrap().to_string();
        assert!(text.contains("plaintext"), "{text}");
    }

    fn accept(must_prove: bool, bytes: &[u8]) -> Result<Option<Established>> {
        let mut output = Vec::new();
        let begun = ServerHandshake::new(&rules("s"), must_prove).receive(bytes, &mut output);
        let is_of_data = bytes.first_chunk().is_some_and(|first| OF_DATA.contains(first));
        assert_eq!(output, if is_of_data { NOT_DATA } else { b"" });
        begun
    }

    #[test]
    fn local_peer_without_secret_is_admitted_with_first_messages() {
        let mut bytes = Vec::new();
        Hello { rank: 3, secret: None }.write(&mut bytes);
        assert!(accept(false, &bytes[..11]).unwrap().is_none());
        bytes.extend_from_slice(&Head { kind: INTEGER, flags: 0, length: 4 }.bytes());
        bytes.extend_from_slice(b"1234");
        assert!(accept(true, &bytes).is_err());
        let mut begun = accept(false, &bytes).unwrap().unwrap();
        assert_eq!((begun.rank, begun.channel.is_none()), (3, true));
        assert_eq!(begun.inbox.ready().unwrap().unwrap().kind, INTEGER);
        assert_eq!(begun.inbox.take(), b"1234");
    }

    #[test]
    fn non_hello_first_frame_is_rejected_by_its_head() {
        for head in [
            Head { kind: INTEGER, flags: RESERVED, length: 4 },
            Head { kind: 2, flags: 0, length: 4 },
            Head { kind: 2, flags: RESERVED, length: 5 },
            Head { kind: 2, flags: RESERVED, length: u32::MAX },
        ] {
            assert!(accept(false, &head.bytes()).is_err(), "{head:?}");
        }
        for other in
            [&b"GET / HTTP/1.1\r\n"[..], b"MFST\x01\x00\x00\x00", b"\x16\x03\x01\x00\xee\x01\x00\x00"]
        {
            assert!(accept(false, other).is_err());
        }
    }
}
