// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State machine of the conversation, for both ends. Bytes in, bytes out; no sockets.

use mf_base::{Error, Kind, Result, Retry};
use mf_transport::Peer;
use zeroize::Zeroizing;

use super::hello::{
    Binding, CHALLENGE_BYTES, Challenge, ClientNonce, HELLO_BYTES, Hello, Nonce, PROOF_BYTES, Proof, Refusal,
    Spoken, VERSION, WELCOME_BYTES, Welcome,
};

pub(super) const OPERATION: &str = "tcp handshake";

/// A member of a job in this process.
pub(super) struct Member {
    pub(super) me: Peer,
    /// Token of its job.
    pub(super) token: Zeroizing<[u8; 32]>,
    /// True if a peer at this address may speak plaintext to it.
    pub(super) takes_plaintext: bool,
}

/// Returns the wanted one of this process's members; if that has ended, another of the same job, which
/// answers for it.
pub(super) type Find = dyn Fn(Peer) -> Option<Member> + Send;

/// One end of the conversation.
pub(super) struct Talk {
    phase: TalkPhase,
}

type Token = Zeroizing<[u8; 32]>;

/// Last message of the conversation, and the facts that the next one needs.
enum TalkPhase {
    /// The client has sent its hello and waits for the challenge.
    Greeted(Hello, Token),
    /// The client has proved itself and waits for the welcome.
    Proved(Hello, Token, Nonce),
    /// The server waits for a hello, to be answered with this nonce.
    Listening(Box<Find>, Nonce),
    /// The server has asked for a proof, with this nonce.
    Asked(Hello, Member, Nonce),
    /// Both ends are known: this one and the other.
    Known(Peer, Peer),
    /// One end has refused.
    Over,
}

impl Talk {
    /// Begins to talk to `server`; the hello goes to `output`.
    pub(super) fn client(
        me: Peer,
        token: [u8; 32],
        nonce: ClientNonce,
        server: Peer,
        output: &mut Vec<u8>,
    ) -> Self {
        let hello = Hello { version: VERSION, client: me, server, nonce };
        hello.write(output);
        Self { phase: TalkPhase::Greeted(hello, token.into()) }
    }

    /// Waits for the hello of a peer that connected, to one of the members that `find` knows.
    pub(super) fn server(find: impl Fn(Peer) -> Option<Member> + Send + 'static, nonce: Nonce) -> Self {
        Self { phase: TalkPhase::Listening(Box::new(find), nonce) }
    }

    /// Returns the length of the next message of the other end; 0 after the last one.
    pub(super) fn wants(&self) -> usize {
        match &self.phase {
            TalkPhase::Greeted(..) => CHALLENGE_BYTES,
            TalkPhase::Proved(..) => WELCOME_BYTES,
            TalkPhase::Listening(..) => HELLO_BYTES,
            TalkPhase::Asked(..) => PROOF_BYTES,
            TalkPhase::Known(..) | TalkPhase::Over => 0,
        }
    }

    /// Which peers this end and the other one are, once the latter has proved that.
    pub(super) fn known(&self) -> Option<(Peer, Peer)> {
        match &self.phase {
            TalkPhase::Known(me, peer) => Some((*me, *peer)),
            _ => None,
        }
    }

    /// Handles one message of [`wants`](Self::wants) bytes. Answers go to `output`, also after an error.
    ///
    /// # Errors
    /// The reason why this connection is of no use.
    pub(super) fn take(&mut self, message: &[u8], binding: Binding, output: &mut Vec<u8>) -> Result<()> {
        match std::mem::replace(&mut self.phase, TalkPhase::Over) {
            TalkPhase::Greeted(hello, token) => self.challenged(hello, token, message, binding, output),
            TalkPhase::Proved(hello, token, challenge) => {
                self.welcomed(&hello, &token, &challenge, message, binding)
            }
            TalkPhase::Listening(find, nonce) => self.greeted(&find, nonce, message, binding, output),
            TalkPhase::Asked(hello, member, nonce) => {
                self.proved(&hello, &member, &nonce, message, binding, output)
            }
            TalkPhase::Known(..) | TalkPhase::Over => Err(broken("the conversation is over")),
        }
    }

    fn challenged(
        &mut self,
        hello: Hello,
        token: Token,
        message: &[u8],
        binding: Binding,
        output: &mut Vec<u8>,
    ) -> Result<()> {
        let server = hello.server;
        let Some(challenge) = Challenge::read(message) else {
            return Err(broken("what answers is not the tcp transport of this library")
                .with("rank", server.rank)
                .hint("another program listens there"));
        };
        if let Some(refusal) = challenge.refusal {
            return Err(refused(refusal, server, challenge.version));
        }
        if challenge.version != VERSION {
            return Err(refused(Refusal::Version, server, challenge.version));
        }
        let said = Spoken { hello: &hello, challenge: &challenge.nonce, binding };
        let proof = said.prove_client(&token).ok_or_else(no_proof)?;
        output.extend_from_slice(&proof);
        self.phase = TalkPhase::Proved(hello, token, challenge.nonce);
        Ok(())
    }

