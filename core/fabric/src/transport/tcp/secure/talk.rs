// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who says what in which order: the state machine of both ends. Bytes in, bytes out; no sockets.

use mf_base::{Error, Kind, Result, Retry, Scope};
use zeroize::Zeroizing;

use super::hello::{
    Binding, CHALLENGE_BYTES, Challenge, ClientNonce, HELLO_BYTES, Hello, Nonce, PROOF_BYTES, Proof, Refusal,
    Spoken, VERSION, WELCOME_BYTES, Welcome,
};
use crate::transport::Peer;

pub(super) const OPERATION: &str = "tcp handshake";

/// A member of a job in this process.
pub(super) struct Member {
    pub(super) me: Peer,
    /// What all members of its job know.
    pub(super) token: Zeroizing<[u8; 32]>,
    /// Whether whoever connects from where this one does may speak plaintext to it.
    pub(super) takes_plaintext: bool,
}

/// Finds who is meant among the members in this process; where that one is gone, another of the same job,
/// whose word counts.
pub(super) type Find = dyn Fn(Peer) -> Option<Member> + Send;

/// One end of the conversation.
pub(super) struct Talk {
    state: State,
}

type Token = Zeroizing<[u8; 32]>;

enum State {
    /// The client has said hello and waits for the challenge.
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
        Self { state: State::Greeted(hello, token.into()) }
    }

    /// Waits for whoever connected, who wants to talk to one of those that `find` knows.
    pub(super) fn server(find: impl Fn(Peer) -> Option<Member> + Send + 'static, nonce: Nonce) -> Self {
        Self { state: State::Listening(Box::new(find), nonce) }
    }

    /// How long the next message of the other end is; 0: it has nothing more to say.
    pub(super) fn wants(&self) -> usize {
        match &self.state {
            State::Greeted(..) => CHALLENGE_BYTES,
            State::Proved(..) => WELCOME_BYTES,
            State::Listening(..) => HELLO_BYTES,
            State::Asked(..) => PROOF_BYTES,
            State::Known(..) | State::Over => 0,
        }
    }

    /// Who this end and the other one are, once the latter has proved that.
    pub(super) fn known(&self) -> Option<(Peer, Peer)> {
        match &self.state {
            State::Known(me, peer) => Some((*me, *peer)),
            _ => None,
        }
    }

    /// Takes one message of [`wants`](Self::wants) bytes. What is to be said goes to `output`, also after an
    /// error.
    ///
    /// # Errors
    /// Why this connection is of no use.
    pub(super) fn take(&mut self, message: &[u8], binding: Binding, output: &mut Vec<u8>) -> Result<()> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Greeted(hello, token) => self.challenged(hello, token, message, binding, output),
            State::Proved(hello, token, challenge) => {
                self.welcomed(&hello, &token, &challenge, message, binding)
            }
            State::Listening(find, nonce) => self.greeted(&find, nonce, message, binding, output),
            State::Asked(hello, member, nonce) => {
                self.proved(&hello, &member, &nonce, message, binding, output)
            }
            State::Known(..) | State::Over => Err(broken("the conversation is over")),
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
        self.state = State::Proved(hello, token, challenge.nonce);
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
            // This one carries no proof: whoever sends it does not believe us, or has none.
            return Err(refused(Refusal::Proof, server, VERSION));
        }
        let said = Spoken { hello, challenge, binding };
        if !said.holds_server(token, &welcome) {
            return Err(broken("what answers cannot prove that it belongs to this job")
                .with("rank", server.rank)
                .hint("a process of another job listens there, or somebody sits in between"));
        }
        match welcome.refusal {
            Some(Refusal::Another) => Err(another(server, welcome.server)),
            Some(refusal) => Err(refused(refusal, server, VERSION)),
            None if welcome.server != server => Err(another(server, welcome.server)),
            None => {
                self.state = State::Known(hello.client, server);
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
        self.state = State::Asked(hello, member, nonce);
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
            let nobody = Peer { rank: 0, session: 0, ..*me };
            Welcome { refusal: Some(Refusal::Proof), server: nobody, proof: Proof::default() }.write(output);
            return Err(broken("an unknown peer cannot prove that it belongs to this job")
                .with("says-rank", hello.client.rank));
        }
        // From here on it is a member; what it is told is proved to it, too.
        let refusal = (hello.server != *me).then_some(Refusal::Another);
        let welcome = Welcome { refusal, server: *me, proof: Proof::default() };
        let proof = said.prove_server(token, &welcome).ok_or_else(no_proof)?;
        Welcome { proof, ..welcome }.write(output);
        if refusal.is_some() {
            return Err(broken("it looks for another process than this")
                .with("from", hello.client)
                .with("wanted", hello.server)
                .with("here", me));
        }
        self.state = State::Known(*me, hello.client);
        Ok(())
    }
}