    fn welcomed(
        &mut self,
        hello: &Hello,
        token: &Token,
        challenge: &Nonce,
        message: &[u8],
        binding: Binding,
    ) -> Result<()> {
        let server = hello.server;
        let welcome = Welcome::read(server.job, message).ok_or_else(|| broken("the welcome is not one"))?;
        if welcome.refusal == Some(Refusal::Proof) {
            // This one carries no proof: its sender does not accept ours, or has none.
            return Err(refused(Refusal::Proof, server, VERSION));
        }
        let said = Spoken { hello, challenge, binding };
        if !said.holds_server(token, &welcome) {
            return Err(broken("what answers cannot prove that it belongs to this job")
                .with("rank", server.rank)
                .hint("a process of another job listens there, or a third party intercepts the connection"));
        }
        match welcome.refusal {
            Some(Refusal::Another) => Err(another(server, welcome.server)),
            Some(refusal) => Err(refused(refusal, server, VERSION)),
            None if welcome.server != server => Err(another(server, welcome.server)),
            None => {
                self.phase = TalkPhase::Known(hello.client, server);
                Ok(())
            }
        }
    }

    fn greeted(
        &mut self,
        find: &Find,
        nonce: Nonce,
        message: &[u8],
        binding: Binding,
        output: &mut Vec<u8>,
    ) -> Result<()> {
        let hello =
            Hello::read(message).ok_or_else(|| broken("an unknown peer said something else than hello"))?;
        let mut refuse = |refusal| {
            Challenge { version: VERSION, refusal: Some(refusal), nonce: Nonce::default() }.write(output);
        };
        if hello.version != VERSION {
            refuse(Refusal::Version);
            return Err(broken("it speaks another version")
                .with("version", hello.version)
                .with("ours", VERSION)
                .hint("run the same release in all members"));
        }
        let Some(member) = find(hello.server) else {
            refuse(Refusal::Job);
            return Err(broken("it wants a member of a job that has none in this process")
                .with("says-rank", hello.client.rank)
                .with("job", hello.client.job));
        };
        if binding.is_none() && !member.takes_plaintext {
            refuse(Refusal::Plaintext);
            return Err(broken("it speaks plaintext, and here TLS is demanded")
                .with("says-rank", hello.client.rank)
                .hint("give all members the same MF_NET_TLS"));
        }
        Challenge { version: VERSION, refusal: None, nonce }.write(output);
        self.phase = TalkPhase::Asked(hello, member, nonce);
        Ok(())
    }

    fn proved(
        &mut self,
        hello: &Hello,
        Member { me, token, .. }: &Member,
        nonce: &Nonce,
        message: &[u8],
        binding: Binding,
        output: &mut Vec<u8>,
    ) -> Result<()> {
        let said = Spoken { hello, challenge: nonce, binding };
        if !said.holds_client(token, message) {
            let unnamed = Peer { rank: 0, session: 0, ..*me };
            Welcome { refusal: Some(Refusal::Proof), server: unnamed, proof: Proof::default() }.write(output);
            return Err(broken("an unknown peer cannot prove that it belongs to this job")
                .with("says-rank", hello.client.rank));
        }
        // From here on it is a member; messages to it are proved to it, too.
        let refusal = (hello.server != *me).then_some(Refusal::Another);
        let welcome = Welcome { refusal, server: *me, proof: Proof::default() };
        let proof = said.prove_server(token, &welcome).ok_or_else(no_proof)?;
        Welcome { proof, ..welcome }.write(output);
        if refusal.is_some() {
            return Err(Error::new(Kind::NotExist, OPERATION)
                .what("it expects another process than this")
                .with("from", hello.client)
                .with("wanted", hello.server)
                .with("here", me));
        }
        self.phase = TalkPhase::Known(*me, hello.client);
        Ok(())
    }
}

/// Returns the error of a useless connection, which does not justify further tries.
pub(super) fn broken(what: &str) -> Error {
    Error::new(Kind::NotConnected, OPERATION).what(what)
}

fn no_proof() -> Error {
    Error::new(Kind::Failed, OPERATION).what("no proof could be computed")
}

fn another(wanted: Peer, there: Peer) -> Error {
    let what = if wanted.rank == there.rank {
        format!("{} is another process now", wanted.name())
    } else {
        format!("another process has the address of {} now", wanted.name())
    };
    Error::new(Kind::NotExist, OPERATION)
        .what(what)
        .with("wanted", wanted)
        .with("there", there)
        .hint("the process that was meant has ended; wait until it has joined again")
}

fn refused(refusal: Refusal, server: Peer, version: u16) -> Error {
    let name = server.name();
    match refusal {
        Refusal::Version => broken(&format!("{name} speaks another version"))
            .with("version", version)
            .with("ours", VERSION)
            .hint("run the same release in all members"),
        Refusal::Plaintext => broken(&format!("{name} demands TLS, and this process speaks plaintext to it"))
            .hint("give all members the same MF_NET_TLS"),
        Refusal::Proof => {
            broken(&format!("what answers for {name} does not accept this process as a member of its job"))
                .hint("a process of another job listens there; check whether two jobs use the same addresses")
        }
        Refusal::Job => broken(&format!("no member of this job is where {name} was expected"))
            .with("job", server.job)
            .hint("that process has left the job, or one of another job listens there now"),
        Refusal::Another => broken(&format!("{name} is another process now")),
        Refusal::Unknown(number) => broken(&format!("{name} refuses the connection")).with("reason", number),
    }
    .retry(Retry::Never)
}

#[cfg(test)]
mod tests;