/// A connection that is of no use, and no reason to look at anything else.
pub(super) fn broken(what: &str) -> Error {
    Error::new(Kind::NotConnected, OPERATION).scope(Scope::Peer).what(what)
}

fn no_proof() -> Error {
    Error::new(Kind::Failed, OPERATION).what("no proof could be computed")
}

fn another(wanted: Peer, there: Peer) -> Error {
    let what = if wanted.rank == there.rank {
        format!("rank {} is another process now", wanted.rank)
    } else {
        format!("another process has the address of rank {} now", wanted.rank)
    };
    broken(&what)
        .with("wanted", wanted)
        .with("there", there)
        .hint("the process that was meant has ended; wait until it has joined again")
}

fn refused(refusal: Refusal, server: Peer, version: u16) -> Error {
    let rank = server.rank;
    match refusal {
        Refusal::Version => broken(&format!("rank {rank} speaks another version"))
            .with("version", version)
            .with("ours", VERSION)
            .hint("run the same release in all members"),
        Refusal::Plaintext => {
            broken(&format!("rank {rank} demands TLS, and this process speaks plaintext to it"))
                .hint("give all members the same MF_NET_TLS")
        }
        Refusal::Proof => {
            broken(&format!("what answers for rank {rank} does not believe that this process is of its job"))
                .hint("a process of another job listens there; look for two jobs that use the same addresses")
        }
        Refusal::Job => broken(&format!("no member of this job is where rank {rank} was expected"))
            .with("job", server.job)
            .hint("that process has left the job, or one of another job listens there now"),
        Refusal::Another => broken(&format!("rank {rank} is another process now")),
        Refusal::Unknown(number) => {
            broken(&format!("rank {rank} refuses the connection")).with("reason", number)
        }
    }
    .retry(Retry::Never)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::JobId;

    const JOB: JobId = JobId(5);
    const CLIENT: Peer = Peer { job: JOB, rank: 1, session: 11 };
    const SERVER: Peer = Peer { job: JOB, rank: 3, session: 33 };
    const TOKEN: [u8; 32] = [7; 32];

    /// Both ends talk; `between` may change each message. The errors of client and server, in that order.
    fn talk(
        client: &mut Talk,
        server: &mut Talk,
        hello: Vec<u8>,
        bindings: (Binding, Binding),
        mut between: impl FnMut(usize, &mut Vec<u8>),
    ) -> (Option<Error>, Option<Error>) {
        let (mut failed, mut message) = ([None, None], hello);
        for turn in 0..4 {
            between(turn, &mut message);
            let mut answer = Vec::new();
            let (end, at, binding) =
                if turn % 2 == 0 { (&mut *server, 1, bindings.1) } else { (&mut *client, 0, bindings.0) };
            if failed[at].is_none() {
                failed[at] = end.take(&message, binding, &mut answer).err();
            }
            if answer.is_empty() {
                break;
            }
            message = answer;
        }
        let [client, server] = failed;
        (client, server)
    }

    fn ends(token: [u8; 32], wanted: Peer, takes_plaintext: bool) -> (Talk, Talk, Vec<u8>) {
        let mut hello = Vec::new();
        let client = Talk::client(Peer { job: wanted.job, ..CLIENT }, token, [1; 24], wanted, &mut hello);
        let find = move |wanted: Peer| {
            (wanted.job == JOB).then(|| Member { me: SERVER, token: TOKEN.into(), takes_plaintext })
        };
        (client, Talk::server(find, [2; 32]), hello)
    }

    #[test]
    fn members_of_a_job_know_each_other_afterwards() {
        for binding in [None, Some([4; 32])] {
            let (mut client, mut server, hello) = ends(TOKEN, SERVER, true);
            let failed = talk(&mut client, &mut server, hello, (binding, binding), |_, _| ());
            assert!(failed.0.is_none() && failed.1.is_none());
            assert_eq!((client.known(), server.known()), (Some((CLIENT, SERVER)), Some((SERVER, CLIENT))));
            assert_eq!((client.wants(), server.wants()), (0, 0));
        }
    }

    #[test]
    fn a_wrong_token_is_refused_by_a_fixed_text() {
        let (mut client, mut server, hello) = ends([8; 32], SERVER, true);
        let mut last = Vec::new();
        let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |turn, message| {
            if turn == 3 {
                last.clone_from(message);
            }
        });
        assert!(at_client.unwrap().to_string().contains("another job"));
        assert!(at_server.unwrap().to_string().contains("cannot prove"));
        assert_eq!((client.known(), server.known()), (None, None));
        // Nothing that depends on the token, nor on who listens there.
        assert_eq!(&last[..2], 3_u16.to_le_bytes());
        assert!(last[2..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn another_session_or_rank_is_named_to_the_client() {
        for wanted in [Peer { session: 32, ..SERVER }, Peer { rank: 2, ..SERVER }] {
            let (mut client, mut server, hello) = ends(TOKEN, wanted, true);
            let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |_, _| ());
            let text = at_client.unwrap().to_string();
            let expected =
                if wanted.rank == 3 { "rank 3 is another process now" } else { "the address of rank 2" };
            assert!(text.contains(expected) && text.contains("session 33"), "{text}");
            assert!(at_server.unwrap().to_string().contains("another process"));
            assert_eq!((client.known(), server.known()), (None, None));
        }
    }

    #[test]
    fn another_job_is_named_to_both() {
        let wanted = Peer { job: JobId(6), ..SERVER };
        let (mut client, mut server, hello) = ends(TOKEN, wanted, true);
        let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |_, _| ());
        let (at_client, at_server) = (at_client.unwrap().to_string(), at_server.unwrap().to_string());
        assert!(at_client.contains("no member of this job") && at_client.contains("rank 3"), "{at_client}");
        assert!(at_server.contains("0000000000000006"), "{at_server}");
        assert_eq!((client.known(), server.known()), (None, None));
    }

    #[test]
    fn a_hello_of_the_version_before_is_refused_in_its_own_words() {
        // As version 1 wrote it: no job, and a longer nonce.
        let mut hello = [b"MFNT".as_slice(), &1_u16.to_le_bytes(), &[0; 2]].concat();
        for (rank, session) in [(1_u32, 11_u64), (3, 33)] {
            hello.extend(rank.to_le_bytes());
            hello.extend(session.to_le_bytes());
        }
        hello.extend([9; 32]);
        let (_, mut server, _) = ends(TOKEN, SERVER, true);
        assert_eq!(server.wants(), hello.len());
        let mut answer = Vec::new();
        let error = server.take(&hello, None, &mut answer).unwrap_err().to_string();
        assert!(error.contains("version 1") && error.contains("ours 2"), "{error}");
        // The challenge of version 1: our version, the number of the reason, no nonce.
        let expected = [b"MFNT".as_slice(), &2_u16.to_le_bytes(), &1_u16.to_le_bytes(), &[0; 32]].concat();
        assert_eq!((answer, server.known()), (expected, None));
    }

    #[test]
    fn plaintext_is_refused_where_tls_is_demanded() {
        let (mut client, mut server, hello) = ends(TOKEN, SERVER, false);
        let (at_client, at_server) = talk(&mut client, &mut server, hello, (None, None), |_, _| ());
        assert!(at_client.unwrap().to_string().contains("MF_NET_TLS"));
        assert!(at_server.unwrap().to_string().contains("MF_NET_TLS"));
    }

    #[test]
    fn two_channels_are_not_one() {
        let (mut client, mut server, hello) = ends(TOKEN, SERVER, true);
        let failed = talk(&mut client, &mut server, hello, (Some([1; 32]), Some([2; 32])), |_, _| ());
        assert!(failed.0.is_some() && failed.1.is_some());
        assert_eq!((client.known(), server.known()), (None, None));
    }

    #[test]
    fn a_reflected_proof_is_none() {
        // A false server sends the client's own proof back to it.
        let (mut client, _, _) = ends(TOKEN, SERVER, true);
        let (mut challenge, mut proof) = (Vec::new(), Vec::new());
        Challenge { version: VERSION, refusal: None, nonce: [1; 32] }.write(&mut challenge);
        client.take(&challenge, None, &mut proof).unwrap();
        let mut welcome = Vec::new();
        let proof = Proof::try_from(proof.as_slice()).unwrap();
        Welcome { refusal: None, server: SERVER, proof }.write(&mut welcome);
        assert!(client.take(&welcome, None, &mut Vec::new()).is_err());
        assert_eq!(client.known(), None);
    }

    #[test]
    fn no_changed_bit_makes_anybody_known() {
        for turn in 0..4 {
            let length = [HELLO_BYTES, CHALLENGE_BYTES, PROOF_BYTES, WELCOME_BYTES][turn];
            for at in 0..length {
                // Bytes without meaning.
                if (turn == 0 && (6..8).contains(&at)) || (turn == 3 && (2..4).contains(&at)) {
                    continue;
                }
                let (mut client, mut server, hello) = ends(TOKEN, SERVER, true);
                talk(&mut client, &mut server, hello, (None, None), |now, message| {
                    if now == turn {
                        message[at] ^= 0x10;
                    }
                });
                assert_eq!(client.known(), None, "turn {turn}, byte {at}");
                assert!(turn == 3 || server.known().is_none(), "turn {turn}, byte {at}");
            }
        }
    }

    #[test]
    fn messages_of_a_wrong_length_are_refused() {
        for bytes in [0, 1, HELLO_BYTES - 1, HELLO_BYTES + 1] {
            let (_, mut server, mut hello) = ends(TOKEN, SERVER, true);
            hello.resize(bytes, 0);
            assert!(server.take(&hello, None, &mut Vec::new()).is_err());
            assert!(server.take(&hello, None, &mut Vec::new()).is_err());
        }
    }
}
